"""Barabási–Albert graphs: grown vertex by vertex, by preferential attachment."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import numpy as np
from numpy.typing import NDArray

from .. import backends, checks
from ..errors import InvalidValueError
from ..matrix import Matrix
from . import counter

__all__ = ["barabasi_albert"]


def barabasi_albert(n: int, m: int, *, seed: int = 1) -> Matrix:
    """Return an undirected graph grown by preferential attachment: each new vertex joins `m` earlier ones.

    A vertex is joined to with a probability in proportion to its degree, by drawing from the list of all ends of
    edges so far. It begins with a star: vertex `m` joins all before it, as in NetworkX.

    Examples
    --------
    >>> import lagbfs
    >>> lagbfs.graphs.barabasi_albert(10, 2).nrows
    10
    """
    n, m, seed = checks.integer("n", n, low=0), checks.integer("m", m, low=1), counter.seed64(seed)
    if m >= n:
        raise InvalidValueError(f"m must be less than n, not {m} with n = {n}")
    engine = backends.builder()
    dst = _attach(n, m, seed) if engine is None else engine.attach(n, m, seed, 0)
    src = np.repeat(np.arange(m, n, dtype=dst.dtype), m)
    return Matrix.from_edges(src, dst, n=n, directed=False)


def _attach(n: int, m: int, seed: int) -> NDArray[np.int64]:
    """Return the vertices that m … n - 1 join, as backends/native/random.hpp defines them."""
    # All ends of edges so far: for each vertex from m on, the m that it joined, ascending, and itself m times.
    ends = np.empty((n - m, 2, m), np.int64)
    ends[:, 1] = np.arange(m, n)[:, None]
    ends[0, 0] = np.arange(m)
    flat, draws = ends.reshape(-1), _drawn(seed)
    for i in range(1, n - m):
        chosen: set[int] = set()
        while len(chosen) < m:
            chosen.add(int(flat[(next(draws) * 2 * m * i) >> 64]))
        ends[i, 0] = sorted(chosen)
    return np.ascontiguousarray(ends[:, 0]).reshape(-1)


def _drawn(seed: int, chunk: int = 1 << 14) -> Iterator[int]:
    """Yield the words of the stream."""
    for i in count():
        yield from counter.words(seed, 0, i * chunk, chunk).tolist()
