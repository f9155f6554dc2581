"""Arithmetic: the operators of Python on vectors and matrices, each an expression.

With a number on one side, the operator is applied to each entry. Of two, ``+`` and ``-`` are over the positions that
either has (in a sum the one entry stays, in a difference the missing one is 0), all others over those that both have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ..base import checks
from ..errors import InvalidTypeError
from ..operators import binary, unary
from ..operators.binary import Binary
from ..operators.operand import Operand

__all__ = ["Arithmetic", "check_bools"]


class Arithmetic(Operand):
    """What has entries: arithmetic and comparisons of it are expressions.

    Examples
    --------
    >>> from lagbfs import Vector
    >>> v, w = Vector.from_coo([0, 1], [5, 6], size=3), Vector.from_coo([1, 2], [1, 2], size=3)
    >>> (v + w).new().to_dict(), (v - w).new().to_dict(), (v * w).new().to_dict()
    ({0: 5, 1: 7, 2: 2}, {0: 5, 1: 5, 2: -2}, {1: 6})
    >>> (10 * v).new().to_dict(), (v > 5).new().to_dict()
    ({0: 50, 1: 60}, {0: False, 1: True})
    """

    __slots__ = ()
    ndim: int

    if TYPE_CHECKING:

        @property
        def nvals(self) -> int:
            """Number of entries."""

        def ewise_add(self, other: Any, op: Any) -> Any:
            """Return the union."""

        def ewise_mult(self, other: Any, op: Any) -> Any:
            """Return the intersection."""

        def ewise_union(self, other: Any, op: Any, left_default: Any, right_default: Any) -> Any:
            """Return the union with defaults."""

    def wait(self, how: str = "materialize") -> Self:
        """Return the object itself: all that there may be to wait for, single assignments that collect, is merged."""
        if checks.one_of("how", how, ("materialize", "complete")) == "materialize":
            self.nvals  # noqa: B018 (a look merges them)
        return self

    def _with(self, other: Any, op: Binary | str) -> Any:
        """Return self ⊗ other."""
        if _has_entries(other):
            return self.ewise_mult(other, op)
        return self.apply(op, other) if _is_scalar(other) else NotImplemented

    def _after(self, other: Any, op: Binary | str) -> Any:
        """Return other ⊗ self, where other is a number."""
        return self.apply(op, left=other) if _is_scalar(other) else NotImplemented

    def __add__(self, other: Any) -> Any:
        if _has_entries(other):
            return self.ewise_add(other, binary.plus)
        return self._with(other, binary.plus)

    def __sub__(self, other: Any) -> Any:
        if _has_entries(other):
            return self.ewise_union(other, binary.minus, False, False)
        return self._with(other, binary.minus)

    def __mul__(self, other: Any) -> Any:
        return self._with(other, binary.times)

    def __truediv__(self, other: Any) -> Any:
        return self._with(other, binary.truediv)

    def __floordiv__(self, other: Any) -> Any:
        return self._with(other, binary.floordiv)

    def __mod__(self, other: Any) -> Any:
        return self._with(other, "%")

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __pow__(self, other: Any) -> Any:
        return self._with(other, binary.pow)

    def __xor__(self, other: Any) -> Any:
        for value in (self, other):
            check_bools("^", value)
        return self.ewise_add(other, binary.lxor) if _has_entries(other) else self._with(other, binary.lxor)

    def __radd__(self, other: Any) -> Any:
        return self._after(other, binary.plus)

    def __rsub__(self, other: Any) -> Any:
        return self._after(other, binary.minus)

    def __rmul__(self, other: Any) -> Any:
        return self._after(other, binary.times)

    def __rtruediv__(self, other: Any) -> Any:
        return self._after(other, binary.truediv)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._after(other, binary.floordiv)

    def __rmod__(self, other: Any) -> Any:
        return self._after(other, "%")

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __rxor__(self, other: Any) -> Any:
        return self ^ other

    def __rpow__(self, other: Any) -> Any:
        return self._after(other, binary.pow)

    def __invert__(self) -> Any:
        check_bools("~", self)
        return self.apply(unary.lnot)

    def __neg__(self) -> Any:
        return self.apply(unary.ainv)

    def __abs__(self) -> Any:
        return self.apply(unary.abs)

    def __eq__(self, other: object) -> Any:
        return self._with(other, binary.eq)

    def __ne__(self, other: object) -> Any:
        return self._with(other, binary.ne)

    def __lt__(self, other: Any) -> Any:
        return self._with(other, binary.lt)

    def __le__(self, other: Any) -> Any:
        return self._with(other, binary.le)

    def __gt__(self, other: Any) -> Any:
        return self._with(other, binary.gt)

    def __ge__(self, other: Any) -> Any:
        return self._with(other, binary.ge)

    __hash__ = Operand.__hash__  # by identity


def check_bools(sign: str, value: Any) -> None:
    """Raise unless a value is one of bools."""
    if not isinstance(value, bool) and getattr(value, "dtype", None) != np.dtype(bool):
        said = getattr(value, "dtype", type(value).__name__)
        raise InvalidTypeError(f"{sign} is for bools, and not supported for {said}")


def _has_entries(value: Any) -> bool:
    return isinstance(value, Arithmetic) and value.ndim > 0


def _is_scalar(value: Any) -> bool:
    return checks.is_number(value) or (isinstance(value, Arithmetic) and value.ndim == 0)
