"""The canonical storage of a matrix: how it is checked, built from coordinates and transposed.

Invariant: indices are int32 where the dimensions fit, else int64; indptr is int32 where the number of entries fits as
well, else int64; columns ascend strictly within each row; nobody can write to the arrays, which the kernels trust.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import host
from ..base import checks, memory, sharing
from ..errors import DimensionError, InvalidValueError
from ..operators import binary
from .compressed import Csr as Csr
from .compressed import Hyper as Hyper
from .compressed import is_hyper as is_hyper
from .compressed import spread
from .duplicates import without_duplicates
from .known import known

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


def listed(row_ids: Any, starts: Any, indices: Any, values: Any, shape: tuple[int, int], *, iso: bool) -> Csr:
    """Return the matrix of canonical arrays of the rows `row_ids`, which ascend, some of them maybe without entries."""
    nrows, ncols = shape
    filled = np.diff(starts) > 0
    row_ids, starts = row_ids[filled], np.append(starts[:-1][filled], starts[-1])
    if not is_hyper(nrows, len(indices)):
        return make(spread(row_ids, starts, nrows), indices, values, ncols, iso=iso)
    index, offset = index_dtype(*shape), offset_dtype(len(indices), *shape)
    ids, cols = np.ascontiguousarray(row_ids, index), np.ascontiguousarray(indices, index)
    begins, stored = np.ascontiguousarray(starts, offset), np.ascontiguousarray(values)
    sealed = sharing.sealed
    return Hyper(sealed(ids), sealed(begins), sealed(cols), sealed(stored), shape, iso=iso)


def like(csr: Csr, values: Any, *, iso: bool) -> Csr:
    """Return the pattern of a matrix with other values: one for each entry or, if `iso`, one for all."""
    return rows_like(csr, csr.starts, csr.indices, values, csr.ncols, iso=iso)


def rows_like(csr: Csr, starts: Any, indices: Any, values: Any, ncols: int, *, iso: bool) -> Csr:
    """Return the matrix of canonical arrays of the rows that another one lists."""
    if csr.row_ids is None:
        return make(starts, indices, values, ncols, iso=iso)
    return listed(csr.row_ids, starts, indices, values, (csr.nrows, ncols), iso=iso)


def empty(dtype: np.dtype[Any], nrows: int, ncols: int) -> Csr:
    """Return the matrix without entries."""
    _check_extents(nrows, ncols)
    if is_hyper(nrows, 0):
        none = np.zeros(0, np.int64)
        return listed(none, np.zeros(1, np.int64), none, np.zeros(0, dtype), (nrows, ncols), iso=False)
    return make(np.zeros(nrows + 1, np.int32), np.zeros(0, np.int32), np.zeros(0, dtype), ncols, iso=False)


def _check_extents(*extents: int) -> None:
    if max(extents) > checks.MOST_POSITIONS:
        raise InvalidValueError(f"indices must lie below 2^60, not reach {max(extents) - 1}")


_LARGE = 10**7  # rows or entries from which on memory is asked for: to ask takes some microseconds


def _demand(what: str, nrows: int, ncols: int, entries: int, *, width: int) -> None:
    """Raise MemoryError if there is no room to sort entries into rows, with values of `width` bytes each.

    Counted is what that holds at one time at least: where rows start and how long they are, indices and values.
    """
    index = np.dtype(index_dtype(nrows, ncols)).itemsize
    offset = np.dtype(offset_dtype(entries, nrows, ncols)).itemsize
    size = index * (nrows + entries) + offset * (nrows + 1) + width * entries
    memory.demand(f"{what} of {nrows:,} rows and {entries:,} entries", size)


def _build(
    src: Any,
    dst: Any,
    nrows: int,
    ncols: int,
    *,
    values: Any = None,
    fold: str = "",
    dedup: bool = True,
    symmetrize: bool = False,
    drop_loops: bool = False,
) -> tuple[Any, Any, Any]:
    """Return indptr, indices and values as `host.Routines.build_csr` does; MemoryError if there is no room."""
    entries = (2 if symmetrize else 1) * len(src)
    if max(nrows, len(src)) > _LARGE:
        if symmetrize or drop_loops:
            entries -= (symmetrize + drop_loops) * (len(src) - _count_apart(src, dst))
        _demand("a matrix", nrows, ncols, entries, width=0 if values is None else values.itemsize)
    src, dst = _same_width(src, dst)
    given = None if values is None else np.ascontiguousarray(values)
    options: dict[str, Any] = {"fold": fold, "dedup": dedup, "symmetrize": symmetrize, "drop_loops": drop_loops}
    wide = entries > MOST_NARROW
    return host.routines().build_csr(src, dst, nrows, ncols, values=given, wide_offsets=wide, **options)


_COUNTED = 1 << 24  # pairs compared together


def _count_apart(src: Any, dst: Any) -> int:
    """Return how many pairs have different ends."""
    parts = (slice(begin, begin + _COUNTED) for begin in range(0, len(src), _COUNTED))
    return sum(int(np.count_nonzero(src[part] != dst[part])) for part in parts)


_IDEMPOTENT = (binary.any, binary.first, binary.second, binary.min, binary.max)


def from_edges(src: Any, dst: Any, values: Any, n: int, dup_op: Any, *, directed: bool, drop_loops: bool) -> Csr:
    """Return the Csr of a list of edges, both ways if not directed. `values` is an array, or a single value for all."""
    _check_extents(n)
    ways: dict[str, Any] = {"symmetrize": not directed, "drop_loops": drop_loops}
    if is_hyper(n, 2 * len(src)):
        src, dst, values = _both_ways(src, dst, values, **ways)
        return from_coo(src, dst, values, n, n, dup_op)
    if not values.ndim and dup_op in _IDEMPOTENT:
        indptr, indices, _ = _build(src, dst, n, n, **ways)
        return make(indptr, indices, single(values), n, iso=True)
    return _assembled(src, dst, np.broadcast_to(values, src.shape), n, n, dup_op, **ways)


def _both_ways(src: Any, dst: Any, values: Any, *, symmetrize: bool, drop_loops: bool) -> tuple[Any, Any, Any]:
    """Return the coordinates that edges stand for, in the order of the edges."""
    edges = np.flatnonzero(src != dst) if drop_loops else np.arange(len(src))
    back = edges[src[edges] != dst[edges]] if symmetrize else edges[:0]
    order = np.argsort(np.concatenate([edges, back]), kind="stable")
    u = np.concatenate([src[edges], dst[back]])[order]
    v = np.concatenate([dst[edges], src[back]])[order]
    return u, v, np.concatenate([values[edges], values[back]])[order] if values.ndim else values


def from_coo(rows: Any, cols: Any, values: Any, nrows: int, ncols: int, dup_op: Any) -> Csr:
    """Return the Csr of coordinates in any order. `values` is an array, or a single value for all."""
    _check_extents(nrows, ncols)
    if is_hyper(nrows, len(rows)):
        return _few_rows(rows, cols, values, (nrows, ncols), dup_op)
    if not values.ndim:
        indptr, indices, _ = _build(rows, cols, nrows, ncols)
        if len(indices) == len(rows) or dup_op in _IDEMPOTENT:
            return make(indptr, indices, single(values), ncols, iso=True)
    return _assembled(rows, cols, np.broadcast_to(values, rows.shape), nrows, ncols, dup_op)


def _assembled(rows: Any, cols: Any, values: Any, nrows: int, ncols: int, dup_op: Any, **ways: Any) -> Csr:
    """Return the Csr of coordinates with a value each, of duplicates the one that `dup_op` makes of theirs."""
    fold = known(dup_op, values.dtype)
    once = dup_op is None or bool(fold)
    indptr, indices, kept = _build(rows, cols, nrows, ncols, values=values, fold=fold, dedup=once, **ways)
    if dup_op is None and len(indices) < len(rows):
        order = np.lexsort((cols, rows))
        without_duplicates((rows[order], cols[order]), values[order], None)  # which says where
    if not once:
        at = np.repeat(np.arange(nrows, dtype=indices.dtype), np.diff(indptr))
        (at, indices), kept = without_duplicates((at, indices), kept, dup_op)
        indptr = np.searchsorted(at, np.arange(nrows + 1))
    return make(indptr, indices, kept, ncols, iso=False)


def _few_rows(rows: Any, cols: Any, values: Any, shape: tuple[int, int], dup_op: Any) -> Csr:
    """Return the hypersparse matrix of coordinates in any order, sorting them."""
    order = np.lexsort((cols, rows))
    rows, cols = rows[order], cols[order]
    iso = values.ndim == 0 and (dup_op in _IDEMPOTENT or bool(np.all((np.diff(rows) != 0) | (np.diff(cols) != 0))))
    given = np.broadcast_to(values, rows.shape) if iso or not values.ndim else values[order]
    (rows, cols), kept = without_duplicates((rows, cols), given, binary.any if iso else dup_op)
    begins = np.flatnonzero(np.diff(rows, prepend=-1))
    return listed(rows[begins], np.append(begins, len(rows)), cols, single(values) if iso else kept, shape, iso=iso)


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
    if isinstance(csr, Hyper):
        pattern = like(csr, np.ones(1, bool), iso=True)
        return transpose(pattern).equals(pattern)
    return host.routines().is_symmetric(csr.indptr, csr.indices)


def transpose(csr: Csr) -> Csr:
    """Return the transpose in its own compressed rows."""
    if isinstance(csr, Hyper) or is_hyper(csr.ncols, csr.nvals):
        given = csr.values.reshape(()) if csr.iso else csr.values
        return from_coo(csr.indices, csr.rows(), given, csr.ncols, csr.nrows, None)
    values = None if csr.iso else csr.values
    if max(csr.ncols, csr.nvals) > _LARGE:
        _demand("the transpose", csr.ncols, csr.nrows, csr.nvals, width=0 if values is None else values.itemsize)
    indptr, indices, turned = host.routines().transpose(csr.indptr, csr.indices, csr.ncols, values)
    return make(indptr, indices, csr.values if turned is None else turned, csr.nrows, iso=csr.iso)
