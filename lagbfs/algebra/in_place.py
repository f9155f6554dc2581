"""In-place operators, ``v += w`` and their like: assignments to a vector, a matrix or a scalar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from ..errors import InvalidTypeError
from ..operators import binary
from .arithmetic import Arithmetic, check_bools

__all__ = ["InPlace"]


class InPlace(Arithmetic):
    """What can be assigned to: in-place operators compute and assign, and never give another object.

    ``+=``, ``|=`` and ``^=`` of the same kind are accumulators, ``v(binary.plus) << w``; the last two, and ``&=``, are
    of bools alone.

    Examples
    --------
    >>> from lagbfs import Vector
    >>> v = u = Vector.from_coo([0, 1], [5, 6], size=3)
    >>> v += Vector.from_coo([1, 2], [1, 2], size=3)
    >>> v *= 10
    >>> u.to_dict()
    {0: 50, 1: 70, 2: 20}
    """

    __slots__ = ()

    if TYPE_CHECKING:

        def __call__(self, *args: Any) -> Any:
            """Return the left-hand side of an assignment."""

        def __matmul__(self, other: Any) -> Any:
            """Return the product."""

        def __and__(self, other: Any) -> Any:
            """Return the intersection."""

    def _accumulate(self, other: Any, op: Any, value: Any) -> Self:
        """Accumulate what is of the same kind, and assign the value of anything else."""
        if self.ndim == 0 or getattr(other, "ndim", None) == self.ndim:
            self(op) << other
        else:
            self() << value(other)
        return self

    def _become(self, value: Any) -> Self:
        self() << value
        return self

    def __iadd__(self, other: Any) -> Self:
        return self._accumulate(other, binary.plus, self.__add__)

    def __ior__(self, other: Any) -> Self:
        check_bools("|=", other if getattr(other, "ndim", 0) else self)
        return self._accumulate(other, binary.lor, lambda x: self._with(x, binary.lor))

    def __ixor__(self, other: Any) -> Self:
        check_bools("^=", other)
        return self._accumulate(other, "lxor", self.__xor__)

    def __iand__(self, other: Any) -> Self:
        check_bools("&=", other)
        return self._become(self._with(other, binary.land))

    def __isub__(self, other: Any) -> Self:
        return self._become(self - other)

    def __imul__(self, other: Any) -> Self:
        return self._become(self * other)

    def __itruediv__(self, other: Any) -> Self:
        return self._become(self / other)

    def __ifloordiv__(self, other: Any) -> Self:
        return self._become(self // other)

    def __imod__(self, other: Any) -> Self:
        return self._become(self % other)

    def __ipow__(self, other: Any) -> Self:
        return self._become(self**other)

    def __imatmul__(self, other: Any) -> Self:
        product = self @ other
        if product.ndim != self.ndim:
            raise InvalidTypeError(f"@= needs a product of {self.ndim} dimensions, not of {product.ndim}")
        return self._become(product)
