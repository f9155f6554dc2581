"""Levels of a breadth-first search, in the algebra. Runs on python-graphblas too: change the import."""

from lagbfs import Matrix, Vector, monoid, replace, semiring


def level_bfs(A, source):
    levels = Vector(int, A.nrows)
    frontier = Vector(bool, A.nrows)
    frontier[source] = True
    level = 0
    while frontier.reduce(monoid.lor).new().value:
        # levels⟨frontier⟩ = level
        levels(frontier.V)[:] << level
        # frontier⟨¬levels, replace⟩ = frontier ∨.∧ A
        frontier(~levels.S, replace) << semiring.lor_land(frontier @ A)
        level += 1
    return levels


if __name__ == "__main__":
    A = Matrix.from_coo([0, 0, 1, 2, 3], [1, 2, 3, 3, 4], 1.0, nrows=6, ncols=6)
    print(level_bfs(A, 0).to_dict())
