"""Axis: the positions along one dimension that an index names, a range of them without listing it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base import memory
from ..base.arrays import namespace, on_device, to_device
from ..errors import InvalidValueError

__all__ = ["Axis"]


class Axis(NamedTuple):
    """Positions along a dimension of `size`, in the order in which an index names them.

    `places` is a range, which takes no memory however long it is, or an array of int64. Every position of a range is
    named once; an array may repeat some.

    Examples
    --------
    >>> import numpy as np
    >>> odd = Axis(2**40, range(1, 2**40, 2))
    >>> odd.length == 2**39
    True
    >>> odd.where(np.array([3, 4, 5]))
    (array([0, 2]), array([1, 2]))
    """

    size: int
    places: range | NDArray[np.int64]
    is_one: bool = False

    @classmethod
    def all(cls, size: int) -> Axis:
        """Return all positions, in order."""
        return cls(size, range(size))

    @property
    def is_range(self) -> bool:
        """Whether it is a range."""
        return isinstance(self.places, range)

    @property
    def is_all(self) -> bool:
        """Whether it is all positions, in order."""
        return isinstance(self.places, range) and self.places == range(self.size)

    @property
    def length(self) -> int:
        """How many positions there are."""
        return len(self.places)

    @property
    def positions(self) -> NDArray[np.int64]:
        """The positions, listed."""
        places = self.places
        if not isinstance(places, range):
            return places
        memory.demand(f"a list of {len(places):,} positions", 8 * len(places))
        return np.arange(places.start, places.stop, places.step)

    def selector(self, array: Any) -> Any:
        """Return what picks the positions from an array of the dimension's size: a slice, or a list where it lies."""
        places = self.places
        if isinstance(places, range):
            if not len(places):
                return slice(0, 0)
            end = None if places.stop < 0 else places.stop  # -1 stands for: down to the first
            return slice(places.start, end, places.step)
        return to_device(places) if on_device(array) else places

    def at(self, k: Any) -> Any:
        """Return the k-th positions, of an array of numbers."""
        places = self.places
        if isinstance(places, range):
            return k.astype(np.int64) * places.step + places.start
        return (to_device(places) if on_device(k) else places)[k]

    def has(self, positions: Any) -> Any:
        """Return which of some positions, all below `size`, it names."""
        places = self.places
        if isinstance(places, range):
            return _in_range(positions, places)
        if not len(places):
            return namespace(positions).zeros(len(positions), bool)
        if on_device(positions) or len(places) < 100 or self.size > 16 * len(positions) + 16 * len(places):
            return _among(positions, to_device(places) if on_device(positions) else places)
        flags = np.zeros(self.size, bool)
        flags[places] = True
        return flags[positions]

    def where(self, positions: Any) -> tuple[Any, Any]:
        """Return which of some positions it names, every time it does, and as its how-manieth that is."""
        places = self.places
        if isinstance(places, range):
            which = namespace(positions).flatnonzero(_in_range(positions, places))
            return which, (positions[which] - places.start) // places.step
        order = np.argsort(places, kind="stable")
        ordered = places[order]
        begin, end = (np.searchsorted(ordered, positions, side=side) for side in ("left", "right"))
        counts = end - begin
        which = np.repeat(np.arange(len(positions)), counts)
        nth = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
        return which, order[begin[which] + nth]

    def check_distinct(self) -> None:
        """Raise if it names a position twice."""
        if isinstance(self.places, range):
            return
        ordered = np.sort(self.places)
        if (ordered[1:] == ordered[:-1]).any():
            raise InvalidValueError("index must not name a position twice in an assignment")


def _among(positions: Any, places: Any) -> Any:
    """Return which of some positions are in a list, by looking each up."""
    xp = namespace(positions)
    ordered = xp.sort(places)
    return ordered[xp.minimum(xp.searchsorted(ordered, positions), len(ordered) - 1)] == positions


def _in_range(positions: Any, places: range) -> Any:
    if not len(places):
        return namespace(positions).zeros(len(positions), bool)
    low, high = min(places[0], places[-1]), max(places[0], places[-1])
    inside = (positions >= low) & (positions <= high)
    return inside if abs(places.step) == 1 else inside & ((positions - low) % abs(places.step) == 0)
