"""Binary operators: for `ewise_add`, `ewise_mult`, `apply`, accumulators and the multiplication of semirings.

Numbers behave as in GraphBLAS: `min` and `max` ignore NaN, integers wrap around, `pair` gives an int64 whatever
its operands. Arithmetic on bools is done in int64.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base import casts
from ..base.arrays import namespace
from ..errors import InvalidTypeError, InvalidValueError
from .operand import Operand, operand

__all__ = [
    "BinaryOp",
    "Combining",
    "any",
    "eq",
    "first",
    "ge",
    "gt",
    "land",
    "le",
    "lookup",
    "lor",
    "lt",
    "max",
    "min",
    "minus",
    "ne",
    "pair",
    "plus",
    "rminus",
    "rtruediv",
    "second",
    "secondi",
    "times",
    "truediv",
]

Rule = Callable[[np.dtype[Any], np.dtype[Any]], np.dtype[Any]]
INT64, FLOAT64, BOOL = np.dtype(np.int64), np.dtype(np.float64), np.dtype(bool)


def _common(x: np.dtype[Any], y: np.dtype[Any]) -> np.dtype[Any]:
    return np.result_type(x, y)


def _arithmetic(x: np.dtype[Any], y: np.dtype[Any]) -> np.dtype[Any]:
    common = np.result_type(x, y)
    return INT64 if common == BOOL else common


def _division(x: np.dtype[Any], y: np.dtype[Any]) -> np.dtype[Any]:
    common = np.result_type(x, y)
    return common if common.kind == "f" else FLOAT64


def _logical(_x: np.dtype[Any], _y: np.dtype[Any]) -> np.dtype[Any]:
    return BOOL


def _counting(_x: np.dtype[Any], _y: np.dtype[Any]) -> np.dtype[Any]:
    return INT64


class Combining(ABC):
    """What makes one value of two: a binary operator, or a monoid by its operator."""

    __slots__ = ()

    @property
    @abstractmethod
    def binary(self) -> BinaryOp:
        """The operator."""


class BinaryOp(Combining):
    """A named function of two values.

    Parameters
    ----------
    name : str
        Its name in this module.
    function : callable
        ``function(xp, x, y)`` over arrays of the namespace `xp` (NumPy or CuPy), both already of the dtype
        to compute in.
    rule : callable
        The dtype of the result, given those of the operands.
    compares : bool
        Whether the result is a bool whatever the operands: they then keep their common dtype.

    Examples
    --------
    >>> from lagbfs import Vector, binary
    >>> v = Vector.from_coo([0, 2], [3, 4], size=3)
    >>> binary.times(v, 10).new().to_dict()
    {0: 30, 2: 40}
    """

    __slots__ = ("compares", "function", "name", "rule")

    def __init__(
        self, name: str, function: Callable[[Any, Any, Any], Any], rule: Rule, *, compares: bool = False
    ) -> None:
        self.name, self.function, self.rule, self.compares = name, function, rule, compares

    def __repr__(self) -> str:
        return f"binary.{self.name}"

    def __reduce__(self) -> str:
        return self.name  # pickled by name: the operators are the variables of this module

    @property
    def binary(self) -> BinaryOp:
        """The operator itself."""
        return self

    @property
    def is_builtin(self) -> bool:
        """Whether it is one of this module: engines may know those by name."""
        return globals().get(self.name) is self

    @property
    def flipped(self) -> BinaryOp:
        """The operator that takes its operands the other way round: itself if it does not matter."""
        if self.is_builtin:
            return _FLIPPED.get(self.name, self)
        return BinaryOp(
            f"flipped {self.name}",
            lambda xp, x, y: self.function(xp, y, x),
            lambda x, y: self.rule(y, x),
            compares=self.compares,
        )

    def result_dtype(self, x: np.dtype[Any], y: np.dtype[Any]) -> np.dtype[Any]:
        """Return the dtype of the result for operands of these dtypes."""
        return self.rule(x, y)

    def union_dtype(self, x: np.dtype[Any], y: np.dtype[Any]) -> np.dtype[Any]:
        """Return the dtype of a union, where entries of one operand alone keep their value.

        It is that of the result, but for `land` and `lor`, whose truth can be held by any dtype.
        """
        return _common(x, y) if self.rule is _logical and not self.compares else self.rule(x, y)

    def compute(self, x: Any, y: Any) -> Any:
        """Apply the operator to two arrays of one namespace; the result is a new array."""
        xp = namespace(x)
        result = self.result_dtype(x.dtype, y.dtype)
        inner = _common(x.dtype, y.dtype) if self.compares else result
        with np.errstate(all="ignore"):
            value = self.function(xp, x.astype(inner, copy=False), y.astype(inner, copy=False))
            value = value.astype(result, copy=False)
        return value.copy() if value is x or value is y else value

    def accumulate(self, x: Any, y: Any) -> Any:
        """Return x ⊙ y in the dtype of x, as an accumulator computes it: y is cast to that dtype first.

        Only division casts both to a float.
        """
        inner = self.rule(x.dtype, x.dtype) if self.rule is _division else x.dtype
        return casts.cast(self.compute(casts.cast(x, inner), casts.cast(y, inner)), x.dtype)

    def __call__(self, left: Any, right: Any = None, **defaults: Any) -> Any:
        """Apply to ``v | u`` (union), ``v & u`` (intersection), or to a vector or matrix and a scalar in either order.

        A union may have a `left_default` and a `right_default`, for entries that one of both has not.
        """
        if right is None:
            return operand(self, left).combine(self, **defaults)
        if defaults:
            raise InvalidTypeError(f"{', '.join(defaults)}: only a union v | u has defaults")
        if isinstance(right, Operand):
            return right.apply(self, left=left)
        return operand(self, left).apply(self, right)


plus = BinaryOp("plus", lambda xp, x, y: x + y, _arithmetic)
minus = BinaryOp("minus", lambda xp, x, y: x - y, _arithmetic)
times = BinaryOp("times", lambda xp, x, y: x * y, _arithmetic)
truediv = BinaryOp("truediv", lambda xp, x, y: x / y, _division)
rminus = BinaryOp("rminus", lambda xp, x, y: y - x, _arithmetic)
rtruediv = BinaryOp("rtruediv", lambda xp, x, y: y / x, _division)
min = BinaryOp("min", lambda xp, x, y: xp.fmin(x, y), _common)
max = BinaryOp("max", lambda xp, x, y: xp.fmax(x, y), _common)
any = BinaryOp("any", lambda xp, x, y: x, _common)
first = BinaryOp("first", lambda xp, x, y: x, _common)
second = BinaryOp("second", lambda xp, x, y: y, _common)
pair = BinaryOp("pair", lambda xp, x, y: xp.ones_like(x), _counting)
land = BinaryOp("land", lambda xp, x, y: x & y, _logical)
lor = BinaryOp("lor", lambda xp, x, y: x | y, _logical)
eq = BinaryOp("eq", lambda xp, x, y: x == y, _logical, compares=True)
ne = BinaryOp("ne", lambda xp, x, y: x != y, _logical, compares=True)
lt = BinaryOp("lt", lambda xp, x, y: x < y, _logical, compares=True)
le = BinaryOp("le", lambda xp, x, y: x <= y, _logical, compares=True)
gt = BinaryOp("gt", lambda xp, x, y: x > y, _logical, compares=True)
ge = BinaryOp("ge", lambda xp, x, y: x >= y, _logical, compares=True)


def _needs_product(_xp: Any, _x: Any, _y: Any) -> Any:
    raise InvalidTypeError("secondi gives a position in a product: it can only be used in a semiring")


# The index k that the product w_j = ⊕_k q_k ⊗ A_kj sums over: in a breadth-first search, the parent.
secondi = BinaryOp("secondi", _needs_product, _counting)


# Operators that are not here are the same either way round: those that commute, `any` and `secondi` by their meaning.
_PAIRS = ((first, second), (minus, rminus), (truediv, rtruediv), (lt, gt), (le, ge))
_FLIPPED = {x.name: y for pair in _PAIRS for x, y in (pair, pair[::-1])}


def lookup(name: str, value: Any) -> BinaryOp:
    """Return the operator meant by `value`: a BinaryOp, a Monoid (its operator) or a name."""
    op = globals().get(value) if isinstance(value, str) else value
    if not isinstance(op, Combining):
        known = sorted(n for n, op in globals().items() if isinstance(op, BinaryOp))
        raise InvalidValueError(f"{name} must be a binary operator ({', '.join(known)}), not {value!r}")
    return op.binary
