"""Traversals: the result of many searches."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..backends.protocol import ManyFound
from ..errors import InvalidValueError, NotComputedError
from ..search.verify import verify

__all__ = ["Traversals"]


class Traversals:
    """What searches from many sources have found: row i of everything is of the i-th source.

    Attributes
    ----------
    matrix : Matrix
        The graph searched, as it was then.
    sources : ndarray of int64
        Indices of the sources, as they were given.
    distance_sums : ndarray of int64
        For each source, the sum of the distances of all vertices that it reaches.
    reached : ndarray of int64
        How many those are, itself included.
    eccentricities : ndarray of int32
        The largest of those distances. Vertices that are not reached do not count.
    notes : list of str
        How the searches were made, and what they took.

    Examples
    --------
    >>> from lagbfs import Matrix, bfs_many
    >>> found = bfs_many(Matrix.from_edges([0, 1, 1], [1, 2, 3]), [0, 3], parents=True)
    >>> found
    Traversals(2 sources, 4 vertices, depth 2)
    >>> found.levels.tolist(), found.parents.tolist()
    ([[0, 1, 2, 2], [-1, -1, -1, 0]], [[0, 0, 1, 1], [-1, -1, -1, 3]])
    >>> found.reached
    array([4, 1])
    >>> found.path(0, 3), found.path(3, 0)
    ([0, 1, 3], None)
    """

    def __init__(self, matrix: Matrix, sources: NDArray[np.int64], found: ManyFound) -> None:
        self.matrix, self.sources, self._found = matrix, sources, found
        self.distance_sums, self.reached = found.distance_sums, found.reached
        self.eccentricities, self.notes = found.eccentricities, found.notes

    def __len__(self) -> int:
        return len(self.sources)

    def _asked(self, value: Any, name: str, option: str) -> Any:
        if value is None:
            raise NotComputedError(f"{name} were not asked for: call bfs_many(..., {option}=True)")
        return value

    @property
    def levels(self) -> NDArray[Any]:
        """The distance of each vertex from each source, k × n; -1 if it was not reached.

        int8, int16 or int32, as the deepest search needs.
        """
        levels: NDArray[Any] = self._asked(self._found.levels, "levels", "levels")
        return levels

    @property
    def parents(self) -> NDArray[Any]:
        """The parent of each vertex in the search from each source, k × n; -1 if it was not reached."""
        parents: NDArray[Any] = self._asked(self._found.parents, "parents", "parents")
        return parents

    @cached_property
    def level_counts(self) -> NDArray[np.int64]:
        """How many vertices there are at each distance from each source: a column for each distance."""
        self._asked(self._found.wanted.by_level or None, "counts by level", "level_counts")
        return self._found.level_counts()

    def _of_vertices(self, i: int) -> NDArray[Any]:
        found: NDArray[Any] = self._asked(self._found.vertices, "sums by vertex", "by_vertex")[i]
        return found

    @property
    def vertex_distance_sums(self) -> NDArray[np.int64]:
        """For each vertex, the sum of its distances from the sources that reach it."""
        return self._of_vertices(0)

    @property
    def vertex_reached(self) -> NDArray[np.int64]:
        """How many sources reach each vertex."""
        return self._of_vertices(1)

    @property
    def vertex_eccentricities(self) -> NDArray[np.int32]:
        """For each vertex, its largest distance from a source that reaches it; 0 if none does."""
        return self._of_vertices(2)

    def path(self, source: Any, vertex: Any) -> list[Any] | None:
        """Return a shortest path from one of the sources to a vertex, both included; None if there is none.

        Vertices are given and returned by label if the graph has labels, by index if not.
        """
        s, v = self.matrix.index_of(source, "source"), self.matrix.index_of(vertex, "vertex")
        rows = np.flatnonzero(self.sources == s)
        if not len(rows):
            raise InvalidValueError(f"source must be one that was searched from, not {source!r}")
        parents = self.parents[rows[0]]
        if parents[v] < 0:
            return None
        path = [v]
        while path[-1] != s:
            path.append(int(parents[path[-1]]))
        labels = self.matrix.labels
        return [v if labels is None else labels[v] for v in reversed(path)]

    def verify(self) -> None:
        """Check each search by the rules of `lagbfs.verify`; raise VerificationError if one breaks a rule."""
        found = self._found
        if found.levels is None and found.parents is None:
            raise NotComputedError("sums alone cannot be verified: call bfs_many(..., levels=True) or parents=True")
        for i, source in enumerate(self.sources):
            levels = None if found.levels is None else found.levels[i].astype(np.int32)
            parents = None if found.parents is None else found.parents[i]
            limit = found.wanted.max_depth
            verify(self.matrix, int(source), parents=parents, levels=levels, max_depth=limit)

    def explain(self) -> str:
        """Return how the searches were made, and what they took: a line for each way taken."""
        return "\n".join(self.notes)

    def __repr__(self) -> str:
        k, depth = len(self.sources), int(self.eccentricities.max(initial=0))
        return f"Traversals({k} source{'s' * (k != 1)}, {self.matrix.nrows} vertices, depth {depth})"
