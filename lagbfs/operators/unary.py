"""Unary operators, for `Vector.apply`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base import casts
from ..base.arrays import namespace
from ..errors import InvalidValueError
from .operand import operand

__all__ = ["UnaryOp", "abs", "ainv", "identity", "lnot", "lookup", "minv", "one", "sqrt"]

BOOL, INT64 = np.dtype(bool), np.dtype(np.int64)


class UnaryOp:
    """A named function of one value; ``function(xp, x)`` over arrays of the namespace `xp`.

    Examples
    --------
    >>> from lagbfs import Vector, unary
    >>> unary.ainv(Vector.from_coo([1], [5], size=2)).new().to_dict()
    {1: -5}
    """

    __slots__ = ("function", "name")

    def __init__(self, name: str, function: Callable[[Any, Any], Any]) -> None:
        self.name, self.function = name, function

    def __repr__(self) -> str:
        return f"unary.{self.name}"

    def __reduce__(self) -> str:
        return self.name  # pickled by name: the operators are the variables of this module

    def compute(self, x: Any) -> Any:
        """Apply the operator to an array; the result is a new array."""
        with np.errstate(all="ignore"):
            value = self.function(namespace(x), x)
        return value.copy() if value is x else value

    def __call__(self, vector: Any) -> Any:
        """Apply to each value of `vector`."""
        return operand(self, vector).apply(self)


def _number(x: Any) -> Any:
    return x.astype(INT64) if x.dtype == BOOL else x


def _real(x: Any) -> Any:
    return x if x.dtype.kind == "f" else x.astype(np.float64)


identity = UnaryOp("identity", lambda xp, x: x)
ainv = UnaryOp("ainv", lambda xp, x: -_number(x))
abs = UnaryOp("abs", lambda xp, x: xp.abs(x))
lnot = UnaryOp("lnot", lambda xp, x: ~x.astype(BOOL))
# Of an integer the whole part, with the largest number as the inverse of 0.
minv = UnaryOp("minv", lambda xp, x: casts.cast(1.0 / _real(x), x.dtype))
one = UnaryOp("one", lambda xp, x: xp.ones_like(x))
sqrt = UnaryOp("sqrt", lambda xp, x: xp.sqrt(_real(x)))


def lookup(name: str, value: Any) -> UnaryOp:
    """Return the operator meant by `value`: a UnaryOp or a name."""
    op = globals().get(value) if isinstance(value, str) else value
    if not isinstance(op, UnaryOp):
        known = sorted(n for n, op in globals().items() if isinstance(op, UnaryOp))
        raise InvalidValueError(f"{name} must be a unary operator ({', '.join(known)}), not {value!r}")
    return op
