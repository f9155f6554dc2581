"""Random graphs, the same on every machine for the same seed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidValueError
from ..matrix import Matrix

__all__ = ["barabasi_albert", "grid", "kronecker", "uniform"]

# The initiator of Graph500: the probabilities of the four quadrants of the adjacency.
_A, _B, _C = 0.57, 0.19, 0.19


def kronecker(scale: int, edge_factor: int = 16, *, seed: int = 1) -> Matrix:
    """Return a Kronecker graph as Graph500 defines it: undirected, 2^scale vertices, numbered at random.

    Parameters
    ----------
    scale : int
        Binary logarithm of the number of vertices.
    edge_factor : int
        Edges drawn for each vertex; loops and duplicates among them are left out.
    seed : int
        Seed of the random numbers.

    Examples
    --------
    >>> import lagbfs
    >>> lagbfs.graphs.kronecker(4, 2).shape
    (16, 16)
    """
    scale = _scale(scale)
    rng = np.random.default_rng(checks.integer("seed", seed, low=0))
    n = 1 << scale
    m = n * checks.integer("edge_factor", edge_factor, low=1)
    src, dst = np.zeros(m, np.int64), np.zeros(m, np.int64)
    for bit in range(scale):
        quadrant = rng.random(m)
        src |= (quadrant >= _A + _B).astype(np.int64) << bit
        lower_right = quadrant >= _A + _B + _C
        dst |= (((quadrant >= _A) & (quadrant < _A + _B)) | lower_right).astype(np.int64) << bit
    names = rng.permutation(n)
    return _undirected(names[src], names[dst], n)


def uniform(scale: int, edge_factor: int = 16, *, seed: int = 1) -> Matrix:
    """Return an undirected graph of 2^scale vertices whose edges join any two with the same probability.

    Examples
    --------
    >>> import lagbfs
    >>> lagbfs.graphs.uniform(4, 2).is_symmetric
    True
    """
    scale = _scale(scale)
    rng = np.random.default_rng(checks.integer("seed", seed, low=0))
    n = 1 << scale
    ends = rng.integers(0, n, (2, n * checks.integer("edge_factor", edge_factor, low=1)))
    return _undirected(ends[0], ends[1], n)


def grid(rows: int, columns: int, *, drop: float = 0.0, seed: int = 1) -> Matrix:
    """Return an undirected grid, each vertex joined to its neighbours in its row and column.

    Parameters
    ----------
    rows, columns : int
        Extent of the grid; vertex (i, j) is number ``i * columns + j``.
    drop : float
        The share of edges left out, at random.
    seed : int
        Seed of the random numbers.

    Examples
    --------
    >>> import lagbfs
    >>> lagbfs.graphs.grid(2, 3).degrees.tolist()
    [2, 3, 2, 2, 3, 2]
    """
    rows, columns = checks.integer("rows", rows, low=0), checks.integer("columns", columns, low=0)
    if not 0 <= drop <= 1:
        raise InvalidValueError(f"drop must lie in [0, 1], not {drop}")
    number = np.arange(rows * columns).reshape(rows, columns)
    src = np.concatenate([number[:, :-1].ravel(), number[:-1].ravel()])
    dst = np.concatenate([number[:, 1:].ravel(), number[1:].ravel()])
    keep = np.random.default_rng(checks.integer("seed", seed, low=0)).random(len(src)) >= drop
    return _undirected(src[keep], dst[keep], rows * columns)


def barabasi_albert(n: int, m: int, *, seed: int = 1) -> Matrix:
    """Return an undirected graph grown by preferential attachment: each new vertex joins `m` earlier ones.

    A vertex is joined to with a probability in proportion to its degree, by drawing from the list of all ends of
    edges so far.

    Examples
    --------
    >>> import lagbfs
    >>> lagbfs.graphs.barabasi_albert(10, 2).nrows
    10
    """
    n, m = checks.integer("n", n, low=0), checks.integer("m", m, low=1)
    if m >= n:
        raise InvalidValueError(f"m must be less than n, not {m} with n = {n}")
    rng = np.random.default_rng(checks.integer("seed", seed, low=0))
    ends = np.empty(2 * m * (n - m), np.int64)
    for i, new in enumerate(range(m, n)):
        filled = 2 * m * i
        chosen = set(range(m)) if not i else set()
        while len(chosen) < m:
            chosen.add(int(ends[rng.integers(filled)]))
        ends[filled : filled + m] = sorted(chosen)
        ends[filled + m : filled + 2 * m] = new
    pairs = ends.reshape(-1, 2, m)
    return _undirected(pairs[:, 0].ravel(), pairs[:, 1].ravel(), n)


def _scale(scale: int) -> int:
    scale = checks.integer("scale", scale, low=0)
    if scale > 40:
        raise InvalidValueError(f"scale must be at most 40 (2^40 vertices), not {scale}")
    return scale


def _undirected(src: NDArray[np.int64], dst: NDArray[np.int64], n: int) -> Matrix:
    return Matrix.from_edges(src, dst, n=n, directed=False, drop_loops=True)
