"""Whether there is a GPU. Where there is none, the double of CuPy takes its place, here and in child processes.

`LAGBFS_CUPY=simulated` lets CuPy itself take the double's place, over simulated devices (cupy_real/).
"""

import ctypes
import os
import shutil
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

TESTS = str(Path(__file__).parent)
DOUBLE = str(Path(TESTS, "cupy_double"))


def has_device():
    """Whether CuPy is installed and the driver knows of a device."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int()
    counted = driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0
    return counted and count.value > 0 and find_spec("cupy") is not None


SIMULATED = os.environ.get("LAGBFS_CUPY") == "simulated"
DEVICE = not SIMULATED and has_device()


def stand_in():
    """Let ``import cupy`` find something that runs here; kernels need g++ for that."""
    if SIMULATED:
        import_module("cupy_real.tally").start()
    elif not DEVICE:
        use_the_double()


def use_the_double():
    """Let ``import cupy`` find the double."""
    if DOUBLE in sys.path or shutil.which("g++") is None:
        return
    sys.path.insert(0, DOUBLE)
    others = os.environ.get("PYTHONPATH")
    places = [DOUBLE, TESTS, *([others] if others else [])]  # of the double, and of what its kernels are kept by
    os.environ["PYTHONPATH"] = os.pathsep.join(places)


def stand_in_device():
    """Return the device of the double, or the simulated ones, which tell what was asked of them; None without."""
    if SIMULATED:
        return import_module("cupy_real.device").SIMULATOR
    return import_module("cupy._device").DEVICE if DOUBLE in sys.path else None
