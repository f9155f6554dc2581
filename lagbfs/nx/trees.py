"""`networkx.algorithms.tree.recognition`."""

from __future__ import annotations

import networkx

from ..algorithms import components
from .functions import function
from .graph import Graph


def _count(G: Graph) -> int:
    """Return the number of components."""
    if not len(G):
        raise networkx.NetworkXPointlessConcept("G has no nodes.")
    return int((components(G.matrix) == range(len(G))).sum())


@function(linear=True)
def is_tree(G: Graph) -> bool:
    """Return whether the graph is connected and has no cycle, whatever the direction of edges."""
    return _count(G) == 1 and G.number_of_edges() == len(G) - 1


@function(linear=True)
def is_forest(G: Graph) -> bool:
    """Return whether the graph has no cycle, whatever the direction of edges."""
    return G.number_of_edges() == len(G) - _count(G)


@function(linear=True)
def is_arborescence(G: Graph) -> bool:
    """Return whether the graph is a tree, and no edges meet at their ends."""
    return is_tree(G) and int(G.into.degrees.max()) <= 1


@function(linear=True)
def is_branching(G: Graph) -> bool:
    """Return whether the graph is a forest, and no edges meet at their ends."""
    return is_forest(G) and int(G.into.degrees.max()) <= 1
