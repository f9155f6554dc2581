"""Lazy expressions: vectors that have not been computed yet."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from .. import backends
from ..backends.protocol import Arm
from ..base import arrays, checks
from ..base.hooks import Hook
from ..operators.operand import Operand
from ..operators.semiring import AnySemiring
from ..selector import context
from ..selector.tracing import watching
from ..storage import forms
from ..storage.forms import Form
from ..storage.masks import Mask
from ..storage.rows import Rows
from .lazy import Lazy

if TYPE_CHECKING:
    from .matrix_expression import MatrixValue
    from .vector import Vector
    from .vector_mask import VectorMask

__all__ = ["VECTOR", "Computed", "Expression", "Product", "Value"]

VECTOR: Hook[type[Vector]] = Hook("lagbfs.algebra.vector")
"""What expressions are computed into."""


class Value(Operand):
    """What can stand on the right of an assignment: a vector, or an expression that computes one.

    `obeys` says whether `evaluate` leaves out all that its mask does not allow.
    """

    __slots__ = ()
    ndim = 1
    obeys: ClassVar[bool] = False

    if TYPE_CHECKING:
        form: Form

        @property
        def size(self) -> int:
            """Number of positions."""

        @property
        def dtype(self) -> np.dtype[Any]:
            """The dtype of the values."""

    def evaluate(self, mask: Mask | None) -> Form:
        """Return the entries as a form of its own; those that `mask` does not allow may be left out."""
        raise NotImplementedError


class Expression(Lazy, Value):
    """A vector that has not been computed yet; ``.new()`` or ``w << expression`` computes it."""

    result = VECTOR
    size: int
    dtype: np.dtype[Any]
    applied: tuple[Any, Any, Any] | None = None  # entries, operator and number of what is that operator applied to both

    @property
    def shape(self) -> tuple[int]:
        """The size as a tuple."""
        return (self.size,)

    def new(self, dtype: Any = None, *, mask: VectorMask | None = None, name: str | None = None) -> Vector:
        """Compute the expression into a new Vector, of the expression's dtype unless one is given."""
        wanted = self.dtype if dtype is None else checks.dtype("dtype", dtype)
        if mask is None:
            return VECTOR().from_form(forms.settle(forms.cast(self.evaluate(None), wanted)), name)
        result = VECTOR().from_form(forms.nothing(self.size, np.empty(0), wanted))
        update, computed = result(mask), self.evaluate(mask.now())
        result.form = forms.nothing(self.size, computed.values, wanted)
        update.write(computed)
        result.name = name
        return result

    def dup(
        self, dtype: Any = None, *, clear: bool = False, mask: VectorMask | None = None, name: str | None = None
    ) -> Vector:
        """Return the same as ``new``, or with `clear` a vector without entries."""
        return self.computed.dup(dtype, clear=True, name=name) if clear else self.new(dtype, mask=mask, name=name)

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return f"{type(self).__name__}(size={self.size}, dtype={self.dtype}): .new() computes it"


class Computed(Expression):
    """An elementwise expression: cheap enough to be computed whatever the mask."""

    def __init__(self, size: int, dtype: np.dtype[Any], compute: Callable[[], Form]) -> None:
        self.size, self.dtype, self.compute = size, dtype, compute

    def evaluate(self, mask: Mask | None) -> Form:
        """Compute the result, all of it."""
        return self.compute()


class Product(Expression):
    """The product w_j = ⊕_k q_k ⊗ A_kj of a vector and a matrix in a semiring."""

    obeys = True

    def __init__(self, vector: Value, matrix: MatrixValue, semiring: AnySemiring) -> None:
        checks.same_size("the vector's size", vector.size, "the matrix's inner dimension", matrix.shape[0])
        self.vector, self.matrix, self.semiring = vector, matrix, semiring
        self.arm: Arm | None = None
        self.size = matrix.shape[1]
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
        trace = watching()
        if trace is None:
            return _computed_by(arm, vector, rows, mask, semiring)
        features = context.features_of(vector, rows, mask, semiring)
        return trace.product(semiring, features, rows, arm, lambda: _computed_by(arm, vector, rows, mask, semiring))


def _computed_by(arm: Arm, vector: Form, rows: Rows, mask: Mask | None, semiring: AnySemiring) -> Form:
    engine, threads = backends.get(arm.backend), arm.threads or context.current().threads
    handle = rows.handle(engine)
    if engine.on_device or not arrays.on_device(vector.values):
        return engine.product(arm, handle, vector, mask, semiring, threads=threads)
    here = None if mask is None else mask.moved(arrays.to_host)
    computed = engine.product(arm, handle, forms.moved(vector, arrays.to_host), here, semiring, threads=threads)
    return forms.moved(computed, arrays.to_device)
