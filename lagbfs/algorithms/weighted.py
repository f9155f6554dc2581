"""Shortest paths along weighted edges: delta-stepping, and Bellman and Ford's way where weights are negative."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..algebra.vector import Vector
from ..base import checks, memory
from ..errors import InvalidValueError
from ..operators import binary, monoid
from ..operators.semiring import min_plus
from ..search.bfs import bfs, vertices
from ..selector.tracing import note, tracing
from ..storage import elementwise
from .common import Progress, Settings, algorithm, check_weights, dense, fused, nobody, weights
from .negative import bellman_ford
from .shortest_paths import ShortestPaths

__all__ = ["all_pairs", "potentials", "sssp"]

Array = NDArray[Any]


@algorithm
def sssp(
    A: Any,
    source: Any,
    *,
    target: Any = None,
    cutoff: float | None = None,
    delta: float | None = None,
    **settings: Unpack[Settings],
) -> ShortestPaths:
    """Return shortest paths from a source, or from the nearest of several, along weighted edges.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; its values, of any dtype, are the lengths of edges (True is 1), NaN none of them. An
        explicit 0 is an edge of length 0.
    source : vertex or iterable of vertices
        Where to start: an index, or a label if the graph has labels.
    target : vertex or iterable of vertices, optional
        Stop as soon as the distances of these are known: vertices further than all of them are not reached.
    cutoff : float, optional
        Vertices further than this are not reached.
    delta : float, optional
        The width of buckets: vertices of about the same distance, by this much, are taken together. By default it is
        chosen from the weights. Negative weights know no buckets.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    ShortestPaths
        ``.distances`` (float64: sums of integers are exact up to 2⁵³; inf: not reached), ``.parents``, ``.path_to``.

    Raises
    ------
    InvalidValueError
        A cycle of negative length can be reached; the message names some of its vertices.

    Notes
    -----
    Delta-stepping: the nearest bucket of vertices is relaxed by d = d min (near min.+ A), until it stays empty. The
    edges of a vertex are looked at each time that it is found nearer, which is few times unless `delta` is too large.
    Parents are found by a search along those edges that are part of shortest paths. With negative weights: O(n m) at
    worst.

    References
    ----------
    U. Meyer, P. Sanders, "Δ-stepping: a parallelizable shortest path algorithm", Journal of Algorithms 49 (2003).

    Examples
    --------
    >>> from lagbfs import Matrix, sssp
    >>> A = Matrix.from_edges([0, 0, 1, 2], [1, 2, 2, 3], weights=[1.0, 4.0, 2.0, 1.0], n=5)
    >>> found = sssp(A, 0)
    >>> found.distances
    array([ 0.,  1.,  3.,  4., inf])
    >>> found.parents, found.path_to(3)
    (array([ 0,  0,  1,  2, -1], dtype=int32), [0, 1, 2, 3])
    """
    endless = cutoff is None or (isinstance(cutoff, float) and cutoff == np.inf)
    limit = None if endless else checks.real("cutoff", cutoff, low=0)
    width = None if delta is None else _positive("delta", delta)
    check_weights(A)
    sources = vertices(A, "source", source)
    targets = None if target is None else vertices(A, "target", target)
    with tracing() as trace:
        if A.rows.least < 0:
            note("sssp: by products, as Bellman and Ford do: there are negative weights")
            distances, parents = bellman_ford(weights(A), sources)
        else:
            distances, parents = _by_buckets(A, sources, targets, limit, width)
    if targets is not None:
        furthest = float(distances[targets].max())
        limit = furthest if limit is None else min(limit, furthest)
    return ShortestPaths(A, sources, *_within(distances, parents, limit), trace)


def _positive(name: str, value: Any) -> float:
    number = checks.real(name, value, low=0)
    if not number:
        raise InvalidValueError(f"{name} must be more than 0")
    return number


def _within(distances: Array, parents: Array, limit: float | None) -> tuple[Array, Array]:
    """Return the same without vertices that are further than a limit."""
    if limit is not None and limit < np.inf:
        beyond = distances > limit
        distances[beyond], parents[beyond] = np.inf, -1
    return distances, parents


def _by_buckets(
    A: Matrix, sources: Array, targets: Array | None, cutoff: float | None, delta: float | None
) -> tuple[Array, Array]:
    found = fused(
        "sssp",
        lambda engine, threads: engine.sssp(
            A.rows, sources, delta=delta, cutoff=cutoff, targets=targets, threads=threads
        ),
    )
    if found is not None:
        return found
    W = weights(A)
    width = _width(W) if delta is None else delta
    note(f"sssp: in buckets of {width:g}")
    distances = _delta_stepping(W, sources, targets, np.inf if cutoff is None else cutoff, width)
    return distances, _parents(W, sources, distances)


def _width(W: Matrix) -> float:
    """Return a width of buckets: so wide that few are needed, for each takes some products."""
    finite = W.csr.values[np.isfinite(W.csr.values)]
    return 4 * float(finite.mean()) if finite.any() else np.inf


def _delta_stepping(W: Matrix, sources: Array, targets: Array | None, cutoff: float, delta: float) -> Array:
    """Return the distances, of vertices beyond all targets maybe not the least."""
    distance = Vector.from_coo(sources, 0.0, size=W.nrows)
    active = distance.dup()  # those found nearer than when their edges were last looked at
    while active.nvals:
        nearest = active.reduce(monoid.min).value
        if targets is not None and _are_nearer(targets, distance, nearest):
            break
        limit = (nearest // delta + 1) * delta if delta < np.inf else np.inf
        near = active.select("<", limit).new() if limit > nearest else active.select("<=", nearest).new()
        active = active.select(~near.S).new()
        # reached_j = min_i near_i + W_ij
        reached = min_plus(near @ W).new().select("<=", cutoff).new()
        nearer = reached.select(~binary.ge(reached & distance).new().V).select("<", np.inf).new()
        distance(binary.min) << nearer
        active(binary.min) << nearer
    return dense(distance, np.inf)


def _are_nearer(targets: Array, distance: Vector, nearest: float) -> bool:
    """Whether all targets are nearer than any vertex whose edges have not been looked at: their distances are final."""
    found = distance[targets].new()
    return bool(found.nvals == len(targets) and found.reduce(monoid.max).value < nearest)


def _parents(W: Matrix, sources: Array, distances: Array) -> Array:
    """Return for each vertex that was reached the one before it: by a search along the edges of shortest paths.

    Where an edge (i, j) is part of one, d_i + W_ij equals d_j, to the last bit: d_j is the least of such sums. They
    may form cycles where some are of length 0; a search keeps out of these.
    """
    csr = W.csr
    before = distances[csr.rows()]
    tight = (before + csr.all_values() == distances[csr.indices]) & (before < np.inf)
    parents: Array = bfs(Matrix.from_storage(elementwise.kept(csr, tight)), sources).parents
    return parents


@algorithm
def all_pairs(
    A: Any, sources: Any = None, *, progress: Progress = nobody, **settings: Unpack[Settings]
) -> NDArray[np.float64]:
    """Return the lengths of shortest paths from every vertex, or from some, to every vertex.

    Parameters
    ----------
    A : Matrix
        The graph; its values are the lengths of edges, as for `sssp`.
    sources : iterable of vertices, optional
        Where to start, a row for each, in this order. Default: at every vertex.
    progress : callable, optional
        Called with the number of sources that are done, and of all.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    ndarray of float64, sources × vertices
        inf where there is no path.

    See Also
    --------
    sssp : with paths.

    Notes
    -----
    A search for each source: O(n (n + m)) times what `sssp` takes for a vertex, and 8 n² bytes.

    Examples
    --------
    >>> from lagbfs import Matrix, algorithms
    >>> algorithms.all_pairs(Matrix.from_edges([0, 1], [1, 2], weights=[2, 3]))
    array([[ 0.,  2.,  5.],
           [inf,  0.,  3.],
           [inf, inf,  0.]])
    """
    chosen = np.arange(A.nrows) if sources is None else vertices(A, "sources", sources, as_given=True)
    memory.demand(f"distances of {len(chosen):,} × {A.nrows:,} vertices", 8 * len(chosen) * A.nrows)
    check_weights(A)
    W = weights(A)
    distances = np.empty((len(chosen), A.nrows))
    for done, source in enumerate(chosen):
        progress(done, len(chosen))
        start = np.array([source])
        distances[done] = bellman_ford(W, start)[0] if A.rows.least < 0 else _distances(A, W, start)
    progress(len(chosen), len(chosen))
    return distances


@algorithm
def potentials(A: Any, **settings: Unpack[Settings]) -> NDArray[np.float64]:
    """Return numbers p of vertices with w_ij + p_i - p_j at least 0 for each edge: such lengths have the same paths.

    Parameters
    ----------
    A : Matrix
        The graph; its values are the lengths of edges, as for `sssp`.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    ndarray of float64
        At most 0; all are 0 if no length is negative. Of floats, w_ij + p_i - p_j may be less than 0 by rounding.

    Raises
    ------
    InvalidValueError
        There is a cycle of negative length; the message names some of its vertices.

    Notes
    -----
    The lengths of shortest paths to each vertex from anywhere, by Bellman and Ford: O(n m) at worst.

    References
    ----------
    D. Johnson, "Efficient algorithms for shortest paths in sparse networks", Journal of the ACM 24 (1977).

    Examples
    --------
    >>> from lagbfs import Matrix, algorithms
    >>> algorithms.potentials(Matrix.from_edges([0, 1], [1, 2], weights=[2, -3]))
    array([ 0.,  0., -3.])
    """
    check_weights(A)
    if not A.nvals or A.rows.least >= 0:
        return np.zeros(A.nrows)
    return bellman_ford(weights(A), np.arange(A.nrows))[0]


def _distances(A: Matrix, W: Matrix, sources: Array) -> Array:
    none: dict[str, Any] = {"delta": None, "cutoff": None, "targets": None}
    found = fused("all_pairs", lambda engine, threads: engine.sssp(A.rows, sources, **none, threads=threads))
    return _delta_stepping(W, sources, None, np.inf, _width(W)) if found is None else found[0]
