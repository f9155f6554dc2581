"""Reading and assigning: A[i, j], and C(mask, accum, replace) << value, which computes what stands on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..base import casts, checks, memory
from ..errors import DimensionError, InvalidTypeError
from ..storage import csr as csrs
from ..storage import elementwise, forms, regions
from ..storage.csr import Csr
from ..storage.forms import Form, Sparse
from ..storage.masks import Mask
from ..storage.matrix_masks import MatrixMask
from ..storage.matrix_writing import write
from .assignment import IndexedUpdater, check_one
from .expression import Expression, Value
from .indexing import Axis, axis
from .mask import MaskOf
from .matrix_expression import MatrixExpression, MatrixValue
from .matrix_mask import MaskOfMatrix
from .options import Options
from .place import LeftSide, Region, Spot
from .scalar import ScalarExpression, ScalarOperations, plain

if TYPE_CHECKING:
    from .matrix_operations import MatrixOperations

__all__ = ["LineUpdater", "MatrixUpdater", "matrix_indexed"]


def _axes(index: Any, shape: tuple[int, int]) -> tuple[Axis, Axis]:
    if index is ...:
        index = (..., ...)
    if not isinstance(index, tuple) or len(index) != 2:
        raise InvalidTypeError(f"a matrix is indexed by a row and a column, as in A[i, j] or A[:, j], not {index!r}")
    return axis(index[0], shape[0]), axis(index[1], shape[1])


class MatrixPlace(Region, MatrixExpression):
    """``A[I, J]``, several rows by several columns."""

    def __init__(self, matrix: MatrixOperations, index: Any, i: Axis, j: Axis) -> None:
        self.parent, self.index, self.i, self.j = matrix, index, i, j
        self.shape, self.dtype = (i.length, j.length), matrix.dtype

    def evaluate(self, mask: MatrixMask | None) -> Csr:
        """Return the entries as they are now."""
        return regions.extract(self.parent.csr, self.i, self.j)


class LinePlace(Region, Expression):
    """``A[i, J]`` or ``A[I, j]``, a row or a column, or a part of it."""

    def __init__(self, matrix: MatrixOperations, index: Any, i: Axis, j: Axis) -> None:
        self.parent, self.index, self.i, self.j = matrix, index, i, j
        self.size, self.dtype = (j if i.is_one else i).length, matrix.dtype

    def evaluate(self, mask: Mask | None) -> Form:
        """Return the entries as they are now."""
        part = regions.extract(self.parent.csr, self.i, self.j)
        at = part.indices if self.i.is_one else part.rows()
        return forms.settle(Sparse(self.size, at.astype(np.int64), part.all_values().copy()))

    def _masked(self, mask: MaskOf) -> tuple[tuple[int, ...], Any]:
        """Take a mask of a vector for one of the whole row or column."""
        if mask.ndim == 2:
            return self.parent.shape, self.index
        along = 1 if self.i.is_one else 0
        return (self.parent.shape[along],), self.index[along]


class MatrixEntryPlace(Spot, ScalarExpression):
    """``A[i, j]``, one position."""

    def __init__(self, matrix: MatrixOperations, index: Any, i: Axis, j: Axis) -> None:
        self.parent, self.index, self.row, self.column = matrix, index, i.places[0], j.places[0]
        super().__init__(matrix.dtype, self._read)

    def _read(self) -> Any:
        return regions.value_at(self.parent.csr, self.row, self.column)


def matrix_indexed(matrix: MatrixOperations, index: Any) -> MatrixPlace | LinePlace | MatrixEntryPlace:
    """Return what an index names of a matrix."""
    i, j = _axes(index, matrix.shape)
    kind: Any = (MatrixPlace, LinePlace, MatrixEntryPlace)[i.is_one + j.is_one]
    place: MatrixPlace | LinePlace | MatrixEntryPlace = kind(matrix, index, i, j)
    return place


class MatrixUpdater(LeftSide):
    """``C(mask, accum, replace)``: the left-hand side of an assignment.

    The arguments may come in any order, by position or by name: a mask (``M.S``, ``~M.V``), an accumulator (a
    binary operator or monoid) and `replace`.
    """

    def __init__(self, matrix: MatrixOperations, *args: Any, **named: Any) -> None:
        options = Options(MaskOfMatrix, matrix.shape, args, named)
        self.matrix, self.mask, self.accum, self.replace = matrix, options.mask, options.accum, options.replace

    @property
    def _mask(self) -> MatrixMask | None:
        """The mask of the entries that its matrix has now."""
        return None if self.mask is None else self.mask.now()

    def update(self, value: Any) -> None:
        """Compute what stands on the right, and write it."""
        mask, (nrows, ncols) = self._mask, self.matrix.shape
        t = self._csr_of(value, Axis.all(nrows), Axis.all(ncols), mask)
        self.matrix.assign(write(self.matrix.csr, t, mask, self.accum, self.replace))

    __lshift__ = update

    def __setitem__(self, index: Any, value: Any) -> None:
        rows, columns = _axes(index, self.matrix.shape)
        if rows.is_one and columns.is_one and self.mask is None and self.accum is None and checks.is_number(value):
            number = casts.cast(checks.numeric("the value to assign", value), self.matrix.dtype).item()
            self.matrix.set_later(rows.places[0], columns.places[0], number)
            return
        if rows.is_one and columns.is_one and not checks.is_number(value):
            check_one(value)
        self._assign(rows, columns, self._csr_of(value, rows, columns, None))

    def remove(self, index: Any) -> None:
        """Remove the entries of a region."""
        rows, columns = _axes(index, self.matrix.shape)
        if rows.is_one and columns.is_one:
            self.matrix.set_later(rows.places[0], columns.places[0], None)
        else:
            self._assign(rows, columns, csrs.empty(self.matrix.dtype, rows.length, columns.length))

    def __getitem__(self, index: Any) -> IndexedUpdater:
        return IndexedUpdater(self, index)

    def _csr_of(self, value: Any, rows: Axis, columns: Axis, mask: MatrixMask | None) -> Csr:
        """Return the right-hand side as a matrix of that region; only what `mask` allows of it is needed."""
        if isinstance(value, ScalarOperations):
            value = value.new()
            if value.is_empty:
                return csrs.empty(self.matrix.dtype, rows.length, columns.length)
            value = plain(value)
        if isinstance(value, MatrixValue) and not (rows.is_one or columns.is_one):
            if value.shape != (rows.length, columns.length):
                left = _said((rows.length, columns.length))
                raise DimensionError(f"the right-hand side is {_said(value.shape)}, the left {left}")
            return value.evaluate(mask)
        if isinstance(value, Value) and (rows.is_one or columns.is_one):
            return _line(value, rows, columns)
        if isinstance(value, list | tuple | np.ndarray):
            return _array(value, rows, columns)
        if not checks.is_number(value):
            raise InvalidTypeError(
                f"cannot assign {value!r}: expected a Matrix, an expression, an array, a number, "
                "or a Vector to a row or column"
            )
        return self._constant(value, rows.length, columns.length, mask)

    def _constant(self, value: Any, nrows: int, ncols: int, mask: MatrixMask | None) -> Csr:
        number = checks.numeric("the value to assign", value)
        if self.accum is None:
            number = casts.cast(number, self.matrix.dtype)
        if mask is not None and not mask.complement:
            return csrs.like(mask.inside, csrs.single(number), iso=True)
        memory.demand(f"a matrix of {nrows:,} × {ncols:,} entries", 8 * nrows * ncols)
        return csrs.make(
            np.arange(nrows + 1) * ncols, np.tile(np.arange(ncols), nrows), csrs.single(number), ncols, iso=True
        )

    def _assign(self, rows: Axis, columns: Axis, part: Csr) -> None:
        """C⟨mask, replace⟩(rows, columns) = C(rows, columns) ⊙ part, as GrB_assign: outside of the region C stays."""
        rows.check_distinct()
        columns.check_distinct()
        c, t = self.matrix.csr, regions.placed(part, rows, columns)
        if self.accum is None:
            z = elementwise.disjoint(regions.outside(c, rows, columns), elementwise.cast(t, c.values.dtype))
        else:
            z = elementwise.accumulated(c, t, self.accum)
        self.matrix.assign(z if self.mask is None else write(c, z, self._mask, None, self.replace))


class LineUpdater(LeftSide):
    """``A(mask)`` with a mask of one dimension: what is assigned to is a row or a column, and the mask is over it."""

    def __init__(self, matrix: MatrixOperations, args: tuple[Any, ...], named: dict[str, Any]) -> None:
        self.matrix, self.args, self.named = matrix, args, named

    def __getitem__(self, index: Any) -> IndexedUpdater:
        return IndexedUpdater(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        rows, columns = _axes(index, self.matrix.shape)
        if rows.is_one == columns.is_one:
            raise InvalidTypeError("a mask of a vector is for a row or a column, as in A(v.S)[i, :] << value")
        whole, part = ((index[0], ...), index[1]) if rows.is_one else ((..., index[1]), index[0])
        line: Any = matrix_indexed(self.matrix, whole).new()
        line(*self.args, **self.named)[part] << value
        MatrixUpdater(self.matrix)[whole] = line

    def update(self, value: Any) -> None:
        """Refuse: all of a matrix has two dimensions."""
        raise InvalidTypeError("the mask of a matrix must be a mask of 2 dimensions, not of a vector")

    __lshift__ = update


def _said(shape: tuple[int, int]) -> str:
    return f"{shape[0]} × {shape[1]}"


def _line(value: Value, rows: Axis, columns: Axis) -> Csr:
    """Return a vector as the one row, or the one column, of a matrix."""
    length = columns.length if rows.is_one else rows.length
    if value.size != length:
        raise DimensionError(f"the right-hand side is of size {value.size}, the left of size {length}")
    sparse = value.evaluate(None).sparse()
    zeros = np.zeros(sparse.nvals, np.int64)
    if rows.is_one:
        return csrs.from_coo(zeros, sparse.indices, sparse.values, 1, length, None)
    return csrs.from_coo(sparse.indices, zeros, sparse.values, length, 1, None)


def _array(value: Any, rows: Axis, columns: Axis) -> Csr:
    """Return an array, or one of a single dimension for a row or column, as a matrix."""
    array, shape = checks.numeric("the value to assign", value), (rows.length, columns.length)
    wanted = (columns if rows.is_one else rows).length
    if (rows.is_one or columns.is_one) and array.shape == (wanted,):
        array = array.reshape(shape)
    if array.shape != shape:
        raise DimensionError(f"the right-hand side is of shape {array.shape}, the left {_said(shape)}")
    i, j = np.divmod(np.arange(array.size), max(shape[1], 1))
    return csrs.from_coo(i, j, array.ravel(), *shape, None)
