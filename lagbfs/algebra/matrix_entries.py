"""MatrixEntries: what a matrix holds, and how it is read and handed to other libraries."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base import casts, checks
from ..errors import InvalidTypeError, InvalidValueError
from ..storage import elementwise, interop
from ..storage.csr import Csr
from ..storage.matrix_masks import MatrixMask
from ..storage.rows import Rows
from ..storage.store import DegreeStats
from .labels import Labels
from .matrix_expression import MatrixValue

__all__ = ["MatrixEntries"]


class MatrixEntries(MatrixValue):
    """The entries of a matrix, as rows that engines see and labels that users see."""

    __slots__ = ("_labels",)
    _labels: Labels | None

    if TYPE_CHECKING:

        @property
        def rows(self) -> Rows:
            """What engines see of the matrix."""

    def evaluate(self, mask: MatrixMask | None) -> Csr:
        """Return the entries, all of them."""
        return self.csr

    @property
    def csr(self) -> Csr:
        """The compressed rows, computed on first use for a transpose."""
        return self.rows.csr

    @property
    def nrows(self) -> int:
        """Number of rows."""
        return self.rows.nrows

    @property
    def ncols(self) -> int:
        """Number of columns."""
        return self.rows.ncols

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.rows.nrows, self.rows.ncols

    @property
    def nvals(self) -> int:
        """Number of entries, explicit zeros included."""
        return self.rows.nvals

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the values."""
        return self.rows.dtype

    @property
    def is_iso(self) -> bool:
        """Whether all entries share one value, stored once."""
        return self.rows.is_iso

    @property
    def labels(self) -> tuple[Hashable, ...] | None:
        """The names of the vertices, None if they have none but their indices."""
        return None if self._labels is None else self._labels.names

    @property
    def is_symmetric(self) -> bool:
        """Whether the matrix equals its transpose. Computed on first use, by transposing."""
        return self.rows.is_symmetric

    @property
    def known_symmetric(self) -> bool | None:
        """The same, or None as long as it has not been worked out."""
        return self.rows.known_symmetric

    @property
    def degrees(self) -> NDArray[Any]:
        """Number of entries in each row: the out-degrees."""
        return self.rows.degrees

    @property
    def in_degrees(self) -> NDArray[Any]:
        """Number of entries in each column."""
        return self.rows.in_degrees

    @property
    def barren(self) -> int:
        """Number of columns without an entry: of vertices that no edge leads to."""
        return self.rows.barren

    @property
    def degree_stats(self) -> DegreeStats:
        """Minimum, quartiles, maximum, mean and standard deviation of the out-degrees."""
        return self.rows.degree_stats

    def index_of(self, vertex: Any, name: str = "vertex") -> int:
        """Return the index of a vertex: of its label in a labelled graph, of itself in any other."""
        if self._labels is None:
            return checks.index(name, vertex, self.nrows)
        return self._labels.index_of(vertex, name)

    def is_label(self, value: Any) -> bool:
        """Whether `value` is the label of a vertex: in a graph without labels, an index."""
        if self._labels is not None:
            return value in self._labels
        try:
            self.index_of(value)
        except (InvalidTypeError, IndexError):
            return False
        return True

    def to_coo(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return rows, columns and values of the entries, in row order, as new arrays."""
        csr = self.csr
        return csr.rows(), csr.indices.copy(), np.array(csr.all_values())

    def to_csr(self, dtype: Any = None) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return indptr, indices and values of the compressed rows, as new arrays."""
        csr = self.csr if dtype is None else elementwise.cast(self.csr, checks.dtype("dtype", dtype))
        return csr.indptr.copy(), csr.indices.copy(), np.array(csr.all_values())

    def to_dense(self, fill_value: Any = None) -> NDArray[Any]:
        """Return the values as a new array, with `fill_value` where there is no entry.

        The array has the matrix's dtype, or a wider one if `fill_value` does not fit into that.
        """
        csr, size = self.csr, self.nrows * self.ncols
        if fill_value is None and csr.nvals < size:
            raise InvalidValueError(f"fill_value is needed: {size - csr.nvals} of {size} positions have no entry")
        fill = checks.numeric("fill_value", 0 if fill_value is None else fill_value)
        dense = np.full(self.shape, fill, casts.wide_enough(self.dtype, fill))
        dense[csr.rows(), csr.indices] = csr.all_values()
        return dense

    def to_scipy(self, *, copy: bool = True) -> Any:
        """Return a SciPy csr_array of its own; with ``copy=False`` one with the matrix's arrays, which are read-only.

        Of more than 2³¹ - 1 entries the indices are a copy with 64 bits each: SciPy wants both arrays of one type.
        """
        return interop.to_scipy(self.csr, copy=copy)

    def to_cupyx(self) -> Any:
        """Return a cupyx csr_matrix on the device; values that are neither bools nor floats become float64."""
        return interop.to_cupyx(self.csr)

    def to_graphblas(self) -> Any:
        """Return a python-graphblas Matrix, a copy with 64-bit indices."""
        return interop.to_graphblas(self.csr)

    def isequal(self, other: MatrixEntries) -> bool:
        """Whether `other` has the same shape, pattern and values; NaN is the same as NaN."""
        return isinstance(other, MatrixEntries) and self.csr.equals(other.csr)

    def __repr__(self) -> str:
        known = self.known_symmetric
        parts = [
            f"{self.nrows} × {self.ncols}",
            f"{self.nvals} entries",
            f"{self.dtype}{' iso' if self.is_iso else ''}",
            f"{self.rows.index_dtype} indices",
            *(["symmetric"] if known else []),
            *(["labelled"] if self.labels is not None else []),
            *self.rows.store.layouts(),
        ]
        return f"Matrix({', '.join(parts)})"

    def _repr_html_(self) -> str:
        stats = self.degree_stats
        rows = {
            "shape": f"{self.nrows:,} × {self.ncols:,}",
            "entries": f"{self.nvals:,}",
            "values": f"{self.dtype}{', one for all' if self.is_iso else ''}",
            "degrees": f"{stats.min:g} to {stats.max:g}, median {stats.median:g}, mean {stats.mean:.3g}",
        }
        body = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in rows.items())
        return f"<table><caption>Matrix</caption>{body}</table>"
