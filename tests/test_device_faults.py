"""When the device fails: at every call, once or for good, searches and products come out right and tell."""

import gc

import models
import numpy as np
import pytest

from lagbfs import LagbfsError, Matrix, Vector, backends, bfs, graphs, using
from lagbfs.backends import cupyx
from lagbfs.backends.cupyx.device import NEEDS_CUPY, NEEDS_DRIVER

ENGINE = {info.name: info for info in backends.available()}["cupyx"]
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not ENGINE.runs, reason=f"cupyx cannot run here: {ENGINE.reason}")]

# A path into a random graph and a path out of it; some vertices that no edge leads to.
MIDDLE = np.random.default_rng(2).integers(1, 40, (2, 100))
EDGES = np.concatenate([[[0], [1]], MIDDLE, MIDDLE[::-1], [[39, 40, 41], [40, 41, 42]]], axis=1)


def graph(directed=True):
    """The same graph again, of which the device has nothing yet."""
    return Matrix.from_edges(*EDGES, n=60, directed=directed)


SUCCESSORS = [set(map(int, row)) for row in np.split(graph().csr.indices, graph().csr.indptr[1:-1])]
LEVELS = models.levels(SUCCESSORS, [0])


class Alternating:
    """Two levels by each engine in turn, the directions changing."""

    def choose(self, features, arms):
        engines = [*dict.fromkeys(arm.backend for arm in arms)]
        engine = engines[features.level // 2 % len(engines)]
        direction = "pull" if features.level % 2 else "push"
        own = [arm for arm in arms if arm.backend == engine]
        return next((arm for arm in own if arm.direction == direction), own[0])


SEARCHES = {
    "push": {"backend": "cupyx", "selector": "push:edges"},
    "pull": {"backend": "cupyx", "selector": "pull:hubs"},
    "lists": {"backend": "cupyx", "selector": "push:reversed", "deterministic": True},
    "levels": {"backend": "cupyx", "parents": False},
    "target": {"backend": "cupyx", "selector": "push:vertex", "target": 41},
    "crossing": {"backend": ("reference", "cupyx"), "selector": Alternating()},
    "crossing first": {"backend": ("cupyx", "native"), "selector": Alternating(), "deterministic": True},
}


def errors():
    """Return what a device fails with, and whether it does so for good."""
    double = pytest.importorskip("cupy._device", reason="needs the errors of the double; cupy_real/ has its own tests")
    from cupy.cuda.driver import CUDADriverError
    from cupy.cuda.memory import OutOfMemoryError
    from cupy.cuda.runtime import CUDARuntimeError

    return {
        "out of memory": (OutOfMemoryError(1 << 20, 1 << 30), False),
        "a kernel's fault": (CUDARuntimeError(double.ILLEGAL_ADDRESS), True),
        "a launch that failed": (CUDADriverError(double.ILLEGAL_ADDRESS), False),
        "a lost device": (CUDARuntimeError(double.DEVICES_UNAVAILABLE), True),
    }


@pytest.mark.parametrize("error", ["out of memory", "a kernel's fault", "a launch that failed", "a lost device"])
@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_survives_a_fault_at_every_call(device, name, error):
    options = SEARCHES[name]
    if "native" in options["backend"] and backends.default() != "native":
        pytest.skip("needs the native engine")
    expected = models.levels(SUCCESSORS, [0], LEVELS[41] if "target" in options else None)
    fault, sticky = errors()[error]
    bfs(graph(), 0, **options)  # kernels are compiled once
    device.calls.clear()
    bfs(graph(), 0, **options)
    calls = list(device.calls)
    assert len(calls) > 30
    often = 1 if error in ("out of memory", "a kernel's fault") else 7  # the others take the same way
    for at in range(0, len(calls), often):
        device.fail(at, fault, sticky=sticky)
        with pytest.warns(RuntimeWarning, match="the device (failed|has no room)"):
            t = bfs(graph(), 0, **options)
        device.recover()
        assert t.levels.tolist() == expected, f"after call {at}, {calls[at]}"
        reduced = any("left out" in note for note in t.notes)  # to the arms for which there is room
        assert sum("went on from level" in note for note in t.notes) in ((0, 1) if reduced else (1,))
        assert [step.level for step in t.trace] == list(range(len(t.trace)))
        t.verify()
        if options.get("deterministic"):
            assert t.parents.tolist() == models.smallest_parents(SUCCESSORS, [0])


def test_a_search_goes_on_from_the_last_complete_level(device):
    fault, _ = errors()["out of memory"]
    bfs(graph(), 0, backend="cupyx", selector="push:vertex")  # kernels are compiled once
    device.calls.clear()
    bfs(graph(), 0, backend="cupyx", selector="push:vertex")
    launches = [at for at, call in enumerate(device.calls) if call == ("launch", "push_vertices")]
    assert len(launches) > 5
    for level, at in enumerate(launches):
        device.fail(at, fault)
        with pytest.warns(RuntimeWarning, match="Out of memory"):
            t = bfs(graph(), 0, backend="cupyx", selector="push:vertex")
        assert [step.arm.backend == "cupyx" for step in t.trace] == [d < level for d in range(len(t.trace))]
        assert any(note.endswith(f"went on from level {level}") for note in t.notes)


def test_a_lost_device_sends_the_search_back_to_where_it_came_from(device):
    fault, _ = errors()["a lost device"]
    bfs(graph(), 0, backend="cupyx")  # kernels are compiled once
    device.calls.clear()
    bfs(graph(), 0, backend="cupyx")
    device.fail(len(device.calls) // 2, fault, sticky=True)
    with pytest.warns(RuntimeWarning, match="busy or unavailable"):
        t = bfs(graph(), 0, backend="cupyx")
    assert "cupyx" not in {step.arm.backend for step in t.trace}
    device.recover()
    assert {step.arm.backend for step in bfs(graph(), 0, backend="cupyx").trace} == {"cupyx"}


def test_other_engines_that_the_search_may_use_go_on(device):
    fault, _ = errors()["out of memory"]
    device.fail(0, fault)
    with pytest.warns(RuntimeWarning, match="reference went on from level 0"):
        t = bfs(graph(), 0, backend=("cupyx", "reference"), selector="push:edges")
    assert {step.arm.backend for step in t.trace} == {"reference"}


@pytest.mark.parametrize("error", ["out of memory", "a kernel's fault"])
@pytest.mark.parametrize("direction", ["push", "pull"])
def test_a_product_survives_a_fault_at_every_call(device, direction, error):
    fault, sticky = errors()[error]
    q, mask = Vector.from_coo([0, 1, 5], [2.0, 3.0, 4.0], size=60), Vector.from_coo([3, 4], [True, True], size=60)
    with using(backend="reference"):
        expected = q.vxm(graph(), "plus_pair").new(mask=~mask.S)
    with using(backend="cupyx", direction=direction):
        q.vxm(graph(), "plus_pair").new(mask=~mask.S)  # kernels are compiled once
        device.calls.clear()
        q.vxm(graph(), "plus_pair").new(mask=~mask.S)
        for at in range(len(device.calls)):
            device.fail(at, fault, sticky=sticky)
            with pytest.warns(RuntimeWarning, match="the device failed"):
                result = q.vxm(graph(), "plus_pair").new(mask=~mask.S)
            device.recover()
            assert result.isequal(expected, check_dtype=True)


def test_a_vector_that_was_on_a_lost_device_is_lost(device):
    fault, _ = errors()["a lost device"]
    q = Vector.from_coo([0], [1.0], size=60).to_device()
    device.fail(0, fault, sticky=True)
    with using(backend="cupyx"), pytest.raises(LagbfsError, match="cannot be read any more"):
        q.vxm(graph()).new()


def test_a_graph_that_does_not_fit_is_not_sent(device):
    A = graphs.star(5000)
    gc.collect()  # or what earlier tests have left there makes room
    device.total = device.used + 30_000
    with pytest.warns(RuntimeWarning, match=r"the graph needs 0\.0 MB on the device, which has 0\.0 MB free"):
        t = bfs(A, 0, backend="cupyx", selector="push")
    assert not [call for call in device.calls if call[0] == "copy" and call[1] > 4 * A.nrows]
    t.verify()
    with using(backend="cupyx"), pytest.warns(RuntimeWarning, match="needs"):
        assert Vector.from_coo([0], [1.0], size=A.nrows).vxm(graphs.star(5000)).new().nvals == A.degrees[0]


def built():
    """Return the version of CUDA that CuPy was built for."""
    from cupy.cuda import runtime

    version = runtime.runtimeGetVersion()
    return version // 1000, version % 1000 // 10


def test_without_a_device_the_cause_and_the_remedy_are_named(device, monkeypatch):
    assert cupyx.Cupyx.info().runs
    device.count = 0
    assert cupyx.Cupyx.info()[2:] == (
        False,
        "there is no CUDA device (cudaErrorNoDevice: no CUDA-capable device is detected)",
        NEEDS_DRIVER,
    )
    major, minor = built()
    device.driver = 1000 * (major - 1) + 40
    assert cupyx.Cupyx.info().reason == f"the driver is of CUDA {major - 1}.4, CuPy was built for CUDA {major}.{minor}"
    assert cupyx.Cupyx.info().install == f"pip uninstall cupy-cuda{major}x && pip install 'cupy-cuda{major - 1}x[ctk]'"
    device.driver = 0
    assert cupyx.Cupyx.info()[2:] == (False, "there is no NVIDIA driver", NEEDS_DRIVER)


def test_without_nvrtc_the_toolkit_is_named(device, monkeypatch):
    def missing():
        raise RuntimeError("Failure finding\n libnvrtc.so")

    monkeypatch.setattr("cupy.cuda.nvrtc.getVersion", missing)
    info = cupyx.Cupyx.info()
    assert info.reason == "NVRTC, CUDA's run-time compiler, is missing (Failure finding libnvrtc.so)"
    assert info.install == f"pip install 'cupy-cuda{built()[0]}x[ctk]'"


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ModuleNotFoundError("No module named 'cupy'", name="cupy"), "CuPy is not installed"),
        (ModuleNotFoundError("No module named 'x'", name="x"), "CuPy cannot be imported (No module named 'x')"),
        (ImportError("libcuda.so"), "CuPy cannot be imported (libcuda.so)"),
    ],
)
def test_without_cupy_the_extra_is_named(error, reason, monkeypatch):
    def missing():
        raise error

    monkeypatch.setattr("lagbfs.backends.cupyx.device.cupy", missing)
    assert cupyx.Cupyx.info()[1:] == ("", False, reason, NEEDS_CUPY)
