"""A strict double of the part of CuPy that lagbfs uses, over a device made of NumPy and emulated kernels.

Stricter than CuPy where CuPy is lenient: arrays of the host are refused everywhere, indices out of range raise, memory
is not zero, and every argument of a kernel is checked against its signature.
"""

from . import cuda
from ._array import ndarray
from ._functions import (
    abs,
    absolute,
    add,
    arange,
    argsort,
    asarray,
    ascontiguousarray,
    asnumpy,
    concatenate,
    cumsum,
    empty,
    flatnonzero,
    fmax,
    fmin,
    from_dlpack,
    full,
    isclose,
    isnan,
    logical_and,
    logical_or,
    maximum,
    minimum,
    multiply,
    ones,
    ones_like,
    searchsorted,
    sort,
    sqrt,
    ufunc,
    unique,
    where,
    zeros,
)
from ._raw import RawKernel, RawModule
from .cuda import get_default_memory_pool

__version__ = "14.2.0+double"

__all__ = [
    "RawKernel",
    "RawModule",
    "abs",
    "absolute",
    "add",
    "arange",
    "argsort",
    "asarray",
    "ascontiguousarray",
    "asnumpy",
    "concatenate",
    "cuda",
    "cumsum",
    "empty",
    "flatnonzero",
    "fmax",
    "fmin",
    "from_dlpack",
    "full",
    "get_default_memory_pool",
    "isclose",
    "isnan",
    "logical_and",
    "logical_or",
    "maximum",
    "minimum",
    "multiply",
    "ndarray",
    "ones",
    "ones_like",
    "searchsorted",
    "sort",
    "sqrt",
    "ufunc",
    "unique",
    "where",
    "zeros",
]
