"""Masks: which positions of a result may be written, as the vector or matrix that they are made from is when used."""

from __future__ import annotations

from typing import Any, Self

from ..errors import DimensionError, InvalidTypeError
from ..operators.operand import Operand

__all__ = ["MaskOf"]


class MaskOf:
    """The positions where a parent has entries (`structural`), or true ones; or, as a `complement`, all others.

    Parameters
    ----------
    parent : Vector or Matrix
        What it is made from; an expression is computed.
    structural : bool
        Whether every entry counts, or the true ones alone.
    complement : bool
        Whether the others are meant.
    """

    __slots__ = ("__weakref__", "complement", "parent", "structural")
    ndim: int
    symbol: str

    def __init__(self, parent: Any, *, structural: bool, complement: bool = False) -> None:
        self.parent, self.structural, self.complement = parent, structural, complement

    @classmethod
    def of(cls, name: str, value: Any, shape: tuple[int, ...]) -> Self:
        """Return a mask as it is, and of a vector, matrix or expression of bools that of its true entries."""
        if not isinstance(value, MaskOf):
            if not isinstance(value, Operand) or getattr(value, "ndim", None) != cls.ndim or value.dtype != bool:  # type: ignore[attr-defined]
                raise InvalidTypeError(
                    f"{name} must be a mask ({cls.symbol}.S, {cls.symbol}.V, ~{cls.symbol}.S), not {value!r}; "
                    "what holds bools is one by itself, all else becomes one by .S (its structure) or .V (its values)"
                )
            value = cls(value, structural=False)
        if not isinstance(value, cls):
            raise InvalidTypeError(f"{name} must be a mask of {cls.ndim} dimensions, not {value!r}")
        if value.shape != shape:
            raise DimensionError(f"the mask is of shape {value.shape}, what it is for of {shape}: they must be equal")
        return value

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of what it is made from."""
        shape: tuple[int, ...] = self.parent.shape
        return shape

    def new(self, dtype: Any = bool, *, complement: bool = False, mask: Any = None, name: str | None = None) -> Any:
        """Return what holds True at the positions that this mask, and another one if given, allows; or at all others.

        Examples
        --------
        >>> from lagbfs import Vector
        >>> (~Vector.from_coo([0, 2], [0, 7], size=3).V).new().to_dict()
        {0: True, 1: True}
        """
        allowed = self if mask is None else self & mask
        result = self.parent.dup(bool if dtype is None else dtype, clear=True, name=name)
        result(~allowed if complement else allowed) << True
        return result

    def __invert__(self) -> Self:
        return type(self)(self.parent, structural=self.structural, complement=not self.complement)

    def __or__(self, other: Any) -> Self:
        result, second = self.new(), self.of("the other mask", other, self.shape)
        result(second) << True
        return type(self)(result, structural=True)

    def __and__(self, other: Any) -> Self:
        first, second = self.new(), self.of("the other mask", other, self.shape)
        return type(self)(first.dup(mask=second), structural=True)

    __ror__, __rand__ = __or__, __and__

    def __eq__(self, other: object) -> bool:
        raise InvalidTypeError("masks are not compared: compare what mask.new() returns")

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise InvalidTypeError("the truth of a mask is ambiguous: use mask.new().nvals > 0")

    def __repr__(self) -> str:
        return f"{'~' if self.complement else ''}{self.symbol}.{'S' if self.structural else 'V'}"
