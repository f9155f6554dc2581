"""A graph as the functions of `scipy.sparse.csgraph` take it, as a Matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse
from scipy.sparse.csgraph import csgraph_from_dense

from ..algebra.matrix import Matrix
from ..errors import DimensionError
from ..operators import binary

__all__ = ["graph"]


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
    A = _matrix_of(csgraph, weights=weights)
    if A.nrows != A.ncols:
        raise DimensionError(f"csgraph must be square, not {A.nrows} × {A.ncols}")
    return A if directed or A.is_symmetric else A.ewise_add(A.T, binary.min).new()


def _matrix_of(csgraph: Any, *, weights: bool) -> Matrix:
    """Return what stands for a graph as a Matrix, whatever its shape."""
    if isinstance(csgraph, Matrix):
        return Matrix.from_rows(csgraph.rows)  # without labels: vertices are numbers here
    sparse = _as_sparse(csgraph)
    if weights or sparse.format != "csr":
        return Matrix.from_scipy(sparse)
    used = max(int(sparse.indptr[-1]), 0)  # SciPy allows arrays with room to spare
    return Matrix.from_csr(sparse.indptr, sparse.indices[:used], ncols=sparse.shape[1], dup_op=binary.any)


def _as_sparse(csgraph: Any) -> Any:
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
