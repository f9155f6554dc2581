"""Betweenness: how many shortest paths lead through a vertex or along an edge, by Brandes's dependencies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..operators import binary, monoid, unary
from ..operators.semiring import plus_first, plus_times
from ..search.bfs import vertices
from ..storage import csr as csrs
from .common import Progress, Settings, algorithm, dense, fused, nobody

__all__ = ["betweenness", "edge_betweenness"]

Array = NDArray[Any]
_TOGETHER = 1 << 22  # sources times vertices of a batch, by products
_AT_ONCE = 64  # sources that an engine is given at once, at least


@algorithm
def betweenness(
    A: Any,
    sources: Any = None,
    *,
    normalized: bool = True,
    progress: Progress = nobody,
    **settings: Unpack[Settings],
) -> NDArray[np.float64]:
    """Return the betweenness of each vertex: which share of the shortest paths between two others leads through it.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; paths are counted in edges, whatever the values.
    sources : iterable of vertices, optional
        Where paths start: some vertices, for an estimate. Default: at every vertex, which is exact.
    normalized : bool
        Whether it is divided by the number of pairs of other vertices. If not, each pair counts 1, and in an undirected
        graph, whose matrix is symmetric, each two vertices are one pair.
    progress : callable, optional
        Called with the number of sources that are done, and of all.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    ndarray of float64
        As NetworkX has it. Sampled: scaled to what all sources would have given; NaN for the source if it is one alone.

    Notes
    -----
    Brandes: σ, the number of shortest paths, forward level by level; then the dependencies δ backward,

        δ_v = Σ over w of the next level:  σ_v / σ_w · (1 + δ_w)

    for a batch of sources at once, by products of matrices: O(m) for each source. An engine may have its own kernels.

    References
    ----------
    U. Brandes, "A faster algorithm for betweenness centrality", Journal of Mathematical Sociology 25 (2001).

    Examples
    --------
    >>> from lagbfs import betweenness, graphs
    >>> betweenness(graphs.path(5), normalized=False)
    array([0., 3., 4., 3., 0.])
    """
    chosen = _sources(A, sources)
    sums = np.zeros(A.nrows)
    for some in _told(A, chosen, progress):
        sums += _of_vertices(A, some)
    sums *= _scale(A, chosen, normalized, excluded=1)
    return sums


@algorithm
def edge_betweenness(
    A: Any,
    sources: Any = None,
    *,
    normalized: bool = True,
    progress: Progress = nobody,
    **settings: Unpack[Settings],
) -> Matrix:
    """Return the betweenness of each edge: which share of the shortest paths between two vertices leads along it.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; paths are counted in edges, whatever the values.
    sources : iterable of vertices, optional
        Where paths start: some vertices, for an estimate. Default: at every vertex, which is exact.
    normalized : bool
        Whether it is divided by the number of pairs of vertices. If not, each pair counts 1, and in an undirected
        graph, whose matrix is symmetric, each two vertices are one pair.
    progress : callable, optional
        Called with the number of sources that are done, and of all.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    Matrix of float64
        With the entries of A. Of an undirected graph both entries of an edge have all that leads along it, either way.

    See Also
    --------
    betweenness : that of vertices, with formula and reference.

    Notes
    -----
    Σ_s σ_v / σ_w · (1 + δ_w) for the edge (v, w), over the sources s from which w is one level further than v. Their
    sums are the δ of `betweenness`, and they cost the same.

    References
    ----------
    M. Girvan, M. Newman, "Community structure in social and biological networks", PNAS 99 (2002).

    Examples
    --------
    >>> from lagbfs import algorithms, graphs
    >>> algorithms.edge_betweenness(graphs.path(4), normalized=False).to_dicts()[1]
    {0: 3.0, 2: 4.0}
    """
    chosen = _sources(A, sources)
    sums = np.zeros(A.nvals)
    for some in _told(A, chosen, progress):
        sums += _of_edges(A, some)
    sums *= _scale(A, chosen, normalized, excluded=0)
    E = Matrix.from_storage(csrs.like(A.csr, sums, iso=False), labels=A._labels)
    if A.is_symmetric:
        E = E.ewise_add(E.T, monoid.plus).new()
        return Matrix.from_storage(E.csr, symmetric=True, labels=A._labels)
    return E


def _sources(A: Matrix, sources: Any) -> Array:
    return np.arange(A.nrows) if sources is None else vertices(A, "sources", sources)


def _told(A: Matrix, sources: Array, progress: Progress) -> Iterator[Array]:
    """Yield sources, many at a time, and tell how many are done."""
    done = 0
    for some in _pieces(sources, max(_AT_ONCE, _TOGETHER // max(A.nrows, 1))):
        progress(done, len(sources))
        yield some
        done += len(some)
    progress(done, len(sources))


def _pieces(sources: Array, size: int) -> Iterator[Array]:
    for begin in range(0, len(sources), size):
        yield sources[begin : begin + size]


def _batches(A: Matrix, sources: Array) -> Iterator[list[Matrix]]:
    """Yield the levels of as many sources at a time as there is room for."""
    for batch in _pieces(sources, max(1, _TOGETHER // max(A.nrows, 1))):
        yield _forward(A, batch)


def _scale(A: Matrix, sources: Array, normalized: bool, excluded: int) -> Any:
    """Return what sums are multiplied by, as NetworkX does, each or all; `excluded`: no path ends at its vertex."""
    k, pairs = len(sources), A.nrows - excluded
    if pairs < 2:
        return 1.0
    of_all = 1 / (pairs - 1) if normalized else pairs / (2 if A.is_symmetric else 1)
    if k == A.nrows:
        return of_all / pairs
    scale = np.full(A.nrows if excluded else 1, of_all / k)
    if excluded:  # of a source, one path fewer has been counted: that from itself
        scale[sources] = of_all / (k - 1) if k > 1 else np.nan
    return scale


def _of_vertices(A: Matrix, sources: Array) -> Array:
    """Return Σ_s δ_s(v) over some sources, for each vertex."""
    found = fused(
        "betweenness",
        lambda engine, threads: engine.betweenness(A.rows, sources, edges=False, threads=threads),
    )
    if found is not None:
        return found
    sums = np.zeros(A.nrows)
    for levels in _batches(A, sources):
        for _, _, delta in _backward(A, levels):
            sums += dense(delta.reduce_columnwise())
    return sums


def _of_edges(A: Matrix, sources: Array) -> Array:
    """Return the same for each edge: its part of the dependency of the vertex that it leaves."""
    found = fused(
        "edge_betweenness",
        lambda engine, threads: engine.betweenness(A.rows, sources, edges=True, threads=threads),
    )
    if found is not None:
        return found
    E = Matrix.from_storage(csrs.like(A.csr, np.zeros(1), iso=True))
    for levels in _batches(A, sources):
        for paths, share, _ in _backward(A, levels, ends=True):
            # E⟨A⟩ += pathsᵀ plus.times share: for each edge (v, w), Σ_s σ_v · (1 + δ_w) / σ_w
            E(A.S, binary.plus) << plus_times(paths.T @ share)
    return E.csr.all_values()


def _forward(A: Matrix, sources: Array) -> list[Matrix]:
    """Return for each level a matrix, sources × vertices, of the numbers of shortest paths to its vertices."""
    count = len(sources)
    frontier = Matrix.from_coo(np.arange(count), sources, 1.0, nrows=count, ncols=A.nrows)
    paths, levels = frontier.dup(), []
    while frontier.nvals:
        levels.append(frontier)
        # frontier⟨¬paths, replace⟩ = frontier plus.first A        paths = paths + frontier
        frontier = plus_first(frontier @ A).new(mask=~paths.S)
        paths(binary.plus) << frontier
    return levels


def _backward(A: Matrix, levels: list[Matrix], *, ends: bool = False) -> Iterator[tuple[Matrix, Matrix, Matrix]]:
    """Yield, from the last level back, the paths to a level, the shares of the next one's vertices, its dependencies.

    Those of the first level, the sources', come last and only if asked for: no path through a source starts there.
    """
    delta = Matrix(float, *levels[-1].shape)
    for level in range(len(levels) - 1, 0 if ends else 1, -1):
        paths, after = levels[level - 1], levels[level]
        # share = (1 + δ) / σ at the vertices of the level
        whole = delta.ewise_add(after.apply(unary.one), monoid.plus).new()
        share = whole.ewise_mult(after, binary.truediv).new()
        # δ⟨paths⟩ = (share plus.first Aᵀ) · paths
        delta = plus_first(share @ A.T).new(mask=paths.S).ewise_mult(paths, binary.times).new()
        yield paths, share, delta
