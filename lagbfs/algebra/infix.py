"""Infix: operands whose operator is still to be said, as in ``binary.plus(v | u)`` or ``semiring.min_plus(A @ B)``.

Several may follow each other: the operator then goes for all of them, ``binary.plus(u | v | w)``.
"""

from __future__ import annotations

from typing import Any

from ..errors import InvalidTypeError
from ..operators import binary
from ..operators import semiring as semirings
from ..operators.semiring import AnySemiring

__all__ = ["Ewise", "MatMul"]


class Ewise:
    """``x | y``, the union, or ``x & y``, the intersection; of bools with `lor` and `land`, if nothing else is said."""

    left: Any
    right: Any
    is_union: bool

    def combine(self, op: Any, **defaults: Any) -> Any:
        """Return the expression with its operator; `left_default` and `right_default` stand for what one has not."""
        left = self.left.combine(op, **defaults) if isinstance(self.left, Ewise) else self.left
        right = self.right.combine(op, **defaults) if isinstance(self.right, Ewise) else self.right
        if not defaults:
            return (left.ewise_add if self.is_union else left.ewise_mult)(right, op)
        if not self.is_union or defaults.keys() != {"left_default", "right_default"}:
            raise InvalidTypeError(
                f"only a union has defaults, left_default and right_default, not {', '.join(defaults)}"
            )
        return left.ewise_union(right, op, **defaults)

    def by_default(self) -> Any:
        """Return the expression with the operator of bools."""
        if self.left.dtype != bool or self.right.dtype != bool:
            sign = "|" if self.is_union else "&"
            raise InvalidTypeError(
                f"x {sign} y needs an operator: write binary.plus(x {sign} y), for example; "
                f"without one it is only valid for bools, not for {self.left.dtype} and {self.right.dtype}"
            )
        return self.combine(binary.lor if self.is_union else binary.land)

    def check_other(self, other: Any, *, is_union: bool) -> None:
        """Raise if what follows has the other sign: it is not said which comes first."""
        if is_union != self.is_union or (isinstance(other, Ewise) and other.is_union != is_union):
            raise InvalidTypeError("| and & cannot be mixed without saying an operator for what comes first")


class MatMul:
    """``x @ y``: in plus_times, unless a semiring is called on it."""

    left: Any
    right: Any

    def in_semiring(self, semiring: AnySemiring) -> Any:
        """Return the product in `semiring`."""
        left = self.left.in_semiring(semiring) if isinstance(self.left, MatMul) else self.left
        right = self.right.in_semiring(semiring) if isinstance(self.right, MatMul) else self.right
        if left.ndim == 2:
            return (left.mxm if right.ndim == 2 else left.mxv)(right, semiring)
        return (left.vxm if right.ndim == 2 else left.inner)(right, semiring)

    def by_default(self) -> Any:
        """Return the product in plus_times."""
        return self.in_semiring(semirings.plus_times)

    def by(self, arm: Any) -> Any:
        """Return the product in plus_times, to be computed by this arm."""
        return self.by_default().by(arm)
