"""What many searches of a graph are expected to take, in each way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..protocol import ManyWanted

__all__ = ["WIDTHS", "WORD", "Costs", "Way"]

WIDTHS = (1, 2, 4, 8)  # words of 64 searches
WORD = 64

# What ways are expected to take before they have been measured on a graph: seconds of one thread, fitted to 34 graphs,
# generated ones and real ones, on two cores of an EPYC. Searches in step look at a vertex at each level at which one of
# them finds it: the deeper the graph, the more.
PASSES, MOST_LEVELS = 0.75, 400  # how often, as a power of the depth, of at most so many levels
PER_EDGE = {1: 1.3e-10, 2: 2.9e-10, 4: 1.4e-10, 8: 5.1e-10}  # and pass, by width
PER_VERTEX, WIDTH_POWER = 2.1e-8, 0.27  # and pass, times a power of the width
PER_LEVEL = 3e-5  # of searches in step, however many threads there are
APART_EDGE, APART_VERTEX, APART_LEVEL = 1.3e-9, 3.5e-9, 1e-7
PER_NUMBER = 0.5e-9  # a level written
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
        edges, vertices = (self.edges, self.vertices) if self.edges else (m, n)
        numbers = (wanted.levels * PER_NUMBER + wanted.parents * PER_PARENT) * n
        if way.name == "apart":
            one = edges * APART_EDGE + vertices * APART_VERTEX + self.depth * APART_LEVEL + numbers
            return count * one / min(threads, count)
        passes: float = min(max(self.depth, 1), MOST_LEVELS) ** PASSES
        work: float = passes * (edges * PER_EDGE[way.width] + vertices * PER_VERTEX * way.width**WIDTH_POWER)
        step = work / threads + self.depth * PER_LEVEL
        return -(-count // (way.width * WORD)) * step + count * numbers / threads
