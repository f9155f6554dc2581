"""`networkx.algorithms.components`, and what `networkx.algorithms.bipartite` has of two colours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import networkx
import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..algorithms import components, strong_components, topological_levels, two_coloring
from ..search.bfs import bfs
from .functions import function
from .graph import Graph

Sets = Iterator[set[Any]]


def _sets(G: Graph, labels: NDArray[Any], heights: Any = 0) -> Sets:
    """Yield the nodes of each part, the lowest first, of those of one height in the order of their first nodes."""
    order = np.argsort(labels, kind="stable")
    if np.ndim(heights):
        order = order[np.argsort(heights[order], kind="stable")]
    firsts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    nodes = G.named(order)
    for begin, end in pairwise([*firsts.tolist(), len(nodes)]):
        yield set(nodes[begin:end])


def _heights(G: Graph, labels: NDArray[Any]) -> NDArray[Any]:
    """Return for each vertex how far its strong component is from the last that can be reached from it."""
    parts, part = np.unique(labels, return_inverse=True)
    i, j = _between(G, part)
    return topological_levels(Matrix.from_edges(j, i, n=len(parts)))[part]


def _between(G: Graph, part: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return from which part to which edges lead, in NetworkX's order, but for those that stay in one."""
    i, j = part[G.out.rows], part[G.out.ends]
    return i[i != j], j[i != j]


def _count(G: Graph, part: Callable[..., NDArray[Any]]) -> int:
    return int(np.count_nonzero(part(G.matrix) == np.arange(len(G))))


def _is_one(G: Graph, part: Callable[..., NDArray[Any]]) -> bool:
    if not len(G):
        raise networkx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return _count(G, part) == 1


@function(parallel=True, linear=True)
def connected_components(G: Graph) -> Sets:
    """Yield the nodes of each component, as NetworkX does."""
    yield from _sets(G, components(G.matrix))


@function(parallel=True, linear=True)
def number_connected_components(G: Graph) -> int:
    """Return the number of components."""
    return _count(G, components)


@function(parallel=True, linear=True)
def is_connected(G: Graph) -> bool:
    """Return whether there is a path between any two nodes."""
    return _is_one(G, components)


@function(parallel=True, linear=True)
def node_connected_component(G: Graph, n: Any) -> set[Any]:
    """Return the nodes of the component that a node lies in."""
    levels = bfs(G.matrix, G.number[n], parents=False, levels=True).levels
    return set(G.named(np.flatnonzero(levels >= 0)))


@function(parallel=True, linear=True)
def weakly_connected_components(G: Graph) -> Sets:
    """Yield the nodes of each weak component, as NetworkX does."""
    yield from _sets(G, components(G.matrix))


@function(parallel=True, linear=True)
def number_weakly_connected_components(G: Graph) -> int:
    """Return the number of weak components."""
    return _count(G, components)


@function(parallel=True, linear=True)
def is_weakly_connected(G: Graph) -> bool:
    """Return whether there is one weak component."""
    return _is_one(G, components)


@function(parallel=True, linear=True)
def strongly_connected_components(G: Graph) -> Sets:
    """Yield the nodes of each strong component, in a reverse topological order, as NetworkX does: edges lead back."""
    labels = strong_components(G.matrix)
    yield from _sets(G, labels, _heights(G, labels))


@function(parallel=True, linear=True)
def number_strongly_connected_components(G: Graph) -> int:
    """Return the number of strong components."""
    return _count(G, strong_components)


@function(parallel=True, linear=True)
def is_strongly_connected(G: Graph) -> bool:
    """Return whether there is one strong component."""
    return _is_one(G, strong_components)


@function(parallel=True, linear=True)
def condensation(G: Graph, scc: Any = None) -> networkx.DiGraph:
    """Return the graph of the strong components, or of parts that are given, as a graph of NetworkX."""
    sets = list(strongly_connected_components(G) if scc is None else scc)
    condensed = networkx.DiGraph(mapping={name: i for i, part in enumerate(sets) for name in part})
    condensed.add_nodes_from((i, {"members": part}) for i, part in enumerate(sets))
    mapping = condensed.graph["mapping"]
    i, j = _between(G, np.fromiter((mapping[name] for name in G), np.int64, len(G)))
    condensed.add_edges_from(zip(i.tolist(), j.tolist(), strict=True))
    return condensed


@function(parallel=True, linear=True)
def is_bipartite(G: Graph) -> bool:
    """Return whether two colours tell neighbours apart."""
    return two_coloring(G.matrix) is not None


@function(parallel=True, linear=True)
def color(G: Graph) -> dict[Any, int]:
    """Return a colour for each node, as NetworkX does: 1 for the first of a component that has successors."""
    colours = two_coloring(G.matrix)
    if colours is None:
        raise networkx.NetworkXError("Graph is not bipartite.")
    part, begins = components(G.matrix), np.flatnonzero(G.out.degrees)
    parts, first = np.unique(part[begins], return_index=True)
    shift = np.zeros(len(G), np.int8)  # by component; nodes alone keep 0
    shift[parts] = 1 - colours[begins[first]]
    alone = G.out.degrees + G.into.degrees == 0
    order = np.argsort(alone, kind="stable")  # as in NetworkX, these come last
    return dict(zip(G.named(order), (colours ^ shift[part])[order].tolist(), strict=True))
