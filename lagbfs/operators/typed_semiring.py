"""TypedSemiring: a semiring over one dtype, as engines compute in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .binary import TypedBinaryOp
from .monoid import TypedMonoid
from .operand import operand
from .operator import Typed
from .signature import DType, Typing

if TYPE_CHECKING:
    from .semiring import Semiring

__all__ = ["TypedSemiring"]


class TypedSemiring(Typed["Semiring"]):
    """A semiring over one dtype: its operators over the dtypes that terms and sums have.

    Attributes
    ----------
    parent : Semiring
        The semiring over all its dtypes.
    add, multiply : TypedMonoid, TypedBinaryOp
        Operands are cast to what `multiply` takes, its results to what `add` takes.
    """

    __slots__ = ("add", "multiply")

    def __init__(self, parent: Semiring, add: TypedMonoid, multiply: TypedBinaryOp) -> None:
        super().__init__(parent, multiply.key, Typing(multiply.type, add.return_type))
        self.add, self.multiply = add, multiply

    @property
    def monoid(self) -> TypedMonoid:
        """The addition."""
        return self.add

    @property
    def binaryop(self) -> TypedBinaryOp:
        """The multiplication."""
        return self.multiply

    @property
    def is_commutative(self) -> bool:
        """Whether the multiplication does not care which operand comes first."""
        return self.parent.is_commutative

    @property
    def commutes_to(self) -> TypedSemiring | None:
        """The semiring that takes its operands the other way round, None if none is known by name."""
        return None if self.parent.commutes_to is None else self.flipped

    @property
    def flipped(self) -> TypedSemiring:
        """The semiring whose multiplication takes its operands the other way round."""
        return self.parent.flipped.over(self.key)

    def at(self, x: DType, y: DType) -> TypedSemiring:
        """Return the semiring itself, whatever it is of."""
        return self

    def terms(self, x: Any, y: Any, places: Callable[[], tuple[Any, Any, Any]]) -> Any:
        """Return the terms x ⊗ y of a product; `places` returns i, k and j of each in C_ij = ⊕_k A_ik ⊗ B_kj."""
        position = self.multiply.position
        if not position:
            return self.multiply.compute(x, y)
        at = places()[{"firsti": 0, "secondj": 2}.get(position.rstrip("1"), 1)]
        return (at + np.int64(position.endswith("1"))).astype(self.multiply.return_type)

    def result_dtype(self, x: DType, y: DType) -> DType:
        """Return the dtype of the product, whatever it is of."""
        return self.return_type

    def __call__(self, product: Any) -> Any:
        """Say in which semiring ``q @ A`` or ``A @ q`` is meant."""
        return operand(self, product).in_semiring(self)
