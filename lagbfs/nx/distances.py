"""`networkx.algorithms.distance_measures`, `wiener`, `efficiency_measures`; closeness and harmonic centrality.

What is counted in edges is computed for all vertices at once; with weights, by shortest paths from each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import networkx
import numpy as np
from numpy.typing import NDArray

from ..algorithms import all_pairs, all_pairs_distances, bfs_many, closeness, components, harmonic, strong_components
from ..algorithms import center as nearest
from ..algorithms import diameter as largest
from ..algorithms import eccentricity as farthest
from ..algorithms import global_efficiency as efficiency_of_all
from ..algorithms import local_efficiency as efficiency_around
from ..algorithms import periphery as outermost
from ..algorithms import radius as smallest
from .arguments import bunch, node, unsigned
from .functions import function
from .graph import Graph
from .unweighted import bidirectional_shortest_path

ByNode = dict[Any, Any]

_TOGETHER = 256  # sources whose distances are held at a time


class _Sums(NamedTuple):
    """Of the distances from each of some vertices: how many it reaches, their sum, the largest; int if weights are."""

    reached: NDArray[Any]
    sums: NDArray[Any]
    most: NDArray[Any]


def _sums(G: Graph, weight: str | None, sources: Any = None, *, into: bool = False) -> _Sums:
    chosen = np.arange(len(G)) if sources is None else np.array(sources, np.int64)
    if weight is None:
        found = bfs_many(G.into.matrix if into else G.matrix, chosen, levels=False)
        return _Sums(found.reached, found.distance_sums, found.eccentricities)
    W = unsigned(G, weight)
    each = [_of_rows(rows) for rows in _lengths(W.T if into else W, chosen)]
    reached, sums, most = map(np.concatenate, zip(*each, strict=True))
    return _Sums(reached, sums, most) if W.dtype.kind == "f" else _Sums(reached, *(a.astype(int) for a in (sums, most)))


def _lengths(W: Any, sources: NDArray[np.int64]) -> Iterator[NDArray[np.float64]]:
    for begin in range(0, len(sources), _TOGETHER):
        yield all_pairs(W, sources[begin : begin + _TOGETHER])


def _of_rows(lengths: NDArray[np.float64]) -> tuple[NDArray[Any], ...]:
    there = np.isfinite(lengths)
    return there.sum(axis=1), lengths.sum(axis=1, where=there), lengths.max(axis=1, where=there, initial=0)


@function(parallel=True, weighted="distance")
def closeness_centrality(G: Graph, u: Any = None, distance: Any = None, wf_improved: bool = True) -> Any:
    """Return the closeness of each node, or of one: one over the mean distance to it."""
    asked = None if u is None else [node(G, u, "Source {} is not in G")]
    if not len(G):
        return {}
    if distance is None:
        found = closeness(G.matrix, asked, wf_improved=bool(wf_improved))
    else:
        sums = _sums(G, distance, asked, into=True)
        others = sums.reached - 1.0
        found = np.divide(others, sums.sums, out=np.zeros(len(others)), where=sums.sums > 0)
        found *= others / (len(G) - 1) if wf_improved and len(G) > 1 else 1
    return G.by_node(found) if u is None else float(found[0])


@function(parallel=True)
def harmonic_centrality(G: Graph, nbunch: Any = None, distance: Any = None, sources: Any = None) -> ByNode:
    """Return for each node the sum of one over the distances to it, from all nodes or from some."""
    asked = list(set(bunch(G, nbunch)))
    at = [G.number[name] for name in asked]
    if sources is None:
        found = harmonic(G.matrix, at) if at else np.zeros(0)
    else:
        found = np.zeros(len(at))
        for _, levels in all_pairs_distances(G.matrix, sorted({G.number[name] for name in bunch(G, sources)})):
            near = levels[:, at].astype(float)
            found += np.divide(1, near, out=np.zeros(near.shape), where=near > 0).sum(axis=0)
    return {name: value or 0 for name, value in zip(asked, found.tolist(), strict=True)}  # as in NetworkX, an int


@harmonic_centrality.refuses
def _(G: Any, nbunch: Any = None, distance: Any = None, sources: Any = None) -> str:
    return "" if distance is None else "distances are counted in edges"


def _unreached(G: Graph, usebounds: bool = False) -> networkx.NetworkXError:
    if usebounds and not G.is_directed():
        return networkx.NetworkXError("Cannot compute metric because graph is not connected.")
    how = "digraph is not strongly connected" if G.is_directed() else "graph is not connected"
    return networkx.NetworkXError(f"Found infinite path length because the {how}")


@function(parallel=True)
def eccentricity(G: Graph, v: Any = None, sp: Any = None, weight: Any = None) -> Any:
    """Return the largest distance from each node, from some of them, or from one."""
    asked = bunch(G, v)
    at = [G.number[name] for name in asked]
    found = _farthest(G, weight, at) if at else []
    return found[0] if v in G else dict(zip(asked, found, strict=True))


@eccentricity.refuses
def _(G: Any, v: Any = None, sp: Any = None, weight: Any = None) -> str:
    return "" if sp is None else "distances are given"


def _farthest(G: Graph, weight: Any, at: Any = None) -> list[Any]:
    """Return the largest distance from each of some vertices, or of all."""
    if weight is not None:
        sums = _sums(G, weight, at)
        if (sums.reached < len(G)).any():
            raise _unreached(G)
        lengths: list[Any] = sums.most.tolist()
        return lengths
    found = farthest(G.matrix, at)
    if np.isinf(found).any():
        raise _unreached(G)
    levels: list[Any] = found.astype(int).tolist()
    return levels


def _given(G: Any, e: Any = None, usebounds: Any = False, weight: Any = None) -> str:
    return "" if e is None else "eccentricities are given"


def _extreme(G: Graph, of_edges: Any, of_lengths: Any, usebounds: Any, weight: Any) -> Any:
    """Return what follows from the largest or the smallest eccentricity; NetworkX's error if one is infinite."""
    if not len(G):
        raise NotImplementedError("there are no nodes, and NetworkX says what is wrong with that")
    if weight is not None:
        return of_lengths(_farthest(G, weight))
    if not _is_one(G):
        raise _unreached(G, usebounds is True)
    return of_edges(G.matrix)


def _is_one(G: Graph) -> bool:
    part = strong_components if G.is_directed() else components
    return not part(G.matrix).any()


def _where(G: Graph, least: Any) -> Any:
    """Return what names the nodes whose number is the least, or the largest, of all."""

    def named(values: list[Any]) -> list[Any]:
        found = least(values)
        return [name for name, value in zip(G, values, strict=True) if value == found]

    return named


@function(parallel=True)
def diameter(G: Graph, e: Any = None, usebounds: bool = False, weight: Any = None) -> Any:
    """Return the largest distance between two nodes."""
    return _extreme(G, largest, max, usebounds, weight)


@function(parallel=True)
def radius(G: Graph, e: Any = None, usebounds: bool = False, weight: Any = None) -> Any:
    """Return the smallest eccentricity of a node."""
    return _extreme(G, smallest, min, usebounds, weight)


@function(parallel=True)
def center(G: Graph, e: Any = None, usebounds: bool = False, weight: Any = None) -> list[Any]:
    """Return the nodes whose eccentricity is the radius."""
    found: list[Any] = _extreme(G, lambda A: G.named(np.array(nearest(A))), _where(G, min), usebounds, weight)
    return found


@function(parallel=True)
def periphery(G: Graph, e: Any = None, usebounds: bool = False, weight: Any = None) -> list[Any]:
    """Return the nodes whose eccentricity is the diameter."""
    found: list[Any] = _extreme(G, lambda A: G.named(np.array(outermost(A))), _where(G, max), usebounds, weight)
    return found


for _function in (diameter, radius, center, periphery):
    _function.refuses(_given)


@function(parallel=True)
def barycenter(G: Graph, weight: Any = None, attr: Any = None, sp: Any = None) -> list[Any]:
    """Return the nodes of the least sum of distances."""
    if not len(G):
        raise NotImplementedError("there are no nodes, and NetworkX says what is wrong with that")
    found = _sums(G, weight)
    if (found.reached < len(G)).any():
        raise networkx.NetworkXNoPath(
            f"Input graph {G} is disconnected, so every induced subgraph has infinite barycentricity."
        )
    return G.named(np.flatnonzero(found.sums == found.sums.min()))


@barycenter.refuses
def _(G: Any, weight: Any = None, attr: Any = None, sp: Any = None) -> str:
    if attr is not None:
        return "attributes of nodes are not written"
    return "" if sp is None else "distances are given"


@function(parallel=True)
def wiener_index(G: Graph, weight: Any = None) -> Any:
    """Return the sum of the distances of all pairs of nodes."""
    if not len(G):
        raise networkx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    if not _is_one(G):
        return float("inf")
    total = _sums(G, weight).sums.sum().item()
    return total if G.is_directed() else total / 2


@function(parallel=True)
def average_shortest_path_length(G: Graph, weight: Any = None, method: Any = None) -> float:
    """Return the mean length of shortest paths between any two nodes."""
    if method is not None and method not in _METHODS:
        raise ValueError(f"method not supported: {method}")
    n = len(G)
    if not n:
        raise networkx.NetworkXPointlessConcept(
            "the null graph has no paths, thus there is no average shortest path length"
        )
    if n == 1:
        return 0
    if not _is_one(G):
        raise networkx.NetworkXError(f"Graph is not {'strongly ' * G.is_directed()}connected.")
    counted = weight is None or method == "unweighted"
    total: float = _sums(G, None if counted else weight).sums.sum().item()
    return total / (n * (n - 1))


_METHODS = ("unweighted", "dijkstra", "bellman-ford", "floyd-warshall", "floyd-warshall-numpy")


@function(parallel=True)
def efficiency(G: Graph, u: Any, v: Any) -> float:
    """Return one over the distance of two nodes."""
    try:
        return 1 / (len(bidirectional_shortest_path(G, u, v)) - 1)
    except networkx.NetworkXNoPath:
        return 0


@function(parallel=True)
def global_efficiency(G: Graph) -> float:
    """Return the mean of one over the distances of all pairs of nodes."""
    return efficiency_of_all(G.matrix) if len(G) > 1 else 0


@function()
def local_efficiency(G: Graph) -> float:
    """Return the mean over all nodes of the efficiency of the graph of their neighbours."""
    return float(efficiency_around(G.matrix).sum()) / len(G)
