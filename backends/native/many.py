"""Many searches by the kernels: in step, each by a thread of its own, or one after the other, whichever is quickest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base import memory
from ..protocol import ManyFound, ManyWanted
from .costs import WIDTHS, WORD, Way
from .handle import Handle
from .loading import kernels

__all__ = ["One", "bfs_many"]


class Searches:
    """Searches of one graph, made some at a time."""

    def __init__(self, handle: Handle, sources: NDArray[np.int64], found: ManyFound, threads: int | None) -> None:
        self.handle, self.sources, self.found = handle, sources, found
        self.threads = threads or 0
        self.team = threads or kernels().max_threads()
        self.depth = -1 if found.wanted.max_depth is None else min(found.wanted.max_depth, found.n)
        self._spent: dict[Way, tuple[int, float]] = {}

    def choose(self, name: str | None, width: int | None, left: int) -> Way:
        """Return the quickest way for those that are left, as far as it is not given."""
        costs = self.handle.costs
        if name is None and costs.single is None:
            return Way("single")
        widths = self._widths(left) if width is None else [width // WORD]
        ways = [Way("single"), Way("apart"), *(Way("together", words) for words in widths)]
        return min((way for way in ways if name in (None, way.name)), key=lambda way: self.expected(way, left))

    def expected(self, way: Way, count: int) -> float:
        """Return what `count` searches are expected to take."""
        rows = self.handle.rows
        return self.handle.costs.expected(way, self.found.wanted, rows.nrows, rows.nvals, self.team, count)

    def _widths(self, left: int) -> list[int]:
        """Return how many words may be useful and have room, one at least."""
        word = 8 * self.found.n * (4 + (self.found.wanted.levels or self.found.wanted.parents) * 8)
        most = memory.room() // 2 if word > 1 << 20 else word * WIDTHS[-1]
        return [w for w in WIDTHS if w == 1 or (w * WORD < 2 * left and w * word <= most)]

    def run(self, way: Way, begin: int, end: int) -> int:
        """Search from some of the sources that are left; return how many were searched from."""
        if way.name == "together":
            return self._together(way.width, slice(begin, min(end, begin + way.width * WORD)))
        return self._apart(begin, min(end, begin + (8 * self.team if self.handle.costs.depth else 1)))

    def _together(self, width: int, where: slice) -> int:
        found, wanted = self.found, self.found.wanted
        keeps, sources = wanted.levels or wanted.parents, self.sources[where]
        options = keeps, self.depth, wanted.by_level, found.vertices, self.threads
        lanes = kernels().search_together(self.handle.graph, sources, width, *options)
        found.take(where, lanes.found)
        found.fit(lanes.depth)
        if keeps:
            levels = self._levels(lanes.depth, len(sources)) if found.levels is None else found.levels[where]
            lanes.write(levels, self.threads)
            if found.parents is not None:
                kernels().find_parents(self.handle.graph, levels, found.parents[where], self.threads)
        return len(sources)

    def _levels(self, depth: int, count: int) -> Any:
        """Return room for levels that only parents are found from."""
        beside = ManyFound(self.handle.rows, count, ManyWanted())
        beside.fit(depth)
        return beside.levels

    def _apart(self, begin: int, end: int) -> int:
        done = self._apart_rows(slice(begin, end))
        for i in (begin + np.flatnonzero(~done)).tolist():  # deeper than the levels had room for
            self.found.fit(int(self.found.eccentricities[i]))
            self._apart_rows(slice(i, i + 1))
        return end - begin

    def _apart_rows(self, where: slice) -> NDArray[np.bool_]:
        found = self.found
        tables = [None if table is None else table[where] for table in (found.levels, found.parents)]
        options = self.depth, found.wanted.by_level, found.vertices, self.threads
        done: NDArray[np.bool_]
        told, done = kernels().search_apart(self.handle.graph, self.sources[where], *tables, *options)
        found.take(where, told)
        self.handle.costs.reached(told)
        return done

    def took(self, way: Way, count: int, seconds: float) -> None:
        """Keep account of what was spent."""
        if way.name != "single":
            self.handle.costs.took(way, self.found.wanted, seconds, count)
        before = self._spent.get(way, (0, 0.0))
        self._spent[way] = before[0] + count, before[1] + seconds

    def account(self) -> list[str]:
        """Return a line for each way taken."""
        return [
            f"{count} source{'s' * (count > 1)} {way}: {seconds / count * 1e3:.3g} ms each"
            for way, (count, seconds) in self._spent.items()
        ]


One = Callable[[ManyFound, int], tuple[float, Sequence[int], int]]
"""Makes the ordinary search from a source, by its number; returns its seconds, counts by level, and edges."""


def bfs_many(
    handle: Handle,
    sources: NDArray[np.int64],
    wanted: ManyWanted,
    *,
    way: str | None,
    width: int | None,
    one: One,
    threads: int | None,
    progress: Callable[[float, float | None], None],
) -> ManyFound:
    """Search from each of the sources, in the way asked for or the one that is expected to be the quickest."""
    k, done = len(sources), 0
    found = ManyFound(handle.rows, k, wanted)
    searches, costs = Searches(handle, sources, found, threads), handle.costs
    while done < k:
        chosen = searches.choose(way, width, k - done)
        if handle.foresee(searches.expected(chosen, k - done), threads):
            costs.single = None
            found.notes.append(handle.layout)
            continue
        began = perf_counter()
        if chosen.name == "single":
            made = 1
            costs.searched(*one(found, done))
        else:
            found.fit(2 * costs.depth if chosen.name == "apart" else 0)
            made = searches.run(chosen, done, k)
        searches.took(chosen, made, perf_counter() - began)
        done += made
        progress(done, k)
    found.notes += searches.account()
    return found
