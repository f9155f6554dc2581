"""Features that the learned selector might know besides, and whether they would help.

Each is held against the model without it, on kinds of graphs that neither was fitted to. A candidate turns the
quantities of a search's levels into others: further columns, or the same from other sizes. What it saves has to be
weighed against what it costs to know: a pass over all edges for what is told of the graph as a whole, one over what a
level finds for the others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...backends.protocol import FORMS, Arm
from ...backends.protocol.quantities import QUANTITIES
from ...base import machine
from ...selector.learned import Coefficients
from .corpus import Measured
from .held_out import by_kind
from .learned import Search, fit_rows, follow, tabulated
from .scores import geometric_mean

__all__ = ["CANDIDATES", "Held", "held_out_by_kind"]

Table = NDArray[np.float64]
"""Quantities by level and form of the frontier."""

_NAMES = list(QUANTITIES)


def _cache() -> float:
    return machine.caches()[1]


def _as_it_is(search: Measured) -> Table:
    return tabulated(search.run, _cache())


def _in_edges(search: Measured) -> Table:
    """Return the quantities with the edges that lead to the unvisited for those that leave them."""
    sizes = zip(search.run.steps, search.facts, strict=True)
    steps = tuple(step._replace(unvisited_edges=fact.unvisited_in_edges) for step, fact in sizes)
    return tabulated(replace(search.run, steps=steps), _cache())


def _far(share: Callable[[Measured], float]) -> Callable[[Measured], Table]:
    """Return what adds the edges that lead far: this share of those pushed and of those probed."""

    def table(search: Measured) -> Table:
        known = _as_it_is(search)
        return _with(known, share(search) * known[..., [_NAMES.index(name) for name in ("pushes", "crowd", "probes")]])

    return table


def _longest(search: Measured) -> Table:
    """Return the quantities with the longest row of the frontier, and all of its other edges."""
    known = _as_it_is(search)
    longest = np.array([fact.longest for fact in search.facts], float)[:, None]
    pushed = known[..., _NAMES.index("pushes")] + known[..., _NAMES.index("crowd")]
    return _with(known, np.stack([np.broadcast_to(longest, pushed.shape), np.maximum(pushed - longest, 0)], axis=-1))


def _with(known: Table, more: Table) -> Table:
    return np.concatenate([known, more], axis=-1)


CANDIDATES: dict[str, Callable[[Measured], Table]] = {
    "as it is": _as_it_is,
    "in-edges of the unvisited": _in_edges,
    "edges beyond a cache line": _far(lambda search: 1 - search.locality.line),
    "edges beyond a page": _far(lambda search: 1 - search.locality.page),
    "mean gap of edges": _far(lambda search: search.locality.gap),
    "longest row of the frontier": _longest,
}
"""By what is known besides, the quantities then."""


class Held(NamedTuple):
    """How a model does on graphs of kinds that it was not fitted to.

    By kind, the geometric mean over searches of their time by the arms it chooses, times the fastest; over all, and
    that of the worst graph; and by what factor predictions are off, the geometric mean over all levels and arms, which
    weigh as much as when they are fitted.
    """

    kinds: dict[str, float]
    all: float
    worst: float
    off: float


def held_out_by_kind(measured: Sequence[Measured], table: Callable[[Measured], Table], engine: str) -> Held:
    """Return how models of one engine's arms that know such quantities do on each kind, fitted to all others.

    Examples
    --------
    >>> import lagbfs
    >>> from lagbfs.measure.training import corpus
    >>> makers = {"path": lambda: lagbfs.graphs.path(300), "star": lambda: lagbfs.graphs.star(9)}
    >>> searches = corpus.measure(makers, backend="reference", sources=2, repeats=1)
    >>> held = held_out_by_kind(searches, CANDIDATES["as it is"], "reference")
    >>> sorted(held.kinds), held.all >= 1
    (['deep', 'even'], True)
    """
    searches = [_searched(search, table, engine) for search in measured]
    kinds = by_kind(measured)
    ratios: dict[str, list[float]] = defaultdict(list)
    by_graph: dict[str, list[float]] = defaultdict(list)
    logs: list[tuple[float, float]] = []
    for kind in dict.fromkeys(kinds.values()):
        others = [own for search, own in zip(measured, searches, strict=True) if kinds[search.graph] != kind]
        if not others:
            continue
        rows = fit_rows(others)
        for search, own in zip(measured, searches, strict=True):
            if kinds[search.graph] == kind and own.total and rows.keys() >= {*own.run.arms}:
                ratio = float(follow(own, rows).sum()) / own.total
                ratios[kind].append(ratio)
                by_graph[search.graph].append(ratio)
                logs += _errors(own, rows)
    every = [ratio for kind in ratios.values() for ratio in kind]
    worst = max((_mean(own) for own in by_graph.values()), default=1.0)
    errors, weights = zip(*logs, strict=True) if logs else ((0.0,), (1.0,))
    off = float(np.exp(np.average(errors, weights=weights)))
    return Held({kind: _mean(ratios[kind]) for kind in sorted(ratios)}, _mean(every), worst, off)


def _mean(ratios: Sequence[float]) -> float:
    return geometric_mean(np.array(ratios))


def _searched(search: Measured, table: Callable[[Measured], Table], engine: str) -> Search:
    return Search.of(search.run.of(engine), table(search))


def _errors(search: Search, rows: dict[Arm, Coefficients]) -> Iterator[tuple[float, float]]:
    """Yield by how much each prediction is off, the absolute log, and what it weighs."""
    for step in search.run.timings:
        predicted = float(search.quantities[step.level, FORMS.index(step.form)] @ np.array(rows[step.arm]))
        yield abs(float(np.log(max(predicted, 1.0) / max(step.seconds * 1e9, 1.0)))), search.weight(step)
