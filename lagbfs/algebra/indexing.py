"""Which positions an index names: an integer, a slice, a list or an array of integers, along one dimension."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base import checks
from ..errors import InvalidTypeError, OutOfRangeError

__all__ = ["Axis", "axis"]


class Axis(NamedTuple):
    """The positions along one dimension of `size`; None stands for all of them in order."""

    size: int
    chosen: NDArray[np.int64] | None
    is_one: bool = False

    @property
    def length(self) -> int:
        """How many positions there are."""
        return self.size if self.chosen is None else len(self.chosen)

    @property
    def positions(self) -> NDArray[np.int64]:
        """The positions, listed."""
        return np.arange(self.size) if self.chosen is None else self.chosen


def axis(index: Any, size: int) -> Axis:
    """Return what an index names along a dimension of `size`; negative integers count from the end."""
    if isinstance(index, tuple):
        raise InvalidTypeError(f"index must be an integer, a slice or a list, not the tuple {index!r}")
    if isinstance(index, slice):
        return Axis(size, None if index == slice(None) else np.arange(*index.indices(size)))
    if np.ndim(index) == 0:
        return Axis(size, np.array([_one(index, size)]), is_one=True)
    listed = np.asarray(index)
    if listed.dtype.kind == "i" and listed.size and listed.min() < 0:
        if listed.min() < -size:
            raise OutOfRangeError(f"index must lie in [{-size}, {size}), not hold {listed.min()}")
        listed = np.where(listed < 0, listed + size, listed)
    return Axis(size, checks.index_array("index", listed, size).astype(np.int64, copy=False))


def _one(index: Any, size: int) -> int:
    number = checks.integer("index", index)
    if not -size <= number < size:
        raise OutOfRangeError(f"index must lie in [{-size}, {size}), not be {number}")
    return number + size if number < 0 else number
