"""Parents of a breadth-first search, in the algebra. Runs on python-graphblas too: change the import."""

from lagbfs import Matrix, Vector, replace, semiring


def parent_bfs(A, source):
    parents = Vector(int, A.nrows)
    parents[source] = source
    frontier = Vector(int, A.nrows)
    frontier[source] = source
    while frontier.nvals:
        # frontier⟨¬parents, replace⟩ = frontier min.first A: each vertex found takes the least of its finders
        frontier(~parents.S, replace) << semiring.min_first(frontier @ A)
        # parents⟨frontier⟩ = frontier
        parents(frontier.S) << frontier
        # the vertices of the frontier become the finders of the next
        indices, _ = frontier.to_coo()
        frontier = Vector.from_coo(indices, indices, dtype=int, size=A.nrows)
    return parents


if __name__ == "__main__":
    A = Matrix.from_coo([0, 0, 1, 2, 3], [1, 2, 3, 3, 4], 1.0, nrows=6, ncols=6)
    print(parent_bfs(A, 0).to_dict())
