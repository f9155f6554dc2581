"""What can be done with a vector: the operations of GraphBLAS, each a lazy expression."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..base import checks
from ..base.arrays import namespace
from ..errors import InvalidTypeError
from ..operators import agg, binary, indexunary, monoid, select, unary
from ..operators import semiring as semirings
from ..operators.indexunary import IndexUnaryOp, TypedIndexUnaryOp
from ..storage import forms
from ..storage.forms import Form, Sparse
from .entries import Entries
from .expression import Computed, Expression, Product, Value
from .infix_expression import Joined, matmul
from .matrix_expression import MATRIX, MatrixExpression, MatrixValue
from .positions import positions
from .scalar import ScalarExpression
from .vector_mask import VectorMask

if TYPE_CHECKING:
    from .matrix import Matrix

__all__ = ["VectorOperations"]


class VectorOperations(Joined, Entries):
    """The operations of a vector, over what it holds."""

    __slots__ = ()

    @property
    def S(self) -> VectorMask:
        """The mask of the positions that hold an entry."""
        return VectorMask(self, structural=True)

    @property
    def V(self) -> VectorMask:
        """The mask of the positions that hold a true entry."""
        return VectorMask(self, structural=False)

    def ewise_add(self, other: Any, op: Any = monoid.plus) -> Any:
        """Return the union with `other`: `op` where both have an entry, the one entry where only one has.

        A matrix may be the other: each of its columns is united with the vector.
        """
        if isinstance(other, MatrixValue):
            return self._in_columns(other).ewise_add(other, op)
        return self._ewise(other, binary.lookup("op", op), forms.union)

    def ewise_mult(self, other: Any, op: Any = binary.times) -> Any:
        """Return the intersection with `other`: `op` where both have an entry.

        A matrix may be the other: each of its columns is intersected with the vector.
        """
        if isinstance(other, MatrixValue):
            return self.diag().mxm(other, semirings.get_semiring(monoid.any, op))
        return self._ewise(other, binary.lookup("op", op), forms.intersection)

    def ewise_union(self, other: Any, op: Any, left_default: Any, right_default: Any) -> Any:
        """Return the union with `other`, where `op` takes a default for the entry that one of them has not.

        Examples
        --------
        >>> from lagbfs import Vector, binary
        >>> v, w = Vector.from_coo([0], [5], size=2), Vector.from_coo([1], [3], size=2)
        >>> v.ewise_union(w, binary.minus, 0, 1).new().to_dict()
        {0: 4, 1: -3}
        """
        if isinstance(other, MatrixValue):
            return self._in_columns(other).ewise_union(other, op, left_default, right_default)
        combine, other = binary.lookup("op", op), self._other(other)
        left, right = checks.numeric("left_default", left_default), checks.numeric("right_default", right_default)
        x, y = np.result_type(self.dtype, left.dtype), np.result_type(other.dtype, right.dtype)
        return Computed(
            self.size,
            combine.result_dtype(x, y),
            lambda: forms.filled_union(self.form, other.form, combine, left.astype(x), right.astype(y)),
        )

    def _in_columns(self, like: MatrixValue) -> MatrixExpression:
        """Return the matrix that holds this vector in each of as many columns as another one has."""
        checks.same_size("the vector's size", self.size, "the matrix's rows", like.shape[0])
        return self.outer(type(self).from_form(forms.Full(like.shape[1], np.ones(like.shape[1], bool))), binary.first)

    def _other(self, other: Any) -> Value:
        """Return the other vector of an operation, or an expression that is one."""
        value = self._check_vector("other", other)
        checks.same_size("this vector's size", self.size, "the other's", value.size)
        return value

    def _ewise(self, other: Any, op: binary.Binary, combine: Any) -> Expression:
        other = self._other(other)
        dtype = op.result_dtype(self.dtype, other.dtype)
        if op.position:
            return Computed(self.size, dtype, lambda: positions(self, other, op, combine is forms.union).form)
        return Computed(self.size, dtype, lambda: combine(self.form, other.form, op))

    def apply(self, op: Any, right: Any = None, *, left: Any = None) -> Expression:
        """Return the vector with a unary operator, or a binary one bound to a scalar, applied to each value.

        An index operator takes its thunk for `right`.

        Examples
        --------
        >>> from lagbfs import Vector, binary
        >>> Vector.from_coo([0], [8], size=2).apply(binary.minus, left=10).new().to_dict()
        {0: 2}
        """
        if (placed := indexunary.placed(op, right, left)) is not None:
            return self._apply_index(*placed)
        if right is None and left is None:
            unary_op = unary.lookup("op", op)
            dtype = unary_op.result_dtype(self.dtype)
            return Computed(self.size, dtype, lambda: self.form.with_values(unary_op.compute(self.form.values)))
        if right is not None and left is not None:
            raise InvalidTypeError("apply takes left or right, not both")
        binary_op = binary.lookup("op", op)
        bound = checks.numeric("right" if left is None else "left", right if left is None else left)

        def compute() -> Form:
            values = self.form.values
            other = namespace(values).full(len(values), bound, bound.dtype)
            pair = (values, other) if left is None else (other, values)
            return self.form.with_values(binary_op.compute(*pair))

        pair = (self.dtype, bound.dtype) if left is None else (bound.dtype, self.dtype)
        expression = Computed(self.size, binary_op.result_dtype(*pair), compute)
        expression.applied = (self, binary_op, bound) if left is None else None
        return expression

    def _apply_index(self, op: IndexUnaryOp | TypedIndexUnaryOp, thunk: Any) -> Expression:
        bound = op.bound(thunk)

        def compute() -> Form:
            sparse = self.form.sparse()
            column = namespace(sparse.values).zeros(sparse.nvals, np.int64)
            return Sparse(self.size, sparse.indices.copy(), op.compute(sparse.indices, column, sparse.values, bound))

        return Computed(self.size, op.result_dtype(self.dtype, bound), compute)

    def select(self, op: Any, thunk: Any = None) -> Expression:
        """Return the entries whose value, or index, compares true with `thunk`, as in ``v.select(">", 0)``.

        A mask, or a vector or expression of bools, selects the entries at its true positions.
        """
        if isinstance(op, VectorMask | Value):
            if thunk is not None:
                raise InvalidTypeError("thunk is for operators: a mask selects without one")
            return self._select_by(op)
        test = select.lookup("op", op).test
        bound = test.bound(thunk)

        def compute() -> Form:
            sparse = self.form.sparse()
            column = namespace(sparse.values).zeros(sparse.nvals, np.int64)
            keep = test.compute(sparse.indices, column, sparse.values, bound)
            return Sparse(self.size, sparse.indices[keep], sparse.values[keep])

        return Computed(self.size, self.dtype, compute)

    def _select_by(self, mask: Any) -> Expression:
        by = VectorMask.of("op", mask, self.shape)

        def compute() -> Form:
            sparse = self.form.sparse()
            keep = by.now().allows(sparse.indices)
            return Sparse(self.size, sparse.indices[keep], sparse.values[keep])

        return Computed(self.size, self.dtype, compute)

    def reduce(self, op: Any = monoid.plus, *, allow_empty: bool = True) -> ScalarExpression:
        """Return all values folded into one by a monoid, or aggregated (`lagbfs.agg`).

        Of no entries it is empty, or if that is not allowed the monoid's identity.
        """
        folding = agg.lookup("op", op).over(self.dtype)
        of_nothing = None if allow_empty else folding.identity

        def compute() -> Any:
            form = self.form
            values = form.values if form.nvals == form.size else form.sparse().values
            if not len(values):
                return of_nothing
            places = form.sparse().indices if isinstance(folding, agg.TypedAggregator) else None
            return folding.fold(values, places).item()

        return ScalarExpression(folding.return_type, compute)

    def reposition(self, offset: int, *, size: int | None = None) -> Expression:
        """Return the vector with its entries moved by `offset`; those that fall outside are left out.

        Examples
        --------
        >>> from lagbfs import Vector
        >>> Vector.from_coo([0, 2], [3, 4], size=3).reposition(1).new().to_dict()
        {1: 3}
        """
        by = checks.integer("offset", offset)
        length = self.size if size is None else checks.extent("size", size)

        def compute() -> Form:
            sparse = self.form.sparse()
            moved = sparse.indices + by
            keep = (moved >= 0) & (moved < length)
            return forms.settle(Sparse(length, moved[keep], sparse.values[keep]))

        return Computed(length, self.dtype, compute)

    def diag(self, k: int = 0, *, name: str | None = None) -> Matrix:
        """Return the square matrix whose k-th diagonal holds the entries: entry i at (i, i + k), or at (i - k, i)."""
        k = checks.integer("k", k)
        sparse, size = self.to_host().form.sparse(), self.size + abs(k)
        rows, columns = sparse.indices + max(-k, 0), sparse.indices + max(k, 0)
        return MATRIX().from_coo(rows, columns, sparse.values, nrows=size, ncols=size, name=name)

    def as_matrix(self) -> Matrix:
        """Return the matrix of one column that holds the vector."""
        sparse = self.to_host().form.sparse()
        column = np.zeros(sparse.nvals, np.int64)
        return MATRIX().from_coo(sparse.indices, column, sparse.values, nrows=self.size, ncols=1)

    def vxm(self, other: MatrixValue, op: Any = semirings.plus_times) -> Product:
        """Return the product w_j = ⊕_k self_k ⊗ A_kj with a matrix, in a semiring."""
        if not isinstance(other, MatrixValue):
            raise InvalidTypeError(f"other must be a Matrix, not {other!r}")
        return Product(self, other, semirings.lookup("op", op))

    def inner(self, other: Any, op: Any = semirings.plus_times) -> ScalarExpression:
        """Return the inner product ⊕_k self_k ⊗ other_k, in a semiring; empty if they share no position.

        Examples
        --------
        >>> from lagbfs import Vector
        >>> v = Vector.from_coo([0, 2], [3, 4], size=3)
        >>> v.inner(v).value
        25
        """
        value: Any = self._other(other)
        semiring = semirings.lookup("op", op)
        dtype = semiring.result_dtype(self.dtype, value.dtype)
        return ScalarExpression(dtype, lambda: _first(Product(self, value.as_matrix(), semiring).evaluate(None)))

    def outer(self, other: Any, op: Any = binary.times) -> MatrixExpression:
        """Return the matrix with ``op(self_i, other_j)`` at (i, j).

        Examples
        --------
        >>> from lagbfs import Vector
        >>> Vector.from_dense([1, 2]).outer(Vector.from_dense([3, 4])).new().to_dense().tolist()
        [[3, 4], [6, 8]]
        """
        value: Any = self._check_vector("other", other)
        return self.as_matrix().kronecker(value.as_matrix().T, op)

    def __matmul__(self, other: Any) -> Any:
        return matmul(self, other)


def _first(form: Form) -> Any:
    """Return the first value as a Python number, None if there is none."""
    values = form.sparse().values
    return values[0].item() if len(values) else None
