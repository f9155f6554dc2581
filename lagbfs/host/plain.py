"""The routines by NumPy and SciPy: to be read, to be compared with, and for machines without a compiler."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base import checks
from . import combining, lists
from .drawing import attach, rmat_edges
from .experience import Experience, PlainExperience
from .inspecting import inspect_rows
from .text import integer_columns, integer_rows

__all__ = ["Plain", "blocks_of"]

Array = NDArray[Any]
_SCANNED = 1 << 22  # edges looked at together
_LOOKED_UP = 1 << 20  # edges looked up together


LANES = 8  # sums of a group
_BLOCKS = 2  # of rows whose columns are summed apart


def blocks_of(entries: int, ncols: int) -> int:
    """Return how many blocks of rows the columns of a matrix are folded in: few matrices are worth several."""
    return _BLOCKS if entries >= 4 * ncols else 1


class Plain:
    """Every routine in array operations; see `lagbfs.host.protocol` for what each does."""

    inspect_rows = staticmethod(inspect_rows)
    rmat_edges = staticmethod(rmat_edges)
    attach = staticmethod(attach)

    def build_csr(
        self,
        src: Array,
        dst: Array,
        nrows: int,
        ncols: int,
        *,
        values: Array | None = None,
        fold: str = "",
        dedup: bool = True,
        symmetrize: bool = False,
        drop_loops: bool = False,
        wide_offsets: bool = False,
    ) -> tuple[Array, Array, Array | None]:
        """Sort coordinates into rows."""
        edges = np.flatnonzero(src != dst) if drop_loops else np.arange(len(src))
        src, dst = src[edges], dst[edges]
        if symmetrize:
            back = src != dst
            edges = np.concatenate([edges, edges[back]])
            src, dst = np.concatenate([src, dst[back]]), np.concatenate([dst, src[back]])
        order = np.lexsort((edges, dst, src))
        src, dst = src[order], dst[order]
        first = np.ones(len(order), bool)
        first[1:] = (src[1:] != src[:-1]) | (dst[1:] != dst[:-1]) | (not dedup)
        kept = None if values is None else _one_by_one(fold or "first", values[edges[order]], first)
        return *_compressed(src[first], dst[first], nrows, ncols, wide_offsets), kept

    def transpose(
        self, indptr: Array, indices: Array, ncols: int, values: Array | None = None
    ) -> tuple[Array, Array, Array | None]:
        """Sort entries into columns."""
        from scipy.sparse import csr_array

        data = np.broadcast_to(np.int8(1), indices.shape) if values is None else values
        T = csr_array((data, indices, indptr), shape=(len(indptr) - 1, ncols)).tocsc()
        return T.indptr, T.indices, None if values is None else T.data

    def is_symmetric(self, indptr: Array, indices: Array) -> bool:
        """Compare with the transpose."""
        starts, rows, _ = self.transpose(indptr, indices, len(indptr) - 1)
        return np.array_equal(starts, indptr) and np.array_equal(rows, indices)

    def unite(
        self, indptr: Array, indices: Array, other_indptr: Array, other_indices: Array
    ) -> tuple[Array, Array, Array, Array]:
        """Merge by number, row by row: a stable sort takes two ascending lists for what they are."""
        keys = np.concatenate(_numbered(indptr, indices, other_indptr, other_indices))
        order = np.argsort(keys, kind="stable")
        keys, mine = keys[order], order < len(indices)
        first = np.ones(len(keys), bool)
        first[1:] = keys[1:] != keys[:-1]
        united = np.cumsum(first) - 1
        at, other_at = (np.full(int(first.sum()), -1, np.int64) for _ in range(2))
        at[united[mine]] = order[mine]
        other_at[united[~mine]] = order[~mine] - len(indices)
        rows = np.concatenate([_rows(indptr), _rows(other_indptr)])[order[first]]
        counts = np.bincount(rows, minlength=len(indptr) - 1)
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        return starts, np.concatenate([indices, other_indices])[order[first]], at, other_at

    def locate(self, indptr: Array, indices: Array, other_indptr: Array, other_indices: Array) -> Array:
        """Look entries up by number."""
        wanted, keys = _numbered(indptr, indices, other_indptr, other_indices)
        if not len(keys):
            return np.full(len(wanted), -1, np.int64)
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where(keys[at] == wanted, at, -1)

    def unite_lists(self, u: Array, x: Array, v: Array, y: Array) -> tuple[Array, Array, Array, Array, Array]:
        """Look indices up."""
        return lists.unite_lists(u, x, v, y)

    def meet_lists(self, u: Array, v: Array) -> tuple[Array, Array, Array]:
        """Look indices up."""
        return lists.meet_lists(u, v)

    def pick(self, flags: Array, x: Array, y: Array) -> Array:
        """Look at each flag."""
        picked: Array = lists.pick(flags, x, y)
        return picked

    def write_list(
        self, w: Array, x: Array, z: Array, y: Array, mask: Array, *, complement: bool, replace: bool
    ) -> tuple[Array, Array]:
        """Look indices up, and sort."""
        return lists.write_list(w, x, z, y, mask, complement=complement, replace=replace)

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
        """Merge by number, and combine what was in both."""
        starts, columns, at, other_at = self.unite(indptr, indices, other_indptr, other_indices)
        both = (at >= 0) & (other_at >= 0)
        if intersect:
            starts, columns, at, other_at = _before(starts, both), columns[both], at[both], other_at[both]
            both = both[both]
        if values is None or other_values is None:
            return starts, columns, None
        x, y = _taken(values, at, len(indices)), _taken(other_values, other_at, len(other_indices))
        merged = np.where(at >= 0, x, y)
        merged[both] = combining.combined(op, x[both], y[both])
        return starts, columns, merged

    def band(
        self, indptr: Array, indices: Array, values: Array | None, slope: int, low: int, high: int
    ) -> tuple[Array, Array, Array | None]:
        """Look at every entry."""
        above = indices.astype(np.int64) - slope * _rows(indptr)
        return self.flagged(indptr, indices, values, (above >= low) & (above < high))

    def flagged(
        self, indptr: Array, indices: Array, values: Array | None, flags: Array
    ) -> tuple[Array, Array, Array | None]:
        """Take the entries by their flags."""
        return _before(indptr, flags), indices[flags], None if values is None else values[flags]

    def fold_groups(self, op: str, values: Array, starts: Array) -> Array:
        """Fold the lanes of all groups, then those of each group."""
        sizes = np.diff(starts)
        group = np.repeat(np.arange(len(sizes)), sizes)
        lane = (np.arange(len(group)) - np.repeat(starts[:-1] - starts[0], sizes)) % LANES
        order = np.argsort(group * LANES + lane, kind="stable")
        keys, used = (group * LANES + lane)[order], np.minimum(sizes, LANES)
        first = np.append(True, keys[1:] != keys[:-1]) if len(keys) else np.zeros(0, bool)
        lanes = np.zeros((len(sizes), LANES), values.dtype)
        own = values[int(starts[0]) : int(starts[0]) + len(group)]
        lanes[np.divmod(keys[first], LANES)] = _one_by_one(op, own[order], first)
        while used.max(initial=1) > 1:
            pairs = combining.combined(op, lanes[:, ::2], lanes[:, 1::2])
            whole = np.arange(pairs.shape[1]) < (used // 2)[:, None]
            lanes = np.where(whole, pairs, lanes[:, ::2])
            used = (used + 1) // 2
        return np.ascontiguousarray(lanes[:, 0])

    def fold_columns(self, op: str, indptr: Array, indices: Array, values: Array, ncols: int) -> tuple[Array, Array]:
        """Sort entries by block and column, and fold the blocks one after the other."""
        blocks = blocks_of(len(indices), ncols)
        first_rows = np.searchsorted(indptr[:-1], len(indices) // blocks * np.arange(1, blocks))
        block = np.searchsorted(first_rows, _rows(indptr), side="right")
        keys = block * max(ncols, 1) + indices
        order = np.argsort(keys, kind="stable")
        first = np.append(True, np.diff(keys[order]) != 0) if len(keys) else np.zeros(0, bool)
        sums = _one_by_one(op, values[order], first)
        present, folded = np.zeros(ncols, np.uint8), np.zeros(ncols, values.dtype)
        for number in range(blocks):
            own = keys[order][first] // max(ncols, 1) == number
            at, more = keys[order][first][own] % max(ncols, 1), sums[own]
            folded[at] = np.where(present[at], combining.combined(op, folded[at], more), more)
            present[at] = 1
        return present, folded

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
        """Look at all edges, some whole rows at a time."""
        for edge, u, v in _edges(indptr, indices):
            level_u, level_v = levels[u], levels[first + v]
            leaves = (level_u >= 0) & (level_u < limit)
            fails = leaves & ((level_v < 0) | (level_v > level_u + 1))
            if fails.any():
                return edge + int(np.argmax(fails))
            confirmed[v[leaves & (level_v == level_u + 1)] if parents is None else v[parents[v] == u]] = True
        return len(indices)

    def depths(self, parents: Array) -> tuple[Array, int]:
        """Double pointers: after i rounds, `up` is the ancestor 2^i steps above, or the root."""
        n, reached = len(parents), np.flatnonzero(parents >= 0)  # numbered anew: they may be few
        depths, up = np.full(n, -1, np.int32), np.searchsorted(reached, parents[reached])
        astray = parents[parents[reached]] < 0
        up[astray] = np.flatnonzero(astray)
        depth = (astray | (up != np.arange(len(up)))).astype(np.int32)
        for _ in range(max(n, 1).bit_length() + 1):
            above = depth[up]
            if not above.any():
                depths[reached] = depth
                return depths, n
            depth += above
            up = up[up]
        return depths, int(reached[np.flatnonzero(depth[up])[0]])

    def in_order(
        self, indptr: Array, indices: Array, t_indptr: Array, t_indices: Array, sources: Array, depth: int
    ) -> tuple[Array, Array]:
        """Expand level after level: of the edges to a vertex that is new, the first counts."""
        parents = np.full(len(indptr) - 1, -1, indices.dtype)
        frontier = sources.astype(indices.dtype)
        parents[frontier] = frontier
        order = [frontier]
        while len(frontier) and len(order) <= depth:
            starts = indptr[frontier].astype(np.int64)
            counts = indptr[frontier + 1] - starts
            at = np.arange(counts.sum()) + np.repeat(starts - np.cumsum(counts) + counts, counts)
            found, origins = indices[at], np.repeat(frontier, counts)
            new = parents[found] < 0
            found, origins = found[new], origins[new]
            first = np.sort(np.unique(found, return_index=True)[1])
            frontier = found[first]
            parents[frontier] = origins[first]
            order.append(frontier)
        return np.concatenate(order), parents

    def search_as_given(self, indptr: Array, indices: Array, sources: Array, depth: int) -> tuple[Array, Array]:
        """Expand level after level."""
        return Plain.in_order(self, indptr, indices, indptr, indices, sources, depth)

    def neighbors(
        self, adjacency: Any, numbers: dict[Any, int] | None, name: str | None, missing: Any
    ) -> tuple[Array, Array, Array | None] | None:
        """Chain the dictionaries' iterators; values are left to others."""
        if name is not None:
            return None
        starts = np.zeros(len(adjacency) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, adjacency.values()), np.int64, len(adjacency)), out=starts[1:])
        nodes = chain.from_iterable(adjacency.values())
        named = nodes if numbers is None else map(numbers.__getitem__, nodes)
        return starts, np.fromiter(named, np.int32, int(starts[-1])), None

    def experience(
        self, arms: Sequence[int], groups: Sequence[int], priors: Sequence[float], edges: float
    ) -> Experience:
        """In Python."""
        return PlainExperience(arms, groups, priors, edges)

    def check_list(self, indptr: Array, indices: Array, src: Array, dst: Array, seen: Array) -> int:
        """Look edges up among the entries as numbers: rows ascend, and columns in them."""
        n = len(indptr) - 1
        keys = np.repeat(np.arange(n), np.diff(indptr)) * n + indices
        for begin in range(0, len(src), _LOOKED_UP):
            u, v = (end[begin : begin + _LOOKED_UP].astype(np.int64) for end in (src, dst))
            missing = np.zeros(len(u), bool)
            for wanted in (u * n + v, v * n + u):
                at = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
                there = keys[at] == wanted if len(keys) else np.zeros(len(u), bool)
                missing |= ~there & (u != v)
                seen[at[there & (u != v)]] = True
            if missing.any():
                return begin + int(np.argmax(missing))
        return len(src)

    def parse_edges(
        self, text: bytes, lead: bytes, weighted: bool, whole: bool, more: bool, base: int, limit: int
    ) -> tuple[Array, Array, Array | None, int]:
        """Read what is nothing but equally many integers in each line."""
        columns = integer_columns(text, 2 + weighted, more=more) if not lead else None
        ends = np.empty((0, 2), np.int64) if columns is None else columns[:, :2] - base
        if columns is None or ends.min() < 0 or ends.max() >= limit:
            return ends[:, 0], ends[:, 1], None, 0
        return ends[:, 0].copy(), ends[:, 1].copy(), columns[:, 2].copy() if weighted else None, -1

    def parse_rows(self, text: bytes) -> tuple[Array, Array, int]:
        """Read what is nothing but integers and comments."""
        rows = integer_rows(text)
        nothing = np.empty(0, np.int64)
        return (nothing, nothing, 0) if rows is None else (*rows, -1)


def _rows(indptr: Array) -> Array:
    """Return the row of each entry."""
    return np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))


def _numbered(indptr: Array, indices: Array, other_indptr: Array, other_indices: Array) -> tuple[Array, Array]:
    """Return a number for each entry of two matrices, the same for the same position, ascending with it."""
    columns, other_columns = indices.astype(np.int64), other_indices.astype(np.int64)
    width = int(max(columns.max(initial=-1), other_columns.max(initial=-1))) + 1
    if (len(indptr) - 1) * width > np.iinfo(np.int64).max:  # few columns of very many are there: number those
        there, ranks = np.unique(np.concatenate([columns, other_columns]), return_inverse=True)
        columns, other_columns, width = ranks[: len(columns)], ranks[len(columns) :], len(there)
    return _rows(indptr) * width + columns, _rows(other_indptr) * width + other_columns


def _before(indptr: Array, flags: Array) -> Array:
    """Return where rows start among the entries whose flags are true."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(flags)])[indptr]


def _taken(values: Array, at: Array, size: int) -> Array:
    """Return the values of some entries, of -1 any; one value for all if there are other than one entry."""
    if not size:
        return np.zeros(len(at), values.dtype)
    return values[np.zeros(len(at), np.intp) if len(values) != size else at]


def _one_by_one(op: str, values: Array, first: Array) -> Array:
    """Fold groups of consecutive values, which begin where `first` is true, from left to right."""
    starts = np.flatnonzero(first)
    sizes, folded = np.diff(np.append(starts, len(values))), values[starts]
    for step in range(1, int(sizes.max(initial=1))):
        more = np.flatnonzero(sizes > step)
        folded[more] = combining.combined(op, folded[more], values[starts[more] + step])
    return folded


def _compressed(src: Array, dst: Array, nrows: int, ncols: int, wide: bool) -> tuple[Array, Array]:
    """Return indptr and indices of coordinates that are in order, of the narrowest types."""
    index = np.int32 if max(nrows, ncols) <= checks.INT32_MAX else np.int64
    offset = np.int64 if wide or len(src) > checks.INT32_MAX else index
    indptr = np.searchsorted(src, np.arange(nrows + 1))
    return indptr.astype(offset), dst.astype(index)


def _edges(indptr: Array, indices: Array) -> Iterator[tuple[int, Array, Array]]:
    """Yield the number of an edge and the ends of all edges from there on that are looked at together."""
    row, rows = 0, len(indptr) - 1
    while row < rows:
        end = int(np.searchsorted(indptr, indptr[row] + _SCANNED, side="right")) - 1
        end = min(max(end, row + 1), rows)
        u = np.repeat(np.arange(row, end, dtype=indices.dtype), np.diff(indptr[row : end + 1]))
        yield int(indptr[row]), u, indices[indptr[row] : indptr[end]]
        row = end
