"""VectorMask: the mask that a vector makes, ``v.S`` or ``~v.V``, as the vector is when it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..storage.masks import Mask

if TYPE_CHECKING:
    from .vector import Vector

__all__ = ["VectorMask"]


class VectorMask:
    """Which positions of a result may be written.

    Made from a vector: ``v.S`` allows the positions of its entries, ``v.V`` those of its true entries, and
    ``~`` all the others.

    Examples
    --------
    >>> from lagbfs import Vector
    >>> v = Vector.from_coo([0, 2], [0, 7], size=3)
    >>> v.S, ~v.V
    (v.S, ~v.V)
    >>> (~v.V).dense().tolist()
    [True, True, False]
    """

    __slots__ = ("complement", "structural", "vector")

    def __init__(self, vector: Vector, *, structural: bool, complement: bool = False) -> None:
        self.vector, self.structural, self.complement = vector, structural, complement

    def __invert__(self) -> VectorMask:
        return VectorMask(self.vector, structural=self.structural, complement=not self.complement)

    def __repr__(self) -> str:
        return f"{'~' if self.complement else ''}v.{'S' if self.structural else 'V'}"

    @property
    def size(self) -> int:
        """Size of the vector it is made from."""
        return self.vector.size

    def now(self) -> Mask:
        """Return the mask of the entries that the vector has now."""
        return Mask(self.vector.form, self.structural, self.complement)

    def dense(self) -> Any:
        """Return, for every position, whether it may be written."""
        return self.now().dense()
