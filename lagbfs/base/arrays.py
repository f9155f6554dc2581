"""Where arrays are: on the host, as NumPy's, or on a device, as CuPy's."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DeviceError, InvalidTypeError
from .optional import require

_NUMPY = (np.ndarray, np.generic)


def on_device(array: Any) -> bool:
    """Whether an array is CuPy's."""
    return type(array) is not np.ndarray and not isinstance(array, _NUMPY)  # quickly: this is asked all the time


def namespace(array: Any) -> Any:
    """Return the module whose functions take an array: NumPy or CuPy."""
    return sys.modules[type(array).__module__.partition(".")[0]] if on_device(array) else np


_COUNTED = 1 << 22  # numbers counted together: NumPy counts a copy of 64 bits each


def occurrences(numbers: NDArray[Any], n: int) -> NDArray[np.int64]:
    """Return how often each of 0 … n - 1 occurs.

    Examples
    --------
    >>> import numpy as np
    >>> occurrences(np.array([2, 0, 2], np.int32), 4).tolist()
    [1, 0, 2, 0]
    """
    counts = np.zeros(n, np.int64)
    for begin in range(0, len(numbers), max(_COUNTED, n)):
        counts += np.bincount(numbers[begin : begin + max(_COUNTED, n)], minlength=n)
    return counts


def place(array: Any) -> int | None:
    """Return the number of the device that an array is on, None if it is on the host."""
    return int(array.device.id) if on_device(array) else None


def together(*arrays: Any) -> None:
    """Raise unless all arrays are on the host, or all on one device."""
    for array in arrays:  # quickly where all are NumPy's: small operations take microseconds
        if type(array) is not np.ndarray:
            break
    else:
        return
    first, *others = (*map(place, arrays),)
    for other in others:
        if other != first:
            raise InvalidTypeError(
                f"one vector is {_words(first)} and another {_words(other)}: "
                "bring them together by v.to_device() or v.to_host()"
            )


def _words(place: int | None) -> str:
    return "in main memory" if place is None else f"on device {place}"


def to_host(array: Any) -> Any:
    """Return an array on the host; the same if it is there."""
    try:
        return array.get() if on_device(array) else array
    except RuntimeError as error:
        raise DeviceError(f"what is on the device cannot be read any more ({error})") from error


def to_device(array: Any) -> Any:
    """Return an array on the device; the same if it is there."""
    return array if on_device(array) else require("cupy", "cuda13").asarray(array)
