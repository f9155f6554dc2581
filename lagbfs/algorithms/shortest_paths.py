"""ShortestPaths: distances from sources along weighted edges, and the tree of paths."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..selector.tracing import tracing

__all__ = ["ShortestPaths"]


class ShortestPaths:
    """What a search for shortest paths found.

    Attributes
    ----------
    matrix : Matrix
        The graph, as it was then.
    sources : ndarray
        Indices of the sources, ascending.
    distances : ndarray of float64
        The length of a shortest path from the nearest source to each vertex; inf if it was not reached.
    parents : ndarray of the indices' dtype
        The vertex before each on such a path; -1 if it was not reached; a source is its own parent.
    trace : tracing
        Which arm computed each product, in what time, and why, and what was computed by an engine as a whole.

    Examples
    --------
    >>> from lagbfs import Matrix, sssp
    >>> found = sssp(Matrix.from_edges([0, 0, 1], [1, 2, 2], weights=[1, 5, 2]), 0)
    >>> found.distances, found.path_to(2)
    (array([0., 1., 3.]), [0, 1, 2])
    """

    def __init__(
        self, matrix: Matrix, sources: NDArray[Any], distances: NDArray[Any], parents: NDArray[Any], trace: tracing
    ) -> None:
        self.matrix, self.sources, self.distances, self.parents = matrix, sources, distances, parents
        self.trace = trace

    def explain(self) -> str:
        """Return how it was computed, in words: a line for each product, its arm, and why that was picked.

        Examples
        --------
        >>> from lagbfs import graphs, sssp
        >>> print(sssp(graphs.path(3), 0, selector="push").explain().splitlines()[0])
        sssp: by products
        """
        return str(self.trace)

    @property
    def reached(self) -> int:
        """Number of vertices reached, the sources included."""
        return int(np.count_nonzero(self.parents >= 0))

    def distance_to(self, vertex: Any) -> float:
        """Return the distance of a vertex, given by label if the graph has labels; inf if it was not reached."""
        return float(self.distances[self.matrix.index_of(vertex)])

    def path_to(self, vertex: Any) -> list[Any] | None:
        """Return a shortest path from a source to `vertex`, both included; None if it was not reached.

        Vertices are given and returned by label if the graph has labels, by index if not.
        """
        v = self.matrix.index_of(vertex)
        if self.parents[v] < 0:
            return None
        path = [v]
        while (parent := int(self.parents[path[-1]])) != path[-1]:
            path.append(parent)
        labels = self.matrix.labels
        return [v if labels is None else labels[v] for v in reversed(path)]

    def __repr__(self) -> str:
        finite = self.distances[np.isfinite(self.distances)]
        far = f", the furthest at {finite.max():g}" if len(finite) else ""
        return f"ShortestPaths({self.reached} of {self.matrix.nrows} vertices reached{far})"
