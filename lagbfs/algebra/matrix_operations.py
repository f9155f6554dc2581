"""What can be done with a matrix: the operations of GraphBLAS, each a lazy expression."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base import checks
from ..errors import DimensionError, InvalidTypeError
from ..operators import binary, monoid, select, unary
from ..operators import semiring as semirings
from ..operators.indexunary import IndexUnaryOp
from ..storage import csr as csrs
from ..storage import elementwise, forms
from ..storage.csr import Csr
from ..storage.forms import Form, Sparse
from .arithmetic import Arithmetic
from .entries import Entries
from .expression import VECTOR, Computed, Expression, Product, ProductInfix
from .matrix_assignment import MatrixIndexed, MatrixUpdater
from .matrix_entries import MatrixEntries
from .matrix_expression import (
    MatrixComputed,
    MatrixEwiseInfix,
    MatrixExpression,
    MatrixProduct,
    MatrixProductInfix,
)
from .matrix_mask import MaskOfMatrix
from .scalar import Scalar

if TYPE_CHECKING:
    from .matrix import Matrix
    from .vector import Vector

__all__ = ["MatrixOperations"]


class MatrixOperations(Arithmetic, MatrixEntries):
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

    def ewise_add(self, other: MatrixOperations, op: Any = monoid.plus) -> MatrixExpression:
        """Return the union with `other`: `op` where both have an entry, the one entry where only one has."""
        combine = binary.lookup("op", op)
        dtype = combine.union_dtype(self.dtype, self._other(other).dtype)
        return MatrixComputed(self.shape, dtype, lambda: elementwise.union(self.csr, other.csr, combine))

    def ewise_mult(self, other: MatrixOperations, op: Any = binary.times) -> MatrixExpression:
        """Return the intersection with `other`: `op` where both have an entry."""
        combine = binary.lookup("op", op)
        dtype = combine.result_dtype(self.dtype, self._other(other).dtype)
        return MatrixComputed(self.shape, dtype, lambda: elementwise.intersection(self.csr, other.csr, combine))

    def ewise_union(self, other: MatrixOperations, op: Any, left_default: Any, right_default: Any) -> MatrixExpression:
        """Return the union with `other`, where `op` takes a default for the entry that one of them has not.

        Examples
        --------
        >>> from lagbfs import Matrix, binary
        >>> A, B = Matrix.from_coo([0], [0], [5], ncols=2), Matrix.from_coo([0], [1], [3])
        >>> A.ewise_union(B, binary.minus, 0, 1).new().to_coo()[2].tolist()
        [4, -3]
        """
        combine, both = binary.lookup("op", op), self._other(other)
        left, right = checks.numeric("left_default", left_default), checks.numeric("right_default", right_default)
        x, y = np.result_type(self.dtype, left.dtype), np.result_type(both.dtype, right.dtype)
        return MatrixComputed(
            self.shape,
            combine.result_dtype(x, y),
            lambda: elementwise.filled_union(self.csr, both.csr, combine, left.astype(x), right.astype(y)),
        )

    def _other(self, other: Any) -> MatrixOperations:
        if not isinstance(other, MatrixOperations):
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
        if isinstance(op, IndexUnaryOp):
            return self._apply_index(op, right)
        if right is None and left is None:
            unary_op = unary.lookup("op", op)
            return self._mapped(unary_op.compute(np.zeros(0, self.dtype)).dtype, unary_op.compute)
        if right is not None and left is not None:
            raise InvalidTypeError("apply takes left or right, not both")
        combine = binary.lookup("op", op)
        bound = checks.numeric("right" if left is None else "left", right if left is None else left)

        def compute(values: Any) -> Any:
            other = np.full(len(values), bound)
            return combine.compute(values, other) if left is None else combine.compute(other, values)

        pair = (self.dtype, bound.dtype) if left is None else (bound.dtype, self.dtype)
        return self._mapped(combine.result_dtype(*pair), compute)

    def _mapped(self, dtype: np.dtype[Any], compute: Callable[[Any], Any]) -> MatrixExpression:
        return MatrixComputed(self.shape, dtype, lambda: elementwise.with_values(self.csr, compute(self.csr.values)))

    def _apply_index(self, op: IndexUnaryOp, thunk: Any) -> MatrixExpression:
        bound = op.bound(thunk)

        def compute() -> Csr:
            csr = self.csr
            values = op.compute(csr.rows().astype(np.int64), csr.indices.astype(np.int64), csr.all_values(), bound)
            return csrs.make(csr.indptr, csr.indices, values, csr.ncols, iso=False)

        return MatrixComputed(self.shape, op.dtype, compute)

    def select(self, op: Any, thunk: Any = None) -> MatrixExpression:
        """Return the entries whose value, or position, compares true with `thunk`, as in ``A.select(">", 0)``.

        Examples
        --------
        >>> from lagbfs import Matrix, select
        >>> Matrix.from_edges([0, 1], [1, 0]).select(select.triu).new().nvals
        1
        """
        test = select.lookup("op", op).test
        bound = test.bound(thunk)

        def compute() -> Csr:
            csr = self.csr
            i = csr.rows() if test.positional else None
            return elementwise.kept(csr, test.compute(i, csr.indices, csr.all_values(), bound))

        return MatrixComputed(self.shape, self.dtype, compute)

    def reduce_rowwise(self, op: Any = monoid.plus) -> Expression:
        """Return the vector of each row's values folded by a monoid; rows without entries have none there.

        Examples
        --------
        >>> from lagbfs import Matrix, monoid
        >>> A = Matrix.from_coo([0, 0, 2], [0, 1, 1], [4, 5, 6])
        >>> A.reduce_rowwise(monoid.plus).new().to_dict()
        {0: 9, 2: 6}
        """
        folding = monoid.lookup("op", op)

        def compute() -> Form:
            csr = self.csr
            rows = np.flatnonzero(np.diff(csr.indptr))
            sums = folding.fold_groups(csr.all_values(), csr.indptr[rows]) if len(rows) else csr.values[:0]
            return forms.settle(Sparse(csr.nrows, rows, sums.astype(dtype, copy=False)))

        dtype = folding.op.result_dtype(self.dtype, self.dtype)
        return Computed(self.shape[0], dtype, compute)

    def reduce_columnwise(self, op: Any = monoid.plus) -> Expression:
        """Return the vector of each column's values folded by a monoid."""
        return self.T.reduce_rowwise(op)

    def reduce_scalar(self, op: Any = monoid.plus) -> Scalar:
        """Return all values folded into one by a monoid; empty if there is no entry."""
        csr = self.csr
        return Scalar(monoid.lookup("op", op).fold(csr.all_values()).item() if csr.nvals else None)

    def mxm(self, other: MatrixOperations, op: Any = semirings.plus_times) -> MatrixProduct:
        """Return the product C_ij = ⊕_k A_ik ⊗ other_kj with a matrix, in a semiring.

        Examples
        --------
        >>> from lagbfs import Matrix, semiring
        >>> A = Matrix.from_edges([0, 1], [1, 2], n=3)
        >>> A.mxm(A, semiring.plus_pair).new()[0, 2].value
        1
        """
        if not isinstance(other, MatrixOperations):
            raise InvalidTypeError(f"other must be a Matrix, not {other!r}")
        return MatrixProduct(self, other, semirings.lookup("op", op))

    def mxv(self, other: Vector, op: Any = semirings.plus_times) -> Product:
        """Return the product w_i = ⊕_k A_ik ⊗ other_k with a vector, in a semiring."""
        if not isinstance(other, Entries):
            raise InvalidTypeError(f"other must be a Vector, not {other!r}")
        return ProductInfix(other, self.T, flipped=True).in_semiring(semirings.lookup("op", op))

    def __matmul__(self, other: Any) -> Any:
        if isinstance(other, MatrixOperations):
            return MatrixProductInfix(self, other)
        if not isinstance(other, Entries):
            raise InvalidTypeError(f"a Matrix can be multiplied by a Matrix or a Vector, not by {other!r}")
        # A q = q Aᵀ with the operands of the multiplication exchanged.
        return ProductInfix(other, self.T, flipped=True)

    def power(self, n: int, op: Any = semirings.plus_times) -> MatrixExpression:
        """Return the product of `n` times this matrix, by repeated squaring.

        Examples
        --------
        >>> import lagbfs
        >>> A = lagbfs.graphs.path(5)
        >>> A.power(4, lagbfs.semiring.plus_times).new()[0, 4].value
        1
        """
        times, semiring = checks.integer("n", n, low=1), semirings.lookup("op", op)
        if self.shape[0] != self.shape[1]:
            raise DimensionError(f"a matrix must be square to have powers, not {self.shape[0]} × {self.shape[1]}")

        def compute() -> Csr:
            result: MatrixOperations = self
            for bit in bin(times)[3:]:  # after the first
                result = result.mxm(result, semiring).new()
                if bit == "1":
                    result = result.mxm(self, semiring).new()
            return result.csr

        dtype = self.dtype if times == 1 else semiring.result_dtype(self.dtype, self.dtype)
        return MatrixComputed(self.shape, dtype, compute)

    def kronecker(self, other: MatrixOperations, op: Any = binary.times) -> MatrixExpression:
        """Return the Kronecker product: each entry of this matrix, by `op`, with all of the other.

        Examples
        --------
        >>> from lagbfs import Matrix
        >>> A = Matrix.from_coo([0, 1], [1, 0], [2, 3])
        >>> A.kronecker(A).new().to_dense(0)[0].tolist()
        [0, 0, 0, 4]
        """
        combine = binary.lookup("op", op)
        if not isinstance(other, MatrixOperations):
            raise InvalidTypeError(f"other must be a Matrix, not {other!r}")
        shape = self.shape[0] * other.shape[0], self.shape[1] * other.shape[1]
        dtype = combine.result_dtype(self.dtype, other.dtype)
        return MatrixComputed(shape, dtype, lambda: elementwise.kronecker(self.csr, other.csr, combine))

    def diag(self, k: int = 0) -> Vector:
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
        return VECTOR().from_form(forms.settle(Sparse(size, at, on.all_values().copy())))

    def __or__(self, other: MatrixOperations) -> MatrixEwiseInfix:
        return MatrixEwiseInfix(self, self._other(other), is_union=True)

    def __and__(self, other: MatrixOperations) -> MatrixEwiseInfix:
        return MatrixEwiseInfix(self, self._other(other), is_union=False)

    def __call__(self, *args: Any, **named: Any) -> MatrixUpdater:
        """Return the left-hand side of an assignment with a mask, an accumulator and `replace`."""
        return MatrixUpdater(self, *args, **named)

    def __lshift__(self, value: Any) -> None:
        MatrixUpdater(self) << value

    def __getitem__(self, index: Any) -> MatrixIndexed:
        return MatrixIndexed(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        MatrixUpdater(self)[index] = value

    def __delitem__(self, index: Any) -> None:
        MatrixUpdater(self).remove(index)

    def __contains__(self, index: Any) -> bool:
        return self[index].value is not None

    def __iter__(self) -> Iterator[tuple[int, int]]:
        csr = self.csr
        return zip(csr.rows().tolist(), csr.indices.tolist(), strict=True)

    def get(self, row: int, column: int, default: Any = None) -> Any:
        """Return the value at a position as a Python number, `default` if there is no entry."""
        value = self[row, column].value
        return default if value is None else value
