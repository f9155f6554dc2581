"""How long engines that share a graph take for each level, by how its vertices were dealt out.

A device can be emulated: by an engine of the host, whose times are divided by the speed stated, and a launch added.
Parts are then timed one after the other, since two at once would take each other's memory; so is the time of a level:
that of the slowest part, and of the exchange. Without, parts work at the same time and levels are timed as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from .. import backends
from ..algebra.matrix import Matrix
from ..backends.partitioned.blocks import cut
from ..backends.partitioned.engine import Partitioned
from ..backends.partitioned.local import LocalExchange
from ..backends.partitioned.loop import Level, Levels, Member
from ..backends.partitioned.split import Split
from ..backends.protocol import Features, GraphSizes, Selector
from ..base import checks
from ..errors import InvalidValueError
from ..search.bfs import bfs
from ..selector import context
from ..storage.block import Block

__all__ = ["Device", "PartTimes", "Run", "compare"]

_REPEATS = 3


class Device(NamedTuple):
    """An emulated device: how many times as fast as the engine that stands for it, and the seconds of a launch."""

    speed: float
    launch: float = 1e-5


class PartTimes(NamedTuple):
    """A level: its frontier, the seconds of each part, of the exchange before it, and of the level as a whole."""

    level: int
    frontier_size: int
    parts: tuple[float, ...]
    exchange: float
    seconds: float


class Run(NamedTuple):
    """What a graph dealt out by a policy takes, and `alone` the first engine, medians over the sources.

    `vertices` and `edges` are those of each part; `levels` are of the first source.
    """

    graph: str
    policy: str
    vertices: tuple[int, ...]
    edges: tuple[int, ...]
    seconds: float
    alone: float
    levels: list[PartTimes]


def compare(
    name: str,
    A: Matrix,
    *,
    backend: str = "native+cupyx",
    policies: Sequence[str] = ("degree", "reversed", "random"),
    device: Device | None = None,
    sources: int = 8,
    selector: Any = None,
    threads: int | None = None,
    progress: Callable[[float, float | None], None] = lambda done, total: None,
) -> list[Run]:
    """Return what each policy makes of the parts' times; `device` emulates the last engine.

    Examples
    --------
    >>> from lagbfs import graphs
    >>> from lagbfs.measure import partition
    >>> A, device = graphs.kronecker(8), partition.Device(speed=8)
    >>> runs = partition.compare("k", A, backend="reference+reference", device=device, sources=2)
    >>> [run.policy for run in runs]
    ['degree', 'reversed', 'random']
    """
    engines, _, shares = [*backend.split("/"), "", ""][:3]
    if "+" not in engines:
        raise InvalidValueError(f"backend must name engines that share a graph, as native+cupyx, not {backend!r}")
    starts = np.flatnonzero(A.rows.degrees)
    if not len(starts):
        raise InvalidValueError(f"{name} has no edges: there is nothing to search")
    chosen = np.random.default_rng(1).choice(starts, checks.integer("sources", sources, low=1))
    first = engines.partition("+")[0]
    runs, alone = [], _alone(A, chosen, first, threads)
    for done, policy in enumerate(policies):
        engine = backends.get("/".join([engines, policy, *([shares] if shares else [])]))
        assert isinstance(engine, Partitioned)
        runs.append(_run(name, A, engine, chosen, device, selector, threads)._replace(alone=alone))
        progress(done + 1, len(policies))
    return runs


def _alone(A: Matrix, sources: Any, engine: str, threads: int | None) -> float:
    """Return what the first engine takes for a search by itself."""
    settings: dict[str, Any] = {"backend": engine, "threads": threads}
    A.optimize(**settings)
    return median(min(bfs(A, [s], **settings).seconds for _ in range(_REPEATS)) for s in sources)


def _run(
    name: str, A: Matrix, engine: Partitioned, sources: Any, device: Device | None, selector: Any, threads: int | None
) -> Run:
    policy = context.current().but(selector=selector).policy(A.rows, learns=False)
    split = engine.split(A.rows, policy)
    blocks = [cut(A.rows, split, part) for part in range(split.parts)]
    pool = ThreadPoolExecutor(split.parts) if device is None else None

    def searched(source: int) -> list[PartTimes]:
        levels = _begun(A, engine, split, blocks, policy, source, threads)
        found = []
        while levels.goes_on:
            found.append(_times(levels.step(pool), device))
        return found

    best = [min((searched(source) for _ in range(_REPEATS)), key=_total) for source in sources]
    vertices, edges = tuple(block.size for block in blocks), tuple(block.rows.nvals for block in blocks)
    return Run(name, engine.policy, vertices, edges, median(map(_total, best)), 0.0, best[0])


def _begun(
    A: Matrix,
    engine: Partitioned,
    split: Split,
    blocks: Sequence[Block],
    selector: Selector,
    source: int,
    threads: int | None,
) -> Levels:
    """Return a search over the parts that has begun."""
    sizes = GraphSizes.of(A.rows)
    features = Features(
        **sizes._asdict(), frontier_size=0, frontier_edges=0, unvisited_size=sizes.n, unvisited_edges=sizes.m
    )
    members, found = [], []
    for (each, place), block in zip(engine.placed(), blocks, strict=True):
        part = each.part(block, wants_parents=True, threads=threads, place=place)
        found.append(part.begin(split.places(np.array([source]), block.part)))
        members.append(Member(part, each.arms))
    exchange, width = LocalExchange(split.parts), split.label.itemsize
    levels = Levels(members, exchange, selector, features, labels=split.offsets[-1], width=width)
    levels.begin(found)
    return levels


def _total(levels: list[PartTimes]) -> float:
    return sum(level.seconds for level in levels)


def _times(level: Level, device: Device | None) -> PartTimes:
    parts = [share.seconds for share in level.shares]
    exchange = level.shares[0].exchange
    seconds = level.seconds
    if device is not None:
        parts[-1] = parts[-1] / device.speed + device.launch
        seconds = max(parts) + exchange
    return PartTimes(level.features.level, level.features.frontier_size, tuple(parts), exchange, seconds)
