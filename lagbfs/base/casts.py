"""Casts between dtypes as GraphBLAS makes them: defined for every value, and without warnings.

Integers wrap around into narrower ones, as in C. Floats are cut towards zero and end at the bounds of an integer
dtype; NaN becomes 0. Anything that is not zero is true, NaN too.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def cast(values: Any, dtype: np.dtype[Any]) -> Any:
    """Return an array's values in `dtype`; the same array if they are of it already."""
    if values.dtype.kind == "f" and dtype.kind in "iu":
        return _saturated(values, dtype)
    with np.errstate(all="ignore"):
        return values.astype(dtype, copy=False)


def _saturated(values: Any, dtype: np.dtype[Any]) -> Any:
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    with np.errstate(all="ignore"):
        result = values.astype(dtype)  # arbitrary where a value lies outside: set below
    # float(high) may round up to the power of two above it, which is then the first float that lies outside.
    result[values >= float(high)] = high
    result[values <= float(low)] = low
    result[values != values] = 0
    return result


def wide_enough(dtype: np.dtype[Any], fill: Any) -> np.dtype[Any]:
    """Return `dtype`, or if it cannot hold `fill` a wider one."""
    if cast(fill, dtype).item() == fill.item() or (dtype.kind == "f" and fill != fill):
        return dtype
    floats = fill.dtype.kind == "f" and dtype.kind != "f"
    return np.result_type(dtype, fill.dtype if floats else np.min_scalar_type(fill))
