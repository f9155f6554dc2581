"""Csr: the canonical storage of a matrix, how it is checked, built from coordinates and transposed.

Invariant: indices are int32 where the dimensions fit, else int64; indptr is int32 where the number of entries fits as
well, else int64; columns ascend strictly within each row; nobody can write to the arrays, which the kernels trust.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import host
from ..base import checks, memory, sharing
from ..errors import DimensionError, InvalidValueError
from ..operators import binary
from .duplicates import without_duplicates


@dataclass(frozen=True, slots=True, eq=False)
class Csr:
    """Compressed rows. `values` has one element for each entry, or a single one that all share (iso)."""

    indptr: NDArray[Any]
    indices: NDArray[Any]
    values: NDArray[Any]
    ncols: int
    iso: bool

    @property
    def nrows(self) -> int:
        """Number of rows."""
        return len(self.indptr) - 1

    @property
    def nvals(self) -> int:
        """Number of entries."""
        return len(self.indices)

    def all_values(self) -> NDArray[Any]:
        """Return one value for each entry; where they are all the same, as a view of that one."""
        return np.broadcast_to(self.values, self.indices.shape) if self.iso else self.values

    def rows(self) -> NDArray[Any]:
        """Return the row of each entry."""
        return np.repeat(np.arange(self.nrows, dtype=self.indices.dtype), np.diff(self.indptr))

    def equals(self, other: Csr) -> bool:
        """Whether the other has the same shape, pattern and values; NaN is the same as NaN."""
        if (self.nrows, self.ncols, self.nvals) != (other.nrows, other.ncols, other.nvals):
            return False
        same = np.array_equal(self.indptr, other.indptr) and np.array_equal(self.indices, other.indices)
        one, two = (self.values, other.values) if self.iso and other.iso else (self.all_values(), other.all_values())
        return same and np.array_equal(one, two, equal_nan=self.values.dtype.kind == "f")


MOST_NARROW = checks.INT32_MAX  # entries up to which their numbers, the offsets of rows, are int32; tests lower it

IndexType = type[np.int32] | type[np.int64]


def index_dtype(*dimensions: int) -> IndexType:
    """Return the narrower type that holds all indices into these dimensions."""
    return np.int32 if max(dimensions) <= checks.INT32_MAX else np.int64


def offset_dtype(entries: int, *dimensions: int) -> IndexType:
    """Return the type of offsets into so many entries of these dimensions; never narrower than that of indices."""
    return index_dtype(*dimensions) if entries <= MOST_NARROW else np.int64


def make(indptr: Any, indices: Any, values: Any, ncols: int, *, iso: bool) -> Csr:
    """Return the Csr of canonical arrays that nobody else has, as read-only views of the types that fit."""
    shape = len(indptr) - 1, ncols
    starts = np.ascontiguousarray(indptr, offset_dtype(len(indices), *shape))
    cols, stored = np.ascontiguousarray(indices, index_dtype(*shape)), np.ascontiguousarray(values)
    return Csr(sharing.sealed(starts), sharing.sealed(cols), sharing.sealed(stored), ncols, iso)


def empty(dtype: np.dtype[Any], nrows: int, ncols: int) -> Csr:
    """Return the matrix without entries."""
    return make(np.zeros(nrows + 1, np.int32), np.zeros(0, np.int32), np.zeros(0, dtype), ncols, iso=False)


_LARGEST = 1 << 60


def _check_extents(*extents: int) -> None:
    if max(extents) > _LARGEST:
        raise InvalidValueError(f"indices must lie below 2^60, not reach {max(extents) - 1}")


_LARGE = 10**7  # rows or entries from which on memory is asked for: to ask takes some microseconds


def _demand(what: str, nrows: int, ncols: int, entries: int, *, positions: bool) -> None:
    """Raise MemoryError if there is no room to sort entries into rows.

    Counted is what that holds at one time at least: where rows start and how long they are, the indices, and where
    each entry came from.
    """
    index = np.dtype(index_dtype(nrows, ncols)).itemsize
    offset = np.dtype(offset_dtype(entries, nrows, ncols)).itemsize
    size = index * (nrows + entries) + offset * (nrows + 1) + (8 * entries if positions else 0)
    memory.demand(f"{what} of {nrows:,} rows and {entries:,} entries", size)


def _build(
    src: Any,
    dst: Any,
    nrows: int,
    ncols: int,
    *,
    symmetrize: bool = False,
    drop_loops: bool = False,
    positions: bool = False,
) -> tuple[Any, Any, Any]:
    """Return indptr, indices and positions as `host.Routines.build_csr` does; MemoryError if there is no room."""
    entries = (2 if symmetrize else 1) * len(src)
    if max(nrows, len(src)) > _LARGE:
        if symmetrize or drop_loops:
            entries -= (symmetrize + drop_loops) * (len(src) - _count_apart(src, dst))
        _demand("a matrix", nrows, ncols, entries, positions=positions)
    src, dst = _same_width(src, dst)
    options = {"symmetrize": symmetrize, "drop_loops": drop_loops, "positions": positions}
    return host.routines().build_csr(src, dst, nrows, ncols, wide_offsets=entries > MOST_NARROW, **options)


_COUNTED = 1 << 24  # pairs compared together


def _count_apart(src: Any, dst: Any) -> int:
    """Return how many pairs have different ends."""
    parts = (slice(begin, begin + _COUNTED) for begin in range(0, len(src), _COUNTED))
    return sum(int(np.count_nonzero(src[part] != dst[part])) for part in parts)


_IDEMPOTENT = (binary.any, binary.first, binary.second, binary.min, binary.max)


def from_edges(src: Any, dst: Any, values: Any, n: int, dup_op: Any, *, directed: bool, drop_loops: bool) -> Csr:
    """Return the Csr of a list of edges, both ways if not directed. `values` is an array, or a single value for all."""
    _check_extents(n)
    if not values.ndim and dup_op in _IDEMPOTENT:
        indptr, indices, _ = _build(src, dst, n, n, symmetrize=not directed, drop_loops=drop_loops)
        return make(indptr, indices, single(values), n, iso=True)
    if drop_loops:
        keep = src != dst
        src, dst, values = src[keep], dst[keep], values[keep] if values.ndim else values
    if not directed:
        back = src != dst
        values = np.concatenate([values, values[back]]) if values.ndim else values
        src, dst = np.concatenate([src, dst[back]]), np.concatenate([dst, src[back]])
    return from_coo(src, dst, values, n, n, dup_op)


def from_coo(rows: Any, cols: Any, values: Any, nrows: int, ncols: int, dup_op: Any) -> Csr:
    """Return the Csr of coordinates in any order. `values` is an array, or a single value for all."""
    _check_extents(nrows, ncols)
    iso = values.ndim == 0
    indptr, indices, at = _build(rows, cols, nrows, ncols, positions=not iso)
    if len(indices) == len(rows) or (iso and dup_op in _IDEMPOTENT):
        return make(indptr, indices, single(values) if at is None else values[at], ncols, iso=iso)
    order = np.lexsort((cols, rows))
    kept = np.broadcast_to(values, rows.shape)[order]
    (rows, cols), kept = without_duplicates((rows[order], cols[order]), kept, dup_op)
    return make(indptr, cols, kept, ncols, iso=False)


def _same_width(x: Any, y: Any) -> tuple[Any, Any]:
    dtype = np.result_type(x, y)
    return np.ascontiguousarray(x, dtype), np.ascontiguousarray(y, dtype)


def single(value: Any) -> Any:
    """Return the array of one value that all entries share."""
    return np.array(value).reshape(1)


def from_arrays(
    indptr: Any, indices: Any, values: Any, ncols: int | None, dup_op: Any, *, copy: bool | None = None
) -> Csr:
    """Return the Csr of compressed rows. What is checked is what is kept, so that it cannot change in between.

    `copy`: None copies the arrays unless nobody can write to them; False raises where something has to be copied.
    """
    starts = checks.index_array("indptr", sharing.kept("indptr", indptr, copy))
    cols = checks.index_array("indices", sharing.kept("indices", indices, copy), ncols)
    _check_starts(starts, len(cols))
    if ncols is None:
        ncols = int(cols.max()) + 1 if cols.size else 0
    if values.ndim:
        checks.same_length(indices=cols, values=values)
        values = sharing.kept("values", values, copy)
    if _ascending(starts, cols):
        csr = make(starts, cols, values if values.ndim else single(values), ncols, iso=not values.ndim)
    else:
        nrows = len(starts) - 1
        rows = np.repeat(np.arange(nrows, dtype=index_dtype(nrows)), np.diff(starts))
        csr = from_coo(rows, cols, values, nrows, ncols, dup_op)
    if copy is False:
        _check_shared("indptr", indptr, csr.indptr)
        _check_shared("indices", indices, csr.indices)
    return csr


def _check_shared(name: str, given: Any, kept: NDArray[Any]) -> None:
    if len(kept) and not np.may_share_memory(given, kept):
        raise InvalidValueError(
            f"{name} cannot be shared (copy=False): it must be {kept.dtype}, and the columns ascend within each row"
        )


def _check_starts(starts: Any, entries: int) -> None:
    if len(starts) == 0 or starts[0] != 0:
        raise InvalidValueError(f"indptr must start with 0, not {starts[:1].tolist() or 'be empty'}")
    falls = np.flatnonzero(starts[1:] < starts[:-1])
    if falls.size:
        i = int(falls[0])
        raise InvalidValueError(f"indptr must not decrease: indptr[{i + 1}] is {starts[i + 1]} after {starts[i]}")
    if starts[-1] != entries:
        raise DimensionError(f"indptr must end with the number of indices, {entries}, not {starts[-1]}")


def _ascending(indptr: Any, indices: Any) -> bool:
    """Whether the columns ascend strictly within each row."""
    falls = indices[1:] <= indices[:-1]
    begins = indptr[:-1][np.diff(indptr) > 0][1:]  # of rows that have entries, but for the first
    return int(np.count_nonzero(falls)) == int(np.count_nonzero(falls.take(begins - 1)))  # between rows they may


def is_symmetric(csr: Csr) -> bool:
    """Whether a square matrix has each entry both ways, whatever their values."""
    return host.routines().is_symmetric(csr.indptr, csr.indices)


def transpose(csr: Csr) -> Csr:
    """Return the transpose in its own compressed rows."""
    if max(csr.ncols, csr.nvals) > _LARGE:
        _demand("the transpose", csr.ncols, csr.nrows, csr.nvals, positions=not csr.iso)
    indptr, indices, at = host.routines().transpose(csr.indptr, csr.indices, csr.ncols, positions=not csr.iso)
    return make(indptr, indices, csr.values if at is None else csr.values[at], csr.nrows, iso=csr.iso)
