"""Sums over distances: closeness, harmonic centrality, the average distance; and all distances, block by block."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..backends.protocol import ManyWanted
from ..base import checks, random_words
from ..errors import InvalidValueError
from ..selector import context
from .common import Progress, Settings, algorithm, nobody
from .extremes import largest
from .searches import each_vertex, search

__all__ = ["AverageDistance", "all_pairs_distances", "average_distance", "closeness", "harmonic"]

_BLOCK = 1 << 12  # sources whose vertices are counted by level at a time


def _asked(A: Matrix, name: str, vertices: Any) -> NDArray[np.int64]:
    return np.arange(A.nrows) if vertices is None else each_vertex(A, name, vertices)


@algorithm
def closeness(
    A: Any,
    vertices: Any = None,
    *,
    wf_improved: bool = True,
    progress: Progress = nobody,
    **settings: Unpack[Settings],
) -> NDArray[np.float64]:
    """Return the closeness of vertices: one over the average distance to them, as NetworkX has it.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`. Distances count towards a vertex, along in-edges; for the other direction, pass
        ``A.T``.
    vertices : iterable of vertices, optional
        Those asked for, all by default.
    wf_improved : bool
        Whether it is multiplied by the share of the others that reach the vertex (Wasserman and Faust), so that
        vertices of small components do not stand out.
    progress : callable, optional
        Told how many searches are done, and of how many.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    ndarray of float64
        For each vertex, or for each of those asked for; 0 where no other vertex reaches it.

    Notes
    -----
    C(v) = (r - 1) / Σ_u d(u, v), over the r vertices u that reach v, itself included; improved, times (r - 1) /
    (n - 1). A search from each vertex, by `bfs_many`: 512 at a time look at all edges a few times.

    References
    ----------
    S. Wasserman, K. Faust, "Social network analysis", Cambridge University Press (1994), section 5.2.

    Examples
    --------
    >>> from lagbfs import closeness, graphs
    >>> closeness(graphs.star(3))
    array([1. , 0.6, 0.6, 0.6])
    """
    found = search(A.T, _asked(A, "vertices", vertices), ManyWanted(levels=False), progress=progress)
    others = found.reached - 1
    near = np.divide(others, found.distance_sums, out=np.zeros(len(others)), where=found.distance_sums > 0)
    return near * (others / max(A.nrows - 1, 1)) if wf_improved else near


@algorithm
def harmonic(
    A: Any, vertices: Any = None, *, progress: Progress = nobody, **settings: Unpack[Settings]
) -> NDArray[np.float64]:
    """Return the harmonic centrality of vertices: the sum of one over the distances to them, as NetworkX has it.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`. Distances count towards a vertex, along in-edges; for the other direction, pass
        ``A.T``.
    vertices : iterable of vertices, optional
        Those asked for, all by default.
    progress : callable, optional
        Told how many searches are done, and of how many.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    ndarray of float64
        For each vertex, or for each of those asked for. Vertices that do not reach it add nothing.

    Notes
    -----
    H(v) = Σ_u 1 / d(u, v) over the other vertices u. A search from each vertex, by `bfs_many`.

    References
    ----------
    P. Boldi, S. Vigna, "Axioms for centrality", Internet Mathematics 10 (2014).

    Examples
    --------
    >>> from lagbfs import algorithms, graphs
    >>> algorithms.harmonic(graphs.path(3))
    array([1.5, 2. , 1.5])
    """
    asked = _asked(A, "vertices", vertices)
    sums = np.zeros(len(asked))
    for begin in range(0, len(asked), _BLOCK):
        block = asked[begin : begin + _BLOCK]
        counts = search(A.T, block, ManyWanted(levels=False, by_level=True)).level_counts()[:, 1:]
        sums[begin : begin + len(block)] = counts @ (1 / np.arange(1, counts.shape[1] + 1))
        progress(begin + len(block), len(asked))
    return sums


class AverageDistance(NamedTuple):
    """An average distance.

    Attributes
    ----------
    value : float
        The average, or its estimate.
    error : float
        The standard error of the estimate: about two times in three the average is no further away. 0 if it is exact.
    searches : int
        From how many vertices distances were measured.
    """

    value: float
    error: float
    searches: int


@algorithm
def average_distance(
    A: Any,
    *,
    samples: int | None = None,
    seed: int | None = None,
    component: str | None = None,
    progress: Progress = nobody,
    **settings: Unpack[Settings],
) -> AverageDistance:
    """Return the average distance from a vertex to another.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; distances are along out-edges.
    samples : int, optional
        From how many vertices, drawn at random, to measure. By default from all.
    seed : int, optional
        What they are drawn by.
    component : {"largest"}, optional
        Whether the largest component alone counts, the largest strongly connected one of a directed graph. By default
        all vertices do, and where one of those searched from does not reach all others the average is inf.
    progress : callable, optional
        Told how many searches are done, and of how many.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    AverageDistance
        ``value``, ``error``, its standard error, 0 if it is exact, and ``searches``.

    Notes
    -----
    Σ_{u ≠ v} d(u, v) / (n (n - 1)), by a search from each vertex, or from each of the sample: sources are drawn without
    replacement, and the error is √((1 - k / n) s² / k), where s² is the variance of the averages of single sources.

    References
    ----------
    D. Eppstein, J. Wang, "Fast approximation of centrality", SODA (2001), for the sampling.

    Examples
    --------
    >>> from lagbfs import algorithms, graphs
    >>> algorithms.average_distance(graphs.path(3)).value
    1.3333333333333333
    >>> algorithms.average_distance(graphs.circulant(100, [1]), samples=10, seed=1)
    AverageDistance(value=25.252525252525253, error=0.0, searches=10)
    """
    members = largest(A, component)
    n = len(members)
    if n < 2:
        raise InvalidValueError(f"A must have two vertices or more to have an average distance; {n} count")
    sources = members
    if samples is not None:
        k, seed = checks.integer("samples", samples, low=2), None if seed is None else random_words.seed64(seed)
        sources = np.random.default_rng(seed).choice(members, min(k, n), replace=False)
    sums = _sums_within(A, sources, members, progress)
    averages = sums / (n - 1)
    k = len(sources)
    if not np.isfinite(averages).all():
        return AverageDistance(inf, 0.0, k)
    error = float(np.sqrt((1 - k / n) * averages.var(ddof=1) / k)) if k < n else 0.0
    return AverageDistance(float(averages.mean()), error, k)


def _sums_within(
    A: Matrix, sources: NDArray[np.int64], members: NDArray[np.int64], progress: Progress
) -> NDArray[np.float64]:
    """Return the sum of the distances from each source to the members, inf if it does not reach them all."""
    closed = len(members) == A.nrows or A.rows.is_symmetric  # nothing but members is reached
    if closed:
        found = search(A, sources, ManyWanted(levels=False), progress=progress)
        return np.where(found.reached == len(members), found.distance_sums, inf)
    sums = np.zeros(len(sources))
    for begin in range(0, len(sources), _IN_STEP):
        levels = search(A, sources[begin : begin + _IN_STEP], ManyWanted()).levels
        assert levels is not None
        sums[begin : begin + _IN_STEP] = levels[:, members].sum(axis=1, dtype=np.int64)
        progress(min(begin + _IN_STEP, len(sources)), len(sources))
    return sums


_IN_STEP = 64


@algorithm
def all_pairs_distances(
    A: Any, sources: Any = None, *, block: int = 512, max_depth: int | None = None, **settings: Unpack[Settings]
) -> Iterator[tuple[NDArray[np.int64], NDArray[Any]]]:
    """Return the distances from all vertices to all others, so many rows at a time.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; distances are along out-edges, and count edges. For weighted ones see `all_pairs`.
    sources : iterable of vertices, optional
        Those whose distances are asked for, all by default.
    block : int
        How many rows to compute at a time.
    max_depth : int, optional
        Beyond which distance vertices do not count as reached.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`; they hold for all blocks.

    Returns
    -------
    iterator of (ndarray of int64, ndarray)
        The sources of each block, by index, and their distances, a row each: int8, int16 or int32, -1 where there is
        none. Each block is computed when it is asked for.

    Notes
    -----
    A search from each source, by `bfs_many`: as many at a time as `block` says, which need n bytes each, or more where
    they are deep.

    References
    ----------
    M. Then et al., "The more the merrier: efficient multi-source graph traversal", VLDB 8 (2014).

    Examples
    --------
    >>> from lagbfs import algorithms, graphs
    >>> for sources, distances in algorithms.all_pairs_distances(graphs.path(3), block=2):
    ...     print(sources, distances.tolist())
    [0 1] [[0, 1, 2], [1, 0, 1]]
    [2] [[2, 1, 0]]
    """
    size = checks.integer("block", block, low=1)
    depth = None if max_depth is None else checks.integer("max_depth", max_depth, low=0)
    return _blocks(A, _asked(A, "sources", sources), size, ManyWanted(max_depth=depth), context.current())


def _blocks(
    A: Matrix, sources: NDArray[np.int64], size: int, wanted: ManyWanted, settings: context.Settings
) -> Iterator[tuple[NDArray[np.int64], NDArray[Any]]]:
    for begin in range(0, len(sources), size):
        block = sources[begin : begin + size]
        with context.using(**settings._asdict()):
            levels = search(A, block, wanted).levels
        assert levels is not None
        yield block, levels
