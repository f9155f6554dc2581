"""The dtypes of values, under the names of GraphBLAS; each is the dtype of NumPy.

Bools, integers and floats of up to 64 bits. Complex numbers and dtypes of the user's own there are none of.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InvalidTypeError

__all__ = [
    "BOOL",
    "FP32",
    "FP64",
    "INT8",
    "INT16",
    "INT32",
    "INT64",
    "UINT8",
    "UINT16",
    "UINT32",
    "UINT64",
    "DataType",
    "lookup_dtype",
    "name_of",
    "unify",
]

DataType = np.dtype
"""What they are."""

BOOL: np.dtype[Any] = np.dtype(np.bool_)
INT8: np.dtype[Any] = np.dtype(np.int8)
INT16: np.dtype[Any] = np.dtype(np.int16)
INT32: np.dtype[Any] = np.dtype(np.int32)
INT64: np.dtype[Any] = np.dtype(np.int64)
UINT8: np.dtype[Any] = np.dtype(np.uint8)
UINT16: np.dtype[Any] = np.dtype(np.uint16)
UINT32: np.dtype[Any] = np.dtype(np.uint32)
UINT64: np.dtype[Any] = np.dtype(np.uint64)
FP32: np.dtype[Any] = np.dtype(np.float32)
FP64: np.dtype[Any] = np.dtype(np.float64)

_NAMES: dict[np.dtype[Any], str] = {
    BOOL: "BOOL",
    INT8: "INT8",
    INT16: "INT16",
    INT32: "INT32",
    INT64: "INT64",
    UINT8: "UINT8",
    UINT16: "UINT16",
    UINT32: "UINT32",
    UINT64: "UINT64",
    FP32: "FP32",
    FP64: "FP64",
}
ALL = tuple(_NAMES)
INTEGERS = tuple(dtype for dtype in ALL if dtype.kind in "iu")
FLOATS = (FP32, FP64)

_MEANT: dict[Any, np.dtype[Any]] = {
    **{dtype: dtype for dtype in _NAMES},
    **{name: dtype for dtype, name in _NAMES.items()},
    **{name.lower(): dtype for dtype, name in _NAMES.items()},
    bool: BOOL, int: INT64, float: FP64, "bool": BOOL, "int": INT64, "float": FP64,
}  # fmt: skip


def lookup_dtype(key: Any, name: str = "dtype") -> np.dtype[Any]:
    """Return the dtype meant by `key`: one of NumPy's, a type of Python, or a name of GraphBLAS, NumPy or C.

    Parameters
    ----------
    key : object
        What says which dtype; of another byte order it is that of the machine.
    name : str
        What messages call it.

    Examples
    --------
    >>> from lagbfs import dtypes
    >>> dtypes.lookup_dtype("FP32"), dtypes.lookup_dtype(int), dtypes.lookup_dtype("uint8")
    (dtype('float32'), dtype('int64'), dtype('uint8'))
    """
    try:
        return _MEANT[key]
    except (KeyError, TypeError):
        pass
    try:
        result: np.dtype[Any] = np.dtype(getattr(key, "np_type", key)).newbyteorder("=")
    except TypeError:
        raise InvalidTypeError(f"{name} must be a dtype, not {key!r}") from None
    if key is None or result not in _NAMES:
        raise InvalidTypeError(f"{name} must be boolean, integer or float of at most 64 bits, not {key!r}")
    return result


def unify(x: Any, y: Any) -> np.dtype[Any]:
    """Return the dtype that holds the values of both, as far as one can.

    Examples
    --------
    >>> from lagbfs import dtypes
    >>> dtypes.unify("INT8", "UINT16"), dtypes.unify(bool, "FP32")
    (dtype('int32'), dtype('float32'))
    """
    return np.promote_types(lookup_dtype(x), lookup_dtype(y))


def name_of(dtype: np.dtype[Any]) -> str:
    """Return what GraphBLAS calls a dtype.

    Examples
    --------
    >>> import numpy as np
    >>> name_of(np.dtype(float))
    'FP64'
    """
    return _NAMES[dtype]
