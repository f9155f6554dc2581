"""Lazy expressions that are matrices once they are computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import backends
from ..backends.protocol import Arm
from ..base import checks
from ..base.hooks import Hook
from ..errors import InvalidTypeError
from ..operators import semiring as semirings
from ..operators.operand import Operand
from ..operators.semiring import Semiring
from ..selector import context
from ..storage.csr import Csr
from ..storage.matrix_masks import MatrixMask

if TYPE_CHECKING:
    from .matrix import Matrix
    from .matrix_mask import MaskOfMatrix
    from .matrix_operations import MatrixOperations

__all__ = [
    "MATRIX",
    "MatrixComputed",
    "MatrixEwiseInfix",
    "MatrixExpression",
    "MatrixProduct",
    "MatrixProductInfix",
    "MatrixValue",
]

MATRIX: Hook[type[Matrix]] = Hook("lagbfs.algebra.matrix")
"""What expressions are computed into."""

Shape = tuple[int, int]


class MatrixValue(Operand):
    """What can stand on the right of an assignment to a matrix: a matrix, or an expression that computes one."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def shape(self) -> Shape:
            """Rows and columns."""

        @property
        def dtype(self) -> np.dtype[Any]:
            """The dtype of the values."""

    def evaluate(self, mask: MatrixMask | None) -> Csr:
        """Return the entries; those that `mask` does not allow may be left out."""
        raise NotImplementedError


class MatrixExpression(MatrixValue):
    """A matrix that has not been computed yet; ``.new()`` or ``C << expression`` computes it."""

    shape: Shape
    dtype: np.dtype[Any]

    @property
    def nrows(self) -> int:
        """Number of rows."""
        return self.shape[0]

    @property
    def ncols(self) -> int:
        """Number of columns."""
        return self.shape[1]

    def new(self, dtype: Any = None, *, mask: MaskOfMatrix | None = None) -> Matrix:
        """Compute the expression into a new Matrix, of the expression's dtype unless one is given."""
        wanted = self.dtype if dtype is None else checks.dtype("dtype", dtype)
        result = MATRIX()(wanted, *self.shape)
        result(mask) << self
        return result

    def __bool__(self) -> bool:
        raise InvalidTypeError("the truth of an expression is ambiguous: use expression.new().nvals > 0")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.nrows} × {self.ncols}, dtype={self.dtype}): .new() computes it"


class MatrixComputed(MatrixExpression):
    """An elementwise expression: cheap enough to be computed whatever the mask."""

    def __init__(self, shape: Shape, dtype: np.dtype[Any], compute: Callable[[], Csr]) -> None:
        self.shape, self.dtype, self.compute = shape, dtype, compute

    def evaluate(self, mask: MatrixMask | None) -> Csr:
        """Compute the result, all of it."""
        return self.compute()


class MatrixEwiseInfix(MatrixExpression):
    """``A | B`` or ``A & B``: which operator is still to be said, as in ``binary.plus(A | B)``."""

    def __init__(self, left: MatrixOperations, right: MatrixOperations, *, is_union: bool) -> None:
        self.left, self.right, self.is_union = left, right, is_union
        self.shape, self.dtype = left.shape, np.result_type(left.dtype, right.dtype)

    def combine(self, op: Any, **defaults: Any) -> MatrixExpression:
        """Return the expression with its operator; `left_default` and `right_default` stand for what one has not."""
        if not defaults:
            return (self.left.ewise_add if self.is_union else self.left.ewise_mult)(self.right, op)
        if not self.is_union or defaults.keys() != {"left_default", "right_default"}:
            raise InvalidTypeError(
                f"only a union has defaults, left_default and right_default, not {', '.join(defaults)}"
            )
        return self.left.ewise_union(self.right, op, **defaults)

    def evaluate(self, mask: MatrixMask | None) -> Csr:
        """Refuse: the operator is missing."""
        sign = "|" if self.is_union else "&"
        raise InvalidTypeError(f"A {sign} B needs an operator: write binary.plus(A {sign} B), for example")


class MatrixProduct(MatrixExpression):
    """The product C_ij = ⊕_k A_ik ⊗ B_kj of two matrices in a semiring."""

    def __init__(self, left: MatrixOperations, right: MatrixOperations, semiring: Semiring) -> None:
        checks.same_size("the left matrix's columns", left.shape[1], "the right one's rows", right.shape[0])
        self.left, self.right, self.semiring = left, right, semiring
        self.arm: Arm | None = None
        self.shape = left.shape[0], right.shape[1]
        self.dtype = semiring.result_dtype(left.dtype, right.dtype)

    def by(self, arm: Arm) -> MatrixProduct:
        """Return the same product, to be computed by this arm whatever the selector would pick."""
        product = MatrixProduct(self.left, self.right, self.semiring)
        product.arm = arm
        return product

    def evaluate(self, mask: MatrixMask | None) -> Csr:
        """Compute the product by the arm that the selector picks."""
        left, right = self.left.rows, self.right.rows
        arm = self.arm or context.choose_matrix_arm(left, right, mask, self.semiring)
        threads = arm.threads or context.current().threads
        return backends.get(arm.backend).matrix_product(arm, left, right, mask, self.semiring, threads=threads)


class MatrixProductInfix(MatrixProduct):
    """``A @ B``: in plus_times, unless a semiring is called on it."""

    def __init__(self, left: MatrixOperations, right: MatrixOperations) -> None:
        super().__init__(left, right, semirings.plus_times)

    def in_semiring(self, semiring: Semiring) -> MatrixProduct:
        """Return the product in `semiring`."""
        return MatrixProduct(self.left, self.right, semiring)
