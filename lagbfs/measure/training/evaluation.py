"""How selectors compare, on the same measured levels and end to end.

On measured levels a selector's choices are replayed: what they take is known. The best sequence of arms, changes of
form and moves between engines included, is what they are held against. End to end, whole searches take turns.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from time import perf_counter
from typing import NamedTuple

import numpy as np

from ...algebra.matrix import Matrix
from ...backends.protocol import DIRECTIONS, Selector
from ...search.bfs import bfs
from ...selector import registry
from .corpus import Measured
from .exhaustive import point_seconds

__all__ = ["RULES", "Summary", "choosing_share", "end_to_end", "replayed", "summary", "switching_points"]

RULES = (*registry.GENERAL, *DIRECTIONS)
"""Selectors compared by default, by name."""

_SLOW = 0.2  # seconds: searches that take longer are not repeated


class Summary(NamedTuple):
    """Slowdowns over graphs, as Verstraaten et al. show them, and the share of graphs within some bounds."""

    mean: float
    geometric_mean: float
    median: float
    worst: float
    within_5_percent: float
    within_2: float
    within_5: float


def summary(ratios: Sequence[float]) -> Summary:
    """Return the summary of one ratio for each graph.

    Examples
    --------
    >>> summary([1.0, 1.0, 4.0]).worst
    4.0
    """
    r = np.array(ratios)
    shares = ((r <= bound).mean() for bound in (1.05, 2, 5))
    return Summary(*map(float, (r.mean(), np.exp(np.log(r).mean()), np.median(r), r.max(), *shares)))


def replayed(selector: Selector, measured: Sequence[Measured]) -> dict[str, float]:
    """Return by graph how many times as long as the best sequence of arms a selector's choices take."""
    taken: dict[str, float] = defaultdict(float)
    best: dict[str, float] = defaultdict(float)
    for search in measured:
        taken[search.graph] += sum(step.seconds for step in search.run.follow(selector.rule(search.figures)))
        best[search.graph] += search.run.fastest
    return {graph: taken[graph] / best[graph] for graph in taken if best[graph]}


def end_to_end(
    A: Matrix,
    sources: Sequence[int],
    rules: Sequence[str] = RULES,
    *,
    backend: str | Sequence[str] | None = None,
    repeats: int = 5,
    threads: int | None = None,
    seconds: float = math.inf,
) -> dict[str, float]:
    """Return by selector the seconds of whole searches from all sources, by number, each the median of some.

    They take turns, in a random order each time, and search once untimed at each: none pays for the caches that the one
    before it left. After so many seconds no other source is begun.
    """
    A = Matrix.from_rows(A.rows)  # without labels
    total: dict[str, float] = defaultdict(float)
    order = np.random.default_rng(1)
    start = perf_counter()
    for source in sources:
        if total and perf_counter() - start > seconds:
            break
        times: dict[str, list[float]] = {rule: [] for rule in rules}
        for _ in range(repeats):
            for rule in order.permutation(rules).tolist():
                if times[rule] and times[rule][0] > _SLOW:
                    continue
                for timed in (False, True):
                    began = perf_counter()
                    bfs(A, source, backend=backend, selector=rule, threads=threads)
                    if timed or perf_counter() - began > _SLOW:
                        times[rule].append(perf_counter() - began)
                        break
        for rule, taken in times.items():
            total[rule] += float(np.median(taken))
    return dict(total)


def choosing_share(
    A: Matrix, sources: Sequence[int], *, backend: str | Sequence[str] | None = None, threads: int | None = None
) -> tuple[float, float]:
    """Return the share of the time of searches that the default selector's choices take, and the seconds of one."""
    A = Matrix.from_rows(A.rows)  # without labels: sources are numbers
    steps = [s for source in sources for s in bfs(A, source, backend=backend, threads=threads).trace]
    choosing = sum(step.choosing for step in steps)
    return choosing / max(choosing + sum(step.seconds for step in steps), 1e-12), choosing / max(len(steps), 1)


class SwitchingPoints(NamedTuple):
    """Seconds of one search by switching points, as figure 8 of You et al. compares them."""

    worst: float
    average: float
    regression: float
    exhaustive: float
    learned: float


def switching_points(measured: Sequence[Measured], engine: str) -> dict[str, SwitchingPoints]:
    """Return by graph how switching points do, all that the paper tries, on one engine's measured levels."""
    rows: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    regression, learned = registry.lookup("selector", "switchpoint"), registry.lookup("selector", "learned")
    for search in measured:
        run = search.run.of(engine)
        points = point_seconds(run)
        by_rule = [sum(s.seconds for s in run.follow(rule.rule(search.figures))) for rule in (regression, learned)]
        rows[search.graph].append((points.max(), points.mean(), by_rule[0], points.min(), by_rule[1]))
    return {graph: SwitchingPoints(*np.array(seconds).sum(axis=0).tolist()) for graph, seconds in rows.items()}
