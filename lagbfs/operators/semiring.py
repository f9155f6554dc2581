"""Semirings: the addition and multiplication of a product ``w_j = ⊕_k q_k ⊗ A_kj``.

They bear the names of python-graphblas: ``min_plus`` adds with `min` and multiplies with `plus`. Any monoid and any
binary operator make one, under the name of both; it is made when it is first asked for. ``any_secondi`` gives for
each vertex *some* k with an edge into it, ``min_secondi`` the smallest.
"""

from __future__ import annotations

import sys
from itertools import product
from typing import Any

from ..base import dtypes
from ..errors import InvalidTypeError, OperatorDtypeError
from . import binary, monoid
from .binary import Binary, BinaryOp, TypedBinaryOp
from .family import Family
from .monoid import Monoid, TypedMonoid
from .operand import operand
from .parameterized import Parameterized, ParameterizedBinary, ParameterizedMonoid, same_parameters
from .signature import WIDER, DType
from .typed_semiring import TypedSemiring

__all__ = [
    "Semiring",
    "TypedSemiring",
    "from_string",
    "get_semiring",
    "lookup",
    "register_anonymous",
    "register_new",
]


class Semiring:
    """A monoid to add with and a binary operator to multiply with.

    Parameters
    ----------
    add : Monoid or str
        The addition.
    multiply : BinaryOp or str
        The multiplication; its first operand is the left one of the product.
    name : str, optional
        Default: addition, underscore, multiplication.

    Examples
    --------
    >>> from lagbfs import Matrix, Vector, semiring
    >>> A = Matrix.from_edges([0, 1], [1, 2], weights=[4, 5])
    >>> q = Vector.from_coo([0, 1], [10, 20], size=3)
    >>> semiring.min_plus(q @ A).new().to_dict()
    {1: 14, 2: 25}
    >>> semiring.max_first[float](q @ A).new().to_dict()
    {1: 10.0, 2: 20.0}
    """

    __slots__ = ("_flipped", "_pairs", "_typed", "add", "multiply", "name")

    def __init__(self, add: Monoid | TypedMonoid | str, multiply: Binary | str, name: str | None = None) -> None:
        adding, multiplying = monoid.lookup("add", add), binary.lookup("multiply", multiply)
        if isinstance(adding, TypedMonoid) or isinstance(multiplying, TypedBinaryOp):
            raise InvalidTypeError(f"a semiring is made of operators over all dtypes, not of {add!r} and {multiply!r}")
        self.add, self.multiply = adding, multiplying
        self.name = name or f"{self.add.name}_{self.multiply.name}"
        self._typed: dict[DType, TypedSemiring | None] = {}
        self._pairs: dict[tuple[DType, DType], TypedSemiring] = {}
        self._flipped: Semiring | None = None

    @property
    def monoid(self) -> Monoid:
        """The addition."""
        return self.add

    @property
    def binaryop(self) -> BinaryOp:
        """The multiplication."""
        return self.multiply

    @property
    def is_builtin(self) -> bool:
        """Whether both operators are of lagbfs: engines may know those by name."""
        return self.add.is_builtin and self.multiply.is_builtin

    @property
    def is_positional(self) -> bool:
        """Whether it looks at positions, not at values."""
        return self.multiply.is_positional

    @property
    def is_commutative(self) -> bool:
        """Whether the multiplication does not care which operand comes first."""
        return self.multiply.is_commutative

    @property
    def commutes_to(self) -> Semiring | None:
        """The semiring that takes its operands the other way round, None if none is known by name."""
        return None if self.multiply.commutes_to is None else self.flipped

    @property
    def flipped(self) -> Semiring:
        """The semiring whose multiplication takes its operands the other way round."""
        if self._flipped is None:
            self._flipped = get_semiring(self.add, _FLIPPED.get(self.multiply.name) or self.multiply.flipped)
        return self._flipped

    @property
    def types(self) -> dict[DType, DType]:
        """The dtype of the product over each dtype that the semiring is defined over."""
        made = ((dtype, self._make(dtype)) for dtype in dtypes.ALL)
        return {dtype: typed.return_type for dtype, typed in made if typed is not None}

    def _make(self, dtype: DType) -> TypedSemiring | None:
        if dtype not in self._typed:
            typed = self._over(dtype) or (self._over(WIDER[dtype]) if dtype in WIDER else None)
            # Of threads that come first together all get the one that was made first.
            self._typed.setdefault(dtype, None if typed is None else self._known(typed))
        return self._typed[dtype]

    def _known(self, typed: TypedSemiring) -> TypedSemiring:
        """Return the one of the same operators that was made before, if any was."""
        made = (other for other in list(self._typed.values()) if other is not None)
        return next((other for other in made if (other.add, other.multiply) == (typed.add, typed.multiply)), typed)

    def _over(self, dtype: DType) -> TypedSemiring | None:
        """Return the semiring over operands of `dtype`, None if there is none: the monoid has to take the terms."""
        if dtype not in self.multiply.signature:
            return None
        multiply = self.multiply.over(dtype)
        term = dtypes.BOOL if self.add.signature.keys() == {dtypes.BOOL} else multiply.return_type
        return TypedSemiring(self, self.add.over(term), multiply) if term in self.add.signature else None

    def over(self, dtype: DType) -> TypedSemiring:
        """Return the semiring as it is over operands that unify to `dtype`."""
        typed = self._make(dtype)
        if typed is None:
            known = ", ".join(map(dtypes.name_of, self.types)) or "no dtype"
            raise OperatorDtypeError(f"{self!r} does not work with {dtypes.name_of(dtype)}, but with {known}")
        return typed

    def at(self, x: DType, y: DType) -> TypedSemiring:
        """Return the semiring as it is over operands of these dtypes."""
        typed = self._pairs.get((x, y))
        if typed is None:
            typed = self._pairs[x, y] = self.over(self.multiply.always or dtypes.unify(x, y))
        return typed

    def result_dtype(self, x: DType, y: DType) -> DType:
        """Return the dtype of the product of operands of these dtypes."""
        return self.at(x, y).return_type

    def __getitem__(self, dtype: Any) -> TypedSemiring:
        return self.over(dtypes.lookup_dtype(dtype))

    def __contains__(self, dtype: Any) -> bool:
        return self._make(dtypes.lookup_dtype(dtype)) is not None

    def __repr__(self) -> str:
        return f"semiring.{self.name}"

    def __reduce__(self) -> str | tuple[Any, ...]:
        is_named = getattr(sys.modules[__name__], self.name, None) is self  # then it is pickled by name
        return self.name if is_named else (get_semiring, (self.add, self.multiply))

    def __call__(self, product: Any) -> Any:
        """Say in which semiring ``q @ A`` or ``A @ q`` is meant."""
        return operand(self, product).in_semiring(self)


AnySemiring = Semiring | TypedSemiring

COMMON = (
    "any_pair",
    "any_secondi",
    "lor_land",
    "max_second",
    "min_first",
    "min_plus",
    "min_second",
    "min_secondi",
    "plus_first",
    "plus_pair",
    "plus_second",
    "plus_times",
)
"""Names of those that algorithms use most."""

# The position that another operator gives once the operands, and with them the product, are transposed.
_FLIPPED = {
    one: getattr(binary, other)
    for pair in (("firsti", "secondj"), ("firstj", "secondi"), ("firsti1", "secondj1"), ("firstj1", "secondi1"))
    for one, other in (pair, pair[::-1])
}
_MADE: dict[tuple[Monoid, BinaryOp], Semiring] = {}
_MONOIDS = monoid.FAMILY


def get_semiring(monoid: Any, binaryop: Any) -> Any:
    """Return the semiring of a monoid and an operator, the same whenever it is asked for; typed if one of them is.

    Examples
    --------
    >>> from lagbfs import binary, monoid, semiring
    >>> semiring.get_semiring(monoid.max, binary.atan2)
    semiring.max_atan2
    """
    if isinstance(monoid, BinaryOp | TypedBinaryOp) and isinstance(binaryop, Monoid | TypedMonoid):
        raise InvalidTypeError(f"monoid and binaryop must not be switched: {monoid!r}, {binaryop!r}")
    add, multiply = _monoid(monoid), _binary(binaryop)
    parents = (
        add.parent if isinstance(add, TypedMonoid) else add,
        multiply.parent if isinstance(multiply, TypedBinaryOp) else multiply,
    )
    made = _MADE.get(parents)
    if made is None:
        made = _MADE.setdefault(parents, Semiring(*parents))
    typed = next((op.type for op in (multiply, add) if isinstance(op, TypedBinaryOp | TypedMonoid)), None)
    return made if typed is None else made[typed]


def _monoid(value: Any) -> Monoid | TypedMonoid:
    return monoid.lookup("monoid", value)


def _binary(value: Any) -> Binary:
    return value.binaryop if isinstance(value, Monoid | TypedMonoid) else binary.lookup("binaryop", value)


def _derived(name: str) -> Semiring | None:
    """Return the semiring that a monoid's and an operator's name stand for, None if they do not."""
    for at, sign in enumerate(name):
        add = monoid.FAMILY.find(name[:at]) if sign == "_" else None
        multiply = binary.FAMILY.find(name[at + 1 :]) if isinstance(add, Monoid) else None
        if isinstance(multiply, BinaryOp):
            made: Semiring = get_semiring(add, multiply)
            return made
    return None


def __getattr__(name: str) -> Semiring:
    """Make the semiring that a monoid's and an operator's name stand for."""
    found: Semiring = FAMILY.missing(name)
    globals()[name] = found
    return found


def names() -> set[str]:
    """Return the names of all semirings, of those to be made, too."""
    multiplying = (name for name in binary.FAMILY.names() if not isinstance(vars(binary).get(name), Parameterized))
    pairs = product(monoid.FAMILY.names(), multiplying)
    return {*FAMILY.names(), *(f"{add}_{multiply}" for add, multiply in pairs)}


def __dir__() -> list[str]:
    return sorted({*FAMILY.listed(), *names()})


def register_new(name: str, monoid: Any, binaryop: Any, *, lazy: bool = False) -> Any:
    """Make a semiring known as ``semiring.name``.

    Parameters
    ----------
    name : str
        Its name, a new one; of dotted ones, as ``"mine.shortest"``, all but the last part may be in use.
    monoid, binaryop : Monoid, BinaryOp, or their names
        Addition and multiplication. If one is parameterized, or both by the same parameters, so is the semiring.
    lazy : bool
        Whether it is made when it is first asked for. Nothing is returned then.

    Examples
    --------
    >>> from lagbfs import binary, monoid, semiring
    >>> shortest = semiring.register_new("shortest", monoid.min, binary.plus)
    >>> semiring.shortest
    semiring.shortest
    >>> del semiring.shortest
    """
    return FAMILY.register(name, lambda: register_anonymous(monoid, binaryop, name), lazy=lazy)


def register_anonymous(monoid: Any, binaryop: Any, name: str | None = None) -> Any:
    """Return the semiring of a monoid and an operator, without making it known by a name."""
    add = _part("monoid", monoid, _MONOIDS, (Monoid, ParameterizedMonoid))
    multiply = _part("binaryop", binaryop, binary.FAMILY, (BinaryOp, ParameterizedBinary))
    families = [op for op in (add, multiply) if isinstance(op, Parameterized)]
    if not families:
        return Semiring(add, multiply, name)
    same_parameters(families[0], families[-1])

    def make(*args: Any, **named: Any) -> Semiring:
        adding, multiplying = (op(*args, **named) if isinstance(op, Parameterized) else op for op in (add, multiply))
        return Semiring(adding, multiplying, name)

    made: Parameterized[Semiring] = Parameterized(
        "semiring", name or f"{add.name}_{multiply.name}", make, families[0].parameters
    )
    made.pickled_as(register_anonymous, add, multiply, name)
    return made


def _part(name: str, value: Any, family: Family, kinds: tuple[type, ...]) -> Any:
    """Return an operator of one of these kinds, or the one of that name."""
    op = family.find(value) if isinstance(value, str) else value
    if not isinstance(op, kinds):
        raise InvalidTypeError(f"{name} must be {family.what}, not {value!r}")
    return op


FAMILY = Family(__name__, "a semiring", (Semiring, TypedSemiring), derive=_derived)


def lookup(name: str, value: Any) -> Semiring | TypedSemiring:
    """Return the semiring meant by `value`: one, or its name, as ``"min_plus"`` or ``"min.+[int]"``."""
    if isinstance(value, str):
        return _parse(name, value)
    op: Semiring | TypedSemiring = FAMILY.lookup(name, value)
    return op


def from_string(text: str) -> Semiring | TypedSemiring:
    """Return the semiring that a string names, as ``"min_plus[int]"`` or ``"min.+[int]"``."""
    return _parse("text", text)


def _parse(name: str, text: str) -> Semiring | TypedSemiring:
    add, dot, multiply = text.partition(".")
    made: Semiring | TypedSemiring
    if dot and FAMILY.find(text.partition("[")[0]) is None:
        made = get_semiring(monoid.from_string(add), binary.from_string(multiply))
    else:
        made = FAMILY.parse(name, text)
    return made
