"""`networkx.algorithms.cluster`, `core` and `link_prediction`, and `ego_graph`: neighbours of neighbours."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import networkx
import numpy as np
from numpy.typing import NDArray

from ..algorithms import clustering as shares
from ..algorithms import core_numbers, jaccard
from ..algorithms import k_truss as truss
from ..algorithms import transitivity as share_of_all
from ..algorithms import triangles as counts
from ..search.bfs import bfs
from .arguments import node
from .conversion import part
from .functions import function
from .graph import Graph

ByNode = dict[Any, Any]


def _chosen(G: Graph, values: list[Any], nodes: Any) -> Any:
    """Return values by node: of all, of one, or of those of some that the graph has."""
    if nodes is None:
        return dict(zip(G.nodes, values, strict=True))
    if nodes in G:
        return values[G.number[nodes]]
    return {name: values[G.number[name]] for name in nodes if name in G}


def _undirected(G: Any, weight: Any = None) -> str:
    if weight is not None:
        return "weights do not count"
    return "the graph is directed" if G.is_directed() else ""


@function()
def triangles(G: Graph, nodes: Any = None) -> Any:
    """Return how many triangles each node is a corner of."""
    return _chosen(G, counts(G.matrix).tolist(), nodes)


@function()
def clustering(G: Graph, nodes: Any = None, weight: Any = None) -> Any:
    """Return the clustering coefficient of each node."""
    return _chosen(G, _shares(G), nodes)


def _shares(G: Graph) -> list[Any]:
    return [share or 0 for share in shares(G.matrix).tolist()]  # as in NetworkX, an int if there is no triangle


@clustering.refuses
def _(G: Any, nodes: Any = None, weight: Any = None) -> str:
    return _undirected(G, weight)


@function()
def average_clustering(G: Graph, nodes: Any = None, weight: Any = None, count_zeros: bool = True) -> float:
    """Return the mean of clustering coefficients."""
    found = _chosen(G, _shares(G), nodes).values()
    kept = found if count_zeros else [share for share in found if share]
    mean: float = sum(kept) / len(kept)
    return mean


@average_clustering.refuses
def _(G: Any, nodes: Any = None, weight: Any = None, count_zeros: Any = True) -> str:
    return _undirected(G, weight)


@function()
def transitivity(G: Graph) -> float:
    """Return which share of pairs of edges that meet are sides of a triangle."""
    return share_of_all(G.matrix) or 0


@transitivity.refuses
def _(G: Any) -> str:
    return _undirected(G)


def _refuse_loops(G: Graph) -> None:
    if G.loops:
        raise networkx.NetworkXNotImplemented(
            "Input graph has self loops which is not permitted; "
            "Consider using G.remove_edges_from(nx.selfloop_edges(G))."
        )


@function()
def core_number(G: Graph) -> ByNode:
    """Return the core number of each node."""
    _refuse_loops(G)
    return G.by_node(core_numbers(G.matrix))


@core_number.refuses
def _(G: Any) -> str:
    return _undirected(G)


@function()
def k_core(G: Graph, k: Any = None, core_number: Any = None) -> networkx.Graph:
    """Return the k-core, as a graph of NetworkX."""
    if core_number is None:
        _refuse_loops(G)
        core = core_numbers(G.matrix)
    else:
        core = np.array([core_number.get(name, -math.inf) for name in G])
    return part(G, core >= (max(core.tolist()) if k is None else k))


@k_core.refuses
def _(G: Any, k: Any = None, core_number: Any = None) -> str:
    return _undirected(G)


@function()
def k_truss(G: Graph, k: Any) -> networkx.Graph:
    """Return the k-truss, as a graph of NetworkX."""
    _refuse_loops(G)
    left = truss(G.matrix, max(2, math.ceil(k)))
    edges = left.csr.rows().astype(np.int64) * len(G) + left.csr.indices
    rows = np.repeat(np.arange(len(G)), G.out.degrees)
    return part(G, left.degrees > 0, np.isin(rows * len(G) + G.out.ends, edges))


@function(linear=True)
def ego_graph(
    G: Graph, n: Any, radius: Any = 1, center: bool = True, undirected: bool = False, distance: Any = None
) -> networkx.Graph:
    """Return what lies within a radius of a node, as a graph of NetworkX."""
    start = node(G, n, "Source {} is not in G")
    levels = bfs(G.matrix, start, max_depth=max(0, math.ceil(min(radius, len(G)))), parents=False, levels=True).levels
    near: NDArray[np.bool_] = levels >= 0
    near[start] = center
    return part(G, near)


@ego_graph.refuses
def _(G: Any, n: Any, radius: Any = 1, center: Any = True, undirected: Any = False, distance: Any = None) -> str:
    if distance is not None:
        return "distances are counted in edges"
    return "edges of a directed graph are followed one way" if undirected and G.is_directed() else ""


@function()
def jaccard_coefficient(G: Graph, ebunch: Any = None) -> Iterator[tuple[Any, Any, float]]:
    """Return pairs of nodes, with how alike their neighbours are."""
    if G.loops:
        raise NotImplementedError("there are loops, which NetworkX counts in part")
    pairs = list(ebunch)
    at = np.array([[node(G, name, "Node {} not in G.") for name in pair] for pair in pairs], np.int64).reshape(-1, 2)
    alike: list[Any] = jaccard(G.matrix, at).tolist() if len(pairs) else []
    either = G.out.degrees[at].sum(axis=1).tolist()
    return ((u, v, share if any_ else 0) for (u, v), share, any_ in zip(pairs, alike, either, strict=True))


@jaccard_coefficient.refuses
def _(G: Any, ebunch: Any = None) -> str:
    return "all pairs without an edge are asked for" if ebunch is None else ""
