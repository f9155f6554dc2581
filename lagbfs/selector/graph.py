"""Figures of a graph: what a policy may know of it as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..store import DegreeStats

if TYPE_CHECKING:
    from ..backends.protocol import Features
    from ..matrix import Matrix
    from .corpus import Measured

__all__ = ["Graph"]


class Graph(NamedTuple):
    """Vertices, edges, and the degrees in summary.

    Examples
    --------
    >>> import lagbfs
    >>> from lagbfs.selector.graph import Graph
    >>> Graph.of(lagbfs.graphs.star(5)).out_degrees.max
    5.0
    """

    n: int
    m: int
    out_degrees: DegreeStats
    in_degrees: DegreeStats

    @classmethod
    def of(cls, matrix: Matrix) -> Graph:
        """Return the figures of an adjacency; its matrix keeps what takes time to compute."""
        return cls(matrix.ncols, matrix.nvals, matrix.degree_stats, matrix.T.degree_stats)

    @classmethod
    def measured(cls, each: Measured) -> Graph:
        """Return the figures of the graph that was searched."""
        return cls(each.run.n, each.run.m, each.out_degrees, each.in_degrees)

    @classmethod
    def guessed(cls, features: Features) -> Graph:
        """Return the figures of a graph that nothing but the features of a level is known of: all degrees alike."""
        mean = features.m / max(features.n, 1)
        alike = DegreeStats(mean, mean, mean, mean, mean, mean, 0.0)
        return cls(features.n, features.m, alike, alike)
