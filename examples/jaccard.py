"""How alike the neighbours of each two vertices are: common ones by all. Runs on python-graphblas too."""

from lagbfs import Matrix, binary, monoid, semiring


def jaccard(A):
    common = semiring.plus_pair(A @ A.T).new(dtype=float)
    degree = binary.pair(A, 1).new(dtype=int).reduce_rowwise(monoid.plus).new()
    D = degree.diag(0)
    of_row = semiring.plus_first(D @ common).new()  # the degree of i, where i and j have common neighbours
    of_column = semiring.plus_second(common @ D).new()  # the degree of j
    either = binary.minus(binary.plus(of_row & of_column).new() & common).new()
    return binary.truediv(common & either).new()


if __name__ == "__main__":
    src, dst = [0, 0, 1, 1, 2], [1, 2, 2, 3, 3]
    A = Matrix.from_coo(src + dst, dst + src, 1, nrows=4, ncols=4)
    print(jaccard(A).to_dense(fill_value=0.0).round(2))
