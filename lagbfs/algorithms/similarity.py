"""How alike vertices are, by their neighbours."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..errors import DimensionError, InvalidTypeError
from ..operators import binary, select
from ..operators.semiring import plus_pair
from ..storage import csr as csrs
from .common import Settings, algorithm

__all__ = ["common_neighbors", "jaccard"]


@algorithm
def jaccard(A: Any, pairs: Any = None, **settings: Unpack[Settings]) -> Any:
    """Return how alike the neighbours of vertices are: those that two have in common, by those that either has.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; neighbours are those that edges lead to.
    pairs : iterable of pairs of vertices, or (m, 2) array, optional
        Which vertices to compare, by label if the graph has labels. Default: all that have a neighbour in common.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    ndarray of float64, or Matrix of float64
        One for each pair; 0 where neither vertex has a neighbour. Without `pairs` a symmetric matrix, with an entry for
        each two different vertices that have a neighbour in common.

    Notes
    -----
    C = A plus.pair Aᵀ counts common neighbours, |N(u) ∩ N(v)|; |N(u) ∪ N(v)| is the sum of degrees less that. The
    matrix takes Σ d² of the in-degrees d, and has as many entries at most; pairs take their smaller degree each.

    References
    ----------
    P. Jaccard, "The distribution of the flora in the alpine zone", New Phytologist 11 (1912).

    Examples
    --------
    >>> from lagbfs import Matrix, algorithms
    >>> A = Matrix.from_edges([0, 0, 1, 1], [2, 3, 3, 4])
    >>> algorithms.jaccard(A).to_dicts()
    {0: {1: 0.3333333333333333}, 1: {0: 0.3333333333333333}}
    >>> algorithms.jaccard(A, [(0, 1), (0, 4)])
    array([0.33333333, 0.        ])
    """
    if pairs is not None:
        return _of_pairs(A, _places(A, pairs))
    common = plus_pair(A @ A.T).new().select(select.offdiag).new()
    i, j, count = common.csr.rows(), common.csr.indices, common.csr.all_values()
    alike = csrs.like(common.csr, _shares(A, i, j, count), iso=False)
    return Matrix.from_storage(alike, symmetric=True, labels=A._labels)


@algorithm
def common_neighbors(A: Any, pairs: Any, **settings: Unpack[Settings]) -> NDArray[np.int64]:
    """Return how many neighbours the two vertices of each pair have in common, themselves apart.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`; neighbours are those that edges lead to.
    pairs : iterable of pairs of vertices, or (m, 2) array
        By label if the graph has labels.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    ndarray of int64
        One for each pair.

    Notes
    -----
    C⟨pairs⟩ = A plus.pair Aᵀ, without loops.

    Examples
    --------
    >>> from lagbfs import Matrix, algorithms
    >>> algorithms.common_neighbors(Matrix.from_edges([0, 0, 1, 1], [2, 3, 3, 4]), [(0, 1), (0, 4)])
    array([1, 0])
    """
    i, j, which = _each_once(_places(A, pairs))
    return _common(A.select(select.offdiag).new(), i, j)[which]


def _of_pairs(A: Matrix, places: NDArray[np.int64]) -> NDArray[np.float64]:
    i, j, which = _each_once(places)
    return _shares(A, i, j, _common(A, i, j))[which]


def _each_once(places: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.intp]]:
    """Return different pairs, in order, and which of them each is."""
    asked, which = np.unique(places, axis=0, return_inverse=True)
    return asked[:, 0], asked[:, 1], which.ravel()


def _common(A: Matrix, i: NDArray[np.int64], j: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the numbers of common neighbours of different pairs that stand in order."""
    common = Matrix.from_coo(i, j, 0, nrows=A.nrows, ncols=A.nrows)
    # common⟨common⟩ += A plus.pair Aᵀ
    common(common.S, binary.plus) << plus_pair(A @ A.T)
    counts: NDArray[np.int64] = common.csr.all_values().astype(np.int64)
    return counts


def _shares(A: Matrix, i: Any, j: Any, common: Any) -> NDArray[np.float64]:
    """Return the numbers of common neighbours by those of neighbours of either."""
    degrees = A.degrees.astype(np.int64)
    either = degrees[i] + degrees[j] - common
    shares: NDArray[np.float64] = np.divide(common, either, out=np.zeros(len(common)), where=either > 0)
    return shares


def _places(A: Matrix, pairs: Any) -> NDArray[np.int64]:
    """Return pairs of vertices as indices."""
    try:
        listed = [tuple(pair) for pair in pairs]
    except TypeError:
        raise InvalidTypeError(f"pairs must be pairs of vertices, not {pairs!r}") from None
    if any(len(pair) != 2 for pair in listed):
        raise DimensionError("pairs must be of two vertices each")
    places = [[A.index_of(vertex, "pairs") for vertex in pair] for pair in listed]
    return np.array(places, np.int64).reshape(-1, 2)
