"""`networkx.algorithms.shortest_paths.generic`: whichever of the others is meant."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import networkx

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
)
from .weighted import (
    all_pairs_bellman_ford_path,
    all_pairs_bellman_ford_path_length,
    all_pairs_dijkstra_path,
    all_pairs_dijkstra_path_length,
    bellman_ford_path,
    bellman_ford_path_length,
    bellman_ford_predecessor_and_distance,
    bidirectional_dijkstra,
    dijkstra_path_length,
    dijkstra_predecessor_and_distance,
    single_source_bellman_ford_path,
    single_source_bellman_ford_path_length,
    single_source_dijkstra_path,
    single_source_dijkstra_path_length,
)


def _way(weight: Any, method: Any) -> str:
    """Return how paths are found: "unweighted", "dijkstra" or "bellman-ford"."""
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")
    return "unweighted" if weight is None else method


@function(parallel=True, linear=True)
def has_path(G: Graph, source: Any, target: Any) -> bool:
    """Return whether there is a path from one node to another."""
    start, end = (node(G, name, what + " {} is not in G") for name, what in ((source, "Source"), (target, "Target")))
    return bool(bfs(G.matrix, start, target=end, parents=False, levels=True).levels[end] >= 0)


@function(parallel=True, linear=True)
def shortest_path(
    G: Graph, source: Any = None, target: Any = None, weight: Any = None, method: str = "dijkstra"
) -> Any:
    """Return shortest paths, as NetworkX does: all, from a node, to a node, or between two."""
    way = _way(weight, method)
    if target is not None and source is None:
        found = _paths_from(G.reversed, target, weight, way)
        return {name: path[::-1] for name, path in found.items()}
    if source is None:
        return _all_paths(G, weight, way)
    return _paths_from(G, source, weight, way) if target is None else _path(G, source, target, weight, way)


def _paths_from(G: Graph, source: Any, weight: Any, way: str) -> Any:
    if way == "unweighted":
        return single_source_shortest_path(G, source)
    by = single_source_dijkstra_path if way == "dijkstra" else single_source_bellman_ford_path
    return by(G, source, weight=weight)


def _all_paths(G: Graph, weight: Any, way: str) -> Any:
    if way == "unweighted":
        return all_pairs_shortest_path(G)
    return (all_pairs_dijkstra_path if way == "dijkstra" else all_pairs_bellman_ford_path)(G, weight=weight)


def _path(G: Graph, source: Any, target: Any, weight: Any, way: str) -> list[Any]:
    if way == "unweighted":
        return bidirectional_shortest_path(G, source, target)
    return (
        bidirectional_dijkstra(G, source, target, weight)[1]
        if way == "dijkstra"
        else bellman_ford_path(G, source, target, weight)
    )


@shortest_path.refuses
def _(G: Any, source: Any = None, target: Any = None, weight: Any = None, method: Any = "dijkstra") -> str:
    return "NetworkX before 3.5 returns a dictionary" if OLD and source is None else ""


@function(parallel=True, linear=True)
def shortest_path_length(
    G: Graph, source: Any = None, target: Any = None, weight: Any = None, method: str = "dijkstra"
) -> Any:
    """Return lengths of shortest paths, as NetworkX does: all, from a node, to a node, or between two."""
    way = _way(weight, method)
    if source is None:
        return _all_lengths(G, weight, way) if target is None else _lengths_from(G.reversed, target, weight, way)
    if target is None:
        return _lengths_from(G, source, weight, way)
    if way == "unweighted":
        return len(bidirectional_shortest_path(G, source, target)) - 1
    return (dijkstra_path_length if way == "dijkstra" else bellman_ford_path_length)(G, source, target, weight)


def _lengths_from(G: Graph, source: Any, weight: Any, way: str) -> Any:
    if way == "unweighted":
        return single_source_shortest_path_length(G, source)
    by = single_source_dijkstra_path_length if way == "dijkstra" else single_source_bellman_ford_path_length
    return by(G, source, weight=weight)


def _all_lengths(G: Graph, weight: Any, way: str) -> Any:
    if way == "unweighted":
        return all_pairs_shortest_path_length(G)
    by = all_pairs_dijkstra_path_length if way == "dijkstra" else all_pairs_bellman_ford_path_length
    return by(G, weight=weight)


def _before(G: Graph, source: Any, weight: Any, method: str) -> dict[Any, list[Any]]:
    """Return those before each node on shortest paths from one."""
    if weight is None:
        found: dict[Any, list[Any]] = predecessor(G, source)
        return found
    by = (
        dijkstra_predecessor_and_distance
        if _way(weight, method) == "dijkstra"
        else bellman_ford_predecessor_and_distance
    )
    return by(G, source, weight=weight)[0]


@function(parallel=True, linear=True)
def all_shortest_paths(
    G: Graph, source: Any, target: Any, weight: Any = None, method: str = "dijkstra"
) -> Iterator[list[Any]]:
    """Yield all shortest paths between two nodes, as NetworkX does."""
    return _built(_before(G, source, weight, method), source, target)


@function(parallel=True, linear=True)
def single_source_all_shortest_paths(
    G: Graph, source: Any, weight: Any = None, method: str = "dijkstra"
) -> Iterator[tuple[Any, list[list[Any]]]]:
    """Yield each node with all shortest paths from one to it, as NetworkX does."""
    before = _before(G, source, weight, method)
    for target in before:
        yield target, list(_built(before, source, target))


@function(parallel=True)
def all_pairs_all_shortest_paths(
    G: Graph, weight: Any = None, method: str = "dijkstra"
) -> Iterator[tuple[Any, dict[Any, list[list[Any]]]]]:
    """Yield for each node all shortest paths from it to each, as NetworkX does."""
    for source in G:
        yield source, dict(single_source_all_shortest_paths(G, source, weight, method))


def _built(before: dict[Any, list[Any]], source: Any, target: Any) -> Iterator[list[Any]]:
    """Yield the paths back from a node to the source, by those before each, in NetworkX's order."""
    if target not in before:
        raise networkx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
    path, choices = {target: None}, [iter(before[target])]  # a dict: edges of length 0 may lead back to the path
    if target == source:
        yield [source]
    while choices:
        for name in choices[-1]:
            if name in path:
                continue
            path[name] = None
            choices.append(iter(before[name]))
            if name == source:
                yield [*path][::-1]
            break
        else:
            path.popitem()
            choices.pop()


@function(parallel=True, linear=True)
def is_simple_path(G: Graph, nodes: Any) -> bool:
    """Return whether nodes are all different, and an edge leads from each to the next."""
    if not nodes or not all(name in G for name in nodes) or len(set(nodes)) < len(nodes):
        return False
    at = [G.number[name] for name in nodes]
    return all(v in G.out.ends[G.out.starts[u] : G.out.starts[u + 1]] for u, v in pairwise(at))
