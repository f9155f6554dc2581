"""Reading and assigning: A[i, j], and C(mask, accum, replace) << value, which computes what stands on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..base import casts, checks, memory
from ..errors import DimensionError, InvalidTypeError, InvalidValueError
from ..storage import csr as csrs
from ..storage import elementwise, forms, regions
from ..storage.csr import Csr
from ..storage.forms import Sparse
from ..storage.matrix_masks import MatrixMask
from ..storage.matrix_writing import write
from .expression import VECTOR, Value
from .indexing import Axis, axis
from .matrix_expression import MATRIX, MatrixValue
from .matrix_mask import MaskOfMatrix
from .options import Options
from .scalar import Scalar

if TYPE_CHECKING:
    from .matrix_operations import MatrixOperations

__all__ = ["MatrixIndexed", "MatrixUpdater"]


def _axes(index: Any, shape: tuple[int, int]) -> tuple[Axis, Axis]:
    if not isinstance(index, tuple) or len(index) != 2:
        raise InvalidTypeError(f"a matrix is indexed by a row and a column, as in A[i, j] or A[:, j], not {index!r}")
    return axis(index[0], shape[0]), axis(index[1], shape[1])


class MatrixIndexed:
    """``A[i, j]``: to read with ``.new()`` or ``.value``, or to assign to with ``<<``."""

    def __init__(self, matrix: MatrixOperations, index: Any) -> None:
        self.matrix, self.index = matrix, index
        self.rows, self.columns = _axes(index, matrix.shape)

    @property
    def is_scalar(self) -> bool:
        """Whether it is one position."""
        return self.rows.is_one and self.columns.is_one

    def extracted(self) -> Csr:
        """Return the region as a matrix of its own."""
        return regions.extract(self.matrix.csr, self.rows.chosen, self.columns.chosen)

    def new(self, dtype: Any = None) -> Any:
        """Return the entry as a Scalar, a row or column as a Vector, or for several of both a Matrix of them."""
        wanted = self.matrix.dtype if dtype is None else checks.dtype("dtype", dtype)
        part = elementwise.cast(self.extracted(), wanted)
        if self.is_scalar:
            return Scalar(part.values[0].item() if part.nvals else None)
        if self.rows.is_one:
            sparse = Sparse(part.ncols, part.indices.astype(np.int64), part.all_values().copy())
        elif self.columns.is_one:
            sparse = Sparse(part.nrows, part.rows().astype(np.int64), part.all_values().copy())
        else:
            return MATRIX().from_storage(part)
        return VECTOR().from_form(forms.settle(sparse))

    @property
    def value(self) -> Any:
        """The entry as a Python number, None if there is none."""
        if not self.is_scalar:
            raise InvalidTypeError("only A[i, j] with two integers has a value: use A[...].new() for several")
        return self.new().value

    def __eq__(self, other: object) -> bool:
        return bool(self.new() == other)

    __hash__ = None  # type: ignore[assignment]

    def __int__(self) -> int:
        return int(self.value)

    def __float__(self) -> float:
        return float(self.value)

    def __bool__(self) -> bool:
        return bool(self.value)

    def __repr__(self) -> str:
        return f"A[{self.index!r}]: .new() reads it, << assigns to it"

    def __lshift__(self, value: Any) -> None:
        MatrixUpdater(self.matrix)[self.index] = value

    def __call__(self, *args: Any, **options: Any) -> RegionUpdater:
        """Assign to these positions under a mask of their own: ``A[I, J](mask) << value``."""
        return RegionUpdater(self, args, options)


class RegionUpdater:
    """``A[i, j](mask, accum, replace)``: the mask is over the indexed positions."""

    def __init__(self, indexed: MatrixIndexed, args: tuple[Any, ...], options: dict[str, Any]) -> None:
        self.indexed, self.args, self.options = indexed, args, options

    def __lshift__(self, value: Any) -> None:
        indexed = self.indexed
        part = MATRIX().from_storage(indexed.extracted()) if indexed.is_scalar else indexed.new()
        part(*self.args, **self.options) << value
        MatrixUpdater(indexed.matrix)[indexed.index] = part


class MatrixUpdater:
    """``C(mask, accum, replace)``: the left-hand side of an assignment.

    The arguments may come in any order, by position or by name: a mask (``M.S``, ``~M.V``), an accumulator (a
    binary operator or monoid) and `replace`.
    """

    def __init__(self, matrix: MatrixOperations, *args: Any, **named: Any) -> None:
        options = Options(MaskOfMatrix, args, named)
        self.matrix, self.mask, self.accum, self.replace = matrix, options.mask, options.accum, options.replace
        if self.mask is not None and self.mask.shape != matrix.shape:
            raise DimensionError(f"the mask is {_said(self.mask.shape)}, the matrix {_said(matrix.shape)}")

    @property
    def _mask(self) -> MatrixMask | None:
        """The mask of the entries that its matrix has now."""
        return None if self.mask is None else self.mask.now()

    def __lshift__(self, value: Any) -> None:
        mask, (nrows, ncols) = self._mask, self.matrix.shape
        t = self._csr_of(value, Axis(nrows, None), Axis(ncols, None), mask)
        self.matrix.assign(write(self.matrix.csr, t, mask, self.accum, self.replace))

    def __setitem__(self, index: Any, value: Any) -> None:
        rows, columns = _axes(index, self.matrix.shape)
        if rows.is_one and columns.is_one and self.mask is None and self.accum is None and checks.is_number(value):
            number = casts.cast(checks.numeric("the value to assign", value), self.matrix.dtype).item()
            self.matrix.set_later(int(rows.positions[0]), int(columns.positions[0]), number)
            return
        self._assign(rows, columns, self._csr_of(value, rows, columns, None))

    def remove(self, index: Any) -> None:
        """Remove the entries of a region."""
        rows, columns = _axes(index, self.matrix.shape)
        if rows.is_one and columns.is_one:
            self.matrix.set_later(int(rows.positions[0]), int(columns.positions[0]), None)
        else:
            self._assign(rows, columns, csrs.empty(self.matrix.dtype, rows.length, columns.length))

    def __getitem__(self, index: Any) -> IndexedMatrixUpdater:
        return IndexedMatrixUpdater(self, index)

    def _csr_of(self, value: Any, rows: Axis, columns: Axis, mask: MatrixMask | None) -> Csr:
        """Return the right-hand side as a matrix of that region; only what `mask` allows of it is needed."""
        if isinstance(value, MatrixIndexed):
            value = value.new()
        if isinstance(value, Scalar):
            if value.is_empty:
                return csrs.empty(self.matrix.dtype, rows.length, columns.length)
            value = value.value
        if isinstance(value, MatrixValue):
            if value.shape != (rows.length, columns.length):
                left = _said((rows.length, columns.length))
                raise DimensionError(f"the right-hand side is {_said(value.shape)}, the left {left}")
            return value.evaluate(mask)
        if isinstance(value, Value) and (rows.is_one or columns.is_one):
            return _line(value, rows, columns)
        if not checks.is_number(value):
            raise InvalidTypeError(
                f"cannot assign {value!r}: expected a Matrix, an expression, a number, or a Vector to a row or column"
            )
        return self._constant(value, rows.length, columns.length, mask)

    def _constant(self, value: Any, nrows: int, ncols: int, mask: MatrixMask | None) -> Csr:
        number = checks.numeric("the value to assign", value)
        if self.accum is None:
            number = casts.cast(number, self.matrix.dtype)
        if mask is not None and not mask.complement:
            inside = mask.inside
            return csrs.make(inside.indptr, inside.indices, csrs.single(number), ncols, iso=True)
        memory.demand(f"a matrix of {nrows:,} × {ncols:,} entries", 8 * nrows * ncols)
        return csrs.make(
            np.arange(nrows + 1) * ncols, np.tile(np.arange(ncols), nrows), csrs.single(number), ncols, iso=True
        )

    def _assign(self, rows: Axis, columns: Axis, part: Csr) -> None:
        """C⟨mask, replace⟩(rows, columns) = C(rows, columns) ⊙ part, as GrB_assign: outside of the region C stays."""
        for chosen in (rows.chosen, columns.chosen):
            if chosen is not None and len(np.unique(chosen)) < len(chosen):
                raise InvalidValueError("index must not name a row or column twice in an assignment")
        c = self.matrix.csr
        t = regions.placed(part, rows.chosen, columns.chosen, c.nrows, c.ncols)
        if self.accum is None:
            z = elementwise.disjoint(
                regions.outside(c, rows.chosen, columns.chosen), elementwise.cast(t, c.values.dtype)
            )
        else:
            z = elementwise.accumulated(c, t, self.accum)
        self.matrix.assign(z if self.mask is None else write(c, z, self._mask, None, self.replace))


class IndexedMatrixUpdater:
    """``C(mask)[i, j]``, waiting for ``<<``."""

    def __init__(self, updater: MatrixUpdater, index: Any) -> None:
        self.updater, self.index = updater, index

    def __lshift__(self, value: Any) -> None:
        self.updater[self.index] = value


def _said(shape: tuple[int, int]) -> str:
    return f"{shape[0]} × {shape[1]}"


def _line(value: Value, rows: Axis, columns: Axis) -> Csr:
    """Return a vector as the one row, or the one column, of a matrix."""
    length = columns.length if rows.is_one else rows.length
    if value.size != length:
        raise DimensionError(f"the right-hand side is of size {value.size}, the left of size {length}")
    sparse = value.evaluate(None).sparse()
    if rows.is_one:
        return csrs.make(np.array([0, sparse.nvals]), sparse.indices, sparse.values, length, iso=False)
    starts = np.searchsorted(sparse.indices, np.arange(length + 1))
    return csrs.make(starts, np.zeros(sparse.nvals, np.int64), sparse.values, 1, iso=False)
