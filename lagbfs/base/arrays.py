"""Where arrays are: on the host, as NumPy's, or on a device, as CuPy's."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DeviceError, InvalidTypeError
from .optional import require


def on_device(array: Any) -> bool:
    """Whether an array is CuPy's."""
    return not isinstance(array, np.ndarray | np.generic)


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


def together(*arrays: Any) -> None:
    """Raise unless all arrays are on the host, or all on the device."""
    if len({on_device(array) for array in arrays}) > 1:
        raise InvalidTypeError(
            "one vector is on a device and another in main memory: bring them together by v.to_device() or v.to_host()"
        )


def to_host(array: Any) -> Any:
    """Return an array on the host; the same if it is there."""
    try:
        return array.get() if on_device(array) else array
    except RuntimeError as error:
        raise DeviceError(f"what is on the device cannot be read any more ({error})") from error


def to_device(array: Any) -> Any:
    """Return an array on the device; the same if it is there."""
    return array if on_device(array) else require("cupy", "cuda13").asarray(array)
