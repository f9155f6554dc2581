"""The host routines by the kernels; see `lagbfs.host.protocol` for what each does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base import checks
from ...host.plain import Plain
from .loading import kernels

__all__ = ["Kernels"]

Array = NDArray[Any]


MOST_NARROW = checks.INT32_MAX  # entries of two matrices together that 32 bits count; tests lower it


class Kernels(Plain):
    """Every routine in C++, on all cores where that pays."""

    def build_csr(self, src: Array, dst: Array, nrows: int, ncols: int, **options: bool) -> tuple[Array, Array, Any]:
        """Sort coordinates into rows."""
        try:
            rows: tuple[Array, Array, Any] = kernels().build_csr(src, dst, nrows, ncols, **options)
        except MemoryError:
            raise MemoryError(f"{nrows} rows with {len(src)} entries do not fit in memory") from None
        return rows

    def transpose(self, indptr: Array, indices: Array, ncols: int, *, positions: bool) -> tuple[Array, Array, Any]:
        """Sort entries into columns."""
        columns: tuple[Array, Array, Any] = kernels().transpose(indptr, indices, ncols, positions)
        return columns

    def is_symmetric(self, indptr: Array, indices: Array) -> bool:
        """Compare with the transpose without storing it."""
        symmetric: bool = kernels().is_symmetric(indptr, indices)
        return symmetric

    def unite(
        self, indptr: Array, indices: Array, other_indptr: Array, other_indices: Array
    ) -> tuple[Array, Array, Array, Array]:
        """Walk through the rows of both."""
        wide = len(indices) + len(other_indices) > MOST_NARROW
        arrays = _alike(indptr, indices, other_indptr, other_indices, least=np.int64 if wide else np.int32)
        united: tuple[Array, Array, Array, Array] = kernels().unite(*arrays)
        return united

    def locate(self, indptr: Array, indices: Array, other_indptr: Array, other_indices: Array) -> Array:
        """Walk through the rows of both."""
        at: Array = kernels().locate(*_alike(indptr, indices, other_indptr, other_indices))
        return at

    def rmat_edges(
        self,
        scale: int,
        size: int,
        bounds: Sequence[int],
        *,
        seed: int,
        stream: int,
        names: Array | None,
        threads: int | None,
    ) -> tuple[Array, Array]:
        """Draw edges."""
        options = {"seed": seed, "stream": stream, "names": names, "threads": threads or 0}
        ends: tuple[Array, Array] = kernels().rmat_edges(scale, size, *bounds, **options)
        return ends

    def attach(self, n: int, m: int, seed: int, stream: int) -> Array:
        """Draw from the list of all ends of edges so far."""
        joined: Array = kernels().attach(n, m, seed, stream)
        return joined

    def check_edges(
        self, indptr: Array, indices: Array, levels: Array, parents: Array | None, limit: int, confirmed: Array
    ) -> int:
        """Look at all edges; of more vertices than 32 bits count, as NumPy does."""
        if len(levels) > checks.INT32_MAX:
            return super().check_edges(indptr, indices, levels, parents, limit, confirmed)
        own = None if parents is None else np.ascontiguousarray(parents, indices.dtype)
        depth, bound = np.ascontiguousarray(levels, np.int32), min(limit, checks.INT32_MAX)
        first: int = kernels().check_edges(indptr, indices, depth, own, bound, confirmed.view(np.uint8))
        return first

    def depths(self, parents: Array) -> tuple[Array, int]:
        """Climb from each vertex to one whose depth is known."""
        dtype = parents.dtype if parents.dtype in (np.int32, np.int64) else np.int64
        depths: tuple[Array, int] = kernels().depths(np.ascontiguousarray(parents, dtype))
        return depths

    def check_list(self, indptr: Array, indices: Array, src: Array, dst: Array, seen: Array) -> int:
        """Look edges up in their rows."""
        ends = (np.ascontiguousarray(end, indices.dtype) for end in (src, dst))
        first: int = kernels().check_list(indptr, indices, *ends, seen.view(np.uint8))
        return first

    def parse_edges(
        self, text: bytes, lead: bytes, weighted: bool, whole: bool, more: bool, base: int, limit: int
    ) -> tuple[Array, Array, Array | None, int]:
        """Read ordinary lines."""
        edges: tuple[Array, Array, Array | None, int] = kernels().parse_edges(
            text, lead, weighted, whole, more, base, limit
        )
        return edges

    def parse_rows(self, text: bytes) -> tuple[Array, Array, int]:
        """Read lines of integers."""
        rows: tuple[Array, Array, int] = kernels().parse_rows(text)
        return rows


def _alike(*arrays: Array, least: type[np.integer[Any]] = np.int32) -> list[Array]:
    """Return index arrays in the widest of their dtypes, and of `least`."""
    dtype = np.result_type(*arrays, least)
    return [array.astype(dtype, copy=False) for array in arrays]
