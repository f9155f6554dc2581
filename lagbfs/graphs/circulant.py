"""Circulant graphs: made row by row, without a list of edges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..base import checks, memory
from ..storage.csr import index_dtype, make, offset_dtype

__all__ = ["circulant"]

_ROWS = 1 << 16  # rows made together


def circulant(n: int, offsets: int | Sequence[int]) -> Matrix:
    """Return the undirected graph of `n` vertices on a circle, each joined to those so many places away on both sides.

    Its rows are made without a list of edges: a graph may be nearly as large as memory.

    Parameters
    ----------
    n : int
        Number of vertices.
    offsets : int or sequence of int
        Places between a vertex and its neighbours; 0 joins each to itself.

    Examples
    --------
    >>> import lagbfs
    >>> lagbfs.bfs(lagbfs.graphs.circulant(8, [1, 3]), 0).levels.tolist()
    [0, 1, 2, 1, 2, 1, 2, 1]
    """
    n, places = checks.integer("n", n, low=0), checks.index_array("offsets", np.atleast_1d(offsets))
    steps = np.unique(np.concatenate([places, -places]) % max(n, 1))
    entries = n * len(steps)
    index, offset = index_dtype(n), offset_dtype(entries, n)
    memory.demand(
        f"a graph of {n:,} vertices and {entries:,} entries",
        entries * np.dtype(index).itemsize + n * np.dtype(offset).itemsize,
    )
    indices = np.empty((n, len(steps)), index)
    for begin in range(0, n, _ROWS):
        rows = (np.arange(begin, min(begin + _ROWS, n))[:, None] + steps) % n
        indices[begin : begin + _ROWS] = np.sort(rows.astype(index), axis=1)
    indptr: NDArray[Any] = np.arange(n + 1, dtype=offset) * len(steps)
    csr = make(indptr, indices.reshape(-1), np.ones(1, bool), n, iso=True)
    return Matrix.from_storage(csr, symmetric=True)
