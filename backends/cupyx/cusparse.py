"""Products of two matrices by cuSPARSE, through cupyx.scipy.sparse: those that sums of floats give exactly."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from ...base import checks
from ...errors import DeviceError
from ...operators.semiring import AnySemiring
from ...storage import csr as csrs
from ...storage.csr import Csr
from ...storage.rows import Rows
from . import device
from .device import cupy
from .graph import Graph
from .product import READS_MATRIX, READS_VECTOR, knows

_MULTIPLY = frozenset(["times", "first", "second", "pair"])  # of numbers, one of which may be 1 in all entries
_OR, _AND = frozenset(["plus", "lor"]), _MULTIPLY | {"land"}  # over bools
_EXACT = 1 << 53  # integers up to which float64 holds them all
# What cuSPARSE says where a product is too large for it; what is on the device can still be used.
_TOO_LARGE = ("INSUFFICIENT_RESOURCES", "ALLOC_FAILED")


@cache
def trouble() -> str | None:
    """Return why cuSPARSE cannot be used, with what would mend it; None if it can. Plain wheels of CuPy lack it."""
    try:
        import_module("cupyx.cusparse")
    except ImportError as error:
        said = " ".join(str(error).split())
        return f"cuSPARSE is missing ({said}). Try: {device.NEEDS_CUPY}"
    return None


def inner_dtype(left: Rows, right: Rows, semiring: AnySemiring) -> np.dtype[Any] | None:
    """Return the dtype in which cuSPARSE computes a product as the semiring would; None if there is none.

    Floats are added up by themselves. Integers are, as float64, where no sum can pass 2⁵³; those that are to wrap
    around do so afterwards. Bools are counted.
    """
    if not knows(semiring, left.dtype, right.dtype):
        return None
    dtype = semiring.result_dtype(left.dtype, right.dtype)
    add, multiply = semiring.add.name, semiring.multiply.name
    if (add, multiply) == ("any", "pair"):  # is 1 wherever there is something to count
        return np.dtype(np.float64)
    if dtype.kind == "b":
        same = left.dtype == right.dtype == dtype
        return np.dtype(np.float64) if same and add in _OR and multiply in _AND else None
    if add != "plus" or multiply not in _MULTIPLY:
        return None
    return dtype if dtype.kind == "f" else _exactly(left, right, multiply)


def _exactly(left: Rows, right: Rows, multiply: str) -> np.dtype[Any] | None:
    """Return float64 if it holds every sum of a product of integers, whatever the order of its terms."""
    largest = _most(left, multiply in READS_VECTOR) * _most(right, multiply in READS_MATRIX)
    return np.dtype(np.float64) if largest * int(left.degrees.max()) <= _EXACT else None


def _most(rows: Rows, is_read: bool) -> int:
    """Return the largest magnitude of what a product multiplies: values that are integers, or ones in their place."""
    values = rows.csr.values
    if not is_read or values.dtype.kind == "b":
        return 1
    return _EXACT + 1 if values.dtype.kind == "f" else max(int(values.max()), -int(values.min()))


def product(left: Graph, right: Graph, semiring: AnySemiring, inner: np.dtype[Any]) -> Csr:
    """Return left ⊕.⊗ right, computed in `inner`; the device of both is current, and neither is empty."""
    if (said := trouble()) is not None:
        raise device.MissingError(said)
    index, multiply = _index(left.host, right.host), semiring.multiply.name
    with _told():
        A = _matrix(left, inner, index, multiply in READS_VECTOR)
        B = _matrix(right, inner, index, multiply in READS_MATRIX)
        C = A @ B
        indptr, indices, sums = C.indptr.get(), C.indices.get(), C.data.get()
    values = np.ones_like(sums) if semiring.add.name == "any" else sums
    dtype = semiring.result_dtype(left.host.dtype, right.host.dtype)
    return csrs.make(indptr, indices, _cut(values, dtype), right.host.ncols, iso=False)


@contextmanager
def _told() -> Iterator[None]:
    """Raise what cuSPARSE raises, a RuntimeError of a kind that cannot be named before it is loaded, as DeviceError."""
    try:
        yield
    except device.failures():
        raise
    except RuntimeError as error:
        kind = device.NoRoomError if any(name in str(error) for name in _TOO_LARGE) else DeviceError
        raise kind(f"cuSPARSE: {error}") from error


def _index(*operands: Rows) -> np.dtype[Any]:
    """Return the type that cuSPARSE takes for all indices and offsets of a product."""
    narrow = all(rows.index_dtype == np.int32 and rows.nvals <= checks.INT32_MAX for rows in operands)
    return np.dtype(np.int32 if narrow else np.int64)


def _matrix(graph: Graph, inner: np.dtype[Any], index: np.dtype[Any], is_read: bool) -> Any:
    """Return a matrix as cupyx has it; ones stand for values that the product does not read."""
    host, rows = graph.host, graph.rows
    one_value = host.is_iso or not is_read
    copies = one_value * inner.itemsize + (rows.indices.dtype != index) * index.itemsize
    device.check_room(host.nvals * copies + (host.nrows + 1) * index.itemsize, "a matrix as cuSPARSE takes it")
    if one_value:
        data = cupy().full(host.nvals, inner.type(host.csr.values[0] if is_read else 1), inner)
    else:
        data = graph.values(inner, False)
    arrays = data, rows.indices.astype(index, copy=False), rows.indptr.astype(index, copy=False)
    matrix = import_module("cupyx.scipy.sparse").csr_matrix(arrays, shape=(host.nrows, host.ncols))
    matrix.has_canonical_format = True  # or each product would look whether it is
    return matrix


def _cut(sums: Any, dtype: np.dtype[Any]) -> Any:
    """Return exact sums as `dtype`: bools whether there is any, integers wrapped around."""
    return sums.astype(np.int64).astype(dtype) if dtype.kind in "iu" else sums.astype(dtype, copy=False)
