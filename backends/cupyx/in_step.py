"""Searches in step on the device: a bit of each vertex for each of them, as `many.cu` has it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..protocol import ManyWanted
from . import launch
from .device import check_room, cupy, to_device
from .frontier import scan, words
from .graph import Graph
from .launch import blocks

__all__ = ["LANES", "InStep"]

LANES = 64  # searches of a word
COUNTED = 1024  # rows whose bits a thread counts
COUNTERS = 3  # of a level, before those of its searches
PUSH_SHARE = 16  # a push has so many times fewer edges than a pull may look at: its atomics cost more than a look
PLANES = 4  # that there is room for at first: distances below 16


class InStep:
    """The tables of up to 512 searches, on the device of their graph, which is current."""

    def __init__(self, graph: Graph, sources: NDArray[np.int64], width: int, wanted: ManyWanted) -> None:
        self.graph, self.width, self.k = graph, width, len(sources)
        self.n, self.depth, self.bits = graph.host.nrows, 0, 0
        self.launch = launch.module("many", graph.index).launch
        self._keeps = wanted.levels or wanted.parents or wanted.by_vertex
        table = self.n * width
        self._demand((3 + PLANES * self._keeps) * 8 * table)
        self.seen, self.front, self.next = (cupy().zeros(table, np.uint64) for _ in range(3))
        self.listed = cupy().zeros(words(self.n), np.uint32)
        self.planes = cupy().zeros(PLANES * table, np.uint64) if self._keeps else None
        self._begin(sources)

    def _demand(self, nbytes: int) -> None:
        check_room(nbytes, f"{self.k} searches in step, of {self.n:,} vertices,")

    def _begin(self, sources: NDArray[np.int64]) -> None:
        there = to_device(sources, self.graph.index)
        self.launch("begin_lanes", blocks(self.k), there, self.k, self.width, self.seen, self.front)
        every = np.zeros(self.width * LANES, bool)
        every[: self.k] = True
        self.alive = to_device(np.packbits(every, bitorder="little").view(np.uint64))
        distinct = np.unique(sources)
        # What is in `front` and, from the level before, in `next`: None where a pull has written all rows.
        self.members: Any = to_device(distinct, self.graph.index)
        self.stale: Any = self.members[:0]
        self.size, self.edges = len(distinct), int(self.graph.host.degrees[distinct].sum())
        self.open_edges = self.graph.host.nvals

    def run(self, max_depth: int | None) -> Iterator[NDArray[np.int64]]:
        """Search, and yield of each level how many vertices each search has found there."""
        yield np.ones(self.k, np.int64)
        while self.size and (max_depth is None or self.depth < max_depth):
            found = self._level()
            if found.any():
                yield found

    def _level(self) -> NDArray[np.int64]:
        """Compute a level, and return what each search has found; one transfer tells that, and how to go on."""
        self._reach(self.depth + 1)
        counters, alive = cupy().zeros(COUNTERS + LANES * self.width, np.uint64), cupy().zeros(self.width, np.uint64)
        pushes = self.edges < self.open_edges // PUSH_SHARE
        members = None
        if pushes:
            members = self._push(counters)
        else:
            self._pull(counters)
        most = self.n if members is None else len(members)
        grid = blocks(blocks(most, COUNTED) * LANES * self.width)
        self.launch("count_lanes", grid, members, most, self.width, self.next, counters, alive)
        told = counters.get().astype(np.int64)
        self.size, self.edges = int(told[0]), int(told[1])
        if not pushes:
            self.open_edges = int(told[2])
        self.front, self.next, self.alive = self.next, self.front, alive
        self.members, self.stale = None if members is None else members[: self.size], self.members
        counts: NDArray[np.int64] = told[COUNTERS : COUNTERS + self.k]
        return counts

    def _reach(self, depth: int) -> None:
        """Make room for the bits of a distance."""
        self.depth, self.bits = depth, depth.bit_length()
        table = self.n * self.width
        if self.planes is not None and self.bits * table > len(self.planes):
            self._demand(3 * self.planes.nbytes)
            self.planes = cupy().concatenate([self.planes, cupy().zeros(len(self.planes), np.uint64)])

    def _pull(self, counters: Any) -> None:
        graph = self.graph
        tables = (self.front, self.alive, self.seen, self.next, self.planes, self.depth, counters)
        grid = blocks(self.n * self.width)
        self.launch("pull_lanes", grid, self.n, self.width, *graph.columns, graph.indptr, *tables)

    def _push(self, counters: Any) -> Any:
        """Return the list of what is found, with room to spare."""
        graph, width = self.graph, self.width
        members, room = self._members(), min(self.edges, self.n)
        self._empty_next()
        found = cupy().empty(room, graph.index)
        offsets, sums = scan(graph, members, self.size, graph.rows.indptr)
        work = (members, self.size, offsets, sums, self.edges, *graph.rows, width, self.front, self.seen)
        grid = blocks(self.edges, launch.SPAN)
        self.launch("push_lanes", grid, *work, self.next, self.listed, found, counters)
        tables = (self.next, self.seen, self.planes, self.depth, self.listed, counters)
        self.launch("settle_lanes", blocks(room * width), found, self.n, width, graph.indptr, *tables)
        return found

    def _members(self) -> Any:
        """Return the vertices of the frontier as a list."""
        if self.members is None:
            self.members, count = cupy().empty(self.size, self.graph.index), cupy().zeros(1, np.uint64)
            grid = blocks(self.n * self.width)
            self.launch("list_lanes", grid, self.front, self.n, self.width, self.members, count)
        return self.members

    def _empty_next(self) -> None:
        if self.stale is None:
            self.next.fill(0)
        else:
            size = len(self.stale)
            self.launch("empty_lanes", blocks(size * self.width), self.stale, size, self.width, self.next)

    # What was found, written to arrays of the host.

    def levels(self, out: NDArray[Any]) -> None:
        """Write the level of each vertex by each search, which `out` has room for."""
        self._demand(out.nbytes)
        there, grid = cupy().empty(out.size, out.dtype), blocks(self.n * self.width)
        name = f"write_levels_{8 * out.itemsize}"
        self.launch(name, grid, self.seen, self.planes, self.bits, self.n, self.width, self.k, there)
        there.get(out=out.reshape(-1))

    def parents(self, out: NDArray[Any]) -> None:
        """Write the parent of each vertex in each search."""
        self._demand(out.nbytes)
        there, grid = cupy().full(out.size, -1, self.graph.index), blocks(self.n * self.width)
        tables = (self.seen, self.planes, self.bits, self.n, self.width)
        self.launch("find_parents", grid, *tables, *self.graph.columns, there)
        there.get(out=out.reshape(-1))

    def by_vertex(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
        """Return for each vertex the sum of its distances, their number, and the largest."""
        out = tuple(cupy().empty(self.n, kind) for kind in (np.int64, np.int64, np.int32))
        self.launch("sum_lanes", blocks(self.n), self.seen, self.planes, self.bits, self.n, self.width, *out)
        sums, counts, depths = (array.get() for array in out)
        return sums, counts, depths
