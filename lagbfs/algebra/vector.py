"""Vector: a sparse vector whose storage follows its density, with the operations of GraphBLAS."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..base import checks
from ..base.arrays import namespace
from ..errors import InvalidTypeError, InvalidValueError
from ..operators import binary, monoid, select, unary
from ..operators import semiring as semirings
from ..operators.indexunary import IndexUnaryOp
from ..storage import forms, interop
from ..storage.duplicates import without_duplicates
from ..storage.forms import Form, Full, Sparse
from .assignment import Indexed, Updater
from .entries import Entries
from .expression import VECTOR, Computed, EwiseInfix, Expression, Product, ProductInfix
from .matrix import Matrix
from .scalar import Scalar
from .vector_mask import VectorMask

__all__ = ["Vector"]


class Vector(Entries):
    """A vector of `size` positions, some of which hold an entry.

    Stored as a list of indices, as a bitmap or as a full array, whichever suits the number of entries; the
    results of operations do not depend on it. The arrays may be NumPy's or CuPy's.

    Parameters
    ----------
    dtype : dtype
        Boolean, integer or float.
    size : int
        Number of positions.

    Examples
    --------
    >>> from lagbfs import Vector, binary
    >>> v = Vector.from_coo([1, 3], [10, 30], size=5)
    >>> u = Vector.from_dict({3: 1, 4: 2}, size=5)
    >>> v.ewise_add(u, binary.plus).new().to_dict()
    {1: 10, 3: 31, 4: 2}
    >>> v(~u.S) << 7
    >>> v.to_dict()
    {0: 7, 1: 7, 2: 7, 3: 30}
    """

    __slots__ = ()
    __array_ufunc__ = None  # NumPy operators do not try to loop over a Vector

    def __init__(self, dtype: Any = float, size: int = 0) -> None:
        values = np.zeros(0, checks.dtype("dtype", dtype))
        self.form = Sparse(checks.integer("size", size, low=0), np.zeros(0, np.int64), values)

    @classmethod
    def from_coo(
        cls,
        indices: Any,
        values: Any = 1.0,
        dtype: Any = None,
        *,
        size: int | None = None,
        dup_op: Any = None,
    ) -> Vector:
        """Return the vector with these entries.

        Parameters
        ----------
        indices : array_like of int
            Positions, in any order.
        values : array_like or scalar
            One value for each, or one for all.
        dtype : dtype, optional
            Default: that of `values`. An array is cast to it, numbers that do not fit into it are refused.
        size : int, optional
            Default: the largest index and one.
        dup_op : BinaryOp, optional
            How entries of the same position become one. Without it, duplicates are an error.

        Examples
        --------
        >>> Vector.from_coo([2, 0, 2], [1, 5, 3], dup_op=binary.plus).to_dict()
        {0: 5, 2: 4}
        """
        size = None if size is None else checks.integer("size", size, low=0)
        at = checks.index_array("indices", indices, size).astype(np.int64)
        if size is None:
            size = int(at.max()) + 1 if at.size else 0
        given = checks.numeric("values", values, dtype)
        if given.ndim == 0:
            given = np.full(at.shape, given)
        checks.same_length(indices=at, values=given)
        order = np.argsort(at, kind="stable")
        (at,), given = without_duplicates((at[order],), given[order], dup_op)
        return cls.from_form(forms.settle(Sparse(size, at, given)))

    @classmethod
    def from_dense(cls, values: Any, missing_value: Any = None, *, dtype: Any = None) -> Vector:
        """Return the vector of an array's values, leaving out those equal to `missing_value`.

        Always copies.

        Examples
        --------
        >>> Vector.from_dense([4, -1, 6], missing_value=-1).to_dict()
        {0: 4, 2: 6}
        """
        return cls._of_dense(checks.numeric("values", values, dtype).copy(), missing_value)

    @classmethod
    def from_dlpack(cls, array: Any, missing_value: Any = None) -> Vector:
        """Return the vector of an array of any library, on the device if that is where the array is.

        Always copies. Values equal to `missing_value` are left out.

        Parameters
        ----------
        array : object
            One-dimensional, with ``__dlpack__`` or ``__cuda_array_interface__``: of CuPy, PyTorch, JAX, Numba, NumPy.
        missing_value : number, optional
            What stands for no entry.

        Examples
        --------
        >>> import numpy as np
        >>> Vector.from_dlpack(np.array([4, -1, 6]), missing_value=-1).to_dict()
        {0: 4, 2: 6}
        """
        values = interop.shared_array("array", array)
        checks.dtype("array", values.dtype)
        return cls._of_dense(values.copy(), missing_value)

    @classmethod
    def _of_dense(cls, array: Any, missing_value: Any) -> Vector:
        """Return the vector of an array, which it takes over."""
        if array.ndim != 1:
            raise InvalidValueError(f"values must be one-dimensional, not of shape {array.shape}")
        if missing_value is None:
            return cls.from_form(Full(len(array), array))
        missing = namespace(array).isnan(array) if missing_value != missing_value else array == missing_value
        return cls.from_form(forms.settle(forms.from_present(~missing, array)))

    @classmethod
    def from_dict(cls, entries: Mapping[int, Any], dtype: Any = None, *, size: int | None = None) -> Vector:
        """Return the vector with the entries of a mapping from index to value."""
        return cls.from_coo(list(entries), list(entries.values()), dtype, size=size)

    @classmethod
    def from_scalar(cls, value: Any, size: int, dtype: Any = None) -> Vector:
        """Return the vector that holds `value` at every position."""
        number = checks.numeric("value", value, dtype)
        size = checks.integer("size", size, low=0)
        return cls.from_form(Full(size, np.full(size, number)))

    @property
    def S(self) -> VectorMask:
        """The mask of the positions that hold an entry."""
        return VectorMask(self, structural=True)

    @property
    def V(self) -> VectorMask:
        """The mask of the positions that hold a true entry."""
        return VectorMask(self, structural=False)

    def dup(self, dtype: Any = None) -> Vector:
        """Return a copy, of another dtype if one is given."""
        wanted = self.dtype if dtype is None else checks.dtype("dtype", dtype)
        return Vector.from_form(forms.copy(forms.cast(self.form, wanted)))

    __copy__ = dup

    def clear(self) -> None:
        """Remove all entries."""
        self.form = forms.nothing(self.size, self.form.values, self.dtype)

    def ewise_add(self, other: Vector, op: Any = monoid.plus) -> Expression:
        """Return the union with `other`: `op` where both have an entry, the one entry where only one has."""
        return self._ewise(other, binary.lookup("op", op), forms.union)

    def ewise_mult(self, other: Vector, op: Any = binary.times) -> Expression:
        """Return the intersection with `other`: `op` where both have an entry."""
        return self._ewise(other, binary.lookup("op", op), forms.intersection)

    def ewise_union(self, other: Vector, op: Any, left_default: Any, right_default: Any) -> Expression:
        """Return the union with `other`, where `op` takes a default for the entry that one of them has not.

        Examples
        --------
        >>> v, w = Vector.from_coo([0], [5], size=2), Vector.from_coo([1], [3], size=2)
        >>> v.ewise_union(w, binary.minus, 0, 1).new().to_dict()
        {0: 4, 1: -3}
        """
        combine = binary.lookup("op", op)
        self._check_vector("other", other)
        checks.same_size("this vector's size", self.size, "the other's", other.size)
        left, right = checks.numeric("left_default", left_default), checks.numeric("right_default", right_default)
        x, y = np.result_type(self.dtype, left.dtype), np.result_type(other.dtype, right.dtype)
        return Computed(
            self.size,
            combine.result_dtype(x, y),
            lambda: forms.filled_union(self.form, other.form, combine, left.astype(x), right.astype(y)),
        )

    def _ewise(self, other: Vector, op: binary.BinaryOp, combine: Any) -> Expression:
        self._check_vector("other", other)
        checks.same_size("this vector's size", self.size, "the other's", other.size)
        dtype = (op.union_dtype if combine is forms.union else op.result_dtype)(self.dtype, other.dtype)
        return Computed(self.size, dtype, lambda: combine(self.form, other.form, op))

    def apply(self, op: Any, right: Any = None, *, left: Any = None) -> Expression:
        """Return the vector with a unary operator, or a binary one bound to a scalar, applied to each value.

        Examples
        --------
        >>> Vector.from_coo([0], [8], size=2).apply(binary.minus, left=10).new().to_dict()
        {0: 2}
        """
        if isinstance(op, IndexUnaryOp):
            return self._apply_index(op, right)
        if right is None and left is None:
            unary_op = unary.lookup("op", op)
            values = unary_op.compute(self.form.values[:0])
            return Computed(self.size, values.dtype, lambda: self.form.with_values(unary_op.compute(self.form.values)))
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
        return Computed(self.size, binary_op.result_dtype(*pair), compute)

    def _apply_index(self, op: IndexUnaryOp, thunk: Any) -> Expression:
        bound = op.bound(thunk)

        def compute() -> Form:
            sparse = self.form.sparse()
            column = namespace(sparse.values).zeros(sparse.nvals, np.int64)
            return Sparse(self.size, sparse.indices.copy(), op.compute(sparse.indices, column, sparse.values, bound))

        return Computed(self.size, op.dtype, compute)

    def select(self, op: Any, thunk: Any = None) -> Expression:
        """Return the entries whose value, or index, compares true with `thunk`, as in ``v.select(">", 0)``."""
        test = select.lookup("op", op).test
        bound = test.bound(thunk)

        def compute() -> Form:
            sparse = self.form.sparse()
            column = namespace(sparse.values).zeros(sparse.nvals, np.int64)
            keep = test.compute(sparse.indices, column, sparse.values, bound)
            return Sparse(self.size, sparse.indices[keep], sparse.values[keep])

        return Computed(self.size, self.dtype, compute)

    def reduce(self, op: Any = monoid.plus) -> Scalar:
        """Return all values folded into one by a monoid; empty if there is no entry."""
        folding = monoid.lookup("op", op)
        values = self.form.values if self.nvals == self.size else self.form.sparse().values
        return Scalar(folding.fold(values).item() if len(values) else None)

    def extract(self, indices: Any) -> Vector:
        """Return the vector whose entry k is this one's at ``indices[k]``; the same as ``v[indices].new()``."""
        extracted = Indexed(self, indices).new()
        if isinstance(extracted, Scalar):
            raise InvalidTypeError(f"indices must be a list or slice, not {indices!r}: use v[i].value for one")
        vector: Vector = extracted
        return vector

    def diag(self, k: int = 0) -> Matrix:
        """Return the square matrix whose k-th diagonal holds the entries: entry i at (i, i + k), or at (i - k, i)."""
        k = checks.integer("k", k)
        sparse, size = self.form.sparse(), self.size + abs(k)
        rows, columns = sparse.indices + max(-k, 0), sparse.indices + max(k, 0)
        return Matrix.from_coo(rows, columns, sparse.values, nrows=size, ncols=size)

    def vxm(self, other: Matrix, op: Any = semirings.plus_times) -> Product:
        """Return the product w_j = ⊕_k self_k ⊗ A_kj with a matrix, in a semiring."""
        return Product(self, _matrix(other), semirings.lookup("op", op))

    def __matmul__(self, other: Matrix) -> ProductInfix:
        return ProductInfix(self, _matrix(other), flipped=False)

    def __or__(self, other: Vector) -> EwiseInfix:
        return self._infix(other, is_union=True)

    def __and__(self, other: Vector) -> EwiseInfix:
        return self._infix(other, is_union=False)

    def _infix(self, other: Vector, *, is_union: bool) -> EwiseInfix:
        self._check_vector("the other operand", other)
        return EwiseInfix(self, other, is_union=is_union)

    def __call__(self, *args: Any, **named: Any) -> Updater:
        """Return the left-hand side of an assignment with a mask, an accumulator and `replace`."""
        return Updater(self, *args, **named)

    def __lshift__(self, value: Any) -> None:
        Updater(self) << value

    def __getitem__(self, index: Any) -> Indexed:
        return Indexed(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        Updater(self)[index] = value

    def __delitem__(self, index: Any) -> None:
        nothing = Vector.from_form(forms.nothing(len(Indexed(self, index).indices), self.form.values, self.dtype))
        Updater(self)[index if isinstance(index, slice) or np.ndim(index) else [index]] = nothing

    def __contains__(self, index: Any) -> bool:
        return self[index].value is not None

    def get(self, index: int, default: Any = None) -> Any:
        """Return the value at `index` as a Python number, `default` if there is no entry."""
        value = self[index].value
        return default if value is None else value


def _matrix(value: Any) -> Matrix:
    if not isinstance(value, Matrix):
        raise InvalidTypeError(f"other must be a Matrix, not {value!r}")
    return value


VECTOR.provide(Vector)
