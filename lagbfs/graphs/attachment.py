"""Barabási–Albert graphs: grown vertex by vertex, by preferential attachment."""

from __future__ import annotations

import numpy as np

from .. import host
from ..algebra.matrix import Matrix
from ..base import checks, random_words
from ..errors import InvalidValueError
from . import room

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
    n, m, seed = checks.integer("n", n, low=0), checks.integer("m", m, low=1), random_words.seed64(seed)
    if m >= n:
        raise InvalidValueError(f"m must be less than n, not {m} with n = {n}")
    room.demand(n, m * (n - m), width=4)
    dst = host.routines().attach(n, m, seed, 0)
    src = np.repeat(np.arange(m, n, dtype=dst.dtype), m)
    return Matrix.from_edges(src, dst, n=n, directed=False)
