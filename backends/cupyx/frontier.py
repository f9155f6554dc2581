"""The frontier on the device: a list of vertices or a bitmap, and each made from the other when an arm wants it.

A bitmap has bit v & 31 of word v >> 5 for vertex v; bits past the last vertex are 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import launch
from .device import cupy, to_device
from .graph import Graph
from .launch import blocks


def words(n: int) -> int:
    """Return how many words a bitmap of n bits has."""
    return -(-n // 32)


def pack(flags: Any) -> Any:
    """Return the bitmap of a NumPy array of flags."""
    packed = np.zeros(4 * words(len(flags)), np.uint8)
    bits = np.packbits(flags, bitorder="little")
    packed[: len(bits)] = bits
    return packed.view(np.uint32)


def unpack(bitmap: Any, n: int) -> Any:
    """Return the flags of a bitmap on the host."""
    return np.unpackbits(bitmap.view(np.uint8), count=n, bitorder="little").view(bool)


class Frontier:
    """So many vertices, as a list, as a bitmap, or both."""

    def __init__(self, graph: Graph, size: int, *, listed: Any = None, bitmap: Any = None) -> None:
        self._graph, self.size = graph, size
        self._listed, self._bitmap = listed, bitmap

    @classmethod
    def send(cls, graph: Graph, vertices: Any) -> Frontier:
        """Return the frontier of these vertices of the host, sent in the form that takes fewer bytes."""
        n = graph.host.nrows
        if len(vertices) * graph.index.itemsize <= 4 * words(n):
            return cls(graph, len(vertices), listed=to_device(vertices.astype(graph.index, copy=False)))
        flags = np.zeros(n, bool)
        flags[vertices] = True
        return cls(graph, len(vertices), bitmap=to_device(pack(flags)))

    @property
    def listed(self) -> Any:
        """The vertices; ascending if they come from a bitmap."""
        if self._listed is None:
            self._listed = self._from_bitmap()
        return self._listed

    @property
    def bitmap(self) -> Any:
        """A bit for each vertex of the graph."""
        if self._bitmap is None:
            self._bitmap = self._from_list()
        return self._bitmap

    def _from_list(self) -> Any:
        bitmap = cupy().zeros(words(self._graph.host.nrows), np.uint32)
        self._graph.kernels.launch("list_to_bitmap", blocks(self.size), self._listed, self.size, bitmap)
        return bitmap

    def _from_bitmap(self) -> Any:
        kernels, count = self._graph.kernels, len(self._bitmap)
        tiles = blocks(count)
        sums = cupy().empty(tiles + 1, np.int64)
        listed = cupy().empty(self.size, self._graph.index)
        kernels.launch("count_bits", tiles, self._bitmap, count, sums)
        kernels.launch("scan_sums", 1, sums, tiles)
        kernels.launch("bitmap_to_list", tiles, self._bitmap, count, sums, listed)
        return listed

    def fetch(self) -> Any:
        """Return the vertices on the host, ascending, having come in the form that takes fewer bytes."""
        n = self._graph.host.nrows
        if self._bitmap is None or self.size * self._graph.index.itemsize < self._bitmap.nbytes:
            return np.sort(self.listed.get().astype(np.int64))
        return np.flatnonzero(unpack(self._bitmap.get(), n))


def scan(graph: Graph, listed: Any, size: int, indptr: Any) -> tuple[Any, Any]:
    """Return where the edges of each vertex of a list begin among those of all: within its tile, and its tile."""
    tiles = blocks(size, launch.SPAN)
    offsets, sums = cupy().empty(size, np.int64), cupy().empty(tiles + 1, np.int64)
    graph.kernels.launch("scan_degrees", tiles, listed, size, indptr, offsets, sums)
    graph.kernels.launch("scan_sums", 1, sums, tiles)
    return offsets, sums
