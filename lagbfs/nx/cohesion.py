"""`networkx.algorithms.cluster`, `core` and `link_prediction`, and `ego_graph`: neighbours of neighbours."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import networkx
import numpy as np
from numpy.typing import NDArray

from ..algorithms import all_pairs_distances, common_neighbors, core_numbers, jaccard, sssp
from ..algorithms import clustering as shares
from ..algorithms import k_truss as truss
from ..algorithms import square_clustering as shares_of_squares
from ..algorithms import transitivity as share_of_all
from ..algorithms import triangles as counts
from ..search.bfs import bfs
from .arguments import bunch, node, unsigned
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
def square_clustering(G: Graph, nodes: Any = None) -> Any:
    """Return which share of the squares that there could be at each node there are."""
    values = [share or 0 for share in shares_of_squares(G.matrix).tolist()]
    if nodes in G:
        return values[G.number[nodes]]
    return {name: values[G.number[name]] for name in bunch(G, nodes)}


@square_clustering.refuses
def _(G: Any, nodes: Any = None) -> str:
    return _undirected(G)


@function()
def generalized_degree(G: Graph, nodes: Any = None) -> Any:
    """Return for each node how many of its edges are sides of so many triangles."""
    sides = truss(G.matrix, 2).csr
    counts = sides.all_values().tolist()

    def degree(vertex: int) -> Counter[int]:
        return Counter(counts[sides.indptr[vertex] : sides.indptr[vertex + 1]])

    if nodes in G:
        return degree(G.number[nodes])
    return {name: degree(G.number[name]) for name in bunch(G, nodes)}


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
    return part(G, left.degrees > 0, np.isin(G.out.rows * len(G) + G.out.ends, edges))


@function(linear=True, weighted="distance")
def ego_graph(
    G: Graph, n: Any, radius: Any = 1, center: bool = True, undirected: bool = False, distance: Any = None
) -> networkx.Graph:
    """Return what lies within a radius of a node, as a graph of NetworkX."""
    near = _by_edges(G, n, radius) if distance is None else _by_lengths(G, n, radius, distance)
    near[G.number[n]] = center
    return part(G, near)


def _by_edges(G: Graph, n: Any, radius: Any) -> NDArray[np.bool_]:
    start, depth = node(G, n, "Source {} is not in G"), max(0, math.ceil(min(radius, len(G))))
    near: NDArray[np.bool_] = bfs(G.matrix, start, max_depth=depth, parents=False, levels=True).levels >= 0
    return near


def _by_lengths(G: Graph, n: Any, radius: Any, distance: str) -> NDArray[np.bool_]:
    start = node(G, n, "Node {} not found in graph")
    return sssp(unsigned(G, distance), start, cutoff=max(radius, 0)).parents >= 0


@ego_graph.refuses
def _(G: Any, n: Any, radius: Any = 1, center: Any = True, undirected: Any = False, distance: Any = None) -> str:
    return "edges of a directed graph are followed one way" if undirected and G.is_directed() else ""


def _places(G: Graph, pairs: list[Any]) -> NDArray[np.int64]:
    """Return pairs of nodes as vertices."""
    return np.array([[node(G, name, "Node {} not in G.") for name in pair] for pair in pairs], np.int64).reshape(-1, 2)


@function()
def common_neighbor_centrality(G: Graph, ebunch: Any = None, alpha: Any = 0.8) -> Iterator[tuple[Any, Any, float]]:
    """Return pairs of nodes, with what they have in common: neighbours, and a short way from one to the other."""
    pairs = list(ebunch)
    at = _places(G, pairs)
    shared: list[Any] = common_neighbors(G.matrix, at).tolist() if len(pairs) else []
    if alpha == 1:
        return ((*_two(pair), count) for pair, count in zip(pairs, shared, strict=True))
    away = _distances(G, at) if len(pairs) else []
    return (
        (*_two(pair), alpha * count + (1 - alpha) * len(G) / far)
        for pair, count, far in zip(pairs, shared, away, strict=True)
    )


def _two(pair: Any) -> tuple[Any, Any]:
    u, v = pair
    if u == v:
        raise networkx.NetworkXAlgorithmError("Self loops are not supported")
    return u, v


def _distances(G: Graph, at: NDArray[np.int64]) -> list[float]:
    """Return the distances of pairs; inf where there is no path, or where the two are one."""
    found = np.full(len(at), np.inf)
    starts, row = np.unique(at[:, 0], return_inverse=True)
    for first, (_, levels) in enumerate(all_pairs_distances(G.matrix, starts, block=_TOGETHER)):
        here = np.flatnonzero(row // _TOGETHER == first)
        far = levels[row[here] % _TOGETHER, at[here, 1]]
        found[here] = np.where(far > 0, far, np.inf)
    return found.tolist()


_TOGETHER = 512  # sources whose distances are held at a time


@common_neighbor_centrality.refuses
def _(G: Any, ebunch: Any = None, alpha: Any = 0.8) -> str:
    return _without_pairs(ebunch)


def _without_pairs(ebunch: Any) -> str:
    return "all pairs without an edge are asked for" if ebunch is None else ""


@function()
def jaccard_coefficient(G: Graph, ebunch: Any = None) -> Iterator[tuple[Any, Any, float]]:
    """Return pairs of nodes, with how alike their neighbours are."""
    if G.loops:
        raise NotImplementedError("there are loops, which NetworkX counts in part")
    pairs = list(ebunch)
    at = _places(G, pairs)
    alike: list[Any] = jaccard(G.matrix, at).tolist() if len(pairs) else []
    either = G.out.degrees[at].sum(axis=1).tolist()
    return ((u, v, share if any_ else 0) for (u, v), share, any_ in zip(pairs, alike, either, strict=True))


@jaccard_coefficient.refuses
def _(G: Any, ebunch: Any = None) -> str:
    return _without_pairs(ebunch)
