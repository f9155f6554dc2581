"""Parameterized operators: families of which each member is made by parameters, as ``binary.isclose(rel_tol=1e-5)``."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from inspect import Signature, signature
from typing import Any, Generic, TypeVar

from ..errors import InvalidTypeError, InvalidValueError

__all__ = ["Parameterized", "ParameterizedBinary", "ParameterizedMonoid", "same_parameters"]

T = TypeVar("T")


class Parameterized(Generic[T]):
    """A family of operators: called with parameters, it is one of them; without, it stands for the one by default.

    Parameters
    ----------
    kind : str
        The module of their kind.
    name : str
        The name there.
    make : callable
        Takes the parameters, and returns the operator.
    takes : callable or Signature
        What the parameters are of; by default `make`.

    Examples
    --------
    >>> from lagbfs import Vector, binary
    >>> v, w = Vector.from_coo([0], [1.0], size=1), Vector.from_coo([0], [1.01], size=1)
    >>> v.ewise_mult(w, binary.isclose).new().to_dict()
    {0: False}
    >>> v.ewise_mult(w, binary.isclose(rel_tol=0.1)).new().to_dict()
    {0: True}
    """

    is_positional = False

    def __init__(self, kind: str, name: str, make: Callable[..., T], takes: Any = None) -> None:
        self.kind, self.name = kind, name
        self.parameters = takes if isinstance(takes, Signature) else signature(takes or make)
        self._make = lru_cache(maxsize=256)(make)
        self._pickled: tuple[Any, ...] | None = None

    def __call__(self, *args: Any, **named: Any) -> T:
        """Return the operator with these parameters."""
        return self._make(*args, **named)

    @property
    def default(self) -> T:
        """The operator with the default parameters."""
        try:
            self.parameters.bind()
        except TypeError:
            raise InvalidTypeError(f"{self!r} has to be given its parameters, {self.parameters}") from None
        return self()

    def __repr__(self) -> str:
        return f"{self.kind}.{self.name}"

    def pickled_as(self, make: Callable[..., Any], *args: Any) -> None:
        """Say how it is made, for one that is not known by its name."""
        self._pickled = make, args

    def __reduce__(self) -> tuple[Any, ...]:
        if self._pickled is not None and _find(self.kind, self.name) is not self:
            return self._pickled
        return _find, (self.kind, self.name)


class ParameterizedBinary(Parameterized[T]):
    """A family of binary operators, and the monoids of them, if it has such.

    Attributes
    ----------
    monoid : ParameterizedMonoid or None
        The family whose members are the monoids of the members of this one.
    is_commutative : bool
        Whether for no parameters it matters which operand comes first.
    """

    monoid: ParameterizedMonoid[Any] | None = None
    is_commutative = False

    @property
    def commutes_to(self) -> ParameterizedBinary[T] | None:
        """The family that takes its operands the other way round, None if none is known."""
        return self if self.is_commutative else None

    def alone(self, *args: Any, **named: Any) -> T:
        """Return the operator with these parameters, without a monoid unless it has one already."""
        return self._make(*args, **named)

    def __call__(self, *args: Any, **named: Any) -> T:
        """Return the operator with these parameters, and with its monoid if there is one."""
        if self.monoid is not None:
            # Where the function for the identity fails, there is no monoid for these parameters.
            with suppress(Exception):
                self.monoid(*args, **named)
        return self.alone(*args, **named)


class ParameterizedMonoid(Parameterized[T]):
    """A family of monoids, made of a family of binary operators."""

    def __init__(
        self, name: str, binaryop: ParameterizedBinary[Any], make: Callable[..., T], *, is_idempotent: bool
    ) -> None:
        super().__init__("monoid", name, make, binaryop.parameters)
        self.binaryop, self.is_idempotent = binaryop, is_idempotent
        if binaryop.monoid is None:
            binaryop.monoid = self


def same_parameters(one: Parameterized[Any], other: Any) -> None:
    """Raise unless two families, or a family and a function, take the same parameters."""
    takes = other.parameters if isinstance(other, Parameterized) else signature(other)
    if takes != one.parameters:
        raise InvalidValueError(f"parameters must be the same: {one!r} takes {one.parameters}, {other!r} {takes}")


def _find(kind: str, name: str) -> Any:
    return import_module(f".{kind}", __package__).FAMILY.find(name)
