"""A part of a search on the device: the arms of a search, on a block of the graph.

What comes and goes is the frontier, as list or bitmap, and after each level how much was found.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...storage.block import WORD, Block, bitmap_of, positions_in
from ..protocol import Arm, Part
from . import levels
from .device import to_device
from .frontier import Frontier
from .graph import Graph
from .walk import Walk, is_list, on_its_device

__all__ = ["DevicePart"]


class BlockWalk(Walk):
    """The arrays of a part; `found` is what its last level found, on the host once it was fetched."""

    def __init__(self, graph: Graph, block: Block, *, wants_parents: bool) -> None:
        super().__init__(graph, levels.ANY_PARENT if wants_parents else levels.LEVEL)
        self.block = block
        self.found: Any = None
        self.level = self.left_over = 0

    @property
    def out_indptr(self) -> Any:
        """Where the out-edges of own vertices would begin among those of all, in the whole graph."""
        return self.graph.offsets_of(self.block.degrees)

    @property
    def unreached(self) -> int:
        """How many own vertices are not reached."""
        return self.left_over

    @on_its_device
    def begin(self, frontier: NDArray[Any], reached: NDArray[Any] | None, level: int) -> None:
        """Take a search over."""
        if reached is None:
            reached = np.full(self.n, -1, self.graph.index)
            reached[frontier] = level if self.rule == levels.LEVEL else frontier + self.block.first
        self.reached = to_device(reached, self.graph.index)
        self.left_over, self.level, self.left = int(np.count_nonzero(reached < 0)), level, None
        self.found = frontier

    @on_its_device
    def step(self, frontier: NDArray[Any], form: str, arm: Arm) -> tuple[int, int]:
        """Compute a level; return how many vertices are new, and how many edges leave them."""
        self.graph.prepare(arm)
        self.level += 1
        edges = self._edges(frontier, form) if arm.direction == "push" else 0
        self.frontier = self._sent(frontier, form)
        found = self.compute(arm, edges, self.level)
        size, new_edges, _, left = self.counters.get().tolist()
        if arm.variant == "unvisited":
            self.left = self.left[:left]
        self.found = found[:size] if is_list(arm) else found
        self.left_over -= size
        return size, new_edges

    def _sent(self, frontier: NDArray[Any], form: str) -> Frontier:
        if form == "list":
            return Frontier(self.graph, len(frontier), listed=to_device(frontier, self.graph.index))
        size = int(np.bitwise_count(frontier).sum())
        return Frontier(self.graph, size, bitmap=to_device(frontier.view(np.uint32)))

    def _edges(self, frontier: NDArray[Any], form: str) -> int:
        """Return how many edges of the block leave the frontier."""
        return self.block.rows.entries_in(frontier if form == "list" else positions_in(frontier))

    @on_its_device
    def fetch(self) -> NDArray[Any]:
        """Return what was found last, on the host: a list, or a bitmap of words of 32 bits."""
        if not isinstance(self.found, np.ndarray):
            self.found = self.found.get()
        found: NDArray[Any] = self.found
        return found

    @on_its_device
    def noted(self, vertices: NDArray[Any] | None = None) -> NDArray[Any]:
        """Return what is noted of own vertices, or of some, on the host."""
        noted: NDArray[Any] = (self.reached if vertices is None else self.reached[to_device(vertices)]).get()
        return noted


class DevicePart(Part):
    """A part whose levels are computed on the device."""

    __slots__ = ("block", "walk")

    def __init__(self, graph: Graph, block: Block, *, wants_parents: bool) -> None:
        self.block = block
        with graph.guard():
            self.walk = BlockWalk(graph, block, wants_parents=wants_parents)

    def begin(self, frontier: NDArray[Any], reached: NDArray[Any] | None = None, level: int = 0) -> tuple[int, int]:
        """Take a search over."""
        self.walk.begin(frontier, reached, level)
        return len(frontier), int(self.block.degrees[frontier].sum(dtype=np.int64))

    def step(self, frontier: NDArray[Any], form: str, arm: Arm) -> tuple[int, int]:
        """Compute a level."""
        return self.walk.step(frontier, form, arm)

    def frontier(self, form: str) -> NDArray[Any]:
        """Return the own vertices found last."""
        found, words = self.walk.fetch(), self.block.words
        if found.dtype == np.uint32:
            bitmap = np.zeros(2 * words, np.uint32)
            bitmap[: len(found)] = found
            whole = bitmap.view(np.uint64)
            return whole if form == "bitmap" else self._labels(positions_in(whole))
        return self._labels(found) if form == "list" else bitmap_of(found, words * WORD)

    def _labels(self, own: NDArray[Any]) -> NDArray[Any]:
        return (own + self.block.first).astype(self.block.label_dtype)

    def reached(self) -> NDArray[Any]:
        """Return, for each own vertex, the label of its parent, or its level; else -1."""
        return self.walk.noted()

    def missing(self, vertices: NDArray[Any]) -> int:
        """Return how many of some own vertices are not reached."""
        return int(np.count_nonzero(self.walk.noted(vertices) < 0)) if len(vertices) else 0
