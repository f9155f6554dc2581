"""What features might know besides, measured with a search: what `candidates` are made of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...algebra.matrix import Matrix
from ...search.bfs import bfs

__all__ = ["Fact", "Locality", "facts", "locality"]

_LINE, _PAGE = 16, 1024  # vertices of four bytes in a cache line, in a page


class Locality(NamedTuple):
    """How near to each other the ends of edges are numbered.

    `line` and `page` are the shares of the edges whose ends are as near as vertices in a cache line, or a page; `gap`
    is the mean of log(distance) over log(vertices): 0 if all edges lead next door, near 1 if they lead anywhere.
    """

    line: float
    page: float
    gap: float


class Fact(NamedTuple):
    """What is known before a level: the edges that lead to unvisited vertices, and the longest row of the frontier."""

    unvisited_in_edges: int
    longest: int


def locality(A: Matrix) -> Locality:
    """Return how near to each other the ends of edges are numbered.

    Examples
    --------
    >>> import lagbfs
    >>> locality(lagbfs.graphs.path(9))
    Locality(line=1.0, page=1.0, gap=0.0)
    """
    if not A.nvals:
        return Locality(1.0, 1.0, 0.0)
    rows = np.repeat(np.arange(A.nrows), np.diff(A.csr.indptr))
    apart = np.maximum(np.abs(rows - A.csr.indices), 1)
    line, page = (float((apart < reach).mean()) for reach in (_LINE, _PAGE))
    return Locality(line, page, float(np.log(apart).mean() / np.log(max(A.nrows, 2))))


def facts(A: Matrix, source: int) -> tuple[Fact, ...]:
    """Return what is known before each level of a search.

    Examples
    --------
    >>> import lagbfs
    >>> facts(lagbfs.Matrix.from_edges([0, 0, 1, 2], [1, 2, 2, 0]), 0)
    (Fact(unvisited_in_edges=3, longest=2), Fact(unvisited_in_edges=0, longest=1))
    """
    levels = bfs(A, source, parents=False).levels
    reached = levels >= 0
    into, longest = _sums(levels[reached], A.T.degrees[reached]), np.zeros(levels.max() + 1, np.int64)
    np.maximum.at(longest, levels[reached], A.degrees[reached])
    unvisited = A.nvals - np.cumsum(into)
    return tuple(map(Fact._make, zip(unvisited.tolist(), longest.tolist(), strict=True)))


def _sums(at: NDArray[np.int32], values: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.bincount(at, weights=values).astype(np.int64)
