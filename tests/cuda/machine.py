"""What the checks of kernels run on: a Machine that launches them, and graphs of awkward sizes and shapes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import emulator
import numpy as np


class Machine:
    """Launches kernels in one order of threads, over one index type, perhaps with a seeded bug: [old, new] text.

    Products are checked over `dtypes`.
    """

    def __init__(
        self,
        *,
        index: str = "int32",
        order: str = "forward",
        seed: int = 1,
        block: int = emulator.BLOCK,
        sanitizer: str = "",
        dtypes: Sequence[str] = ("?", "i1", "i8", "f8"),
        bug: tuple[str, str] | None = None,
    ) -> None:
        self.index, self.order, self.seed, self.block = np.dtype(index), order, seed, block
        self.tile = 4 * block
        self.dtypes = [*map(np.dtype, dtypes)]
        self.rng = np.random.default_rng(seed)
        self._sanitizer, self._bug = sanitizer, bug
        self._traversal = self._module("traversal")

    def _module(self, name: str, *macros: str) -> emulator.Module:
        text = emulator.source(name)
        if self._bug and self._bug[0] in text:
            text = text.replace(*self._bug)
        return emulator.compile(text, (f"-DINDEX={self.index}", f"-DBLOCK={self.block}", *macros), self._sanitizer)

    def products(self, dtype: np.dtype[Any]) -> Callable[..., None]:
        """Return `run` for the products over a dtype."""
        module = self._module("product", f"-DTYPE={dtype}")
        return lambda kernel, items, *arguments, **options: self._run(module, kernel, items, arguments, **options)

    def many(self, kernel: str, items: int, *arguments: Any, **options: Any) -> None:
        """Launch a kernel of searches in step."""
        self._run(self._module("many"), kernel, items, arguments, **options)

    def run(self, kernel: str, items: int, *arguments: Any, **options: Any) -> None:
        """Launch a kernel of the traversal over so many items, of which a block takes `per_block`."""
        self._run(self._traversal, kernel, items, arguments, **options)

    def _run(
        self, module: emulator.Module, kernel: str, items: int, arguments: Any, *, per_block: int = 0, first: int = 0
    ) -> None:
        grid = max(1, -(-items // (per_block or self.block)))
        kinds = module.signatures[kernel]
        given = [np.dtype(k).type(a) if k[-1] != "*" else a for k, a in zip(kinds, arguments, strict=True)]
        self.seed += 1
        module.launch(kernel, grid, self.block, given, order=self.order, seed=self.seed, first=first)

    def bits(self, vertices: Any, n: int) -> np.ndarray:
        """Return a bitmap, with room for the bits of whole words only."""
        flags = np.zeros(-(-n // 32) * 32, bool)
        flags[vertices] = True
        return np.packbits(flags, bitorder="little").view(np.uint32)


def unpack(bitmap: np.ndarray, n: int) -> np.ndarray:
    flags = np.unpackbits(bitmap.view(np.uint8), bitorder="little")
    assert not flags[n:].any(), "bits beyond the last vertex"
    return np.flatnonzero(flags[:n])


class Graph(NamedTuple):
    n: int
    indptr: np.ndarray
    indices: np.ndarray
    in_indptr: np.ndarray
    in_indices: np.ndarray

    def edges(self) -> set[tuple[int, int]]:
        return set(zip(np.repeat(np.arange(self.n), np.diff(self.indptr)).tolist(), self.indices.tolist(), strict=True))


def compress(rows: np.ndarray, columns: np.ndarray, n: int, index: np.dtype[Any]) -> tuple[np.ndarray, np.ndarray]:
    order = np.lexsort((columns, rows))
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n))]).astype(np.int64)
    return indptr, columns[order].astype(index)


def graph_of(n: int, edges: Any, index: np.dtype[Any]) -> Graph:
    pairs = np.unique(np.array(list(edges), np.int64).reshape(-1, 2), axis=0)
    rows, columns = pairs[:, 0], pairs[:, 1]
    return Graph(n, *compress(rows, columns, n, index), *compress(columns, rows, n, index))


def graphs(machine: Machine) -> Iterator[tuple[Graph, list[int]]]:
    """Sizes around a warp and a block, and shapes that are extreme; each with sources."""
    block = machine.block
    for n in (1, 31, 32, 33, block - 1, block, block + 1):
        pairs = machine.rng.integers(0, n, (2 * n, 2))
        yield graph_of(n, pairs, machine.index), [int(machine.rng.integers(n))]
    hub = 2 * block + 17  # its edges fill more than a tile of any kernel but the largest
    yield graph_of(hub, [(u, v) for v in range(hub) for u in (3, hub - 1)], machine.index), [3, hub - 1]
    yield graph_of(hub, [(v, 5) for v in range(hub)] + [(5, 7)], machine.index), [9, 11, hub - 1]
    yield graph_of(40, [(v, v + 1) for v in range(39)], machine.index), [36]
    yield graph_of(70, [(1, 2), (2, 1)], machine.index), [64]  # an isolated source
    sinks = [(u, v) for u in (0, 40, 90) for v in range(100, 130)]  # rows without edges among those with
    yield graph_of(130, sinks, machine.index), [*range(95)]
    dense = machine.rng.integers(0, 90, (3 * machine.tile, 2))  # several tiles of edges
    yield graph_of(90, dense, machine.index), [*range(0, 90, 2)]
    late = [(v, target) for v in range(hub) for target in (5, 6)]  # in-edges too many for a thread, the last ones count
    yield graph_of(hub, late, machine.index), [hub - 2, hub - 1]
    bare = 2 * machine.tile + 9  # a tile of edges with more rows than it has edges
    yield graph_of(bare, [(u, v) for u in (7, bare - 1) for v in range(40)], machine.index), [*range(6, bare)]
    wide = machine.tile + 40  # a frontier of several tiles
    yield graph_of(wide + 50, machine.rng.integers(0, wide + 50, (wide, 2)), machine.index), [*range(wide)]
