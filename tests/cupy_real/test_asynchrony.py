"""Work that is done as late as CUDA allows gives the same results; what forgets to wait for it is caught."""

import cupy
import models
import numpy as np
import pytest

from lagbfs import Matrix, Vector, backends, bfs, graphs, semiring, using
from lagbfs.backends.cupyx.search import Search

GRAPH = graphs.kronecker(7)
SUCCESSORS = [set(map(int, row)) for row in np.split(GRAPH.csr.indices, GRAPH.csr.indptr[1:-1])]
SOURCE = int(GRAPH.degrees.argmax())
LEVELS = models.levels(SUCCESSORS, [SOURCE])
ARMS = [f"{arm.direction}:{arm.variant}" for arm in backends.get("cupyx").arms]


@pytest.fixture
def late(device):
    device.deferred = True
    return device


@pytest.mark.parametrize("arm", ARMS)
def test_searches(late, arm):
    for options in ({}, {"deterministic": True}, {"parents": False}, {"target": [5, 77]}, {"max_depth": 2}):
        A = Matrix.from_csr(GRAPH.csr.indptr, GRAPH.csr.indices)  # of which the device has nothing yet
        t = bfs(A, SOURCE, backend="cupyx", selector=arm, **options)
        expected = bfs(A, SOURCE, backend="reference", **options)
        np.testing.assert_array_equal(t.levels, expected.levels)
        t.verify()


def test_crossings(late):
    for pair in (("reference", "cupyx"), ("cupyx", "reference")):
        assert bfs(GRAPH, SOURCE, backend=pair, selector="cross").levels.tolist() == LEVELS


@pytest.mark.parametrize("name", semiring.COMMON)
@pytest.mark.parametrize("direction", ["push", "pull"])
def test_products(late, name, direction):
    rng = np.random.default_rng(0)
    A = Matrix.from_edges(*rng.integers(0, 50, (2, 200)), weights=rng.integers(0, 9, 200), n=50)
    q = Vector.from_coo([3, 7, 20], [1, 2, 3], size=50)
    with using(backend="cupyx", direction=direction):
        found = q.vxm(A, name).new()
    with using(backend="reference"):
        expected = q.vxm(A, name).new()
    assert set(found) == set(expected)
    assert name == "any_secondi" or found.isequal(expected, check_dtype=True)


@pytest.mark.parametrize("name", ["plus_pair", "min_plus", "any_secondi"])
def test_products_of_matrices(late, name):
    A = Matrix.from_csr(GRAPH.csr.indptr, GRAPH.csr.indices)
    with using(backend="cupyx", direction="pull"):
        found = getattr(semiring, name)(A @ A).new(mask=A.S)
    with using(backend="reference"):
        expected = getattr(semiring, name)(A @ A).new(mask=A.S)
    assert set(found) == set(expected)
    assert name == "any_secondi" or found.isequal(expected)


def test_a_stream_of_the_user(late):
    for stream in (cupy.cuda.Stream(), cupy.cuda.Stream(non_blocking=True)):
        with stream:
            A = Matrix.from_csr(GRAPH.csr.indptr, GRAPH.csr.indices)
            assert bfs(A, SOURCE, backend="cupyx").levels.tolist() == LEVELS


def test_work_waits_until_something_waits_for_it(late):
    pinned = np.frombuffer(cupy.cuda.alloc_pinned_memory(24), np.int64, 3)
    pinned[:] = 0
    x = cupy.full(3, 7)
    cupy.cuda.runtime.memcpyAsync(pinned.ctypes.data, x.data.ptr, 24, cupy.cuda.runtime.memcpyDeviceToHost, 0)
    assert pinned.tolist() == [0, 0, 0]
    event = cupy.cuda.Event()
    event.record()
    assert not event.done
    event.synchronize()
    assert event.done
    assert pinned.tolist() == [7, 7, 7]


def test_counts_read_without_waiting_are_caught(late, monkeypatch):
    """A read-back into page-locked memory, fast and right but for the missing wait."""
    memory = cupy.cuda.alloc_pinned_memory(64)

    def count(search):
        pinned = np.frombuffer(memory, np.uint64, search.counters.size)
        pinned[:] = 0
        search.counters.get(out=pinned, blocking=False)
        return pinned.tolist()

    monkeypatch.setattr(Search, "_count", count)
    late.deferred = False
    assert bfs(GRAPH, SOURCE, backend="cupyx", selector="push:edges").levels.tolist() == LEVELS
    late.deferred = True
    assert bfs(GRAPH, SOURCE, backend="cupyx", selector="push:edges").levels.tolist() != LEVELS


def test_a_fault_in_a_kernel_surfaces_late_and_stays(late):
    kernel = cupy.RawKernel('extern "C" __global__ void stuck() { if (threadIdx.x) __syncthreads(); }', "stuck")
    kernel((1,), (32,), ())
    for _ in range(2):
        with pytest.raises(cupy.cuda.runtime.CUDARuntimeError, match="cudaErrorLaunchFailure"):
            cupy.cuda.Device().synchronize()
    assert "waits in a collective" in late.last_fault
