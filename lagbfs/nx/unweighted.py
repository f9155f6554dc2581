"""`networkx.algorithms.shortest_paths.unweighted`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import networkx
import numpy as np

from ..algorithms import all_pairs_distances
from ..search.bfs import bfs
from .adjacency import Ordered
from .arguments import depth, node
from .functions import OLD, function
from .graph import Graph

_BLOCK = 64  # sources that are searched from before the first is yielded

Paths = dict[Any, list[Any]]
Lengths = dict[Any, int]


@function(parallel=True, linear=True)
def single_source_shortest_path_length(G: Graph, source: Any, cutoff: Any = None) -> Lengths:
    """Return the distance of each node from one, as NetworkX does."""
    return _lengths(G, node(G, source, "Source {} is not in G"), cutoff)


@function(parallel=True, linear=True)
def single_target_shortest_path_length(G: Graph, target: Any, cutoff: Any = None) -> Lengths:
    """Return the distance of each node to one, as NetworkX does."""
    return _lengths(G, node(G, target, "Target {} is not in G"), cutoff, reverse=True)


@single_target_shortest_path_length.refuses
def _(G: Any, target: Any, cutoff: Any = None) -> str:
    return "NetworkX before 3.5 returns no dictionary" if OLD else ""


def _lengths(G: Graph, start: int, cutoff: Any, *, reverse: bool = False) -> Lengths:
    found = G.search([start], depth(cutoff), reverse=reverse)
    return dict(zip(G.named(found.order), found.depths.tolist(), strict=True))


@function(parallel=True)
def all_pairs_shortest_path_length(G: Graph, cutoff: Any = None) -> Iterator[tuple[Any, Lengths]]:
    """Yield the distances from each node, as NetworkX does."""
    limit = depth(cutoff)
    names = iter(G)
    for _, block in all_pairs_distances(G.matrix, block=_BLOCK, max_depth=limit):
        for levels, name in zip(block, names, strict=False):  # in this order: no name is taken beyond the block
            order = np.argsort(levels, kind="stable")[int(np.count_nonzero(levels < 0)) :]
            yield name, dict(zip(G.named(order), levels[order].tolist(), strict=True))


@function(parallel=True, linear=True)
def single_source_shortest_path(G: Graph, source: Any, cutoff: Any = None) -> Paths:
    """Return a shortest path from a node to each, as NetworkX does."""
    return _paths(G, node(G, source, "Source {} not in G"), cutoff)


@function(parallel=True, linear=True)
def single_target_shortest_path(G: Graph, target: Any, cutoff: Any = None) -> Paths:
    """Return a shortest path from each node to one, as NetworkX does."""
    paths = _paths(G, node(G, target, "Target {} not in G"), cutoff, reverse=True)
    return {name: path[::-1] for name, path in paths.items()}


@function(parallel=True)
def all_pairs_shortest_path(G: Graph, cutoff: Any = None) -> Iterator[tuple[Any, Paths]]:
    """Yield a shortest path from each node to each, as NetworkX does."""
    for source, name in enumerate(G):
        yield name, _paths(G, source, cutoff)


def _paths(G: Graph, start: int, cutoff: Any, *, reverse: bool = False) -> Paths:
    found = G.search([start], depth(cutoff), reverse=reverse)
    paths = {name: [name] for name in G.named(found.order[:1])}
    children = found.children
    for parent, child in zip(G.named(found.parents[children]), G.named(children), strict=True):
        paths[child] = [*paths[parent], child]
    return paths


@function(parallel=True, linear=True)
def bidirectional_shortest_path(G: Graph, source: Any, target: Any) -> list[Any]:
    """Return a shortest path between two nodes, as NetworkX does: any of them."""
    start, end = (node(G, name, what + " {} is not in G") for name, what in ((source, "Source"), (target, "Target")))
    path = bfs(G.matrix, start, target=end, deterministic=True).path_to(end)
    if path is None:
        raise networkx.NetworkXNoPath(f"No path between {source} and {target}.")
    return G.named(np.array(path))


@function(parallel=True, linear=True)
def predecessor(G: Graph, source: Any, target: Any = None, cutoff: Any = None, return_seen: Any = None) -> Any:
    """Return those before each node on shortest paths from one, as NetworkX does."""
    limit = max(1, math.ceil(cutoff)) if cutoff and cutoff != math.inf else None
    found = G.search([node(G, source, "Source {} not in G")], limit)
    before: dict[Any, list[Any]] = {source: []}
    for parent, child in zip(*_steps(G, found, limit), strict=True):
        before.setdefault(child, []).append(parent)
    seen = dict(zip(G.named(found.order), found.depths.tolist(), strict=True))
    if target is not None:
        before, seen = before.get(target, []), seen.get(target, -1)  # type: ignore[assignment]
    return (before, seen) if return_seen else before


def _steps(G: Graph, found: Ordered, limit: int | None) -> tuple[list[Any], list[Any]]:
    """Return the ends of all edges from one level to the next, in the order in which the search comes by them."""
    level = np.full(len(G), -1)
    level[found.order] = found.depths
    expanded = found.order if limit is None else found.order[found.depths < limit]
    u, v = G.out.edges_of(expanded)
    down = level[v] == level[u] + 1
    return G.named(u[down]), G.named(v[down])
