"""What stands in parentheses on the left of an assignment: a mask, an accumulator and `replace`, in any order."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from ..errors import InvalidTypeError
from ..operators import binary
from ..operators.binary import BinaryOp, Combining

__all__ = ["Options", "replace"]

M = TypeVar("M")
T = TypeVar("T")


class Replace:
    """What ``w(mask, replace)`` is told to clear the positions its mask does not allow."""

    def __repr__(self) -> str:
        return "replace"


replace = Replace()
"""Clear what the mask does not allow: ``w(mask, replace) << ...``, the same as ``replace=True``."""


class Options(Generic[M]):
    """A mask of one kind, an accumulator (a binary operator, a monoid, by name a string) and `replace`."""

    def __init__(self, kind: type[M], args: tuple[Any, ...], named: dict[str, Any]) -> None:
        self.mask: M | None = None
        self.accum: BinaryOp | None = None
        self.replace = False
        for name, value in [*((None, arg) for arg in args), *named.items()]:
            if value is not None:
                self._take(kind, name, value)
        if self.replace and self.mask is None:
            raise InvalidTypeError("replace needs a mask: it clears what the mask does not allow")

    def _take(self, kind: type[M], name: str | None, value: Any) -> None:
        if name == "replace" or (name is None and isinstance(value, Replace)):
            self.replace = bool(value)
        elif name in (None, "mask") and isinstance(value, kind):
            self.mask = _only("mask", self.mask, value)
        elif name == "accum" or (name is None and isinstance(value, Combining)):
            self.accum = _only("accumulator", self.accum, binary.lookup("accum", value))
        else:
            said = "" if name is None else f"{name}="
            raise InvalidTypeError(
                f"{said}{value!r} is not a mask (v.S, v.V, ~v.S), an accumulator or replace; "
                "a vector or matrix becomes a mask by .S (its structure) or .V (its values)"
            )


def _only(what: str, given: Any, value: T) -> T:
    """Return `value` unless another one was given before it."""
    if given is not None:
        raise InvalidTypeError(f"there can be one {what} in an assignment, not both {given!r} and {value!r}")
    return value
