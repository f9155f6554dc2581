"""Operators that routines know by name, over plain arrays of one dtype, and what each computes.

The result has the dtype of both operands. Integers wrap, min and max pass over NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["combined", "folds", "knows"]

_FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "plus": np.add,
    "minus": np.subtract,
    "times": np.multiply,
    "truediv": np.divide,
    "min": np.fmin,
    "max": np.fmax,
    "land": np.logical_and,
    "lor": np.logical_or,
    "first": lambda x, y: x,
    "any": lambda x, y: x,
    "second": lambda x, y: y,
}
_NUMBERS, _FLOATS, _LOGIC = ("plus", "minus", "times"), ("truediv",), ("land", "lor")
_FOLDING = ("plus", "times", "min", "max", *_LOGIC)


def knows(name: str, dtype: np.dtype[Any]) -> bool:
    """Whether routines know the operator over the dtype.

    Examples
    --------
    >>> import numpy as np
    >>> from lagbfs.host import combining
    >>> combining.knows("plus", np.dtype(int)), combining.knows("plus", np.dtype(bool))
    (True, False)
    """
    if dtype.kind not in "biuf" or dtype.itemsize > 8 or dtype == np.float16 or name not in _FUNCTIONS:
        return False
    if name in _NUMBERS:
        return dtype.kind != "b"
    if name in _FLOATS:
        return dtype.kind == "f"
    return name not in _LOGIC or dtype.kind == "b"


def folds(name: str, dtype: np.dtype[Any]) -> bool:
    """Whether routines fold groups of values by the operator: it is associative, and more than a choice."""
    return name in _FOLDING and knows(name, dtype)


def combined(name: str, x: Any, y: Any) -> Any:
    """Return the operator's results for two arrays."""
    with np.errstate(all="ignore"):
        return _FUNCTIONS[name](x, y)
