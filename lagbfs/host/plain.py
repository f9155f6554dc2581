"""The routines by NumPy and SciPy: to be read, to be compared with, and for machines without a compiler."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base import random_words
from .text import integer_columns, integer_rows

__all__ = ["Plain"]

Array = NDArray[Any]
_DRAWN = 1 << 16  # edges drawn together: bounds the memory beside the result
_SCANNED = 1 << 22  # edges looked at together
_LOOKED_UP = 1 << 20  # edges looked up together


class Plain:
    """Every routine in array operations; see `lagbfs.host.protocol` for what each does."""

    def build_csr(
        self,
        src: Array,
        dst: Array,
        nrows: int,
        ncols: int,
        *,
        symmetrize: bool = False,
        drop_loops: bool = False,
        positions: bool = False,
        wide_offsets: bool = False,
    ) -> tuple[Array, Array, Array | None]:
        """Sort coordinates into rows."""
        from scipy.sparse import coo_array

        if drop_loops:
            src, dst = src[src != dst], dst[src != dst]
        if symmetrize:
            back = src != dst
            src, dst = np.concatenate([src, dst[back]]), np.concatenate([dst, src[back]])
        data = np.arange(len(src)) if positions else np.ones(len(src), np.int8)
        A = coo_array((data, (src, dst)), shape=(nrows, ncols)).tocsr()
        A.sum_duplicates()
        indptr = A.indptr.astype(np.int64, copy=False) if wide_offsets else A.indptr
        if not positions:
            return indptr, A.indices, None
        return indptr, A.indices, A.data if A.nnz == len(src) else _first_of_each(src, dst)

    def transpose(
        self, indptr: Array, indices: Array, ncols: int, *, positions: bool
    ) -> tuple[Array, Array, Array | None]:
        """Sort entries into columns."""
        from scipy.sparse import csr_array

        data = np.arange(len(indices)) if positions else np.broadcast_to(np.int8(1), indices.shape)
        T = csr_array((data, indices, indptr), shape=(len(indptr) - 1, ncols)).tocsc()
        return T.indptr, T.indices, T.data if positions else None

    def is_symmetric(self, indptr: Array, indices: Array) -> bool:
        """Compare with the transpose."""
        starts, rows, _ = self.transpose(indptr, indices, len(indptr) - 1, positions=False)
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
        """Draw edges as backends/native/random.hpp defines them, some at a time."""
        dtype, width = (np.int32 if scale < 32 else np.int64), (scale + 1) // 2
        src, dst = np.empty(size, dtype), np.empty(size, dtype)
        for begin in range(0, size, _DRAWN):
            end = min(begin + _DRAWN, size)
            words = random_words.words(seed, stream, begin * width, (end - begin) * width)
            u, v = _ends(words.reshape(end - begin, width), scale, bounds)
            src[begin:end], dst[begin:end] = (u, v) if names is None else (names[u], names[v])
        return src, dst

    def attach(self, n: int, m: int, seed: int, stream: int) -> Array:
        """Draw from the list of all ends of edges so far, as backends/native/random.hpp does."""
        # For each vertex from m on, the m that it joined, ascending, and itself m times.
        ends = np.empty((n - m, 2, m), np.int64)
        ends[:, 1] = np.arange(m, n)[:, None]
        ends[0, 0] = np.arange(m)
        flat, draws = ends.reshape(-1), _drawn(seed, stream)
        for i in range(1, n - m):
            joined: set[int] = set()
            while len(joined) < m:
                joined.add(int(flat[(next(draws) * 2 * m * i) >> 64]))
            ends[i, 0] = sorted(joined)
        return np.ascontiguousarray(ends[:, 0]).reshape(-1)

    def check_edges(
        self, indptr: Array, indices: Array, levels: Array, parents: Array | None, limit: int, confirmed: Array
    ) -> int:
        """Look at all edges, some whole rows at a time."""
        for first, u, v in _edges(indptr, indices):
            level_u, level_v = levels[u], levels[v]
            leaves = (level_u >= 0) & (level_u < limit)
            fails = leaves & ((level_v < 0) | (level_v > level_u + 1))
            if fails.any():
                return first + int(np.argmax(fails))
            confirmed[v[leaves & (level_v == level_u + 1)] if parents is None else v[parents[v] == u]] = True
        return len(indices)

    def depths(self, parents: Array) -> tuple[Array, int]:
        """Double pointers: after i rounds, `up` is the ancestor 2^i steps above, or the root."""
        n, vertices = len(parents), np.arange(len(parents), dtype=parents.dtype)
        reached = parents >= 0
        up = np.where(reached, parents, vertices)
        depth = (up != vertices).astype(np.int32)
        for _ in range(max(n, 1).bit_length() + 1):
            above = depth[up]
            if not above.any():
                depth[~reached] = -1
                return depth, n
            depth += above
            up = up[up]
        return depth, int(np.flatnonzero(depth[up])[0])

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


def _first_of_each(src: Array, dst: Array) -> Array:
    """Return which coordinates come first among those of the same position, in the order of positions."""
    order = np.lexsort((dst, src))
    u, v = src[order], dst[order]
    first = np.ones(len(order), bool)
    first[1:] = (u[1:] != u[:-1]) | (v[1:] != v[:-1])
    return order[first]


def _ends(words: NDArray[np.uint64], scale: int, bounds: Sequence[int]) -> tuple[Array, Array]:
    """Return the ends that rows of words stand for, each level a bit of both."""
    u, v = np.zeros(len(words), np.int64), np.zeros(len(words), np.int64)
    for level in range(scale):
        word = words[:, level // 2]
        bits = word >> np.uint64(32) if level % 2 else word & np.uint64(0xFFFFFFFF)
        first, row, last = (bits >= np.uint64(bound) for bound in bounds)
        u |= row.astype(np.int64) << level
        v |= (first ^ row ^ last).astype(np.int64) << level
    return u, v


def _drawn(seed: int, stream: int, chunk: int = 1 << 14) -> Iterator[int]:
    """Yield the words of a stream."""
    for i in count():
        yield from random_words.words(seed, stream, i * chunk, chunk).tolist()


def _edges(indptr: Array, indices: Array) -> Iterator[tuple[int, Array, Array]]:
    """Yield the number of an edge and the ends of all edges from there on that are looked at together."""
    row, rows = 0, len(indptr) - 1
    while row < rows:
        end = int(np.searchsorted(indptr, indptr[row] + _SCANNED, side="right")) - 1
        end = min(max(end, row + 1), rows)
        u = np.repeat(np.arange(row, end, dtype=indices.dtype), np.diff(indptr[row : end + 1]))
        yield int(indptr[row]), u, indices[indptr[row] : indptr[end]]
        row = end
