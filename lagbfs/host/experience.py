"""Experience: how far what was expected of levels of one graph was off, learnt from every level that runs.

A way is an arm on a share of the threads; each has a row of cells, by what errors follow most: the edges of the
frontier and those of the unvisited, both in octaves. A cell holds the mean of log(seconds / expected) of levels in it
and beside it, and how much it has seen, up to a bound, so that new levels always count. What a cell has not seen it
takes from its row, the row from its prior, what is known from elsewhere, and from how far its arm was off on any share,
the arm from how far its group was, the rows of the same direction and share, and the group from how far all rows were.
Levels of other sizes and ways say little: who is told of them believes them slowly, the less the sooner they were over.

backends/native/experience.hpp computes the same, to the last bit: operations and their order are alike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

__all__ = [
    "CELL_MOST",
    "FEW_SEARCHES",
    "MUCH_FASTER",
    "NEAR",
    "NEAR_UNKNOWN",
    "UNKNOWN",
    "UNSEEN",
    "Experience",
    "PlainExperience",
]

UNSEEN, UNKNOWN = 1.5, 3.0
"""Weight of a cell that has seen but one level of its own, or none; and of a row that has seen few."""
NEAR, NEAR_UNKNOWN = 1.5, 8.0
"""How many times the least a way may be expected to take to be tried: of a row that has seen levels, or but few."""
MUCH_FASTER = 0.98
"""More threads have to be expected to be so much faster."""
FEW_SEARCHES = 3
"""Of a graph, before anything is tried."""
CELL_MOST = 6.0
"""What a cell has seen at most: a new level counts for a sixth."""

# Weight of what a mean that has seen little is drawn to: of a cell, of a row or a group, and of an arm or all rows.
_DOUBT, _DOUBT_FAR, _DOUBT_ALL = 0.3, 2.0, 1.0
_ROW_MOST = 10.0  # what a row, an arm, a group or all has seen at most
_BESIDE = 0.3  # weight of a level in the cells beside its own
_TELLING = 20000.0  # nanoseconds: a level that took so long counts for half in its row
_MOST_APART = 0.7  # a level counts as no further off than that from what was seen: a factor of two
_BUDGET = 0.01  # share of the time that may be lost to trying ways


class Experience(Protocol):
    """What was learnt of one graph."""

    def place(self, frontier_edges: float, unvisited_edges: float) -> int:
        """Return the cell, in every row, of a level of so many edges."""
        ...

    def correction(self, row: int, at: int) -> float:
        """Return the logarithm of what an expectation is to be multiplied by."""
        ...

    def seen(self, row: int, at: int) -> float:
        """Return how much a cell has seen."""
        ...

    def mean(self, row: int) -> float:
        """Return the correction of a row as a whole."""
        ...

    def weight(self, row: int) -> float:
        """Return how much a row has seen, up to its bound."""
        ...

    def levels(self, row: int) -> int:
        """Return how many levels a row has seen."""
        ...

    def learn(self, row: int, at: int, off: float, nanoseconds: float) -> None:
        """Take a level in that took so long, exp(off) times what was expected."""
        ...

    def spend(self, nanoseconds: float) -> None:
        """Count time that levels took: a share of it may be lost to trying ways."""
        ...

    def lose(self, nanoseconds: float) -> None:
        """Count time that was lost so."""
        ...

    def end_search(self) -> None:
        """Count a search."""
        ...

    @property
    def budget(self) -> float:
        """Nanoseconds that trying another way may lose now."""
        ...

    @property
    def searches(self) -> int:
        """How many searches have come to their end."""
        ...


class _Mean:
    __slots__ = ("value", "weight")

    def __init__(self) -> None:
        self.value, self.weight = 0.0, 0.0

    def drawn_to(self, other: float, doubt: float) -> float:
        return (self.weight * self.value + doubt * other) / (self.weight + doubt)

    def add(self, x: float, share: float, most: float) -> None:
        self.weight = min(self.weight + share, most)
        self.value = self.value + share / self.weight * min(max(x - self.value, -_MOST_APART), _MOST_APART)


class PlainExperience:
    """The same in Python.

    Parameters
    ----------
    arms, groups : sequence of int
        The arm and the group of each row.
    priors : sequence of float
        What is known of each row from elsewhere.
    edges : float
        No level has more.

    Examples
    --------
    >>> learnt = PlainExperience([0, 1], [0, 0], [0.0, 0.0], edges=1000)
    >>> at = learnt.place(frontier_edges=100, unvisited_edges=500)
    >>> for _ in range(20):
    ...     learnt.learn(0, at, off=0.7, nanoseconds=1e6)
    >>> round(learnt.correction(0, at), 2), round(learnt.correction(1, at), 2)
    (0.7, 0.69)
    """

    def __init__(self, arms: Sequence[int], groups: Sequence[int], priors: Sequence[float], edges: float) -> None:
        self._arms, self._groups, self._priors = list(arms), list(groups), list(priors)
        self._wide = self._deep = _octave(edges) + 1
        self._cells = [[_Mean() for _ in range(self._wide * self._deep)] for _ in self._groups]
        self._rows = [_Mean() for _ in self._groups]
        self._of_arm = [_Mean() for _ in range(max(self._arms) + 1)]
        self._of_group = [_Mean() for _ in range(max(self._groups) + 1)]
        self._all = _Mean()
        self._counts = [0] * len(self._groups)
        self._spent, self._lost, self.searches = 0.0, 0.0, 0

    def place(self, frontier_edges: float, unvisited_edges: float) -> int:
        """Return the cell of a level."""
        u, v = min(_octave(frontier_edges), self._wide - 1), min(_octave(unvisited_edges), self._deep - 1)
        return u * self._deep + v

    def correction(self, row: int, at: int) -> float:
        """Return what a cell has learnt, as far as it has."""
        return self._cells[row][at].drawn_to(self.mean(row), _DOUBT)

    def seen(self, row: int, at: int) -> float:
        """Return the weight of a cell."""
        return self._cells[row][at].weight

    def mean(self, row: int) -> float:
        """Return what a row has learnt, as far as it has."""
        group = self._of_group[self._groups[row]].drawn_to(self._all.drawn_to(0.0, _DOUBT_ALL), _DOUBT_FAR)
        arm = self._of_arm[self._arms[row]].drawn_to(group, _DOUBT_ALL)
        return self._rows[row].drawn_to(self._priors[row] + arm, _DOUBT_FAR)

    def weight(self, row: int) -> float:
        """Return the weight of a row."""
        return self._rows[row].weight

    def levels(self, row: int) -> int:
        """Return the number of levels."""
        return self._counts[row]

    def learn(self, row: int, at: int, off: float, nanoseconds: float) -> None:
        """Add a level to its cell, those beside it, its row, its arm, its group and all."""
        if not math.isfinite(off) or not 0 < nanoseconds < math.inf:
            raise ValueError(f"experience: no such time, {nanoseconds}, exp({off}) times what was expected")
        u, v = divmod(at, self._deep)
        cells = self._cells[row]
        cells[at].add(off, 1.0, CELL_MOST)
        if u > 0:
            cells[at - self._deep].add(off, _BESIDE, CELL_MOST)
        if u + 1 < self._wide:
            cells[at + self._deep].add(off, _BESIDE, CELL_MOST)
        if v > 0:
            cells[at - 1].add(off, _BESIDE, CELL_MOST)
        if v + 1 < self._deep:
            cells[at + 1].add(off, _BESIDE, CELL_MOST)
        told, beyond = nanoseconds / (nanoseconds + _TELLING), off - self._priors[row]
        self._rows[row].add(off, told, _ROW_MOST)
        self._of_arm[self._arms[row]].add(beyond, told, _ROW_MOST)
        self._of_group[self._groups[row]].add(beyond, told, _ROW_MOST)
        self._all.add(beyond, told, _ROW_MOST)
        self._counts[row] += 1

    def spend(self, nanoseconds: float) -> None:
        """Add to the time spent."""
        self._spent += nanoseconds

    def lose(self, nanoseconds: float) -> None:
        """Add to the time lost."""
        self._lost += nanoseconds

    def end_search(self) -> None:
        """Count one more."""
        self.searches += 1

    @property
    def budget(self) -> float:
        """What is left of the share of the time spent, from the fourth search on."""
        return 0.0 if self.searches < FEW_SEARCHES else _BUDGET * self._spent - self._lost


def _octave(edges: float) -> int:
    """Return the whole part of log2(edges + 1)."""
    return (int(edges) + 1).bit_length() - 1
