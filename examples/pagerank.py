"""PageRank, in the algebra. Runs on python-graphblas too: change the import."""

from lagbfs import Matrix, Vector, binary, monoid, semiring, unary


def pagerank(A, damping=0.85, tolerance=1e-10, max_iterations=200):
    n = A.nrows
    rank = Vector.from_scalar(1.0 / n, n)
    ones = Vector.from_scalar(1.0, n)
    # degree_i = Σ_j 1 over the entries of row i; vertices without out-edges have no entry
    degree = semiring.plus_pair(A @ ones).new(dtype=float)
    for _ in range(max_iterations):
        before = rank.dup()
        share = binary.truediv(rank & degree).new()
        given = share.ewise_mult(degree, binary.times).new().reduce(monoid.plus).new().value or 0.0
        dangling = rank.reduce(monoid.plus).new().value - given
        # rank_j = (1 - d) / n + d · (dangling / n + Σ_i share_i over the edges from i to j)
        rank = Vector.from_scalar((1 - damping + damping * dangling) / n, n)
        rank(accum=binary.plus) << semiring.plus_first(share.apply(binary.times, right=damping).new() @ A)
        change = unary.abs(binary.minus(rank | before).new()).new().reduce(monoid.plus).new().value
        if change < tolerance:
            break
    return rank


if __name__ == "__main__":
    A = Matrix.from_coo([0, 1, 2, 2, 3], [1, 2, 0, 3, 0], 1.0, nrows=5, ncols=5)
    print({v: round(r, 4) for v, r in pagerank(A).to_dict().items()})
