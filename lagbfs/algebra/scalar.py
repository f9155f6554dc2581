"""Scalar: one value, or none."""

from __future__ import annotations

from typing import Any

__all__ = ["Scalar"]


class Scalar:
    """The outcome of a reduction or of reading one position: a value, or empty.

    Examples
    --------
    >>> from lagbfs import Vector, monoid
    >>> v = Vector.from_coo([0, 2], [3, 4], size=3)
    >>> v.reduce(monoid.max).value, v[1].new().is_empty
    (4, True)
    """

    __slots__ = ("_value",)

    def __init__(self, value: Any = None) -> None:
        self._value = value

    @property
    def value(self) -> Any:
        """The value as a Python number, None if empty."""
        return self._value

    @property
    def is_empty(self) -> bool:
        """Whether there is no value."""
        return self._value is None

    def new(self) -> Scalar:
        """Return the scalar itself: it is computed already."""
        return self

    def __repr__(self) -> str:
        return f"Scalar({'' if self.is_empty else self._value})"

    def __eq__(self, other: object) -> bool:
        return bool(self._value == (other.value if isinstance(other, Scalar) else other))

    def __hash__(self) -> int:
        return hash(self._value)

    def __bool__(self) -> bool:
        return bool(self._value)

    def __int__(self) -> int:
        return int(self._value)

    def __float__(self) -> float:
        return float(self._value)
