"""Bipartite graphs: complete, or of random edges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..base import checks, random_words
from ..errors import InvalidValueError
from . import room

__all__ = ["bipartite"]


def bipartite(n1: int, n2: int, k: int | None = None, *, seed: int = 1) -> Matrix:
    """Return an undirected graph of two parts, 0 … n1 - 1 and n1 … n1 + n2 - 1, with edges from one to the other.

    Parameters
    ----------
    n1, n2 : int
        Sizes of the parts.
    k : int, optional
        Number of edges, chosen at random among all possible. Default: all of them, the complete bipartite graph.
    seed : int
        Seed of the random numbers.

    Examples
    --------
    >>> import lagbfs
    >>> lagbfs.graphs.bipartite(2, 3).degrees.tolist()
    [3, 3, 2, 2, 2]
    >>> lagbfs.graphs.bipartite(20, 30, 50).nvals
    100
    """
    n1, n2, seed = checks.integer("n1", n1, low=0), checks.integer("n2", n2, low=0), random_words.seed64(seed)
    pairs = n1 * n2
    edges = pairs if k is None else checks.integer("k", k, low=0)
    if edges > pairs:
        raise InvalidValueError(f"k must be at most n1 · n2 = {pairs}, not {edges}")
    room.demand(n1 + n2, edges)
    if 2 * edges > pairs:  # what is left out is less
        keys = np.setdiff1d(np.arange(pairs), _pairs(n1, n2, pairs - edges, seed), assume_unique=True)
    else:
        keys = _pairs(n1, n2, edges, seed)
    return Matrix.from_edges(keys // max(n2, 1), n1 + keys % max(n2, 1), n=n1 + n2, directed=False)


def _pairs(n1: int, n2: int, count: int, seed: int) -> NDArray[np.int64]:
    """Return `count` different pairs (i, j), at most half of all, as i · n2 + j: the first that are drawn."""
    keys, drawn = np.empty(0, np.int64), 0
    while len(keys) < count:
        more = (count - len(keys)) * 17 // 16 + 16
        i, j = (
            random_words.below(random_words.words(seed, stream, drawn, more), n) for stream, n in ((0, n1), (1, n2))
        )
        keys, drawn = _in_order(np.concatenate([keys, i * n2 + j])), drawn + more
    return keys[:count]


def _in_order(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the keys without repetitions, each where it came first."""
    return keys[np.sort(np.unique(keys, return_index=True)[1])]
