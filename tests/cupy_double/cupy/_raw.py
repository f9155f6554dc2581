"""RawModule and its kernels: the same source compiled for the host, and every argument checked before it runs."""

import importlib.util
import threading
from pathlib import Path

import numpy as np

from ._array import ndarray
from ._device import DEVICE
from .cuda.compiler import CompileException


def _load_emulator():
    path = Path(__file__).parents[2] / "cuda" / "emulator.py"
    spec = importlib.util.spec_from_file_location("emulator", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


emulator = _load_emulator()
_STREAM = threading.Lock()  # kernels run one after another, whichever thread launches them


class RawModule:
    """Kernels of one source."""

    def __init__(
        self,
        *,
        code=None,
        path=None,
        options=(),
        backend="nvrtc",
        translate_cucomplex=False,
        enable_cooperative_groups=False,
        name_expressions=None,
        jitify=None,
    ):
        if not isinstance(options, tuple):
            raise TypeError(f"Expected tuple, got {type(options).__name__}")
        self._code, self._options = code, options

    def get_function(self, name):
        try:
            compiled = emulator.compile(self._code, self._options)
        except emulator.CompileError as error:
            raise CompileException(str(error), self._code, name, self._options) from error
        DEVICE.call("compile", name)
        return RawKernel(compiled, name)


class RawKernel:
    """One kernel. A grid that is empty, which CUDA would run as one block, is an error here."""

    def __init__(self, compiled, name):
        self._compiled, self.name = compiled, name
        self._parameters = compiled.signatures[name]

    def __call__(self, grid, block, args, **kwargs):
        if len(args) != len(self._parameters):
            raise TypeError(f"{self.name} takes {len(self._parameters)} arguments, not {len(args)}")
        if min(grid) < 1 or max(grid) > 2**31 - 1:
            raise ValueError(f"{self.name} was launched on a grid of {grid}")
        DEVICE.call("launch", self.name)
        passed = [_argument(self.name, *pair) for pair in zip(self._parameters, args, strict=True)]
        with _STREAM:
            self._compiled.launch(self.name, grid[0], block[0], passed, order=DEVICE.order, seed=DEVICE.seed())


def _argument(kernel, parameter, value):
    """Return an argument for the emulator, if CUDA would read it as what it is."""
    if not parameter.endswith("*"):
        if not isinstance(value, np.generic) or value.dtype.name != parameter:
            raise TypeError(f"{kernel}: a parameter of type {parameter} was given {value!r}")
        return value
    if isinstance(value, np.uint64) and value == 0:
        return None
    if not isinstance(value, ndarray):
        raise TypeError(f"{kernel}: a parameter of type {parameter} was given {type(value)}")
    return value._here
