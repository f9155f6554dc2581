"""Graphs with given degrees or parts, and random edges otherwise: random regular, bipartite."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidValueError
from ..matrix import Matrix
from . import counter

__all__ = ["bipartite", "random_regular"]


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
    n1, n2, seed = checks.integer("n1", n1, low=0), checks.integer("n2", n2, low=0), counter.seed64(seed)
    pairs = n1 * n2
    edges = pairs if k is None else checks.integer("k", k, low=0)
    if edges > pairs:
        raise InvalidValueError(f"k must be at most n1 · n2 = {pairs}, not {edges}")
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
        i, j = (counter.below(counter.words(seed, stream, drawn, more), n) for stream, n in ((0, n1), (1, n2)))
        keys, drawn = _in_order(np.concatenate([keys, i * n2 + j])), drawn + more
    return keys[:count]


def _in_order(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the keys without repetitions, each where it came first."""
    return keys[np.sort(np.unique(keys, return_index=True)[1])]


def random_regular(d: int, n: int, *, seed: int = 1) -> Matrix:
    """Return an undirected graph of `n` vertices in which each has degree `d`.

    The stubs of the edges are paired at random; then loops and parallel edges exchange an end with another edge, until
    there are none. For large graphs this is nearly, not exactly, a uniform choice among all such graphs.

    Examples
    --------
    >>> import lagbfs
    >>> set(lagbfs.graphs.random_regular(3, 10).degrees.tolist())
    {3}
    """
    d, n, seed = checks.integer("d", d, low=0), checks.integer("n", n, low=0), counter.seed64(seed)
    if d >= max(n, 1) or d * n % 2:
        raise InvalidValueError(f"d must be less than n and d · n even, not d = {d} with n = {n}")
    if 2 * d < n:
        src, dst = _regular(d, n, seed)
        return Matrix.from_edges(src, dst, n=n, directed=False)
    missing = np.zeros((n, n), bool)  # the complement is regular too, and sparser
    missing[_regular(n - 1 - d, n, seed)] = True
    src, dst = np.nonzero(np.triu(~(missing | missing.T), 1))
    return Matrix.from_edges(src, dst, n=n, directed=False)


def _regular(d: int, n: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the ends of the edges of a regular graph with d < n / 2."""
    for stream in range(0, 2000, 2):  # only tiny graphs ever need a second try
        stubs = np.repeat(np.arange(n), d)[counter.permutation(seed, stream, d * n)]
        pairing = _Pairing(stubs[0::2].copy(), stubs[1::2].copy(), n)
        if pairing.repair(seed, stream + 1):
            return pairing.src, pairing.dst
    raise AssertionError("no pairing could be repaired")


class _Pairing:
    """Edges among which there may be loops and parallel ones. How often each occurs: the sorted keys, and changes."""

    def __init__(self, src: NDArray[np.int64], dst: NDArray[np.int64], n: int) -> None:
        self.src, self.dst, self.n = src, dst, n
        self._keys = np.sort(np.minimum(src, dst) * n + np.maximum(src, dst))
        self._changes: Counter[int] = Counter()

    def repair(self, seed: int, stream: int) -> bool:
        """Exchange ends until all edges are proper; whether that came to an end."""
        bad, drawn, limit = self._improper(), 0, 200 * len(self.src) + 1000
        for edge in bad:
            while not self._proper(edge):
                if drawn > limit:
                    return False
                draw = counter.words(seed, stream, drawn, 64)
                drawn += 64
                for other in counter.below(draw, len(self.src)).tolist():
                    if self._exchange(edge, other):
                        break
        return True

    def _improper(self) -> list[int]:
        """Return the edges that are loops or not the only ones between their ends."""
        keys = np.minimum(self.src, self.dst) * self.n + np.maximum(self.src, self.dst)
        repeated = np.unique(self._keys[1:][self._keys[1:] == self._keys[:-1]])
        edges: list[int] = np.flatnonzero((self.src == self.dst) | np.isin(keys, repeated)).tolist()
        return edges

    def _key(self, u: int, v: int) -> int:
        return min(u, v) * self.n + max(u, v)

    def _times(self, key: int) -> int:
        left, right = np.searchsorted(self._keys, [key, key + 1])
        return int(right - left) + self._changes[key]

    def _ends(self, edge: int) -> tuple[int, int]:
        return int(self.src[edge]), int(self.dst[edge])

    def _proper(self, edge: int) -> bool:
        u, v = self._ends(edge)
        return u != v and self._times(self._key(u, v)) == 1

    def _exchange(self, edge: int, other: int) -> bool:
        """Exchange the second ends of two edges if both become proper; whether they did."""
        (u, v), (x, y) = self._ends(edge), self._ends(other)
        one, two = self._key(u, y), self._key(x, v)
        if u == y or x == v or one == two or self._times(one) or self._times(two):
            return False
        self.dst[edge], self.dst[other] = y, v
        self._changes.subtract([self._key(u, v), self._key(x, y)])
        self._changes.update([one, two])
        return True
