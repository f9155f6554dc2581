"""Runs CUDA kernels on the CPU: their text compiled by g++ behind a shim, each CUDA thread a fiber.

    module = compile(source, ["-DINDEX=int32"])
    module.signatures["list_to_bitmap"]  # ('const int32*', 'int64', 'uint32*'), as the compiler deduced it
    module.launch("list_to_bitmap", 1, 256, [array, np.int64(3), bitmap])

Compiled modules are kept: see kept.py.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from kept import kept

SHIM = [Path(__file__).parent / f"{name}.hpp" for name in ("fibers", "shim", "entry")]
FOLDER = Path(__file__).parent.parent.parent / "backends" / "cupyx"
MODULES = {
    "traversal": ("common", "frontier", "push", "pull"),
    "many": ("common", "many"),
    "product": ("common", "product", "dot"),
}
# Why kernels cannot be run here, if they cannot.
NEEDS = "" if sys.platform == "linux" and shutil.which("g++") else "needs g++ on Linux"
ORDERS = ("forward", "reverse", "random")
BLOCK = 256
ENTRIES = ("SHIM_LAUNCH", "SHIM_SIGNATURE")  # what is seen of each kernel
_KERNEL = re.compile(r'^ *(?:KERNEL|extern "C" __global__) void (\w+)\(', re.MULTILINE)


class KernelFault(RuntimeError):  # noqa: N818 - what CUDA calls it
    """A kernel did what is undefined on a GPU; the message says where."""


class CompileError(RuntimeError):
    """The text does not compile; the message is the compiler's."""


class _Launch(ctypes.Structure):
    _fields_ = [
        ("grid", ctypes.c_int64),
        ("first", ctypes.c_int64),
        ("blocks", ctypes.c_int64),
        ("threads", ctypes.c_int32),
        ("order", ctypes.c_int32),
        ("seed", ctypes.c_uint64),
    ]


class _Parameter(NamedTuple):
    text: str
    dtype: np.dtype[Any]
    is_pointer: bool
    is_const: bool


def _parameter(text: str) -> _Parameter:
    name = text.removeprefix("const ").removesuffix("*")
    return _Parameter(text, np.dtype(name), text.endswith("*"), text.startswith("const "))


def source(module: str) -> str:
    """Return the joined text of a module's files."""
    return "".join((FOLDER / f"{name}.cu").read_text(encoding="ascii") for name in MODULES[module])


def kernels(text: str) -> list[str]:
    """Return the names of the kernels that a text defines."""
    return _KERNEL.findall(text)


@cache
def compile(text: str, options: Sequence[str] = (), sanitizer: str = "") -> Module:
    """Return the kernels of a text; options that are not macros are a GPU compiler's own and left out."""
    extra = [option for option in options if option.startswith("-D")]
    extra += [f"-fsanitize={sanitizer}", "-g1"] if sanitizer else []
    return Module(library(text, extra), kernels(text))


def library(
    text: str,
    extra: Sequence[str] = (),
    prelude: str = "",
    entries: Sequence[str] = ENTRIES,
    folders: Sequence[Path] = (),
    told: Sequence[str | bytes] = (),
) -> Path:
    """Return the shared object that has the kernels of a text, compiled with extra flags behind an extra prelude.

    Of the folders of headers that it includes, `told` tells the content.
    """
    flags = ["-std=c++17", "-O1", "-shared", "-fPIC", "-fvisibility=hidden", "-fno-gnu-unique"]
    flags += ["-fno-strict-aliasing", "-w", "-pthread", *extra]
    shim = "".join(path.read_text(encoding="utf-8") for path in SHIM)
    seen = "".join(f"\n{entry}({name})" for name in kernels(text) for entry in entries)
    program = f'{shim}{prelude}\n#line 1 "kernels.cu"\n{text}{seen}\n'
    places = [f"-I{folder}" for folder in folders]
    return kept("kernels.so", [program, *flags, *told], lambda path: _build(program, [*flags, *places], path))


def _build(program: str, flags: list[str], made: Path) -> None:
    command = ["g++", *flags, "-x", "c++", "-", "-o", str(made)]
    alone = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}  # not under a sanitizer
    run = subprocess.run(command, input=program, capture_output=True, encoding="utf-8", env=alone)
    if run.returncode:
        raise CompileError(f"{' '.join(command)}:\n{run.stderr}")


class Module:
    """Compiled kernels.

    Attributes
    ----------
    signatures : dict
        For each kernel the types of its parameters: a NumPy dtype's name; for pointers with ``*`` behind and, if they
        are only read, ``const`` before.
    """

    def __init__(self, library: Path, kernels: list[str]) -> None:
        self._library = ctypes.CDLL(str(library))
        self._entries = {}
        self._parameters = {}
        self.signatures: dict[str, tuple[str, ...]] = {}
        for kernel in kernels:
            signature = self._library[f"signature_{kernel}"]
            signature.restype = ctypes.c_char_p
            self.signatures[kernel] = tuple(signature().decode().split(";")[:-1])
            self._parameters[kernel] = [*map(_parameter, self.signatures[kernel])]
            self._entries[kernel] = self._library[f"launch_{kernel}"]
            self._entries[kernel].restype = ctypes.c_char_p

    def launch(
        self,
        kernel: str,
        grid: int,
        block: int,
        arguments: Sequence[Any],
        *,
        order: str = "forward",
        seed: int = 0,
        first: int = 0,
        blocks: int | None = None,
    ) -> None:
        """Run a kernel: NumPy arrays for pointers (or None, or an address), NumPy scalars by value.

        Of a large grid only `blocks` blocks may be run, from block `first` on.
        """
        parameters = self._parameters[kernel]
        if len(arguments) != len(parameters):
            raise TypeError(f"{kernel} takes {len(parameters)} arguments, not {len(arguments)}")
        if block % 32 or not 0 < block <= 1024 or not 0 < grid < 2**31:
            raise ValueError(f"cannot launch {grid} blocks of {block} threads")
        given = [_argument(kernel, i, *pair) for i, pair in enumerate(zip(parameters, arguments, strict=True))]
        places = (ctypes.c_void_p * len(given))(*[value.ctypes.data for value in given])
        count = grid - first if blocks is None else blocks
        launch = _Launch(grid, first, count, block, ORDERS.index(order), seed)
        fault = self._entries[kernel](ctypes.byref(launch), places)
        if fault:
            raise KernelFault(f"{kernel}, {order}: {fault.decode()}")


def _argument(kernel: str, position: int, parameter: _Parameter, value: Any) -> np.ndarray[Any, Any]:
    """Return an array whose memory holds what is passed: the value, or the address of an array's data."""
    if not parameter.is_pointer:
        if not isinstance(value, np.generic) or value.dtype != parameter.dtype:
            raise TypeError(f"argument {position} of {kernel} must be {parameter.text}, not {type(value).__name__}")
        return np.array(value)
    if value is None or isinstance(value, int):
        return np.array(value or 0, np.uint64)
    if not isinstance(value, np.ndarray) or value.dtype != parameter.dtype:
        found = getattr(value, "dtype", type(value).__name__)
        raise TypeError(f"argument {position} of {kernel} must be {parameter.text}, not {found}")
    if not value.flags.c_contiguous or not (parameter.is_const or value.flags.writeable):
        raise ValueError(f"argument {position} of {kernel} must be contiguous and, unless const, writable")
    return np.array(value.ctypes.data, np.uint64)
