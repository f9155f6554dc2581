"""Breadth-first orders and trees, as `scipy.sparse.csgraph` has them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csgraph as theirs
from scipy.sparse import csr_matrix, isspmatrix

from ..algebra.matrix import Matrix
from ..base import checks
from ..operators import binary
from ..search.bfs import bfs
from ..search.traversal import Traversal
from .given import graph, is_scipys_search

__all__ = ["breadth_first_order", "breadth_first_tree"]

NOWHERE = -9999
"""What SciPy writes for a vertex that has no predecessor."""


def breadth_first_order(
    csgraph: Any, i_start: int, directed: bool = True, return_predecessors: bool = True
) -> NDArray[np.int32] | tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the vertices that can be reached, in breadth-first order, as SciPy's function of this name does.

    Parameters
    ----------
    csgraph : Matrix, sparse array or array
        The graph, N × N. With direction, the first search of a large CSR array is SciPy's own, which takes less time
        than the conversion; the second converts it, later ones only if it has changed.
    i_start : int
        Where to start.
    directed : bool
        Whether edges lead one way; if not, also from j to i along ``csgraph[i, j]``.
    return_predecessors : bool
        Whether the second array is wanted.

    Returns
    -------
    node_array : ndarray of int32
        The vertices in the order in which they are found, first in, first out; neighbours by number.
    predecessors : ndarray of int32
        For each vertex the one it was found from; -9999 for `i_start` and for those that are not reached.

    Examples
    --------
    >>> from lagbfs import csgraph
    >>> csgraph.breadth_first_order([[0, 1, 2, 0], [0, 0, 0, 1], [2, 0, 0, 3], [0, 0, 0, 0]], 0)
    (array([0, 1, 2, 3], dtype=int32), array([-9999,     0,     0,     1], dtype=int32))
    """
    if directed and is_scipys_search(csgraph, weights=False):
        start = checks.index("i_start", i_start, csgraph.shape[0])
        return theirs.breadth_first_order(csgraph, start, True, return_predecessors)  # type: ignore[no-any-return]
    t = _search(graph(csgraph, directed=directed, weights=False), i_start)
    order = t.order.astype(np.int32)
    return (order, _predecessors(t, order[0])) if return_predecessors else order


def breadth_first_tree(csgraph: Any, i_start: int, directed: bool = True) -> Any:
    """Return the breadth-first tree from a vertex, with the graph's weights, as SciPy's function of this name does.

    Parameters are those of `breadth_first_order`.

    Returns
    -------
    csr_array of float64, or csr_matrix if `csgraph` is a matrix of SciPy's
        The tree, N × N: an entry for each vertex that is found, from the one it was found from.

    Examples
    --------
    >>> from lagbfs import csgraph
    >>> csgraph.breadth_first_tree([[0, 8, 0, 3], [0, 0, 2, 5], [0, 0, 0, 6], [0, 0, 0, 0]], 0).toarray()
    array([[0., 8., 0., 3.],
           [0., 0., 2., 0.],
           [0., 0., 0., 0.],
           [0., 0., 0., 0.]])
    """
    if directed and is_scipys_search(csgraph, weights=True):
        return theirs.breadth_first_tree(csgraph, checks.index("i_start", i_start, csgraph.shape[0]))
    A = graph(csgraph, directed=directed, weights=True)
    t = _search(A, i_start)
    found = t.parents >= 0
    found[t.order[0]] = False
    above = Matrix.from_csr(np.append(0, found.cumsum()), t.parents[found], True, ncols=A.nrows)
    # tree = aboveᵀ ⊗ A, by second: the entries of A at (parent, child)
    tree = above.T.ewise_mult(A, binary.second).new().to_scipy().astype(np.float64)
    return csr_matrix(tree) if isspmatrix(csgraph) else tree


def _search(A: Matrix, i_start: int) -> Traversal:
    return bfs(A, checks.index("i_start", i_start, A.nrows), order=True)


def _predecessors(t: Traversal, start: int) -> NDArray[np.int32]:
    found = t.parents.astype(np.int32)
    found[found < 0] = NOWHERE
    found[start] = NOWHERE
    return found
