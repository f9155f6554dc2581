"""Monoids: the additions of semirings, and what reductions fold with.

Over which dtypes each is defined is as in python-graphblas: `lor` and its like cast to bool, `band` and its like are
over unsigned integers, `eq` over bools. `plus`, which is not defined over bools there, counts them here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Self

import numpy as np

from ..base import casts
from ..base.arrays import namespace, on_device
from ..base.dtypes import BOOL
from ..errors import InvalidTypeError, OperatorDtypeError
from . import binary
from . import functions as fn
from . import signature as sig
from .binary import BinaryOp, Combining, TypedBinaryOp
from .family import Family, by_dtype
from .operator import Operator, TypedOperator
from .parameterized import Parameterized, ParameterizedBinary, ParameterizedMonoid, same_parameters
from .signature import DType, Signature

__all__ = [
    "Monoid",
    "TypedMonoid",
    "from_string",
    "lookup",
    "register_anonymous",
    "register_new",
]

Identity = Callable[[DType], Any]


class Folding(Combining):
    """What folds: associative and commutative."""

    __slots__ = ()

    @property
    def is_commutative(self) -> bool:
        """Whether it does not matter which operand comes first: it never does."""
        return True

    @property
    def is_associative(self) -> bool:
        """Whether it does not matter which operands are combined first: it never does."""
        return True

    @property
    def commutes_to(self) -> Self:
        """The monoid itself."""
        return self


class TypedMonoid(TypedOperator["Monoid"], Folding):
    """A monoid over one dtype: what it folds is cast to it."""

    __slots__ = ()

    @property
    def binary(self) -> TypedBinaryOp:
        """The operator, over this dtype."""
        return self.parent.binary.over(self.key)

    @property
    def binaryop(self) -> TypedBinaryOp:
        """The operator, over this dtype."""
        return self.parent.binaryop.over(self.type)

    @property
    def identity(self) -> Any:
        """The value that leaves any other as it is."""
        return self.parent.identities[self.key]

    @property
    def is_idempotent(self) -> bool:
        """Whether x ⊕ x is x for any x."""
        return self.parent.is_idempotent

    @property
    def stops(self) -> bool:
        """Whether a fold may stop early."""
        return self.parent.stops

    def over(self, dtype: DType) -> TypedMonoid:
        """Return the monoid itself, whatever it folds."""
        return self

    def fold(self, values: Any, places: Any = None) -> Any:
        """Fold a non-empty array into one value, whatever the places of the values."""
        if self.parent.takes_any:
            return casts.cast(values[:1], self.return_type)[0]
        values, ufunc = casts.cast(values, self.type), self.parent.ufunc
        if ufunc is None or on_device(values):
            return _fold_by_halves(self._combine, values)[0]
        return fn.quietly(getattr(np, ufunc).reduce, self.type, values, 0, self.type)

    def fold_groups(self, values: Any, starts: Any, places: Any = None) -> Any:
        """Fold each of the groups of consecutive values that begin at `starts`; none is empty."""
        if self.parent.takes_any:
            return casts.cast(values[starts], self.return_type)
        values, ufunc = casts.cast(values, self.type), self.parent.ufunc
        if ufunc is None:
            return _fold_groups_by_halves(self._combine, values, starts)
        return fn.quietly(getattr(np, ufunc).reduceat, self.type, values, starts, 0, self.type)

    def _combine(self, x: Any, y: Any) -> Any:
        return self.binary.compute(x, y)


class Monoid(Operator[TypedMonoid], Folding):
    """An associative, commutative operator.

    Parameters
    ----------
    op : BinaryOp
        The operator.
    ufunc : str or None
        The NumPy ufunc that folds whole arrays with it; without one, the operator folds halves.
    signature : mapping
        What is folded in, and what that gives, by the dtype of what is folded.
    identity : callable
        Returns the identity over a dtype.
    stops : bool
        Whether a fold may stop early: `any` at the first value, `lor` at the first true one.
    takes_any : bool
        Whether one value is as good as another.
    is_idempotent : bool
        Whether x ⊕ x is x for any x.

    Examples
    --------
    >>> from lagbfs import Vector, monoid
    >>> Vector.from_coo([0, 2], [3, 4], size=3).reduce(monoid.plus).value
    7
    >>> monoid.min.identities[monoid.min["INT8"].type]
    127
    """

    __slots__ = ("_binary", "_identity", "is_idempotent", "op", "stops", "takes_any", "ufunc")
    kind = "monoid"

    def __init__(
        self,
        op: BinaryOp,
        ufunc: str | None = None,
        signature: Signature = sig.SAME,
        identity: Identity = lambda dtype: 0,
        *,
        stops: bool = False,
        takes_any: bool = False,
        is_idempotent: bool = False,
    ) -> None:
        super().__init__(op.name, signature)
        self.op, self.ufunc, self._identity = op, ufunc, identity
        self.stops, self.takes_any, self.is_idempotent = stops, takes_any, is_idempotent
        # The operator over the dtypes that the monoid is defined over: as an accumulator, or of a union.
        self._binary = op if signature is op.signature else BinaryOp(op.name, op.function, signature)
        self._binary.monoid = self
        if op.monoid is None:
            op.monoid = self

    def _make(self, key: DType) -> TypedMonoid:
        return TypedMonoid(self, key)

    @property
    def binary(self) -> BinaryOp:
        """The operator, over the dtypes of the monoid."""
        return self._binary

    @property
    def binaryop(self) -> BinaryOp:
        """The operator, over all its dtypes."""
        return self.op

    @property
    def identities(self) -> Mapping[DType, Any]:
        """The value that leaves any other as it is, by dtype."""
        return {dtype: self._identity(typing.inner) for dtype, typing in self.signature.items()}

    def fold(self, values: Any) -> Any:
        """Fold a non-empty array into one value."""
        return self.over(values.dtype).fold(values)

    def fold_groups(self, values: Any, starts: Any) -> Any:
        """Fold each of the groups of consecutive values that begin at `starts`; none is empty."""
        return self.over(values.dtype).fold_groups(values, starts)


def _fold_by_halves(combine: Callable[[Any, Any], Any], values: Any) -> Any:
    """Fold an array into one element by an associative, commutative function."""
    concatenate = namespace(values).concatenate
    while len(values) > 1:
        half = len(values) // 2
        values = concatenate([combine(values[:half], values[half : 2 * half]), values[2 * half :]])
    return values


def _fold_groups_by_halves(combine: Callable[[Any, Any], Any], values: Any, starts: Any) -> Any:
    """Fold groups of consecutive values, neighbours first: as often as the longest group can be halved."""
    counts = np.diff(np.append(starts, len(values)))
    while counts.max(initial=1) > 1:
        place = np.arange(len(values)) - np.repeat(starts, counts)
        left = np.flatnonzero((place % 2 == 0) & (place + 1 < np.repeat(counts, counts)))
        values = values.copy()
        values[left] = combine(values[left], values[left + 1])
        values = values[place % 2 == 0]
        counts = (counts + 1) // 2
        starts = np.cumsum(counts) - counts
    return values


def least(dtype: DType) -> Any:
    """Return the least number of a dtype."""
    return {"b": False, "f": -np.inf}.get(dtype.kind) if dtype.kind in "bf" else int(np.iinfo(dtype).min)


def largest(dtype: DType) -> Any:
    """Return the largest number of a dtype."""
    return {"b": True, "f": np.inf}.get(dtype.kind) if dtype.kind in "bf" else int(np.iinfo(dtype).max)


def _number(value: int) -> Identity:
    return lambda dtype: dtype.type(value).item()


any = Monoid(binary.any, identity=_number(0), stops=True, takes_any=True, is_idempotent=True)
min = Monoid(binary.min, "fmin", identity=largest, is_idempotent=True)
max = Monoid(binary.max, "fmax", identity=least, is_idempotent=True)
plus = Monoid(binary.plus, "add", sig.SUM, _number(0))
times = Monoid(binary.times, "multiply", identity=_number(1))
lor = Monoid(binary.lor, "logical_or", sig.LOGIC, _number(0), stops=True, is_idempotent=True)
land = Monoid(binary.land, "logical_and", sig.LOGIC, _number(1), is_idempotent=True)
lxor = Monoid(binary.lxor, "logical_xor", sig.LOGIC, _number(0))
lxnor = Monoid(binary.lxnor, "equal", sig.LOGIC, _number(1))
eq = Monoid(binary.eq, "equal", sig.TRUTH, _number(1))
band = Monoid(binary.band, "bitwise_and", sig.UNSIGNED, largest, is_idempotent=True)
bor = Monoid(binary.bor, "bitwise_or", sig.UNSIGNED, _number(0), is_idempotent=True)
bxor = Monoid(binary.bxor, "bitwise_xor", sig.UNSIGNED, _number(0))
bxnor = Monoid(binary.bxnor, None, sig.UNSIGNED, largest)


def register_new(name: str, binaryop: Any, identity: Any, *, is_idempotent: bool = False, lazy: bool = False) -> Any:
    """Make a monoid of an operator, known as ``monoid.name``.

    Parameters
    ----------
    name : str
        Its name, a new one; of dotted ones, as ``"mine.either"``, all but the last part may be in use.
    binaryop : BinaryOp or str
        The operator: associative and commutative, which is not checked. Of a parameterized one, the monoid is, too.
    identity : number, mapping or callable
        The value that leaves any other as it is; or such values by dtype, and the monoid is over these alone. Of a
        parameterized monoid it may be a function of the parameters.
    is_idempotent : bool
        Whether x ⊕ x is x for any x.
    lazy : bool
        Whether it is made when it is first asked for. Nothing is returned then.

    Examples
    --------
    >>> from lagbfs import Vector, binary, monoid
    >>> either = binary.register_new("either", lambda x, y: x + y - x * y)
    >>> op = monoid.register_new("either", binary.either, 0)
    >>> Vector.from_coo([0, 1], [0.5, 0.5]).reduce(monoid.either).value
    0.75
    >>> del binary.either, monoid.either
    """
    return FAMILY.register(
        name, lambda: register_anonymous(binaryop, identity, name, is_idempotent=is_idempotent), lazy=lazy
    )


def register_anonymous(binaryop: Any, identity: Any, name: str | None = None, *, is_idempotent: bool = False) -> Any:
    """Make a monoid of an operator, without making it known by a name; of a parameterized one, a parameterized one."""
    op = binary.FAMILY.find(binaryop) if isinstance(binaryop, str) else binaryop
    made: Monoid | ParameterizedMonoid[Monoid]
    if isinstance(op, ParameterizedBinary):
        made = _family(op, identity, name or op.name, is_idempotent)
    elif isinstance(op, BinaryOp):
        made = _define(op, identity, name or op.name, is_idempotent)
    else:
        raise InvalidTypeError(f"binaryop must be a BinaryOp, or its name, not {binaryop!r}")
    made.pickled_as(partial(register_anonymous, is_idempotent=is_idempotent), op, identity, name)
    return made


def _family(
    binaryop: ParameterizedBinary[BinaryOp], identity: Any, name: str, is_idempotent: bool
) -> ParameterizedMonoid[Monoid]:
    if callable(identity):
        same_parameters(binaryop, identity)

    def make(*args: Any, **named: Any) -> Monoid:
        value = identity(*args, **named) if callable(identity) else identity
        return _define(binaryop.alone(*args, **named), value, name, is_idempotent)

    return ParameterizedMonoid(name, binaryop, make, is_idempotent=is_idempotent)


def _define(binaryop: BinaryOp, identity: Any, name: str, is_idempotent: bool) -> Monoid:
    given = by_dtype(identity) if isinstance(identity, Mapping) else None
    signature = {dtype: typing for dtype, typing in binaryop.signature.items() if typing.inner == typing.result}
    if given is not None:
        signature = {dtype: signature[dtype] for dtype in given if dtype in signature}
    if not signature or (given is not None and len(signature) < len(given)):
        raise OperatorDtypeError(f"{binaryop!r} must return the dtype that it is given, to be the operator of a monoid")
    values = dict.fromkeys(signature, identity) if given is None else given
    op = Monoid(binaryop, None, signature, values.__getitem__, is_idempotent=is_idempotent)
    op.name, op.orig_func = name, binaryop.orig_func
    return op


FAMILY = Family(
    __name__, "a monoid", (Monoid, TypedMonoid), {"==": eq, "+": plus, "*": times, "&": land, "|": lor, "^": lxor}
)


def of(op: binary.Binary, dtype: DType) -> TypedMonoid | None:
    """Return the monoid of an operator that accumulates values of `dtype`, None if it has none."""
    parent = op.parent if isinstance(op, TypedBinaryOp) else op
    monoid = lor if parent is binary.plus and dtype == BOOL else parent.monoid
    if monoid is None or dtype not in monoid or (isinstance(op, TypedBinaryOp) and op.type != dtype):
        return None
    typed = monoid.over(dtype)
    return typed if typed.type == typed.return_type == dtype == parent.over(dtype).return_type else None


def lookup(name: str, value: Any) -> Monoid | TypedMonoid:
    """Return the monoid meant by `value`: one, its name, or the operator of one."""
    if isinstance(value, Parameterized):
        value = value.default
    if isinstance(value, BinaryOp | TypedBinaryOp) and value.monoid is not None:
        return value.monoid
    op: Monoid | TypedMonoid = FAMILY.lookup(name, value)
    return op


def from_string(text: str) -> Monoid | TypedMonoid:
    """Return the monoid that a string names, as ``"plus[int]"`` or ``"+"``."""
    op: Monoid | TypedMonoid = FAMILY.parse("text", text)
    return op
