"""Graphs of every awkward kind: as lists of edges, loops and duplicates included, and as matrices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from ..algebra.matrix import Matrix
from .operands import dtypes, values
from .showing import told

__all__ = ["EdgeList", "edge_lists", "graphs"]

Edges = list[tuple[int, int]]

_MOST_SHOWN = 60
_IDS = tuple(np.dtype(name) for name in ("int64", "int32", "uint32"))


@dataclass(repr=False)
class EdgeList:
    """A graph as it was drawn.

    Attributes
    ----------
    n : int
        Number of vertices.
    edges : list of pairs of int
        Loops and duplicates included.
    directed : bool
        Whether edges lead one way only.
    weights : array, optional
        One for each edge.
    labels : list, optional
        One for each vertex.
    ids : dtype
        Of the arrays that a matrix is made from.

    Examples
    --------
    >>> from lagbfs.testing import EdgeList
    >>> graph = EdgeList(3, [(0, 1), (1, 1), (0, 1)], directed=False)
    >>> graph.matrix()
    Matrix(3 × 3, 3 entries, bool iso, int32 indices, symmetric)
    >>> sorted(graph.pairs())
    [(0, 1), (1, 0), (1, 1)]
    >>> graph.successors()
    [{1}, {0, 1}, set()]
    """

    n: int
    edges: Edges
    directed: bool
    weights: Any = None
    labels: list[Any] | None = None
    ids: np.dtype[Any] = _IDS[0]

    def __repr__(self) -> str:
        edges = self.edges if len(self.edges) < _MOST_SHOWN else f"<{len(self.edges)} edges>"
        others = {"weights": self.weights, "labels": self.labels}
        given = "".join(f", {name}={value!r}" for name, value in others.items() if value is not None)
        return f"EdgeList({self.n}, {edges}, directed={self.directed}{given})"

    def matrix(self, **options: Any) -> Matrix:
        """Return the adjacency; options are those of `Matrix.from_edges`, in place of what was drawn."""
        src, dst = np.array(self.edges, self.ids).reshape(-1, 2).T
        given = {"n": self.n, "directed": self.directed, "weights": self.weights, "labels": self.labels}
        return Matrix.from_edges(src, dst, **(given | options))

    def pairs(self) -> set[tuple[int, int]]:
        """Return the entries of the adjacency."""
        return set(self.edges) | (set() if self.directed else {(v, u) for u, v in self.edges})

    def successors(self) -> list[set[int]]:
        """Return for each vertex the vertices that its edges lead to."""
        out: list[set[int]] = [set() for _ in range(self.n)]
        for u, v in self.pairs():
            out[u].add(v)
        return out


def _path(n: int) -> Edges:
    return [(i, i + 1) for i in range(n - 1)]


def _star(n: int) -> Edges:
    return [(0, i) for i in range(1, n)]


def _complete(n: int) -> Edges:
    return [(i, j) for i in range(n) for j in range(n) if i != j]


def _bipartite(n: int) -> Edges:
    return [(i, j) for i in range(n // 2) for j in range(n // 2, n)]


def _two_cycles(n: int) -> Edges:
    half = n // 2
    first = [(i, (i + 1) % half) for i in range(half)]
    return first + [(half + i, half + (i + 1) % (n - half)) for i in range(n - half)]


def _isolated(_n: int) -> Edges:
    return []


_SHAPES: tuple[Callable[[int], Edges], ...] = (_path, _star, _complete, _bipartite, _two_cycles, _isolated)


@st.composite
def _shaped(draw: st.DrawFn, n: int) -> Edges:
    """Return a regular shape under a random relabelling, perhaps with loops and duplicates."""
    names = draw(st.permutations(range(n)))
    edges = [(names[u], names[v]) for u, v in draw(st.sampled_from(_SHAPES))(n)]
    edges += [(v, v) for v in draw(st.lists(st.integers(0, n - 1), max_size=3))]
    if edges:
        edges += draw(st.lists(st.sampled_from(edges), max_size=4))
    return edges


def _edges(n: int) -> st.SearchStrategy[Edges]:
    if n == 0:
        return st.just([])
    vertex = st.integers(0, n - 1)
    return st.one_of(_shaped(n), st.lists(st.tuples(vertex, vertex), max_size=3 * n))


def _labels(n: int) -> st.SearchStrategy[list[Any]]:
    """Names: short strings, or integers that are no indices and beyond 32 bits."""
    names = st.text(max_size=3) | st.integers(2**32, 2**62)
    return st.lists(names, min_size=n, max_size=n, unique=True)


@st.composite
def edge_lists(
    draw: st.DrawFn,
    max_n: int = 24,
    *,
    min_n: int = 1,
    directed: bool | None = None,
    weights: Any = False,
    labels: bool | None = False,
) -> EdgeList:
    """Graphs as lists of edges, for tests that look at the edges; the parameters are those of `graphs`.

    Examples
    --------
    >>> from hypothesis import given
    >>> from lagbfs.testing import edge_lists
    >>> @given(edge_lists(directed=True))
    ... def test_every_edge_is_an_entry(graph):
    ...     assert graph.matrix().nvals == len(set(graph.edges))
    >>> test_every_edge_is_an_entry()
    """
    n = draw(st.integers(min_n, max_n))
    edges = draw(_edges(n))
    dtype = draw(_weight_dtypes(weights))
    size = len(edges)
    numbers = None if dtype is None else draw(st.lists(values(dtype, small=True), min_size=size, max_size=size))
    return EdgeList(
        n,
        edges,
        draw(st.booleans()) if directed is None else directed,
        None if dtype is None else np.array(numbers, dtype),
        draw(_labels(n)) if (draw(st.booleans()) if labels is None else labels) else None,
        draw(st.sampled_from(_IDS)),
    )


def _weight_dtypes(weights: Any) -> st.SearchStrategy[np.dtype[Any] | None]:
    if weights is None:
        return st.none() | dtypes
    if isinstance(weights, bool):
        return dtypes if weights else st.none()
    return st.just(np.dtype(weights))


def graphs(
    max_n: int = 24,
    *,
    min_n: int = 1,
    directed: bool | None = None,
    weights: Any = False,
    labels: bool | None = False,
) -> st.SearchStrategy[Matrix]:
    """Graphs, as matrices: regular shapes and random edges, with loops, duplicates and isolated vertices.

    Parameters
    ----------
    max_n, min_n : int
        How many vertices at most and at least.
    directed : bool, optional
        Whether edges lead one way only. Default: either.
    weights : bool or dtype, optional
        Whether edges have weights; True is any dtype, None with or without. Floats are small multiples of ½, which
        add up to the same in any order.
    labels : bool, optional
        Whether vertices have names; None is either.

    Returns
    -------
    strategy of Matrix
        A failing example is told as the line that makes it.

    Examples
    --------
    >>> import lagbfs
    >>> from hypothesis import given
    >>> from lagbfs.testing import graphs
    >>> @given(graphs())
    ... def test_that_searches_are_right(A):
    ...     lagbfs.bfs(A, 0).verify()
    >>> test_that_searches_are_right()
    """
    drawn = edge_lists(max_n, min_n=min_n, directed=directed, weights=weights, labels=labels)
    return drawn.map(lambda graph: told(graph.matrix()))
