"""Distances between all pairs of vertices, by squaring in min.plus. Runs on python-graphblas too: change the import."""

from lagbfs import Matrix, binary, semiring


def all_pairs(A):
    D = A.dup(float)
    for v in range(A.nrows):
        D[v, v] = 0.0
    length = 1
    while length < A.nrows:
        D(accum=binary.min) << semiring.min_plus(D @ D)  # D = D min (D min.+ D): paths of twice as many edges
        length *= 2
    return D


if __name__ == "__main__":
    A = Matrix.from_coo([0, 0, 1, 2], [1, 2, 3, 3], [1.0, 4.0, 5.0, 1.0], nrows=4, ncols=4)
    print(all_pairs(A).to_dense(fill_value=float("inf")))
