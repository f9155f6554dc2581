"""Whole algorithms by the kernels; see `backends.protocol.Fused` for what each returns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base import memory
from ...storage.csr import Csr
from ...storage.rows import Rows
from ..protocol import Backend, Fused, ManyFound, ManyWanted
from .loading import kernels
from .many import One, bfs_many

__all__ = ["Weights", "Whole"]

Array = NDArray[Any]

_MOST_THREADS = 256  # as many as a team has
_LANE_BYTES = 5 * 8  # of a thread, by vertex: what betweenness works with, indices of 32 bits counted as 64
# Buckets are so many times the largest weight wide, over the square of the mean degree: few edges of a vertex are to
# stay within its bucket, and where there are few edges at all, buckets are to hold enough for a team. A rough fit to
# kronecker-18, a web crawl and roads, with weights of 1 … 255, on a machine that was not idle.
_WIDTH = 8.0
_LEAST_WIDTH, _MOST_WIDTH = 1e-290, 1e290  # so that neither it nor one over it is out of the range of floats


class Weights(NamedTuple):
    """The values of a matrix as the kernels take weights: int32 or float64, one for all or one for each entry."""

    values: Array
    largest: float
    width: float


class Whole(Fused):
    """Every algorithm that there is a kernel for."""

    def __init__(self, engine: Backend) -> None:
        self._engine = engine

    def bfs_many(
        self,
        rows: Rows,
        sources: Array,
        *,
        wanted: ManyWanted,
        way: str | None,
        width: int | None,
        one: One,
        progress: Callable[[float, float | None], None],
        threads: int | None = None,
    ) -> ManyFound | None:
        """Return what searches from each of the sources find."""
        if rows.is_hypersparse:
            return None
        team = None if threads is None else _team(threads)
        options: dict[str, Any] = {"way": way, "width": width, "one": one, "threads": team, "progress": progress}
        return bfs_many(rows.handle(self._engine), sources, wanted, **options)

    def components(self, rows: Rows, *, threads: int | None = None) -> Array | None:
        """Return the smallest vertex of each component."""
        if rows.is_hypersparse:
            return None
        of = (rows.handle(self._engine).graph,) if rows.known_symmetric else _pattern(rows.csr)
        labels: Array = kernels().components(*of, _team(threads))
        return labels

    def pagerank(
        self,
        rows: Rows,
        *,
        damping: float,
        tol: float,
        max_iter: int,
        personalization: Array | None,
        start: Array | None,
        dangling: Array | None,
        weighted: bool,
        in_place: bool = False,
        threads: int | None = None,
    ) -> tuple[Array, int, float] | None:
        """Return ranks, iterations and the last error."""
        if rows.is_hypersparse:
            return None
        into, weights, out = rows.T.csr, None, None
        if weighted:
            weights = into.all_values().astype(np.float64)
            if not np.all(np.isfinite(weights)) or weights.min(initial=0) < 0:
                return None
            out = np.bincount(into.indices, weights=weights, minlength=rows.nrows).astype(np.float64)
        found: tuple[Array, int, float] = kernels().pagerank(
            *_pattern(into),
            rows.csr.indptr,
            weights,
            out,
            damping,
            tol,
            max_iter,
            personalization,
            start,
            dangling,
            in_place,
            dangling is None or bool(dangling.any()),
            _team(threads),
        )
        return found

    def sssp(
        self,
        rows: Rows,
        sources: Array,
        *,
        delta: float | None,
        cutoff: float | None,
        targets: Array | None,
        threads: int | None = None,
    ) -> tuple[Array, Array] | None:
        """Return distances and parents."""
        if rows.is_hypersparse:
            return None
        weights = self._weights(rows)
        width = weights.width if delta is None else float(delta)
        if not _LEAST_WIDTH < width < _MOST_WIDTH or not weights.largest < _MOST_WIDTH:
            return None
        limit = float("inf") if cutoff is None else float(cutoff)
        found: tuple[Array, Array] = kernels().sssp(
            *_pattern(rows.csr), weights.values, sources, targets, width, weights.largest, limit, _team(threads)
        )
        return found

    def betweenness(self, rows: Rows, sources: Array, *, edges: bool, threads: int | None = None) -> Array | None:
        """Return the sums of dependencies."""
        if rows.is_hypersparse:
            return None
        memory.demand(f"what betweenness in {rows.nrows:,} vertices works with", _LANE_BYTES * rows.nrows)
        scores: Array = kernels().betweenness(
            *_pattern(rows.csr), *_pattern(rows.T.csr), np.asarray(sources, np.int64), edges, _team(threads)
        )
        return scores

    def triangles(self, rows: Rows, *, threads: int | None = None) -> Array | None:
        """Return the number at each vertex."""
        if rows.is_hypersparse:
            return None
        counts: Array = kernels().triangles(*_pattern(rows.csr), True, _team(threads))[1]
        return counts.view(np.int64)  # the same, by the name that NumPy prints none for

    def triangle_count(self, rows: Rows, *, threads: int | None = None) -> int | None:
        """Return the number of all, which takes less time than where they are."""
        if rows.is_hypersparse:
            return None
        total: int = kernels().triangles(*_pattern(rows.csr), False, _team(threads))[0]
        return total

    def core_numbers(self, rows: Rows, *, threads: int | None = None) -> Array | None:
        """Return the core number of each vertex, by one thread."""
        if rows.is_hypersparse or rows.nrows > np.iinfo(np.int32).max:
            return None
        cores: Array = kernels().core_numbers(*_pattern(rows.csr))
        return cores

    def _weights(self, rows: Rows) -> Weights:
        """Return the weights of a matrix, which are looked at once."""
        handle = rows.handle(self._engine)
        if handle.weights is None:
            handle.weights = _weights_of(rows)
        weights: Weights = handle.weights
        return weights


def _team(threads: int | None) -> int:
    return min(threads or 0, _MOST_THREADS)


def _pattern(csr: Csr) -> tuple[Array, Array]:
    return csr.indptr, csr.indices


def _weights_of(rows: Rows) -> Weights:
    """Return the values in int32 if distances are sure to fit, else in float64, and how wide buckets are to be."""
    values, n = rows.csr.values, rows.nrows
    finite = values[np.isfinite(values)] if values.dtype.kind == "f" else values
    largest = float(finite.max(initial=0))
    whole = values.dtype.kind != "f" and largest * max(n - 1, 1) < np.iinfo(np.int32).max
    narrow = whole and rows.index_dtype == np.int32
    cast = np.ascontiguousarray(values, np.int32 if narrow else np.float64)
    degree = rows.nvals / max(n - rows.store.barren(rows.transposed), 1)
    width = _WIDTH * largest / max(degree, 1.0) ** 2
    return Weights(cast, largest, max(width, 1.0) if whole or not width > 0 else width)
