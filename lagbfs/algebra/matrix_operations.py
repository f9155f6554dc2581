"""What can be done with a matrix: the operations of GraphBLAS, each a lazy expression."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base import checks
from ..errors import DimensionError, InvalidTypeError, InvalidValueError
from ..operators import agg, binary, indexunary, monoid, select, unary
from ..operators import semiring as semirings
from ..operators.indexunary import IndexUnaryOp, TypedIndexUnaryOp
from ..storage import csr as csrs
from ..storage import elementwise, forms
from ..storage.csr import Csr
from ..storage.folding import fold, fold_columns, fold_rows
from ..storage.forms import Sparse
from ..storage.selection import selected
from .expression import VECTOR, Computed, Expression, Value
from .infix import Ewise
from .infix_expression import Joined
from .matrix_assignment import LineUpdater, MatrixUpdater, matrix_indexed
from .matrix_expression import MatrixComputed, MatrixExpression, MatrixValue
from .matrix_mask import MaskOfMatrix
from .matrix_products import MatrixProducts
from .place import InputUpdater
from .positions import positions
from .scalar import ScalarExpression
from .values import copied
from .vector_mask import VectorMask

if TYPE_CHECKING:
    from .matrix import Matrix
    from .vector import Vector

__all__ = ["MatrixOperations"]


class MatrixOperations(Joined, MatrixProducts):
    """The operations of a matrix, over what it holds."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def T(self) -> Matrix:
            """The transpose."""

        def assign(self, csr: Csr) -> None:
            """Hold other entries from now on."""

        def set_later(self, row: int, column: int, value: Any) -> None:
            """Set one entry."""

    @property
    def S(self) -> MaskOfMatrix:
        """The mask of the positions that hold an entry."""
        return MaskOfMatrix(self, structural=True)

    @property
    def V(self) -> MaskOfMatrix:
        """The mask of the positions that hold a true entry."""
        return MaskOfMatrix(self, structural=False)

    def ewise_add(self, other: Any, op: Any = monoid.plus) -> MatrixExpression:
        """Return the union with `other`: `op` where both have an entry, the one entry where only one has.

        A vector may be the other: each row is united with it.
        """
        combine, both = binary.lookup("op", op), self._other(self._in_rows(other))
        dtype = combine.result_dtype(self.dtype, both.dtype)
        if combine.position:
            return MatrixComputed(self.shape, dtype, lambda: positions(self, both, combine, True).csr)
        return MatrixComputed(self.shape, dtype, lambda: elementwise.union(self.csr, both.csr, combine))

    def ewise_mult(self, other: Any, op: Any = binary.times) -> MatrixExpression:
        """Return the intersection with `other`: `op` where both have an entry.

        A vector may be the other: each row is intersected with it.
        """
        combine = binary.lookup("op", op)
        if isinstance(other, Value):
            diagonal: MatrixValue = other.diag()  # type: ignore[attr-defined]
            return self.mxm(diagonal, semirings.get_semiring(monoid.any, combine))
        both = self._other(other)
        dtype = combine.result_dtype(self.dtype, both.dtype)
        if combine.position:
            return MatrixComputed(self.shape, dtype, lambda: positions(self, both, combine, False).csr)
        return MatrixComputed(self.shape, dtype, lambda: elementwise.intersection(self.csr, both.csr, combine))

    def ewise_union(self, other: Any, op: Any, left_default: Any, right_default: Any) -> MatrixExpression:
        """Return the union with `other`, where `op` takes a default for the entry that one of them has not.

        Examples
        --------
        >>> from lagbfs import Matrix, binary
        >>> A, B = Matrix.from_coo([0], [0], [5], ncols=2), Matrix.from_coo([0], [1], [3])
        >>> A.ewise_union(B, binary.minus, 0, 1).new().to_coo()[2].tolist()
        [4, -3]
        """
        combine, both = binary.lookup("op", op), self._other(self._in_rows(other))
        left, right = checks.numeric("left_default", left_default), checks.numeric("right_default", right_default)
        x, y = np.result_type(self.dtype, left.dtype), np.result_type(both.dtype, right.dtype)
        return MatrixComputed(
            self.shape,
            combine.result_dtype(x, y),
            lambda: elementwise.filled_union(self.csr, both.csr, combine, left.astype(x), right.astype(y)),
        )

    def _in_rows(self, other: Any) -> Any:
        """Return the matrix that holds a vector in each of as many rows as this one has; or `other` as it is."""
        if not isinstance(other, Value):
            return other
        checks.same_size("the vector's size", other.size, "the matrix's columns", self.shape[1])
        return VECTOR().from_scalar(True, self.shape[0]).outer(other, binary.second)

    def _other(self, other: Any) -> MatrixValue:
        if isinstance(other, Ewise):
            other = other.by_default()
        if not isinstance(other, MatrixValue):
            raise InvalidTypeError(f"other must be a Matrix, not {other!r}")
        if other.shape != self.shape:
            raise DimensionError(f"this matrix is {self.shape}, the other {other.shape}: they must be equal")
        return other

    def apply(self, op: Any, right: Any = None, *, left: Any = None) -> MatrixExpression:
        """Return the matrix with a unary operator, or a binary one bound to a scalar, applied to each value.

        An index operator takes its thunk for `right`.

        Examples
        --------
        >>> from lagbfs import Matrix, binary
        >>> Matrix.from_coo([0], [1], [8]).apply(binary.minus, left=10).new().to_coo()[2].tolist()
        [2]
        """
        if (placed := indexunary.placed(op, right, left)) is not None:
            return self._apply_index(*placed)
        if right is None and left is None:
            unary_op = unary.lookup("op", op)
            return self._mapped(unary_op.result_dtype(self.dtype), unary_op.compute)
        if right is not None and left is not None:
            raise InvalidTypeError("apply takes left or right, not both")
        combine = binary.lookup("op", op)
        bound = checks.numeric("right" if left is None else "left", right if left is None else left)

        def compute(values: Any) -> Any:
            other = np.full(len(values), bound)
            return combine.compute(values, other) if left is None else combine.compute(other, values)

        pair = (self.dtype, bound.dtype) if left is None else (bound.dtype, self.dtype)
        expression = self._mapped(combine.result_dtype(*pair), compute)
        expression.applied = (self, combine, bound) if left is None else None
        return expression

    def _mapped(self, dtype: np.dtype[Any], compute: Callable[[Any], Any]) -> MatrixExpression:
        return MatrixComputed(self.shape, dtype, lambda: elementwise.with_values(self.csr, compute(self.csr.values)))

    def _apply_index(self, op: IndexUnaryOp | TypedIndexUnaryOp, thunk: Any) -> MatrixExpression:
        bound = op.bound(thunk)

        def compute() -> Csr:
            csr = self.csr
            values = op.compute(csr.rows().astype(np.int64), csr.indices.astype(np.int64), csr.all_values(), bound)
            return csrs.like(csr, values, iso=False)

        return MatrixComputed(self.shape, op.result_dtype(self.dtype, bound), compute)

    def select(self, op: Any, thunk: Any = None) -> MatrixExpression:
        """Return the entries whose value, or position, compares true with `thunk`, as in ``A.select(">", 0)``.

        Examples
        --------
        >>> from lagbfs import Matrix, select
        >>> Matrix.from_edges([0, 1], [1, 0]).select(select.triu).new().nvals
        1
        """
        if isinstance(op, MaskOfMatrix | MatrixValue):
            if thunk is not None:
                raise InvalidTypeError("thunk is for operators: a mask selects without one")
            return self._select_by(op)
        test = select.lookup("op", op).test
        bound = test.bound(thunk)
        return MatrixComputed(self.shape, self.dtype, lambda: selected(self.csr, test, bound))

    def _select_by(self, mask: Any) -> MatrixExpression:
        by = MaskOfMatrix.of("op", mask, self.shape)
        return MatrixComputed(self.shape, self.dtype, lambda: elementwise.kept(self.csr, by.now().allows(self.csr)))

    def reduce_rowwise(self, op: Any = monoid.plus) -> Expression:
        """Return the vector of each row's values folded by a monoid, or aggregated; of rows that have any.

        Examples
        --------
        >>> from lagbfs import Matrix, monoid
        >>> A = Matrix.from_coo([0, 0, 2], [0, 1, 1], [4, 5, 6])
        >>> A.reduce_rowwise(monoid.plus).new().to_dict()
        {0: 9, 2: 6}
        """
        folding = agg.lookup("op", op).over(self.dtype)
        return Computed(self.shape[0], folding.return_type, lambda: fold_rows(self.csr, folding))

    def reduce_columnwise(self, op: Any = monoid.plus) -> Expression:
        """Return the vector of each column's values folded by a monoid, or aggregated."""
        folding = agg.lookup("op", op).over(self.dtype)
        return Computed(self.shape[1], folding.return_type, lambda: fold_columns(self.csr, folding))

    def reduce_scalar(self, op: Any = monoid.plus, *, allow_empty: bool = True) -> ScalarExpression:
        """Return all values folded by a monoid, or aggregated; of no entries empty, or the monoid's identity."""
        folding = agg.lookup("op", op).over(self.dtype)
        of_nothing = None if allow_empty else folding.identity

        def compute() -> Any:
            csr = self.csr
            return fold(csr, folding).item() if csr.nvals else of_nothing

        return ScalarExpression(folding.return_type, compute)

    def reposition(
        self, row_offset: int, column_offset: int, *, nrows: int | None = None, ncols: int | None = None
    ) -> MatrixExpression:
        """Return the matrix with its entries moved by offsets; those that fall outside are left out.

        Examples
        --------
        >>> from lagbfs import Matrix
        >>> Matrix.from_coo([0, 1], [0, 1], [5, 6]).reposition(0, 1).new().to_dicts()
        {0: {1: 5}}
        """
        down, right = checks.integer("row_offset", row_offset), checks.integer("column_offset", column_offset)
        shape = (
            self.shape[0] if nrows is None else checks.extent("nrows", nrows),
            self.shape[1] if ncols is None else checks.extent("ncols", ncols),
        )

        def compute() -> Csr:
            csr = self.csr
            i, j = csr.rows().astype(np.int64) + down, csr.indices.astype(np.int64) + right
            keep = (i >= 0) & (i < shape[0]) & (j >= 0) & (j < shape[1])
            return csrs.from_coo(i[keep], j[keep], csr.all_values()[keep], *shape, None)

        return MatrixComputed(shape, self.dtype, compute)

    def diag(self, k: int = 0, dtype: Any = None, *, name: str | None = None) -> Vector:
        """Return the k-th diagonal as a Vector: entry i is that of (i, i + k), or for a negative k of (i - k, i).

        Examples
        --------
        >>> from lagbfs import Matrix
        >>> Matrix.from_coo([0, 1], [1, 1], [5, 6]).diag(1).to_dict()
        {0: 5}
        """
        k = checks.integer("k", k)
        on = elementwise.kept(self.csr, self.csr.indices.astype(np.int64) - self.csr.rows() == k)
        size = max(min(on.nrows + min(k, 0), on.ncols - max(k, 0)), 0)
        at = (on.rows() if k >= 0 else on.indices).astype(np.int64)
        return VECTOR().from_form(forms.settle(Sparse(size, at, copied(on.all_values(), dtype))), name=name)

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Return the left-hand side of an assignment with a mask, an accumulator and `replace`."""
        if (mask := named.pop("input_mask", None)) is not None:
            return InputUpdater(self, mask, args, named)
        if any(isinstance(value, VectorMask) for value in (*args, *named.values())):
            return LineUpdater(self, args, named)
        return MatrixUpdater(self, *args, **named)

    def update(self, value: Any) -> None:
        """Assign to all positions; the same as ``A << value``."""
        MatrixUpdater(self) << value

    __lshift__ = update

    def __getitem__(self, index: Any) -> Any:
        return matrix_indexed(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        MatrixUpdater(self)[index] = value

    def __delitem__(self, index: Any) -> None:
        MatrixUpdater(self).remove(index)

    def __contains__(self, index: Any) -> bool:
        place = self[index]
        if place.ndim:
            raise InvalidTypeError(f"{index!r} names several positions: one is in a matrix or not")
        return place.value is not None

    def __iter__(self) -> Iterator[tuple[int, int]]:
        csr = self.csr
        return zip(csr.rows().tolist(), csr.indices.tolist(), strict=True)

    def get(self, row: int, col: int, default: Any = None) -> Any:
        """Return the value at a position as a Python number, `default` if there is no entry."""
        place = self[row, col]
        if place.ndim:
            raise InvalidValueError(f"row and col must be one position, not {row!r}, {col!r}")
        value = place.value
        return default if value is None else value
