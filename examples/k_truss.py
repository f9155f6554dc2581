"""The k-truss: the largest subgraph whose edges are each in k - 2 triangles. Runs on python-graphblas too."""

from lagbfs import Matrix, select, semiring


def k_truss(A, k):
    C = A.dup(int)
    while True:
        before = C.nvals
        support = semiring.plus_pair(C @ C).new(mask=C.S)  # support⟨C⟩ = C plus.pair C
        C = select.valuege(support, k - 2).new()
        if C.nvals == before:
            return C


if __name__ == "__main__":
    src, dst = [0, 0, 0, 1, 1, 2, 3], [1, 2, 3, 2, 3, 3, 4]
    A = Matrix.from_coo(src + dst, dst + src, 1, nrows=5, ncols=5)
    rows, columns, support = k_truss(A, 4).to_coo()
    print(list(zip(rows.tolist(), columns.tolist(), support.tolist(), strict=True)))
