"""`networkx.algorithms.centrality`, and `networkx.algorithms.link_analysis`."""

from __future__ import annotations

from typing import Any

import networkx
import numpy as np
from numpy.typing import NDArray

from ..algorithms import betweenness, edge_betweenness, eigenvector, katz
from ..algorithms import hits as hubs_and_authorities
from ..algorithms import pagerank as ranks
from .arguments import translated, weighted
from .functions import function
from .graph import Graph

ByNode = dict[Any, Any]


def _array(G: Graph, by_node: Any) -> NDArray[np.float64]:
    return np.array([by_node.get(name, 0) for name in G], dtype=float)


@function()
def pagerank(
    G: Graph,
    alpha: float = 0.85,
    personalization: Any = None,
    max_iter: int = 100,
    tol: float = 1.0e-6,
    nstart: Any = None,
    weight: Any = "weight",
    dangling: Any = None,
) -> ByNode:
    """Return the PageRank of each node."""
    if not len(G):
        return {}
    given = {"personalization": personalization, "start": nstart, "dangling": dangling}
    shares: dict[str, Any] = {name: None if value is None else _array(G, value) for name, value in given.items()}
    home = shares["personalization"]
    if home is not None and not home.sum():
        raise ZeroDivisionError
    W = weighted(G, weight)
    with translated(max_iter):
        return G.by_node(ranks(W, alpha, tol, max_iter=max_iter, weighted=weight is not None, **shares))


@function()
def hits(
    G: Graph, max_iter: int = 100, tol: float = 1.0e-8, nstart: Any = None, normalized: bool = True
) -> tuple[ByNode, ByNode]:
    """Return how good a hub and how good an authority each node is."""
    if not len(G):
        return {}, {}
    if max_iter <= 0:
        raise networkx.PowerIterationFailedConvergence(max_iter)
    W = weighted(G, "weight")
    if not W.nvals or not W.csr.values.any():
        raise NotImplementedError("there are no edges, and NetworkX divides by 0")
    try:
        with translated(max_iter):
            hubs, authorities = hubs_and_authorities(W, tol, max_iter=max_iter)
    except networkx.PowerIterationFailedConvergence as error:
        raise NotImplementedError("the power iteration takes longer than NetworkX's decomposition") from error
    return G.by_node(hubs), G.by_node(authorities)


@hits.refuses
def _(G: Any, max_iter: Any = 100, tol: Any = 1.0e-8, nstart: Any = None, normalized: Any = True) -> str:
    if nstart is not None:
        return "a start is not taken"
    return "" if normalized else "without normalization, the scale is that of NetworkX's decomposition"


@function(parallel=True)
def betweenness_centrality(
    G: Graph, k: Any = None, normalized: bool = True, weight: Any = None, endpoints: bool = False, seed: Any = None
) -> ByNode:
    """Return the betweenness of each node, of paths counted in edges."""
    found = betweenness(G.matrix, _sample(G, k, seed), normalized=bool(normalized)) if len(G) else np.zeros(0)
    if _is_both(G) and not normalized:
        found *= 2
    return G.by_node(found)


@betweenness_centrality.refuses
def _(
    G: Any, k: Any = None, normalized: Any = True, weight: Any = None, endpoints: Any = False, seed: Any = None
) -> str:
    return _refused(k, weight) or ("endpoints are not counted" if endpoints else "")


def _refused(k: Any, weight: Any) -> str:
    if weight is not None:
        return "paths are counted in edges"
    return "no sources are asked for" if k == 0 else ""


@function()
def edge_betweenness_centrality(
    G: Graph, k: Any = None, normalized: bool = True, weight: Any = None, seed: Any = None
) -> ByNode:
    """Return the betweenness of each edge, of paths counted in edges."""
    if not len(G):
        return {}
    sources, both = _sample(G, k, seed), _is_both(G)
    if both and sources is not None:
        raise NotImplementedError("some sources of a directed graph that has all edges both ways")
    E = edge_betweenness(G.matrix, sources, normalized=bool(normalized))
    u, v, at = G.edges()
    values = G.out.as_given(E)[at]
    if both and normalized:
        values = values / 2
    return dict(zip(zip(G.named(u), G.named(v), strict=True), values.tolist(), strict=True))


@edge_betweenness_centrality.refuses
def _(G: Any, k: Any = None, normalized: Any = True, weight: Any = None, seed: Any = None) -> str:
    return _refused(k, weight)


def _sample(G: Graph, k: Any, seed: Any) -> Any:
    """Return the vertices that NetworkX draws; None for all of them."""
    return None if k is None or k == len(G) else np.array(seed.sample(range(len(G)), k), np.int64)


def _is_both(G: Graph) -> bool:
    """Whether a directed graph has every edge both ways: what lagbfs takes for an undirected one."""
    return G.is_directed() and G.matrix.is_symmetric


@function(linear=True)
def degree_centrality(G: Graph) -> ByNode:
    """Return the degree of each node by the largest there can be."""
    return _of_degrees(G, G.out.degrees + (G.into.degrees if G.is_directed() else _loops(G)))


@function(linear=True)
def in_degree_centrality(G: Graph) -> ByNode:
    """Return the in-degree of each node by the largest there can be."""
    return _of_degrees(G, G.into.degrees)


@function(linear=True)
def out_degree_centrality(G: Graph) -> ByNode:
    """Return the out-degree of each node by the largest there can be."""
    return _of_degrees(G, G.out.degrees)


def _of_degrees(G: Graph, degrees: NDArray[Any]) -> ByNode:
    return dict.fromkeys(G, 1) if len(G) <= 1 else G.by_node(degrees * (1.0 / (len(G) - 1.0)))


def _loops(G: Graph) -> NDArray[Any]:
    """Return how many loops each vertex has: in the degree, they count twice."""
    rows = G.out.rows
    return np.bincount(rows[rows == G.out.ends], minlength=len(G))


@function()
def eigenvector_centrality(
    G: Graph, max_iter: int = 100, tol: float = 1.0e-6, nstart: Any = None, weight: Any = None
) -> ByNode:
    """Return the eigenvector centrality of each node."""
    if not len(G):
        raise networkx.NetworkXPointlessConcept("cannot compute centrality for the null graph")
    if nstart is not None and not any(nstart.values()):
        raise networkx.NetworkXError("initial vector cannot have all zero values")
    if nstart is not None and set(nstart) != set(G):
        raise NotImplementedError("nstart must have a value for every node")
    start = None if nstart is None else _array(G, nstart)
    W = weighted(G, weight)
    with translated(max_iter):
        return G.by_node(eigenvector(W, tol, max_iter=max_iter, start=start, weighted=weight is not None))


@function()
def katz_centrality(
    G: Graph,
    alpha: float = 0.1,
    beta: Any = 1.0,
    max_iter: int = 1000,
    tol: float = 1.0e-6,
    nstart: Any = None,
    normalized: bool = True,
    weight: Any = None,
) -> ByNode:
    """Return the Katz centrality of each node."""
    if not len(G):
        return {}
    try:
        own: Any = float(beta)
    except (TypeError, ValueError, AttributeError) as error:
        if set(beta) != set(G):
            raise networkx.NetworkXError("beta dictionary must have a value for every node") from error
        own = _array(G, beta)
    W = weighted(G, weight)
    with translated(max_iter):
        options: dict[str, Any] = {"normalized": bool(normalized), "weighted": weight is not None}
        return G.by_node(katz(W, alpha, own, tol, max_iter=max_iter, **options))


@katz_centrality.refuses
def _(
    G: Any,
    alpha: Any = 0.1,
    beta: Any = 1.0,
    max_iter: Any = 1000,
    tol: Any = 1.0e-6,
    nstart: Any = None,
    normalized: Any = True,
    weight: Any = None,
) -> str:
    return "" if nstart is None else "a start is not taken"
