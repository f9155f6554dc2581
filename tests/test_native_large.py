"""The native engine beyond the thresholds of its threaded paths, at their usual values: see tuning.hpp.

tests/native takes the same paths at small values, under sanitizers.
"""

import numpy as np
import pytest

import lagbfs
from lagbfs import Matrix, Vector, backends, using
from lagbfs.selector import Script

INFO = {info.name: info for info in backends.available()}["native"]
pytestmark = pytest.mark.skipif(not INFO.runs, reason=f"native cannot run here: {INFO.reason}")


@pytest.fixture(scope="module")
def rectangular():
    """A matrix of inexact floats whose columns two or more threads do not share evenly, the last one among them."""
    rng = np.random.default_rng(3)
    rows, cols = rng.integers(0, 2000, 90_000), rng.integers(0, 1501, 90_000)
    cols[:5] = 1500
    return Matrix.from_coo(rows, cols, rng.random(90_000), nrows=2000, ncols=1501, dup_op="first")


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
@pytest.mark.parametrize("direction", ["push", "pull"])
def test_products_add_in_ascending_order_whatever_the_threads(rectangular, threads, direction):
    q = Vector.from_dense(np.random.default_rng(4).random(2000))
    rows, cols, values = rectangular.to_coo()
    expected = np.zeros(1501)
    np.add.at(expected, cols, q.to_dense()[rows] * values)  # one after the other, by rows
    with using(backend="native", direction=direction, threads=threads):
        found = q.vxm(rectangular, "plus_times").new()
    assert found.nvals == len(np.unique(cols))
    assert found.to_dense(0).tolist() == expected.tolist()


def test_a_large_transpose_is_sorted():
    rng = np.random.default_rng(5)
    A = Matrix.from_coo(
        *rng.integers(0, 3000, (2, 200_000)), np.arange(200_000), nrows=3001, ncols=3002, dup_op="first"
    )
    assert A.nvals > 190_000
    T, expected = A.T.csr, A.to_scipy().T.tocsr()
    expected.sort_indices()
    np.testing.assert_array_equal(T.indptr, expected.indptr)
    np.testing.assert_array_equal(T.indices, expected.indices)
    np.testing.assert_array_equal(T.values, expected.data)


def check(A, source, *, deterministic=False, **options):
    """Search, and compare the levels with those of the reference engine, with its parents if they are the smallest."""
    t = lagbfs.bfs(A, source, backend="native", threads=2, deterministic=deterministic, **options)
    t.verify()
    expected = lagbfs.bfs(A, source, backend="reference", deterministic=deterministic)
    np.testing.assert_array_equal(t.levels, expected.levels)
    if deterministic:
        np.testing.assert_array_equal(t.parents, expected.parents)
    known = [step[:5] for step in t.trace]  # levels, vertices and edges
    assert known == [step[:5] for step in expected.trace]


@pytest.mark.parametrize("deterministic", [True, False])
@pytest.mark.parametrize("optimized", [True, False])
def test_marks_by_ranges_of_labels(deterministic, optimized):
    A = lagbfs.graphs.kronecker(15)
    if optimized:
        A.optimize(backend="native", threads=2)
    for source in np.argsort(A.degrees)[[-1, -100]]:
        check(A, source, selector="push:queue", deterministic=deterministic)


@pytest.mark.slow
@pytest.mark.parametrize("deterministic", [True, False])
def test_rows_that_are_the_whole_teams(deterministic):
    """In a level that is claimed: of fewer edges than one for each 32 vertices."""
    n, hubs, degree = 1 << 21, 6, 9000
    assert hubs * (degree + 1) < n // 32
    rng = np.random.default_rng(6)
    src = np.concatenate([np.zeros(hubs, int), np.repeat(np.arange(1, hubs + 1), degree)])
    dst = np.concatenate([np.arange(1, hubs + 1), rng.integers(0, n // 100, hubs * degree)])
    check(Matrix.from_edges(src, dst, n=n), 0, selector="push:queue", deterministic=deterministic)


@pytest.mark.slow
@pytest.mark.parametrize("deterministic", [True, False])
@pytest.mark.parametrize("pull", ["pull:bitmap", "pull:list"])
def test_push_and_pull_in_turns_on_a_relabelled_grid(pull, deterministic):
    A = lagbfs.graphs.grid(700, 700).optimize(backend="native", threads=2)
    turns = Script(("push:queue", "push:queue", "push:queue", pull) * 350)
    check(A, 700 * 3 + 5, selector=turns, deterministic=deterministic)


@pytest.mark.parametrize(
    "arm",
    [arm.variant and f"{arm.direction}:{arm.variant}" for arm in backends.get("native").arms] if INFO.runs else [],
)
@pytest.mark.parametrize("degree", [254, 255, 256, 1000])
def test_the_edges_of_a_level_are_known_beyond_what_a_byte_counts(arm, degree):
    A = lagbfs.graphs.star(degree).optimize(backend="native")
    assert "layout" in repr(A)
    trace = lagbfs.bfs(A, degree, backend="native", selector=arm).trace
    assert [step.frontier_edges for step in trace] == [1, degree, degree - 1]
