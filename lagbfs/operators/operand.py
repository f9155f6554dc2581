"""What operators are called on: vectors and expressions, which say themselves what becomes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import InvalidTypeError, InvalidValueError

if TYPE_CHECKING:
    from .semiring import Semiring

__all__ = ["Operand", "operand"]


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

    def in_semiring(self, semiring: Semiring) -> Any:
        """Return the product in a semiring, if it is a product."""
        raise InvalidValueError(f"{semiring!r} takes a product such as q @ A, not {self!r}")


def operand(op: Any, value: Any) -> Operand:
    """Return what an operator is called on, or raise if it cannot be."""
    if not isinstance(value, Operand):
        raise InvalidTypeError(f"{op!r} takes a Vector, a Matrix or an expression, not {value!r}")
    return value
