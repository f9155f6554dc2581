"""Lazy expressions that are matrices once they are computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import backends
from ..backends.protocol import Arm, MatrixFeatures
from ..base import checks
from ..base.hooks import Hook
from ..operators.operand import Operand
from ..operators.semiring import AnySemiring
from ..selector import context
from ..selector.tracing import watching
from ..storage.csr import Csr
from ..storage.matrix_masks import MatrixMask
from ..storage.rows import Rows
from .lazy import Lazy

if TYPE_CHECKING:
    from .matrix import Matrix
    from .matrix_mask import MaskOfMatrix

__all__ = [
    "MATRIX",
    "MatrixComputed",
    "MatrixExpression",
    "MatrixProduct",
    "MatrixValue",
]

MATRIX: Hook[type[Matrix]] = Hook("lagbfs.algebra.matrix")
"""What expressions are computed into."""

Shape = tuple[int, int]


class MatrixValue(Operand):
    """What can stand on the right of an assignment to a matrix: a matrix, or an expression that computes one."""

    __slots__ = ()
    ndim = 2

    if TYPE_CHECKING:

        @property
        def T(self) -> Matrix:
            """The transpose."""

        @property
        def rows(self) -> Rows:
            """What engines see of the matrix."""

        @property
        def csr(self) -> Csr:
            """The compressed rows."""

        @property
        def shape(self) -> Shape:
            """Rows and columns."""

        @property
        def dtype(self) -> np.dtype[Any]:
            """The dtype of the values."""

    def evaluate(self, mask: MatrixMask | None) -> Csr:
        """Return the entries; those that `mask` does not allow may be left out."""
        raise NotImplementedError


class MatrixExpression(Lazy, MatrixValue):
    """A matrix that has not been computed yet; ``.new()`` or ``C << expression`` computes it."""

    result = MATRIX
    shape: Shape
    dtype: np.dtype[Any]
    applied: tuple[Any, Any, Any] | None = None  # entries, operator and number of what is that operator applied to both

    @property
    def nrows(self) -> int:
        """Number of rows."""
        return self.shape[0]

    @property
    def ncols(self) -> int:
        """Number of columns."""
        return self.shape[1]

    def new(self, dtype: Any = None, *, mask: MaskOfMatrix | None = None, name: str | None = None) -> Matrix:
        """Compute the expression into a new Matrix, of the expression's dtype unless one is given."""
        wanted = self.dtype if dtype is None else checks.dtype("dtype", dtype)
        result = MATRIX()(wanted, *self.shape, name=name)
        result(mask) << self
        return result

    def dup(
        self, dtype: Any = None, *, clear: bool = False, mask: MaskOfMatrix | None = None, name: str | None = None
    ) -> Matrix:
        """Return the same as ``new``, or with `clear` a matrix without entries."""
        return self.computed.dup(dtype, clear=True, name=name) if clear else self.new(dtype, mask=mask, name=name)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.nrows} × {self.ncols}, dtype={self.dtype}): .new() computes it"


class MatrixComputed(MatrixExpression):
    """An elementwise expression: cheap enough to be computed whatever the mask."""

    def __init__(self, shape: Shape, dtype: np.dtype[Any], compute: Callable[[], Csr]) -> None:
        self.shape, self.dtype, self.compute = shape, dtype, compute

    def evaluate(self, mask: MatrixMask | None) -> Csr:
        """Compute the result, all of it."""
        return self.compute()


class MatrixProduct(MatrixExpression):
    """The product C_ij = ⊕_k A_ik ⊗ B_kj of two matrices in a semiring."""

    def __init__(self, left: MatrixValue, right: MatrixValue, semiring: AnySemiring) -> None:
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
        trace = watching()
        if trace is None:
            return self._computed_by(arm, mask)
        features = MatrixFeatures.of(left, right, mask, early_exit=self.semiring.add.stops)
        return trace.product(self.semiring, features, right, arm, lambda: self._computed_by(arm, mask))

    def _computed_by(self, arm: Arm, mask: MatrixMask | None) -> Csr:
        threads = arm.threads or context.current().threads
        engine, left, right = backends.get(arm.backend), self.left.rows, self.right.rows
        return engine.matrix_product(arm, left, right, mask, self.semiring, threads=threads)
