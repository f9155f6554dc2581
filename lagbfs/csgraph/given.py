"""A graph as the functions of `scipy.sparse.csgraph` take it, as a Matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array, csr_matrix, issparse
from scipy.sparse.csgraph import csgraph_from_dense

from ..algebra.matrix import Matrix
from ..errors import DimensionError
from ..operators import binary
from .kept import matrix_of, meet

__all__ = ["SMALL", "as_sparse", "graph", "is_scipys_search", "is_small"]


def graph(csgraph: Any, *, directed: bool, weights: bool) -> Matrix:
    """Return a graph as a Matrix; without direction, an edge leads both ways, by the smaller of its two weights.

    Parameters
    ----------
    csgraph : Matrix, SciPy sparse array, or array
        By SciPy's rules: explicit zeros of a sparse array are edges; of a dense one, 0, inf, nan and what is masked are
        none.
    directed : bool
        Whether edges lead one way.
    weights : bool
        Whether values are wanted; without, no time goes into them.
    """
    if isinstance(csgraph, Matrix):
        return _turned(_square(Matrix.from_rows(csgraph.rows)), directed)  # without labels: vertices are numbers here
    sparse = as_sparse(csgraph)

    def convert() -> tuple[Matrix, Matrix]:
        A = _square(_converted(sparse, weights=weights))
        return A, _turned(A, directed)

    return matrix_of(sparse, directed=directed, weights=weights, convert=convert)


def _square(A: Matrix) -> Matrix:
    if A.nrows != A.ncols:
        raise DimensionError(f"csgraph must be square, not {A.nrows} × {A.ncols}")
    return A


def _turned(A: Matrix, directed: bool) -> Matrix:
    return A if directed or A.is_symmetric else A.ewise_add(A.T, binary.min).new()


def _converted(sparse: Any, *, weights: bool) -> Matrix:
    """Return a sparse array as a Matrix, whatever its shape."""
    if weights or sparse.format != "csr":
        return Matrix.from_scipy(sparse)
    used = max(int(sparse.indptr[-1]), 0)  # SciPy allows arrays with room to spare
    return Matrix.from_csr(sparse.indptr, sparse.indices[:used], ncols=sparse.shape[1], dup_op=binary.any)


SMALL = 1 << 15
"""Of how many entries on a linear function is quicker by lagbfs; calls cost more than the work on fewer."""


def is_small(csgraph: Any) -> bool:
    """Whether SciPy's own linear functions are as quick for a graph, and take it as it is."""
    return bool(isinstance(csgraph, csr_array | csr_matrix) and csgraph.nnz < SMALL and _is_plain(csgraph))


def is_scipys_search(csgraph: Any, *, weights: bool) -> bool:
    """Whether a directed search is left to SciPy: that of a small graph, and the first one of an array.

    A conversion takes longer than SciPy's search; a second search shows that it pays. Without direction, SciPy finds
    those along out-edges before those along in-edges, whatever their numbers.
    """
    if is_small(csgraph):
        return True
    large = isinstance(csgraph, csr_array | csr_matrix) and _is_plain(csgraph)
    return bool(large and meet(csgraph, weights=weights))


def _is_plain(csgraph: Any) -> bool:
    """Whether SciPy finds what lagbfs does in a CSR array: it is square, rows are sorted, no entry is there twice."""
    return bool(csgraph.shape[0] == csgraph.shape[1] and csgraph.has_canonical_format)


def as_sparse(csgraph: Any) -> Any:
    """Return a SciPy sparse array of a graph."""
    if hasattr(csgraph, "to_scipy_sparse"):  # of the package sparse
        csgraph = csgraph.to_scipy_sparse()
    if issparse(csgraph):
        return csgraph
    dense = csgraph if isinstance(csgraph, np.ma.MaskedArray) else np.asarray(csgraph)
    if dense.ndim != 2:
        raise DimensionError(f"csgraph must have two dimensions, not {dense.ndim}")
    if dense.shape[0] != dense.shape[1]:
        raise DimensionError(f"csgraph must be square, not {dense.shape[0]} × {dense.shape[1]}")
    return csgraph_from_dense(dense)
