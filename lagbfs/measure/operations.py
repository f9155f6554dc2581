"""The operations that `lagbfs bench algebra` compares, each written once for all libraries of its notation.

`gb` is lagbfs or python-graphblas: the same lines run on both. SciPy's own are beside them, where it has the operation.
Values are small integers, held as float64, so that sums are exact and results must be equal, not close.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from .. import graphs
from ..algebra.matrix import Matrix

__all__ = ["GROUPS", "Operation", "operations"]

GROUPS = ("small", "loop", "products", "triangles", "elementwise", "construction")

_EDGES = 10**7


class Operation(NamedTuple):
    """One operation on given operands.

    `given` are matrices of lagbfs, which every library gets as its own, and anything else as it is; `run` computes on
    `gb` and those; `scipy`, if it has the operation, on those alone. `memory` says that what it holds counts as well.
    """

    group: str
    name: str
    given: tuple[Any, ...]
    run: Callable[..., Any]
    scipy: Callable[..., Any] | None = None
    memory: bool = False


def operations(groups: Sequence[str] = GROUPS, *, smaller: int = 0) -> Iterator[Operation]:
    """Yield the operations of these groups; their graphs have scales that are less by `smaller`."""
    for group in groups:
        yield from _MAKERS[group](smaller)


def _weighted(A: Matrix, seed: int = 1) -> Matrix:
    rows, columns, _ = A.to_coo()
    values = np.random.default_rng(seed).integers(1, 9, len(rows)).astype(np.float64)
    return Matrix.from_coo(rows, columns, values, nrows=A.nrows, ncols=A.ncols)


def _small(_smaller: int) -> Iterator[Operation]:
    size, draw = 1000, np.random.default_rng(1)
    at = [np.sort(draw.choice(size, 10, replace=False)) for _ in range(3)]
    A = _weighted(graphs.uniform(10, 8))[:size, :size].new()
    v, w, m = (("vector", indices, np.arange(1.0, 11.0), size) for indices in at)
    named = partial(Operation, "small")
    yield named("vxm", (v, A), lambda gb, v, A: gb.semiring.plus_times(v @ A).new())
    yield named("masked with replace", (v, w, m, A), _masked)
    yield named("w[3] = 1", (w,), _assigned)
    yield named("ewise_add", (v, w), lambda gb, v, w: v.ewise_add(w, gb.binary.plus).new())
    yield named("apply", (v,), lambda gb, v: v.apply(gb.unary.ainv).new())
    yield named("reduce", (v,), lambda gb, v: v.reduce(gb.monoid.plus).value)


def _masked(gb: Any, v: Any, w: Any, m: Any, A: Any) -> Any:
    w(~m.S, replace=True) << gb.semiring.plus_times(v @ A)
    return w


def _assigned(_gb: Any, w: Any) -> Any:
    w[3] = 1
    return w


def _loop(smaller: int) -> Iterator[Operation]:
    A = graphs.kronecker(16 - smaller)
    source = int(np.argmax(A.degrees))
    yield Operation("loop", f"level BFS of the README, kronecker-{16 - smaller}", (A, source), _level_bfs)


def _level_bfs(gb: Any, A: Any, source: int) -> Any:
    levels, frontier = gb.Vector(int, A.nrows), gb.Vector(bool, A.nrows)
    frontier[source] = True
    level = 0
    while frontier.nvals:
        levels(frontier.S) << level
        frontier(~levels.S, gb.replace) << gb.semiring.any_pair(frontier @ A)
        level += 1
    return levels


def _products(smaller: int) -> Iterator[Operation]:
    side = max(512 >> smaller, 4)
    yield _square(f"kronecker-{14 - smaller}", graphs.kronecker(14 - smaller))
    yield _square(f"uniform-{16 - smaller}", graphs.uniform(16 - smaller, 8))
    yield _square(f"grid-{side}", graphs.grid(side, side))


def _square(name: str, A: Matrix) -> Operation:
    return Operation(
        "products",
        f"A @ A, {name}",
        (_weighted(A),),
        lambda gb, A: gb.semiring.plus_times(A @ A).new(),
        lambda A: A @ A,
    )


def _triangles(smaller: int) -> Iterator[Operation]:
    for scale in (16 - smaller, 18 - smaller):
        A = graphs.kronecker(scale)
        yield Operation("triangles", f"triangles, kronecker-{scale}", (_lower(A),), _count_triangles)


def _lower(A: Matrix) -> Matrix:
    rows, columns, _ = A.to_coo()
    keep = rows > columns
    return Matrix.from_coo(rows[keep], columns[keep], 1, nrows=A.nrows, ncols=A.ncols)


def _count_triangles(gb: Any, L: Any) -> Any:
    C = gb.Matrix(int, L.nrows, L.ncols)
    C(L.S) << gb.semiring.plus_pair(L @ L.T)
    return C.reduce_scalar(gb.monoid.plus).value


def _elementwise(smaller: int) -> Iterator[Operation]:
    from scipy.sparse import tril

    scale = 18 - smaller
    A, B = (_weighted(graphs.kronecker(scale, seed=seed), seed) for seed in (1, 2))
    named = partial(Operation, "elementwise")
    yield named("ewise_add", (A, B), lambda gb, A, B: A.ewise_add(B, gb.binary.plus).new(), lambda A, B: A + B)
    yield named(
        "ewise_mult", (A, B), lambda gb, A, B: A.ewise_mult(B, gb.binary.times).new(), lambda A, B: A.multiply(B)
    )
    yield named("select(tril)", (A,), lambda gb, A: A.select(gb.select.tril).new(), lambda A: tril(A, format="csr"))
    yield named("reduce_rowwise", (A,), lambda gb, A: A.reduce_rowwise(gb.monoid.plus).new(), lambda A: A.sum(axis=1))
    yield named(
        "reduce_columnwise", (A,), lambda gb, A: A.reduce_columnwise(gb.monoid.plus).new(), lambda A: A.sum(axis=0)
    )
    yield named("reduce_scalar", (A,), lambda gb, A: A.reduce_scalar(gb.monoid.plus).value, lambda A: A.sum())
    yield named("transpose", (A,), lambda gb, A: A.T.new(), lambda A: A.T.tocsr())


def _construction(smaller: int) -> Iterator[Operation]:
    scale, size = 20 - smaller, _EDGES >> smaller
    n = 1 << scale
    src, dst = graphs.kronecker_edges(scale, -(-size // n))
    src, dst = src[:size], dst[:size]
    weights = np.random.default_rng(1).integers(1, 9, size).astype(np.float64)
    for name, values in (("weighted, duplicates added", weights), ("unweighted", True)):
        given = (src, dst, values, n)
        yield Operation("construction", f"{name}, {len(src):,} edges", given, _built, _built_by_scipy, memory=True)


def _built(gb: Any, src: Any, dst: Any, values: Any, n: int) -> Any:
    if isinstance(values, np.ndarray):
        return gb.Matrix.from_coo(src, dst, values, nrows=n, ncols=n, dup_op=gb.binary.plus)
    # Of one value for all python-graphblas takes duplicates for one, and wants no operator.
    once = {} if hasattr(gb, "ss") else {"dup_op": gb.binary.any}
    return gb.Matrix.from_coo(src, dst, values, nrows=n, ncols=n, **once)


def _built_by_scipy(src: Any, dst: Any, values: Any, n: int) -> Any:
    from scipy.sparse import coo_array

    weighted = isinstance(values, np.ndarray)
    A = coo_array((values if weighted else np.ones(len(src), bool), (src, dst)), shape=(n, n)).tocsr()
    A.sum_duplicates()
    return A


_MAKERS: dict[str, Callable[[int], Iterator[Operation]]] = dict(
    zip(GROUPS, (_small, _loop, _products, _triangles, _elementwise, _construction), strict=True)
)
