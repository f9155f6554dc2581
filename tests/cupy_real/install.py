"""Puts the simulated devices under CuPy: the driver by its name, the runtime by overwriting its functions in memory.

CuPy's wheel has the CUDA runtime linked into `cupy_backends.cuda.api.runtime`. Its symbols are still there, so each of
its functions can be found and given a jump to the stub of the same name. One that has no stub says that it is not
supported.
"""

import ctypes
import mmap
import subprocess
from pathlib import Path

from kept import kept

from . import headers

HERE = Path(__file__).parent
INCLUDE = HERE / "include"  # in the place of headers that are not there, or too much
_SOURCES = sorted(path for path in HERE.rglob("*") if path.suffix in (".cpp", ".hpp", ".h"))
_FLAGS = ["-std=c++17", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-Wl,-z,defs"]
# Which need no device.
_AS_THEY_ARE = {"cudaGetErrorName", "cudaGetErrorString", "cudaRuntimeGetVersion"}


def library():
    """Return the stubs' library, compiled unless it has been."""
    command = ["g++", *_FLAGS, f"-I{INCLUDE}", "-isystem", str(headers())]
    texts = [str(path) for path in _SOURCES if path.suffix == ".cpp"]
    version = (headers() / "cuda_runtime_api.h").read_bytes()
    content = [*(path.read_bytes() for path in _SOURCES), *_FLAGS, version]
    return kept("libcuda.so.1", content, lambda path: subprocess.run([*command, *texts, "-o", str(path)], check=True))


def symbols(path, *options):
    """Return the functions of a shared object whose names begin with cuda, and their addresses in it."""
    listed = subprocess.run(["nm", *options, str(path)], capture_output=True, text=True, check=True).stdout
    split = [line.split() for line in listed.splitlines()]
    return {line[2]: int(line[0], 16) for line in split if len(line) == 3 and line[1] in "tT" and line[2][:4] == "cuda"}


def _loaded_at(path):
    """Return the address from which on a shared object is loaded."""
    with open("/proc/self/maps") as maps:
        return next(int(line.split("-")[0], 16) for line in maps if line.rstrip().endswith(str(path)))


def _jump(place, target):
    """Overwrite the code at an address: mov rax, target; jmp rax."""
    code = b"\x48\xb8" + target.to_bytes(8, "little") + b"\xff\xe0"
    first = place - place % mmap.PAGESIZE
    size = place + len(code) - first
    libc = ctypes.CDLL(None, use_errno=True)
    for protection in (mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC, mmap.PROT_READ | mmap.PROT_EXEC):
        if libc.mprotect(ctypes.c_void_p(first), ctypes.c_size_t(size), protection):
            raise OSError(ctypes.get_errno(), "the CUDA runtime's code cannot be made writable")
        if protection & mmap.PROT_WRITE:
            ctypes.memmove(place, code, len(code))


def install():
    """Load the stubs, and let the runtime of CuPy, which must not have been imported, jump to them."""
    stubs = ctypes.CDLL(str(library()))
    from cupy_backends.cuda.api import runtime

    base = _loaded_at(runtime.__file__)
    known = symbols(library(), "-D")
    for name, offset in symbols(runtime.__file__).items():
        if name not in _AS_THEY_ARE:
            stub = stubs[name if name in known else "simulator_unsupported"]
            _jump(base + offset, ctypes.cast(stub, ctypes.c_void_p).value)
    return stubs
