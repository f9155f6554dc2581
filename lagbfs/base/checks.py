"""Checks on arguments: each returns the value in its canonical form or raises, naming the argument."""

from __future__ import annotations

import numbers
import operator
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DimensionError, InvalidTypeError, InvalidValueError, OutOfRangeError, ValueOverflowError
from . import casts, dtypes
from .suggestions import did_you_mean

DTYPES = frozenset(dtypes.ALL)
INT32_MAX = np.iinfo(np.int32).max
MOST_POSITIONS = 1 << 60  # along a dimension, as in GraphBLAS
FLOAT_MAX = float(np.finfo(np.float64).max)


def flag(name: str, value: Any) -> bool:
    """Return `value` as a bool; what is no bool, and neither 0 nor 1, is refused."""
    if value is True or value is False:  # quickly: small searches take microseconds
        return value
    if isinstance(value, np.bool_) or (isinstance(value, int | np.integer) and value in (0, 1)):
        return bool(value)
    raise InvalidTypeError(f"{name} must be True or False, not {value!r} of type {type(value).__name__}")


def function(name: str, value: Any) -> Any:
    """Return `value` if it can be called."""
    if not callable(value):
        raise InvalidTypeError(f"{name} must be callable, not {value!r} of type {type(value).__name__}")
    return value


def integer(name: str, value: Any, *, low: int | None = None, high: int | None = None) -> int:
    """Return `value` as an int; bools, floats and strings are refused."""
    result: int = value if type(value) is int else _as_integer(name, value)  # quickly: small searches take microseconds
    if low is not None and result < low:
        raise InvalidValueError(f"{name} must be at least {low}, not {result}")
    if high is not None and result > high:
        raise InvalidValueError(f"{name} must be at most {high}, not {result}")
    return result


def extent(name: str, value: Any) -> int:
    """Return `value` as a number of positions, of which there may be 2⁶⁰."""
    result = integer(name, value, low=0)
    if result > MOST_POSITIONS:
        raise InvalidValueError(f"{name} must be at most 2^60, not {result}")
    return result


def _as_integer(name: str, value: Any) -> int:
    if isinstance(value, bool | np.bool_):
        raise InvalidTypeError(f"{name} must be an integer, not the bool {value!r}")
    try:
        return operator.index(value)
    except TypeError:
        raise InvalidTypeError(f"{name} must be an integer, not {value!r} of type {type(value).__name__}") from None


def real(name: str, value: Any, *, low: float = -FLOAT_MAX, high: float = FLOAT_MAX) -> float:
    """Return `value` as a float in [low, high]; bools, strings and what is not finite are refused."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        raise InvalidTypeError(f"{name} must be a number, not {value!r} of type {type(value).__name__}")
    if not low <= value <= high:
        raise InvalidValueError(f"{name} must lie in [{low:g}, {high:g}], not {value}")
    return float(value)


def is_number(value: Any) -> bool:
    """Whether `value` is a real number, or a bool."""
    return isinstance(value, numbers.Real | np.bool_)


def index(name: str, value: Any, size: int) -> int:
    """Return `value` as an index in [0, size); negative indices do not count from the end."""
    result = integer(name, value)
    if not 0 <= result < size:
        raise OutOfRangeError(f"{name} must lie in [0, {size}), not {result}")
    return result


def index_array(name: str, values: Any, size: int | None = None) -> NDArray[Any]:
    """Return `values` as a one-dimensional array of int32 or int64 indices, in [0, size) if it is given."""
    array = np.asarray(values)
    if array.size == 0:
        array = array.astype(np.int64)
    if array.dtype.kind in "fO" and not hasattr(values, "dtype"):  # what NumPy makes of integers beyond 64 bits
        _fit_in_64_bits(name, values)
    if array.ndim != 1:
        raise DimensionError(f"{name} must be one-dimensional, not of shape {array.shape}")
    if array.dtype.kind not in "iu":
        raise InvalidTypeError(f"{name} must hold integers, not {array.dtype}")
    if array.dtype == np.uint64 and array.size and array.max() > np.iinfo(np.int64).max:
        raise OutOfRangeError(f"{name} holds {array.max()}, which does not fit in 64 signed bits")
    if array.dtype not in (np.int32, np.int64):
        array = array.astype(np.int64)
    in_range(name, array, size)
    return array


def _fit_in_64_bits(name: str, values: Any) -> None:
    """Raise if integers are listed that no index can be."""
    listed = np.array(values, object).ravel().tolist()
    large = max((value for value in listed if type(value) is int), default=0)
    if large >= 2**63:
        raise ValueOverflowError(f"{name} must fit in 64 signed bits: {large} does not")


def told(name: str, indices: NDArray[Any]) -> int:
    """Return the number of positions that `name` is by default: such that all indices lie within."""
    if not indices.size:
        raise InvalidValueError(f"{name} must be given: there are no indices to tell it by")
    return int(indices.max()) + 1


def in_range(name: str, array: NDArray[Any], size: int | None) -> None:
    """Raise unless every entry of `array` lies in [0, size)."""
    if not array.size:
        return
    low, high = int(array.min()), int(array.max())
    if low < 0 or (size is not None and high >= size):
        bad = low if low < 0 else high
        at = int(np.argmax(array == bad))
        bound = "not be negative" if size is None else f"lie in [0, {size})"
        raise OutOfRangeError(f"{name} must {bound}: {name}[{at}] is {bad}")


def dimensions(name: str, array: Any, ndim: int) -> None:
    """Raise unless an array that is to be a vector or a matrix has one dimension, or two."""
    if array.ndim == 0:
        raise InvalidTypeError(f"{name} must be an array, not one number: see from_scalar")
    if array.ndim != ndim:
        raise DimensionError(f"{name} must be {('one', 'two')[ndim - 1]}-dimensional, not of shape {array.shape}")


def same_length(**arrays: Any) -> None:
    """Raise unless all the named arrays have one length."""
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise DimensionError(f"these must have the same length: {said}")


def same_size(left: str, size: int, right: str, other: int) -> None:
    """Raise unless two dimensions that meet are equal."""
    if size != other:
        raise DimensionError(f"{left} is {size} but {right} is {other}: they must be equal")


def one_of(name: str, value: Any, choices: Iterable[str]) -> str:
    """Return `value` if it is among `choices`."""
    known = list(choices)
    if not isinstance(value, str) or value not in known:
        raise InvalidValueError(
            f"{name} must be one of {', '.join(map(repr, known))}, not {value!r}{did_you_mean(value, known)}"
        )
    return value


def numeric(name: str, values: Any, wanted: Any = None) -> NDArray[Any]:
    """Return `values` as an array of bools, integers or floats, in the machine's byte order; of dtype `wanted`, if any.

    An array is cast as GraphBLAS does, as by ``astype``; numbers that do not fit are refused, as by ``np.array``.
    """
    array = np.asarray(values)
    into = None if wanted is None else dtype("dtype", wanted)
    if into == np.uint64 and array.dtype == np.float64 and not hasattr(values, "dtype"):
        array = _exact(values, array)
    kind = array.dtype.newbyteorder("=")
    if kind not in DTYPES:
        raise InvalidTypeError(f"{name} must be boolean, integer or float of at most 64 bits, not {array.dtype}")
    array = array.astype(kind, copy=False)
    if into is None:
        return array
    if not hasattr(values, "dtype"):
        _fits(name, array, into)
    result: NDArray[Any] = casts.cast(array, into)
    return result


def _exact(values: Any, array: NDArray[Any]) -> NDArray[Any]:
    """Return integers that only 64 unsigned bits hold as such: beside smaller ones NumPy takes them for floats."""
    listed = np.array(values, object).ravel().tolist()
    if all(type(value) is int for value in listed) and 0 <= min(listed, default=0) <= max(listed, default=0) < 2**64:
        return np.array(values, np.uint64)
    return array


def _fits(name: str, array: NDArray[Any], into: np.dtype[Any]) -> None:
    """Raise unless every value of `array`, cut to an integer, lies in the range of an integer dtype."""
    if into.kind not in "iu" or not array.size:
        return
    bounds = np.iinfo(into)
    for extreme in (array.min().item(), array.max().item()):  # both are NaN if any value is
        if not bounds.min - 1 < extreme < bounds.max + 1:
            raise ValueOverflowError(f"{name} must fit into {into} ({bounds.min} to {bounds.max}), not {extreme}")


def dtype(name: str, value: Any) -> np.dtype[Any]:
    """Return `value` as a boolean, integer or float dtype."""
    return dtypes.lookup_dtype(value, name)
