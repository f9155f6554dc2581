"""Distances and centralities by lagbfs, igraph and NetworKit, on the same graphs.

    closeness    of all vertices
    betweenness  over paths from some vertices: NetworKit draws as many of its own, the others get the same
    diameter     of the largest component, exactly; beside it, what one search takes

Results are compared before anything is timed, but for NetworKit's sampled betweenness. Contenders take turns until each
has run three times, or for ten seconds; medians are reported. Layouts and graphs of other libraries are made before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from .. import backends
from ..algebra.matrix import Matrix
from ..algorithms.connected import components
from ..algorithms.dependencies import betweenness
from ..algorithms.extremes import diameter
from ..algorithms.nearness import closeness
from ..base import checks
from ..base.optional import require
from ..errors import InvalidValueError, VerificationError
from ..search.bfs import bfs

__all__ = ["PEERS", "QUANTITIES", "Row", "compare"]

QUANTITIES = ("closeness", "betweenness", "diameter")
PEERS = ("igraph", "networkit")

_REPEATS, _LONG = 3, 10.0  # seconds
_SEARCHES = 9  # whose median is that of one

Contender = Callable[[], Any]


class Row(NamedTuple):
    """What one quantity of one graph takes each contender, in seconds, and a search."""

    graph: str
    quantity: str
    seconds: dict[str, tuple[float, ...]]
    search: float

    def median(self, contender: str) -> float | None:
        """Return the median, None for one that was not there."""
        return median(self.seconds[contender]) if contender in self.seconds else None

    def ratio(self, contender: str) -> float | None:
        """Return how many times as long as lagbfs a contender takes."""
        own, other = self.median("lagbfs"), self.median(contender)
        return None if own is None or other is None else other / own


class _Graph(NamedTuple):
    """The largest component of an undirected graph, and the vertices from which paths are counted."""

    A: Matrix
    roots: list[int]
    settings: dict[str, Any]


def compare(
    name: str,
    A: Matrix,
    *,
    quantities: Sequence[str] = QUANTITIES,
    against: Sequence[str] = PEERS,
    roots: int = 64,
    backend: str | None = None,
    threads: int | None = None,
    progress: Callable[[float, float | None], None] = lambda done, total: None,
) -> list[Row]:
    """Compare results and times; `progress` counts quantities.

    Examples
    --------
    >>> from lagbfs import graphs
    >>> [row.quantity for row in compare("grid", graphs.grid(9, 9), against=[], roots=3)]
    ['closeness', 'betweenness', 'diameter']
    """
    checks.integer("roots", roots, low=2)
    for quantity in quantities:
        checks.one_of("quantities", quantity, QUANTITIES)
    for peer in against:
        checks.one_of("against", peer, PEERS)
    graph = _graph(name, A, roots, {"backend": backend or backends.default(), "threads": threads})
    peers = {peer: _PEERS[peer](graph) for peer in against}
    search, rows = _search(graph), []
    for done, quantity in enumerate(quantities, 1):
        contenders = {"lagbfs": _own(graph)[quantity]}
        contenders |= {peer: made[quantity] for peer, made in peers.items() if quantity in made}
        _check(quantity, contenders)
        rows.append(Row(name, quantity, _timed(contenders), search))
        progress(done, len(quantities))
    return rows


def _graph(name: str, A: Matrix, roots: int, settings: dict[str, Any]) -> _Graph:
    if not A.is_symmetric or not A.nvals:
        raise InvalidValueError(f"graph {name} must have edges, and have them both ways (--undirected)")
    part = components(A, **settings)
    inside = np.flatnonzero(part == np.bincount(part).argmax())
    A = Matrix.from_rows(A[inside, inside].new().rows)
    backends.get(settings["backend"]).optimize(A.rows, settings["threads"])
    count = min(roots, A.nrows)
    return _Graph(A, np.random.default_rng(1).choice(A.nrows, count, replace=False).tolist(), settings)


def _search(graph: _Graph) -> float:
    """Return what an ordinary search takes, of some."""
    seconds = []
    for source in (graph.roots * _SEARCHES)[:_SEARCHES]:
        began = perf_counter()
        bfs(graph.A, source, levels=False, **graph.settings)
        seconds.append(perf_counter() - began)
    return median(seconds)


def _own(graph: _Graph) -> dict[str, Contender]:
    A, roots, settings = graph
    return {
        "closeness": lambda: closeness(A, **settings),
        "betweenness": lambda: betweenness(A, roots, normalized=False, **settings),
        "diameter": lambda: diameter(A, **settings),
    }


def _igraph(graph: _Graph) -> dict[str, Contender]:
    igraph = require("igraph", "bench")
    rows, columns, _ = graph.A.to_coo()
    once = rows <= columns
    made = igraph.Graph(n=graph.A.nrows, edges=np.stack([rows[once], columns[once]], axis=1))
    # lagbfs scales what some sources give to what all would have: no path from a vertex ends there.
    scale = np.full(graph.A.nrows, (graph.A.nrows - 1) / len(graph.roots))
    scale[graph.roots] = (graph.A.nrows - 1) / (len(graph.roots) - 1)
    return {
        "closeness": lambda: np.array(made.closeness()),
        "betweenness": lambda: scale * np.array(made.betweenness(sources=graph.roots)),
        "diameter": lambda: made.diameter(),
    }


def _networkit(graph: _Graph) -> dict[str, Contender]:
    networkit = require("networkit", "bench")
    if graph.settings["threads"]:
        networkit.setNumberOfThreads(graph.settings["threads"])
    rows, columns, _ = graph.A.to_coo()
    once = rows <= columns
    edges = tuple(end[once].astype(np.uint64) for end in (rows, columns))
    made = networkit.graph.GraphFromCoo(edges, n=graph.A.nrows, directed=False)
    central, exact = networkit.centrality, networkit.distance.DiameterAlgo.EXACT
    standard, count = central.ClosenessVariant.STANDARD, len(graph.roots)
    return {
        "closeness": lambda: np.array(central.Closeness(made, True, standard).run().scores()),
        "betweenness": lambda: central.EstimateBetweenness(made, count, False, True).run().scores() and None,
        "diameter": lambda: networkit.distance.Diameter(made, exact).run().getDiameter()[0],
    }


_PEERS = {"igraph": _igraph, "networkit": _networkit}


def _check(quantity: str, contenders: dict[str, Contender]) -> None:
    """Compare what they find; the sampled betweenness of NetworKit is of other vertices, and None here."""
    found = {name: contender() for name, contender in contenders.items()}
    for name, other in found.items():
        if other is not None and not np.allclose(other, found["lagbfs"], rtol=1e-6, atol=1e-6):
            raise VerificationError(quantity, -1, f"{name} has another result")


def _timed(contenders: dict[str, Contender]) -> dict[str, tuple[float, ...]]:
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(_REPEATS):
        for name, contender in contenders.items():
            if sum(seconds[name]) < _LONG:
                began = perf_counter()
                contender()
                seconds[name].append(perf_counter() - began)
    return {name: tuple(times) for name, times in seconds.items()}
