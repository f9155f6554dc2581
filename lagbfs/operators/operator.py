"""Operator: what all kinds of operators have in common; each is a family of one function over several dtypes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import getitem
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np

from ..base import dtypes
from ..errors import InvalidTypeError, OperatorDtypeError
from .signature import DType, Signature, Typing

__all__ = ["Operator", "Typed", "TypedOperator"]

T = TypeVar("T", bound="TypedOperator[Any]")
O = TypeVar("O", bound="Operator[Any]")  # noqa: E741 (of an operator)
P = TypeVar("P", bound="Parent")


class Parent(Protocol):
    """What an operator or semiring over all its dtypes is asked for by the one over one dtype."""

    @property
    def name(self) -> str:
        """Its name in the module of its kind."""

    @property
    def is_builtin(self) -> bool:
        """Whether it is one of lagbfs."""

    @property
    def is_positional(self) -> bool:
        """Whether it looks at positions, not at values."""


class Typed(Generic[P]):
    """What is over one dtype.

    Attributes
    ----------
    parent : Operator or Semiring
        The same over all its dtypes.
    key : dtype
        One by which it is found there.
    type : dtype
        What operands are cast to.
    return_type : dtype
        What it makes of them.
    """

    __slots__ = ("key", "parent", "return_type", "type")

    def __init__(self, parent: P, key: DType, typing: Typing) -> None:
        self.parent: P = parent
        self.key = key
        self.type, self.return_type = typing

    @property
    def name(self) -> str:
        """The operator's name."""
        return self.parent.name

    @property
    def is_builtin(self) -> bool:
        """Whether it is one of lagbfs: engines may know those by name."""
        return self.parent.is_builtin

    @property
    def is_positional(self) -> bool:
        """Whether it looks at positions, not at values."""
        return self.parent.is_positional

    def __repr__(self) -> str:
        return f"{self.parent!r}[{dtypes.name_of(self.type)}]"

    def __reduce__(self) -> tuple[Any, ...]:
        return getitem, (self.parent, self.key)


class TypedOperator(Typed[O]):
    """An operator over one dtype: ``binary.plus[float]``."""

    __slots__ = ()

    def __init__(self, parent: O, key: DType) -> None:
        super().__init__(parent, key, parent.signature[key])

    @property
    def orig_func(self) -> Callable[..., Any] | None:
        """The user's function that it was made of, None of one of lagbfs."""
        return self.parent.orig_func


class Operator(Generic[T]):
    """A named function, over several dtypes.

    Attributes
    ----------
    name : str
        Its name in the module of its kind.
    signature : mapping
        What it is computed in and what it gives, by the dtype of what it is applied to.
    orig_func : callable or None
        The user's function that it was made of, None of one of lagbfs.
    """

    __slots__ = ("_pairs", "_pickled", "_typed", "is_builtin", "name", "orig_func", "signature")
    kind: ClassVar[str]

    def __init__(self, name: str, signature: Signature) -> None:
        self.name, self.signature = name, signature
        self.is_builtin = False
        self.orig_func: Callable[..., Any] | None = None
        self._pickled: tuple[Any, ...] | None = None
        self._typed: dict[DType, T] = {}
        self._pairs: dict[tuple[DType, DType], T] = {}

    def _make(self, key: DType) -> T:
        """Return the operator over one dtype."""
        raise NotImplementedError

    def over(self, dtype: DType) -> T:
        """Return the operator as it is over operands that unify to `dtype`."""
        typed = self._typed.get(dtype)
        if typed is None:
            typing = self.signature.get(dtype)
            if typing is None:
                known = ", ".join(dtypes.name_of(known) for known in self.signature)
                raise OperatorDtypeError(f"{self!r} does not work with {dtypes.name_of(dtype)}, but with {known}")
            # Other threads may add to it meanwhile: looked at as it is now, and what came first stays.
            alike = (typed for typed in list(self._typed.values()) if (typed.type, typed.return_type) == typing)
            typed = self._typed.setdefault(dtype, next(alike, None) or self._make(dtype))
        return typed

    def over_both(self, x: DType, y: DType) -> T:
        """Return the operator as it is over operands of these dtypes."""
        typed = self._pairs.get((x, y))
        if typed is None:
            typed = self._pairs[x, y] = self.over(np.promote_types(x, y))
        return typed

    def __getitem__(self, dtype: Any) -> T:
        if isinstance(dtype, tuple) and len(dtype) == 2:
            return self.over_both(*map(dtypes.lookup_dtype, dtype))
        return self.over(dtypes.lookup_dtype(dtype))

    def __contains__(self, dtype: Any) -> bool:
        return dtypes.lookup_dtype(dtype) in self.signature

    def __delitem__(self, dtype: Any) -> None:
        """Leave a dtype out from now on; of the user's own operators alone."""
        if self.orig_func is None:
            raise InvalidTypeError(f"{self!r} is not of your own: no dtype can be taken from it")
        left_out = self[dtype].key
        self.signature = {key: typing for key, typing in self.signature.items() if key != left_out}
        self._typed.clear()
        self._pairs.clear()

    @property
    def is_positional(self) -> bool:
        """Whether it looks at positions, not at values."""
        return False

    @property
    def types(self) -> Mapping[DType, DType]:
        """What it gives over each dtype that it is defined over."""
        return {dtype: typing.result for dtype, typing in self.signature.items()}

    def __repr__(self) -> str:
        return f"{self.kind}.{self.name}"

    def pickled_as(self, make: Callable[..., Any], *args: Any) -> None:
        """Say how it is made, for one that is no variable of the module of its kind."""
        self._pickled = make, args

    def __reduce__(self) -> str | tuple[Any, ...]:
        return self._pickled or self.name  # by name: most are variables of the module of their kind
