"""What ``|``, ``&`` and ``@`` make of vectors and matrices, until an operator is said."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import checks
from ..errors import DimensionError, InvalidTypeError
from ..operators import semiring as semirings
from ..operators.operand import Operand
from ..storage.csr import Csr
from ..storage.forms import Form
from ..storage.masks import Mask
from ..storage.matrix_masks import MatrixMask
from .expression import Expression, Value
from .infix import Ewise, MatMul
from .mask import MaskOf
from .matrix_expression import MatrixExpression, MatrixValue
from .scalar import ScalarExpression
from .spread import Spread

__all__ = ["Joined", "matmul"]


_OPERANDS = (Value, MatrixValue)


class VectorInfix(Expression):
    """A vector whose operator is still to be said."""

    def __init__(self, left: Any, right: Any, size: int, dtype: np.dtype[Any]) -> None:
        self.left, self.right, self.size, self.dtype = left, right, size, dtype

    def evaluate(self, mask: Mask | None) -> Form:
        """Compute it with the operator that goes without saying."""
        form: Form = self.by_default().evaluate(mask)
        return form


class MatrixInfix(MatrixExpression):
    """A matrix whose operator is still to be said."""

    def __init__(self, left: Any, right: Any, shape: tuple[int, int], dtype: np.dtype[Any]) -> None:
        self.left, self.right, self.shape, self.dtype = left, right, shape, dtype

    def evaluate(self, mask: MatrixMask | None) -> Csr:
        """Compute it with the operator that goes without saying."""
        csr: Csr = self.by_default().evaluate(mask)
        return csr


class Joined:
    """What has entries to unite, ``v | u``, or to intersect, ``v & u``."""

    __slots__ = ()

    def __or__(self, other: Any) -> Any:
        return ewise(self, other, is_union=True)

    def __ror__(self, other: Any) -> Any:
        return ewise(other, self, is_union=True)

    def __and__(self, other: Any) -> Any:
        return ewise(self, other, is_union=False)

    def __rand__(self, other: Any) -> Any:
        return ewise(other, self, is_union=False)


class _Chain(Joined, Ewise):
    """An infix that goes on: ``u | v | w``."""


class VectorEwise(_Chain, VectorInfix):
    """``v | u`` or ``v & u``."""


class MatrixEwise(_Chain, MatrixInfix):
    """``A | B`` or ``A & B``; a vector on one side is meant for each row, on the left for each column."""


class VectorMatMul(MatMul, VectorInfix):
    """``v @ A`` or ``A @ v``."""

    obeys = True

    def __matmul__(self, other: Any) -> Any:
        return matmul(self, other)


class MatrixMatMul(MatMul, MatrixInfix):
    """``A @ B``."""

    def __matmul__(self, other: Any) -> Any:
        return matmul(self, other)


class ScalarMatMul(MatMul, ScalarExpression):
    """``v @ w``."""

    def __init__(self, left: Any, right: Any, dtype: np.dtype[Any]) -> None:
        self.left, self.right = left, right
        super().__init__(dtype, lambda: self.by_default().value)


def _operand(value: Any) -> Any:
    if not isinstance(value, _OPERANDS):
        raise InvalidTypeError(f"the other operand must be a Vector or a Matrix, not {value!r}")
    return value


def ewise(left: Any, right: Any, *, is_union: bool) -> Any:
    """Return the union or intersection of two operands that have entries, to be computed once an operator is said."""
    if isinstance(right, MaskOf):
        return right | left if is_union else right & left
    left, right = _operand(left), _operand(right)
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Ewise):
            one.check_other(other, is_union=is_union)
    dtype = np.promote_types(left.dtype, right.dtype)
    infix: Any
    if left.ndim == right.ndim == 1:
        checks.same_size("this vector's size", left.size, "the other's", right.size)
        infix = VectorEwise(left, right, left.size, dtype)
    else:
        infix = MatrixEwise(left, right, _common_shape(left, right), dtype)
    infix.is_union = is_union
    return infix


def _common_shape(left: Any, right: Any) -> tuple[int, int]:
    if left.ndim == right.ndim and left.shape != right.shape:
        raise DimensionError(f"this matrix is {left.shape}, the other {right.shape}: they must be equal")
    if left.ndim == 1:
        checks.same_size("the vector's size", left.size, "the matrix's rows", right.shape[0])
    if right.ndim == 1:
        checks.same_size("the vector's size", right.size, "the matrix's columns", left.shape[1])
    shape: tuple[int, int] = left.shape if left.ndim == 2 else right.shape
    return shape


def matmul(left: Any, right: Any) -> Any:
    """Return the product of two operands, to be computed in plus_times if no semiring is said."""
    if not isinstance(right, Operand) and isinstance(right, Spread):
        return NotImplemented  # it says itself what the product is
    left, right = _operand(left), _operand(right)
    checks.same_size("the left operand's inner size", left.shape[-1], "the right one's", right.shape[0])
    dtype = semirings.plus_times.result_dtype(left.dtype, right.dtype)
    if left.ndim == right.ndim == 1:
        return ScalarMatMul(left, right, dtype)
    if left.ndim == right.ndim:
        return MatrixMatMul(left, right, (left.shape[0], right.shape[1]), dtype)
    return VectorMatMul(left, right, right.shape[1] if left.ndim == 1 else left.shape[0], dtype)
