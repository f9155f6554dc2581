"""What is sent to the device, and what kernels are compiled with."""

import gc
import re

import cupy
import numpy as np
import pytest
from cupy.cuda import compiler

from lagbfs import Matrix, Vector, backends, bfs, graphs, using
from lagbfs.backends.cupyx import launch

MB = 1 << 20


def test_little_of_the_host_is_page_locked_at_a_time(device):
    """CuPy copies through page-locked memory, of which a system has little and which stays locked."""
    n = 3 * MB
    A = Matrix.from_edges(np.arange(n - 1), np.arange(1, n), n=n)
    cupy.get_default_pinned_memory_pool().free_all_blocks()
    device.calls.clear()
    A.handle(backends.get("cupyx")).prepare(next(a for a in backends.get("cupyx").arms if a.variant == "edges"))
    copied = sum(what for kind, what in device.calls if kind == "copy")
    assert copied > 20 * MB
    assert device.most_locked < copied / 2


@pytest.fixture
def options(monkeypatch):
    """What NVRTC is asked for, from now on; nothing is taken from CuPy's cache."""
    seen = []
    compile_both = compiler._compile_using_nvrtc_no_warning

    def record(source, options=(), *arguments, **keywords):
        seen.append((source, options))
        return compile_both(source, options, *arguments, **keywords)

    monkeypatch.setattr(compiler, "_compile_using_nvrtc_no_warning", record)
    monkeypatch.setenv("CUPY_CACHE_IN_MEMORY", "1")
    cupy.clear_memo()
    return seen


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_subnormal_values_are_zero_in_float32_alone(options, dtype):
    """CuPy adds -ftz=true; the README says so."""
    launch.Module("product", np.dtype(np.int32), np.dtype(dtype)).compile()
    [(source, given)] = options
    assert "-fmad=false" in given
    to_text = (*(option for option in given if not option.startswith("-arch")), "-arch=compute_80")
    text, _ = compiler._NVRTCProgram(source, method="ptx").compile(to_text)
    bits = 8 * np.dtype(dtype).itemsize
    multiplications = set(re.findall(rf"\bmul[.\w]*\.f{bits}", text.decode()))
    assert multiplications == {"mul.rn.ftz.f32" if bits == 32 else "mul.rn.f64"}
    assert not re.findall(rf"\bfma[.\w]*\.f{bits}", text.decode())


def test_what_a_matrix_has_on_the_device_is_given_back(device):
    gc.collect()
    before = device.used
    A = graphs.grid(20, 20)
    bfs(A, 0, backend="cupyx", selector="pull:hubs")
    with using(backend="cupyx"):
        Vector.from_coo([0], [1.0], size=400).vxm(A).new()
    assert device.used > before
    del A
    gc.collect()
    assert device.used == before
