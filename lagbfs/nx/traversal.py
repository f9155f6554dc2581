"""`networkx.algorithms.traversal.breadth_first_search`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any

import networkx
import numpy as np

from ..search.bfs import bfs
from .arguments import depth, searched
from .functions import function
from .graph import Graph

Edges = Iterator[tuple[Any, Any]]


@function(parallel=True, linear=True)
def bfs_edges(
    G: Graph, source: Any, reverse: bool = False, depth_limit: Any = None, sort_neighbors: Any = None
) -> Edges:
    """Yield the edges of a breadth-first search, as NetworkX does."""
    yield from _edges(G, source, depth_limit, reverse=reverse)


def _edges(G: Graph, source: Any, depth_limit: Any, *, reverse: bool = False) -> Edges:
    found = G.search([searched(G, source)], depth(depth_limit), reverse=reverse)
    children = found.children
    return zip(G.named(found.parents[children]), G.named(children), strict=True)


def _sorts(*args: Any, sort_neighbors: Any = None, **kwargs: Any) -> str:
    return "" if sort_neighbors is None else "neighbours cannot be sorted by a function"


@bfs_edges.refuses
def _(G: Any, source: Any, reverse: Any = False, depth_limit: Any = None, sort_neighbors: Any = None) -> str:
    return _sorts(sort_neighbors=sort_neighbors)


@function(parallel=True, linear=True)
def generic_bfs_edges(G: Graph, source: Any, neighbors: Any = None, depth_limit: Any = None) -> Edges:
    """Yield the edges of a breadth-first search, as NetworkX does."""
    yield from _edges(G, source, depth_limit)


@generic_bfs_edges.refuses
def _(G: Any, source: Any, neighbors: Any = None, depth_limit: Any = None) -> str:
    return "" if neighbors is None else "neighbours cannot come from a function"


@function(parallel=True, linear=True)
def bfs_tree(
    G: Graph, source: Any, reverse: bool = False, depth_limit: Any = None, sort_neighbors: Any = None
) -> networkx.DiGraph:
    """Return the tree of a breadth-first search, as NetworkX does."""
    edges = list(_edges(G, source, depth_limit, reverse=reverse))
    tree = networkx.DiGraph()
    tree.add_node(source)
    tree.add_nodes_from([child for _, child in edges])
    before, after = tree._pred, tree._succ
    for parent, child in edges:  # as add_edges_from does, which looks for each whether it is there
        after[parent][child] = before[child][parent] = {}
    return tree


bfs_tree.refuses(bfs_edges._refusal)  # type: ignore[arg-type]


@function(parallel=True, linear=True)
def bfs_predecessors(G: Graph, source: Any, depth_limit: Any = None, sort_neighbors: Any = None) -> Edges:
    """Yield each node with the one it was found from, as NetworkX does."""
    for parent, child in _edges(G, source, depth_limit):
        yield child, parent


@bfs_predecessors.refuses
def _(G: Any, source: Any, depth_limit: Any = None, sort_neighbors: Any = None) -> str:
    return _sorts(sort_neighbors=sort_neighbors)


@function(parallel=True, linear=True)
def bfs_successors(
    G: Graph, source: Any, depth_limit: Any = None, sort_neighbors: Any = None
) -> Iterator[tuple[Any, list[Any]]]:
    """Yield each node with those found from it, as NetworkX does."""
    edges = list(_edges(G, source, depth_limit))
    if not edges or edges[0][0] != source:
        yield source, []
    for parent, children in groupby(edges, itemgetter(0)):
        yield parent, [child for _, child in children]


bfs_successors.refuses(bfs_predecessors._refusal)  # type: ignore[arg-type]


@function(parallel=True, linear=True)
def bfs_layers(G: Graph, sources: Any) -> Iterator[list[Any]]:
    """Yield the nodes of each level, as NetworkX does."""
    first = list({sources} if sources in G else set(sources))
    for source in first:
        if source not in G:
            raise networkx.NetworkXError(f"The node {source} is not in the graph.")
    if first:
        found = G.search([G.number[source] for source in first])
        nodes = G.named(found.order)
        for begin, end in pairwise(found.bounds):
            yield nodes[begin:end]


@function(parallel=True, linear=True)
def bfs_labeled_edges(G: Graph, sources: Any) -> Iterator[tuple[Any, Any, str]]:
    """Yield all edges that a search comes by, with what each is to it, as NetworkX does."""
    first = dict.fromkeys([sources] if sources in G else sources)
    if not first:
        return
    found = G.search([G.number[source] for source in first])
    rank = np.zeros(len(G), np.int64)
    rank[found.order] = np.arange(len(found.order))
    level = np.zeros(len(G), np.int64)
    level[found.order] = found.depths
    u, v = G.out.edges_of(found.order)
    names = np.array(["reverse", "level", "forward", "tree"])
    kind = 1 + np.sign(level[v] - level[u])
    kind[(kind == 2) & (found.parents[v] == u)] = 3
    if not G.is_directed():  # told from one end alone
        told = (kind > 1) | (kind == 1) & (rank[v] >= rank[u])
        u, v, kind = u[told], v[told], kind[told]
    yield from zip(G.named(u), G.named(v), names[kind].tolist(), strict=True)


@function(parallel=True, linear=True)
def descendants_at_distance(G: Graph, source: Any, distance: Any) -> set[Any]:
    """Return the nodes at a distance from one, as NetworkX does."""
    if source not in G:
        raise networkx.NetworkXError(f"The node {source} is not in the graph.")
    if distance < 0 or distance != int(distance):
        return set()
    levels = bfs(G.matrix, G.number[source], max_depth=int(distance), parents=False, levels=True).levels
    return set(G.named(np.flatnonzero(levels == distance)))
