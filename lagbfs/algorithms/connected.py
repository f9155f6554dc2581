"""Which vertices are connected, whatever the direction of edges, and whether two colours tell neighbours apart."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..algebra.vector import Vector
from ..operators import binary
from ..operators.semiring import min_first, min_second
from ..search.bfs import bfs
from .common import Settings, algorithm, dense, fused, pattern, undirected

__all__ = ["components", "is_bipartite", "two_coloring"]


@algorithm
def components(A: Any, **settings: Unpack[Settings]) -> NDArray[Any]:
    """Return the connected component of each vertex: edges count both ways (weak components of a directed graph).

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    ndarray of the indices' dtype
        For each vertex the smallest vertex of its component, which so names the component.

    Notes
    -----
    FastSV: vertices point to smaller ones of their component; each round hooks trees onto smaller neighbours and halves
    their height. O(log n) rounds of a product over all edges, as a rule. An engine may have kernels of its own.

    References
    ----------
    Y. Zhang, A. Azad, A. Buluç, "Parallel algorithms for finding connected components using linear algebra", Journal of
    Parallel and Distributed Computing 144 (2020).

    Examples
    --------
    >>> from lagbfs import Matrix, algorithms
    >>> algorithms.components(Matrix.from_edges([0, 4, 3], [2, 3, 4], n=6))
    array([0, 1, 0, 3, 3, 5], dtype=int32)
    """
    labels = fused("components", lambda engine, threads: engine.components(A.rows, threads=threads))
    return _fast_sv(A) if labels is None else labels


def _fast_sv(A: Matrix) -> NDArray[Any]:
    n, kind = A.nrows, A.rows.index_dtype
    neighbours = [A] if A.rows.known_symmetric else [A, A.T]
    parent = Vector.from_dense(np.arange(n, dtype=kind))
    grandparent, smallest = parent.dup(), parent.dup()
    while True:
        for edges in neighbours:
            # smallest_j = min(smallest_j, min_i grandparent_i over the edges between i and j)
            smallest(accum=binary.min) << min_first(grandparent @ edges)
        P = pattern(parent)  # an entry (i, parent_i) for each i
        # parent_p = min(parent_p, min_i smallest_i over the children i of p)
        parent(accum=binary.min) << min_first(smallest @ P)
        parent(accum=binary.min) << smallest
        parent(accum=binary.min) << grandparent
        before, grandparent = grandparent, Vector(kind, n)
        # grandparent_i = parent of parent_i
        grandparent << min_second(pattern(parent) @ parent)
        if grandparent.isequal(before):
            return dense(parent)


@algorithm
def two_coloring(A: Any, **settings: Unpack[Settings]) -> NDArray[np.int8] | None:
    """Return a colour, 0 or 1, for each vertex, so that no edge joins two of one colour; None if there is none.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; edges count both ways.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    ndarray of int8, or None
        The smallest vertex of each component has colour 0. None: a cycle, or a loop, has an odd number of edges.

    Notes
    -----
    One search from a vertex of each component at once: the colour is the parity of the level. O(n + m) beside
    `components`.

    Examples
    --------
    >>> from lagbfs import algorithms, graphs
    >>> algorithms.two_coloring(graphs.path(4))
    array([0, 1, 0, 1], dtype=int8)
    >>> algorithms.two_coloring(graphs.complete(3)) is None
    True
    """
    G, part = undirected(A), components(A)
    roots = np.flatnonzero(part == np.arange(A.nrows))
    if not len(roots):
        return np.zeros(0, np.int8)
    colour = (bfs(G, roots, parents=False, levels=True).levels & 1).astype(np.int8)
    return None if (colour[A.csr.rows()] == colour[A.csr.indices]).any() else colour


@algorithm
def is_bipartite(A: Any, **settings: Unpack[Settings]) -> bool:
    """Return whether two colours are enough for the vertices so that no edge joins two of one colour.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; edges count both ways, and a loop joins a vertex to its own colour.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    bool

    See Also
    --------
    two_coloring : the colours.

    Examples
    --------
    >>> from lagbfs import algorithms, graphs
    >>> algorithms.is_bipartite(graphs.grid(3, 3)), algorithms.is_bipartite(graphs.complete(5))
    (True, False)
    """
    return two_coloring(A) is not None
