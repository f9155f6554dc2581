"""`networkx.algorithms.shortest_paths.weighted`: Dijkstra's functions, and Bellman and Ford's.

Where a shortest path is asked for, it is any of them. Lengths are int if all weights are, float if one is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx
import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..algorithms import potentials, sssp
from ..algorithms.shortest_paths import ShortestPaths
from ..errors import InvalidValueError
from .arguments import lengths, node, unsigned, weighted
from .functions import function
from .graph import Graph

Lengths = dict[Any, Any]
Paths = dict[Any, list[Any]]


class _Found:
    """Shortest paths from nodes: lengths and paths by node, nearest first, sources before all."""

    def __init__(
        self, G: Graph, W: Matrix, sources: list[int], *, target: int | None = None, cutoff: Any = None
    ) -> None:
        self.graph, self.whole, self._sources = G, W.dtype.kind != "f", sources
        self.found: ShortestPaths = sssp(W, sources, target=target, cutoff=cutoff)
        reached = np.flatnonzero(self.found.parents >= 0)
        first = np.isin(reached, sources, invert=True)
        self.order = reached[np.lexsort((first, self.found.distances[reached]))]

    def length(self, vertex: int) -> Any:
        """Return the length to a vertex that was reached."""
        return 0 if vertex in self._sources else self._numbers(self.found.distances[[vertex]])[0]

    def lengths(self) -> Lengths:
        """Return the length to each node; those of sources are NetworkX's 0, an int."""
        found = dict(zip(self.graph.named(self.order), self._numbers(self.found.distances[self.order]), strict=True))
        return found | dict.fromkeys(self.graph.named(np.array(self._sources)), 0)

    def _numbers(self, distances: NDArray[Any]) -> list[Any]:
        listed: list[Any] = (distances.astype(np.int64) if self.whole else distances).tolist()
        return listed

    def paths(self) -> Paths:
        """Return a path to each node."""
        parents, names = self.found.parents.tolist(), self.graph.nodes
        paths = {source: [names[source]] for source in self._sources}
        for vertex in self.order.tolist():
            steps = []
            while vertex not in paths:  # parents of the same distance may come later
                steps.append(vertex)
                vertex = parents[vertex]
            for step in reversed(steps):
                paths[step] = [*paths[vertex], names[step]]
                vertex = step
        return {names[vertex]: paths[vertex] for vertex in self.order.tolist()}

    def path(self, vertex: int) -> list[Any]:
        """Return a path to a vertex that was reached."""
        return self.graph.named(np.array(self.found.path_to(vertex)))


def _start(G: Graph, source: Any) -> int:
    return node(G, source, "Node {} not found in graph")


def _starts(G: Graph, sources: Any) -> list[int]:
    if not sources:
        raise ValueError("sources must not be empty")
    return [_start(G, source) for source in sources]


@function()
def dijkstra_path(G: Graph, source: Any, target: Any, weight: Any = "weight") -> list[Any]:
    """Return a shortest path between two nodes."""
    path: list[Any] = _to_target(G, [_start(G, source)], [source], target, None, weight)[1]
    return path


@function()
def dijkstra_path_length(G: Graph, source: Any, target: Any, weight: Any = "weight") -> Any:
    """Return the length of a shortest path between two nodes."""
    start = _start(G, source)
    if source == target:
        return 0
    end = G.number.get(target) if target in G else None
    found = None if end is None else _Found(G, unsigned(G, weight), [start], target=end)
    if end is None or found is None or found.found.parents[end] < 0:
        raise networkx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return found.length(end)


@function()
def bidirectional_dijkstra(G: Graph, source: Any, target: Any, weight: Any = "weight") -> tuple[Any, list[Any]]:
    """Return the length of a shortest path between two nodes, and the path."""
    start, end = (node(G, name, what + " {} is not in G") for name, what in ((source, "Source"), (target, "Target")))
    if source == target:
        return 0, [source]
    found = _Found(G, unsigned(G, weight), [start], target=end)
    if found.found.parents[end] < 0:
        raise networkx.NetworkXNoPath(f"No path between {source} and {target}.")
    return found.length(end), found.path(end)


@function()
def single_source_dijkstra(
    G: Graph, source: Any, target: Any = None, cutoff: Any = None, weight: Any = "weight"
) -> tuple[Any, Any]:
    """Return lengths and paths from a node, or to a target alone."""
    return _to_target(G, [_start(G, source)], [source], target, cutoff, weight)


@function()
def multi_source_dijkstra(
    G: Graph, sources: Any, target: Any = None, cutoff: Any = None, weight: Any = "weight"
) -> tuple[Any, Any]:
    """Return lengths and paths from the nearest of some nodes, or to a target alone."""
    return _to_target(G, _starts(G, sources), sources, target, cutoff, weight)


def _to_target(G: Graph, starts: list[int], sources: Any, target: Any, cutoff: Any, weight: Any) -> tuple[Any, Any]:
    if target in sources:
        return 0, [target]
    if target is None:
        found = _from(G, starts, cutoff, weight)
        return found.lengths(), found.paths()
    end = G.number[target] if target in G else None
    found = _from(G, starts, cutoff, weight, end)
    if end is None or found.found.parents[end] < 0:
        raise networkx.NetworkXNoPath(f"No path to {target}.")
    return found.length(end), found.path(end)


def _from(G: Graph, starts: list[int], cutoff: Any, weight: Any, target: int | None = None) -> _Found:
    return _Found(G, unsigned(G, weight), starts, target=target, cutoff=_limit(cutoff))


def _limit(cutoff: Any) -> Any:
    if cutoff is not None and cutoff < 0:
        raise NotImplementedError("cutoff must not be negative")
    return cutoff


@function()
def single_source_dijkstra_path(G: Graph, source: Any, cutoff: Any = None, weight: Any = "weight") -> Paths:
    """Return a shortest path from a node to each."""
    return _from(G, [_start(G, source)], cutoff, weight).paths()


@function()
def single_source_dijkstra_path_length(G: Graph, source: Any, cutoff: Any = None, weight: Any = "weight") -> Lengths:
    """Return the lengths of shortest paths from a node."""
    return _from(G, [_start(G, source)], cutoff, weight).lengths()


@function()
def multi_source_dijkstra_path(G: Graph, sources: Any, cutoff: Any = None, weight: Any = "weight") -> Paths:
    """Return a shortest path from the nearest of some nodes to each."""
    return _from(G, _starts(G, sources), cutoff, weight).paths()


@function()
def multi_source_dijkstra_path_length(G: Graph, sources: Any, cutoff: Any = None, weight: Any = "weight") -> Lengths:
    """Return the lengths of shortest paths from the nearest of some nodes."""
    return _from(G, _starts(G, sources), cutoff, weight).lengths()


def _each(G: Graph, W: Matrix, cutoff: Any = None) -> Iterator[tuple[Any, _Found]]:
    for source, name in enumerate(G):
        yield name, _Found(G, W, [source], cutoff=cutoff)


@function()
def all_pairs_dijkstra(G: Graph, cutoff: Any = None, weight: Any = "weight") -> Iterator[tuple[Any, Any]]:
    """Yield lengths and paths from each node."""
    each = _each(G, unsigned(G, weight), _limit(cutoff))
    return ((source, (found.lengths(), found.paths())) for source, found in each)


@function()
def all_pairs_dijkstra_path(G: Graph, cutoff: Any = None, weight: Any = "weight") -> Iterator[tuple[Any, Paths]]:
    """Yield paths from each node."""
    each = _each(G, unsigned(G, weight), _limit(cutoff))
    return ((source, found.paths()) for source, found in each)


@function()
def all_pairs_dijkstra_path_length(
    G: Graph, cutoff: Any = None, weight: Any = "weight"
) -> Iterator[tuple[Any, Lengths]]:
    """Yield lengths from each node."""
    each = _each(G, unsigned(G, weight), _limit(cutoff))
    return ((source, found.lengths()) for source, found in each)


@function()
def dijkstra_predecessor_and_distance(
    G: Graph, source: Any, cutoff: Any = None, weight: Any = "weight"
) -> tuple[Paths, Lengths]:
    """Return those before each node on shortest paths from one, and lengths."""
    start, W = node(G, source, "Node {} is not found in the graph"), unsigned(G, weight)
    found = _Found(G, W, [start], cutoff=_limit(cutoff))
    return _tight(G, W, found), found.lengths()


def _tight(G: Graph, W: Matrix, found: _Found) -> Paths:
    """Return those before each node, nearest first: an edge from i to j is part of a shortest path if d_i + w = d_j."""
    distances, before = found.found.distances, {name: list[Any]() for name in G.named(found.order)}
    rank = np.full(len(G), len(G))
    rank[found.order] = np.arange(len(found.order))
    i, j, length = W.to_coo()
    at = np.flatnonzero((rank[i] < len(G)) & (rank[j] < len(G)) & (distances[i] + length == distances[j]))
    at = at[np.argsort(rank[i[at]], kind="stable")]
    for parent, child in zip(G.named(i[at]), G.named(j[at]), strict=True):
        before[child].append(parent)
    return before


def _bounded(G: Graph, source: Any, weight: Any) -> _Found:
    """Return paths by Bellman and Ford; NetworkX's error if a cycle of negative length can be reached."""
    start = node(G, source, "Source {} not in G")
    return _bellman_ford(G, lengths(G, weight), start)


def _bellman_ford(G: Graph, W: Matrix, start: int) -> _Found:
    try:
        return _Found(G, W, [start])
    except InvalidValueError as error:
        raise networkx.NetworkXUnbounded("Negative cycle detected.") from error


@function()
def bellman_ford_predecessor_and_distance(
    G: Graph, source: Any, target: Any = None, weight: Any = "weight", heuristic: bool = False
) -> tuple[Paths, Lengths]:
    """Return those before each node on shortest paths from one, and lengths."""
    start, W = node(G, source, "Node {} is not found in the graph"), lengths(G, weight)
    if W.nvals and (W.diag().to_dense(fill_value=0) < 0).any():
        raise networkx.NetworkXUnbounded("Negative cycle detected.")
    found = _bellman_ford(G, W, start)
    before = _tight(G, W, found) if len(G) > 1 else {source: []}  # NetworkX does not look at the edge of a node alone
    return before, found.lengths()


@function()
def negative_edge_cycle(G: Graph, weight: Any = "weight", heuristic: bool = True) -> bool:
    """Return whether there is a cycle of negative length."""
    try:
        potentials(lengths(G, weight))
    except InvalidValueError:
        return True
    return False


@function()
def johnson(G: Graph, weight: Any = "weight") -> dict[Any, Paths]:
    """Return shortest paths from each node to each; lengths may be negative."""
    W = lengths(G, weight)
    try:
        p = potentials(W)
    except InvalidValueError as error:
        raise networkx.NetworkXUnbounded("Negative cycle detected.") from error
    i, j, length = W.to_coo()
    shifted = Matrix.from_coo(i, j, np.maximum(length + p[i] - p[j], 0), nrows=len(G), ncols=len(G))
    return {name: found.paths() for name, found in _each(G, shifted)}


@function()
def is_negatively_weighted(G: Graph, edge: Any = None, weight: Any = "weight") -> bool:
    """Return whether the weight of an edge is negative."""
    W = weighted(G, weight)
    return bool(W.nvals and W.csr.values.min() < 0)


@is_negatively_weighted.refuses
def _(G: Any, edge: Any = None, weight: Any = "weight") -> str:
    return "" if edge is None else "one edge is looked up in no time"


@function()
def bellman_ford_path(G: Graph, source: Any, target: Any, weight: Any = "weight") -> list[Any]:
    """Return a shortest path between two nodes."""
    path: list[Any] = single_source_bellman_ford(G, source, target, weight)[1]
    return path


@function()
def bellman_ford_path_length(G: Graph, source: Any, target: Any, weight: Any = "weight") -> Any:
    """Return the length of a shortest path between two nodes."""
    if source == target:
        _start(G, source)
        return 0
    found = _bounded(G, source, weight)
    if target not in G or found.found.parents[G.number[target]] < 0:
        raise networkx.NetworkXNoPath(f"node {target} not reachable from {source}")
    return found.length(G.number[target])


@function()
def single_source_bellman_ford(G: Graph, source: Any, target: Any = None, weight: Any = "weight") -> tuple[Any, Any]:
    """Return lengths and paths from a node, or to a target alone."""
    if source == target:
        node(G, source, "Node {} is not found in the graph")
        return 0, [source]
    found = _bounded(G, source, weight)
    if target is None:
        return found.lengths(), found.paths()
    if target not in G or found.found.parents[G.number[target]] < 0:
        raise networkx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
    return found.length(G.number[target]), found.path(G.number[target])


@function()
def single_source_bellman_ford_path(G: Graph, source: Any, weight: Any = "weight") -> Paths:
    """Return a shortest path from a node to each."""
    return _bounded(G, source, weight).paths()


@function()
def single_source_bellman_ford_path_length(G: Graph, source: Any, weight: Any = "weight") -> Lengths:
    """Return the lengths of shortest paths from a node."""
    return _bounded(G, source, weight).lengths()


@function()
def all_pairs_bellman_ford_path(G: Graph, weight: Any = "weight") -> Iterator[tuple[Any, Paths]]:
    """Yield paths from each node."""
    W = lengths(G, weight)
    return ((name, _bellman_ford(G, W, source).paths()) for source, name in enumerate(G))


@function()
def all_pairs_bellman_ford_path_length(G: Graph, weight: Any = "weight") -> Iterator[tuple[Any, Lengths]]:
    """Yield lengths from each node."""
    W = lengths(G, weight)
    return ((name, _bellman_ford(G, W, source).lengths()) for source, name in enumerate(G))
