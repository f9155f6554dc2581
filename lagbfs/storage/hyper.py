"""Two matrices over one list of rows: how routines that walk both row by row see hypersparse ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .csr import Csr

__all__ = ["aligned"]


def aligned(a: Csr, b: Csr) -> tuple[NDArray[Any] | None, NDArray[Any], NDArray[Any]]:
    """Return the rows that two matrices of as many rows are looked at by, None for all, and where these start in each.

    Where one of them is hypersparse, these are the rows that have entries in either.
    """
    if a.row_ids is None and b.row_ids is None:
        return None, a.indptr, b.indptr
    (mine, starts), (others, other_starts) = _rows_with_entries(a), _rows_with_entries(b)
    rows = np.union1d(mine, others)
    return rows, _over(rows, mine, starts), _over(rows, others, other_starts)


def _rows_with_entries(csr: Csr) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the rows that have entries, and where each starts."""
    if csr.row_ids is not None:
        return csr.row_ids, csr.starts
    rows = np.flatnonzero(np.diff(csr.indptr))
    return rows, np.append(csr.indptr[rows], csr.indptr[-1])


def _over(rows: NDArray[Any], some: NDArray[Any], starts: NDArray[Any]) -> NDArray[Any]:
    """Return where each of `rows` starts, in a matrix of which `some` of them have entries."""
    indptr = np.zeros(len(rows) + 1, starts.dtype)
    indptr[np.searchsorted(rows, some) + 1] = np.diff(starts)
    return np.cumsum(indptr, out=indptr)
