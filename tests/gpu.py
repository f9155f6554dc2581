"""Whether there is a GPU. Where there is none, the double of CuPy takes its place, here and in child processes."""

import ctypes
import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

DOUBLE = str(Path(__file__).parent / "cupy_double")


def has_device():
    """Whether CuPy is installed and the driver knows of a device."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int()
    counted = driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0
    return counted and count.value > 0 and find_spec("cupy") is not None


DEVICE = has_device()


def use_the_double():
    """Let ``import cupy`` find the double; its kernels need g++ to run."""
    if DEVICE or DOUBLE in sys.path or shutil.which("g++") is None:
        return
    sys.path.insert(0, DOUBLE)
    others = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = DOUBLE if not others else os.pathsep.join([DOUBLE, others])
