"""Casts between dtypes as GraphBLAS makes them: defined for every value, and without warnings.

Integers wrap around into narrower ones, as in C. Floats are cut towards zero and end at the bounds of an integer
dtype; NaN becomes 0. Anything that is not zero is true, NaN too.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def cast(values: Any, dtype: np.dtype[Any]) -> Any:
    """Return an array's values in `dtype`; the same array if they are of it already."""
    if values.dtype == dtype:
        return values
    if values.dtype.kind != "f":
        return values.astype(dtype)
    if dtype.kind in "iu":
        return _saturated(values, dtype)
    with np.errstate(all="ignore"):
        return values.astype(dtype)


def _saturated(values: Any, dtype: np.dtype[Any]) -> Any:
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    with np.errstate(all="ignore"):
        result = values.astype(dtype)  # arbitrary where a value lies outside: set below
    # float(high) may round up to the power of two above it, which is then the first float that lies outside.
    result[values >= float(high)] = high
    result[values <= float(low)] = low
    result[values != values] = 0
    return result


_BOUNDS = {np.dtype(name): np.iinfo(name) for name in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")}
_EXACT = 1 << 53  # integers up to which a float64 is one


def plain(value: Any, dtype: np.dtype[Any]) -> Any:
    """Return a Python bool, int or float as the number that `dtype` makes of it, None where that takes a closer look.

    Examples
    --------
    >>> plain(3, np.dtype("f8")), plain(2, np.dtype(bool)), plain(300, np.dtype("i1"))
    (3.0, True, None)
    """
    kind, given = dtype.kind, type(value)
    if given is not int and given is not float and given is not bool:
        return None
    if kind == "b":
        return value != 0
    if kind != "f":
        if given is float:
            return None
        bounds = _BOUNDS[dtype]
        return int(value) if bounds.min <= value <= bounds.max else None
    if given is int and not -_EXACT <= value <= _EXACT:
        return None
    if dtype.itemsize == 8:
        return float(value)
    return float(np.float32(value)) if -_EXACT <= value <= _EXACT else None


def wide_enough(dtype: np.dtype[Any], fill: Any) -> np.dtype[Any]:
    """Return `dtype`, or if it cannot hold `fill` a wider one."""
    if cast(fill, dtype).item() == fill.item() or (dtype.kind == "f" and fill != fill):
        return dtype
    floats = fill.dtype.kind == "f" and dtype.kind != "f"
    return np.result_type(dtype, fill.dtype if floats else np.min_scalar_type(fill))
