"""Which positions an index names: an integer, a slice, a list or an array of integers, along one dimension."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import checks
from ..errors import InvalidTypeError, InvalidValueError, OutOfRangeError
from ..operators.operand import Operand
from ..storage.axis import Axis
from .mask import MaskOf
from .scalar import ScalarOperations, plain

__all__ = ["Axis", "axis"]


def axis(index: Any, size: int) -> Axis:
    """Return what an index names along a dimension of `size`; negative integers count from the end.

    Examples
    --------
    >>> axis(slice(-2, None), 10).places
    range(8, 10)
    """
    if index is ...:
        return Axis.all(size)
    if isinstance(index, ScalarOperations):
        index = plain(index)
    if isinstance(index, MaskOf | Operand):
        raise InvalidTypeError(f"index must be an integer, a slice or a list, not {index!r}")
    if isinstance(index, slice):
        return Axis(size, _range(index, size))
    if isinstance(index, tuple):
        raise InvalidTypeError(f"index must be an integer, a slice or a list, not the tuple {index!r}")
    if np.ndim(index) == 0:
        one = _one(index, size)
        return Axis(size, range(one, one + 1), is_one=True)
    listed = np.asarray(index)
    if listed.ndim > 1:
        raise InvalidTypeError(f"index must be an integer, a slice or a list, not of shape {listed.shape}")
    if listed.dtype.kind == "i" and listed.size and listed.min() < 0:
        if listed.min() < -size:
            raise OutOfRangeError(f"index must lie in [{-size}, {size}), not hold {listed.min()}")
        listed = np.where(listed < 0, listed + size, listed)
    return Axis(size, checks.index_array("index", listed, size).astype(np.int64, copy=False))


def _range(index: slice, size: int) -> range:
    try:
        return range(*index.indices(size))
    except TypeError:
        raise InvalidTypeError(f"index must be a slice of integers, not {index!r}") from None
    except ValueError:
        raise InvalidValueError(f"index must be a slice with a step other than zero, not {index!r}") from None


def _one(index: Any, size: int) -> int:
    number = checks.integer("index", index)
    if not -size <= number < size:
        raise OutOfRangeError(f"index must lie in [{-size}, {size}), not be {number}")
    return number + size if number < 0 else number
