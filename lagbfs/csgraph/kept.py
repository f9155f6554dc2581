"""Matrices of sparse arrays that were given before: an array that still holds the same is not converted again.

Anybody may write to the arrays of a sparse array, and nothing tells. So they are compared with what the matrix holds,
which takes a small part of a conversion and of what is derived of a matrix, its transpose say. Matrices of the last few
arrays are kept, for as long as the arrays live.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix

__all__ = ["matrix_of", "meet"]

_MOST = 4  # arrays whose matrices are kept
_LEAST = 1 << 12  # entries: the conversion of fewer takes no longer than looking
_PIECE = 1 << 15  # elements compared at a time: they stay in the cache

_Key = tuple[int, bool, bool]


class _Kept(NamedTuple):
    array: weakref.ref[Any]
    converted: Matrix  # with the entries of the array, in its order
    matrix: Matrix  # what was made of it


_kept: OrderedDict[_Key, _Kept] = OrderedDict()
_lock = Lock()
_met: dict[int, weakref.ref[Any]] = {}


def meet(sparse: Any, *, weights: bool) -> bool:
    """Note that an array is searched; return whether it is for the first time, and no matrix of it is kept."""
    key = id(sparse)
    met, kept = _met.get(key), _kept.get((key, True, weights))
    if (met is not None and met() is sparse) or (kept is not None and kept.array() is sparse):
        return False
    _met[key] = weakref.ref(sparse, lambda _: _met.pop(key, None))
    return True


def matrix_of(sparse: Any, *, directed: bool, weights: bool, convert: Callable[[], tuple[Matrix, Matrix]]) -> Matrix:
    """Return the matrix of a sparse array of SciPy: the one made before, if it holds what the array does.

    `convert` returns the array as a matrix, and what is asked for: the same, or with its edges both ways.
    """
    if sparse.format != "csr" or sparse.nnz < _LEAST:
        return convert()[1]
    key = (id(sparse), directed, weights)
    with _lock:
        found = _kept.get(key)
    if found is not None and found.array() is sparse and _holds(found.converted, sparse, weights=weights):
        return found.matrix
    converted, matrix = convert()
    if _holds(converted, sparse, weights=weights):
        _keep(key, _Kept(weakref.ref(sparse, lambda _: _forget(key)), converted, matrix))
    return matrix


def _keep(key: _Key, kept: _Kept) -> None:
    with _lock:
        _kept[key] = kept
        _kept.move_to_end(key)
        while len(_kept) > _MOST:
            _kept.popitem(last=False)


def _forget(key: _Key) -> None:
    _kept.pop(key, None)  # without the lock, which its own thread may hold


def _holds(A: Matrix, sparse: Any, *, weights: bool) -> bool:
    """Whether a matrix has the entries of an array, in its order."""
    csr, size = A.csr, int(sparse.indptr[-1])
    if (A.nrows, A.ncols) != sparse.shape or A.nvals != size:
        return False
    if weights and (csr.iso or csr.values.dtype != sparse.data.dtype or not _same(csr.values, sparse.data[:size])):
        return False
    return _same(csr.indptr, sparse.indptr) and _same(csr.indices, sparse.indices[:size])


def _same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    if one.dtype.itemsize == other.dtype.itemsize:  # by bits, so that NaN equals itself
        one, other = (array.view(f"u{array.dtype.itemsize}") for array in (one, other))
    return len(one) == len(other) and all(
        np.array_equal(one[begin : begin + _PIECE], other[begin : begin + _PIECE])
        for begin in range(0, len(one), _PIECE)
    )
