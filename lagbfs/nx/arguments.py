"""What NetworkX's functions are given, as lagbfs takes it: nodes, depths, weights; its exceptions where it is wrong."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import networkx
import numpy as np

from ..algebra.matrix import Matrix
from ..errors import ConvergenceError, InvalidValueError
from .graph import Graph

__all__ = ["bunch", "depth", "lengths", "node", "searched", "translated", "unsigned", "weighted"]


def searched(G: Graph, source: Any) -> int:
    """Return the vertex of a node that a search starts at; NetworkX's error of its traversals if there is none."""
    hash(source)
    if source not in G:
        raise networkx.NetworkXError(f"The node {source} is not in the {'digraph' if G.is_directed() else 'graph'}.")
    return int(G.number[source])


def node(G: Graph, name: Any, words: str) -> int:
    """Return the vertex of a node; NodeNotFound, in NetworkX's words, if there is none."""
    if name not in G:
        raise networkx.NodeNotFound(words.format(name))
    return int(G.number[name])


def bunch(G: Graph, names: Any) -> list[Any]:
    """Return the nodes that NetworkX takes an argument for: all, one, or those of some that there are, each once."""
    if names is None:
        return list(G)
    if names in G:
        return [names]
    try:
        return list(dict.fromkeys(name for name in names if name in G.number))
    except TypeError:
        raise networkx.NetworkXError(f"{names!r} is neither a node nor a sequence of nodes") from None


def depth(limit: Any) -> int | None:
    """Return how many levels a search goes within a limit, which need be no integer; None if it has none."""
    if limit is None or limit == math.inf:
        return None
    levels: int = math.ceil(limit)
    return max(0, levels)


def weighted(G: Graph, weight: str | None) -> Matrix:
    """Return the matrix of an edge attribute: int64 or float64; NotImplementedError if it holds something else."""
    return G.matrix if weight is None else G.matrix_of(weight)


def unsigned(G: Graph, weight: str | None) -> Matrix:
    """Return lengths of edges as Dijkstra's functions take them as they are: none negative, sums exact."""
    W = lengths(G, weight)
    if W.nvals and W.csr.values.min() < 0:
        raise NotImplementedError("some weights are negative, which NetworkX finds out on the way")
    return W


def lengths(G: Graph, weight: str | None) -> Matrix:
    """Return lengths of edges, sums of which are exact."""
    W = weighted(G, weight).dup(np.int64) if weight is None else weighted(G, weight)
    if W.dtype.kind != "f" and W.nvals and float(np.abs(W.csr.values.astype(float)).max()) * len(G) > _EXACT:
        raise NotImplementedError("sums of weights may be larger than 2^53, beyond which they are not exact here")
    return W


_EXACT = 2.0**53  # integers up to this are floats, too


@contextmanager
def translated(max_iter: int) -> Iterator[None]:
    """Raise NetworkX's error where an iteration does not end; leave to NetworkX what lagbfs does not take."""
    try:
        with np.errstate(all="ignore"):
            yield
    except ConvergenceError as error:
        raise networkx.PowerIterationFailedConvergence(max_iter) from error
    except InvalidValueError as error:
        raise NotImplementedError(str(error)) from error
