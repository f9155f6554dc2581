"""Several devices: a matrix stays on the one it was sent to, searches and products run there, vectors do not wander."""

import sys

import gpu
import numpy as np
import pytest

from lagbfs import LagbfsError, Matrix, Vector, backends, bfs, graphs, using

ENGINE = {info.name: info for info in backends.available()}["cupyx"]
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not ENGINE.runs, reason=f"cupyx cannot run here: {ENGINE.reason}")]


@pytest.fixture
def two(device):
    """Two devices; the first is current."""
    device.count = 2
    return device


def on(number):
    """Make another device current in a ``with`` block."""
    import cupy

    return cupy.cuda.Device(number)


def in_use():
    import cupy

    return cupy.cuda.Device().id


ARMS = ("push:edges", "push:list", "pull:vertex", "pull:hubs")


@pytest.mark.parametrize("arm", ARMS)
def test_a_search_runs_where_the_graph_is(two, arm):
    A = Matrix.from_edges(*np.random.default_rng(0).integers(0, 200, (2, 500)), n=200)
    expected = bfs(A, 0, backend="reference").levels
    for number in (1, 0, 1):
        with on(number):
            t = bfs(A, 0, backend="cupyx", selector=arm)
        np.testing.assert_array_equal(t.levels, expected)
        assert {step.arm.backend for step in t.trace} == {"cupyx"}
    assert {part.device.id for part in A.handle(backends.get("cupyx")).rows} == {1}
    assert in_use() == 0


def test_a_crossing_search_comes_back_to_its_device(two):
    class Alternating:
        def choose(self, features, arms):
            engine = ("cupyx", "reference")[features.level % 2]
            return next(arm for arm in arms if arm.backend == engine)

    A = graphs.path(40)
    with on(1):
        bfs(A, 0, backend="cupyx")
    t = bfs(A, 0, backend=("cupyx", "reference"), selector=Alternating())
    assert t.levels.tolist() == [*range(40)]
    assert {step.arm.backend for step in t.trace} == {"cupyx", "reference"}


@pytest.mark.parametrize("direction", ["push", "pull"])
@pytest.mark.parametrize("name", ["plus_times", "min_plus", "plus_first"])
def test_a_product_is_computed_where_the_matrix_is(two, direction, name):
    A = Matrix.from_edges([0, 0, 1, 2], [1, 2, 3, 3], weights=[1.0, 2.0, 3.0, 4.0], n=5)
    q = Vector.from_coo([0, 1], [2.0, 3.0], size=5)
    with using(backend="reference"):
        expected = q.vxm(A, name).new()
    with using(backend="cupyx", direction=direction):
        with on(1):
            found = q.to_device().vxm(A, name).new()
            assert (found.is_on_device, found.form.values.device.id) == (True, 1)
            assert found.to_host().isequal(expected)
        assert q.vxm(A, name).new().isequal(expected)
    assert in_use() == 0


def test_a_vector_of_another_device_is_refused(two):
    A, q = Matrix.from_edges([0, 1], [1, 2]), Vector.from_coo([0], [1], size=3)
    bfs(A, 0, backend="cupyx")
    here = q.to_device()
    with on(1), using(backend="cupyx"):
        there = q.to_device()
        with pytest.raises(LagbfsError, match="the vector is on device 1 and the matrix on device 0"):
            there.vxm(A).new()
        with pytest.raises(LagbfsError, match="one vector is on device 1 and another on device 0: bring them together"):
            there.ewise_add(here).new()


def test_the_double_tells_devices_apart(two):
    if gpu.DOUBLE not in sys.path:
        pytest.skip("CuPy reads arrays of other devices where it can")
    import cupy

    with on(1):
        there = cupy.zeros(3)
    for use in (lambda: there + 1, lambda: there.fill(1), lambda: cupy.concatenate([there, cupy.zeros(1)])):
        with pytest.raises(ValueError, match="an array of device 1 was used on device 0"):
            use()
    assert there.get().tolist() == [0, 0, 0]
    with pytest.raises(cupy.cuda.runtime.CUDARuntimeError, match="invalid device"), on(2):
        pass
