"""Sparse matrices of the double: what SciPy's have, on the device, and of the dtypes that cuSPARSE has."""

import numpy as np
import scipy.sparse
from cupy import asarray, ndarray
from cupy._array import wrap
from cupy._device import DEVICE

__all__ = ["csr_matrix", "issparse"]
_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


class csr_matrix:  # noqa: N801 (CuPy's name)
    """Compressed rows on the device: of a matrix of SciPy, or of arrays that are there, which it shares."""

    def __init__(self, arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
        if scipy.sparse.issparse(arg1):
            found = arg1.asformat("csr")
            arg1, shape = (asarray(found.data), asarray(found.indices), asarray(found.indptr)), found.shape
        if not isinstance(arg1, tuple) or len(arg1) != 3:
            raise ValueError("Unsupported initializer format")
        if not all(isinstance(array, ndarray) and array.ndim == 1 for array in arg1):
            raise ValueError("data, indices, and indptr must be 1-D cupy arrays")
        self.data, self.indices, self.indptr = arg1
        self.shape, self.dtype, self.has_canonical_format = shape, self.data.dtype, False
        if self.dtype not in (np.dtype(bool), *_FLOATS):
            raise ValueError("Only bool, float32, float64, complex64 and complex128 are supported")
        if len(self.data) != len(self.indices) or len(self.indptr) != shape[0] + 1:
            raise ValueError("index pointer size, or indices and data should have the same size")
        if self.indices.dtype != self.indptr.dtype:
            raise ValueError("CuPy would copy one of the index arrays, to have both of one type")

    def __matmul__(self, other):
        """Return the product as cuSPARSE has it: entries whose terms cancel stay, indices ascend."""
        if not (self.has_canonical_format and other.has_canonical_format):
            raise ValueError("CuPy would look at all entries, whether there are duplicates")
        if self.dtype not in _FLOATS or self.dtype != other.dtype or self.indices.dtype != other.indices.dtype:
            raise ValueError("cuSPARSE multiplies floats of one type, and indices of one")
        if self.shape[1] != other.shape[0] or not len(self.data) or not len(other.data):
            raise ValueError("mismatched shape, or a matrix without entries")
        DEVICE.call("launch", "spgemm")
        shape = self.shape[0], other.shape[1]
        product = csr_matrix(tuple(map(wrap, _multiplied(_parts(self), _parts(other)))), shape)
        product.has_canonical_format = True
        return product

    def get(self, stream=None):
        parts = (self.data.get(), self.indices.get(), self.indptr.get())
        return scipy.sparse.csr_matrix(parts, shape=self.shape)


def _parts(matrix):
    """Return data, indices and offsets, to whoever computes on the device in use."""
    return matrix.data._here, matrix.indices._here, matrix.indptr._here


def _multiplied(left, right):
    """Return data, indices and offsets of the product: all its terms, sorted by row and column, and added up."""
    (x, k, starts), (y, columns, begins) = left, right
    counts = np.diff(begins)[k]
    owner = np.repeat(np.arange(len(k)), counts)
    at = np.arange(len(owner)) + np.repeat(begins[k] - (np.cumsum(counts) - counts), counts)
    rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))[owner]
    positions, inverse = np.unique(np.stack([rows, columns[at]]), axis=1, return_inverse=True)
    sums = np.zeros(positions.shape[1], x.dtype)
    with np.errstate(all="ignore"):
        np.add.at(sums, inverse.reshape(-1), x[owner] * y[at])
    offsets = np.searchsorted(positions[0], np.arange(len(starts)))
    return sums, positions[1].astype(k.dtype), offsets.astype(k.dtype)


def issparse(x):
    return isinstance(x, csr_matrix)
