"""`bfs` on ranks: every rank computes its part of each level on an engine of its own, and then they tell each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import backends
from ..backends.partitioned.loop import Level, Levels, Member
from ..backends.protocol import Arm, Features
from ..base import checks
from ..errors import InvalidTypeError, InvalidValueError
from ..search.bfs import vertices
from ..selector import context
from ..selector.context import Settings
from .agreeing import few, together
from .traversal import DistributedTraversal

if TYPE_CHECKING:
    from .matrix import DistributedMatrix

__all__ = ["bfs"]

_NOT_HERE = {
    "order": "is for one process: ranks find the vertices of a level at once, in no order",
    "on_device": "is for one process: results are where their vertices are",
    "deterministic": "is for one process: parts know vertices by their labels, and not which is the smallest",
}


class Asked(NamedTuple):
    """What a search was asked for, checked."""

    settings: Settings
    arms: tuple[Arm, ...]
    sources: NDArray[Any]
    targets: NDArray[Any] | None
    max_depth: int | None
    parents: bool
    levels: bool

    def __str__(self) -> str:
        ends = "anywhere" if self.targets is None else few(self.targets)
        wanted = [name for name in ("parents", "levels") if getattr(self, name)]
        return f"bfs from {few(self.sources)} to {ends}, max_depth {self.max_depth}, {' '.join(wanted)}"


def bfs(A: DistributedMatrix, source: Any, **options: Any) -> DistributedTraversal:
    """Search the graph; see `lagbfs.bfs`."""
    ranks, split, block = A.ranks, A.split, A.block
    asked: Asked = together(ranks, lambda: _asked(A, source, **options), str)
    engine = backends.get(asked.arms[0].backend)
    first, end = split.offsets[ranks.rank], split.offsets[ranks.rank + 1]

    def own(names: NDArray[Any]) -> NDArray[Any]:
        """Return those of some vertices that are this rank's, by their own numbers."""
        labels = split.label[names]
        numbers: NDArray[Any] = labels[(labels >= first) & (labels < end)] - first
        return numbers

    # A vertex without an edge is found if it is a source, and else never.
    others = np.zeros(0, int) if asked.targets is None else np.setdiff1d(asked.targets, asked.sources)
    beyond = int(np.count_nonzero(split.label[others] < 0))
    part = engine.part(block, wants_parents=asked.parents, threads=asked.settings.threads or ranks.threads)
    n, m, idle = block.n, block.m, int(np.count_nonzero(split.label[asked.sources] < 0))
    levels = Levels(
        [Member(part, tuple(arm for arm in asked.arms if arm.backend == engine.name))],
        ranks.exchange(split.offsets),
        asked.settings.policy(block.rows, learns=False, model=A.model),
        Features(n=n, m=m, barren=block.barren, frontier_size=0, frontier_edges=0, unvisited_size=n, unvisited_edges=m),
        labels=split.offsets[-1],
        width=split.label.itemsize,
        max_depth=asked.max_depth,
        missing=None if asked.targets is None else lambda: [_missing(part, own, asked, beyond)],
    )
    levels.begin([part.begin(own(asked.sources))])
    f = levels.features
    f.unvisited_size, f.unvisited_edges = n - idle - f.frontier_size, m - f.frontier_edges
    trace: list[Level] = []
    while levels.goes_on:
        trace.append(levels.step())
    return DistributedTraversal(A, asked, part.reached(), f, trace)


def _missing(part: Any, own: Any, asked: Asked, out_of_reach: int) -> int:
    """Return how many targets this rank misses, and all miss those out of reach."""
    return int(part.missing(own(asked.targets))) + out_of_reach


def _asked(
    A: DistributedMatrix,
    source: Any,
    *,
    direction: Any = None,
    backend: Any = None,
    selector: Any = None,
    max_depth: Any = None,
    target: Any = None,
    levels: bool | None = None,
    parents: bool = True,
    threads: Any = None,
    **others: Any,
) -> Asked:
    for name, value in others.items():
        if checks.flag(name, value):
            raise InvalidTypeError(f"{name} {_NOT_HERE[name]}")
    parents = checks.flag("parents", parents)
    levels = None if levels is None else checks.flag("levels", levels)
    if not (parents or levels or levels is None):
        raise InvalidValueError("levels and parents are both False: there is nothing to compute")
    settings = context.current().but(backend, direction, selector, threads)
    return Asked(
        settings,
        settings.arms(),
        vertices(A, "source", source),
        None if target is None else vertices(A, "target", target),
        None if max_depth is None else checks.integer("max_depth", max_depth, low=0),
        parents,
        bool(levels) or not parents,
    )
