"""The kernels of searches in step, against plain NumPy: every level both ways, and what is made of the tables."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from machine import Graph, Machine, graph_of, graphs
from scipy.sparse import csr_array
from search_checks import scanned

WIDTHS = (1, 2, 4, 8)
LANES, COUNTED, COUNTERS = 64, 1024, 3


class Searches(NamedTuple):
    """Searches of a graph, a row of levels for each, and what the tables have before each of their levels."""

    graph: Graph
    sources: np.ndarray
    levels: np.ndarray
    width: int

    def table(self, flags: np.ndarray) -> np.ndarray:
        """Return flags by search and vertex as words by vertex."""
        bits = np.zeros((self.graph.n, LANES * self.width), bool)
        bits[:, : len(flags)] = flags.T
        return np.packbits(bits, axis=1, bitorder="little").view(np.uint64).ravel()

    def at(self, depth: int) -> np.ndarray:
        return self.table(self.levels == depth)

    def seen(self, depth: int) -> np.ndarray:
        return self.table((self.levels >= 0) & (self.levels <= depth))

    @property
    def bits(self) -> int:
        return int(self.levels.max()).bit_length()

    def planes(self, depth: int) -> np.ndarray:
        """Return the planes of the distances up to a depth."""
        known = np.where(self.levels <= depth, np.maximum(self.levels, 0), 0)
        return np.concatenate([self.table(known >> p & 1 != 0) for p in range(self.bits + 1)])

    def alive(self, depth: int) -> np.ndarray:
        """Return the row of the searches that have found something at a depth."""
        found = np.zeros(LANES * self.width, bool)
        found[: len(self.sources)] = (self.levels == depth).any(axis=1)
        return np.packbits(found, bitorder="little").view(np.uint64)


def searched(graph: Graph, sources: np.ndarray, width: int) -> Searches:
    """Return the searches, a level at a time."""
    A = csr_array((np.ones(len(graph.indices), np.int32), graph.indices, graph.indptr), shape=(graph.n, graph.n))
    levels = np.full((len(sources), graph.n), -1, np.int32)
    levels[np.arange(len(sources)), sources] = 0
    depth, found = 0, levels == 0
    while found.any():
        depth += 1
        found = (found.astype(np.int32) @ A > 0) & (levels < 0)
        levels[found] = depth
    return Searches(graph, sources, levels, width)


def cases(machine: Machine) -> Any:
    """Yield searches of all graphs: as many as words have bits, or fewer; some from one vertex."""
    for i, (graph, given) in enumerate(graphs(machine)):
        for width in WIDTHS if graph.n <= 32 else (WIDTHS[i % 4],):
            k = LANES * width - (0, 5)[i % 2]
            sources = np.concatenate([given, machine.rng.integers(0, graph.n, k)])[:k]
            yield searched(graph, sources.astype(machine.index), width)
    # Of many in-edges of a vertex, the first do not count, and many others at once.
    late = [(150, v) for v in range(100, 150)] + [(v, 199) for v in (*range(50), *range(100, 150))]
    for width in WIDTHS:
        yield searched(graph_of(200, late, machine.index), np.full(LANES * width, 150, machine.index), width)


def check_levels(machine: Machine) -> None:
    """Each level of searches by a pull and by a push."""
    for searches in cases(machine):
        check_beginning(machine, searches)
        for depth in range(int(searches.levels.max()) + 1):
            check_pull(machine, searches, depth)
            check_push(machine, searches, depth)


def check_beginning(machine: Machine, searches: Searches) -> None:
    seen, front = np.zeros((2, searches.graph.n * searches.width), np.uint64)
    machine.many(
        "begin_lanes", len(searches.sources), searches.sources, len(searches.sources), searches.width, seen, front
    )
    np.testing.assert_array_equal(seen, searches.at(0))
    np.testing.assert_array_equal(front, searches.at(0))


def check_pull(machine: Machine, searches: Searches, depth: int) -> None:
    graph, width = searches.graph, searches.width
    matrix = (graph.in_indptr, graph.in_indices, graph.indptr)
    for planes in (searches.planes(depth), None):
        seen, following = searches.seen(depth), np.full(graph.n * width, 0xDEADBEEF, np.uint64)
        counters = np.zeros(COUNTERS + LANES * width, np.uint64)
        tables = (searches.at(depth), searches.alive(depth), seen, following, planes, depth + 1, counters)
        machine.many("pull_lanes", graph.n * width, graph.n, width, *matrix, *tables)
        check_found(searches, depth, following, seen, planes, counters)
    lacking = (searches.levels == depth).any(axis=1)[:, None] & ~(
        (searches.levels >= 0) & (searches.levels <= depth + 1)
    )
    assert counters[2] == np.diff(graph.in_indptr)[lacking.any(axis=0)].sum(), "edges into open vertices"
    check_counts(machine, searches, depth, None, following, counters)


def check_push(machine: Machine, searches: Searches, depth: int) -> None:
    graph, width = searches.graph, searches.width
    members = machine.rng.permutation(np.flatnonzero((searches.levels == depth).any(axis=0))).astype(machine.index)
    offsets, sums = scanned(machine, members, graph)
    edges, seen, planes = int(sums[-1]), searches.seen(depth), searches.planes(depth)
    following, listed = np.zeros(graph.n * width, np.uint64), np.zeros(-(-graph.n // 32), np.uint32)
    counters = np.zeros(COUNTERS + LANES * width, np.uint64)
    found = np.full(min(edges, graph.n), -9, machine.index)
    work = (members, len(members), offsets, sums, edges, graph.indptr, graph.indices, width, searches.at(depth), seen)
    machine.many("push_lanes", edges, *work, following, listed, found, counters, per_block=machine.tile)
    new = np.flatnonzero((searches.levels == depth + 1).any(axis=0))
    assert sorted(found[: int(counters[0])].tolist()) == new.tolist(), "the list of what is found"
    tables = (following, seen, planes, depth + 1, listed, counters)
    machine.many("settle_lanes", len(found) * width, found, graph.n, width, graph.indptr, *tables)
    check_found(searches, depth, following, seen, planes, counters)
    assert not listed.any()
    check_counts(machine, searches, depth, found, following, counters)
    check_lists(machine, searches, found[: len(new)], following)


def check_found(searches: Searches, depth: int, following: Any, seen: Any, planes: Any, counters: Any) -> None:
    """Compare what a level has written with the next."""
    np.testing.assert_array_equal(following, searches.at(depth + 1))
    np.testing.assert_array_equal(seen, searches.seen(depth + 1))
    if planes is not None:
        np.testing.assert_array_equal(planes, searches.planes(depth + 1))
    new = (searches.levels == depth + 1).any(axis=0)
    assert counters[:2].tolist() == [new.sum(), np.diff(searches.graph.indptr)[new].sum()], "vertices and edges"


def check_counts(machine: Machine, searches: Searches, depth: int, members: Any, rows: Any, counters: Any) -> None:
    """What each search has found is counted, of all rows or of those that a push has listed."""
    n, width, alive = searches.graph.n, searches.width, np.zeros(searches.width, np.uint64)
    most = n if members is None else len(members)
    machine.many("count_lanes", -(-most // COUNTED) * LANES * width, members, most, width, rows, counters, alive)
    expected = np.zeros(LANES * width)
    expected[: len(searches.sources)] = (searches.levels == depth + 1).sum(axis=1)
    np.testing.assert_array_equal(counters[COUNTERS:], expected)
    np.testing.assert_array_equal(alive, searches.alive(depth + 1))


def check_many_counts(machine: Machine) -> None:
    """More rows than a thread counts."""
    n, width = 2 * COUNTED + 5, 1
    rows, counters = machine.rng.integers(0, 1 << 63, n).astype(np.uint64), np.zeros(COUNTERS + LANES, np.uint64)
    alive = np.zeros(width, np.uint64)
    machine.many("count_lanes", 3 * LANES, None, n, width, rows, counters, alive)
    bits = np.unpackbits(rows.view(np.uint8).reshape(n, -1), axis=1, bitorder="little")
    np.testing.assert_array_equal(counters[COUNTERS:], bits.sum(axis=0))
    assert alive[0] == (1 << 63) - 1


def check_lists(machine: Machine, searches: Searches, found: np.ndarray, rows: np.ndarray) -> None:
    """Rows that are not zero are listed, and those of a list emptied."""
    n, width = searches.graph.n, searches.width
    listed, count = np.full(len(found), -9, machine.index), np.zeros(1, np.uint64)
    machine.many("list_lanes", n * width, rows, n, width, listed, count)
    assert sorted(listed.tolist()) == sorted(found.tolist())
    rows[-1] |= np.uint64(1)  # of one that is not listed, or that is
    expected = np.where(np.isin(np.repeat(np.arange(n), width), found), 0, rows)
    machine.many("empty_lanes", len(found) * width, found, len(found), width, rows)
    np.testing.assert_array_equal(rows, expected)


def check_results(machine: Machine) -> None:
    """Levels as numbers of each width, parents, sums by vertex."""
    for searches in cases(machine):
        graph, width, k = searches.graph, searches.width, len(searches.sources)
        depth = int(searches.levels.max())
        tables = (searches.seen(depth), searches.planes(depth), searches.bits, graph.n, width)
        for kind in (np.int8, np.int16, np.int32):
            levels = np.full(k * graph.n, -9, kind)
            machine.many(f"write_levels_{8 * levels.itemsize}", graph.n * width, *tables, k, levels)
            np.testing.assert_array_equal(levels.reshape(k, -1), searches.levels)
        parents = np.full(k * graph.n, -1, machine.index)
        machine.many("find_parents", graph.n * width, *tables, graph.in_indptr, graph.in_indices, parents)
        np.testing.assert_array_equal(parents.reshape(k, -1), least_parents(searches))
        check_sums(machine, searches, tables)


def check_sums(machine: Machine, searches: Searches, tables: tuple[Any, ...]) -> None:
    n, reached = searches.graph.n, np.maximum(searches.levels, 0)
    sums, counts, depths = np.full(n, -9), np.full(n, -9), np.full(n, -9, np.int32)
    machine.many("sum_lanes", n, *tables, sums, counts, depths)
    np.testing.assert_array_equal(sums, reached.sum(axis=0))
    np.testing.assert_array_equal(counts, (searches.levels >= 0).sum(axis=0))
    np.testing.assert_array_equal(depths, reached.max(axis=0))


def least_parents(searches: Searches) -> np.ndarray:
    """Return the least in-neighbour that is one level nearer, by search and vertex."""
    levels, parents = searches.levels, np.full(searches.levels.shape, -1)
    for u, v in sorted(searches.graph.edges(), reverse=True):
        nearer = (levels[:, u] >= 0) & (levels[:, u] + 1 == levels[:, v])
        parents[nearer, v] = u
    parents[np.arange(len(levels)), searches.sources] = searches.sources
    return parents


CHECKS = [check_levels, check_many_counts, check_results]
