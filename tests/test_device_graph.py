"""A matrix on the device: sent by chunks, once for all threads; what does not fit is left out, the rest stays."""

import threading

import numpy as np
import pytest

from lagbfs import Matrix, backends, bfs, graphs
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
    assert [kind for kind, _ in device.calls][-1] == "sync"


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
