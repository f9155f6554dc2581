"""Values, whatever holds them: copies of another dtype, whether they are the same, or nearly so."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import casts, checks
from ..base.arrays import namespace

__all__ = ["close", "copied", "same"]


def copied(values: Any, dtype: Any = None) -> Any:
    """Return a copy of an array's values, of `dtype` if one is given."""
    wanted = values.dtype if dtype is None else checks.dtype("dtype", dtype)
    return values.copy() if wanted == values.dtype else casts.cast(values, wanted)


def same(x: Any, y: Any) -> Any:
    """Return where two arrays have the same value; NaN is the same as NaN.

    Examples
    --------
    >>> import numpy as np
    >>> same(np.array([1, np.nan]), np.array([1, np.nan])).tolist()
    [True, True]
    """
    return (x == y) | ((x != x) & (y != y))


def close(x: Any, y: Any, rel_tol: float, abs_tol: float) -> Any:
    """Return where two arrays differ by `rel_tol` of the larger value, or by `abs_tol`, at most; infinity by nothing.

    Examples
    --------
    >>> import numpy as np
    >>> close(np.array([1.0, np.inf, 1]), np.array([1 + 1e-9, np.inf, np.inf]), 1e-7, 0).tolist()
    [True, True, False]
    """
    xp = namespace(x)
    u, v = x.astype(float), y.astype(float)
    with np.errstate(all="ignore"):
        near = abs(u - v) <= xp.maximum(rel_tol * xp.maximum(abs(u), abs(v)), abs_tol)
    return same(x, y) | (near & xp.isfinite(u) & xp.isfinite(v))
