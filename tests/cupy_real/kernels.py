"""Kernels of the simulated devices: NVRTC compiles them as it does for a device, g++ what is then run.

CuPy's own cache keeps them: the image of a module is not NVRTC's but text, which names the library for the host and
tells the options that NVRTC was given.
"""

import hashlib
import os
from pathlib import Path

import emulator
from kept import CACHE

from .install import HERE, INCLUDE

MAGIC = "lagbfs-emulated"
_PRELUDE = (HERE / "prelude.hpp").read_text(encoding="utf-8")


def cache_folder():
    """Return the folder for CuPy's cache: another one when what kernels are compiled with changes."""
    own = [*INCLUDE.rglob("*.cuh"), HERE / "prelude.hpp", HERE / "kernels.py", Path(emulator.__file__)]
    texts = [path.read_bytes() for path in (*emulator.SHIM, *sorted(own))]
    return CACHE / f"cupy-{hashlib.sha256(b''.join(texts)).hexdigest()[:16]}"


def _for_the_host(source, options):
    macros = [option for option in options if option.startswith("-D")]
    if "#include <cupy/" not in source:
        return emulator.library(source, macros)
    import cupy
    from cupy._core.core import _get_header_dir_path

    folders = [INCLUDE, Path(_get_header_dir_path())]
    told = [cupy.__version__, *(path.read_bytes() for path in sorted(INCLUDE.rglob("*")) if path.is_file())]
    return emulator.library(source, macros, _PRELUDE, ["SHIM_LAUNCH"], folders, told)


def install():
    """Let CuPy, not imported yet, compile for the host what it has compiled by NVRTC."""
    os.environ["CUPY_CACHE_DIR"] = str(cache_folder())
    os.environ["CUPY_ACCELERATORS"] = ""  # CUB has its own runtime, and kernels that are compiled already
    from cupy.cuda import compiler

    compile_by_nvrtc = compiler._compile_using_nvrtc_no_warning

    def compile_twice(source, options=(), *arguments, **keywords):
        cubin, mapping = compile_by_nvrtc(source, options, *arguments, **keywords)
        if cubin[:4] != b"\x7fELF":
            raise RuntimeError(f"NVRTC made something else than a cubin: {cubin[:40]!r}")
        told = "\n".join([MAGIC, str(_for_the_host(source, options)), *options])
        return told.encode() + b"\0", mapping

    compiler._compile_using_nvrtc_no_warning = compile_twice
