"""MatrixEntries: what a matrix holds, and how it is read and handed to other libraries."""

from __future__ import annotations

import itertools
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base import casts, checks, memory
from ..errors import InvalidTypeError
from ..storage import interop
from ..storage.csr import Csr
from ..storage.matrix_masks import MatrixMask
from ..storage.rows import Rows
from ..storage.store import DegreeStats
from .labels import Labels
from .matrix_expression import MatrixValue
from .matrix_targets import MatrixTargets
from .values import close, copied

if TYPE_CHECKING:
    from .matrix import Matrix

__all__ = ["MatrixEntries"]


class MatrixEntries(MatrixTargets, MatrixValue):
    """The entries of a matrix, as rows that engines see and labels that users see."""

    __slots__ = ("_labels", "name")
    _labels: Labels | None
    name: str | None

    if TYPE_CHECKING:

        @property
        def rows(self) -> Rows:
            """What engines see of the matrix."""

        @property
        def T(self) -> Matrix:
            """The transpose."""

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

    def to_coo(
        self, dtype: Any = None, *, rows: bool = True, columns: bool = True, values: bool = True, sort: bool = True
    ) -> tuple[Any, Any, Any]:
        """Return rows, columns and values of the entries as new arrays, in row order (with or without `sort`).

        Those that are not asked for are None; values are of `dtype`, if one is given.
        """
        csr = self.csr
        return (
            csr.rows() if rows else None,
            csr.indices.copy() if columns else None,
            copied(csr.all_values(), dtype) if values else None,
        )

    def to_edgelist(self, dtype: Any = None, *, values: bool = True, sort: bool = True) -> tuple[Any, Any]:
        """Return rows and columns of the entries as the columns of one array, and the values."""
        i, j, found = self.to_coo(dtype, values=values, sort=sort)
        return np.column_stack([i, j]), found

    def to_csr(self, dtype: Any = None, *, sort: bool = True) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return indptr, indices and values of the compressed rows, as new arrays."""
        csr = self.csr
        return csr.indptr.copy(), csr.indices.copy(), copied(csr.all_values(), dtype)

    def to_csc(self, dtype: Any = None, *, sort: bool = True) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return indptr, indices and values of the compressed columns, as new arrays."""
        return self.T.to_csr(dtype)

    def to_dcsr(self, dtype: Any = None, *, sort: bool = True) -> tuple[Any, Any, Any, Any]:
        """Return the rows that have entries, and indptr, indices and values of these compressed rows.

        Examples
        --------
        >>> from lagbfs import Matrix
        >>> [part.tolist() for part in Matrix.from_coo([1, 7], [0, 3], [5, 6]).to_dcsr()]
        [[1, 7], [0, 1, 2], [0, 3], [5, 6]]
        """
        i, j, values = self.to_coo(dtype)
        listed, starts = np.unique(i, return_index=True)
        return listed, np.append(starts, len(i)), j, values

    def to_dcsc(self, dtype: Any = None, *, sort: bool = True) -> tuple[Any, Any, Any, Any]:
        """Return the columns that have entries, and indptr, indices and values of these compressed columns."""
        return self.T.to_dcsr(dtype)

    def to_dicts(self, order: str = "rowwise") -> dict[int, dict[int, Any]]:
        """Return the entries as a dictionary from row to one from column to value, or "columnwise" the other way."""
        if not is_rowwise(order):
            return self.T.to_dicts()
        listed, starts, j, values = (part.tolist() for part in self.to_dcsr())
        spans = itertools.pairwise(starts)
        return {row: dict(zip(j[a:b], values[a:b], strict=True)) for row, (a, b) in zip(listed, spans, strict=True)}

    def to_dense(self, fill_value: Any = None, dtype: Any = None) -> NDArray[Any]:
        """Return the values as a new array, with `fill_value` where there is no entry.

        The array has the matrix's dtype, or a wider one if `fill_value` does not fit into that, unless one is given.
        """
        csr, size = self.csr, self.nrows * self.ncols
        if fill_value is None and csr.nvals < size:
            raise InvalidTypeError(f"fill_value is needed: {size - csr.nvals} of {size} positions have no entry")
        fill = checks.numeric("fill_value", 0 if fill_value is None else fill_value)
        wanted = casts.wide_enough(self.dtype, fill) if dtype is None else checks.dtype("dtype", dtype)
        memory.demand(f"an array of {self.nrows:,} × {self.ncols:,} values", size * wanted.itemsize)
        dense = np.full(self.shape, casts.cast(fill, wanted), wanted)
        dense[csr.rows(), csr.indices] = casts.cast(csr.all_values(), wanted)
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

    def isequal(self, other: MatrixValue, *, check_dtype: bool = False) -> bool:
        """Whether `other` has the same shape, pattern, values and, if asked for, dtype; NaN is the same as NaN."""
        value = _checked(other)
        return not (check_dtype and self.dtype != value.dtype) and self.csr.equals(value.csr)

    def isclose(
        self, other: MatrixValue, *, rel_tol: float = 1e-7, abs_tol: float = 0.0, check_dtype: bool = False
    ) -> bool:
        """Whether `other` has entries at the same positions, with values that differ by little.

        By at most `rel_tol` of the larger one, or by `abs_tol`.
        """
        value = _checked(other)
        if self.shape != value.shape or (check_dtype and self.dtype != value.dtype):
            return False
        a, b = self.csr, value.csr
        if a.nvals != b.nvals or not np.array_equal(a.indices, b.indices) or not np.array_equal(a.rows(), b.rows()):
            return False
        return bool(close(a.all_values(), b.all_values(), rel_tol, abs_tol).all())

    def __bool__(self) -> bool:
        raise InvalidTypeError("the truth of a Matrix is ambiguous: use A.nvals > 0, or A.reduce_scalar(monoid.lor)")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        raise InvalidTypeError("a Matrix is no array: use A.to_dense(fill_value) or A.to_coo()")

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


def is_rowwise(order: str) -> bool:
    """Whether an order is by rows: "rowwise", "row" or "r", and not "columnwise", "col" or "c"."""
    known = ("rowwise", "rows", "row", "r", "columnwise", "colwise", "columns", "cols", "column", "col", "c")
    return checks.one_of("order", order, known).startswith("r")


def _checked(other: Any) -> MatrixValue:
    if not isinstance(other, MatrixValue):
        raise InvalidTypeError(f"other must be a Matrix, not {other!r}")
    return other
