"""CuPy itself, as its wheel is, over simulated devices: for a process of its own, in which it was not imported yet.

    from cupy_real.device import SIMULATOR

The CUDA runtime and driver are stubs (`simulator.cpp`, `runtime.cpp`, `driver.cpp`), put in the place of the real ones
by `install.py`. Kernels, ours and CuPy's, are compiled by NVRTC for a device and then run on the CPU as tests/cuda does
it (`kernels.py`). Out of reach is what comes with kernels that are compiled already: CUB, which is switched off,
Thrust, whose sorts NumPy does (`sorts.py`), and cuSPARSE, whose product it does in `test_matrices.py`.
"""

import platform
import shutil
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

_WHEELS = {"cupy-cuda12x": "14", "nvidia-cuda-nvrtc-cu12": "12", "nvidia-cuda-runtime-cu12": "12"}


def missing():
    """Return what is missing here to simulate devices, and how to get it; empty if nothing is."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64") or None in map(shutil.which, ("g++", "nm")):
        return "needs g++ and nm on Linux, x86_64"
    if not all(_is_installed(*wheel) for wheel in _WHEELS.items()):
        return "needs CuPy 14 for CUDA 12, NVRTC and headers: pip install 'lagbfs[test-cuda]'"
    return ""


def _is_installed(wheel, major):
    try:
        return version(wheel).split(".")[0] == major
    except PackageNotFoundError:
        return False


def headers():
    """Return the folder of CUDA's headers, as a wheel installs it."""
    folders = map(Path, find_spec("nvidia").submodule_search_locations)
    return next(path.parent for folder in folders for path in folder.rglob("cuda_runtime_api.h"))
