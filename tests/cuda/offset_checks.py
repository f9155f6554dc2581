"""Index arithmetic beyond 2³² edges, without such a graph: arrays are passed by an address that lies before them.

Only a window of the edges exists. Offsets point into it, and of a grid only the blocks at its end are run.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from machine import Machine
from search_checks import ANY_PARENT

FAR = 2**32 + 2**31 + 3  # cut to 32 bits, signed or not, this is another number
FOUND = [4, 9, 17, 30, 31]  # where the last edges lead
N = 40


def before(window: np.ndarray, position: int) -> int:
    """Return the address of an array whose element at `position` is the window's first."""
    return int(window.ctypes.data - position * window.itemsize)


class Far:
    """A matrix of N rows: row 0 has FAR edges and row 1 those to FOUND; all but the last few lead to vertex 0."""

    def __init__(self, machine: Machine) -> None:
        self.edges = FAR + len(FOUND)
        self.begin = FAR - 2 * machine.tile  # where the window begins
        self.window = np.zeros(self.edges - self.begin, machine.index)
        self.window[-len(FOUND) :] = FOUND
        self.indices = before(self.window, self.begin)
        self.indptr = np.full(N + 1, self.edges)
        self.indptr[:2] = 0, FAR
        self.reached = np.full(N, -1, machine.index)
        self.reached[:2] = 0, 1
        self.counters = np.zeros(4, np.uint64)
        self.next = np.full(N, -9, machine.index)

    def last_block(self, per_block: int) -> int:
        return FAR // per_block

    def check(self, found: Any, parent: int = 1) -> None:
        assert sorted(found) == FOUND
        assert self.counters[0] == len(FOUND)
        assert (self.reached[FOUND] == parent).all()
        assert (np.delete(self.reached, [0, 1, *FOUND]) == -1).all()

    def check_pushed(self) -> None:
        self.check(self.next[: len(FOUND)].tolist())


def check_far_push(machine: Machine) -> None:
    """push_edges behind a scan of degrees, and push_vertices."""
    far = Far(machine)
    frontier = np.array([0, 1], machine.index)
    offsets, sums = np.zeros(2, np.int64), np.zeros(2, np.int64)
    machine.run("scan_degrees", 2, frontier, 2, far.indptr, offsets, sums, per_block=machine.tile)
    machine.run("scan_sums", 1, sums, 1)
    assert offsets.tolist() == [0, FAR]
    assert sums.tolist() == [0, far.edges]
    search = (far.reached, ANY_PARENT, 0, far.next, far.counters)
    given = (frontier, 2, offsets, sums, far.edges, far.indptr, far.indices, far.indptr, *search)
    machine.run("push_edges", far.edges, *given, per_block=machine.tile, first=far.last_block(machine.tile))
    far.check_pushed()
    far = Far(machine)
    search = (far.reached, ANY_PARENT, 0, far.next, far.counters)
    given = (frontier, 2, far.edges, far.indptr, far.indices, far.indptr, *search)
    machine.run("push_few", far.edges, *given, per_block=machine.tile, first=far.last_block(machine.tile))
    far.check_pushed()
    for width in (1, 32):
        far = Far(machine)
        search = (far.reached, ANY_PARENT, 0, far.next, far.counters)
        machine.run("push_vertices", width, frontier[1:], 1, width, far.indptr, far.indices, far.indptr, *search)
        far.check_pushed()


def check_far_counts(machine: Machine) -> None:
    """The edges of what is found: more than 32 bits hold."""
    far = Far(machine)
    heavy = np.concatenate([[0, 5], 5 + FAR * np.arange(1, N)])
    columns = np.array(FOUND, machine.index)
    search = (far.reached, ANY_PARENT, 0, far.next, far.counters)
    origins, bits = np.zeros(5, machine.index), machine.bits([0], N)
    machine.run("push_edge_list", 5, origins, columns, 5, bits, heavy, *search)
    assert far.counters.tolist() == [5, 5 * FAR, 0, 0]


def check_far_edge_list(machine: Machine) -> None:
    for kernel in ("push_edge_list", "push_reversed_edge_list"):
        far = Far(machine)
        rows = np.ones_like(far.window)
        rows[: -len(FOUND)] = 0
        arrays = [before(rows, far.begin), far.indices]
        search = (far.reached, ANY_PARENT, 0, far.next, far.counters)
        given = (*(arrays if kernel == "push_edge_list" else arrays[::-1]), far.edges, machine.bits([1], N), far.indptr)
        machine.run(kernel, far.edges, *given, *search, first=far.last_block(machine.block))
        far.check_pushed()


def check_far_origins(machine: Machine) -> None:
    far = Far(machine)
    out = np.full_like(far.window, -9)
    origins = before(out, far.begin)
    first = far.last_block(machine.tile)
    machine.run("edge_origins", far.edges, far.indptr, N, far.edges, origins, per_block=machine.tile, first=first)
    written = out[first * machine.tile - far.begin :]
    assert written.tolist() == [0] * (FAR - first * machine.tile) + [1] * len(FOUND)


def check_far_pull(machine: Machine) -> None:
    """Each vertex of FOUND has one in-edge, far away, from vertex 1; so have the others, from vertex 2."""
    for with_hubs in (False, True):
        far = Far(machine)
        in_indptr = FAR + np.arange(N + 1)
        neighbours = np.full(N, 2, machine.index)
        neighbours[FOUND] = 1
        bits, following = machine.bits([1], N), np.zeros(2, np.uint32)
        search = (far.indptr, bits, far.reached, ANY_PARENT, 0, following, far.counters)
        address = before(neighbours, FAR)
        if with_hubs:
            hubs, hub_of, coded = np.array([1], machine.index), np.full(N, -1, np.int32), np.zeros_like(neighbours)
            hub_of[1], hub_bits = 0, np.zeros(machine.block, np.uint32)
            machine.run("encode_hubs", N, in_indptr, address, N, hub_of, before(coded, FAR))
            machine.run("gather_hubs", 1, hubs, 1, bits, hub_bits)
            machine.run("pull_hubs", N, N, in_indptr, before(coded, FAR), hubs, hub_bits, *search)
        else:
            machine.run("pull_vertices", N, N, in_indptr, address, *search)
        far.check(np.flatnonzero(np.unpackbits(following.view(np.uint8), bitorder="little")).tolist())


def check_far_unvisited(machine: Machine) -> None:
    """The same, of a list of the unvisited, which is a frontier's list afterwards."""
    far = Far(machine)
    in_indptr = FAR + np.arange(N + 1)
    neighbours = np.full(N, 2, machine.index)
    neighbours[FOUND] = 1
    listed, left = np.arange(2, N, dtype=machine.index), np.full(N, -9, machine.index)
    matrix = (in_indptr, before(neighbours, FAR), far.indptr, machine.bits([1], N))
    given = (*matrix, far.reached, ANY_PARENT, 0, far.next, left, far.counters)
    machine.run("pull_unvisited", len(listed), listed, len(listed), *given)
    far.check_pushed()
    assert far.counters[3] == len(listed) - len(FOUND)


def check_far_run(machine: Machine) -> None:
    """A run of levels that begins far away: row 1 leads to FOUND, which lead nowhere."""
    far = Far(machine)
    lists, counts = np.full(20, -9, machine.index), np.zeros(129, np.uint64)
    given = (np.array([1], machine.index), 1, lists, 10, 64, far.indptr, far.indices, far.reached)
    machine.run("push_levels", 1, *given, ANY_PARENT, 3, counts)
    assert counts[:5].tolist() == [2, len(FOUND), 0, 0, 0]
    far.counters[0] = counts[1]
    far.check(lists[: len(FOUND)].tolist())


def check_far_products(machine: Machine) -> None:
    far = Far(machine)
    run = machine.products(np.dtype(float))
    values = np.ones(len(far.window))
    values[-len(FOUND) :] = np.arange(5) + 1.0
    entries, x = before(values, far.begin), np.array([0.0, 10.0])
    present, sums = np.zeros(N, bool), np.zeros(N)
    frontier, offsets, prefix = np.array([0, 1], machine.index), np.array([0, FAR]), np.array([0, far.edges])
    rows = (frontier, 2, offsets, prefix, far.edges, far.indptr, far.indices)
    given = (*rows, entries, 1, x, 1, None, 0, 3, 4, present, sums)
    run("product_push", far.edges, *given, per_block=machine.tile, first=far.last_block(machine.tile))
    assert sums[FOUND].tolist() == [10, 20, 30, 40, 50]
    x, out = np.arange(N) + 0.5, np.zeros(2)
    given = (far.indices, entries, 1, None, x, 1, None, 0, 3, 4, present, out)
    run("product_pull", 32, 1, 32, far.indptr[1:], *given)
    assert out[0] == ((np.arange(5) + 1) * (np.array(FOUND) + 0.5)).sum()


def check_far_dots(machine: Machine) -> None:
    """The last entry of a mask, from row 1 of either matrix: now the left and now the right one's begins far away.

    The entries before it are of rows 0, one of which is empty.
    """
    run, far = machine.products(np.dtype(float)), Far(machine)
    near = (np.array([0, 0, 3]), np.array([4, 17, 31], machine.index), np.array([2.0, 3.0, 5.0]), 1)
    weights, columns = np.arange(5) + 1.0, np.zeros(machine.block, machine.index)
    there, columns[-1] = (far.indptr, far.indices, before(weights, FAR), 1), 1
    last = 2**31 + 3  # a warp for each: the threads before it are 2³⁶
    begin = last + 1 - machine.block
    mask = np.array([0, last, last + 1]), before(columns, begin)
    for left, right in ((near, there), (there, near)):
        present, values = np.ones(machine.block, bool), np.ones(machine.block)
        given = (*mask, 2, last + 1, *left, *right, 3, 4, before(present, begin), before(values, begin))
        run("product_dots", 32 * (last + 1), *given, first=32 * last // machine.block)
        assert present[-2:].tolist() == [False, True]
        assert values[-1] == 2 * 1 + 3 * 3 + 5 * 5


def check_far_vertices(machine: Machine) -> None:
    """Vertices beyond 2³¹ in bitmaps, where indices have 64 bits."""
    if machine.index == np.int32:
        return
    words = FAR // 32 + 2
    begin = words - 2 * machine.block
    window = np.zeros(2 * machine.block, np.uint32)
    window[-2:] = 1, 6
    sums = np.zeros(words // machine.block + 2, np.int64)
    first, found = words // machine.block, np.zeros(3, np.int64)
    bitmap = before(window, begin)
    machine.run("count_bits", words, bitmap, words, sums, first=first)
    counts = sums.copy()
    sums[:] = np.concatenate([[0], np.cumsum(counts[:-1])])
    machine.run("bitmap_to_list", words, bitmap, words, sums, found, first=first)
    expected = np.array([(words - 2) * 32, (words - 1) * 32 + 1, (words - 1) * 32 + 2])
    np.testing.assert_array_equal(found, expected)
    window[:] = 0
    machine.run("list_to_bitmap", 3, found, 3, bitmap)
    assert window[-2:].tolist() == [1, 6]


CHECKS = [
    check_far_push,
    check_far_counts,
    check_far_edge_list,
    check_far_origins,
    check_far_pull,
    check_far_unvisited,
    check_far_run,
    check_far_products,
    check_far_dots,
    check_far_vertices,
]
