"""`networkx.algorithms.dag`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx
import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..algorithms import topological_levels
from ..errors import InvalidValueError
from ..search.bfs import bfs
from .arguments import searched
from .functions import function
from .graph import Graph


@function(parallel=True, linear=True)
def descendants(G: Graph, source: Any) -> set[Any]:
    """Return the nodes that can be reached from one, without it."""
    return _reached(G, G.matrix, source)


@function(parallel=True, linear=True)
def ancestors(G: Graph, source: Any) -> set[Any]:
    """Return the nodes that one can be reached from, without it."""
    return _reached(G, G.into.matrix, source)


def _reached(G: Graph, A: Matrix, source: Any) -> set[Any]:
    start = searched(G, source)
    return set(G.named(np.flatnonzero(bfs(A, start, parents=False, levels=True).levels > 0)))


@function(parallel=True, linear=True)
def is_directed_acyclic_graph(G: Graph) -> bool:
    """Return whether the graph is directed and has no cycle."""
    return G.is_directed() and _levels(G) is not None


@function(parallel=True, linear=True)
def topological_generations(G: Graph) -> Iterator[list[Any]]:
    """Yield the nodes of each level, as NetworkX does; with a cycle in the graph, none at all."""
    yield from _generations(G)


@function(parallel=True, linear=True)
def topological_sort(G: Graph) -> Iterator[Any]:
    """Yield the nodes in topological order, as NetworkX does; with a cycle in the graph, none at all."""
    for generation in _generations(G):
        yield from generation


def _generations(G: Graph) -> Iterator[list[Any]]:
    if not G.is_directed():
        raise networkx.NetworkXError("Topological sort not defined on undirected graphs.")
    levels = _levels(G)
    if levels is None:
        raise networkx.NetworkXUnfeasible("Graph contains a cycle or graph changed during iteration")
    generation, level = np.flatnonzero(levels == 0), 0
    while len(generation):
        yield G.named(generation)
        level += 1
        _, ends = G.out.edges_of(generation)
        generation = _by_last(ends[levels[ends] == level])


def _by_last(ends: NDArray[Any]) -> NDArray[Any]:
    """Return what occurs, each once, in the order of last occurrences: a node is free when its last edge is."""
    _, last = np.unique(ends[::-1], return_index=True)
    return ends[np.sort(len(ends) - 1 - last)]


def _levels(G: Graph) -> NDArray[np.int32] | None:
    """Return the level of each vertex; None if there is a cycle."""
    try:
        return topological_levels(G.matrix)
    except InvalidValueError:
        return None


@function(parallel=True, linear=True)
def lowest_common_ancestor(G: Graph, node1: Any, node2: Any, default: Any = None) -> Any:
    """Return a node from which both are reached, and no other such node from it."""
    levels = _levels(G)
    if levels is None:
        raise networkx.NetworkXError("LCA only defined on directed acyclic graphs.")
    if not len(G):
        raise networkx.NetworkXPointlessConcept("LCA meaningless on null graphs.")
    missing = {name for name in (node1, node2) if name not in G}
    if missing:
        raise networkx.NodeNotFound(f"Node(s) {missing} from pair {(node1, node2)} not in G.")
    first, second = (bfs(G.into.matrix, G.number[name], parents=False, levels=True).levels for name in (node1, node2))
    common = np.flatnonzero((first >= 0) & (second >= 0))
    return G.nodes[int(common[levels[common].argmax()])] if len(common) else default
