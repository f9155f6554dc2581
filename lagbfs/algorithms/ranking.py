"""Ranks of vertices by those that point to them: PageRank, hubs and authorities, eigenvector and Katz centrality."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..base import checks
from ..errors import ConvergenceError, DimensionError, InvalidValueError
from ..operators.semiring import plus_first, plus_times
from .common import Settings, algorithm, check_weights, dense, full, fused, log, weights

__all__ = ["eigenvector", "hits", "katz", "pagerank"]

Floats = NDArray[np.float64]


@algorithm
def pagerank(
    A: Any,
    damping: float = 0.85,
    tol: float = 1e-6,
    *,
    max_iter: int = 100,
    personalization: Any = None,
    start: Any = None,
    dangling: Any = None,
    weighted: bool = True,
    **settings: Unpack[Settings],
) -> Floats:
    """Return the PageRank of each vertex: where a walk along random edges is found, in the long run.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; its values are the weights of edges, none of them negative.
    damping : float
        How likely the walk follows an edge, in [0, 1]; otherwise it goes on at any vertex.
    tol : float
        It ends when Σ |r' - r| is less than n · tol, as in NetworkX.
    max_iter : int
        After how many iterations it gives up, by a ConvergenceError.
    personalization, start, dangling : mapping or array_like, optional
        Weights by vertex, none negative, not all 0, scaled to sum to 1: where the walk goes on if it follows no edge;
        where it starts; and where it goes on from vertices without out-edges. A mapping is from vertices, by label
        if the graph has labels; those that it lacks have 0. Default: 1/n each; for `dangling` as `personalization`.
    weighted : bool
        Whether values are weights; if not, all edges are alike.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    ndarray of float64
        The ranks, which sum to 1.

    Notes
    -----
    The power iteration, a product over all edges each time; the error falls by the factor `damping` at least.

    References
    ----------
    L. Page, S. Brin, R. Motwani, T. Winograd, "The PageRank citation ranking", Stanford InfoLab 1999-66 (1999).

    Examples
    --------
    >>> from lagbfs import Matrix, pagerank
    >>> pagerank(Matrix.from_edges([0, 1, 2, 3], [1, 0, 1, 1])).round(3)
    array([0.445, 0.48 , 0.038, 0.038])
    """
    damping, tol = checks.real("damping", damping, low=0, high=1), checks.real("tol", tol, low=0)
    max_iter = checks.integer("max_iter", max_iter, low=1, high=checks.INT32_MAX)
    given = {"personalization": personalization, "start": start, "dangling": dangling}
    shares = {name: None if value is None else _shares(A, name, value) for name, value in given.items()}
    if not A.nrows:
        return np.zeros(0)
    if weighted:
        check_weights(A, low=0)
        _check_sum(A)
    options: dict[str, Any] = {"damping": damping, "tol": tol * A.nrows, "max_iter": max_iter, **shares}
    options["weighted"] = weighted and not (A.is_iso and A.csr.values.all())
    found = fused("pagerank", lambda engine, threads: engine.pagerank(A.rows, **options, threads=threads))
    ranks, iterations, error = found or _pagerank(A, **options)
    return _converged("pagerank", ranks, iterations, error, options["tol"])


def _check_sum(A: Matrix) -> None:
    """Raise if weights are infinite, or add up to what is."""
    values = A.csr.values
    with np.errstate(over="ignore"):
        if values.dtype.kind == "f" and not np.isfinite(values.sum(dtype=np.float64) * (A.nvals if A.is_iso else 1)):
            raise InvalidValueError("A must hold weights whose sum is finite")


def _pagerank(
    A: Matrix,
    *,
    damping: float,
    tol: float,
    max_iter: int,
    personalization: Floats | None,
    start: Floats | None,
    dangling: Floats | None,
    weighted: bool,
) -> tuple[Floats, int, float]:
    W = weights(A) if weighted else A
    n, times = A.nrows, _product(W, weighted)
    everywhere = np.full(n, 1 / n)
    home = everywhere if personalization is None else personalization
    lost_to = home if dangling is None else dangling
    rank, out = everywhere if start is None else start, _sums(W) if weighted else A.degrees.astype(float)
    ends = out == 0
    scale = np.divide(damping, out, out=np.zeros(n), where=~ends)
    iterations, error = 0, np.inf
    while iterations < max_iter and not error < tol:
        lost = damping * rank[ends].sum()
        # rank_j = (1 - d) · home_j + d · lost · lost_to_j + Σ_i d · rank_i / out_i · W_ij
        after = times(rank * scale) + lost * lost_to + (1 - damping) * home
        rank, error = after, float(np.abs(after - rank).sum())
        iterations += 1
    return rank, iterations, error


@algorithm
def hits(
    A: Any, tol: float = 1e-8, *, max_iter: int = 100, weighted: bool = True, **settings: Unpack[Settings]
) -> tuple[Floats, Floats]:
    """Return how good a hub and how good an authority each vertex is: good hubs point to good authorities.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; its values are the weights of edges.
    tol : float
        It ends when authorities, the largest of them 1, change by less than this in sum.
    max_iter : int
        After how many iterations it gives up, by a ConvergenceError.
    weighted : bool
        Whether values are weights; if not, all edges are alike.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    hubs, authorities : ndarray of float64
        Both sum to 1; all are 0 if there are no edges.

    Notes
    -----
    a = Aᵀ h and h = A a, repeated: two products over all edges each time.

    References
    ----------
    J. Kleinberg, "Authoritative sources in a hyperlinked environment", Journal of the ACM 46 (1999).

    Examples
    --------
    >>> from lagbfs import Matrix, algorithms
    >>> hubs, authorities = algorithms.hits(Matrix.from_edges([0, 0, 1], [1, 2, 2]))
    >>> hubs.round(3), authorities.round(3)
    (array([0.618, 0.382, 0.   ]), array([0.   , 0.382, 0.618]))
    """
    tol, max_iter = checks.real("tol", tol, low=0), checks.integer("max_iter", max_iter, low=1, high=checks.INT32_MAX)
    W = _weighted(A, weighted, low=0)
    forwards, backwards = _product(W, weighted), _product(W.T, weighted)
    n = A.nrows
    authority = np.full(n, 1 / max(n, 1))

    def step(authority: Floats) -> Floats:
        # authority = (A authority) Aᵀ, the largest of them 1
        after = forwards(backwards(authority))
        return after / (after.max(initial=0) or 1)

    authority = _iterate("hits", step, authority, tol, max_iter)
    hub = backwards(authority)
    return hub / (hub.sum() or 1), authority / (authority.sum() or 1)


@algorithm
def eigenvector(
    A: Any,
    tol: float = 1e-6,
    *,
    max_iter: int = 100,
    start: Any = None,
    weighted: bool = False,
    **settings: Unpack[Settings],
) -> Floats:
    """Return the eigenvector centrality of each vertex: in proportion to the sum over those that point to it.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`.
    tol : float
        It ends when Σ |x' - x| is less than n · tol, as in NetworkX.
    max_iter : int
        After how many iterations it gives up, by a ConvergenceError.
    start : mapping or array_like, optional
        Weights by vertex to start from, as for `pagerank`. Default: all alike.
    weighted : bool
        Whether values are weights; if not, all edges are alike.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    ndarray of float64
        Of length 1, by Euclid.

    Notes
    -----
    The power iteration x = x (A + I), a product over all edges each time, scaled to length 1.

    References
    ----------
    P. Bonacich, "Power and centrality: a family of measures", American Journal of Sociology 92 (1987).

    Examples
    --------
    >>> from lagbfs import algorithms, graphs
    >>> algorithms.eigenvector(graphs.star(4)).round(3)
    array([0.707, 0.354, 0.354, 0.354, 0.354])
    """
    tol, max_iter = checks.real("tol", tol, low=0), checks.integer("max_iter", max_iter, low=1, high=checks.INT32_MAX)
    n = A.nrows
    x = np.full(n, 1 / max(n, 1)) if start is None else _shares(A, "start", start)
    times = _product(_weighted(A, weighted), weighted)

    def step(x: Floats) -> Floats:
        # x_j = x_j + Σ_i x_i A_ij, of length 1
        after = x + times(x)
        return after / (np.linalg.norm(after) or 1)

    return _iterate("eigenvector", step, x, n * tol, max_iter)


@algorithm
def katz(
    A: Any,
    alpha: float = 0.1,
    beta: Any = 1.0,
    tol: float = 1e-6,
    *,
    max_iter: int = 1000,
    normalized: bool = True,
    weighted: bool = False,
    **settings: Unpack[Settings],
) -> Floats:
    """Return the Katz centrality of each vertex: walks that lead to it, each step counting alpha times the one before.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`.
    alpha : float
        What a step counts; must be less than 1/λ, λ the largest eigenvalue of A, or there is no limit.
    beta : float, mapping or array_like
        What each vertex has by itself.
    tol : float
        It ends when Σ |x' - x| is less than n · tol, as in NetworkX.
    max_iter : int
        After how many iterations it gives up, by a ConvergenceError.
    normalized : bool
        Whether the result is scaled to length 1, by Euclid.
    weighted : bool
        Whether values are weights; if not, all edges are alike.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    ndarray of float64

    Notes
    -----
    x = α x A + β, repeated: a product over all edges each time.

    References
    ----------
    L. Katz, "A new status index derived from sociometric analysis", Psychometrika 18 (1953).

    Examples
    --------
    >>> from lagbfs import Matrix, algorithms
    >>> algorithms.katz(Matrix.from_edges([0, 1], [2, 2]), normalized=False)
    array([1. , 1. , 1.2])
    """
    alpha, tol = checks.real("alpha", alpha), checks.real("tol", tol, low=0)
    max_iter = checks.integer("max_iter", max_iter, low=1, high=checks.INT32_MAX)
    own = checks.real("beta", beta) if checks.is_number(beta) else by_vertex(A, "beta", beta)
    times = _product(_weighted(A, weighted), weighted)
    # x_j = α Σ_i x_i A_ij + β_j
    x = _iterate("katz", lambda x: alpha * times(x) + own, np.zeros(A.nrows), A.nrows * tol, max_iter)
    return x / (np.linalg.norm(x) or 1) if normalized else x


def _weighted(A: Matrix, weighted: bool, low: float = -np.inf) -> Matrix:
    """Return the matrix of weights, checked, or A itself where values are none."""
    if not weighted:
        return A
    check_weights(A, low=low)
    return weights(A)


def _product(W: Matrix, weighted: bool) -> Callable[[Floats], Floats]:
    """Return what multiplies a row of numbers by a matrix: y_j = Σ_i x_i W_ij, or Σ_i x_i over its entries."""
    semiring = plus_times if weighted else plus_first
    return lambda x: dense(semiring(full(x) @ W))


def _sums(W: Matrix) -> Floats:
    """Return the sum of each row."""
    return dense(W.reduce_rowwise())


def _iterate(name: str, step: Callable[[Floats], Floats], x: Floats, tol: float, max_iter: int) -> Floats:
    """Return the limit of x = step(x): x when it changes by less than `tol` in sum."""
    iterations, error = 0, np.inf if len(x) else -1.0
    while iterations < max_iter and not error < tol:
        x, before = step(x), x
        iterations, error = iterations + 1, float(np.abs(x - before).sum())
    return _converged(name, x, iterations, error, tol)


def _converged(name: str, x: Floats, iterations: int, error: float, tol: float) -> Floats:
    """Return the result of an iteration; raise if it is not close enough."""
    log.debug("%s: %d iterations, error %g", name, iterations, error)
    if not error < tol:
        raise ConvergenceError(
            f"{name} has not converged after max_iter = {iterations} iterations: the last changed it by {error:g}, "
            f"and that must be less than {tol:g}"
        )
    return x


def _shares(A: Matrix, name: str, value: Any) -> Floats:
    """Return numbers by vertex that sum to 1, in proportion to those given, which must not be negative."""
    numbers = by_vertex(A, name, value)
    if numbers.min(initial=0) < 0 or not 0 < numbers.sum() < np.inf:
        raise InvalidValueError(f"{name} must be finite, not negative, and more than 0 for some vertex")
    shares: Floats = numbers / numbers.sum()
    return shares


def by_vertex(A: Matrix, name: str, value: Any) -> Floats:
    """Return a number for each vertex, as float64: from an array of them, or from a mapping, 0 for those it lacks."""
    if isinstance(value, Mapping):
        numbers = np.zeros(A.nrows)
        for vertex, number in value.items():
            numbers[A.index_of(vertex, name)] = checks.real(f"{name}[{vertex!r}]", number)
        return numbers
    numbers = checks.numeric(name, value).astype(np.float64)
    if numbers.shape != (A.nrows,):
        raise DimensionError(f"{name} must have a number for each of {A.nrows} vertices, not the shape {numbers.shape}")
    if not np.isfinite(numbers).all():
        raise InvalidValueError(f"{name} must be finite")
    return numbers
