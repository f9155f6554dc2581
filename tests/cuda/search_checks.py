"""Every kernel of a search on small graphs, against plain NumPy."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from machine import Graph, Machine, graph_of, graphs, unpack

LEVEL, ANY_PARENT, LEAST_PARENT = range(3)
RULES = (LEVEL, ANY_PARENT, LEAST_PARENT)
WIDTHS = (1, 4, 8, 16, 32)


class Level(NamedTuple):
    """A search before a level: what is reached, the frontier; and the parents that each vertex may get."""

    reached: np.ndarray
    frontier: np.ndarray
    parents: dict[int, list[int]]


def levels(graph: Graph, sources: list[int], index: np.dtype[Any]) -> Iterator[Level]:
    """Yield every level of a search; one engine or another has visited the sources."""
    elsewhere = np.iinfo(index).max
    reached = np.full(graph.n, -1, index)
    reached[sources] = [v if i % 2 else elsewhere for i, v in enumerate(sources)]
    frontier = np.array(sources, index)
    while True:
        parents: dict[int, list[int]] = {}
        for u in sorted(frontier.tolist()):
            for v in graph.indices[graph.indptr[u] : graph.indptr[u + 1]].tolist():
                if reached[v] == -1:
                    parents.setdefault(v, []).append(u)
        yield Level(reached.copy(), frontier, parents)
        if not parents:
            return
        frontier = np.array(list(parents), index)
        reached[frontier] = [options[-1] for options in parents.values()]


def check_level(graph: Graph, level: Level, rule: int, depth: int, reached: Any, found: Any, counters: Any) -> None:
    """Compare what a kernel did with what the level should give."""
    assert sorted(found.tolist()) == sorted(level.parents), "the next frontier"
    degrees = np.diff(graph.indptr)
    assert counters[:3].tolist() == [len(found), degrees[list(level.parents)].sum(), 0], "the counters"
    for v, options in level.parents.items():
        if rule == ANY_PARENT:
            assert reached[v] in options, "a parent"
        else:
            assert reached[v] == (depth if rule == LEVEL else options[0]), "the level or least parent"
    others = np.setdiff1d(np.arange(graph.n), found)
    assert (reached[others] == level.reached[others]).all(), "what is not found stays as it was"


def check_searches(machine: Machine) -> None:
    """All arms, at every level of searches on all graphs."""
    for graph, sources in graphs(machine):
        arms = [*pushes(machine, graph), *pulls(machine, graph)]
        for depth, level in enumerate(levels(graph, sources, machine.index), start=7):
            for arm, rule in itertools.product(arms, RULES):
                reached, counters = level.reached.copy(), np.zeros(4, np.uint64)
                found = arm(level.frontier, reached, rule, depth, counters)
                check_level(graph, level, rule, depth, reached, found, counters)


def check_runs(machine: Machine) -> None:
    """Levels in a row by one block, in runs that end by their number, for want of room, or with the search."""
    for graph, sources in graphs(machine):
        steps = [*levels(graph, sources, machine.index)]
        degrees = np.diff(graph.indptr)
        for rule, most in itertools.product(RULES, (1, 2, 64)):
            reached, at = steps[0].reached.copy(), 0
            frontier = steps[0].frontier
            while at < len(steps):
                room = max(len(frontier), int(degrees[frontier].sum()), 1)
                lists, counts = np.full(2 * room, -9, machine.index), np.zeros(1 + 2 * 64, np.uint64)
                given = (frontier, len(frontier), lists, room, most, graph.indptr, graph.indices, reached)
                machine.run("push_levels", 1, *given, rule, at + 7, counts)
                done, run = int(counts[0]), steps[at : at + int(counts[0])]
                sizes = [[len(level.parents), int(degrees[list(level.parents)].sum())] for level in run]
                assert counts[1 : 1 + 2 * done].reshape(-1, 2).tolist() == sizes, "sizes and edges"
                assert done == ending(sizes, steps[at:], degrees, most, room), "where the run ends"
                frontier = lists[(done - 1) % 2 * room :][: sizes[-1][0]]
                at += done
                check_found(steps[:at], rule, reached, graph)
                assert sorted(frontier.tolist()) == sorted(run[-1].parents)
            assert not len(frontier)


def ending(sizes: Any, ahead: Any, degrees: Any, most: int, room: int) -> int:
    """Return after how many of the levels ahead a run has to end."""
    for done, level in enumerate(ahead, start=1):
        found = list(level.parents)
        if done == most or not found or degrees[found].sum() > room:
            return done
    return len(ahead)


def check_found(steps: list[Level], rule: int, reached: np.ndarray, graph: Graph) -> None:
    """Compare what a search has reached with its levels so far, the first of which found those of depth 7."""
    expected, depth_of = steps[0].reached.copy(), {}
    for depth, level in enumerate(steps, start=7):
        depth_of |= dict.fromkeys(level.parents, depth)
        for v, options in level.parents.items():
            assert reached[v] == depth if rule == LEVEL else reached[v] in options, "a parent of the level before"
            assert rule != LEAST_PARENT or reached[v] == options[0], "the least parent"
    others = np.setdiff1d(np.arange(graph.n), [*depth_of])
    assert (reached[others] == expected[others]).all(), "what is not found stays as it was"


def scanned(machine: Machine, frontier: np.ndarray, graph: Graph) -> tuple[np.ndarray, np.ndarray]:
    size = len(frontier)
    tiles = -(-size // machine.tile)
    offsets, sums = np.full(size, -9), np.full(tiles + 1, -9)
    machine.run("scan_degrees", size, frontier, size, graph.indptr, offsets, sums, per_block=machine.tile)
    machine.run("scan_sums", 1, sums, tiles)
    return offsets, sums


def origins(machine: Machine, indptr: np.ndarray) -> np.ndarray:
    out = np.full(int(indptr[-1]), -9, machine.index)
    machine.run("edge_origins", len(out), indptr, len(indptr) - 1, len(out), out, per_block=machine.tile)
    np.testing.assert_array_equal(out, np.repeat(np.arange(len(indptr) - 1), np.diff(indptr)))
    return out


def pushes(machine: Machine, graph: Graph) -> Iterator[Callable[..., np.ndarray]]:
    """Yield functions that push a level and return the list of what was found."""

    def finished(frontier: Any, kernel: str, items: int, *arguments: Any, **options: Any) -> np.ndarray:
        *_, reached, rule, _depth, counters = arguments
        room = max(0, int((reached == -1).sum()))
        following = np.full(room, -9, machine.index)
        machine.run(kernel, items, *arguments[:-1], following, counters, **options)
        found = following[: int(counters[0])]
        if rule == LEAST_PARENT:
            machine.run("settle_parents", len(found), found, len(found), reached)
        return found

    def by_edge(frontier: Any, *search: Any) -> np.ndarray:
        offsets, sums = scanned(machine, frontier, graph)
        edges = int(sums[-1])
        assert edges == np.diff(graph.indptr)[frontier].sum()
        given = (frontier, len(frontier), offsets, sums, edges, graph.indptr, graph.indices, graph.indptr, *search)
        return finished(frontier, "push_edges", edges, *given, per_block=machine.tile)

    def by_edge_of_few(frontier: Any, *search: Any) -> np.ndarray:
        if len(frontier) > machine.tile:
            return by_edge(frontier, *search)
        edges = int(np.diff(graph.indptr)[frontier].sum())
        given = (frontier, len(frontier), edges, graph.indptr, graph.indices, graph.indptr, *search)
        return finished(frontier, "push_few", edges, *given, per_block=machine.tile)

    def by_vertex(width: int, frontier: Any, *search: Any) -> np.ndarray:
        given = (frontier, len(frontier), width, graph.indptr, graph.indices, graph.indptr, *search)
        return finished(frontier, "push_vertices", width * len(frontier), *given)

    def by_list(kernel: str, rows: Any, columns: Any, frontier: Any, *search: Any) -> np.ndarray:
        given = (rows, columns, len(rows), machine.bits(frontier, graph.n), graph.indptr, *search)
        return finished(frontier, kernel, len(rows), *given)

    yield by_edge
    yield by_edge_of_few
    for width in WIDTHS:
        yield lambda *level, width=width: by_vertex(width, *level)
    forward, back = origins(machine, graph.indptr), origins(machine, graph.in_indptr)
    yield lambda *level: by_list("push_edge_list", forward, graph.indices, *level)
    yield lambda *level: by_list("push_reversed_edge_list", back, graph.in_indices, *level)


def pulls(machine: Machine, graph: Graph, chosen: Sequence[Any] = ()) -> Iterator[Callable[..., np.ndarray]]:
    """Yield functions that pull a level and return the vertices of the bitmap that was found.

    The hubs are those chosen or, if none are, one vertex and up to forty at random.
    """

    def by_vertex(frontier: Any, reached: Any, rule: int, depth: int, counters: Any) -> np.ndarray:
        following = np.full(-(-graph.n // 32), 0xDEADBEEF, np.uint32)
        bits = machine.bits(frontier, graph.n)
        matrix = (graph.n, graph.in_indptr, graph.in_indices, graph.indptr)
        machine.run("pull_vertices", graph.n, *matrix, bits, reached, rule, depth, following, counters)
        return unpack(following, graph.n)

    def by_hubs(hubs: Any, coded: Any, frontier: Any, reached: Any, rule: int, depth: int, counters: Any) -> np.ndarray:
        following = np.full(-(-graph.n // 32), 0xDEADBEEF, np.uint32)
        bits, hub_bits = machine.bits(frontier, graph.n), np.zeros(machine.block, np.uint32)
        machine.run("gather_hubs", len(hubs), hubs, len(hubs), bits, hub_bits)
        matrix = (graph.n, graph.in_indptr, coded, hubs, hub_bits, graph.indptr)
        machine.run("pull_hubs", graph.n, *matrix, bits, reached, rule, depth, following, counters)
        return unpack(following, graph.n)

    def by_unvisited(frontier: Any, reached: Any, rule: int, depth: int, counters: Any) -> np.ndarray:
        unvisited = np.flatnonzero(reached == -1)
        listed, count = np.full(len(unvisited), -9, machine.index), np.zeros(1, np.uint64)
        machine.run("list_unvisited", graph.n, reached, graph.n, listed, count)
        assert sorted(listed.tolist()) == unvisited.tolist()
        listed = np.concatenate([np.flatnonzero(reached != -1)[:1].astype(machine.index), listed])  # reached meanwhile
        following, left = np.full(len(listed), -9, machine.index), np.full(len(listed), -9, machine.index)
        matrix = (graph.in_indptr, graph.in_indices, graph.indptr, machine.bits(frontier, graph.n))
        search = (reached, rule, depth, following, left, counters)
        machine.run("pull_unvisited", len(listed), listed, len(listed), *matrix, *search)
        found, waits = following[: int(counters[0])], (reached == -1) & (np.diff(graph.in_indptr) > 0)
        assert sorted(left[: int(counters[3])].tolist()) == np.flatnonzero(waits).tolist(), "the unvisited left"
        return found

    yield by_vertex
    yield by_unvisited
    at_random = machine.rng.permutation(graph.n)[:40].astype(machine.index)
    for hubs in chosen or (at_random[:1], at_random):
        coded = encoded(machine, graph, hubs)
        yield lambda *level, hubs=hubs, coded=coded: by_hubs(hubs, coded, *level)


def encoded(machine: Machine, graph: Graph, hubs: np.ndarray) -> np.ndarray:
    hub_of = np.full(graph.n, -1, np.int32)
    hub_of[hubs] = np.arange(len(hubs))
    coded = np.full_like(graph.in_indices, graph.n)
    machine.run("encode_hubs", graph.n, graph.in_indptr, graph.in_indices, graph.n, hub_of, coded)
    rows, number = np.repeat(np.arange(graph.n), np.diff(graph.in_indptr)), hub_of[graph.in_indices]
    hubs_first = np.lexsort((graph.in_indices, number < 0, rows))
    np.testing.assert_array_equal(coded, np.where(number < 0, graph.in_indices, ~number)[hubs_first])
    return coded


def check_most_hubs(machine: Machine) -> None:
    """As many hubs as there are bits for in shared memory."""
    n = 32 * machine.block + 7
    graph = graph_of(n, machine.rng.integers(0, n, (n // 8, 2)), machine.index)
    hubs = machine.rng.permutation(n)[: 32 * machine.block].astype(machine.index)
    *_, pull = pulls(machine, graph, [hubs])
    level = next(levels(graph, [*range(0, n, 3)], machine.index))
    for rule in RULES:
        reached, counters = level.reached.copy(), np.zeros(4, np.uint64)
        found = pull(level.frontier, reached, rule, 4, counters)
        check_level(graph, level, rule, 4, reached, found, counters)


def check_empty_frontier(machine: Machine) -> None:
    """A launch with nothing to do changes nothing."""
    graph = graph_of(33, [(1, 2), (2, 3)], machine.index)
    nothing = np.zeros(0, machine.index)
    level = Level(np.full(33, -1, machine.index), nothing, {})
    for arm in [*pushes(machine, graph), *pulls(machine, graph)]:
        reached, counters = level.reached.copy(), np.zeros(4, np.uint64)
        found = arm(nothing, reached, ANY_PARENT, 0, counters)
        check_level(graph, level, ANY_PARENT, 0, reached, found, counters)


def check_conversions(machine: Machine) -> None:
    """List into bitmap and back, visited vertices, targets."""
    sizes = (1, 31, 32, 33, machine.block - 1, machine.block + 1, 32 * machine.block + 1, 70 * machine.block)
    for n, share in itertools.product(sizes, (0.0, 0.1, 1.0)):
        chosen = np.flatnonzero(machine.rng.random(n) < share).astype(machine.index)
        bitmap = np.zeros(-(-n // 32), np.uint32)
        machine.run("list_to_bitmap", len(chosen), machine.rng.permutation(chosen), len(chosen), bitmap)
        np.testing.assert_array_equal(bitmap, machine.bits(chosen, n))
        tiles = -(-len(bitmap) // machine.block)
        sums, back = np.full(tiles + 1, -9), np.full(len(chosen), -9, machine.index)
        machine.run("count_bits", len(bitmap), bitmap, len(bitmap), sums)
        machine.run("scan_sums", 1, sums, tiles)
        machine.run("bitmap_to_list", len(bitmap), bitmap, len(bitmap), sums, back)
        np.testing.assert_array_equal(back, chosen)
        assert sums[-1] == len(chosen)
        if n <= 2 * machine.block:
            check_visited(machine, n, chosen)


def check_visited(machine: Machine, n: int, chosen: np.ndarray) -> None:
    reached = np.full(n, -1, machine.index)
    reached[::3] = 5
    expected = reached.copy()
    expected[chosen] = np.where(reached[chosen] == -1, np.iinfo(machine.index).max, 5)
    machine.run("mark_visited", n, machine.bits(chosen, n), n, reached)
    np.testing.assert_array_equal(reached, expected)
    bitmap, counters = np.full(-(-n // 32), 0xDEADBEEF, np.uint32), np.array([3, 4, 1], np.uint64)
    machine.run("visited_to_bitmap", n, reached, n, bitmap)
    np.testing.assert_array_equal(unpack(bitmap, n), np.flatnonzero(expected != -1))
    targets = machine.rng.integers(0, n, machine.block + 9).astype(machine.index)
    machine.run("count_targets", len(targets), targets, len(targets), reached, counters)
    assert counters.tolist() == [3, 4, 1 + (expected[targets] == -1).sum()]


def check_scans(machine: Machine) -> None:
    """Sums over more tiles than a block has threads, and beyond 32 bits."""
    for tiles in (1, 31, 33, machine.block, 2 * machine.block + 1):
        sums = machine.rng.integers(0, 2**40, tiles + 1)
        expected = np.concatenate([[0], np.cumsum(sums[:-1])])
        machine.run("scan_sums", 1, sums, tiles)
        np.testing.assert_array_equal(sums, expected)
    graph = graph_of(90, machine.rng.integers(0, 90, (900, 2)), machine.index)
    frontier = machine.rng.integers(0, 90, 3 * machine.tile + 5).astype(machine.index)
    offsets, sums = scanned(machine, frontier, graph)
    degrees = np.diff(graph.indptr)[frontier]
    np.testing.assert_array_equal(
        offsets + sums[np.arange(len(frontier)) // machine.tile], np.cumsum(degrees) - degrees
    )
