"""Where the names of vertices go: beside them, where they cover least."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Place", "places", "width"]

Points = NDArray[np.float64]

_HEIGHT, _LETTER = 1.3, 0.62  # of a name and, across, of one of its letters, as parts of the size of the font
_SAMPLES = np.linspace(0, 1, 60)[:, None, None]  # where along an edge it is looked whether a name covers it


class Place(NamedTuple):
    """A side of a vertex: to the right is 1, to the left -1; above 1, below -1."""

    x: int
    y: int


_SIDES = [Place(*side) for side in ((1, 1), (1, -1), (-1, 1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1))]


def width(name: str) -> int:
    """Return how many letters a name is wide; some of East Asia are twice as wide as others.

    Examples
    --------
    >>> width("Kyoto"), width("京都")
    (5, 4)
    """
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in name)


def places(names: list[str], points: Points, ends: tuple[Points, Points], away: float, font: float) -> list[Place]:
    """Return for each vertex the side where its name covers the fewest edges, vertices and names before it.

    Parameters
    ----------
    names : list of str
        The names, in the order of `points`.
    points : array
        Where the vertices are.
    ends : pair of arrays
        Where edges begin, and where they end.
    away : float
        How far from its vertex a name begins, in the units of `points`.
    font : float
        The size of the font, likewise.
    """
    obstacles = np.concatenate([points, (ends[0] + _SAMPLES * (ends[1] - ends[0])).reshape(-1, 2)])
    chosen: list[Place] = []
    for name, point in zip(names, points, strict=True):
        size = np.array([_LETTER * font * width(name), _HEIGHT * font])
        boxes = [_box(point, size, away, side) for side in _SIDES]
        best = min(range(len(_SIDES)), key=lambda i: _covered(obstacles, *boxes[i]))
        chosen.append(_SIDES[best])
        low, high = boxes[best]
        corners = np.array([low, (low + high) / 2, high, (low[0], high[1]), (high[0], low[1])])
        obstacles = np.concatenate([obstacles, corners])
    return chosen


def _box(point: Points, size: Points, away: float, side: Place) -> tuple[Points, Points]:
    """Return the lower left and the upper right corner of a name at a side of a vertex."""
    direction = np.array(side)
    low = point + away * direction + size * (direction - 1) / 2
    return low, low + size


def _covered(obstacles: Points, low: Points, high: Points) -> int:
    return int(((obstacles >= low) & (obstacles <= high)).all(axis=1).sum())
