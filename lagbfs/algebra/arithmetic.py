"""Arithmetic: the operators of Python on vectors and matrices, each an expression.

With a number on one side, the operator is applied to each entry. Of two, ``+`` and ``-`` are over the positions that
either has (in a sum the one entry stays, in a difference the missing one is 0), all others over those that both have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..base import checks
from ..operators import binary, unary
from ..operators.binary import BinaryOp
from ..operators.operand import Operand

__all__ = ["Arithmetic"]


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

    if TYPE_CHECKING:

        def ewise_add(self, other: Any, op: Any) -> Any:
            """Return the union."""

        def ewise_mult(self, other: Any, op: Any) -> Any:
            """Return the intersection."""

        def ewise_union(self, other: Any, op: Any, left_default: Any, right_default: Any) -> Any:
            """Return the union with defaults."""

    def _with(self, other: Any, op: BinaryOp) -> Any:
        """Return self ⊗ other."""
        if isinstance(other, Arithmetic):
            return self.ewise_mult(other, op)
        return self.apply(op, other) if checks.is_number(other) else NotImplemented

    def _after(self, other: Any, op: BinaryOp) -> Any:
        """Return other ⊗ self, where other is a number."""
        return self.apply(op, left=other) if checks.is_number(other) else NotImplemented

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Arithmetic):
            return self.ewise_add(other, binary.plus)
        return self._with(other, binary.plus)

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, Arithmetic):
            return self.ewise_union(other, binary.minus, False, False)
        return self._with(other, binary.minus)

    def __mul__(self, other: Any) -> Any:
        return self._with(other, binary.times)

    def __truediv__(self, other: Any) -> Any:
        return self._with(other, binary.truediv)

    def __radd__(self, other: Any) -> Any:
        return self._after(other, binary.plus)

    def __rsub__(self, other: Any) -> Any:
        return self._after(other, binary.minus)

    def __rmul__(self, other: Any) -> Any:
        return self._after(other, binary.times)

    def __rtruediv__(self, other: Any) -> Any:
        return self._after(other, binary.truediv)

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
