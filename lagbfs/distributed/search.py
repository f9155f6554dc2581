"""`bfs` on ranks: every rank computes its part of each level on an engine of its own, and then they tell each other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import backends
from ..backends.partitioned.loop import Level, Levels
from ..backends.partitioned.standby import member
from ..backends.protocol import Arm, Backend, Features, Names, Part, ProductPart
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
    least: bool

    def __str__(self) -> str:
        ends = "anywhere" if self.targets is None else few(self.targets)
        wanted = [name for name in ("parents", "levels", "least") if getattr(self, name)]
        return f"bfs from {few(self.sources)} to {ends}, max_depth {self.max_depth}, {' '.join(wanted)}"


def bfs(A: DistributedMatrix, source: Any, **options: Any) -> DistributedTraversal:
    """Search the graph; see `lagbfs.bfs`."""
    ranks, split, block = A.ranks, A.split, A.block
    asked: Asked = together(ranks, lambda: _asked(A, source, **options), str)
    engine = backends.get(asked.arms[0].backend)
    n, m, idle = block.n, block.m, split.idle(asked.sources)
    f = Features(n=n, m=m, barren=block.barren, frontier_size=0, frontier_edges=0, unvisited_size=n, unvisited_edges=m)
    several = any(arm.backend != engine.name for arm in asked.arms)
    notes = [f"searched by {engine.name} alone, the first: a rank has one engine"] if several else []
    ways = {arm.direction for arm in asked.arms if arm.backend == engine.name}
    own = member(engine, block, partial(_part, A, asked), ways, f, notes)
    part = own.part
    levels = Levels(
        [own],
        ranks.exchange(split.offsets),
        asked.settings.policy(block.rows, learns=False, model=A.model),
        f,
        labels=split.offsets[-1],
        width=split.label.itemsize,
        max_depth=asked.max_depth,
        missing=None if asked.targets is None else _missing(A, part, asked.targets, asked.sources),
    )
    levels.begin([part.begin(split.places(asked.sources, ranks.rank))])
    f.unvisited_size, f.unvisited_edges = n - idle - f.frontier_size, m - f.frontier_edges
    trace: list[Level] = []
    while levels.goes_on:
        trace.append(levels.step())
    return DistributedTraversal(A, asked, part.reached(), f, trace, notes)


def _part(A: DistributedMatrix, asked: Asked, engine: Backend) -> Part:
    """Return this rank's part of a search; by products, where of parents the least is asked for."""
    threads = asked.settings.threads or A.ranks.threads
    if not asked.least:
        return engine.part(A.block, wants_parents=asked.parents, threads=threads)
    names = Names(A.split.user, A.split.label)
    return ProductPart(engine, A.block, wants_parents=True, threads=threads, names=names)


def _missing(A: DistributedMatrix, part: Part, targets: Any, sources: Any) -> Callable[[], list[int]]:
    """Return what tells how many targets this rank misses; those without an edge all miss, but for sources."""
    own, beyond = A.split.places(targets, A.ranks.rank), A.split.idle(np.setdiff1d(targets, sources))
    return lambda: [part.missing(own) + beyond]


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
    deterministic: bool = False,
    **others: Any,
) -> Asked:
    for name, value in others.items():
        if name not in _NOT_HERE:
            raise InvalidTypeError(f"a search on ranks has no argument {name!r}")
        if checks.flag(name, value):
            raise InvalidTypeError(f"{name} {_NOT_HERE[name]}")
    parents, deterministic = checks.flag("parents", parents), checks.flag("deterministic", deterministic)
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
        deterministic and parents,
    )
