"""Matrices of other libraries, in and out: SciPy, python-graphblas, NetworkX."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from . import checks
from . import csr as csrs
from .csr import Csr
from .errors import InvalidTypeError, MissingPackageError


def require(package: str, extra: str) -> Any:
    """Import an optional package, or say which extra of lagbfs brings it."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise MissingPackageError(
            f"{package} is needed for this and cannot be imported ({error}): pip install 'lagbfs[{extra}]'"
        ) from error


def from_scipy(matrix: Any, *, drop_zeros: bool) -> Csr:
    """Return a SciPy sparse matrix or array as Csr; shares the arrays of a canonical CSR."""
    from scipy.sparse import issparse

    if not issparse(matrix) or matrix.ndim != 2:
        raise InvalidTypeError(f"matrix must be a two-dimensional SciPy sparse array, not {type(matrix).__name__}")
    checks.numeric("matrix", matrix.dtype.type(0))
    A = matrix.tocsr()
    if not A.has_canonical_format or drop_zeros:
        A = A.copy() if A is matrix else A
        A.sum_duplicates()
        if drop_zeros:
            A.eliminate_zeros()
    used = int(A.indptr[-1])  # SciPy allows arrays with room to spare
    indices, data = (A.indices, A.data) if len(A.indices) == len(A.data) == used else (A.indices[:used], A.data[:used])
    return csrs.from_arrays(A.indptr, indices, checks.numeric("matrix", data), A.shape[1], None)


def to_scipy(csr: Csr) -> Any:
    """Return a SciPy csr_array; its index arrays are shared and read-only."""
    from scipy.sparse import csr_array

    values = np.array(csr.all_values()) if csr.iso else csr.values
    return csr_array((values, csr.indices, csr.indptr), shape=(csr.nrows, csr.ncols))


def from_graphblas(matrix: Any) -> Csr:
    """Return a python-graphblas Matrix as Csr."""
    if not hasattr(matrix, "to_csr") or not hasattr(matrix, "ss"):
        raise InvalidTypeError(f"matrix must be a graphblas.Matrix, not {type(matrix).__name__}")
    iso = matrix.nvals > 0 and matrix.ss.is_iso
    indptr, indices, values = matrix.to_csr()
    values = checks.numeric("matrix", values)
    return csrs.from_arrays(indptr, indices, values[0].reshape(()) if iso else values, matrix.ncols, None)


def to_graphblas(csr: Csr) -> Any:
    """Return a python-graphblas Matrix; iso values stay iso, indices are widened to 64 bits."""
    from graphblas import Matrix

    return Matrix.ss.import_csr(
        nrows=csr.nrows,
        ncols=csr.ncols,
        indptr=csr.indptr.astype(np.uint64),
        col_indices=csr.indices.astype(np.uint64),
        values=csr.values.copy(),
        is_iso=csr.iso,
        sorted_cols=True,
        take_ownership=True,
    )


def networkx_edges(graph: Any, weight: str | None) -> tuple[list[Any], Any, Any, Any]:
    """Return the nodes of a NetworkX graph and its edges as indices into them, with weights if asked for."""
    networkx = require("networkx", "networkx")
    if not isinstance(graph, networkx.Graph):
        raise InvalidTypeError(f"graph must be a NetworkX graph, not {type(graph).__name__}")
    nodes = list(graph)
    number = {node: i for i, node in enumerate(nodes)}
    edges = list(graph.edges(data=weight, default=1) if weight else graph.edges())
    src = np.fromiter((number[e[0]] for e in edges), np.int64, len(edges))
    dst = np.fromiter((number[e[1]] for e in edges), np.int64, len(edges))
    return nodes, src, dst, np.array([e[2] for e in edges]) if weight else None
