"""Matrices of other libraries, in and out: SciPy, cupyx, python-graphblas; arrays by DLPack."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import checks, graphblas, memory
from ..base.optional import installing, require
from ..base.signals import waiting
from ..errors import InvalidTypeError, InvalidValueError, MissingPackageError
from ..operators import binary
from . import csr as csrs
from . import elementwise
from .csr import Csr

_CUPYX_DTYPES = frozenset(map(np.dtype, ("?", "f4", "f8")))
_CUDA_DEVICES = frozenset([2, 13])  # as DLPack numbers them: of CUDA, and managed by it


def from_scipy(matrix: Any, *, drop_zeros: bool, copy: bool | None = None) -> Csr:
    """Return a SciPy sparse matrix or array as Csr; `copy` as in `csr.from_arrays`."""
    from scipy.sparse import issparse

    if not issparse(matrix) or matrix.ndim != 2:
        raise InvalidTypeError(f"matrix must be a two-dimensional SciPy sparse array, not {type(matrix).__name__}")
    checks.numeric("matrix", matrix.dtype.type(0))
    if copy is False and (matrix.format != "csr" or drop_zeros):
        raise InvalidValueError("matrix must be a CSR to be shared (copy=False), and keep its zeros")
    csr = _entries_of(matrix, copy)
    return elementwise.kept(csr, csr.all_values() != 0) if drop_zeros else csr


def _entries_of(matrix: Any, copy: bool | None) -> Csr:
    """Return the entries of a SciPy matrix. Anybody may have changed its arrays, and SciPy's routines trust them."""
    nrows, ncols = matrix.shape
    if matrix.format == "coo":
        rows, cols = checks.index_array("row", matrix.row, nrows), checks.index_array("col", matrix.col, ncols)
        data = checks.numeric("matrix", matrix.data)
        checks.same_length(row=rows, col=cols, data=data)
        return csrs.from_coo(rows, cols, data, nrows, ncols, binary.plus)
    if matrix.format == "csc":
        return csrs.transpose(_compressed(matrix, ncols, nrows, copy))
    return _compressed(matrix if matrix.format == "csr" else matrix.tocsr(), nrows, ncols, copy)


def _compressed(matrix: Any, length: int, width: int, copy: bool | None) -> Csr:
    """Return the compressed rows of a CSR, or columns of a CSC, in which SciPy allows arrays with room to spare."""
    checks.same_size("the length of indptr", len(matrix.indptr), "that of the shape and one", length + 1)
    used = max(int(matrix.indptr[-1]), 0)
    indices, data = matrix.indices, checks.numeric("matrix", matrix.data)
    indices, data = (part if len(part) == used else part[:used] for part in (indices, data))
    return csrs.from_arrays(matrix.indptr, indices, data, width, binary.plus, copy=copy)


def to_scipy(csr: Csr, *, copy: bool) -> Any:
    """Return a SciPy csr_array with arrays of its own, or with read-only ones that it shares.

    SciPy wants index arrays of one type: where offsets are wider than indices, these are widened to it, in a copy.
    """
    from scipy.sparse import csr_array

    widened = 8 if csr.indptr.dtype != csr.indices.dtype else 0
    repeated = csr.values.itemsize if csr.iso else 0
    memory.demand(f"SciPy's copy of a matrix of {csr.nvals:,} entries", (widened + repeated) * csr.nvals)
    values = np.array(csr.all_values()) if csr.iso else csr.values
    return csr_array((values, csr.indices, csr.indptr), shape=(csr.nrows, csr.ncols), copy=copy)


def from_cupyx(matrix: Any, *, drop_zeros: bool) -> Csr:
    """Return a sparse matrix of cupyx as Csr, copied from the device."""
    if not require("cupyx.scipy.sparse", "cuda13").issparse(matrix):
        raise InvalidTypeError(f"matrix must be a sparse matrix of cupyx, not {type(matrix).__name__}")
    return from_scipy(matrix.get(), drop_zeros=drop_zeros)


def to_cupyx(csr: Csr) -> Any:
    """Return a csr_matrix of cupyx; values that it cannot hold, integers, become float64."""
    matrix = to_scipy(csr, copy=False)
    if matrix.dtype not in _CUPYX_DTYPES:
        matrix = matrix.astype(np.float64)
    try:
        return require("cupyx.scipy.sparse", "cuda13").csr_matrix(matrix)
    except ImportError as error:  # CuPy is there, the libraries of the CUDA toolkit are not
        raise MissingPackageError(
            f"cupyx needs the CUDA toolkit for this ({' '.join(str(error).split())}): {installing('cuda13')}"
        ) from error


def shared_array(name: str, array: Any) -> Any:
    """Return the NumPy or CuPy array that shares memory with an array of another library, wherever it lies."""
    if hasattr(array, "__cuda_array_interface__"):
        return require("cupy", "cuda13").asarray(array)
    if not hasattr(array, "__dlpack_device__"):
        raise InvalidTypeError(f"{name} must have __dlpack__ or __cuda_array_interface__, which {array!r} has not")
    where = array.__dlpack_device__()[0]
    return (require("cupy", "cuda13") if where in _CUDA_DEVICES else np).from_dlpack(array)


def host_array(name: str, column: Any) -> Any:
    """Return an array of another library, on whatever device, as one of NumPy; anything else as it is."""
    on_device = hasattr(column, "__cuda_array_interface__")
    if not on_device and (hasattr(column, "__array__") or not hasattr(column, "__dlpack_device__")):
        return column
    array = shared_array(name, column)
    return array.get() if hasattr(array, "get") else array


@waiting()
def from_graphblas(matrix: Any) -> Csr:
    """Return a python-graphblas Matrix as Csr."""
    if not hasattr(matrix, "to_csr") or not hasattr(matrix, "ss"):
        raise InvalidTypeError(f"matrix must be a graphblas.Matrix, not {type(matrix).__name__}")
    iso = matrix.nvals > 0 and matrix.ss.is_iso
    if csrs.is_hyper(matrix.nrows, matrix.nvals):
        rows, cols, values = matrix.to_coo()
        values = checks.numeric("matrix", values)
        at = rows.astype(np.int64), cols.astype(np.int64)
        return csrs.from_coo(*at, values[0].reshape(()) if iso else values, matrix.nrows, matrix.ncols, None)
    indptr, indices, values = matrix.to_csr()
    values = checks.numeric("matrix", values)
    return csrs.from_arrays(indptr, indices, values[0].reshape(()) if iso else values, matrix.ncols, None)


@waiting()
def to_graphblas(csr: Csr) -> Any:
    """Return a python-graphblas Matrix; iso values stay iso, indices are widened to 64 bits."""
    Matrix = graphblas.start().Matrix
    rows = len(csr.starts) - 1
    memory.demand(f"SuiteSparse's copy of a matrix of {csr.nvals:,} entries", 8 * (rows + 1 + csr.nvals))
    if csr.row_ids is not None and not csr.nvals:
        return Matrix(csr.values.dtype, csr.nrows, csr.ncols)
    listed = {} if csr.row_ids is None else {"rows": csr.row_ids.astype(np.uint64)}
    return (Matrix.ss.import_hypercsr if listed else Matrix.ss.import_csr)(
        **listed,
        nrows=csr.nrows,
        ncols=csr.ncols,
        indptr=csr.starts.astype(np.uint64),
        col_indices=csr.indices.astype(np.uint64),
        values=csr.values.copy(),
        is_iso=csr.iso,
        sorted_cols=True,
        take_ownership=True,
    )
