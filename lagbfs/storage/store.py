"""Store: what all views of one matrix share: its compressed rows and everything derived from them, once."""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base import memory, sharing
from ..base.arrays import occurrences
from . import csr as csrs
from .csr import Csr


class DegreeStats(NamedTuple):
    """Summary of a degree distribution: five numbers, mean and standard deviation."""

    min: float
    q1: float
    median: float
    q3: float
    max: float
    mean: float
    std: float


class Handle:
    """What an engine keeps of a matrix: its own copy, or what it has made of it."""

    @property
    def layout(self) -> str:
        """What was prepared for searches, in words; empty if nothing was."""
        return ""


class Store:
    """The arrays behind a matrix and its transpose. Derived values are computed on first use and kept."""

    def __init__(self, csr: Csr, *, symmetric: bool | None = None, transpose: Csr | None = None) -> None:
        self._lock = threading.RLock()
        self._csr: dict[bool, Csr] = {False: csr} if transpose is None else {False: csr, True: transpose}
        self._degrees: dict[bool, NDArray[Any]] = {}
        self._stats: dict[bool, DegreeStats] = {}
        self._barren: dict[bool, int] = {}
        self._handles: dict[tuple[type, bool], Any] = {}
        self._least: float | None = None
        self._symmetric = symmetric if csr.nrows == csr.ncols else False
        self.levels_read = False  # those of the last search: then the next one makes them beside the parents

    def __reduce__(self) -> Any:
        """Pickle and copy what cannot be derived: neither locks nor what engines have made."""
        csr = self._csr[False]
        return _restored, (csr.starts, csr.indices, csr.values, csr.ncols, csr.iso, self._symmetric, *_rows_of(csr))

    def csr(self, transposed: bool) -> Csr:
        """Return the compressed rows of the matrix or of its transpose."""
        csr = self._csr.get(transposed)
        if csr is not None:
            return csr
        with self._lock:
            if transposed not in self._csr:
                self._csr[True] = self._transpose()
            return self._csr[transposed]

    def _transpose(self) -> Csr:
        csr = self._csr[False]
        if self._symmetric is None and csr.iso:  # with values, the transpose has to be made to be compared
            self._symmetric = csrs.is_symmetric(csr)
        if self._symmetric:
            return csr
        other = csrs.transpose(csr)
        if self._symmetric is None:
            self._symmetric = other.equals(csr)
        return csr if self._symmetric else other

    @property
    def symmetric(self) -> bool:
        """Whether the matrix equals its transpose."""
        if self._symmetric is None:
            self.csr(True)
        return bool(self._symmetric)

    @property
    def known_symmetric(self) -> bool | None:
        """The same, or None while that has not been worked out."""
        return self._symmetric

    def degrees(self, transposed: bool) -> NDArray[Any]:
        """Return the number of entries in each row of the matrix or of its transpose."""
        degrees = self._degrees.get(transposed)
        if degrees is None:
            degrees = self._count(transposed)
            degrees = self._degrees[transposed] = sharing.sealed(degrees)
        return degrees

    def _count(self, transposed: bool) -> NDArray[Any]:
        csr = self._csr.get(transposed)
        if csr is not None or self._symmetric:
            csr = self.csr(transposed)
            return np.diff(csr.indptr).astype(csr.indices.dtype, copy=False)
        csr = self._csr[False]
        memory.demand(f"the degrees of {csr.ncols:,} columns", 16 * csr.ncols)
        return occurrences(csr.indices, csr.ncols).astype(csr.indices.dtype)

    def barren(self, transposed: bool) -> int:
        """Return the number of rows of the matrix or of its transpose that have no entry."""
        if transposed not in self._barren:
            degrees = self.degrees(transposed)
            self._barren[transposed] = len(degrees) - int(np.count_nonzero(degrees))
        return self._barren[transposed]

    def stats(self, transposed: bool) -> DegreeStats:
        """Return the summary of the degrees of the matrix or of its transpose."""
        if transposed not in self._stats:
            csr = self._csr[False]
            n = csr.ncols if transposed else csr.nrows
            if csrs.is_hyper(n, csr.nvals):
                self._stats[transposed] = _few_degrees(np.diff(self.csr(transposed).starts), n)
            else:
                self._stats[transposed] = _summary(self.degrees(transposed))
        return self._stats[transposed]

    @property
    def least(self) -> float:
        """The least of the values, NaN if one of them is, inf if there are none."""
        if self._least is None:
            values = self._csr[False].values
            self._least = float(values.min()) if len(values) else np.inf
        return self._least

    def layouts(self) -> list[str]:
        """Return what engines have prepared for searches, in words."""
        handles = [handle for handle in [*self._handles.values()] if isinstance(handle, Handle)]
        return [layout for handle in handles if (layout := handle.layout)]

    def handle(self, key: tuple[type, bool], load: Any) -> Any:
        """Return what an engine loaded under `key`, calling `load` the first time."""
        handle = self._handles.get(key)
        if handle is None:
            with self._lock:
                if key not in self._handles:
                    self._handles[key] = load()
                handle = self._handles[key]
        return handle


def _summary(degrees: NDArray[Any]) -> DegreeStats:
    if not len(degrees):
        degrees = np.zeros(1)
    five = np.quantile(degrees, [0, 0.25, 0.5, 0.75, 1]).tolist()
    return DegreeStats._make([*five, float(degrees.mean()), float(degrees.std())])


def _few_degrees(degrees: NDArray[Any], n: int) -> DegreeStats:
    """Return the summary of the degrees of n rows, of which less than a quarter are not 0: these."""
    most, mean = float(degrees.max(initial=0)), float(degrees.sum()) / n
    return DegreeStats(0.0, 0.0, 0.0, 0.0, most, mean, float(np.sqrt((degrees.astype(float) ** 2).sum() / n - mean**2)))


def _rows_of(csr: Csr) -> tuple[Any, ...]:
    return () if csr.row_ids is None else (csr.row_ids, csr.nrows)


def _restored(
    starts: Any,
    indices: Any,
    values: Any,
    ncols: int,
    iso: bool,
    symmetric: bool | None,
    row_ids: Any = None,
    nrows: int = 0,
) -> Store:
    starts, indices, values = (sharing.kept("", array, None) for array in (starts, indices, values))  # maybe lent ones
    if row_ids is None:
        return Store(csrs.make(starts, indices, values, ncols, iso=iso), symmetric=symmetric)
    row_ids = sharing.kept("", row_ids, None)
    return Store(csrs.listed(row_ids, starts, indices, values, (nrows, ncols), iso=iso), symmetric=symmetric)
