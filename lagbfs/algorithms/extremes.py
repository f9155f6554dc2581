"""Eccentricities, and what follows from the largest and the smallest: by bounds, with few searches."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..backends.protocol import ManyWanted
from ..base import checks
from ..errors import InvalidValueError
from .common import Progress, Settings, algorithm, nobody
from .connected import components
from .directed import strong_components
from .searches import each_vertex, search

__all__ = ["center", "diameter", "eccentricity", "largest", "named", "periphery", "radius"]

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]

_ONE_BY_ONE = 40  # searches before they are made in step, 64 at a time
_IN_STEP = 64


class Bounds:
    """What is known of the eccentricities of `candidates`, which reach each other and all `members`: low ≤ e ≤ high.

    After a search from w, of eccentricity e:  max(d(v, w), e - d(w, v))  ≤  e_v  ≤  d(v, w) + e.
    """

    def __init__(self, A: Matrix, candidates: Flags, members: Flags, progress: Progress) -> None:
        self.A, self.members, self.progress = A, members, progress
        self.vertices = np.flatnonzero(candidates)
        self.low = np.zeros(len(self.vertices), np.int64)
        self.high = np.full(len(self.vertices), A.nrows, np.int64)
        self.degrees = A.rows.degrees[self.vertices]
        self.searches = 0

    def settle(self, undecided: Callable[[Numbers, Numbers], Flags]) -> None:
        """Search until the bounds decide, from vertices of the highest bound and of the lowest in turn."""
        highest = False
        while (open_ := np.flatnonzero(undecided(self.low, self.high))).size:
            self.progress(len(self.vertices) - len(open_), len(self.vertices))
            if self.searches < _ONE_BY_ONE:
                chosen = self._pick(open_, 1, highest)
                highest = not highest
            else:
                half = _IN_STEP // 2
                chosen = np.union1d(self._pick(open_, half, True), self._pick(open_, half, False))
            self._search(chosen)

    def _pick(self, open_: Numbers, count: int, highest: bool) -> Numbers:
        """Return some of the open ones: of the highest upper bound, or of the lowest lower; then of high degree."""
        bound = -self.high[open_] if highest else self.low[open_]
        return open_[np.lexsort((-self.degrees[open_], bound))[:count]]

    def _search(self, chosen: Numbers) -> None:
        sources, wanted = self.vertices[chosen], ManyWanted()
        out = search(self.A, sources, wanted).levels
        into = out if self.A.rows.is_symmetric else search(self.A.T, sources, wanted).levels
        assert out is not None
        assert into is not None
        for i, forward, back in zip(chosen.tolist(), out, into, strict=True):
            e = int(forward.max(where=self.members, initial=0))
            d = back[self.vertices].astype(np.int64)
            np.maximum(self.low, np.maximum(d, e - forward[self.vertices].astype(np.int64)), out=self.low)
            np.minimum(self.high, d + e, out=self.high)
            self.low[i] = self.high[i] = e
        self.searches += len(chosen)


def largest(A: Matrix, component: str | None) -> Numbers:
    """Return the vertices that count: those of the largest component if that is asked for, else all.

    Of a directed graph, those of the largest that is strongly connected.
    """
    if component is None:
        return np.arange(A.nrows)
    checks.one_of("component", component, ("largest",))
    labels = components(A) if A.rows.is_symmetric else strong_components(A)
    return np.flatnonzero(labels == np.bincount(labels).argmax()) if len(labels) else np.zeros(0, np.int64)


def _rooted(A: Matrix) -> Flags:
    """Return the vertices that reach all others."""
    if A.nrows == 0:
        return np.zeros(0, bool)
    first = np.zeros(1, np.int64)
    sums = ManyWanted(levels=False)
    if search(A, first, sums).reached[0] == A.nrows:
        if A.rows.is_symmetric or search(A.T, first, sums).reached[0] == A.nrows:
            return np.ones(A.nrows, bool)
    elif A.rows.is_symmetric:
        return np.zeros(A.nrows, bool)
    labels = strong_components(A)
    rows, columns, _ = A.to_coo()
    entered = np.zeros(A.nrows, bool)
    entered[labels[columns[labels[rows] != labels[columns]]]] = True
    roots = np.setdiff1d(np.unique(labels), np.flatnonzero(entered))
    return labels == roots[0] if len(roots) == 1 else np.zeros(A.nrows, bool)


def _bounds(A: Matrix, component: str | None, progress: Progress) -> tuple[Bounds, Flags]:
    """Return the bounds of the vertices of finite eccentricity, and who is asked for at all."""
    members = np.zeros(A.nrows, bool)
    members[largest(A, component)] = True
    return Bounds(A, members if component else _rooted(A), members, progress), members


def _need_vertices(A: Matrix, name: str) -> None:
    if A.nrows == 0:
        raise InvalidValueError(f"A must have vertices to have a {name}; it has none")


@algorithm
def eccentricity(
    A: Any,
    vertices: Any = None,
    *,
    component: str | None = None,
    progress: Progress = nobody,
    **settings: Unpack[Settings],
) -> NDArray[np.float64]:
    """Return the largest distance from each vertex to any other.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; distances are along out-edges.
    vertices : iterable of vertices, optional
        Those asked for, all by default.
    component : {"largest"}, optional
        Whether the largest component alone counts, the largest strongly connected one of a directed graph; vertices
        outside of it get NaN. By default all vertices count, and one that does not reach all others gets inf.
    progress : callable, optional
        Told of how many vertices enough is known, and how many there are.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    ndarray of float64
        For each vertex, or for each of those asked for.

    Notes
    -----
    Bounds are kept for all vertices, and each search narrows them; that takes far fewer searches than vertices in most
    graphs, and as many at worst, as in regular ones.

    References
    ----------
    F. Takes, W. Kosters, "Computing the eccentricity distribution of large graphs", Algorithms 6 (2013).

    Examples
    --------
    >>> from lagbfs import algorithms, graphs
    >>> algorithms.eccentricity(graphs.path(5))
    array([4., 3., 2., 3., 4.])
    """
    asked = None if vertices is None else each_vertex(A, "vertices", vertices)
    bounds, members = _bounds(A, component, progress)
    of_interest = np.ones(A.nrows, bool)
    if asked is not None:
        of_interest[:] = False
        of_interest[asked] = True
    of_interest = of_interest[bounds.vertices]
    bounds.settle(lambda low, high: of_interest & (low < high))
    found = np.where(members, inf, np.nan)
    found[bounds.vertices] = bounds.low
    return found if asked is None else found[asked]


@algorithm
def diameter(
    A: Any,
    *,
    component: str | None = None,
    exact: bool = True,
    progress: Progress = nobody,
    **settings: Unpack[Settings],
) -> int | float:
    """Return the largest distance between two vertices.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; distances are along out-edges.
    component : {"largest"}, optional
        Whether the largest component alone counts, the largest strongly connected one of a directed graph. By default
        all vertices do, and a graph where one does not reach another has the diameter inf.
    exact : bool
        Otherwise, a lower bound by some sweeps, each from the vertex that the one before found to be the farthest: as a
        rule it is the diameter itself, or less by few.
    progress : callable, optional
        Told of how many vertices enough is known, and how many there are.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    int, or inf

    Notes
    -----
    Bounds of all eccentricities are narrowed by searches from vertices of high and of low bounds in turn, until none
    can exceed the largest that was found: some ten to some hundred searches in most graphs, n at worst.

    References
    ----------
    F. Takes, W. Kosters, "Determining the diameter of small world networks", CIKM (2011).

    Examples
    --------
    >>> from lagbfs import diameter, graphs
    >>> diameter(graphs.grid(4, 6))
    8
    """
    _need_vertices(A, "diameter")
    bounds, members = _bounds(A, component, progress)
    if len(bounds.vertices) < members.sum():
        return inf
    if exact:
        bounds.settle(lambda low, high: high > low.max())
    else:
        _sweep(bounds)
    return int(bounds.low.max())


_SWEEPS = 6


def _sweep(bounds: Bounds) -> None:
    """Narrow the bounds by some searches: from a hub, then each from the highest lower bound not yet searched from."""
    at = int(bounds.degrees.argmax())
    for _ in range(_SWEEPS):
        bounds._search(np.array([at]))
        open_ = np.flatnonzero(bounds.low < bounds.high)
        if not len(open_):
            return
        at = int(open_[bounds.low[open_].argmax()])


@algorithm
def radius(
    A: Any, *, component: str | None = None, progress: Progress = nobody, **settings: Unpack[Settings]
) -> int | float:
    """Return the smallest eccentricity of a vertex.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; distances are along out-edges.
    component : {"largest"}, optional
        Whether the largest component alone counts, as for `diameter`. By default all vertices do: inf if none reaches
        all others.
    progress : callable, optional
        Told of how many vertices enough is known, and how many there are.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    int, or inf

    Notes
    -----
    By bounds, as `diameter`.

    References
    ----------
    F. Takes, W. Kosters, "Determining the diameter of small world networks", CIKM (2011).

    Examples
    --------
    >>> from lagbfs import algorithms, graphs
    >>> algorithms.radius(graphs.path(5))
    2
    """
    _need_vertices(A, "radius")
    bounds, _ = _bounds(A, component, progress)
    if not len(bounds.vertices):
        return inf
    bounds.settle(lambda low, high: low < high.min())
    return int(bounds.high.min())


@algorithm
def center(
    A: Any, *, component: str | None = None, progress: Progress = nobody, **settings: Unpack[Settings]
) -> list[Any]:
    """Return the vertices whose eccentricity is the radius.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; distances are along out-edges.
    component : {"largest"}, optional
        Whether the largest component alone counts, as for `diameter`. By default all vertices do: where none reaches
        all others, the eccentricities are all inf, and all vertices are the center.
    progress : callable, optional
        Told of how many vertices enough is known, and how many there are.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    list of vertices
        Indices, or labels if the graph has them.

    Notes
    -----
    By bounds, as `diameter`: a few searches more, until each vertex that may be one is known to be one or not.

    References
    ----------
    F. Takes, W. Kosters, "Determining the diameter of small world networks", CIKM (2011).

    Examples
    --------
    >>> from lagbfs import algorithms, graphs
    >>> algorithms.center(graphs.path(6))
    [2, 3]
    """
    _need_vertices(A, "center")
    bounds, members = _bounds(A, component, progress)
    if not len(bounds.vertices):
        return named(A, np.flatnonzero(members))
    bounds.settle(lambda low, high: (low <= high.min()) & (low < high))
    return named(A, bounds.vertices[bounds.low == bounds.high.min()])


@algorithm
def periphery(
    A: Any, *, component: str | None = None, progress: Progress = nobody, **settings: Unpack[Settings]
) -> list[Any]:
    """Return the vertices whose eccentricity is the diameter.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; distances are along out-edges.
    component : {"largest"}, optional
        Whether the largest component alone counts, as for `diameter`. By default all vertices do: those that do not
        reach all others, if there are any.
    progress : callable, optional
        Told of how many vertices enough is known, and how many there are.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    list of vertices
        Indices, or labels if the graph has them.

    Notes
    -----
    By bounds, as `diameter`: a few searches more, until each vertex that may be one is known to be one or not.

    References
    ----------
    F. Takes, W. Kosters, "Determining the diameter of small world networks", CIKM (2011).

    Examples
    --------
    >>> from lagbfs import algorithms, graphs
    >>> algorithms.periphery(graphs.path(6))
    [0, 5]
    """
    _need_vertices(A, "periphery")
    bounds, members = _bounds(A, component, progress)
    infinite = np.setdiff1d(np.flatnonzero(members), bounds.vertices)
    if len(infinite):
        return named(A, infinite)
    bounds.settle(lambda low, high: (high >= low.max()) & (low < high))
    return named(A, bounds.vertices[bounds.high == bounds.low.max()])


def named(A: Matrix, indices: Numbers) -> list[Any]:
    """Return vertices by label if there are labels."""
    return indices.tolist() if A.labels is None else [A.labels[v] for v in indices.tolist()]
