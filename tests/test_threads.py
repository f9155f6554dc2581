"""Many threads at once over one Matrix and one engine."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from lagbfs import Matrix, Vector, bfs, using

pytestmark = pytest.mark.slow

WORKERS = 8


@pytest.fixture
def graph():
    rng = np.random.default_rng(4)
    return Matrix.from_edges(*rng.integers(0, 4000, (2, 24000)), n=4000)


def test_searches_of_one_fresh_matrix(backend, direction, graph):
    def job(source):
        t = bfs(graph, source, backend=backend, direction=direction, threads=1 + source % 2)
        t.verify()
        return t.levels

    with ThreadPoolExecutor(WORKERS) as pool:
        together = list(pool.map(job, range(24)))
    for source, levels in enumerate(together):
        np.testing.assert_array_equal(levels, bfs(graph, source, backend=backend, direction=direction).levels)


def test_searches_while_the_matrix_is_optimized(backend, graph):
    def job(source):
        if source % 6 == 3:
            graph.optimize(backend=backend)
        t = bfs(graph, source, backend=backend)
        t.verify()
        return t.reached

    with ThreadPoolExecutor(WORKERS) as pool:
        together = list(pool.map(job, range(24)))
    assert together == [bfs(graph, source, backend=backend).reached for source in range(24)]


def test_products_of_one_fresh_matrix(backend, direction, graph):
    expected = np.bincount(graph.csr.indices, minlength=graph.ncols)

    def job(scale):
        with using(backend=backend, direction=direction):
            return Vector.from_scalar(scale, graph.nrows).vxm(graph, "plus_first").new().to_dense(0)

    with ThreadPoolExecutor(WORKERS) as pool:
        for scale, result in enumerate(pool.map(job, range(1, 17)), start=1):
            np.testing.assert_array_equal(result, scale * expected)


def test_derived_values_are_the_same_object_for_all(graph):
    with ThreadPoolExecutor(WORKERS) as pool:
        transposes = list(pool.map(lambda _: graph.T.csr, range(WORKERS)))
    assert all(csr is transposes[0] for csr in transposes)


@pytest.mark.parametrize("work", ["lagbfs.bfs(A, 0)", "A @ v", "lagbfs.graphs.uniform(12)"])
def test_the_process_ends_in_good_order_while_a_thread_is_at_work(work):
    script = f"""
import threading, time, lagbfs
A = lagbfs.graphs.kronecker(12)
v = lagbfs.Vector.from_dense(list(range(A.nrows)))

def work():
    while True:
        product = {work}
        getattr(product, "new", lambda: None)()

threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
"""
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
