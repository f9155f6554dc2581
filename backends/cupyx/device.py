"""The device: whether there is one, how much room it has, and which errors mean that it has failed."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from ...base import arrays
from ...errors import DeviceError

CHUNK = 1 << 26  # bytes that are sent at a time
NEEDS_CUPY = "pip install 'cupy-cuda13x[ctk]' (for a driver of CUDA 12: 'cupy-cuda12x[ctk]')"
NEEDS_DRIVER = "install NVIDIA's driver; nvidia-smi then lists the device (in a container: run it with --gpus all)"


@cache
def cupy() -> Any:
    """Return CuPy, imported when first needed."""
    return import_module("cupy")


def trouble() -> tuple[str, str] | None:
    """Return why no device can be used, and what mends it; None if one can."""
    try:
        runtime = cupy().cuda.runtime
    except ModuleNotFoundError as error:
        if error.name == "cupy":
            return "CuPy is not installed", NEEDS_CUPY
        return f"CuPy cannot be imported ({error})", NEEDS_CUPY
    except ImportError as error:
        return f"CuPy cannot be imported ({error})", NEEDS_CUPY
    return _driver_trouble(runtime) or _device_trouble(runtime) or _toolkit_trouble()


def _driver_trouble(runtime: Any) -> tuple[str, str] | None:
    try:
        driver, built = runtime.driverGetVersion(), runtime.runtimeGetVersion()
    except Exception as error:  # of several kinds, depending on what is missing
        return f"the CUDA driver cannot be asked ({error})", NEEDS_DRIVER
    if not driver:
        return "there is no NVIDIA driver", NEEDS_DRIVER
    if driver // 1000 < built // 1000:
        said = f"the driver is of CUDA {_version(driver)}, CuPy was built for CUDA {_version(built)}"
        return said, f"pip uninstall cupy-cuda{built // 1000}x && pip install 'cupy-cuda{driver // 1000}x[ctk]'"
    return None


def _device_trouble(runtime: Any) -> tuple[str, str] | None:
    try:
        count = runtime.getDeviceCount()
    except runtime.CUDARuntimeError as error:
        return f"there is no CUDA device ({error})", NEEDS_DRIVER
    return None if count else ("there is no CUDA device", NEEDS_DRIVER)


def _toolkit_trouble() -> tuple[str, str] | None:
    """Return what to do where NVRTC, which compiles the kernels, is missing."""
    try:
        cupy().cuda.nvrtc.getVersion()
    except Exception as error:  # ImportError, RuntimeError or cuda-pathfinder's own kind
        major = cupy().cuda.runtime.runtimeGetVersion() // 1000
        said = " ".join(str(error).split())
        return f"NVRTC, CUDA's run-time compiler, is missing ({said})", f"pip install 'cupy-cuda{major}x[ctk]'"
    return None


def _version(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"


def failures() -> tuple[type[BaseException], ...]:
    """Return the kinds of errors by which a device tells that it has failed."""
    cuda = cupy().cuda
    kinds = (cuda.runtime.CUDARuntimeError, cuda.driver.CUDADriverError, cuda.memory.OutOfMemoryError)
    return (*kinds, cuda.compiler.CompileException, cuda.nvrtc.NVRTCError, DeviceError)


class NoRoomError(DeviceError):
    """Something does not fit on the device; what is there can be used as before."""


class MissingError(DeviceError):
    """A library of CUDA is not installed; what is on the device can be used as before."""


def no_room() -> tuple[type[BaseException], ...]:
    """Return the kinds of errors by which a device tells that it has no room, and nothing worse."""
    return (NoRoomError, cupy().cuda.memory.OutOfMemoryError)


def lasting() -> tuple[type[BaseException], ...]:
    """Return the kinds of errors that would come again, and leave the device as it was."""
    return (*no_room(), MissingError)


def count() -> int:
    """Return how many devices there are."""
    number: int = cupy().cuda.runtime.getDeviceCount()
    return number


def free() -> int:
    """Return how many bytes the current device has room for."""
    there, _ = cupy().cuda.runtime.memGetInfo()
    kept: int = cupy().get_default_memory_pool().free_bytes()
    return int(there) + kept


def check_room(nbytes: int, what: str) -> None:
    """Raise unless the device has room for so many bytes."""
    room = free()
    if nbytes > room:
        raise NoRoomError(f"{what} needs {nbytes / 1e6:,.1f} MB on the device, which has {room / 1e6:,.1f} MB free")


def give_back() -> None:
    """Give memory that nothing uses any more back to the device."""
    cupy().get_default_memory_pool().free_all_blocks()


def to_device(array: Any, dtype: Any = None) -> Any:
    """Return an array of the host, or of the device, on the device; as `dtype` if one is given.

    It is sent by chunks from where it lies: `cupy.asarray` would page-lock a copy of the whole, and keep that memory.
    """
    wanted = np.dtype(array.dtype if dtype is None else dtype)
    if arrays.on_device(array):
        return array.astype(wanted, copy=False)
    there, step = cupy().empty(len(array), wanted), max(CHUNK // wanted.itemsize, 1)
    for first in range(0, len(array), step):
        chunk = slice(first, first + step)
        there[chunk].set(np.ascontiguousarray(array[chunk], wanted))
    return there
