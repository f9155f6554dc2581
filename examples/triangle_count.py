"""The number of triangles of an undirected graph, in the algebra. Runs on python-graphblas too: change the import."""

from lagbfs import Matrix, monoid, select, semiring


def triangle_count(A):
    L = select.tril(A, -1).new()
    C = Matrix(int, A.nrows, A.ncols)
    C(L.S) << semiring.plus_pair(L @ L.T)  # C⟨L⟩ = L plus.pair Lᵀ: for each edge, the triangles it closes
    return C.reduce_scalar(monoid.plus).new().value or 0


if __name__ == "__main__":
    src, dst = [0, 0, 1, 1, 2], [1, 2, 2, 3, 3]
    A = Matrix.from_coo(src + dst, dst + src, 1, nrows=4, ncols=4)
    print(triangle_count(A), "triangles")
