"""One shortest path, from both ends, and what lies around a vertex."""

from __future__ import annotations

from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..algebra.options import replace
from ..algebra.vector import Vector
from ..base import checks
from ..operators.semiring import any_secondi
from ..search.bfs import bfs
from .common import Settings, algorithm
from .extremes import named

__all__ = ["Ego", "ego", "k_hop", "shortest_path"]

_MOST_LEVELS = (
    24  # of both ends together, before one search takes over: each is a product, and they add up in deep graphs
)


class _End:
    """A search from one end: its frontier, and the parents of all that it has found."""

    def __init__(self, A: Matrix, vertex: int) -> None:
        self.A = A
        self.frontier = Vector.from_coo([vertex], [vertex], size=A.nrows, dtype=np.int64)
        self.parents = self.frontier.dup()

    @property
    def edges(self) -> int:
        """The edges that leave the frontier."""
        return self.A.rows.entries_in(self.frontier.to_coo()[0])

    def advance(self) -> None:
        """Go one level further."""
        found = Vector(np.int64, self.A.nrows)
        # frontier⟨¬parents, replace⟩ = frontier any.secondi A
        found(~self.parents.S, replace) << any_secondi(self.frontier @ self.A)
        # parents = parents ∪ frontier
        self.parents(found.S) << found
        self.frontier = found

    def trail(self, vertex: int) -> list[int]:
        """Return the vertices from `vertex` to the end."""
        trail = [vertex]
        while (parent := int(self.parents[trail[-1]].value)) != trail[-1]:
            trail.append(parent)
        return trail


@algorithm
def shortest_path(A: Any, source: Any, target: Any, **settings: Unpack[Settings]) -> list[Any] | None:
    """Return a shortest path from one vertex to another, both included; None if there is none.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; the path goes along out-edges, and is short in edges. For weights see `sssp`.
    source, target : vertex
        By index, or by label if the graph has labels.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    list of vertices, or None
        By label if the graph has labels, by index if not.

    Notes
    -----
    From both ends, of which the one goes on whose frontier has fewer edges, until the two meet: in graphs of small
    diameter that looks at a small part of the edges. Where they have not met after some levels the path is found by one
    search to the target.

    References
    ----------
    I. Pohl, "Bi-directional search", Machine Intelligence 6 (1971).

    Examples
    --------
    >>> from lagbfs import graphs, shortest_path
    >>> shortest_path(graphs.circulant(8, [1]), 1, 7)
    [1, 0, 7]
    """
    s, t = A.index_of(source, "source"), A.index_of(target, "target")
    if s == t:
        return named(A, np.array([s]))
    out, into = _End(A, s), _End(A.T, t)
    for _ in range(_MOST_LEVELS):
        end, other = (out, into) if out.edges <= into.edges else (into, out)
        end.advance()
        if not end.frontier.nvals:
            return None
        meeting = np.intersect1d(end.frontier.to_coo()[0], other.parents.to_coo()[0])
        if len(meeting):  # at the last level of both: a nearer one would have met before
            v = int(meeting[0])
            return named(A, np.array([*out.trail(v)[::-1], *into.trail(v)[1:]]))
    return bfs(A, source, target=target, levels=False).path_to(target)


@algorithm
def k_hop(A: Any, source: Any, k: int, **settings: Unpack[Settings]) -> list[Any]:
    """Return the vertices within k edges of a vertex, itself included; of several, within k edges of any.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; along out-edges.
    source : vertex or iterable of vertices
        By index, or by label if the graph has labels.
    k : int
        How many edges to go at most.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    list of vertices
        In the order of their indices; labels if the graph has them.

    Notes
    -----
    One search of k levels.

    Examples
    --------
    >>> from lagbfs import algorithms, graphs
    >>> algorithms.k_hop(graphs.path(9), 4, 2)
    [2, 3, 4, 5, 6]
    """
    return named(A, _within(A, source, k))


def _within(A: Matrix, source: Any, k: int) -> NDArray[np.int64]:
    depth = checks.integer("k", k, low=0)
    return np.flatnonzero(bfs(A, source, parents=False, levels=True, max_depth=depth).levels >= 0)


class Ego(NamedTuple):
    """A vertex's surroundings.

    Attributes
    ----------
    matrix : Matrix
        The graph of these vertices, and of all edges between them.
    vertices : list of vertices
        Which vertex of the whole graph each is; labels if that has them.
    """

    matrix: Matrix
    vertices: list[Any]


@algorithm
def ego(A: Any, source: Any, k: int = 1, **settings: Unpack[Settings]) -> Ego:
    """Return the graph of the vertices within k edges of a vertex, and of the edges between them.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; vertices are reached along out-edges.
    source : vertex or iterable of vertices
        By index, or by label if the graph has labels.
    k : int
        How many edges to go at most.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    Ego
        ``matrix``, with the values that A has, and ``vertices``, one for each row.

    Examples
    --------
    >>> from lagbfs import algorithms, graphs
    >>> around = algorithms.ego(graphs.circulant(8, [1]), 0)
    >>> around.vertices, around.matrix.nvals
    ([0, 1, 7], 4)
    """
    inside = _within(A, source, k)
    part = Matrix(A.dtype, len(inside), len(inside))
    part << A[inside, inside]
    return Ego(part, named(A, inside))
