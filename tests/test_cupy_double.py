"""The double of CuPy: what it offers is CuPy's, and it is as strict as it says."""

import importlib
import inspect
import json
import os
import subprocess
import sys
from importlib.metadata import distributions

import gpu
import numpy as np
import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(gpu.DOUBLE not in sys.path, reason="the double is used where g++ is and no GPU"),
]
cupy = pytest.importorskip("cupy", reason="neither CuPy nor its double is here")

MODULES = ("runtime", "memory", "driver", "compiler", "nvrtc")
OBJECTS = ("cupy:", "cupy:cuda", *(f"cupy:cuda.{name}" for name in MODULES), "cupyx.scipy.sparse:")
CLASSES = (
    *("cupy:ndarray", "cupy:RawModule", "cupy:RawKernel", "cupy:ufunc", "cupy:cuda.Device", "cupy:cuda.MemoryPool"),
    "cupyx.scipy.sparse:csr_matrix",
)

# Run by a Python that finds CuPy itself: tells how it says its functions are called, in the form of `names` below.
DESCRIBE = """
import importlib, inspect, json, re, sys
import cupy

def names(thing):
    try:
        found = [*inspect.signature(thing).parameters]
    except (TypeError, ValueError):
        line = (thing.__doc__ or "").strip().split("\\n")[0]
        inside = re.search(r"\\((.*)\\)", line)
        if inside is None:
            return None
        parts = [part.strip().split("=")[0].split()[-1] for part in inside[1].split(",") if part.strip()]
        found = [part.lstrip("*") for part in parts if part not in ("*", "/")]
    return [name for name in found if name != "self"]

told = {}
for path in json.loads(sys.stdin.read()):
    module, _, names_in_it = path.partition(":")
    thing = importlib.import_module(module)
    try:
        for part in names_in_it.split("."):
            thing = getattr(thing, part)
    except AttributeError:
        told[path] = "missing"
        continue
    told[path] = names(thing) if callable(thing) and not isinstance(thing, cupy.ufunc) else getattr(thing, "nin", None)
print(json.dumps(told))
"""


def offered():
    """For each name of the double, by its path: its parameters, or what kind of thing it is."""
    found = {}
    for path in OBJECTS:
        module = resolve(path)
        for name in module.__all__:
            found[f"{path}.{name}".replace(":.", ":")] = getattr(module, name)
    for path in CLASSES:
        for name, thing in vars(resolve(path)).items():
            if not name.startswith("_"):
                found[f"{path}.{name}"] = thing
    return found


def resolve(path):
    module, _, names_in_it = path.partition(":")
    thing = importlib.import_module(module)
    for part in filter(None, names_in_it.split(".")):
        thing = getattr(thing, part)
    return thing


@pytest.fixture(scope="module")
def told():
    """What the installed CuPy says of the same names."""
    if not any(d.name.startswith("cupy") for d in distributions() if d.name):
        pytest.skip("CuPy itself is not installed: pip install cupy-cuda13x (no device is needed)")
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    run = subprocess.run(
        [sys.executable, "-P", "-W", "ignore", "-c", DESCRIBE],
        input=json.dumps([*offered()]),
        capture_output=True,
        text=True,
        env=env,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_every_name_is_cupys(told):
    assert [path for path, what in told.items() if what == "missing"] == []
    assert len(told) > 60


def test_every_signature_is_cupys(told):
    compared = 0
    for path, thing in offered().items():
        if isinstance(thing, cupy.ufunc):
            assert told[path] == thing.nin, path
        elif inspect.isfunction(thing) and told[path] is not None:
            assert told[path] == [name for name in inspect.signature(thing).parameters if name != "self"], path
            compared += 1
    assert compared > 40


def test_the_host_does_not_get_at_arrays_of_the_device():
    x, host = cupy.arange(3), np.arange(3)
    with pytest.raises(TypeError, match="Implicit conversion"):
        np.asarray(x)
    for mixed in (
        lambda: x + host,
        lambda: host + x,
        lambda: x == host,
        lambda: cupy.where(x, host, x),
        lambda: x[host],
        lambda: x.__setitem__(0, host),
        lambda: cupy.concatenate([x, host]),
        lambda: np.add(host, x),
    ):
        with pytest.raises(TypeError):
            mixed()
    with pytest.raises(TypeError):
        [10, 20, 30][x[0]]  # no __index__
    assert x.get().tolist() == [0, 1, 2]


def test_memory_is_not_zero_and_ends():
    assert cupy.empty(4, np.int32).get().tolist() == [-0x5A5A5A5B] * 4
    with pytest.raises(cupy.cuda.memory.OutOfMemoryError):
        cupy.empty(1 << 40, np.int8)


def test_indices_out_of_range_do_not_wrap():
    with pytest.raises(IndexError):
        cupy.arange(3)[cupy.asarray(np.array([3]))]


KERNEL = """
typedef int int32;
typedef long long int64;
#define KERNEL extern "C" __global__
KERNEL void set(int32* x, int64 size) { if (threadIdx.x < size) x[threadIdx.x] = threadIdx.x; }
"""


@pytest.fixture(scope="module")
def kernel():
    return cupy.RawModule(code=KERNEL, options=("-std=c++17",)).get_function("set")


def test_kernels_run(kernel):
    x = cupy.zeros(3, np.int32)
    kernel((1,), (256,), (x, np.int64(3)))
    assert x.get().tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    "arguments",
    [
        lambda x: (x,),
        lambda x: (x, np.int32(3)),
        lambda x: (x, 3),
        lambda x: (x.astype(np.int64), np.int64(3)),
        lambda x: (np.zeros(3, np.int32), np.int64(3)),
        lambda x: (np.zeros(1, np.int32), np.int64(3)),
        lambda x: (cupy.zeros(6, np.int32)[::2], np.int64(3)),
    ],
)
def test_arguments_of_another_kind_are_refused(kernel, arguments):
    with pytest.raises((TypeError, ValueError)):
        kernel((1,), (256,), arguments(cupy.zeros(3, np.int32)))


def test_an_empty_grid_is_refused(kernel):
    with pytest.raises(ValueError, match="grid"):
        kernel((0,), (256,), (cupy.zeros(3, np.int32), np.int64(3)))
