"""Binary operators: for `ewise_add`, `ewise_mult`, `apply`, accumulators and the multiplication of semirings.

Numbers behave as in GraphBLAS: operands are cast to one dtype, that which unifies theirs, `min` and `max` ignore NaN,
integers wrap around, `pair` gives an int64 whatever its operands. Of bools, `plus` is or, `times` is and, `minus` is
whether they differ.
"""

from __future__ import annotations

import builtins
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base import casts
from ..base.arrays import namespace
from ..base.dtypes import INT64
from ..errors import InvalidTypeError
from . import functions as fn
from . import signature as sig
from .family import Family
from .operand import Operand, operand
from .operator import Operator, TypedOperator
from .own import Own
from .parameterized import ParameterizedBinary
from .signature import DType, Signature

if TYPE_CHECKING:
    from .monoid import Monoid, TypedMonoid

__all__ = [
    "BinaryOp",
    "Combining",
    "TypedBinaryOp",
    "from_string",
    "isclose",
    "lookup",
    "pair_up",
    "register_anonymous",
    "register_new",
]


class Combining(ABC):
    """What makes one value of two: a binary operator, or a monoid by its operator; over one dtype, or over several."""

    __slots__ = ()

    @property
    @abstractmethod
    def binary(self) -> Binary:
        """The operator."""

    def __call__(self, left: Any, right: Any = None, **defaults: Any) -> Any:
        """Apply to ``v | u`` (union), ``v & u`` (intersection), or to a vector or matrix and a scalar in either order.

        A union may have a `left_default` and a `right_default`, for entries that one of both has not.
        """
        if right is None:
            return operand(self, left).combine(self, **defaults)
        if defaults:
            raise InvalidTypeError(f"{', '.join(defaults)}: only a union v | u has defaults, and no second operand")
        if isinstance(right, Operand):
            return right.apply(self, left=left)
        return operand(self, left).apply(self, right)


class TypedBinaryOp(TypedOperator["BinaryOp"], Combining):
    """A binary operator over one dtype: operands are cast to it."""

    __slots__ = ()

    @property
    def binary(self) -> TypedBinaryOp:
        """The operator itself."""
        return self

    @property
    def position(self) -> str:
        """Which position it gives, if it gives one."""
        return self.parent.position

    def at(self, x: DType, y: DType) -> TypedBinaryOp:
        """Return the operator itself, whatever it is applied to."""
        return self

    def result_dtype(self, x: DType, y: DType) -> DType:
        """Return the dtype of the result, whatever the operands."""
        return self.return_type

    def compute(self, x: Any, y: Any) -> Any:
        """Apply the operator to two arrays of one namespace; the result is a new array."""
        inner = self.type
        value = fn.quietly(self.parent.function, inner, namespace(x), casts.cast(x, inner), casts.cast(y, inner))
        value = casts.cast(value, self.return_type)
        return value.copy() if value is x or value is y else value

    def accumulate(self, x: Any, y: Any) -> Any:
        """Return x ⊙ y in the dtype of x, as an accumulator computes it."""
        return casts.cast(self.compute(x, y), x.dtype)

    @property
    def flipped(self) -> TypedBinaryOp:
        """The operator that takes its operands the other way round."""
        return self.parent.flipped.over(self.key)

    @property
    def monoid(self) -> TypedMonoid | None:
        """The monoid of the operator over this dtype, None if it has none."""
        monoid = self.parent.monoid
        typed = monoid.over(self.key) if monoid is not None and self.key in monoid else None
        # `plus` of bools is or, which its monoid, that counts them, does not fold.
        return typed if typed is not None and np.can_cast(typed.return_type, self.return_type) else None

    @property
    def commutes_to(self) -> TypedBinaryOp | None:
        """The operator that takes its operands the other way round, None if none is known by name."""
        other = self.parent.commutes_to
        return other.over(self.key) if other is not None and self.key in other else None

    @property
    def is_commutative(self) -> bool:
        """Whether it does not matter which operand comes first."""
        return self.parent.is_commutative


class BinaryOp(Operator[TypedBinaryOp], Combining):
    """A named function of two values.

    Parameters
    ----------
    name : str
        Its name in this module.
    function : callable
        ``function(xp, x, y)`` over arrays of the namespace `xp` (NumPy or CuPy), both already of the dtype
        to compute in.
    signature : mapping
        What is computed in and given by the dtype that unifies those of the operands.
    always : dtype, optional
        By which dtype to look it up, whatever the operands.
    position : str
        Which position it gives, if it does not look at values: of the "first" or "second" operand the row "i" or the
        column "j", counted from 0 or from "1".

    Examples
    --------
    >>> from lagbfs import Vector, binary
    >>> v = Vector.from_coo([0, 2], [3, 4], size=3)
    >>> binary.times(v, 10).new().to_dict(), binary.times[float](v, 10).new().to_dict()
    ({0: 30, 2: 40}, {0: 30.0, 2: 40.0})
    """

    __slots__ = ("_flipped", "always", "function", "monoid", "position")
    kind = "binary"

    def __init__(
        self,
        name: str,
        function: Callable[[Any, Any, Any], Any],
        signature: Signature = sig.SAME,
        *,
        always: DType | None = None,
        position: str = "",
    ) -> None:
        super().__init__(name, signature)
        self.function, self.always, self.position = function, always, position
        self._flipped: BinaryOp | None = None
        self.monoid: Monoid | None = None

    def _make(self, key: DType) -> TypedBinaryOp:
        return TypedBinaryOp(self, key)

    @property
    def binary(self) -> BinaryOp:
        """The operator itself."""
        return self

    @property
    def is_positional(self) -> bool:
        """Whether it looks at positions, not at values."""
        return bool(self.position)

    @property
    def flipped(self) -> BinaryOp:
        """The operator that takes its operands the other way round: itself if it does not matter."""
        if self._flipped is None:
            function = self.function
            other = BinaryOp(f"flipped {self.name}", lambda xp, x, y: function(xp, y, x), self.signature)
            other.pickled_as(_flip, self)
            pair_up(self, other)
            return other
        return self._flipped

    @property
    def commutes_to(self) -> BinaryOp | None:
        """The operator that takes its operands the other way round, None if none is known by name."""
        other = self._flipped
        is_made = other is not None and other._pickled is not None and other._pickled[0] is _flip
        return None if is_made else other

    @property
    def is_commutative(self) -> bool:
        """Whether it does not matter which operand comes first."""
        return self._flipped is self

    def at(self, x: DType, y: DType) -> TypedBinaryOp:
        """Return the operator as it is over operands of these dtypes."""
        return self.over_both(x, y) if self.always is None else self.over(self.always)

    def result_dtype(self, x: DType, y: DType) -> DType:
        """Return the dtype of the result for operands of these dtypes."""
        return self.at(x, y).return_type

    def compute(self, x: Any, y: Any) -> Any:
        """Apply the operator to two arrays of one namespace; the result is a new array."""
        return self.at(x.dtype, y.dtype).compute(x, y)

    def accumulate(self, x: Any, y: Any) -> Any:
        """Return x ⊙ y in the dtype of x, as an accumulator computes it: over that dtype, to which y is cast."""
        return self.over(x.dtype).accumulate(x, y)


Binary = BinaryOp | TypedBinaryOp


def _flip(op: BinaryOp) -> BinaryOp:
    return op.flipped


def pair_up(op: BinaryOp, other: BinaryOp) -> None:
    """Say of two operators that each takes the operands of the other the other way round."""
    op._flipped, other._flipped = other, op


def _place(name: str) -> BinaryOp:
    return BinaryOp(name, fn.without_values, sig.POSITION, position=name)


def _compares(compare: Callable[[Any, Any], Any]) -> tuple[BinaryOp, BinaryOp]:
    """Return a comparison, which gives bools, and the same as numbers 0 and 1 of the operands' dtype."""
    name = compare.__name__
    return (
        BinaryOp(name, lambda xp, x, y: compare(x, y), sig.COMPARISON),
        BinaryOp(f"is{name}", fn.compared(compare)),
    )


plus = BinaryOp("plus", lambda xp, x, y: x + y)
minus = BinaryOp("minus", fn.difference)
rminus = BinaryOp("rminus", lambda xp, x, y: fn.difference(xp, y, x))
times = BinaryOp("times", lambda xp, x, y: x * y)
truediv = BinaryOp("truediv", lambda xp, x, y: x / y, sig.QUOTIENT)
rtruediv = BinaryOp("rtruediv", lambda xp, x, y: y / x, sig.QUOTIENT)
cdiv = BinaryOp("cdiv", fn.quotient)
rdiv = BinaryOp("rdiv", lambda xp, x, y: fn.quotient(xp, y, x))
floordiv = BinaryOp("floordiv", fn.floor_quotient, sig.WHOLE)
rfloordiv = BinaryOp("rfloordiv", lambda xp, x, y: fn.floor_quotient(xp, y, x), sig.WHOLE)
pow = BinaryOp("pow", fn.power)
rpow = BinaryOp("rpow", lambda xp, x, y: fn.power(xp, y, x), sig.WHOLE)
min = BinaryOp("min", lambda xp, x, y: xp.fmin(x, y))
max = BinaryOp("max", lambda xp, x, y: xp.fmax(x, y))
any = BinaryOp("any", lambda xp, x, y: x)
first = BinaryOp("first", lambda xp, x, y: x)
second = BinaryOp("second", lambda xp, x, y: y)
absfirst = BinaryOp("absfirst", lambda xp, x, y: xp.abs(x))
abssecond = BinaryOp("abssecond", lambda xp, x, y: xp.abs(y))
pair = BinaryOp("pair", lambda xp, x, y: xp.ones_like(x), always=INT64)

(eq, iseq), (ne, isne) = _compares(operator.eq), _compares(operator.ne)
(lt, islt), (le, isle) = _compares(operator.lt), _compares(operator.le)
(gt, isgt), (ge, isge) = _compares(operator.gt), _compares(operator.ge)
land = BinaryOp("land", fn.truth(lambda x, y: x & y))
lor = BinaryOp("lor", fn.truth(lambda x, y: x | y))
lxor = BinaryOp("lxor", fn.truth(lambda x, y: x ^ y))
lxnor = BinaryOp("lxnor", fn.equal_truth, sig.LOGIC)

band = BinaryOp("band", lambda xp, x, y: x & y, sig.INTEGER)
bor = BinaryOp("bor", lambda xp, x, y: x | y, sig.INTEGER)
bxor = BinaryOp("bxor", lambda xp, x, y: x ^ y, sig.INTEGER)
bxnor = BinaryOp("bxnor", lambda xp, x, y: ~(x ^ y), sig.INTEGER)
bget = BinaryOp("bget", fn.bit_get, sig.INTEGER)
bset = BinaryOp("bset", fn.bit_set, sig.INTEGER)
bclr = BinaryOp("bclr", fn.bit_clear, sig.INTEGER)
bshift = BinaryOp("bshift", fn.shifted, sig.INTEGER)

atan2 = BinaryOp("atan2", fn.by_name("arctan2"), sig.REAL)
hypot = BinaryOp("hypot", fn.by_name("hypot"), sig.REAL)
copysign = BinaryOp("copysign", fn.by_name("copysign"), sig.REAL)
fmod = BinaryOp("fmod", fn.by_name("fmod"), sig.REAL)
remainder = BinaryOp("remainder", fn.remainder, sig.REAL)
ldexp = BinaryOp("ldexp", fn.scaled, sig.SCALED)
binom = BinaryOp("binom", fn.binomial, sig.COUNT)

# Positions of the operands: of elementwise operations that of the entry; of a product, where i, k and j are those of
# C_ij = ⊕_k A_ik ⊗ B_kj, firsti is i, firstj and secondi are k, secondj is j. In a search secondi is the parent.
firsti, firsti1, firstj, firstj1 = _place("firsti"), _place("firsti1"), _place("firstj"), _place("firstj1")
secondi, secondi1, secondj, secondj1 = _place("secondi"), _place("secondi1"), _place("secondj"), _place("secondj1")

for _one, _other in (
    (first, second), (absfirst, abssecond), (minus, rminus), (truediv, rtruediv), (cdiv, rdiv), (floordiv, rfloordiv),
    (pow, rpow), (lt, gt), (le, ge), (islt, isgt), (isle, isge),
    (firsti, secondi), (firsti1, secondi1), (firstj, secondj), (firstj1, secondj1),
    *((op, op) for op in (plus, times, min, max, any, pair, eq, ne, iseq, isne, land, lor, lxor, lxnor)),
    *((op, op) for op in (band, bor, bxor, bxnor, hypot)),
):  # fmt: skip
    pair_up(_one, _other)
del _one, _other


def register_new(name: str, func: Callable[..., Any], *, parameterized: bool = False, lazy: bool = False) -> Any:
    """Make an operator of a function of two numbers, known as ``binary.name``.

    Parameters
    ----------
    name : str
        Its name, a new one; of dotted ones, as ``"mine.larger"``, all but the last part may be in use.
    func : callable
        Takes two numbers and returns one; if `parameterized`, takes parameters and returns such a function.
    parameterized : bool
        Whether parameters are given when the operator is used.
    lazy : bool
        Whether it is made when it is first asked for. Nothing is returned then.

    Examples
    --------
    >>> from lagbfs import Vector, binary
    >>> op = binary.register_new("larger_size", lambda x, y: x if abs(x) > abs(y) else y)
    >>> v, w = Vector.from_coo([0], [-7], size=1), Vector.from_coo([0], [5], size=1)
    >>> binary.larger_size(v & w).new().to_dict()
    {0: -7}
    >>> del binary.larger_size
    """
    return FAMILY.register(name, lambda: register_anonymous(func, name, parameterized=parameterized), lazy=lazy)


def register_anonymous(func: Callable[..., Any], name: str | None = None, *, parameterized: bool = False) -> Any:
    """Make an operator of a function of two numbers, without making it known by a name."""
    return FAMILY.register_anonymous(func, name, parameterized=parameterized)


def _define(func: Callable[..., Any], name: str) -> BinaryOp:
    own = Own(func, "vv")
    return BinaryOp(name, own, own.signature)


def _isclose(rel_tol: float = 1e-7, abs_tol: float = 0.0) -> BinaryOp:
    op = BinaryOp("isclose", fn.close(rel_tol, abs_tol), sig.COMPARISON)
    op.pickled_as(isclose, rel_tol, abs_tol)
    pair_up(op, op)
    return op


isclose = ParameterizedBinary("binary", "isclose", _isclose)
"""Whether two numbers differ by no more than ``max(rel_tol * max(abs(x), abs(y)), abs_tol)``: ``isclose(1e-5)``."""
isclose.is_commutative = True

FAMILY = Family(
    __name__,
    "a binary operator",
    (Combining,),
    {
        "<": lt, ">": gt, "<=": le, ">=": ge, "!=": ne, "==": eq, "+": plus, "-": minus, "*": times, "/": truediv,
        "//": floordiv, "**": pow, "&": land, "|": lor, "^": lxor, builtins.min: min, builtins.max: max,
    },
    define=_define,
    families=ParameterizedBinary,
)  # fmt: skip


def lookup(name: str, value: Any) -> Binary:
    """Return the operator meant by `value`: one, a monoid (its operator), a name, or a function of two numbers."""
    op: Combining = FAMILY.lookup(name, value)
    return op.binary


def from_string(text: str) -> Binary:
    """Return the operator that a string names, as ``"plus[int]"`` or ``"+"``."""
    op: Binary = FAMILY.parse("text", text)
    return op
