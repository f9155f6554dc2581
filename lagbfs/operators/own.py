"""Operators of the user's own: a Python function of numbers, as one of arrays, and the dtypes that it is defined over.

A function that gives the same on arrays is called on arrays; any other on one number after the other. Integers come to
it as integers of 64 bits; what it returns is cast to the dtype that it was given, if that is of the same kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..base import dtypes
from ..base.arrays import to_device, to_host
from ..base.dtypes import BOOL, FP64, INT8, INT64, UINT64
from ..errors import InvalidTypeError, OperatorFunctionError
from .signature import DType, Signature, Typing

__all__ = ["Own", "name_of"]

_TRIED = {"b": [True, False, True], "i": [1, 2, -3], "u": [1, 2, 3], "f": [0.5, 2.0, -1.25]}
# Bools come last: what is made of them depends on what is made of integers.
_ORDER = (*dtypes.INTEGERS, *dtypes.FLOATS, BOOL)


class Own:
    """A user's function of numbers, as one of arrays.

    Parameters
    ----------
    function : callable
        The function.
    reads : str
        What it is given: "v" a value, "p" a position.
    """

    def __init__(self, function: Callable[..., Any], reads: str) -> None:
        if not callable(function):
            raise InvalidTypeError(f"func must be a function of {len(reads)} numbers, not {function!r}")
        self.function, self.reads = function, reads
        self.signature: Signature = self._signature()
        if not self.signature:
            raise OperatorFunctionError(
                f"func must return a number for numbers of some dtype: {function!r} does for none"
            )
        self.takes_arrays = all(map(self._agrees, self.signature))

    def __call__(self, xp: Any, *operands: Any) -> Any:
        """Return what the function makes of arrays, on the host or on a device."""
        if xp is not np:
            return to_device(self(np, *map(to_host, operands)))
        given = [_wide(x) for x in operands]
        with np.errstate(all="ignore"):
            if self.takes_arrays:
                try:
                    return _filled(self.function(*given), len(given[0]))
                except Exception:  # of arrays; whatever it raises for numbers is raised below
                    pass
            return self._one_by_one(given)

    def _one_by_one(self, given: list[Any]) -> Any:
        values = [self.function(*numbers) for numbers in _numbers(given)]
        return np.array(values) if values else np.zeros(0)

    def _operands(self, dtype: DType) -> list[Any]:
        """Return arrays to try the function on."""
        values, places = np.array(_TRIED[dtype.kind], dtype), np.array([0, 3, 1])
        return [_wide(np.roll(values, k)) if of == "v" else np.roll(places, k) for k, of in enumerate(self.reads)]

    def _signature(self) -> dict[DType, Typing]:
        found: dict[DType, Typing] = {}
        for dtype in _ORDER:
            given = [x[:1] for x in self._operands(dtype)]
            try:
                with np.errstate(all="ignore"):
                    value = np.asarray(self._one_by_one(given))
            except Exception:  # then it is not defined over that dtype
                continue
            if value.shape == (1,) and value.dtype.kind in "biuf":
                found[dtype] = Typing(dtype, _result(dtype, value.dtype, found))
        return found

    def _agrees(self, dtype: DType) -> bool:
        """Whether the function gives the same of arrays as of their numbers."""
        given = self._operands(dtype)
        try:
            with np.errstate(all="ignore"):
                at_once = _filled(self.function(*(x.copy() for x in given)), len(given[0]))
                return np.array_equal(at_once, self._one_by_one(given), equal_nan=True)
        except Exception:  # of arrays
            return False


def _wide(x: Any) -> Any:
    """Return a copy to compute on: integers of 64 bits."""
    return x.astype({"i": INT64, "u": UINT64}.get(x.dtype.kind, x.dtype))


def _numbers(arrays: list[Any]) -> Iterator[tuple[Any, ...]]:
    """Yield the numbers at each position: NumPy's, which wrap and divide by zero quietly, and Python's bools."""
    return zip(*(x.tolist() if x.dtype == BOOL else x for x in arrays), strict=True)


def _filled(value: Any, size: int) -> Any:
    """Return a result with one number for each position."""
    result = np.asarray(value)
    if result.dtype.kind not in "biuf":
        raise TypeError("no numbers")
    return np.full(size, result) if result.ndim == 0 else result


def _result(dtype: DType, value: DType, found: dict[DType, Typing]) -> DType:
    """Return the dtype of the result over `dtype`, where the function has returned a number of dtype `value`."""
    if value.kind == "b":
        return BOOL
    is_integer, gives_integer = dtype.kind in "iu", value.kind in "iu"
    if (is_integer and gives_integer) or (dtype.kind == value.kind == "f"):
        return dtype
    if dtype == UINT64 and INT64 in found and found[INT64].result == INT64:
        return UINT64
    if dtype == BOOL and gives_integer:
        return INT8 if INT8 in found and found[INT8].result == INT8 else INT64
    return INT64 if gives_integer else FP64


def name_of(function: Any, name: str | None) -> str:
    """Return what an operator is called that is made of a function."""
    return name or str(getattr(function, "__name__", "anonymous"))
