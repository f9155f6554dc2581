"""Unary operators, for `apply`: functions of one value, or of its position."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from ..base import casts
from ..base.arrays import namespace
from . import functions as fn
from . import signature as sig
from .family import Family
from .operand import operand
from .operator import Operator, TypedOperator
from .own import Own
from .signature import DType, Signature

__all__ = ["TypedUnaryOp", "UnaryOp", "from_string", "lookup", "register_anonymous", "register_new"]


class TypedUnaryOp(TypedOperator["UnaryOp"]):
    """A unary operator over one dtype."""

    __slots__ = ()

    @property
    def position(self) -> str:
        """Which position it gives, if it gives one."""
        return self.parent.position

    def result_dtype(self, x: DType) -> DType:
        """Return the dtype of the result, whatever it is applied to."""
        return self.return_type

    def compute(self, x: Any) -> Any:
        """Apply the operator to an array; the result is a new array."""
        value = fn.quietly(self.parent.function, self.type, namespace(x), casts.cast(x, self.type))
        value = casts.cast(value, self.return_type)
        return value.copy() if value is x else value

    def __call__(self, entries: Any) -> Any:
        """Apply to each value."""
        return operand(self, entries).apply(self)


class UnaryOp(Operator[TypedUnaryOp]):
    """A named function of one value; ``function(xp, x)`` over arrays of the namespace `xp`.

    Examples
    --------
    >>> from lagbfs import Vector, unary
    >>> v = Vector.from_coo([1], [5], size=2)
    >>> unary.ainv(v).new().to_dict(), unary.sqrt["FP32"](v).new().dtype
    ({1: -5}, dtype('float32'))
    """

    __slots__ = ("function", "position")
    kind = "unary"

    def __init__(
        self, name: str, function: Callable[[Any, Any], Any], signature: Signature = sig.SAME, position: str = ""
    ) -> None:
        super().__init__(name, signature)
        self.function, self.position = function, position

    def _make(self, key: DType) -> TypedUnaryOp:
        return TypedUnaryOp(self, key)

    @property
    def is_positional(self) -> bool:
        """Whether it looks at positions, not at values."""
        return bool(self.position)

    def result_dtype(self, x: DType) -> DType:
        """Return the dtype of the result for values of this dtype."""
        return self.over(x).return_type

    def compute(self, x: Any) -> Any:
        """Apply the operator to an array; the result is a new array."""
        return self.over(x.dtype).compute(x)

    def __call__(self, entries: Any) -> Any:
        """Apply to each value of a vector or matrix."""
        return operand(self, entries).apply(self)


def _real(name: str, numpy_name: str = "") -> UnaryOp:
    return UnaryOp(name, fn.by_name(numpy_name or name), sig.REAL)


def _position(name: str, position: str) -> UnaryOp:
    return UnaryOp(name, fn.without_values, sig.POSITION, position)


identity = UnaryOp("identity", lambda xp, x: x)
ainv = UnaryOp("ainv", fn.negative)
minv = UnaryOp("minv", fn.inverse)
abs = UnaryOp("abs", fn.by_name("abs"))
one = UnaryOp("one", lambda xp, x: xp.ones_like(x))
lnot = UnaryOp("lnot", fn.truth(lambda x: ~x))
bnot = UnaryOp("bnot", lambda xp, x: ~x, sig.INTEGER)

sqrt, cbrt = _real("sqrt"), _real("cbrt")
exp, exp2, expm1 = _real("exp"), _real("exp2"), _real("expm1")
log, log2, log10, log1p = _real("log"), _real("log2"), _real("log10"), _real("log1p")
sin, cos, tan = _real("sin"), _real("cos"), _real("tan")
sinh, cosh, tanh = _real("sinh"), _real("cosh"), _real("tanh")
asin, acos, atan = _real("asin", "arcsin"), _real("acos", "arccos"), _real("atan", "arctan")
asinh, acosh, atanh = _real("asinh", "arcsinh"), _real("acosh", "arccosh"), _real("atanh", "arctanh")
ceil, floor, trunc = _real("ceil"), _real("floor"), _real("trunc")
round = UnaryOp("round", fn.rounded, sig.REAL)
signum = UnaryOp("signum", fn.sign, sig.REAL)
erf = UnaryOp("erf", fn.special("erf"), sig.REAL)
erfc = UnaryOp("erfc", fn.special("erfc"), sig.REAL)
lgamma = UnaryOp("lgamma", fn.log_gamma, sig.REAL)
tgamma = UnaryOp("tgamma", fn.gamma, sig.REAL)
frexpx = UnaryOp("frexpx", fn.mantissa, sig.FLOAT)
frexpe = UnaryOp("frexpe", fn.exponent, sig.FLOAT)
isfinite = UnaryOp("isfinite", fn.by_name("isfinite"), sig.TEST)
isinf = UnaryOp("isinf", fn.by_name("isinf"), sig.TEST)
isnan = UnaryOp("isnan", fn.by_name("isnan"), sig.TEST)

# The entry's row or column, counted from 0 or from 1; the column in a vector is the first.
positioni, positioni1 = _position("positioni", "i"), _position("positioni1", "i1")
positionj, positionj1 = _position("positionj", "j"), _position("positionj1", "j1")


def register_new(name: str, func: Callable[..., Any], *, parameterized: bool = False, lazy: bool = False) -> Any:
    """Make an operator of a function of a number, known as ``unary.name``.

    Parameters
    ----------
    name : str
        Its name, a new one; of dotted ones, as ``"mine.plus_one"``, all but the last part may be in use.
    func : callable
        Takes a number and returns one; if `parameterized`, takes parameters and returns such a function.
    parameterized : bool
        Whether parameters are given when the operator is used.
    lazy : bool
        Whether it is made when it is first asked for. Nothing is returned then.

    Examples
    --------
    >>> from lagbfs import Vector, unary
    >>> plus_one = unary.register_new("plus_one", lambda x: x + 1)
    >>> unary.plus_one(Vector.from_coo([1], [5], size=2)).new().to_dict()
    {1: 6}
    >>> del unary.plus_one
    """
    return FAMILY.register(name, lambda: register_anonymous(func, name, parameterized=parameterized), lazy=lazy)


def register_anonymous(func: Callable[..., Any], name: str | None = None, *, parameterized: bool = False) -> Any:
    """Make an operator of a function of a number, without making it known by a name."""
    return FAMILY.register_anonymous(func, name, parameterized=parameterized)


def _define(func: Callable[..., Any], name: str) -> UnaryOp:
    own = Own(func, "v")
    return UnaryOp(name, own, own.signature)


FAMILY = Family(
    __name__, "a unary operator", (UnaryOp, TypedUnaryOp), {"-": ainv, "~": lnot, builtins.abs: abs}, define=_define
)


def lookup(name: str, value: Any) -> UnaryOp | TypedUnaryOp:
    """Return the operator meant by `value`: one, its name, or a function of a number."""
    op: UnaryOp | TypedUnaryOp = FAMILY.lookup(name, value)
    return op


def from_string(text: str) -> UnaryOp | TypedUnaryOp:
    """Return the operator that a string names, as ``"abs[int]"`` or ``"-"``."""
    op: UnaryOp | TypedUnaryOp = FAMILY.parse("text", text)
    return op
