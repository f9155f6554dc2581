"""Checks of the GPU engine on the device it runs on: every kernel against the host, offsets past 2³¹, and timings."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from .. import backends, graphs
from ..algebra.matrix import Matrix
from ..algebra.vector import Vector
from ..algorithms.searches import WIDTHS, bfs_many
from ..backends.cupyx import cusparse, launch, levels
from ..backends.cupyx.device import cupy, failures, to_device
from ..backends.cupyx.frontier import scan
from ..backends.cupyx.graph import Graph
from ..backends.cupyx.launch import blocks
from ..backends.cupyx.product import ADD, MULTIPLY, knows
from ..errors import DeviceWarning, LagbfsError
from ..operators import semiring as semirings
from ..operators.semiring import Semiring
from ..search.bfs import bfs
from ..storage import csr as csrs
from ..storage.csr import Csr
from ..storage.rows import Rows
from ..storage.store import Store

_DTYPES = [np.dtype(t) for t in ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8")]
_REPEATS = 5
# Undirected, of sizes around those of words, warps and blocks, with hubs and without.
_GRAPHS: list[Callable[[], Matrix]] = [
    lambda: graphs.kronecker(10),
    lambda: graphs.path(257),
    lambda: graphs.star(1025),
    lambda: graphs.grid(33, 31),
    lambda: graphs.complete(65),
]


class Check(NamedTuple):
    """What was checked, and how it went; `said` tells what was wrong, or how fast it was."""

    name: str
    passed: bool
    said: str


def describe() -> dict[str, str]:
    """Return what the device is and what drives it."""
    cuda = cupy().cuda
    properties = cuda.runtime.getDeviceProperties(cuda.Device().id)
    free, total = cuda.runtime.memGetInfo()
    return {
        "device": properties["name"].decode(),
        "compute capability": cuda.Device().compute_capability,
        "multiprocessors": str(properties["multiProcessorCount"]),
        "memory": f"{total / 1e9:.1f} GB, {free / 1e9:.1f} GB free",
        "CUDA driver": str(cuda.runtime.driverGetVersion()),
        "CUDA runtime": str(cuda.runtime.runtimeGetVersion()),
        "CuPy": cupy().__version__,
    }


def kernels() -> Iterator[Check]:
    """Check every kernel, at both index widths, against engines of the host."""
    for wide in (False, True):
        yield from _arms(wide)
        yield from _products(wide)
        yield _tried(f"dot products under a mask, {64 if wide else 32} bits", partial(_dot_products, wide))
        yield _tried(f"searches in step, {64 if wide else 32} bits", partial(_in_step, wide))
    yield _tried("64-bit offsets of 32-bit vertices", _far_rows)
    yield _tried("products of two matrices by cuSPARSE", _cusparse)


def far_offsets(edges: int = 1 << 31) -> Iterator[Check]:
    """Check that a frontier may have more edges than 32 bits can count."""
    yield _tried("a frontier of more than 2³¹ edges", lambda: _far_offsets(edges))


def timings(scale: int) -> Iterator[Check]:
    """Time copies, the read-back of a level, and a search by every arm, which is verified."""
    yield from _transfers()
    A = graphs.kronecker(scale)
    source = int(A.degrees.argmax())
    for direction, variant in levels.NAMES:
        name = f"Kronecker graph of scale {scale}, {direction}:{variant}"
        yield _tried(name, partial(_timed, A, source, f"{direction}:{variant}"))
    yield _tried(f"Kronecker graph of scale {scale}, searches in step", partial(_many_timed, A))
    yield _tried(f"Kronecker graph of scale {scale}, triangles", partial(_triangles, A))


def _tried(name: str, check: Callable[[], str]) -> Check:
    """Run a check that returns what it has to say; an error, or the warning that the host had to step in, fails it.

    Warnings of others, as CuPy has some, are left to whoever shows warnings.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeviceWarning)
        try:
            return Check(name, True, check())
        except (DeviceWarning, LagbfsError) as error:
            said = str(error)
        except failures() as error:
            said = str(error)
    return Check(name, False, " ".join(said.split()))


def _expect(met: Any, said: str) -> None:
    if not met:
        raise LagbfsError(said)


def _arms(wide: bool) -> Iterator[Check]:
    """Search graphs of all kinds by every arm, with the least parents, any, and levels alone."""
    for direction, variant in levels.NAMES:
        arm = f"{direction}:{variant}"
        yield _tried(f"{arm}, {64 if wide else 32} bits", partial(_arm, arm, wide))


def _arm(arm: str, wide: bool) -> str:
    count = 0
    options: dict[str, Any] = {"backend": "cupyx", "selector": arm}
    for A in _graphs(wide):
        for source in (0, A.nrows // 2, A.nrows - 1):
            expected = bfs(A, source, deterministic=True, backend=backends.default())
            least = bfs(A, source, deterministic=True, **options)
            _expect(np.array_equal(least.parents, expected.parents), f"least parents from {source} in {A} differ")
            bfs(A, source, **options).verify()
            levels_alone = bfs(A, source, parents=False, **options).levels
            _expect(np.array_equal(levels_alone, expected.levels), f"levels from {source} in {A} differ")
            count += 3
    return f"{count} searches"


def _in_step(wide: bool) -> str:
    """Search graphs of all kinds from many sources at once, in every width, and sum up what is found."""
    count, widths = 0, itertools.cycle(WIDTHS)
    everything: dict[str, Any] = {"parents": True, "level_counts": True, "by_vertex": True}
    for A, width in zip(_graphs(wide), widths):  # noqa: B905 (the widths never end)
        sources = np.random.default_rng(3).integers(0, A.nrows, 70)
        found = bfs_many(A, sources, way="together", width=width, backend="cupyx", **everything)
        found.verify()
        sums = bfs_many(A, sources, way="single", backend=backends.default(), **everything)
        for name in ("levels", "level_counts", "vertex_distance_sums", "vertex_reached", "vertex_eccentricities"):
            _expect(np.array_equal(getattr(found, name), getattr(sums, name)), f"{name} of {A} differ")
        count += len(sources)
    return f"{count} searches"


def _graphs(wide: bool) -> list[Matrix]:
    made = [*(make() for make in _GRAPHS), _directed()]
    return [_widened(A) for A in made] if wide else made


def _directed() -> Matrix:
    edges = np.random.default_rng(0).integers(0, 700, (2, 3000))
    return Matrix.from_edges(*edges, n=720)


def _widened(A: Matrix, index: Any = np.int64) -> Matrix:
    """Return a graph of the same edges with 64-bit offsets, as one of more than 2³¹ has, and such vertices."""
    old = A.csr
    csr = Csr(old.indptr.astype(np.int64), old.indices.astype(index), old.values, old.ncols, old.iso)
    return Matrix.from_rows(Rows(Store(csr, symmetric=A.rows.known_symmetric)))


def _far_rows() -> str:
    """Search and multiply a graph whose offsets are wider than its vertices, by the first arm of each direction."""
    plain = _GRAPHS[0]()
    A, q = _widened(plain, np.int32), Vector.from_coo([0], [1], size=plain.nrows)
    for direction in ("push", "pull"):
        found = bfs(A, 0, backend="cupyx", direction=direction)
        _expect(found.parents.dtype == np.int32, f"parents are {found.parents.dtype}")
        _expect(np.array_equal(found.levels, bfs(plain, 0).levels), f"levels by {direction} differ")
        arms = _first("cupyx", direction), _first("reference", direction)
        ours, theirs = (q.vxm(M, "plus_pair").by(arm).new() for M, arm in zip((A, plain), arms, strict=True))
        _expect(ours.isequal(theirs), f"products by {direction} differ")
    return "2 searches, 2 products"


def _products(wide: bool) -> Iterator[Check]:
    """Multiply in every semiring and dtype, in both directions, with masks."""
    for name in semirings.COMMON:
        yield _tried(f"{name}, {64 if wide else 32} bits", partial(_product, name, wide))


def _product(name: str, wide: bool) -> str:
    count = 0
    for dtype, direction in itertools.product(_DTYPES, ("push", "pull")):
        A, q, mask = _operands(dtype, wide)
        ours, theirs = (
            q.vxm(A, name).by(_first(engine, direction)).new(mask=~mask.S) for engine in ("cupyx", "reference")
        )
        same = set(ours) == set(theirs) if name == "any_secondi" else ours.isequal(theirs, check_dtype=True)
        _expect(same, f"{direction} of {dtype} differs")
        count += 1
    return f"{count} products"


def _dot_products(wide: bool) -> str:
    """Multiply two matrices under a mask in every semiring and dtype that the kernels know."""
    count = 0
    for dtype in _DTYPES:
        A, B, mask = _matrices(dtype, wide)
        for ring in itertools.starmap(Semiring, itertools.product(ADD, MULTIPLY)):
            if knows(ring, dtype, dtype):
                ours, theirs = (_multiplied(engine, "pull", ring, A, B, mask) for engine in ("cupyx", "reference"))
                same = set(ours) == set(theirs) if ring.add.name == "any" else ours.isequal(theirs)
                _expect(same, f"{ring} of {dtype} differs")
                count += 1
    return f"{count} products"


def _cusparse() -> str:
    """Multiply two matrices without a mask, in what cuSPARSE is used for."""
    if (said := cusparse.trouble()) is not None:
        return f"left to the host: {said}"
    rings, count = [getattr(semirings, name) for name in ("plus_times", "plus_pair", "plus_first", "any_pair")], 0
    for dtype, wide in itertools.product(_DTYPES, (False, True)):
        A, B, _ = _matrices(dtype, wide)
        for ring in rings:
            if cusparse.inner_dtype(A.rows, B.rows, ring) is not None:
                ours, theirs = (_multiplied(engine, "push", ring, A, B, None) for engine in ("cupyx", "reference"))
                _expect(ours.isequal(theirs), f"{ring} of {dtype} differs")
                count += 1
    return f"{count} products"


def _multiplied(engine: str, direction: str, ring: Semiring, A: Matrix, B: Matrix, mask: Matrix | None) -> Matrix:
    made: Matrix = ring(A @ B).by(_first(engine, direction)).new(mask=None if mask is None else mask.S)
    return made


def _matrices(dtype: np.dtype[Any], wide: bool) -> tuple[Matrix, Matrix, Matrix]:
    """Return two matrices that can be multiplied, and a mask; rows are longer and shorter than a warp has lanes."""
    rng = np.random.default_rng(2)
    made = []
    for nrows, ncols, count in ((50, 90, 1500), (90, 40, 700), (50, 40, 120)):
        rows, columns, values = rng.integers(0, nrows, count), rng.integers(0, ncols, count), rng.integers(0, 5, count)
        made.append(Matrix.from_coo(rows, columns, values.astype(dtype), nrows=nrows, ncols=ncols, dup_op="second"))
    A, B, mask = (_widened(X) for X in made) if wide else made
    return A, B, mask


def _triangles(A: Matrix) -> str:
    """Count triangles: plus_pair of the lower half and its transpose, under the lower half, added up."""
    L = A.select("tril", -1).new()

    def counted(engine: str) -> Any:
        product = semirings.plus_pair(L @ L.T).by(_first(engine, "pull"))
        return product.new(mask=L.S).reduce_scalar("plus").value

    count = counted("cupyx")
    _expect(count == counted(backends.default()), f"{count:,} triangles are not as many as the host finds")
    return f"{_median(lambda: counted('cupyx')) * 1e3:.3f} ms, {count:,} triangles"


def _first(engine: str, direction: str) -> Any:
    return next(arm for arm in backends.get(engine).arms if arm.direction == direction)


def _operands(dtype: np.dtype[Any], wide: bool) -> tuple[Matrix, Vector, Vector]:
    """Return a symmetric matrix, a vector and a mask; values are small, so that sums are exact in any order."""
    rng = np.random.default_rng(1)
    src, dst = rng.integers(0, 300, (2, 2000))
    A = Matrix.from_edges(src, dst, weights=rng.integers(0, 5, 2000).astype(dtype), n=300, directed=False)
    some = np.flatnonzero(rng.random(300) < 0.3)
    q = Vector.from_coo(some, rng.integers(0, 5, len(some)).astype(dtype), size=300)
    return _widened(A) if wide else A, q, Vector.from_coo(np.arange(0, 300, 7), True, size=300)


def _far_offsets(far: int) -> str:
    """Push a frontier that names one hub so often that the edges of its last vertex lie past `far`."""
    degree = min(1 << 20, far)
    A = Matrix.from_csr([0, degree, degree + 1000, *[degree + 1000] * degree], [*range(2, degree + 2), *range(1000)])
    n, copies = degree + 2, far // degree + 1
    graph = Graph(Rows(Store(csrs.make(A.csr.indptr, A.csr.indices, A.csr.values, n, iso=True))))
    listed = cupy().zeros(copies + 1, graph.index)
    listed[-1:] = 1
    reached, found = cupy().full(n, -1, graph.index), cupy().empty(n, graph.index)
    counters, edges = cupy().zeros(3, np.uint64), copies * degree + 1000
    offsets, sums = scan(graph, listed, copies + 1, graph.rows.indptr)
    work = (listed, copies + 1, offsets, sums, edges, *graph.rows, graph.indptr)
    tail = (levels.ANY_PARENT, 1, found, counters)
    graph.kernels.launch("push_edges", blocks(edges, launch.SPAN), *work, reached, *tail)
    parents = reached.get()
    _expect(int(sums[-1]) == edges, "the degrees do not add up")
    _expect((parents[2:] >= 0).all(), "vertices before the last of the frontier were missed")
    _expect((parents[:2] == 1).all(), "those of its last vertex were missed")
    return f"{edges:,} edges"


def _timed(A: Matrix, source: int, arm: str) -> str:
    first = bfs(A, source, backend="cupyx", selector=arm)
    first.verify()
    seconds = _median(lambda: bfs(A, source, backend="cupyx", selector=arm))
    return f"{seconds * 1e3:.3f} ms, {first.edges / seconds / 1e6:,.0f} MTEPS"


def _many_timed(A: Matrix) -> str:
    sources = np.random.default_rng(4).choice(np.flatnonzero(A.degrees), 512)
    options: dict[str, Any] = {"levels": False, "way": "together", "backend": "cupyx"}
    seconds = _median(lambda: bfs_many(A, sources, **options))
    return f"{seconds / len(sources) * 1e3:.3f} ms a source, {len(sources)} together"


def _transfers() -> Iterator[Check]:
    host = np.zeros(1 << 24, np.uint8)
    there = to_device(host)
    copies = {"host to device": partial(there.set, host), "device to host": partial(there.get, out=host)}
    for name, copy in copies.items():
        yield Check(name, True, f"{len(host) / _median(copy) / 1e9:.1f} GB/s")
    counters = cupy().zeros(3, np.uint64)
    seconds = _median(lambda: (counters.fill(0), counters.get()))
    yield Check("a level's read-back", True, f"{seconds * 1e6:.0f} µs")


def _median(action: Callable[[], Any]) -> float:
    def once() -> float:
        began = perf_counter()
        action()
        cupy().cuda.Device().synchronize()
        return perf_counter() - began

    return median(once() for _ in range(_REPEATS))
