"""Regions of matrices, some rows by some columns: taken out, and put back."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import csr as csrs
from . import elementwise
from .axis import Axis
from .csr import Csr

__all__ = ["expand", "extract", "outside", "placed", "value_at"]


def expand(csr: Csr, rows: Any) -> tuple[Any, Any]:
    """Return, for each entry of the given rows, which of the rows it is in and its position in the arrays."""
    starts, counts = csr.spans(rows)
    owner = np.repeat(np.arange(len(rows)), counts)
    first = np.cumsum(counts) - counts
    return owner, np.arange(len(owner)) + (starts - first)[owner]


def value_at(csr: Csr, row: int, column: int) -> Any:
    """Return the value of one entry as a Python number, None if there is none."""
    (start,), (count,) = csr.spans(np.array([row]))
    at = int(start + np.searchsorted(csr.indices[start : start + count], column))
    if at == start + count or csr.indices[at] != column:
        return None
    return csr.values[0 if csr.iso else at].item()


def extract(csr: Csr, rows: Axis, columns: Axis) -> Csr:
    """Return the matrix whose entry (i, j) is that of the i-th of `rows` and the j-th of `columns`."""
    if rows.is_all and columns.is_all:
        return csr
    if columns.is_all and isinstance(rows.places, range) and len(rows.places) and rows.places.step == 1:
        return _consecutive(csr, rows.places.start, rows.places.stop)
    i, at = _entries_in(csr, rows)
    j = csr.indices[at]
    if not columns.is_all:
        taken, j = columns.where(j)
        i, at = i[taken], at[taken]
    values = csr.values.reshape(()) if csr.iso else csr.values[at]
    return csrs.from_coo(i, j, values, rows.length, columns.length, None)


def _consecutive(csr: Csr, first: int, end: int) -> Csr:
    """Return the rows from `first` on, up to `end`: parts of the arrays."""
    if csr.row_ids is None:
        ids, starts = None, csr.indptr[first : end + 1]
    else:
        low, high = np.searchsorted(csr.row_ids, [first, end])
        ids, starts = csr.row_ids[low:high] - first, csr.starts[low : high + 1]
    taken = slice(starts[0], starts[-1])
    indices, values = csr.indices[taken].copy(), csr.values if csr.iso else csr.values[taken].copy()
    if ids is None:
        return csrs.make(starts - starts[0], indices, values, csr.ncols, iso=csr.iso)
    return csrs.listed(ids, starts - starts[0], indices, values, (end - first, csr.ncols), iso=csr.iso)


def _entries_in(csr: Csr, rows: Axis) -> tuple[Any, Any]:
    """Return, for each entry of some rows, the number of its row among them and its position in the arrays."""
    if rows.is_all:
        return csr.rows(), np.arange(csr.nvals)
    if csr.row_ids is None or not rows.is_range:
        return expand(csr, rows.positions)
    which, k = rows.where(csr.row_ids)
    owner, at = expand(csr, csr.row_ids[which])
    return k[owner], at


def placed(part: Csr, rows: Axis, columns: Axis) -> Csr:
    """Return the matrix whose entry at the i-th of `rows` and the j-th of `columns` is entry (i, j) of `part`."""
    if rows.is_all and columns.is_all:
        return part
    values = part.values.reshape(()) if part.iso else part.values
    return csrs.from_coo(rows.at(part.rows()), columns.at(part.indices), values, rows.size, columns.size, None)


def outside(csr: Csr, rows: Axis, columns: Axis) -> Csr:
    """Return the entries that do not lie in the region."""
    inside = np.ones(csr.nvals, bool) if rows.is_all else rows.has(csr.rows())
    if not columns.is_all:
        inside &= columns.has(csr.indices)
    return elementwise.kept(csr, ~inside)
