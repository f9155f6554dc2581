"""How closely vertices hang together: triangles, clustering, trusses and cores. Edges count both ways, loops do not."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..algebra.vector import Vector
from ..base import checks
from ..operators import binary, select
from ..operators.semiring import plus_first, plus_pair
from ..storage import csr as csrs
from .common import Progress, Settings, algorithm, dense, full, fused, nobody, undirected

__all__ = ["clustering", "core_numbers", "k_truss", "square_clustering", "transitivity", "triangles"]

_TOGETHER = 1 << 22  # entries of rows of a product that are computed at a time, at most


@algorithm
def triangles(A: Any, **settings: Unpack[Settings]) -> NDArray[np.int64]:
    """Return how many triangles each vertex is a corner of.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; edges count both ways, loops do not count.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    ndarray of int64
        Their sum is three times the number of triangles.

    Notes
    -----
    C⟨A⟩ = A plus.pair A: for each edge the triangles that it is a side of. O(Σ over edges of the smaller degree). An
    engine may have kernels of its own.

    References
    ----------
    A. Azad, A. Buluç, J. Gilbert, "Parallel triangle counting and enumeration using matrix algebra", IPDPS Workshops
    (2015).

    Examples
    --------
    >>> from lagbfs import Matrix, triangles
    >>> triangles(Matrix.from_edges([0, 0, 1, 2], [1, 2, 2, 3]))
    array([1, 1, 1, 0])
    """
    U = undirected(A)
    found = fused("triangles", lambda engine, threads: engine.triangles(U.rows, threads=threads))
    return _triangles(_simple(U)) if found is None else found


def _triangles(S: Matrix) -> NDArray[np.int64]:
    sides = plus_pair(S @ S).new(mask=S.S)  # sides⟨S⟩ = S plus.pair S
    return dense(sides.reduce_rowwise()).astype(np.int64) // 2


def _simple(U: Matrix) -> Matrix:
    """Return an undirected graph without its loops."""
    csr = U.csr
    if not (csr.rows() == csr.indices).any():
        return U
    return Matrix.from_storage(U.select(select.offdiag).new().csr, symmetric=U.rows.known_symmetric)


@algorithm
def clustering(A: Any, **settings: Unpack[Settings]) -> NDArray[np.float64]:
    """Return the clustering coefficient of each vertex: which share of the pairs of its neighbours are neighbours.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; edges count both ways, loops do not count.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    ndarray of float64
        t / (d (d - 1) / 2) for t triangles and d neighbours; 0 for fewer than two neighbours.

    Notes
    -----
    Costs what `triangles` does.

    References
    ----------
    D. Watts, S. Strogatz, "Collective dynamics of 'small-world' networks", Nature 393 (1998).

    Examples
    --------
    >>> from lagbfs import Matrix, algorithms
    >>> algorithms.clustering(Matrix.from_edges([0, 0, 1, 2], [1, 2, 2, 3])).round(3)
    array([1.   , 1.   , 0.333, 0.   ])
    """
    S = _simple(undirected(A))
    pairs = _pairs(S)
    shares: NDArray[np.float64] = np.divide(triangles(S), pairs, out=np.zeros(A.nrows), where=pairs > 0)
    return shares


def _pairs(S: Matrix) -> NDArray[np.int64]:
    """Return the number of pairs of neighbours of each vertex."""
    degrees = S.degrees.astype(np.int64)
    return degrees * (degrees - 1) // 2


@algorithm
def square_clustering(A: Any, *, progress: Progress = nobody, **settings: Unpack[Settings]) -> NDArray[np.float64]:
    """Return which share of the squares that there could be at each vertex there are.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; edges count both ways, loops do not count.
    progress : callable, optional
        Told how many vertices are done, and of how many.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    ndarray of float64
        As NetworkX has it; 0 where there could be none.

    Notes
    -----
    C = A plus.pair A: the neighbours that two vertices have in common. There are C_vx (C_vx - 1) / 2 squares with v and
    x opposite each other. Some rows of C at a time: O(Σ d²).

    References
    ----------
    P. Lind, M. González, H. Herrmann, "Cycles and clustering in bipartite networks", Physical Review E 72 (2005).

    Examples
    --------
    >>> from lagbfs import algorithms, graphs
    >>> algorithms.square_clustering(graphs.grid(2, 3)).round(3)
    array([0.5  , 0.333, 0.5  , 0.5  , 0.333, 0.5  ])
    """
    S = _simple(undirected(A))
    degrees, squares = S.degrees.astype(np.int64), np.zeros(A.nrows, np.int64)
    around = dense(plus_first(full(degrees) @ S)).astype(np.int64)  # degrees of neighbours, summed up
    bounds = np.searchsorted(np.cumsum(around) // _TOGETHER, np.arange(around.sum() // _TOGETHER + 2)).tolist()
    for begin, end in pairwise(bounds):
        # common = A[begin:end, :] plus.pair A
        common = plus_pair(S[begin:end, :].new() @ S).new()
        rows, columns, count = common.to_coo()
        count = np.where(rows + begin == columns, 0, count)
        squares[begin:end] = np.bincount(rows, count * (count - 1), minlength=end - begin).astype(np.int64) // 2
        progress(end, A.nrows)
    possible = (around - degrees) * (degrees - 1) - 2 * triangles(S) - squares
    shares: NDArray[np.float64] = np.divide(squares, possible, out=np.zeros(A.nrows), where=possible > 0)
    return shares


@algorithm
def transitivity(A: Any, **settings: Unpack[Settings]) -> float:
    """Return which share of all pairs of edges that meet are sides of a triangle.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; edges count both ways, loops do not count.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    float
        0 if no edges meet.

    Notes
    -----
    3 · triangles / Σ d (d - 1) / 2. Costs what `triangles` does.

    References
    ----------
    M. Newman, "The structure and function of complex networks", SIAM Review 45 (2003), section III.B.

    Examples
    --------
    >>> from lagbfs import Matrix, algorithms
    >>> algorithms.transitivity(Matrix.from_edges([0, 0, 1, 2], [1, 2, 2, 3]))
    0.6
    """
    S = _simple(undirected(A))
    pairs = int(_pairs(S).sum())
    return int(triangles(S).sum()) / pairs if pairs else 0.0


@algorithm
def k_truss(A: Any, k: int, **settings: Unpack[Settings]) -> Matrix:
    """Return the k-truss: the largest subgraph each of whose edges is a side of k - 2 triangles in it, or more.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; edges count both ways, loops do not count.
    k : int
        At least 2; the 2-truss is all of the graph.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    Matrix of int64
        Symmetric, of the size of A; an entry for each edge of the truss: of how many triangles it is a side.

    Notes
    -----
    C⟨C⟩ = C plus.pair C counts triangles by side, and edges of too few are dropped, until none is. As many products as
    that takes rounds.

    References
    ----------
    J. Cohen, "Trusses: cohesive subgraphs for social network analysis", National Security Agency (2008).

    Examples
    --------
    >>> from lagbfs import Matrix, algorithms
    >>> algorithms.k_truss(Matrix.from_edges([0, 0, 1, 2], [1, 2, 2, 3]), 3).to_dicts()
    {0: {1: 1, 2: 1}, 1: {0: 1, 2: 1}, 2: {0: 1, 1: 1}}
    """
    least = checks.integer("k", k, low=2) - 2
    C = _simple(undirected(A))
    while True:
        # sides⟨C⟩ = C plus.pair C, and 0 for edges that are sides of none
        sides = Matrix.from_storage(csrs.like(C.csr, np.zeros(1, np.int64), iso=True), labels=A._labels)
        sides(C.S, binary.plus) << plus_pair(C @ C)
        before, C = C.nvals, sides.select(select.valuege, least).new()
        if C.nvals == before:
            return Matrix.from_storage(C.csr, symmetric=True, labels=A._labels)


@algorithm
def core_numbers(A: Any, **settings: Unpack[Settings]) -> NDArray[np.int32]:
    """Return the core number of each vertex: the largest k of a subgraph with it, all of degree k or more.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; edges count both ways, loops do not count.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    ndarray of int32
        0 for vertices without neighbours.

    Notes
    -----
    Vertices of k neighbours or fewer are peeled off, for growing k; a product counts what the others lose. O(n + m) in
    products, in as many rounds as that takes. An engine may have kernels of its own.

    References
    ----------
    V. Batagelj, M. Zaveršnik, "An O(m) algorithm for cores decomposition of networks" (2003).

    Examples
    --------
    >>> from lagbfs import Matrix, core_numbers
    >>> core_numbers(Matrix.from_edges([0, 0, 1, 2], [1, 2, 2, 3]))
    array([2, 2, 2, 1], dtype=int32)
    """
    U = undirected(A)
    found = fused("core_numbers", lambda engine, threads: engine.core_numbers(U.rows, threads=threads))
    return _peeled(_simple(U)) if found is None else found


def _peeled(S: Matrix) -> NDArray[np.int32]:
    n, k = S.nrows, 0
    core, degree, left = np.zeros(n, np.int32), S.degrees.astype(np.int64), np.ones(n, bool)
    while left.any():
        k = max(k, int(degree[left].min()))
        peel = np.flatnonzero(left & (degree <= k))
        while len(peel):
            core[peel], left[peel] = k, False
            # lost_j = number of edges from the vertices peeled off to j
            at, lost = plus_pair(Vector.from_coo(peel, True, size=n) @ S).to_host().to_coo()
            degree[at] -= lost
            peel = at[left[at] & (degree[at] <= k)]
    return core
