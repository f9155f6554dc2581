"""How efficiently a graph connects its vertices: the mean of one over the distances, of all pairs or around each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..storage.regions import expand
from .common import Progress, Settings, algorithm, nobody, undirected
from .nearness import harmonic

__all__ = ["global_efficiency", "local_efficiency"]

_TOGETHER = 1 << 12  # vertices of neighbourhoods that are searched at a time: a search costs some for each


@algorithm
def global_efficiency(A: Any, *, progress: Progress = nobody, **settings: Unpack[Settings]) -> float:
    """Return the mean of one over the distance from a vertex to another, 0 where there is no path.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; distances are along out-edges, and count edges.
    progress : callable, optional
        Told how many searches are done, and of how many.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    float
        1 for a complete graph, 0 for one without edges or with less than two vertices.

    Notes
    -----
    E = Σ_{u ≠ v} 1 / d(u, v) / (n (n - 1)). A search from each vertex, by `bfs_many`.

    References
    ----------
    V. Latora, M. Marchiori, "Efficient behavior of small-world networks", Physical Review Letters 87 (2001).

    Examples
    --------
    >>> from lagbfs import algorithms, graphs
    >>> algorithms.global_efficiency(graphs.star(3))
    0.75
    """
    pairs = A.nrows * (A.nrows - 1)
    return float(harmonic(A, progress=progress).sum()) / pairs if pairs else 0.0


@algorithm
def local_efficiency(A: Any, *, progress: Progress = nobody, **settings: Unpack[Settings]) -> NDArray[np.float64]:
    """Return for each vertex the global efficiency of the graph of its neighbours.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; edges count both ways. A vertex with an edge to itself is one of its neighbours.
    progress : callable, optional
        Told how many vertices are done, and of how many.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    ndarray of float64
        Their mean is what is called the local efficiency of the graph.

    Notes
    -----
    The neighbourhoods of some vertices are put side by side, A[N(v), N(v)] on the diagonal of one matrix, and
    `harmonic` searches from all of its vertices. O(Σ d²) to find them, and a search from each neighbour of each vertex.

    Examples
    --------
    >>> from lagbfs import Matrix, algorithms
    >>> algorithms.local_efficiency(Matrix.from_edges([0, 0, 1, 2], [1, 2, 2, 3])).round(3)
    array([1.   , 1.   , 0.333, 0.   ])
    """
    U = undirected(A)
    degrees = U.degrees.astype(np.int64)
    pairs, sums = degrees * (degrees - 1), np.zeros(A.nrows)
    for some in _groups(degrees):
        around, of = _neighbourhoods(U, some)
        sums[some] = np.bincount(of, harmonic(around), minlength=len(some))
        progress(int(some[-1]) + 1, A.nrows)
    found: NDArray[np.float64] = np.divide(sums, pairs, out=np.zeros(A.nrows), where=pairs > 0)
    return found


def _groups(degrees: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield vertices, in order, so many at a time that their neighbourhoods are few vertices together."""
    group = np.cumsum(degrees) // _TOGETHER
    yield from (some for some in np.split(np.arange(len(degrees)), np.flatnonzero(np.diff(group)) + 1) if len(some))


def _neighbourhoods(U: Matrix, some: NDArray[np.int64]) -> tuple[Matrix, NDArray[np.int64]]:
    """Return the graphs of the neighbours of some vertices side by side, and which of these each is around."""
    csr = U.csr
    of, at = expand(csr, some)
    vertices = csr.indices[at].astype(np.int64)  # of each row; those of one vertex ascend, so that keys do
    keys = of * U.nrows + vertices
    row, edges = expand(csr, vertices)
    asked = of[row] * U.nrows + csr.indices[edges]
    column = np.minimum(np.searchsorted(keys, asked), max(len(keys) - 1, 0))
    inside = keys[column] == asked if len(keys) else np.zeros(0, bool)
    return Matrix.from_edges(row[inside], column[inside], n=len(keys)), of
