"""Regions of matrices, some rows by some columns: taken out, and put back.

Rows and columns of a region are int64 arrays, in any order; None stands for all of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import csr as csrs
from . import elementwise
from .csr import Csr

__all__ = ["expand", "extract", "outside", "placed"]


def expand(csr: Csr, rows: Any) -> tuple[Any, Any]:
    """Return, for each entry of the given rows, which of the rows it is in and its position in the arrays."""
    starts = csr.indptr[rows].astype(np.int64)
    counts = csr.indptr[rows + 1] - starts
    owner = np.repeat(np.arange(len(rows)), counts)
    first = np.cumsum(counts) - counts
    return owner, np.arange(len(owner)) + (starts - first)[owner]


def extract(csr: Csr, rows: Any, columns: Any) -> Csr:
    """Return the matrix whose entry (i, j) is that of (rows[i], columns[j])."""
    if rows is None and columns is None:
        return csr
    i, at = (csr.rows(), np.arange(csr.nvals)) if rows is None else expand(csr, rows)
    j = csr.indices[at]
    nrows = csr.nrows if rows is None else len(rows)
    ncols = csr.ncols if columns is None else len(columns)
    if columns is not None:
        taken, j = _found_in(columns, j)
        i, at = i[taken], at[taken]
    values = csr.values.reshape(()) if csr.iso else csr.values[at]
    return csrs.from_coo(i, j, values, nrows, ncols, None)


def _found_in(columns: Any, wanted: Any) -> tuple[Any, Any]:
    """Return where in `columns` each one wanted stands, every time it does, and which of those wanted that is."""
    order = np.argsort(columns, kind="stable")
    ordered = columns[order]
    begin, end = (np.searchsorted(ordered, wanted, side=side) for side in ("left", "right"))
    counts = end - begin
    which = np.repeat(np.arange(len(wanted)), counts)
    nth = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
    return which, order[begin[which] + nth]


def placed(part: Csr, rows: Any, columns: Any, nrows: int, ncols: int) -> Csr:
    """Return the matrix of that shape whose entry (rows[i], columns[j]) is entry (i, j) of `part`."""
    if rows is None and columns is None:
        return part
    i = part.rows() if rows is None else rows[part.rows()]
    j = part.indices if columns is None else columns[part.indices]
    return csrs.from_coo(i, j, part.values.reshape(()) if part.iso else part.values, nrows, ncols, None)


def outside(csr: Csr, rows: Any, columns: Any) -> Csr:
    """Return the entries that do not lie in the region."""
    inside = np.ones(csr.nvals, bool) if rows is None else _among(csr.rows(), rows, csr.nrows)
    if columns is not None:
        inside &= _among(csr.indices, columns, csr.ncols)
    return elementwise.kept(csr, ~inside)


def _among(indices: Any, chosen: Any, size: int) -> Any:
    """Return which of the indices, all below `size`, are among those chosen."""
    if len(chosen) < 100 or size > 16 * len(indices) + 16 * len(chosen):
        return np.isin(indices, chosen)
    flags = np.zeros(size, bool)
    flags[chosen] = True
    return flags[indices]
