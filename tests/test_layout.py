"""What engines make of a matrix for many searches changes no result."""

import models
import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import Matrix, Vector, backends, bfs


class Only:
    """A selector that picks one arm."""

    def __init__(self, arm):
        self.arm = arm

    def choose(self, features, arms):
        return self.arm


@given(st.one_of(sts.graphs(), sts.large_graphs()), st.data())
def test_every_arm_finds_the_same_after_optimize(backend, graph, data):
    sources = data.draw(st.lists(st.integers(0, graph.n - 1), min_size=1, max_size=3, unique=True))
    depth = data.draw(st.none() | st.integers(0, 4))
    A, out = graph.matrix(), graph.successors()
    assert A.optimize(backend=backend) is A
    expected = models.levels(out, sources, depth)
    for arm in backends.get(backend).arms:
        t = bfs(A, sources, backend=backend, selector=Only(arm), max_depth=depth)
        assert t.levels.tolist() == expected
        assert models.valid_parents(out, sources, t.parents.tolist(), depth)
        alone = bfs(A, sources, backend=backend, selector=Only(arm), max_depth=depth, parents=False)
        assert alone.levels.tolist() == expected
        t.verify()
    t = bfs(A, sources, backend=backend, deterministic=True)
    assert t.parents.tolist() == models.smallest_parents(out, sources)


@given(st.one_of(sts.graphs(), sts.large_graphs()), st.data())
def test_targets_and_traces_after_optimize(backend, graph, data):
    source, target = data.draw(st.integers(0, graph.n - 1)), data.draw(st.integers(0, graph.n - 1))
    A, out = graph.matrix(), graph.successors()
    A.optimize(backend=backend)
    full = models.levels(out, [source])
    t = bfs(A, source, target=target, backend=backend)
    assert t.levels.tolist() == models.levels(out, [source], full[target] if full[target] >= 0 else None)
    for step in bfs(A, source, backend=backend).trace:
        frontier = [v for v in range(graph.n) if full[v] == step.level]
        assert (step.frontier_size, step.frontier_edges) == (len(frontier), sum(len(out[v]) for v in frontier))


def test_searches_one_after_another_stay_right(backend):
    rng = np.random.default_rng(11)
    A = Matrix.from_edges(*rng.integers(0, 3000, (2, 30000)), n=3100, directed=False)
    before = A.to_coo()
    for source in range(60):
        t = bfs(A, source, backend=backend)
        t.verify()
        assert bfs(A.T, source, backend=backend).reached == t.reached
    for was, now in zip(before, A.to_coo(), strict=True):
        np.testing.assert_array_equal(was, now)


@pytest.mark.parametrize("directed", [True, False])
def test_products_after_optimize(arms, directed):
    rng = np.random.default_rng(5)
    A = Matrix.from_edges(*rng.integers(0, 200, (2, 900)), weights=rng.integers(1, 9, 900), n=200, directed=directed)
    q = Vector.from_coo(range(0, 200, 3), rng.integers(1, 9, 67), size=200)
    expected = q.to_dense(0) @ A.to_scipy().toarray()
    A.optimize(backend=arms[0].backend)
    for arm in arms:
        np.testing.assert_array_equal(q.vxm(A).by(arm).new().to_dense(0), expected)


def test_an_empty_graph_can_be_optimized(backend):
    for n in (0, 1, 65):
        A = Matrix.from_edges([], [], n=n).optimize(backend=backend)
        assert n == 0 or bfs(A, n - 1, backend=backend).reached == 1
