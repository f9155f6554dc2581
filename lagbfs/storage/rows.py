"""Rows: a matrix as engines see it. Compressed rows, those of the transpose, degrees; nothing of labels or algebra."""

from __future__ import annotations

import weakref
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from . import csr as csrs
from .csr import Csr
from .store import DegreeStats, Store

__all__ = ["Loader", "Rows"]


_FEW = 64  # numbers that Python adds up sooner than NumPy


class Loader(Protocol):
    """What makes handles of matrices: an engine."""

    def load(self, rows: Rows) -> Any:
        """Return the engine's own copy of a matrix."""
        ...


class Rows:
    """One way of looking at a store: the matrix, or its transpose. What takes time is computed once, for both.

    Attributes
    ----------
    nrows, ncols, nvals : int
        Numbers of rows, columns and entries.
    """

    __slots__ = ("ncols", "nrows", "nvals", "store", "transposed")

    def __init__(self, store: Store, *, transposed: bool = False) -> None:
        self.store, self.transposed = store, transposed
        csr = store.csr(False)
        self.nrows, self.ncols = (csr.ncols, csr.nrows) if transposed else (csr.nrows, csr.ncols)
        self.nvals = csr.nvals

    @property
    def csr(self) -> Csr:
        """The compressed rows, computed on first use for a transpose."""
        return self.store.csr(self.transposed)

    @property
    def T(self) -> Rows:
        """The transpose."""
        return Rows(self.store, transposed=not self.transposed)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the values."""
        return self.store.csr(False).values.dtype

    @property
    def index_dtype(self) -> np.dtype[Any]:
        """The dtype of the indices."""
        return self.store.csr(False).indices.dtype

    @property
    def is_iso(self) -> bool:
        """Whether all entries share one value, stored once."""
        return self.store.csr(False).iso

    @property
    def is_symmetric(self) -> bool:
        """Whether the matrix equals its transpose. Computed on first use, by transposing."""
        return self.store.symmetric

    @property
    def known_symmetric(self) -> bool | None:
        """The same, or None as long as it has not been worked out."""
        return self.store.known_symmetric

    @property
    def least(self) -> float:
        """The least of the values, NaN if one of them is, inf if there are none."""
        return self.store.least

    @property
    def degrees(self) -> NDArray[Any]:
        """Number of entries in each row: the out-degrees."""
        return self.store.degrees(self.transposed)

    def entries_in(self, rows: NDArray[Any]) -> int:
        """Return the number of entries in some rows, together."""
        if csrs.is_hyper(self.nrows, self.nvals):
            return int(self.csr.spans(rows)[1].sum())
        degrees = self.degrees[rows]
        return sum(degrees.tolist()) if len(rows) < _FEW else int(degrees.sum(dtype=np.int64))

    @property
    def is_hypersparse(self) -> bool:
        """Whether nearly all rows, or nearly all columns, of very many are empty, so that nothing is made for each."""
        return csrs.is_hyper(self.nrows, self.nvals) or csrs.is_hyper(self.ncols, self.nvals)

    @property
    def in_degrees(self) -> NDArray[Any]:
        """Number of entries in each column."""
        return self.store.degrees(not self.transposed)

    @property
    def barren(self) -> int:
        """Number of columns without an entry: of vertices that no edge leads to."""
        return self.store.barren(not self.transposed)

    @property
    def degree_stats(self) -> DegreeStats:
        """The out-degrees in summary."""
        return self.store.stats(self.transposed)

    def handle(self, engine: Loader) -> Any:
        """Return the engine's own copy of the matrix, made when first asked for and kept.

        It is kept by the engine's class: another engine of the same name has copies of its own.
        """
        return self.store.handle((type(engine), self.transposed), lambda: engine.load(self._lent()))

    def _lent(self) -> Rows:
        """Return the rows for what the store keeps: without holding it, or the two would keep each other alive."""
        lent = isinstance(self.store, weakref.ProxyType)  # to an engine that hands them on
        store: Any = self.store if lent else weakref.proxy(self.store)
        return Rows(store, transposed=self.transposed)
