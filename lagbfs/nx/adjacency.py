"""The neighbours of each vertex in NetworkX's order, in which they were added: a Matrix has them by number."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import host
from ..algebra.matrix import Matrix
from ..search.bfs import bfs

__all__ = ["Adjacency", "Ordered"]

Array = NDArray[Any]


class Ordered:
    """The vertices that a search has reached, in the order in which NetworkX finds them.

    Attributes
    ----------
    order : ndarray
        The vertices, sources first.
    parents : ndarray
        Of every vertex; -1 where it was not reached, a source is its own.
    """

    def __init__(self, order: Array, parents: Array, sources: int) -> None:
        self.order, self.parents, self._sources = order, parents, sources

    @cached_property
    def bounds(self) -> list[int]:
        """Where each level begins in the order, and where the last ends."""
        rank = np.empty(len(self.parents), np.int64)
        rank[self.order] = np.arange(len(self.order))
        of_parent = rank[self.parents[self.order[self._sources :]]]  # these ascend
        bounds = [0, self._sources]
        while bounds[-1] < len(self.order):
            bounds.append(self._sources + int(np.searchsorted(of_parent, bounds[-1])))
        return bounds

    @property
    def depths(self) -> Array:
        """The level of each vertex of the order."""
        return np.repeat(np.arange(len(self.bounds) - 1), np.diff(self.bounds))

    @property
    def children(self) -> Array:
        """All vertices of the order but the sources."""
        return self.order[self._sources :]


class Adjacency:
    """Compressed rows whose columns stand as they were added.

    Parameters
    ----------
    starts, ends : ndarray
        Where each row starts, and its neighbours.
    symmetric : bool
        Whether every edge is there both ways.
    matrix : Matrix, optional
        The same as a matrix, if there is one.
    """

    def __init__(self, starts: Array, ends: Array, *, symmetric: bool, matrix: Matrix | None = None) -> None:
        self.starts, self.ends, self._symmetric = starts, ends, symmetric
        if matrix is not None:
            self.matrix = matrix

    @cached_property
    def matrix(self) -> Matrix:
        """The pattern, rows sorted."""
        return self.with_values(True)

    def with_values(self, values: Any) -> Matrix:
        """Return the matrix with a value for each neighbour, in their order, or one for all."""
        n = len(self.starts) - 1
        made = Matrix.from_csr(self.starts, self.ends, values, ncols=n)
        return Matrix.from_storage(made.csr, symmetric=True if self._symmetric else None)

    @cached_property
    def ascends(self) -> bool:
        """Whether neighbours stand by number, as in the matrix."""
        rising = np.diff(self.ends) > 0
        firsts = self.starts[1:-1]
        rising[firsts[(firsts > 0) & (firsts < len(self.ends))] - 1] = True
        return bool(rising.all())

    @cached_property
    def degrees(self) -> Array:
        """How many neighbours each vertex has."""
        return np.diff(self.starts)

    def search(self, sources: Array, depth: int) -> Ordered:
        """Return what a first-in-first-out search finds within `depth` levels of the sources, all different."""
        if self.ascends:
            t = bfs(self.matrix, sources, order=True, max_depth=depth)
            return Ordered(t.order, t.parents, len(sources))
        return Ordered(*host.routines().search_as_given(self.starts, self.ends, sources, depth), len(sources))

    def turned(self, values: Any, into: Adjacency) -> Any:
        """Return values, one for each neighbour, in the order of `into`, which has the same edges turned round."""
        place = np.empty(len(self.ends), np.int64)
        place[np.lexsort((into.ends, into.rows))] = np.lexsort((self.rows, self.ends))
        return values[place] if isinstance(values, np.ndarray) else list(map(values.__getitem__, place.tolist()))

    @property
    def rows(self) -> Array:
        """The vertex that each of ``ends`` is a neighbour of."""
        return np.repeat(np.arange(len(self.degrees)), self.degrees)

    def edges_of(self, vertices: Array) -> tuple[Array, Array]:
        """Return the edges of vertices, in their order: where each comes from and where it leads."""
        counts = self.degrees[vertices]
        before = np.cumsum(counts) - counts
        at = np.arange(int(counts.sum())) + np.repeat(self.starts[vertices] - before, counts)
        return np.repeat(vertices, counts), self.ends[at]

    def as_given(self, A: Matrix) -> Array:
        """Return the values of a matrix of this pattern, one for each neighbour, in their order."""
        values: Array = A.csr.all_values()
        if self.ascends:
            return values
        given = np.empty_like(values)
        given[np.lexsort((self.ends, self.rows))] = values
        return given
