"""VectorMask: the mask that a vector makes, ``v.S`` or ``~v.V``, as the vector is when it is used."""

from __future__ import annotations

from typing import Any

from ..storage.masks import Mask
from .mask import MaskOf

__all__ = ["VectorMask"]


class VectorMask(MaskOf):
    """Which positions of a result may be written.

    Made from a vector: ``v.S`` allows the positions of its entries, ``v.V`` those of its true entries, ``~`` all
    the others; ``|`` and ``&`` join two.

    Examples
    --------
    >>> from lagbfs import Vector
    >>> v = Vector.from_coo([0, 2], [0, 7], size=3)
    >>> v.S, ~v.V
    (v.S, ~v.V)
    >>> (~v.V).dense().tolist()
    [True, True, False]
    """

    __slots__ = ()
    ndim, symbol = 1, "v"

    @property
    def size(self) -> int:
        """Size of the vector it is made from."""
        size: int = self.parent.size
        return size

    def now(self) -> Mask:
        """Return the mask of the entries that the vector has now."""
        return Mask(self.parent.form, self.structural, self.complement)

    def dense(self) -> Any:
        """Return, for every position, whether it may be written."""
        return self.now().dense()
