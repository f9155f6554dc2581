"""The CUDA kernels compile: for every architecture from sm_75 to sm_120, without warnings, spills or stack frames."""

import ctypes
import importlib.util
import itertools
import locale
import re
import shutil
import subprocess
from pathlib import Path

import emulator
import pytest

pytestmark = pytest.mark.slow

DTYPES = ("bool", *(f"{sign}int{8 << i}" for sign in ("", "u") for i in range(4)), "float32", "float64")
OLDEST, NEWEST = 75, 120


def wanted(architectures):
    """Return those of the architectures for which the kernels are meant."""
    chosen = [sm for sm in architectures if OLDEST <= sm <= NEWEST]
    assert chosen, f"this compiler knows only {architectures}"
    return chosen


def variants(architectures):
    """Yield module, macros and architecture: everything once, and both index types for the oldest and the newest.

    Products over the dtypes take the architectures in turn.
    """
    for name in ("traversal", "many"):
        for sm in architectures:
            yield name, ["-DINDEX=int32"], sm
        for sm in (architectures[0], architectures[-1]):
            yield name, ["-DINDEX=int64"], sm
    for dtype, sm in zip(DTYPES, itertools.cycle(architectures)):
        yield "product", ["-DINDEX=int32", f"-DTYPE={dtype}"], sm
    for dtype, sm in zip(("bool", "int64", "float64"), itertools.cycle((architectures[-1], architectures[0]))):
        yield "product", ["-DINDEX=int64", f"-DTYPE={dtype}"], sm


def nvcc_architectures():
    listed = subprocess.run(["nvcc", "--list-gpu-code"], capture_output=True, text=True, check=True).stdout
    return wanted(sorted({int(number) for number in re.findall(r"^sm_(\d+)$", listed, re.MULTILINE)}))


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc (the CUDA toolkit)")
@pytest.mark.parametrize("name", ["traversal", "many", "product"])
def test_nvcc(name, tmp_path):
    for module, macros, sm in variants(nvcc_architectures()):
        if module != name:
            continue
        text, out = tmp_path / f"{module}.cu", tmp_path / "kernels.cubin"
        text.write_text(emulator.source(module))
        flags = ["-std=c++17", f"-arch=sm_{sm}", "-cubin", "-Werror", "all-warnings", "-Xptxas", "-v"]
        run = subprocess.run(["nvcc", *flags, *macros, str(text), "-o", str(out)], capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        check_resources(run.stderr, len(emulator.kernels(text.read_text())))


def check_resources(report, kernels):
    """Nothing spilled, no stack; few enough registers for a block of 256 threads to have company."""
    frames = re.findall(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", report)
    registers = [int(count) for count in re.findall(r"Used (\d+) registers", report)]
    assert len(frames) == len(registers) == kernels
    assert set(frames) == {("0", "0", "0")}
    assert max(registers) <= 64, "eight warps of them have to fit four times into a multiprocessor"


@pytest.fixture
def nvrtc():
    """NVRTC as a wheel installs it. Some versions change the locale, which has to be put back."""
    spec = importlib.util.find_spec("nvidia")
    folders = [Path(folder) for folder in spec.submodule_search_locations] if spec else []
    found = [path for folder in folders for path in folder.rglob("libnvrtc.so.*") if "builtins" not in path.name]
    if not found:
        pytest.skip("needs NVRTC (pip install nvidia-cuda-nvrtc)")
    before = locale.setlocale(locale.LC_ALL)
    yield ctypes.CDLL(str(found[0]))
    locale.setlocale(locale.LC_ALL, before)


def compile_by_nvrtc(nvrtc, text, options):
    """Return the log of a compilation, after checking that it succeeded."""
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"kernels.cu", 0, None, None) == 0
    flags = [option.encode() for option in options]
    status = nvrtc.nvrtcCompileProgram(program, len(flags), (ctypes.c_char_p * len(flags))(*flags))
    assert nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size)) == 0
    log = ctypes.create_string_buffer(size.value)
    assert nvrtc.nvrtcGetProgramLog(program, log) == 0
    assert status == 0, log.value.decode()
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return log.value.decode()


def test_nvrtc(nvrtc):
    """No headers, no driver, no device: what CuPy does on the user's machine."""
    count = ctypes.c_int()
    assert nvrtc.nvrtcGetNumSupportedArchs(ctypes.byref(count)) == 0
    supported = (ctypes.c_int * count.value)()
    assert nvrtc.nvrtcGetSupportedArchs(supported) == 0
    architectures = wanted(sorted(supported))
    for module, macros, sm in variants([architectures[0], architectures[-1]]):
        assert compile_by_nvrtc(nvrtc, emulator.source(module), ["-std=c++17", f"-arch=sm_{sm}", *macros]) == ""
