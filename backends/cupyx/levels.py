"""The arms: how each computes one level on the device.

All of them find, for vertices not reached yet, a parent in the frontier; note it (or the level) in `reached`; count the
vertices found and their edges in `counters`; and leave them as the next frontier: a list, from most of pull a bitmap.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from . import launch
from .device import cupy
from .frontier import scan, words
from .graph import MOST_HUBS
from .launch import blocks

if TYPE_CHECKING:
    from .search import Search

# What is noted of a vertex found, as the kernels number it.
LEVEL, ANY_PARENT, LEAST_PARENT = 0, 1, 2

# Levels that one block computes in a row: of frontiers of so many edges, and so many levels before it reports.
BLOCK_EDGES, BLOCK_LEVELS = 4096, 64


def _push_edges(search: Search, edges: int, found: Any, tail: tuple[Any, ...]) -> None:
    """Give each edge of the frontier a thread, so that no degree is too high."""
    rows, frontier = search.graph.rows, search.frontier
    if frontier.size <= launch.SPAN:
        few = (frontier.listed, frontier.size, edges, *rows)
        search.launch("push_few", blocks(edges, launch.SPAN), *few, search.reached, *tail, found, search.counters)
        return
    offsets, sums = scan(search.graph, frontier.listed, frontier.size, rows.indptr)
    balanced = (frontier.listed, frontier.size, offsets, sums, edges, *rows)
    search.launch("push_edges", blocks(edges, launch.SPAN), *balanced, search.reached, *tail, found, search.counters)


def _push_vertices(width: int, search: Search, edges: int, found: Any, tail: tuple[Any, ...]) -> None:
    """Give each vertex of the frontier so many threads."""
    frontier = search.frontier
    work = (frontier.listed, frontier.size, width, *search.graph.rows)
    grid = blocks(frontier.size * width)
    search.launch("push_vertices", grid, *work, search.reached, *tail, found, search.counters)


def _push_edge_list(search: Search, edges: int, found: Any, tail: tuple[Any, ...]) -> None:
    """Give each edge of the graph a thread, in the order of where they begin."""
    rows, m = search.graph.rows, len(search.graph.rows.indices)
    work = (search.graph.origins, rows.indices, m, search.frontier.bitmap, rows.indptr)
    search.launch("push_edge_list", blocks(m), *work, search.reached, *tail, found, search.counters)


def _push_reversed_edge_list(search: Search, edges: int, found: Any, tail: tuple[Any, ...]) -> None:
    """Give each edge of the graph a thread, in the order of where they lead."""
    columns, m = search.graph.columns, len(search.graph.columns.indices)
    work = (search.graph.in_origins, columns.indices, m, search.frontier.bitmap, search.graph.indptr)
    search.launch("push_reversed_edge_list", blocks(m), *work, search.reached, *tail, found, search.counters)


def run_of_levels(search: Search, most: int, rule: int, depth: int) -> tuple[Any, list[tuple[int, int]]]:
    """Compute up to so many levels by one block; return the list of what the last found, and sizes and edges of all."""
    frontier, lists = search.frontier, cupy().empty(2 * BLOCK_EDGES, search.graph.index)
    counts = cupy().empty(1 + 2 * BLOCK_LEVELS, np.uint64)
    work = (frontier.listed, frontier.size, lists, BLOCK_EDGES, min(most, BLOCK_LEVELS), *search.graph.rows)
    search.launch("push_levels", 1, *work, search.reached, rule, depth, counts)
    done, *told = counts.get().tolist()
    found = [*zip(told[: 2 * done : 2], told[1 : 2 * done : 2], strict=True)]
    first = (done - 1) % 2 * BLOCK_EDGES
    return lists[first : first + found[-1][0]], found


def _pull_vertices(search: Search, tail: tuple[Any, ...]) -> Any:
    """Give each vertex a thread, which stops at the first edge from the frontier."""
    graph, found = search.graph, cupy().empty(words(search.n), np.uint32)
    work = (search.n, *graph.columns, graph.indptr, search.frontier.bitmap)
    search.launch("pull_vertices", blocks(search.n), *work, search.reached, *tail, found, search.counters)
    return found


def _pull_unvisited(search: Search, tail: tuple[Any, ...]) -> Any:
    """Do the same for the unvisited alone, of which the search has a list."""
    graph, listed = search.graph, search.unvisited()
    size = len(listed)
    found, search.left = cupy().empty(size, graph.index), cupy().empty(size, graph.index)
    work = (listed, size, *graph.columns, graph.indptr, search.frontier.bitmap, search.reached, *tail)
    search.launch("pull_unvisited", blocks(size), *work, found, search.left, search.counters)
    return found


def _pull_hubs(search: Search, tail: tuple[Any, ...]) -> Any:
    """Do the same, but look at the hubs first, whose frontier bits each block has in shared memory."""
    graph, hubs = search.graph, search.graph.hubs
    count, frontier, found = len(hubs.vertices), search.frontier.bitmap, cupy().empty(words(search.n), np.uint32)
    bits = cupy().zeros(MOST_HUBS // 32, np.uint32)
    search.launch("gather_hubs", blocks(count), hubs.vertices, count, frontier, bits)
    work = (search.n, graph.columns.indptr, hubs.coded, hubs.vertices, bits, graph.indptr, frontier)
    search.launch("pull_hubs", blocks(search.n), *work, search.reached, *tail, found, search.counters)
    return found


_PUSH: dict[str, Callable[..., None]] = {
    "edges": _push_edges,
    "vertex": partial(_push_vertices, 1),
    "warp4": partial(_push_vertices, 4),
    "warp8": partial(_push_vertices, 8),
    "warp16": partial(_push_vertices, 16),
    "warp32": partial(_push_vertices, 32),
    "list": _push_edge_list,
    "reversed": _push_reversed_edge_list,
    "block": _push_edges,  # of a level that is too large for one
}
_PULL: dict[str, Callable[..., Any]] = {"vertex": _pull_vertices, "hubs": _pull_hubs, "unvisited": _pull_unvisited}

NAMES = (*(("push", variant) for variant in _PUSH), *(("pull", variant) for variant in _PULL))


def push(search: Search, variant: str, edges: int, room: int, rule: int, depth: int) -> Any:
    """Compute a level by an arm of push; return the list of what it found, with room to spare."""
    found = cupy().empty(room, search.graph.index)
    if room:
        _PUSH[variant](search, edges, found, (rule, depth))
    return found


def pull(search: Search, variant: str, rule: int, depth: int) -> Any:
    """Compute a level by an arm of pull; return the bitmap of what it found or, from "unvisited", the list."""
    return _PULL[variant](search, (rule, depth))
