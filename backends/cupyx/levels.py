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
    from .walk import Walk

# What is noted of a vertex found, as the kernels number it.
LEVEL, ANY_PARENT, LEAST_PARENT = 0, 1, 2

# Levels that one block computes in a row: of frontiers of so many edges, and so many levels before it reports.
BLOCK_EDGES, BLOCK_LEVELS = 4096, 64


def _push_edges(walk: Walk, edges: int, found: Any, tail: tuple[Any, ...]) -> None:
    """Give each edge of the frontier a thread, so that no degree is too high."""
    rows, frontier = walk.graph.rows, walk.frontier
    if frontier.size <= launch.SPAN:
        few = (frontier.listed, frontier.size, edges, *rows, walk.out_indptr)
        walk.launch("push_few", blocks(edges, launch.SPAN), *few, walk.reached, *tail, found, walk.counters)
        return
    offsets, sums = scan(walk.graph, frontier.listed, frontier.size, rows.indptr)
    balanced = (frontier.listed, frontier.size, offsets, sums, edges, *rows, walk.out_indptr)
    walk.launch("push_edges", blocks(edges, launch.SPAN), *balanced, walk.reached, *tail, found, walk.counters)


def _push_vertices(width: int, walk: Walk, edges: int, found: Any, tail: tuple[Any, ...]) -> None:
    """Give each vertex of the frontier so many threads."""
    frontier = walk.frontier
    work = (frontier.listed, frontier.size, width, *walk.graph.rows, walk.out_indptr)
    grid = blocks(frontier.size * width)
    walk.launch("push_vertices", grid, *work, walk.reached, *tail, found, walk.counters)


def _push_edge_list(walk: Walk, edges: int, found: Any, tail: tuple[Any, ...]) -> None:
    """Give each edge of the graph a thread, in the order of where they begin."""
    rows, m = walk.graph.rows, len(walk.graph.rows.indices)
    work = (walk.graph.origins, rows.indices, m, walk.frontier.bitmap, walk.out_indptr)
    walk.launch("push_edge_list", blocks(m), *work, walk.reached, *tail, found, walk.counters)


def _push_reversed_edge_list(walk: Walk, edges: int, found: Any, tail: tuple[Any, ...]) -> None:
    """Give each edge of the graph a thread, in the order of where they lead."""
    columns, m = walk.graph.columns, len(walk.graph.columns.indices)
    work = (walk.graph.in_origins, columns.indices, m, walk.frontier.bitmap, walk.out_indptr)
    walk.launch("push_reversed_edge_list", blocks(m), *work, walk.reached, *tail, found, walk.counters)


def run_of_levels(walk: Walk, most: int, rule: int, depth: int) -> tuple[Any, list[tuple[int, int]]]:
    """Compute up to so many levels by one block; return the list of what the last found, and sizes and edges of all."""
    frontier, lists = walk.frontier, cupy().empty(2 * BLOCK_EDGES, walk.graph.index)
    counts = cupy().empty(1 + 2 * BLOCK_LEVELS, np.uint64)
    work = (frontier.listed, frontier.size, lists, BLOCK_EDGES, min(most, BLOCK_LEVELS), *walk.graph.rows)
    walk.launch("push_levels", 1, *work, walk.reached, rule, depth, counts)
    done, *told = counts.get().tolist()
    found = [*zip(told[: 2 * done : 2], told[1 : 2 * done : 2], strict=True)]
    first = (done - 1) % 2 * BLOCK_EDGES
    return lists[first : first + found[-1][0]], found


def _pull_vertices(walk: Walk, tail: tuple[Any, ...]) -> Any:
    """Give each vertex a thread, which stops at the first edge from the frontier."""
    graph, found = walk.graph, cupy().empty(words(walk.n), np.uint32)
    work = (walk.n, *graph.columns, walk.out_indptr, walk.frontier.bitmap)
    walk.launch("pull_vertices", blocks(walk.n), *work, walk.reached, *tail, found, walk.counters)
    return found


def _pull_unvisited(walk: Walk, tail: tuple[Any, ...]) -> Any:
    """Do the same for the unvisited alone, of which the walk has a list."""
    graph, listed = walk.graph, walk.unvisited()
    size = len(listed)
    found, walk.left = cupy().empty(size, graph.index), cupy().empty(size, graph.index)
    work = (listed, size, *graph.columns, walk.out_indptr, walk.frontier.bitmap, walk.reached, *tail)
    walk.launch("pull_unvisited", blocks(size), *work, found, walk.left, walk.counters)
    return found


def _pull_hubs(walk: Walk, tail: tuple[Any, ...]) -> Any:
    """Do the same, but look at the hubs first, whose frontier bits each block has in shared memory."""
    graph, hubs = walk.graph, walk.graph.hubs
    count, frontier, found = len(hubs.vertices), walk.frontier.bitmap, cupy().empty(words(walk.n), np.uint32)
    bits = cupy().zeros(MOST_HUBS // 32, np.uint32)
    walk.launch("gather_hubs", blocks(count), hubs.vertices, count, frontier, bits)
    work = (walk.n, graph.columns.indptr, hubs.coded, hubs.vertices, bits, walk.out_indptr, frontier)
    walk.launch("pull_hubs", blocks(walk.n), *work, walk.reached, *tail, found, walk.counters)
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


def push(walk: Walk, variant: str, edges: int, room: int, rule: int, depth: int) -> Any:
    """Compute a level by an arm of push; return the list of what it found, with room to spare."""
    found = cupy().empty(room, walk.graph.index)
    if room:
        _PUSH[variant](walk, edges, found, (rule, depth))
    return found


def pull(walk: Walk, variant: str, rule: int, depth: int) -> Any:
    """Compute a level by an arm of pull; return the bitmap of what it found or, from "unvisited", the list."""
    return _PULL[variant](walk, (rule, depth))
