"""Random regular graphs: every vertex of one degree."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..base import checks, random_words
from ..errors import InvalidValueError
from . import room

__all__ = ["random_regular"]


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
    d, n, seed = checks.integer("d", d, low=0), checks.integer("n", n, low=0), random_words.seed64(seed)
    if d >= max(n, 1) or d * n % 2:
        raise InvalidValueError(f"d must be less than n and d · n even, not d = {d} with n = {n}")
    room.demand(n, d * n // 2)
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
        stubs = np.repeat(np.arange(n), d)[random_words.permutation(seed, stream, d * n)]
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
                draw = random_words.words(seed, stream, drawn, 64)
                drawn += 64
                for other in random_words.below(draw, len(self.src)).tolist():
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
