"""What is counted: isolates, loops, edges both ways."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx
import numpy as np

from ..operators import binary
from .functions import function
from .graph import Graph


@function(parallel=True, linear=True)
def isolates(G: Graph) -> Iterator[Any]:
    """Return the nodes without neighbours."""
    return iter(G.named(np.flatnonzero(G.out.degrees + G.into.degrees == 0)))


@function(parallel=True, linear=True)
def number_of_isolates(G: Graph) -> int:
    """Return how many nodes have no neighbours."""
    return int(np.count_nonzero(G.out.degrees + G.into.degrees == 0))


@function(parallel=True, linear=True)
def is_isolate(G: Graph, n: Any) -> bool:
    """Return whether a node has no neighbours."""
    return n in G and not G.out.degrees[G.number[n]] + G.into.degrees[G.number[n]]


@function(linear=True)
def number_of_selfloops(G: Graph) -> int:
    """Return how many edges join a node to itself."""
    return G.loops


@function(linear=True)
def overall_reciprocity(G: Graph) -> float:
    """Return the share of edges that there are both ways, loops apart."""
    if not G.number_of_edges():
        raise networkx.NetworkXError("Not defined for empty graphs")
    return (G.matrix.ewise_mult(G.matrix.T, binary.pair).nvals - G.loops) / G.number_of_edges()


@function(linear=True)
def reciprocity(G: Graph, nodes: Any = None) -> float:
    """Return the share of edges that there are both ways, loops apart."""
    return overall_reciprocity(G)


@reciprocity.refuses
def _(G: Any, nodes: Any = None) -> str:
    return "" if nodes is None else "of all nodes together"
