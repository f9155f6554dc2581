"""Csr: the compressed rows of a matrix; Hyper: of a matrix of very many rows, those that have entries.

What knows only compressed rows asks a `Hyper` for `indptr`, and gets it if it fits. Nothing else in it grows with the
number of rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base import memory, sharing

__all__ = ["Csr", "Hyper", "is_hyper", "spread"]


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

    @property
    def row_ids(self) -> NDArray[Any] | None:
        """The rows that `starts` is of, ascending; None stands for all of them."""
        return None

    @property
    def starts(self) -> NDArray[Any]:
        """Where each of these rows starts among the entries, and where the last one ends."""
        return self.indptr

    def spans(self, rows: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return where each of some rows starts among the entries, and how many it has."""
        starts = self.indptr[rows].astype(np.int64)
        return starts, self.indptr[rows + 1] - starts

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
        listed = self.row_ids is not None or other.row_ids is not None
        starts = (self.rows(), other.rows()) if listed else (self.indptr, other.indptr)
        values = (self.values, other.values) if self.iso and other.iso else (self.all_values(), other.all_values())
        return _same(*starts) and _same(*values) and _same(self.indices, other.indices)


_COMPARED = 1 << 16  # elements compared together: those of two matrices that differ mostly do so soon


def _same(one: NDArray[Any], two: NDArray[Any]) -> bool:
    """Whether two arrays of one length are equal, up to where they first are not; NaN is the same as NaN."""
    nan = one.dtype.kind == two.dtype.kind == "f"
    parts = (slice(begin, begin + _COMPARED) for begin in range(0, len(one), _COMPARED))
    return all(np.array_equal(one[part], two[part], equal_nan=nan) for part in parts)


class Hyper(Csr):
    """Compressed rows of a hypersparse matrix: of those rows alone that have entries.

    Invariant: `row_ids` ascend strictly; each of these rows has an entry, and no other row has.
    """

    __slots__ = ("_indptr", "_nrows", "row_ids", "starts")
    row_ids: NDArray[Any]
    starts: NDArray[Any]
    _indptr: NDArray[Any] | None
    _nrows: int

    def __init__(
        self,
        row_ids: NDArray[Any],
        starts: NDArray[Any],
        indices: NDArray[Any],
        values: NDArray[Any],
        shape: tuple[int, int],
        *,
        iso: bool,
    ) -> None:
        nrows, ncols = shape
        fields = {"row_ids": row_ids, "starts": starts, "indices": indices, "values": values, "ncols": ncols}
        for name, value in {**fields, "iso": iso, "_nrows": nrows, "_indptr": None}.items():
            object.__setattr__(self, name, value)

    @property
    def indptr(self) -> NDArray[Any]:
        """Where each of all rows starts, made when first asked for; MemoryError if there is no room for it."""
        if self._indptr is not None:
            return self._indptr
        indptr = sharing.sealed(spread(self.row_ids, self.starts, self._nrows))
        object.__setattr__(self, "_indptr", indptr)
        return indptr

    @property
    def nrows(self) -> int:
        """Number of rows."""
        return self._nrows

    def spans(self, rows: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return where each of some rows starts among the entries, and how many it has."""
        if not len(self.row_ids):
            return np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)
        at = np.minimum(np.searchsorted(self.row_ids, rows), len(self.row_ids) - 1)
        starts, there = self.starts[at].astype(np.int64), self.row_ids[at] == rows
        return starts, np.where(there, self.starts[at + 1] - starts, 0)

    def rows(self) -> NDArray[Any]:
        """Return the row of each entry."""
        return np.repeat(self.row_ids, np.diff(self.starts))


def spread(row_ids: NDArray[Any], starts: NDArray[Any], nrows: int) -> NDArray[Any]:
    """Return where each of all rows starts."""
    memory.demand(f"where each of {nrows:,} rows starts", 2 * starts.itemsize * (nrows + 1))
    indptr = np.zeros(nrows + 1, starts.dtype)
    indptr[row_ids + 1] = np.diff(starts)
    return np.cumsum(indptr, out=indptr)


# A matrix of more rows than the first, and of at least the second times as many as entries, is hypersparse. Tests
# lower both.
HYPER_FROM = 1 << 26
HYPER_SHARE = 16


def is_hyper(nrows: int, entries: int) -> bool:
    """Whether a matrix of so many rows and entries lists the rows that have some."""
    return nrows > HYPER_FROM and nrows >= HYPER_SHARE * entries
