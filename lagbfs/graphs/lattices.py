"""Graphs with a place for every vertex: grids, roads, rings."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..base import checks, random_words
from ..errors import InvalidValueError
from ..storage.csr import index_dtype
from . import room

__all__ = ["grid", "road_like", "watts_strogatz"]


def grid(rows: int, columns: int, layers: int = 1, *, drop: float = 0.0, seed: int = 1) -> Matrix:
    """Return an undirected grid, each vertex joined to its neighbours in its row, column and, in 3-D, layer.

    Parameters
    ----------
    rows, columns : int
        Extent of the grid; vertex (i, j) is number ``i * columns + j``.
    layers : int
        Extent in the third dimension; vertex (i, j, k) is number ``(i * columns + j) * layers + k``.
    drop : float
        The share of edges left out, at random.
    seed : int
        Seed of the random numbers.

    Examples
    --------
    >>> import lagbfs
    >>> lagbfs.graphs.grid(2, 3).degrees.tolist()
    [2, 3, 2, 2, 3, 2]
    >>> lagbfs.graphs.grid(2, 2, 2).degrees.tolist()
    [3, 3, 3, 3, 3, 3, 3, 3]
    """
    extents = {"rows": rows, "columns": columns, "layers": layers}
    shape = [checks.integer(name, extent, low=0) for name, extent in extents.items()]
    bound, seed = random_words.chance("drop", drop), random_words.seed64(seed)
    n = math.prod(shape)
    index = index_dtype(n)
    room.demand(n, sum(n - n // extent for extent in shape if extent), width=np.dtype(index).itemsize)
    number = np.arange(n, dtype=index).reshape(shape)
    pairs = [_neighbours(number, axis) for axis in (1, 0, 2)]
    src, dst = (np.concatenate(ends) for ends in zip(*pairs, strict=True))
    if bound:
        keep = ~random_words.happens(random_words.words(seed, 0, 0, len(src)), bound)
        src, dst = src[keep], dst[keep]
    return Matrix.from_edges(src, dst, n=number.size, directed=False)


def _neighbours(number: NDArray[Any], axis: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the numbers of all vertices that have a next one along an axis, and of those."""
    along = np.moveaxis(number, axis, 0)
    return along[:-1].ravel(), along[1:].ravel()


# A street leads from a junction to the next in its row or column. With 22 % of them missing and 0.8 vertices on each
# on average, the mean degree comes to 2 · 1.56 · 1.8 / (1 + 1.56 · 0.8) = 2.5.
_MISSING = 0.22
_BENDS = (0.4, 0.8)  # probability of no vertex on a street, and of at most one; else there are two


def road_like(n: int, *, seed: int = 1) -> Matrix:
    """Return an undirected graph like a road network: mean degree about 2.5, diameter growing as the square root.

    Junctions lie on a square grid; some of the streets between neighbours are missing, and a street has up to two
    vertices on its way. Numbers follow the rows, those on a street the junction that it starts from. Nearly all
    vertices are in one component, a few are cut off.

    Parameters
    ----------
    n : int
        Number of vertices.
    seed : int
        Seed of the random numbers.

    Examples
    --------
    >>> import lagbfs
    >>> A = lagbfs.graphs.road_like(10_000)
    >>> A.nrows, round(A.degree_stats.mean, 1)
    (10000, 2.5)
    """
    n, seed = checks.integer("n", n, low=0), random_words.seed64(seed)
    room.demand(n, n + n // 4)
    columns = max(round((n / 2.25) ** 0.5), 1)
    rows = -(-min(n, n * 6 // 10 + 1000) // columns)  # more than enough: what is numbered beyond n is cut off
    present = _has_next(rows, columns) & ~_drawn(seed, 0, rows * columns, _MISSING)
    bends = np.where(present, _bends(seed, rows * columns), 0)
    number = np.cumsum(1 + bends.sum(axis=1)) - 1 - bends.sum(axis=1)
    src, dst = _streets(number, present, bends, columns)
    within = (src < n) & (dst < n)
    return Matrix.from_edges(src[within], dst[within], n=n, directed=False)


def _has_next(rows: int, columns: int) -> NDArray[np.bool_]:
    """Return, for each junction, whether there is a next one in its row, and in its column."""
    junction = np.arange(rows * columns)
    return np.stack([junction % columns < columns - 1, junction < (rows - 1) * columns], axis=1)


def _drawn(seed: int, stream: int, junctions: int, share: float) -> NDArray[np.bool_]:
    """Return what happens with a probability to each street, two for each junction."""
    return random_words.happens(
        random_words.words(seed, stream, 0, 2 * junctions), random_words.chance("share", share)
    ).reshape(-1, 2)


def _bends(seed: int, junctions: int) -> NDArray[np.int64]:
    """Return how many vertices there are on each street."""
    none, at_most_one = (_drawn(seed, 1, junctions, share) for share in _BENDS)  # of the same words
    return 2 - none.astype(np.int64) - at_most_one


def _streets(number: Any, present: Any, bends: Any, columns: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the edges of all streets: from the junction, over the vertices on it, to the next junction."""
    junction, way = np.nonzero(present)
    on_it = bends[junction, way]
    start, end = number[junction], number[junction + np.where(way == 0, 1, columns)]
    first = start + 1 + np.where(way == 1, bends[junction, 0], 0)  # the vertices on the street: first, first + 1, …
    two = on_it == 2
    some = on_it > 0
    src = np.concatenate([start, (first + on_it - 1)[some], first[two]])
    dst = np.concatenate([np.where(some, first, end), end[some], first[two] + 1])
    return src, dst


def watts_strogatz(n: int, k: int, p: float, *, seed: int = 1) -> Matrix:
    """Return an undirected small world: a ring of `n` vertices, each joined to its `k` nearest, some edges rewired.

    Parameters
    ----------
    n : int
        Number of vertices.
    k : int
        Neighbours of each on the ring; an odd `k` counts as ``k - 1``, as in NetworkX.
    p : float
        The share of edges whose second end moves to a random vertex, to which there was no edge. In the rare case
        that a few tries find none, the edge stays.
    seed : int
        Seed of the random numbers.

    Examples
    --------
    >>> import lagbfs
    >>> lagbfs.graphs.watts_strogatz(20, 4, 0.1).nvals
    80
    """
    n, k, bound = checks.integer("n", n, low=0), checks.integer("k", k, low=0), random_words.chance("p", p)
    if k >= n:
        raise InvalidValueError(f"k must be less than n, not {k} with n = {n}")
    seed, half = random_words.seed64(seed), k // 2
    room.demand(n, n * half)
    src = np.tile(np.arange(n), half)
    dst = (src + np.repeat(np.arange(1, half + 1), n)) % n
    moving = np.flatnonzero(random_words.happens(random_words.words(seed, 0, 0, len(src)), bound))
    dst[moving] = _rewired(src[moving], dst[moving], n, half, seed)
    return Matrix.from_edges(src, dst, n=n, directed=False)


_TRIES = 32


def _rewired(src: NDArray[Any], dst: NDArray[Any], n: int, half: int, seed: int) -> NDArray[Any]:
    """Return new second ends, none of which makes an edge of the ring or one that another has become."""
    moved, taken, open_ = dst.copy(), np.empty(0, np.int64), np.arange(len(src))
    for tries in range(_TRIES):
        if not len(open_):
            break
        end = random_words.below(random_words.words(seed, 1 + tries, 0, len(open_)), n)
        start = src[open_]
        away = np.abs(start - end)
        key = np.minimum(start, end) * n + np.maximum(start, end)
        fresh = (np.minimum(away, n - away) > half) & ~np.isin(key, taken)
        fresh[np.setdiff1d(np.arange(len(key)), _first_of_each(key))] = False
        moved[open_[fresh]], taken = end[fresh], np.concatenate([taken, key[fresh]])
        open_ = open_[~fresh]
    return moved


def _first_of_each(keys: NDArray[Any]) -> NDArray[Any]:
    return np.unique(keys, return_index=True)[1]
