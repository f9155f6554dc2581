"""What stands in parentheses on the left of an assignment: a mask, an accumulator and `replace`, in any order."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from ..errors import InvalidTypeError
from ..operators import binary
from ..operators.binary import Binary, Combining
from ..operators.operand import Operand
from .mask import MaskOf

__all__ = ["Options", "replace"]

M = TypeVar("M", bound=MaskOf)
T = TypeVar("T")


class Replace:
    """What ``w(mask, replace)`` is told to clear the positions its mask does not allow."""

    def __repr__(self) -> str:
        return "replace"


replace = Replace()
"""Clear what the mask does not allow: ``w(mask, replace) << ...``, the same as ``replace=True``."""


class Options(Generic[M]):
    """A mask of one kind and shape, an accumulator (a binary operator, a monoid, either by name) and `replace`."""

    __slots__ = ("accum", "mask", "replace")

    def __init__(
        self, kind: type[M] | None, shape: tuple[int, ...], args: tuple[Any, ...], named: dict[str, Any]
    ) -> None:
        self.mask: M | None = None
        self.accum: Binary | None = None
        self.replace = False
        for value in args:
            if type(value) is kind and self.mask is None and value.shape == shape:
                self.mask = value  # quickly: small operations take microseconds
            elif value is not None:
                self._take(kind, shape, None, value)
        for name, value in named.items():
            if value is True and name == "replace":
                self.replace = True
            elif value is not None:
                self._take(kind, shape, name, value)
        if self.replace and self.mask is None:
            raise InvalidTypeError("replace needs a mask: it clears what the mask does not allow")

    def _take(self, kind: type[M] | None, shape: tuple[int, ...], name: str | None, value: Any) -> None:
        if name == "replace" or (name is None and isinstance(value, Replace)):
            self.replace = bool(value)
        elif kind is not None and (name == "mask" or (name is None and isinstance(value, MaskOf | Operand))):
            self.mask = _only("mask", self.mask, kind.of("the mask", value, shape))
        elif name == "accum" or (name is None and _combines(value)):
            self.accum = _only("accumulator", self.accum, binary.lookup("accum", value))
        else:
            said = "" if name is None else f"{name}="
            masks = "" if kind is None else "a mask (v.S, v.V, ~v.S), "
            raise InvalidTypeError(f"{said}{value!r} is not {masks}an accumulator or replace")


def _combines(value: Any) -> bool:
    """Whether a value may be an accumulator: an operator, its name, a function of Python."""
    return isinstance(value, Combining | str) or (callable(value) and not isinstance(value, MaskOf | Operand))


def _only(what: str, given: Any, value: T) -> T:
    """Return `value` unless another one was given before it."""
    if given is not None:
        raise InvalidTypeError(f"there can be one {what} in an assignment, not both {given!r} and {value!r}")
    return value
