"""Lazy expressions: vectors that have not been computed yet."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import backends
from ..backends.protocol import Arm
from ..base import arrays, checks
from ..base.hooks import Hook
from ..errors import InvalidTypeError
from ..operators import semiring as semirings
from ..operators.operand import Operand
from ..operators.semiring import Semiring
from ..selector import context
from ..storage import forms
from ..storage.forms import Form
from ..storage.masks import Mask

if TYPE_CHECKING:
    from .entries import Entries
    from .matrix import Matrix
    from .vector import Vector
    from .vector_mask import VectorMask

__all__ = ["VECTOR", "Computed", "EwiseInfix", "Expression", "Product", "ProductInfix", "Value"]

VECTOR: Hook[type[Vector]] = Hook("lagbfs.algebra.vector")
"""What expressions are computed into."""


class Value(Operand):
    """What can stand on the right of an assignment: a vector, or an expression that computes one."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def size(self) -> int:
            """Number of positions."""

        @property
        def dtype(self) -> np.dtype[Any]:
            """The dtype of the values."""

    def evaluate(self, mask: Mask | None) -> Form:
        """Return the entries as a form of its own; those that `mask` does not allow may be left out."""
        raise NotImplementedError


class Expression(Value):
    """A vector that has not been computed yet; ``.new()`` or ``w << expression`` computes it."""

    size: int
    dtype: np.dtype[Any]

    def new(self, dtype: Any = None, *, mask: VectorMask | None = None) -> Vector:
        """Compute the expression into a new Vector, of the expression's dtype unless one is given."""
        wanted = self.dtype if dtype is None else checks.dtype("dtype", dtype)
        result = VECTOR().from_form(forms.nothing(self.size, np.empty(0), wanted))
        update, computed = result(mask), self.evaluate(None if mask is None else mask.now())
        result.form = forms.nothing(self.size, computed.values, wanted)
        update.write(computed)
        return result

    def __bool__(self) -> bool:
        raise InvalidTypeError("the truth of an expression is ambiguous: use expression.new().nvals > 0")

    def __repr__(self) -> str:
        return f"{type(self).__name__}(size={self.size}, dtype={self.dtype}): .new() computes it"


class Computed(Expression):
    """An elementwise expression: cheap enough to be computed whatever the mask."""

    def __init__(self, size: int, dtype: np.dtype[Any], compute: Callable[[], Form]) -> None:
        self.size, self.dtype, self.compute = size, dtype, compute

    def evaluate(self, mask: Mask | None) -> Form:
        """Compute the result, all of it."""
        return self.compute()


class EwiseInfix(Expression):
    """``v | u`` or ``v & u``: which operator is still to be said, as in ``binary.plus(v | u)``."""

    def __init__(self, left: Vector, right: Vector, *, is_union: bool) -> None:
        self.left, self.right, self.is_union = left, right, is_union
        self.size, self.dtype = left.size, np.result_type(left.dtype, right.dtype)

    def combine(self, op: Any, **defaults: Any) -> Expression:
        """Return the expression with its operator; `left_default` and `right_default` stand for what one has not."""
        if not defaults:
            return (self.left.ewise_add if self.is_union else self.left.ewise_mult)(self.right, op)
        if not self.is_union or defaults.keys() != {"left_default", "right_default"}:
            raise InvalidTypeError(
                f"only a union has defaults, left_default and right_default, not {', '.join(defaults)}"
            )
        return self.left.ewise_union(self.right, op, **defaults)

    def evaluate(self, mask: Mask | None) -> Form:
        """Refuse: the operator is missing."""
        sign = "|" if self.is_union else "&"
        raise InvalidTypeError(f"v {sign} u needs an operator: write binary.plus(v {sign} u), for example")


class Product(Expression):
    """The product w_j = ⊕_k q_k ⊗ A_kj of a vector and a matrix in a semiring."""

    def __init__(self, vector: Entries, matrix: Matrix, semiring: Semiring) -> None:
        checks.same_size("the vector's size", vector.size, "the matrix's inner dimension", matrix.nrows)
        self.vector, self.matrix, self.semiring = vector, matrix, semiring
        self.arm: Arm | None = None
        self.size = matrix.ncols
        self.dtype = semiring.result_dtype(vector.dtype, matrix.dtype)

    def by(self, arm: Arm) -> Product:
        """Return the same product, to be computed by this arm whatever the selector would pick."""
        product = Product(self.vector, self.matrix, self.semiring)
        product.arm = arm
        return product

    def evaluate(self, mask: Mask | None) -> Form:
        """Compute the product by the arm that the selector picks."""
        vector, rows, semiring = self.vector.form, self.matrix.rows, self.semiring
        arm = self.arm or context.choose_arm(vector, rows, mask, semiring)
        engine, threads = backends.get(arm.backend), arm.threads or context.current().threads
        handle = rows.handle(engine)
        if engine.on_device or not arrays.on_device(vector.values):
            return engine.product(arm, handle, vector, mask, semiring, threads=threads)
        here = None if mask is None else mask.moved(arrays.to_host)
        computed = engine.product(arm, handle, forms.moved(vector, arrays.to_host), here, semiring, threads=threads)
        return forms.moved(computed, arrays.to_device)


class ProductInfix(Product):
    """``q @ A`` or ``A @ q``: in plus_times, unless a semiring is called on it."""

    def __init__(self, vector: Entries, matrix: Matrix, *, flipped: bool) -> None:
        super().__init__(vector, matrix, semirings.plus_times)
        self.flipped = flipped

    def in_semiring(self, semiring: Semiring) -> Product:
        """Return the product in `semiring`."""
        return Product(self.vector, self.matrix, semiring.flipped if self.flipped else semiring)
