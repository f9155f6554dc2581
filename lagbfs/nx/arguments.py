"""What NetworkX's functions are given, as lagbfs takes it: nodes, depths, weights; its exceptions where it is wrong."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import networkx
import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..errors import ConvergenceError, InvalidValueError
from .graph import Graph

__all__ = ["depth", "node", "searched", "translated", "weighted"]


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


def depth(limit: Any) -> int | None:
    """Return how many levels a search goes within a limit, which need be no integer; None if it has none."""
    if limit is None or limit == math.inf:
        return None
    levels: int = math.ceil(limit)
    return max(0, levels)


def weighted(G: Graph, weight: str | None) -> Matrix:
    """Return the matrix of an edge attribute: int64 or float64; NotImplementedError if it holds something else."""
    if weight is None:
        return G.matrix
    return G.out.with_values(numbers(G.values(weight), weight))


def numbers(values: Any, weight: str) -> NDArray[Any]:
    """Return weights as an array."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
        return values.astype(np.float64 if values.dtype.kind == "f" else np.int64)
    kinds = set(map(type, values))
    if not kinds <= {int, float, bool}:
        raise NotImplementedError(f"weights must be int or float: not all of attribute {weight!r} are")
    try:
        found = np.array(values, np.float64 if float in kinds else np.int64)
    except OverflowError:
        raise NotImplementedError(f"weights must fit 64 bits: not all of attribute {weight!r} do") from None
    if not np.isfinite(found).all():
        raise NotImplementedError(f"weights must be finite: not all of attribute {weight!r} are")
    return found


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
