"""Sparse matrices of the double: what SciPy's have, on the device, and of the dtypes that cuSPARSE has."""

import numpy as np
import scipy.sparse
from cupy import asarray

__all__ = ["csr_matrix", "issparse"]


class csr_matrix:  # noqa: N801 (CuPy's name)
    """Compressed rows on the device."""

    def __init__(self, arg1, shape=None, dtype=None, copy=False):
        if not scipy.sparse.issparse(arg1):
            raise ValueError("Unsupported initializer format")
        if arg1.dtype not in (np.dtype(bool), np.dtype(np.float32), np.dtype(np.float64)):
            raise ValueError("Only bool, float32, float64, complex64 and complex128 are supported")
        found = arg1.asformat("csr")
        self.data, self.indices, self.indptr = asarray(found.data), asarray(found.indices), asarray(found.indptr)
        self.shape, self.dtype = found.shape, found.dtype

    def get(self, stream=None):
        parts = (self.data.get(), self.indices.get(), self.indptr.get())
        return scipy.sparse.csr_matrix(parts, shape=self.shape)


def issparse(x):
    return isinstance(x, csr_matrix)
