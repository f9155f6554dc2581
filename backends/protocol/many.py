"""Many searches at once: what is asked of an engine, and where it writes what it finds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base import memory
from ...storage.rows import Rows

__all__ = ["WAYS", "ManyFound", "ManyWanted"]

Array = NDArray[Any]

WAYS = ("together", "apart", "single")
"""How many searches are made: in step; each by a thread of its own; one after the other, as `bfs` does."""

_LEVELS = (np.dtype(np.int8), np.dtype(np.int16), np.dtype(np.int32))


class ManyWanted(NamedTuple):
    """What is wanted of searches beside sums of distances, numbers of vertices reached and eccentricities.

    Attributes
    ----------
    levels, parents : bool
        For each source the level, or the parent, of each vertex.
    by_level : bool
        For each source the number of vertices at each level.
    by_vertex : bool
        For each vertex, over the sources that reach it: the sum of distances, their number, the largest.
    max_depth : int, optional
        How many levels to go at most.
    """

    levels: bool = True
    parents: bool = False
    by_level: bool = False
    by_vertex: bool = False
    max_depth: int | None = None


class ManyFound:
    """What searches from k sources have found: row i of everything is of source i.

    Attributes
    ----------
    distance_sums, reached, eccentricities : ndarray of int64, int64, int32
        For each source: over the vertices it reaches, itself included, the sum of distances, their number, and the
        largest distance.
    levels : ndarray (k, n) of int8, int16 or int32, or None
        -1 where a vertex is not reached. As wide as the deepest needs.
    parents : ndarray (k, n), or None
        -1 where a vertex is not reached, a source its own.
    vertices : (ndarray of int64, int64, int32), or None
        For each vertex, over the sources that reach it: the sum of distances, their number, the largest.
    notes : list of str
        How the searches were made, and why so.
    """

    def __init__(self, rows: Rows, k: int, wanted: ManyWanted) -> None:
        n = rows.nrows
        width = wanted.levels + wanted.parents * rows.index_dtype.itemsize
        memory.demand(f"the result of {k:,} searches of {n:,} vertices", k * n * width + 20 * n * wanted.by_vertex)
        self.wanted, self.n, self.k = wanted, n, k
        self.distance_sums, self.reached = np.zeros(k, np.int64), np.zeros(k, np.int64)
        self.eccentricities = np.zeros(k, np.int32)
        self.levels = np.empty((k, n), np.int8) if wanted.levels else None
        self.parents = np.empty((k, n), rows.index_dtype) if wanted.parents else None
        kinds = (np.int64, np.int64, np.int32)
        self.vertices = tuple(np.zeros(n, kind) for kind in kinds) if wanted.by_vertex else None
        self.notes: list[str] = []
        self._counts: list[Array] = [np.zeros(0, np.int64)] * k
        self._written = False

    def fit(self, depth: int) -> None:
        """Make the levels wide enough for distances up to `depth`: once before rows of them are written."""
        if self.levels is None:
            return
        kind = next(kind for kind in _LEVELS if depth <= np.iinfo(kind).max)
        if kind.itemsize > self.levels.dtype.itemsize:
            memory.demand(f"the levels of {self.k:,} searches, {depth:,} deep", self.levels.size * kind.itemsize)
            self.levels = self.levels.astype(kind) if self._written else np.empty(self.levels.shape, kind)
        self._written = True

    def take(self, where: Any, found: tuple[Array, Array, Array, Array | None]) -> None:
        """Take over what was found for some sources: sums, reached, eccentricities and, or None, counts by level."""
        self.distance_sums[where], self.reached[where], self.eccentricities[where], counts = found
        if counts is not None:
            for i, row in zip(np.arange(self.k)[where].tolist(), counts, strict=True):
                self._counts[i] = row

    def put(self, i: int, counts: Sequence[int], levels: Array | None, parents: Array | None) -> None:
        """Take over one search: how many vertices there are at each level, levels and parents as far as wanted."""
        sizes = np.array(counts, np.int64)
        depth = len(sizes) - 1
        self.distance_sums[i] = (sizes * np.arange(depth + 1)).sum()
        self.reached[i], self.eccentricities[i], self._counts[i] = sizes.sum(), depth, sizes
        self.fit(depth)
        if self.levels is not None and levels is not None:
            self.levels[i] = levels
        if self.parents is not None and parents is not None:
            self.parents[i] = parents
        if self.vertices is not None and levels is not None:
            sums, numbers, depths = self.vertices
            there = levels >= 0
            np.add(sums, levels, out=sums, where=there)
            np.add(numbers, there, out=numbers)
            np.maximum(depths, levels, out=depths)

    def level_counts(self) -> Array:
        """Return how many vertices each source has at each level: as many columns as the deepest needs."""
        table = np.zeros((self.k, max(map(len, self._counts), default=0)), np.int64)
        for row, counts in zip(table, self._counts, strict=True):
            row[: len(counts)] = counts
        return table
