"""Graphs with nothing random about them: path, star, tree, complete."""

from __future__ import annotations

import numpy as np

from ..algebra.matrix import Matrix
from ..base import checks
from ..errors import InvalidValueError
from . import room

__all__ = ["complete", "path", "star", "tree"]


def path(n: int) -> Matrix:
    """Return the undirected path of `n` vertices, 0 - 1 - … - n - 1.

    Examples
    --------
    >>> import lagbfs
    >>> lagbfs.bfs(lagbfs.graphs.path(4), 0).levels.tolist()
    [0, 1, 2, 3]
    """
    n = checks.integer("n", n, low=0)
    room.demand(n, n)
    order = np.arange(n)
    return Matrix.from_edges(order[:-1], order[1:], n=n, directed=False)


def star(n: int) -> Matrix:
    """Return the undirected star of a centre, 0, and `n` other vertices joined to it, as NetworkX counts them.

    Examples
    --------
    >>> import lagbfs
    >>> lagbfs.graphs.star(3).degrees.tolist()
    [3, 1, 1, 1]
    """
    n = checks.integer("n", n, low=0)
    room.demand(n + 1, n)
    return Matrix.from_edges(np.zeros(n, np.int64), np.arange(1, n + 1), n=n + 1, directed=False)


def tree(r: int, h: int) -> Matrix:
    """Return the undirected tree in which each vertex has `r` children, down to level `h`, numbered level by level.

    Examples
    --------
    >>> import lagbfs
    >>> lagbfs.bfs(lagbfs.graphs.tree(2, 2), 0).levels.tolist()
    [0, 1, 1, 2, 2, 2, 2]
    """
    r, h = checks.integer("r", r, low=1), checks.integer("h", h, low=0)
    if r > 1 and h * np.log2(r) > 40:
        raise InvalidValueError(f"h must be small enough for at most 2^40 vertices, not {h} with r = {r}")
    n = h + 1 if r == 1 else (r ** (h + 1) - 1) // (r - 1)
    room.demand(n, n)
    child = np.arange(1, n)
    return Matrix.from_edges((child - 1) // r, child, n=n, directed=False)


def complete(n: int) -> Matrix:
    """Return the undirected graph of `n` vertices with an edge between any two.

    Examples
    --------
    >>> import lagbfs
    >>> lagbfs.graphs.complete(4).degrees.tolist()
    [3, 3, 3, 3]
    """
    n = checks.integer("n", n, low=0)
    room.demand(n, n * (n - 1) // 2)
    src, dst = np.triu_indices(n, 1)
    return Matrix.from_edges(src, dst, n=n, directed=False)
