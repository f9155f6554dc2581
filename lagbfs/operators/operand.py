"""What operators are called on: vectors, expressions and numbers, which say themselves what becomes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..base import checks
from ..base.hooks import Hook
from ..errors import InvalidTypeError

if TYPE_CHECKING:
    from .semiring import AnySemiring

__all__ = ["ENTRIES", "NUMBER", "Operand", "operand"]


class Operand:
    """What an operator can be written before, as in ``binary.plus(v | u)`` or ``semiring.min_plus(A @ B)``."""

    __slots__ = ()

    def apply(self, op: Any, right: Any = None, *, left: Any = None) -> Any:
        """Return what a unary operator, or a binary one bound to a scalar, makes of it."""
        raise InvalidTypeError(f"{op!r} cannot be applied to {self!r}")

    def combine(self, op: Any, **defaults: Any) -> Any:
        """Return what a binary operator makes of two operands, if it stands for two; `defaults` for missing entries."""
        raise InvalidTypeError(f"{op!r} takes v | u, v & u, or a vector or matrix and a scalar, not {self!r} alone")

    def select(self, op: Any, thunk: Any) -> Any:
        """Return what a selection keeps of it."""
        raise InvalidTypeError(f"{op!r} cannot select from {self!r}")

    def in_semiring(self, semiring: AnySemiring) -> Any:
        """Return the product in a semiring, if it is a product."""
        raise InvalidTypeError(f"{semiring!r} takes a product such as q @ A, not {self!r}")


NUMBER: Hook[Callable[[Any], Operand]] = Hook("lagbfs.algebra.scalar")
"""What makes an operand of a number."""

ENTRIES: Hook[Callable[[Any], Any]] = Hook("lagbfs.algebra.vector")
"""What makes a vector of an array."""


def operand(op: Any, value: Any) -> Operand:
    """Return what an operator is called on, or raise if it cannot be.

    Examples
    --------
    >>> from lagbfs import binary, unary
    >>> unary.cos(0).value, binary.minus(5, 2).value
    (1.0, 3)
    """
    if isinstance(value, Operand):
        return value
    if checks.is_number(value):
        return NUMBER()(value)
    raise InvalidTypeError(f"{op!r} takes a Vector, a Matrix, an expression or a number, not {value!r}")
