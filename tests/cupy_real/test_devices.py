"""Two devices that do not see each other's memory: all that is asked of CUDA is asked of the one of the matrix."""

import cupy
import numpy as np
import pytest

from lagbfs import Matrix, Vector, bfs, using
from lagbfs.backends.cupyx import launch

EDGES = ([0, 0, 1, 2, 3, 5], [1, 2, 3, 3, 4, 0])
LEVELS = [0, 1, 1, 2, 3, -1]


@pytest.fixture
def two(device):
    yield device
    device.recover()
    with cupy.cuda.Device(1):
        cupy.get_default_memory_pool().free_all_blocks()


@pytest.fixture
def A():
    return Matrix.from_edges(*EDGES)


def test_memory_of_another_device_is_a_fault(two):
    listed, bitmap = cupy.zeros(3, np.int32), cupy.zeros(1, np.uint32)
    with cupy.cuda.Device(1):
        launch.module("traversal", np.dtype(np.int32)).launch("list_to_bitmap", 1, listed, 3, bitmap)
        with pytest.raises(cupy.cuda.runtime.CUDARuntimeError, match="cudaErrorIllegalAddress"):
            cupy.cuda.Device().synchronize()
    assert "memory of another device" in two.last_fault


@pytest.mark.parametrize("arm", ["push:edges", "push:reversed", "pull:vertex", "pull:hubs"])
def test_a_search_runs_where_the_graph_is(two, A, arm):
    bfs(A, 0, backend="cupyx", selector=arm)
    two.calls.clear()
    with cupy.cuda.Device(1):
        t = bfs(A, 0, backend="cupyx", selector=arm)
        assert cupy.cuda.Device().id == 1
    assert t.levels.tolist() == LEVELS
    assert two.calls.devices("launch") == {0}
    assert two.calls.devices("copy") == {0}


def test_a_graph_is_sent_to_the_device_in_use(two, A):
    with cupy.cuda.Device(1):
        two.calls.clear()
        assert bfs(A, 0, backend="cupyx", selector="pull:hubs").levels.tolist() == LEVELS
    assert two.calls.devices("launch") == two.calls.devices("malloc") == {1}
    assert bfs(A, 0, backend="cupyx", selector="push:list").levels.tolist() == LEVELS
    assert two.calls.devices("launch") == {1}


@pytest.mark.parametrize("direction", ["push", "pull"])
def test_a_product_runs_where_the_graph_is(two, A, direction):
    q = Vector.from_coo([0, 2], [1.0, 2.0], size=6)
    with using(backend="cupyx", direction=direction):
        expected = q.vxm(A, "plus_times").new()
        two.calls.clear()
        with cupy.cuda.Device(1):
            assert q.vxm(A, "plus_times").new().isequal(expected)
    assert two.calls.devices("launch") == {0}
