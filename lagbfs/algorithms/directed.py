"""What the direction of edges makes of a graph: strong components, and the levels of one without cycles."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..algebra.vector import Vector
from ..errors import InvalidValueError
from ..operators.semiring import plus_pair
from ..search.bfs import bfs
from ..storage import csr as csrs
from .common import Progress, Settings, algorithm, nobody, told
from .connected import components

__all__ = ["strong_components", "topological_levels"]

Array = NDArray[Any]


@algorithm
def strong_components(A: Any, *, progress: Progress = nobody, **settings: Unpack[Settings]) -> Array:
    """Return the strong component of each vertex: those that lie on a common closed walk.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`.
    progress : callable, optional
        Called with the number of vertices whose component is known, and of all.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    ndarray of the indices' dtype
        For each vertex the smallest vertex of its strong component.

    Notes
    -----
    Forward and backward searches from one vertex of each weak component, all at once: what both reach is a strong
    component, and no other lies across what one of them reaches, so that edges across are dropped. Vertices without
    in-edges or out-edges are components by themselves, and are dropped before each round. O(log n) rounds are expected,
    of two searches each: O((n + m) log n).

    References
    ----------
    L. Fleischer, B. Hendrickson, A. Pınar, "On identifying strongly connected components in parallel", IPDPS Workshops
    (2000); W. McLendon et al., "Finding strongly connected components in distributed graphs", JPDC 65 (2005).

    Examples
    --------
    >>> from lagbfs import Matrix, algorithms
    >>> algorithms.strong_components(Matrix.from_edges([0, 1, 2, 2, 4], [1, 2, 1, 3, 3]))
    array([0, 1, 1, 3, 4], dtype=int32)
    """
    n = A.nrows
    label, names = np.arange(n, dtype=A.rows.index_dtype), np.arange(n)  # names: which vertices are left, those of G
    draw, G = np.random.default_rng(0), Matrix.from_rows(A.rows)
    while True:
        G, names = _restricted(G, names, _on_the_way(G))
        progress(n - G.nrows, n)
        if not G.nrows:
            return label
        parts = components(G)
        pivots = _one_of_each(parts, draw)
        # forward: reached from the pivots along edges; backward: against them; both: the components of the pivots
        forward, backward = _reached(G, pivots), _reached(G.T, pivots)
        both = forward & backward
        _, first, part = np.unique(parts[both], return_index=True, return_inverse=True)
        label[names[both]] = names[both][first][part]
        G, names = _restricted(G, names, ~both, 2 * forward.astype(np.int8) + backward)


def _on_the_way(G: Matrix) -> NDArray[np.bool_]:
    """Return which vertices an edge leads to and another leaves, loops apart."""
    i, j = G.csr.rows(), G.csr.indices
    apart = i != j
    left, entered = np.zeros(G.nrows, bool), np.zeros(G.nrows, bool)
    left[i[apart]], entered[j[apart]] = True, True
    return left & entered


def _restricted(G: Matrix, names: Array, keep: NDArray[np.bool_], side: Array | None = None) -> tuple[Matrix, Array]:
    """Return the graph of the vertices to keep, with those edges that stay on one side, and the vertices' names."""
    if side is None and keep.all():
        return G, names
    csr, place = G.csr, np.cumsum(keep) - 1
    i, j = csr.rows(), csr.indices
    edges = keep[i] & keep[j]
    if side is not None:
        edges &= side[i] == side[j]
    before = np.concatenate([[0], np.cumsum(edges)])[csr.indptr]  # edges that stay, of all rows before
    starts = np.concatenate([[0], np.cumsum(np.diff(before)[keep])])
    kept = csrs.make(starts, place[j[edges]], np.ones(1, bool), len(starts) - 1, iso=True)
    return Matrix.from_storage(kept), names[keep]


def _one_of_each(parts: Array, draw: np.random.Generator) -> Array:
    """Return a random vertex of each part; a part is named by its smallest vertex."""
    order = draw.permutation(len(parts))
    chosen = np.zeros(len(parts), np.int64)
    chosen[parts[order]] = order  # of several in one place, one stays
    pivots: Array = chosen[parts == np.arange(len(parts))]
    return pivots


def _reached(G: Matrix, sources: Array) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = bfs(G, sources, parents=False, levels=True).levels >= 0
    return found


@algorithm
def topological_levels(A: Any, *, progress: Progress = nobody, **settings: Unpack[Settings]) -> NDArray[np.int32]:
    """Return the level of each vertex of a graph without cycles: the length of the longest path that ends there.

    All edges lead from a level to a higher one: sorted by level, vertices are in a topological order.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`. A cycle, which a loop is too, is an error that names some of its vertices.
    progress : callable, optional
        Called with the number of vertices whose level is known, and of all.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    ndarray of int32
        0 for vertices that no edge leads to.

    Notes
    -----
    Each round takes the vertices off that no edge of those left leads to, and counts the edges they have by a product:
    O(n + m) in all, in as many rounds as there are levels.

    References
    ----------
    A. Kahn, "Topological sorting of large networks", Communications of the ACM 5 (1962).

    Examples
    --------
    >>> from lagbfs import Matrix, algorithms
    >>> algorithms.topological_levels(Matrix.from_edges([0, 0, 1], [1, 2, 2]))
    array([0, 1, 2], dtype=int32)
    """
    n, level, done = A.nrows, 0, 0
    levels, waiting = np.full(n, -1, np.int32), A.rows.in_degrees.astype(np.int64)
    free = np.flatnonzero(waiting == 0)
    while len(free):
        levels[free] = level
        level, done = level + 1, done + len(free)
        progress(done, n)
        # removed_j = number of edges from the vertices taken off to j
        removed = plus_pair(Vector.from_coo(free, True, size=n) @ A)
        at, count = removed.to_host().to_coo()
        waiting[at] -= count
        free = at[waiting[at] == 0]
    if done < n:
        raise InvalidValueError(f"A must have no cycles to have topological levels: it has {_cycle(A, levels < 0)}")
    return levels


def _cycle(A: Matrix, left: NDArray[np.bool_]) -> str:
    """Return a cycle in words; an edge leads from a vertex that is left to each of them."""
    rows, walk = A.T.csr, [int(np.argmax(left))]
    seen: dict[int, int] = {}
    while walk[-1] not in seen:
        seen[walk[-1]] = len(walk) - 1
        before = rows.indices[rows.indptr[walk[-1]] : rows.indptr[walk[-1] + 1]]
        walk.append(int(before[left[before]][0]))
    return told(A, walk[seen[walk[-1]] :][::-1])
