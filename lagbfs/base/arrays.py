"""Where arrays are: on the host, as NumPy's, or on a device, as CuPy's."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ..errors import DeviceError, InvalidTypeError
from .optional import require


def on_device(array: Any) -> bool:
    """Whether an array is CuPy's."""
    return not isinstance(array, np.ndarray | np.generic)


def namespace(array: Any) -> Any:
    """Return the module whose functions take an array: NumPy or CuPy."""
    return sys.modules[type(array).__module__.partition(".")[0]] if on_device(array) else np


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
