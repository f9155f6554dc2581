"""`networkx.algorithms.shortest_paths.generic`: whichever of the others is meant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx
import numpy as np

from ..algorithms import components, strong_components
from ..search.bfs import bfs
from .arguments import node
from .functions import OLD, function
from .graph import Graph
from .unweighted import (
    all_pairs_shortest_path,
    all_pairs_shortest_path_length,
    bidirectional_shortest_path,
    predecessor,
    single_source_shortest_path,
    single_source_shortest_path_length,
    single_target_shortest_path,
    single_target_shortest_path_length,
)


def _check_method(method: Any) -> None:
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")


def _by_weight(weight: Any) -> str:
    return "" if weight is None else "with weights, NetworkX calls a function of its own"


@function(parallel=True, linear=True)
def has_path(G: Graph, source: Any, target: Any) -> bool:
    """Return whether there is a path from one node to another."""
    start, end = (node(G, name, what + " {} is not in G") for name, what in ((source, "Source"), (target, "Target")))
    return bool(bfs(G.matrix, start, target=end, parents=False, levels=True).levels[end] >= 0)


@function(parallel=True, linear=True)
def shortest_path(
    G: Graph, source: Any = None, target: Any = None, weight: Any = None, method: str = "dijkstra"
) -> Any:
    """Return shortest paths, counted in edges, as NetworkX does."""
    _check_method(method)
    if source is not None and target is not None:
        return bidirectional_shortest_path(G, source, target)
    if source is not None:
        return single_source_shortest_path(G, source)
    return all_pairs_shortest_path(G) if target is None else _to(G, target)


def _to(G: Graph, target: Any) -> Any:
    node(G, target, "Source {} not in G")  # as NetworkX says it, which searches from there
    return single_target_shortest_path(G, target)


@shortest_path.refuses
def _(G: Any, source: Any = None, target: Any = None, weight: Any = None, method: Any = "dijkstra") -> str:
    if OLD and source is None:
        return "NetworkX before 3.5 returns a dictionary"
    return _by_weight(weight)


@function(parallel=True, linear=True)
def shortest_path_length(
    G: Graph, source: Any = None, target: Any = None, weight: Any = None, method: str = "dijkstra"
) -> Any:
    """Return lengths of shortest paths, counted in edges, as NetworkX does."""
    _check_method(method)
    if source is not None and target is not None:
        return len(bidirectional_shortest_path(G, source, target)) - 1
    if source is not None:
        return single_source_shortest_path_length(G, source)
    if target is None:
        return all_pairs_shortest_path_length(G)
    node(G, target, "Source {} is not in G")
    return single_target_shortest_path_length(G, target)


@shortest_path_length.refuses
def _(G: Any, source: Any = None, target: Any = None, weight: Any = None, method: Any = "dijkstra") -> str:
    return _by_weight(weight)


@function(parallel=True)
def average_shortest_path_length(G: Graph, weight: Any = None, method: Any = None) -> float:
    """Return the mean length of shortest paths, counted in edges, between any two nodes."""
    if method is not None and method not in _METHODS:
        raise ValueError(f"method not supported: {method}")
    n = len(G)
    if not n:
        raise networkx.NetworkXPointlessConcept(
            "the null graph has no paths, thus there is no average shortest path length"
        )
    if n == 1:
        return 0
    part, how = (strong_components, "strongly connected") if G.is_directed() else (components, "connected")
    if part(G.matrix).any():
        raise networkx.NetworkXError(f"Graph is not {how}.")
    total = sum(int(bfs(G.matrix, v, parents=False, levels=True).levels.sum(dtype=np.int64)) for v in range(n))
    return total / (n * (n - 1))


_METHODS = ("unweighted", "dijkstra", "bellman-ford", "floyd-warshall", "floyd-warshall-numpy")


@average_shortest_path_length.refuses
def _(G: Any, weight: Any = None, method: Any = None) -> str:
    return _by_weight(weight)


@function(parallel=True, linear=True)
def all_shortest_paths(
    G: Graph, source: Any, target: Any, weight: Any = None, method: str = "dijkstra"
) -> Iterator[list[Any]]:
    """Yield all shortest paths, counted in edges, between two nodes, as NetworkX does."""
    return _built(predecessor(G, source), source, target)


@all_shortest_paths.refuses
def _(G: Any, source: Any, target: Any, weight: Any = None, method: Any = "dijkstra") -> str:
    return _by_weight(weight)


@function(parallel=True, linear=True)
def single_source_all_shortest_paths(
    G: Graph, source: Any, weight: Any = None, method: str = "dijkstra"
) -> Iterator[tuple[Any, list[list[Any]]]]:
    """Yield each node with all shortest paths to it, counted in edges, as NetworkX does."""
    before = predecessor(G, source)
    for target in before:
        yield target, list(_built(before, source, target))


@single_source_all_shortest_paths.refuses
def _(G: Any, source: Any, weight: Any = None, method: Any = "dijkstra") -> str:
    return _by_weight(weight)


@function(parallel=True)
def all_pairs_all_shortest_paths(
    G: Graph, weight: Any = None, method: str = "dijkstra"
) -> Iterator[tuple[Any, dict[Any, list[list[Any]]]]]:
    """Yield for each node all shortest paths to each, counted in edges, as NetworkX does."""
    for source in G:
        yield source, dict(single_source_all_shortest_paths(G, source))


@all_pairs_all_shortest_paths.refuses
def _(G: Any, weight: Any = None, method: Any = "dijkstra") -> str:
    return _by_weight(weight)


def _built(before: dict[Any, list[Any]], source: Any, target: Any) -> Iterator[list[Any]]:
    """Yield the paths back from a node to the source, by those before each, in NetworkX's order."""
    if target not in before:
        raise networkx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
    path, choices = [target], [iter(before[target])]
    if target == source:
        yield [source]
    while choices:
        for name in choices[-1]:
            path.append(name)
            choices.append(iter(before[name]))
            if name == source:
                yield path[::-1]
            break
        else:
            path.pop()
            choices.pop()
