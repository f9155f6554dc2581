"""A matrix on the device: sent by chunks, once for all threads; what does not fit is left out, the rest stays."""

import gc
import threading

import gpu
import numpy as np
import pytest

from lagbfs import Matrix, Vector, backends, bfs, graphs, using
from lagbfs.backends.cupyx import device as devices
from lagbfs.backends.cupyx.graph import Graph

ENGINE = {info.name: info for info in backends.available()}["cupyx"]
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not ENGINE.runs, reason=f"cupyx cannot run here: {ENGINE.reason}")]


def handle(A):
    return A.handle(backends.get("cupyx"))


def test_a_graph_is_sent_by_chunks_and_not_page_locked(device, monkeypatch):
    monkeypatch.setattr(devices, "CHUNK", 1000)
    A = Matrix.from_edges(*np.random.default_rng(0).integers(0, 300, (2, 2000)), weights=np.arange(2000.0), n=300)
    graph = handle(A)
    there = [*graph.rows, *graph.columns, graph.values(np.dtype(np.float32), False)]
    here = [A.csr.indptr, A.csr.indices, A.T.csr.indptr, A.T.csr.indices, A.csr.values.astype(np.float32)]
    for sent, array in zip(there, here, strict=True):
        np.testing.assert_array_equal(sent.get(), array)
    assert not [what for kind, what in device.calls if kind == "pin"]
    copies = [what for kind, what in device.calls if kind == "copy"][: -len(there)]
    assert max(copies) <= 1000
    assert sum(copies) == graph.nbytes


def test_memory_is_counted_while_parts_are_sent():
    graph = Graph(graphs.path(4).rows)

    class Growing:
        """A part in whose midst another thread sends the next."""

        @property
        def nbytes(self):
            graph._parts[len(graph._parts)] = np.zeros(1, np.int8)
            return 5

    graph._parts = {"first": Growing()}
    assert graph.nbytes == 5
    assert graph.nbytes == 6


def test_no_thread_goes_on_before_what_another_one_sends_is_there(device, monkeypatch):
    import cupy

    if gpu.SIMULATED:
        pytest.skip("needs the double of CuPy, whose classes can be patched")
    A = graphs.path(4)
    graph, arm = handle(A), backends.get("cupyx").arms[0]
    syncing, go_on, done = threading.Event(), threading.Event(), threading.Event()

    def synchronize(self):
        syncing.set()
        assert go_on.wait(60)

    monkeypatch.setattr(cupy.cuda.Device, "synchronize", synchronize)

    def second():
        graph.prepare(arm)
        done.set()

    threads = [threading.Thread(target=graph.prepare, args=(arm,)), threading.Thread(target=second)]
    threads[0].start()
    assert syncing.wait(60)
    threads[1].start()
    waited = not done.wait(0.3)
    go_on.set()
    for thread in threads:
        thread.join(60)
    assert waited
    assert done.is_set()


def test_products_wait_for_what_they_send(device):
    A = graphs.path(4)
    graph = handle(A)
    device.calls.clear()
    assert len(graph.rows) == 2
    assert [kind for kind, _ in device.calls if kind != "use"][-1] == "sync"


def test_threads_share_what_is_sent(device):
    A = graphs.kronecker(6)
    found = []
    threads = [threading.Thread(target=lambda: found.append(bfs(A, 1, backend="cupyx").levels)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    expected = bfs(A, 1, backend="reference").levels
    assert [np.array_equal(levels, expected) for levels in found] == [True] * 4
    assert handle(A).nbytes < 3 * (8 * (A.nrows + 1) + 4 * A.nvals)


def directed(n=400, m=2000):
    return Matrix.from_edges(*np.random.default_rng(3).integers(0, n, (2, m)), n=n)


def room_for(device, nbytes):
    """Let the device have so much room left, once what nobody needs is gone."""
    gc.collect()
    device.total = device.used + nbytes


ROWS = 11_148  # bytes that the rows of that graph take, and those of its transpose
SEARCH = 8_000  # more than a search of it takes


def test_arms_whose_parts_do_not_fit_are_left_out_and_the_graph_stays(device):
    A = directed()
    expected = bfs(A, 0, backend="reference").levels
    room_for(device, ROWS + SEARCH)
    device.calls.clear()
    with pytest.warns(RuntimeWarning, match=r"transpose needs .* left out: .*pull:vertex, pull:hubs") as told:
        t = bfs(A, 0, backend="cupyx", selector="beamer")
    assert len(told) == 1
    assert {step.arm.direction for step in t.trace} == {"push"}
    assert {step.arm.backend for step in t.trace} == {"cupyx"}
    np.testing.assert_array_equal(t.levels, expected)
    assert [note for note in t.notes if "left out" in note]


def test_the_graph_is_sent_once_and_told_of_once(device):
    A = directed()
    room_for(device, ROWS + SEARCH)
    with pytest.warns(RuntimeWarning, match="left out"):
        bfs(A, 0, backend="cupyx", selector="beamer")
    device.calls.clear()
    t = bfs(A, 0, backend="cupyx", selector="beamer")  # warnings are errors here
    assert {step.arm.backend for step in t.trace} == {"cupyx"}
    assert max(what for kind, what in device.calls if kind == "copy") <= 4 * A.nrows
    device.total += 1 << 20
    t = bfs(A, 0, backend="cupyx", selector="beamer")
    assert {step.arm.direction for step in t.trace} == {"push", "pull"}  # there is room now


def test_another_engine_takes_the_direction_that_does_not_fit(device):
    A = directed()
    room_for(device, ROWS + SEARCH)
    with pytest.warns(RuntimeWarning, match="left out"):
        t = bfs(A, 0, backend=("cupyx", "reference"), selector="beamer")
    assert {(step.arm.backend, step.arm.direction) for step in t.trace} == {("cupyx", "push"), ("reference", "pull")}
    t.verify()


@pytest.mark.parametrize("options", [{"selector": "pull:vertex"}, {"direction": "pull"}])
def test_a_search_that_may_use_no_other_arm_goes_on_elsewhere_and_the_graph_stays(device, options):
    A = directed()
    bfs(A, 0, backend="cupyx", selector="push")
    held = handle(A).nbytes
    room_for(device, SEARCH)
    with pytest.warns(RuntimeWarning, match="the graph's transpose needs"):
        t = bfs(A, 0, backend="cupyx", **options)
    assert "cupyx" not in {step.arm.backend for step in t.trace}
    t.verify()
    assert handle(A).nbytes >= held
    bfs(A, 0, backend="cupyx", **options).verify()  # without another warning


def test_a_product_that_does_not_fit_leaves_the_graph(device):
    A = directed()
    q = Vector.from_coo([0], [1.0], size=400)
    with using(backend="reference"):
        expected = q.vxm(A).new()
    with using(backend="cupyx", direction="push"):
        q.vxm(A).new()
    held = handle(A).nbytes
    there = q.to_device()
    room_for(device, ROWS - 1000)
    with using(backend="cupyx", direction="pull"):
        with pytest.warns(RuntimeWarning, match="needs .* MB on the device"):
            assert q.vxm(A).new().isequal(expected)
        assert q.vxm(A).new().isequal(expected)  # without another warning
        found = there.vxm(A).new()
    assert found.is_on_device
    assert found.to_host().isequal(expected)
    assert handle(A).nbytes >= held
