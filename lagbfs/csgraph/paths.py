"""Shortest paths, as `scipy.sparse.csgraph` has them.

Where weights are negative, and for dense graphs by Floyd and Warshall's way, they are SciPy's own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csgraph as theirs

from ..algebra.matrix import Matrix
from ..algorithms import bfs_many, sssp
from ..base import checks, memory
from ..errors import InvalidValueError
from ..search.bfs import bfs
from .given import graph
from .traversal import NOWHERE

__all__ = ["bellman_ford", "dijkstra", "johnson", "shortest_path"]

Found = tuple[NDArray[np.float64], NDArray[np.int32]]


def dijkstra(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
    limit: float = np.inf,
    min_only: bool = False,
) -> Any:
    """Return the lengths of shortest paths from vertices, as SciPy's function of this name does.

    Parameters
    ----------
    csgraph : Matrix, sparse array or array
        The graph, N × N, with lengths of edges that are not negative. A large CSR array that was given before
        is converted again only if it has changed.
    directed : bool
        Whether edges lead one way; if not, also from j to i along ``csgraph[i, j]``.
    indices : int or array_like of int, optional
        Where to start; default: at each vertex.
    return_predecessors : bool
        Whether the second result is wanted.
    unweighted : bool
        Whether each edge is of length 1: by breadth-first searches.
    limit : float
        Vertices further than this are not reached.
    min_only : bool
        Whether, of all `indices`, only the path from the nearest is wanted for each vertex.

    Returns
    -------
    dist_matrix : ndarray of float64, indices × N, or N with `min_only` or a single one
        The lengths, inf where there is no path.
    predecessors : ndarray of int32 of the same shape
        The vertex before each on its path; -9999 where there is none.
    sources : ndarray of int32, N
        With `min_only`: the nearest of the indices; -9999 for vertices that are not reached.

    Examples
    --------
    >>> from lagbfs import csgraph
    >>> csgraph.dijkstra([[0, 1, 2, 0], [0, 0, 0, 1], [2, 0, 0, 3], [0, 0, 0, 0]], indices=0, return_predecessors=True)
    (array([0., 1., 2., 2.]), array([-9999,     0,     0,     1], dtype=int32))
    """
    A = graph(csgraph, directed=directed, weights=not unweighted)
    if not limit >= 0:
        raise InvalidValueError(f"limit must be at least 0, not {limit}")
    if not unweighted and _has_negative(A):
        options = {"limit": limit, "min_only": min_only}
        return theirs.dijkstra(A.to_scipy(), True, indices, return_predecessors, unweighted, **options)
    ways = _by_levels if unweighted else _by_lengths
    if min_only:
        return _nearest(A, ways, _sources(indices, A.nrows), limit, return_predecessors)
    return _from_each(A, unweighted, indices, limit, return_predecessors)


def bellman_ford(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
) -> Any:
    """Return the lengths of shortest paths from vertices, as SciPy's function of this name does.

    Parameters are those of `dijkstra`; lengths may be negative. A cycle of negative length raises `NegativeCycleError`.
    """
    return _of_any_lengths(theirs.bellman_ford, csgraph, directed, indices, return_predecessors, unweighted)


def johnson(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
) -> Any:
    """Return the lengths of shortest paths from vertices, as SciPy's function of this name does.

    Parameters are those of `dijkstra`; lengths may be negative. A cycle of negative length raises `NegativeCycleError`.
    """
    return _of_any_lengths(theirs.johnson, csgraph, directed, indices, return_predecessors, unweighted)


def shortest_path(
    csgraph: Any,
    method: str = "auto",
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
    overwrite: bool = False,
    indices: Any = None,
) -> Any:
    """Return the lengths of shortest paths, as SciPy's function of this name does.

    Parameters are those of `dijkstra`, and

    Parameters
    ----------
    csgraph : Matrix, sparse array or array
        The graph, N × N.
    method : {"auto", "FW", "D", "BF", "J"}
        Floyd and Warshall's way, which is SciPy's own, `dijkstra`, `bellman_ford` or `johnson`. By default, the first
        for all pairs of a dense graph, otherwise the second, or the last if there are negative lengths.
    directed, return_predecessors, unweighted, indices
        As in `dijkstra`.
    overwrite : bool
        Whether Floyd and Warshall's way may overwrite `csgraph`.
    """
    ways = {"D": dijkstra, "BF": bellman_ford, "J": johnson}
    if method not in ("auto", "FW", *ways):
        raise InvalidValueError(f"method must be 'auto', 'FW', 'D', 'BF' or 'J', not {method!r}")
    if method in ways:
        return ways[method](csgraph, directed, indices, return_predecessors, unweighted)
    if method == "auto":
        A = graph(csgraph, directed=directed, weights=not unweighted)
        if indices is not None or A.nvals <= A.nrows**2 // 4:
            way = johnson if not unweighted and _has_negative(A) else dijkstra
            return way(A, True, indices, return_predecessors, unweighted)
    given = csgraph.to_scipy() if isinstance(csgraph, Matrix) else csgraph
    return theirs.shortest_path(given, method, directed, return_predecessors, unweighted, overwrite, indices)


def _of_any_lengths(
    scipys: Callable[..., Any], csgraph: Any, directed: bool, indices: Any, return_predecessors: bool, unweighted: bool
) -> Any:
    """Return what `dijkstra` does unless there are negative lengths, then what SciPy does."""
    A = graph(csgraph, directed=directed, weights=not unweighted)
    if unweighted or not _has_negative(A):
        return dijkstra(A, True, indices, return_predecessors, unweighted)
    return scipys(A.to_scipy(), True, indices, return_predecessors, unweighted)


def _has_negative(A: Matrix) -> bool:
    return bool(A.nvals and A.rows.least < 0)


def _sources(indices: Any, n: int) -> NDArray[np.int64]:
    """Return where to start, in the shape in which it was said; what is negative counts from the end."""
    if indices is None:
        return np.arange(n)
    given = np.asarray(indices)
    flat = checks.index_array("indices", np.where(given < 0, given + n, given).reshape(-1), n)
    return flat.astype(np.int64).reshape(given.shape)


def _by_lengths(A: Matrix, sources: Any, limit: float) -> tuple[NDArray[Any], NDArray[Any]]:
    found = sssp(A, sources, cutoff=None if limit == np.inf else limit)
    return found.distances, found.parents


def _depth(limit: float) -> int | None:
    return None if limit == np.inf else int(limit)


def _by_levels(A: Matrix, sources: Any, limit: float) -> tuple[NDArray[Any], NDArray[Any]]:
    t = bfs(A, sources, levels=True, max_depth=_depth(limit))
    return np.where(t.levels < 0, np.inf, t.levels), t.parents


def _from_each(A: Matrix, unweighted: bool, indices: Any, limit: float, return_predecessors: bool) -> Any:
    """Return lengths, and predecessors if asked for, from each source."""
    sources = _sources(indices, A.nrows)
    memory.demand(
        f"distances of {sources.size:,} × {A.nrows:,} vertices",
        (12 if return_predecessors else 8) * sources.size * A.nrows,
    )
    each = _levels_of_each if unweighted and sources.size > 1 else partial(_one_by_one, unweighted)
    found = each(A, sources.reshape(-1), limit, return_predecessors)
    whole = (*sources.shape, A.nrows)
    return tuple(rows.reshape(whole) for rows in found) if return_predecessors else found[0].reshape(whole)


def _levels_of_each(A: Matrix, sources: NDArray[Any], limit: float, return_predecessors: bool) -> tuple[Any, ...]:
    """Search from all sources at once."""
    t = bfs_many(A, sources, parents=return_predecessors, max_depth=_depth(limit))
    levels, parents = t.levels, t.parents if return_predecessors else None
    assert levels is not None
    lengths = np.where(levels < 0, np.inf, levels)
    if parents is None:
        return (lengths,)
    before = parents.astype(np.int32)
    before[before < 0] = NOWHERE
    before[np.arange(len(sources)), sources] = NOWHERE
    return lengths, before


def _one_by_one(
    unweighted: bool, A: Matrix, sources: NDArray[Any], limit: float, return_predecessors: bool
) -> tuple[Any, ...]:
    """Search from one source after the other."""
    ways = _by_levels if unweighted else _by_lengths
    lengths = np.empty((len(sources), A.nrows))
    before = np.empty(lengths.shape, np.int32) if return_predecessors else None
    for i, source in enumerate(sources.tolist()):
        lengths[i], parents = ways(A, source, limit)
        if before is not None:
            before[i] = _predecessors(parents, source)
    return (lengths,) if before is None else (lengths, before)


def _nearest(A: Matrix, ways: Any, sources: NDArray[Any], limit: float, return_predecessors: bool) -> Any:
    """Return lengths from the nearest source, and predecessors and that source if asked for."""
    nothing = np.full(A.nrows, np.inf), np.full(A.nrows, -1)
    lengths, parents = ways(A, sources.reshape(-1), limit) if sources.size else nothing
    if not return_predecessors:
        return lengths
    return lengths, _predecessors(parents, sources.reshape(-1)), _roots(parents)


def _predecessors(parents: NDArray[Any], sources: Any) -> NDArray[np.int32]:
    found = parents.astype(np.int32)
    found[found < 0] = NOWHERE
    found[sources] = NOWHERE
    return found


def _roots(parents: NDArray[Any]) -> NDArray[np.int32]:
    """Return where the path to each vertex begins: parents of parents, until nothing changes."""
    reached = parents >= 0
    roots = np.where(reached, parents, np.arange(len(parents)))
    while (roots != (next_ := roots[roots])).any():
        roots = next_
    return np.where(reached, roots, NOWHERE).astype(np.int32)
