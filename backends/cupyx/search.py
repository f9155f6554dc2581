"""A search on the device: how it comes there, goes on by levels, and comes back.

`reached` on the device is -1 for vertices not reached, ELSEWHERE (the largest index) for those that another engine has
reached and knows the parent of, and the parent or level of those found here. What is found here stays here until the
search ends; an engine that goes on in between is told only that these vertices are reached.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import protocol
from ..protocol import Arm, State
from . import levels
from .device import cupy, failures, to_device
from .frontier import Frontier, pack, unpack, words
from .graph import Graph, PartError
from .launch import blocks
from .recovery import NAME, search_again, warn
from .walk import Walk, is_list, on_its_device


class Search(Walk, protocol.Search):
    """The arrays of one search, on the device of its graph."""

    def __init__(self, graph: Graph, state: State) -> None:
        parents = levels.LEAST_PARENT if state.deterministic else levels.ANY_PARENT
        super().__init__(graph, parents if state.wants_parents else levels.LEVEL)
        self.state = state
        self.targets: Any = None
        self.lacking: PartError | None = None  # why arms were left out

    @property
    def unreached(self) -> int:
        """How many vertices are not reached."""
        return self.state.features.unvisited_size

    @on_its_device
    def take_over(self) -> None:
        """Bring the search here: its frontier, and which vertices it has reached."""
        state = self.state
        self.frontier = Frontier.send(self.graph, state.frontier)
        # Before the first level nothing but the frontier is reached.
        visited = self.frontier.bitmap if state.features.level == 0 else to_device(pack(state.reached >= 0))
        self.launch("mark_visited", blocks(self.n), visited, self.n, self.reached)
        if state.targets is not None:
            self.targets = to_device(state.targets.astype(self.graph.index, copy=False))

    @on_its_device
    def prepare(self, arm: Arm) -> bool:
        """Send what an arm needs of the graph; leave out all arms that need what does not fit, unless that is all."""
        try:
            note = self.graph.prepare(arm)
        except PartError as error:
            self._leave_out(error)
            return False
        if note:
            self.state.trace.notes.append(note)
        return True

    def _leave_out(self, error: PartError) -> None:
        own = [arm for arm in self.state.arms if arm.backend == NAME]
        useless = [arm for arm in own if (arm.direction, arm.variant) in error.arms]
        if len(useless) == len(own):
            raise error
        self.lacking = error
        self.state.leave_out(useless)
        names = ", ".join(f"{arm.direction}:{arm.variant}" for arm in useless)
        note = f"the device has no room ({error}): left out: {names}"
        self.state.trace.notes.append(note)
        warn(note, error, self.graph)

    @on_its_device
    def level(self, arm: Arm) -> None:
        """Compute one level; by one block, as many as it can."""
        features = self.state.features
        if arm.variant == "block" and max(features.frontier_edges, features.frontier_size) <= levels.BLOCK_EDGES:
            self._run_of_levels()
            return
        found = self.compute(arm, features.frontier_edges, features.level + 1)
        size, edges, missing, left = self._count()
        if arm.variant == "unvisited":
            self.left = self.left[:left]
        self.frontier = self._next(found, size, is_list=is_list(arm))
        self.state.enter(size, edges, lambda targets: np.full(len(targets), missing > 0))

    def _run_of_levels(self) -> None:
        """Compute levels by one block: one, if targets are waited for, or another engine may be chosen for the next."""
        state, depth = self.state, self.state.features.level + 1
        most = levels.BLOCK_LEVELS if state.max_depth is None else state.max_depth - state.features.level
        is_asked = self.targets is not None or any(arm.backend != NAME for arm in state.arms)
        listed, found = levels.run_of_levels(self, 1 if is_asked else most, self.rule, depth)
        self.frontier = Frontier(self.graph, len(listed), listed=listed)
        missing = 0 if self.targets is None else self._count()[2]
        for size, edges in found:
            state.enter(size, edges, lambda targets: np.full(len(targets), missing > 0))

    def _count(self) -> list[int]:
        """Return vertices and edges of the new frontier, how many targets are missing, and how many unvisited are left.

        That is the one thing read back.
        """
        if self.targets is not None:
            self.counters[2:3] = 0
            count = len(self.targets)
            self.launch("count_targets", blocks(count), self.targets, count, self.reached, self.counters)
        counts: list[int] = self.counters.get().tolist()
        return counts

    def _next(self, found: Any, size: int, *, is_list: bool) -> Frontier:
        if not is_list:
            return Frontier(self.graph, size, bitmap=found)
        if self.rule == levels.LEAST_PARENT:
            self.launch("settle_parents", blocks(size), found, size, self.reached)
        return Frontier(self.graph, size, listed=found[:size])

    @on_its_device
    def finish(self) -> None:
        """Give the search back with its frontier and, if it goes on elsewhere, with what it has reached."""
        state = self.state
        if state.features.frontier_size:
            state.frontier = self.frontier.fetch()
        if not state.goes_on:
            return
        bitmap = cupy().empty(words(self.n), np.uint32)
        self.launch("visited_to_bitmap", blocks(self.n), self.reached, self.n, bitmap)
        here = unpack(bitmap.get(), self.n) & (state.reached < 0)
        state.reached = _own(state.reached)
        state.reached[here] = 0  # reached: the parent or level is yet to come
        state.drop_targets()

    def merge(self, state: State) -> None:
        """Bring home the parents or levels that were found here."""
        try:
            reached = self._fetch()
        except failures() as error:
            search_again(error, state)
        else:
            self._write(reached, state)

    def there(self, state: State) -> Any | None:
        """Return all parents or levels on the device; None if it has failed."""
        try:
            return self._complete(state)
        except failures():
            return None

    @on_its_device
    def _complete(self, state: State) -> Any:
        """Write what other engines have found into `reached`, the sources at least, and return it."""
        at = cupy().flatnonzero(self.reached == np.iinfo(self.graph.index).max)
        self.reached[at] = to_device(state.reached[at.get()], self.graph.index)
        return self.reached

    @on_its_device
    def _fetch(self) -> Any:
        return self.reached.get()

    @on_its_device
    def recover(self) -> bool:
        """Bring home everything, if what is here is the state after the last complete level; return whether it is."""
        reached = self.reached.get()
        if np.count_nonzero(reached >= 0) != self.n - self.state.features.unvisited_size:
            return False
        frontier = self.frontier.fetch()
        self._write(reached, self.state)
        self.state.frontier = frontier
        self.state.drop_targets()
        return True

    def _write(self, reached: Any, state: State) -> None:
        elsewhere = np.iinfo(reached.dtype).max
        state.reached = _own(state.reached)
        np.copyto(state.reached, reached, casting="same_kind", where=(reached >= 0) & (reached != elsewhere))


def _own(array: Any) -> Any:
    return array if array.flags.writeable else array.copy()
