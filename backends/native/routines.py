"""The host routines by the kernels; see `lagbfs.host.protocol` for what each does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base import checks
from ...host.experience import Experience
from ...host.plain import Plain, blocks_of
from .loading import arms, kernels
from .policy import fixed

__all__ = ["Kernels"]

Array = NDArray[Any]


class Kernels(Plain):
    """Every routine in C++, on all cores where that pays."""

    def build_csr(
        self, src: Array, dst: Array, nrows: int, ncols: int, *, values: Array | None = None, **options: Any
    ) -> tuple[Array, Array, Array | None]:
        """Sort coordinates into rows."""
        try:
            indptr, indices, kept = kernels().build_csr(src, dst, nrows, ncols, values, **options)
        except MemoryError:
            raise MemoryError(f"{nrows} rows with {len(src)} entries do not fit in memory") from None
        return indptr, indices, _viewed(kept, values)

    def transpose(
        self, indptr: Array, indices: Array, ncols: int, values: Array | None = None
    ) -> tuple[Array, Array, Array | None]:
        """Sort entries into columns."""
        starts, rows, turned = kernels().transpose(indptr, indices, ncols, values)
        return starts, rows, _viewed(turned, values)

    def is_symmetric(self, indptr: Array, indices: Array) -> bool:
        """Compare with the transpose without storing it."""
        symmetric: bool = kernels().is_symmetric(indptr, indices)
        return symmetric

    def unite(
        self, indptr: Array, indices: Array, other_indptr: Array, other_indices: Array
    ) -> tuple[Array, Array, Array, Array]:
        """Walk through the rows of both."""
        united: tuple[Array, Array, Array, Array] = kernels().unite(
            *_alike(indptr, indices, other_indptr, other_indices)
        )
        return united

    def locate(self, indptr: Array, indices: Array, other_indptr: Array, other_indices: Array) -> Array:
        """Walk through the rows of both."""
        at: Array = kernels().locate(*_alike(indptr, indices, other_indptr, other_indices))
        return at

    def unite_lists(self, u: Array, x: Array, v: Array, y: Array) -> tuple[Array, Array, Array, Array, Array]:
        """Walk through both."""
        united: tuple[Array, Array, Array, Array, Array] = kernels().unite_lists(u, x, v, y, x.dtype)
        return united

    def meet_lists(self, u: Array, v: Array) -> tuple[Array, Array, Array]:
        """Walk through both."""
        met: tuple[Array, Array, Array] = kernels().meet_lists(u, v)
        return met

    def pick(self, flags: Array, x: Array, y: Array) -> Array:
        """Blend, without a branch for each."""
        picked: Array = kernels().pick(flags, x, y, x.dtype)
        return picked

    def write_list(
        self, w: Array, x: Array, z: Array, y: Array, mask: Array, *, complement: bool, replace: bool
    ) -> tuple[Array, Array]:
        """Walk through both, and the mask."""
        written: tuple[Array, Array] = kernels().write_list(w, x, z, y, mask, complement, replace, x.dtype)
        return written

    def merge(
        self,
        indptr: Array,
        indices: Array,
        values: Array | None,
        other_indptr: Array,
        other_indices: Array,
        other_values: Array | None,
        op: str,
        *,
        intersect: bool,
    ) -> tuple[Array, Array, Array | None]:
        """Walk through the rows of both."""
        starts, columns, other_starts, other_columns = _alike(indptr, indices, other_indptr, other_indices)
        united, merged, combined = kernels().merge(
            starts, columns, values, other_starts, other_columns, other_values, op, intersect
        )
        return united, merged, _viewed(combined, values)

    def band(
        self, indptr: Array, indices: Array, values: Array | None, slope: int, low: int, high: int
    ) -> tuple[Array, Array, Array | None]:
        """Look for the ends of what is kept of each row."""
        starts, columns, kept = kernels().choose_band(indptr, indices, values, slope, low, high)
        return starts, columns, _viewed(kept, values)

    def flagged(
        self, indptr: Array, indices: Array, values: Array | None, flags: Array
    ) -> tuple[Array, Array, Array | None]:
        """Count and take the entries of each row."""
        starts, columns, kept = kernels().choose_flagged(indptr, indices, values, flags)
        return starts, columns, _viewed(kept, values)

    def fold_groups(self, op: str, values: Array, starts: Array) -> Array:
        """Fold group by group."""
        folded: Array = kernels().fold_groups(op, values, starts)
        return folded.view(values.dtype)

    def fold_columns(self, op: str, indptr: Array, indices: Array, values: Array, ncols: int) -> tuple[Array, Array]:
        """Add entries to the sums of their columns."""
        blocks = blocks_of(len(indices), ncols)
        present, folded = kernels().fold_columns(op, indptr, indices, values, ncols, blocks)
        return present, folded.view(values.dtype)

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
        scramble: int | None = None,
        first: int = 0,
    ) -> tuple[Array, Array]:
        """Draw edges."""
        options = {"names": names, "scramble": scramble, "first": first, "threads": threads or 0}
        ends: tuple[Array, Array] = kernels().rmat_edges(scale, size, *bounds, seed, stream, **options)
        return ends

    def attach(self, n: int, m: int, seed: int, stream: int) -> Array:
        """Draw from the list of all ends of edges so far."""
        joined: Array = kernels().attach(n, m, seed, stream)
        return joined

    def check_edges(
        self,
        indptr: Array,
        indices: Array,
        levels: Array,
        parents: Array | None,
        limit: int,
        confirmed: Array,
        first: int = 0,
    ) -> int:
        """Look at all edges; of more vertices than 32 bits count, as NumPy does."""
        if len(levels) > checks.INT32_MAX:
            return super().check_edges(indptr, indices, levels, parents, limit, confirmed, first)
        own = None if parents is None else np.ascontiguousarray(parents, indices.dtype)
        depth, bound = np.ascontiguousarray(levels, np.int32), min(limit, checks.INT32_MAX)
        edge: int = kernels().check_edges(indptr, indices, depth, own, bound, confirmed.view(np.uint8), first)
        return edge

    def inspect_rows(
        self, indptr: Array, indices: Array, ncols: int, values: Array | None, keys: tuple[int, int, int]
    ) -> tuple[int, int, int]:
        """Look at rows in chunks, by all threads."""
        seen: tuple[int, int, int] = kernels().inspect_rows(indptr, indices, ncols, values, list(keys))
        return seen

    def depths(self, parents: Array) -> tuple[Array, int]:
        """Climb from each vertex to one whose depth is known."""
        dtype = parents.dtype if parents.dtype in (np.int32, np.int64) else np.int64
        depths: tuple[Array, int] = kernels().depths(np.ascontiguousarray(parents, dtype))
        return depths

    def in_order(
        self, indptr: Array, indices: Array, t_indptr: Array, t_indices: Array, sources: Array, depth: int
    ) -> tuple[Array, Array]:
        """Search with one queue, by pulls where those pay."""
        transpose = () if t_indices is indices else (t_indptr, t_indices)
        graph, most = kernels().Graph(indptr, indices, *transpose), min(depth, len(indptr))
        search = graph.search(sources.astype(np.int64), fixed(arms()[0]), True, False, most, order=True)
        return search.order, search.parents

    def search_as_given(self, indptr: Array, indices: Array, sources: Array, depth: int) -> tuple[Array, Array]:
        """Search with one queue."""
        found: tuple[Array, Array] = kernels().search_as_given(indptr, indices, sources, min(depth, len(indptr)))
        return found

    def neighbors(
        self, adjacency: Any, numbers: dict[Any, int] | None, name: str | None, missing: Any
    ) -> tuple[Array, Array, Array | None] | None:
        """Walk through the dictionaries."""
        if type(adjacency) is dict:
            found: tuple[Array, Array, Array | None] | None = kernels().neighbors(adjacency, numbers, name, missing)
            if found is not None:
                return found
        return super().neighbors(adjacency, numbers, name, missing)

    def experience(
        self, arms: Sequence[int], groups: Sequence[int], priors: Sequence[float], edges: float
    ) -> Experience:
        """Return the kernels' own, which searches learn by themselves."""
        made: Experience = kernels().Experience(arms, groups, priors, edges)
        return made

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


def _alike(indptr: Array, indices: Array, other_indptr: Array, other_indices: Array) -> list[Array]:
    """Return the arrays of two matrices, indices and offsets each in the wider of their types."""
    index = np.result_type(indices, other_indices, np.int32)
    offset = np.result_type(indptr, other_indptr, index)
    pairs = (indptr, offset), (indices, index), (other_indptr, offset), (other_indices, index)
    return [array.astype(dtype, copy=False) for array, dtype in pairs]


def _viewed(found: Any, given: Array | None) -> Array | None:
    """Return values that the kernels moved, or made of those given, in their dtype."""
    return None if given is None else found.view(given.dtype)
