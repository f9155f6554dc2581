"""Random graphs, the same on every machine for the same seed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidValueError
from ..matrix import Matrix

__all__ = ["kronecker", "uniform"]

# The initiator of Graph500: the probabilities of the four quadrants of the adjacency.
A, B, C = 0.57, 0.19, 0.19


def kronecker(scale: int, edge_factor: int = 16, *, seed: int = 1) -> Matrix:
    """Return a Kronecker graph as Graph500 defines it: undirected, 2^scale vertices, their labels permuted.

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
        src |= (quadrant >= A + B).astype(np.int64) << bit
        lower_right = quadrant >= A + B + C
        dst |= (((quadrant >= A) & (quadrant < A + B)) | lower_right).astype(np.int64) << bit
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


def _scale(scale: int) -> int:
    scale = checks.integer("scale", scale, low=0)
    if scale > 40:
        raise InvalidValueError(f"scale must be at most 40 (2^40 vertices), not {scale}")
    return scale


def _undirected(src: NDArray[np.int64], dst: NDArray[np.int64], n: int) -> Matrix:
    return Matrix.from_edges(src, dst, n=n, directed=False, drop_loops=True)
