"""What many searches of a graph are expected to take, in each way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..protocol import ManyWanted

__all__ = ["WIDTHS", "WORD", "Costs", "Way"]

WIDTHS = (1, 2, 4, 8)  # words of 64 searches
WORD = 64

# What ways are expected to take before they have been measured on a graph: seconds of one thread, fitted to what
# `lagbfs bench many` measured on two cores of an EPYC.
PER_EDGE = {1: 3.0e-9, 2: 4.0e-9, 4: 6.0e-9, 8: 9.0e-9}  # of a pull that looks at all edges, by width
PER_VERTEX = 4e-9  # and word, once: blanked, and written
PER_LEVEL = 8e-6  # of searches in step
SCANS, SCANS_A_LEVEL = 2.0, 0.4  # how often edges are looked at by searches in step
APART_EDGE, APART_VERTEX = 3e-9, 9e-9
PER_NUMBER = 0.6e-9  # a level written
PER_PARENT = 8e-9  # a parent looked for
CORRECTION = 0.5  # weight of the latest measurement


class Way(NamedTuple):
    """How to search: `together`, so many words wide, `apart` or `single`."""

    name: str
    width: int = 1

    def __str__(self) -> str:
        return f"{self.name}, {self.width * WORD} wide" if self.name == "together" else self.name


class Costs:
    """What is known of a graph: what an ordinary search takes, its depth, and what ways have taken."""

    def __init__(self) -> None:
        self.single: float | None = None
        self.depth = self.edges = self.vertices = 0
        self._measured: dict[tuple[Way, ManyWanted], float] = {}

    def searched(self, seconds: float, counts: Sequence[int], edges: int) -> None:
        """Learn from an ordinary search."""
        self.single = seconds if self.single is None else CORRECTION * seconds + (1 - CORRECTION) * self.single
        self.depth = max(self.depth, len(counts) - 1)
        self.edges, self.vertices = max(self.edges, edges), max(self.vertices, sum(counts))

    def reached(self, found: tuple[Any, ...]) -> None:
        """Learn how deep searches went."""
        self.depth = max(self.depth, int(found[2].max()))

    def took(self, way: Way, wanted: ManyWanted, seconds: float, count: int) -> None:
        """Learn what `count` searches have taken."""
        before = self._measured.get((way, wanted), seconds / count)
        self._measured[way, wanted] = CORRECTION * seconds / count + (1 - CORRECTION) * before

    def expected(self, way: Way, wanted: ManyWanted, n: int, m: int, threads: int, count: int) -> float:
        """Return what `count` searches are expected to take."""
        if way.name == "single":
            return (self.single or 0.0) * count
        batch = count if way.name == "apart" else min(count, way.width * WORD)
        known = self._measured.get((way, wanted))
        if known is not None and (way.name == "apart" or batch == way.width * WORD):
            return known * count
        numbers = (wanted.levels * PER_NUMBER + wanted.parents * PER_PARENT) * n / threads
        if way.name == "apart":
            busy = min(threads, count)
            return count * (self.edges * APART_EDGE + self.vertices * APART_VERTEX + numbers * threads) / busy
        scans = SCANS + SCANS_A_LEVEL * self.depth
        step = (scans * m * PER_EDGE[way.width] + 6 * n * way.width * PER_VERTEX) / threads + self.depth * PER_LEVEL
        return -(-count // (way.width * WORD)) * step + count * numbers
