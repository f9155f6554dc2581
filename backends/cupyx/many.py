"""Many searches on the device: in step, or one after the other as `bfs` makes them, whichever has proved quicker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from ..protocol import ManyFound, ManyWanted
from .device import failures, no_room
from .graph import Graph
from .in_step import LANES, InStep
from .recovery import searches_one_by_one

__all__ = ["One", "bfs_many"]

One = Callable[[ManyFound, int], tuple[float, Sequence[int], int]]
"""Makes the ordinary search from a source, by its number; returns its seconds, counts by level, and edges."""

MOST_WORDS = 8  # of 64 searches each


class Ways:
    """How searches are made: in step, so many words wide, or, of no words, one after the other; and what that took."""

    def __init__(self, way: str | None, width: int | None) -> None:
        self.asked = way
        self.most = 0 if way == "single" else MOST_WORDS if width is None else width // LANES
        self._spent: dict[int, tuple[int, float]] = {}

    def choose(self, left: int) -> int:
        """Return how many words for those that are left; a way that was not tried is tried, one by one first."""
        words = min(self.most, 1 << (-(-left // LANES) - 1).bit_length())
        if not words or self.asked is not None:
            return words
        return min((0, words), key=lambda tried: (self._each(tried), tried))

    def _each(self, words: int) -> float:
        count, seconds = self._spent.get(words, (1, -1.0))
        return seconds / count

    def took(self, words: int, count: int, seconds: float) -> None:
        """Keep account of what was spent."""
        before = self._spent.get(words, (0, 0.0))
        self._spent[words] = before[0] + count, before[1] + seconds

    def account(self) -> list[str]:
        """Return a line for each way taken."""
        return [
            f"{count} source{'s' * (count > 1)} {_told(words)}: {seconds / count * 1e3:.3g} ms each"
            for words, (count, seconds) in self._spent.items()
        ]


def _told(words: int) -> str:
    return f"together, {words * LANES} wide" if words else "single"


def bfs_many(
    graph: Graph,
    sources: NDArray[np.int64],
    wanted: ManyWanted,
    *,
    way: str | None,
    width: int | None,
    one: One,
    progress: Callable[[float, float | None], None],
) -> ManyFound:
    """Search from each of the sources; where the device fails, by ordinary searches, which see to that themselves."""
    k, done, ways = len(sources), 0, Ways(way, width)
    found = ManyFound(graph.host, k, wanted)
    while done < k:
        words = ways.choose(k - done)
        began, made = perf_counter(), 1
        try:
            if words:
                made = min(words * LANES, k - done)
                _in_step(graph, sources, slice(done, done + made), words, found)
        except failures() as error:
            ways.most = _narrower(words, error, graph, found.notes)
            continue
        if not words:
            one(found, done)
        ways.took(words, made, perf_counter() - began)
        done += made
        progress(done, k)
    found.notes += ways.account()
    return found


def _narrower(words: int, error: BaseException, graph: Graph, notes: list[str]) -> int:
    """Return how many words to go on with: half of them where that may have room, none where the device has failed."""
    if words > 1 and isinstance(error, no_room()):
        notes.append(f"the device has no room for {words * LANES} searches in step")
        return words // 2
    notes.append(searches_one_by_one(error, graph))
    return 0


def _in_step(graph: Graph, sources: NDArray[np.int64], where: slice, words: int, found: ManyFound) -> None:
    """Search from some of the sources in step, and write what they find."""
    with graph.guard():
        searches = InStep(graph, sources[where], words, found.wanted)
        counts = np.array([*searches.run(found.wanted.max_depth)])  # by level and search
        _write(searches, where, found)
    levels = np.arange(len(counts))[:, None]
    depths = np.where(counts > 0, levels, 0).max(axis=0).astype(np.int32)
    by_level = counts.T if found.wanted.by_level else None
    found.take(where, ((counts * levels).sum(axis=0), counts.sum(axis=0), depths, by_level))


def _write(searches: InStep, where: slice, found: ManyFound) -> None:
    found.fit(searches.depth)
    if found.levels is not None:
        searches.levels(found.levels[where])
    if found.parents is not None:
        searches.parents(found.parents[where])
    if found.vertices is not None:
        sums, counts, depths = found.vertices
        more_sums, more_counts, other_depths = searches.by_vertex()
        np.add(sums, more_sums, out=sums)
        np.add(counts, more_counts, out=counts)
        np.maximum(depths, other_depths, out=depths)
