"""Levels beside parents: written by the search, on every engine and between them, or derived; made when asked for."""

from itertools import permutations

import models
import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import Matrix, backends, bfs, graphs
from lagbfs.host.plain import Plain
from lagbfs.selector import Fixed

RUNNING = [info.name for info in backends.available() if info.runs]


def levels_beside(t):
    """The levels that the search itself has written, None if it has not."""
    return t._levels


class Turns:
    """One engine after the other, a level each."""

    def __init__(self, *engines):
        self.engines = engines

    def choose(self, features, arms):
        own = [arm for arm in arms if arm.backend == self.engines[features.level % len(self.engines)]]
        return own[features.level % len(own)]


@given(st.one_of(sts.graphs(), sts.large_graphs()), st.data())
def test_both_are_those_of_searches_for_one(backend, graph, data):
    A, out = graph.matrix(), graph.successors()
    sources = data.draw(st.lists(st.integers(0, graph.n - 1), min_size=1, max_size=3, unique=True))
    options = {
        "backend": backend,
        "deterministic": data.draw(st.booleans()),
        "max_depth": data.draw(st.none() | st.integers(0, 3)),
        "target": data.draw(st.none() | st.integers(0, graph.n - 1)),
    }
    t = bfs(A, sources, levels=True, **options)
    np.testing.assert_array_equal(t.levels, bfs(A, sources, parents=False, **options).levels)
    np.testing.assert_array_equal(t.levels, Plain().depths(t.parents)[0])
    if options["max_depth"] is options["target"] is None:
        assert t.levels.tolist() == models.levels(out, sources)
    assert t.levels.dtype == np.int32
    t.verify()


@given(sts.large_graphs())
def test_every_arm_writes_levels(arms, graph):
    A = graph.matrix()
    expected = models.levels(graph.successors(), [0])
    for arm in arms:
        assert bfs(A, 0, backend=arm.backend, selector=Fixed(str(arm)), levels=True).levels.tolist() == expected


@pytest.mark.parametrize("laid_out", [False, True])
@pytest.mark.parametrize("name", ["kronecker-9", "grid-40", "uniform-9", "path-300", "star-200"])
def test_levels_beside_parents_of_many_kinds(backend, name, laid_out):
    A = graphs.named(name)
    if laid_out:
        A.optimize(backend=backend)
    source = int(A.degrees.argmax())
    t = bfs(A, source, backend=backend, levels=True)
    np.testing.assert_array_equal(t.levels, bfs(A, source, backend="reference", parents=False).levels)
    t.verify()


@pytest.mark.parametrize("depth", [253, 254, 255, 300, None])
def test_levels_of_large_graphs_that_are_deep_only_in_places(depth):
    """A wide star and a long path: on such a graph the kernels write levels as bytes until they do not fit."""
    leaves, last = 2**17, 2**17 + 300
    path = np.arange(leaves + 1, last)
    A = Matrix.from_edges(
        np.append(np.zeros(leaves, int), path), np.append(np.arange(1, leaves + 1), path + 1), directed=False
    )
    A.optimize()
    t = bfs(A, last, levels=True, max_depth=depth)
    reached = t.levels >= 0
    np.testing.assert_array_equal(t.levels[leaves + 1 :][::-1][: t.depth + 1], np.arange(t.depth + 1))
    assert (t.depth, reached.sum()) == (min(depth or 299, 299), t.depth + 1)
    np.testing.assert_array_equal(t.levels, bfs(A, last, parents=False, max_depth=depth).levels)
    assert bfs(A, 1, levels=True).levels[:3].tolist() == [1, 0, 2]


@pytest.mark.parametrize("engines", [*permutations(RUNNING, 2)])
def test_engines_that_take_turns(engines):
    A = graphs.grid(9, 9)
    t = bfs(A, 3, backend=engines, selector=Turns(*engines), levels=True)
    assert {step.arm.backend for step in t.trace} == {*engines}
    np.testing.assert_array_equal(t.levels, bfs(A, 3, backend="reference", parents=False).levels)
    t.verify()
    if all(backends.get(engine).writes_levels for engine in engines):
        np.testing.assert_array_equal(levels_beside(t), t.levels)


def test_the_search_writes_them_if_asked_to(backend):
    A = graphs.grid(5, 5)
    assert (levels_beside(bfs(A, 0, backend=backend, levels=True)) is not None) == backends.get(backend).writes_levels
    assert levels_beside(bfs(A, 0, backend=backend)) is None
    assert levels_beside(bfs(A, 0, backend=backend, levels=False)) is None


def test_who_looked_at_them_gets_them_with_the_next_search():
    A = graphs.grid(5, 5)
    for _ in range(2):
        t = bfs(A, 0, backend="reference")
        assert levels_beside(t) is None  # nobody looked at those of the search before
        assert t.levels[24] == 8
        t = bfs(A, 0, backend="reference")
        assert levels_beside(t) is not None
        assert bfs(A, 0, backend="reference").levels[24] == 8  # those of `t` were not looked at
        bfs(A, 0, backend="reference")
    assert levels_beside(bfs(graphs.grid(5, 5), 0, backend="reference")) is None  # another graph


def test_what_is_not_wanted_is_not_there(backend):
    A = graphs.path(3)
    with pytest.raises(AttributeError, match="levels=True"):
        _ = bfs(A, 0, backend=backend, levels=False).levels
    assert bfs(A, 0, backend=backend, levels=None, parents=False).levels.tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="both False"):
        bfs(A, 0, backend=backend, levels=False, parents=False)


@pytest.mark.parametrize("shape", ["forest", "chain", "few"])
def test_depths_by_numpy_and_by_kernels(shape):
    rng, n = np.random.default_rng(4), 500
    parents = np.full(n, -1, np.int32)
    if shape == "forest":
        parents[1:] = [rng.integers(0, v) for v in range(1, n)]
        parents[rng.integers(0, n, 9)] = -1
        parents[0] = 0
        lost = parents < 0
        for v in range(1, n):  # below what is not reached, nothing is
            lost[v] |= lost[parents[v]]
        parents[lost] = -1
    if shape == "chain":
        parents[:] = np.minimum(np.arange(n) + 1, n - 1)
    if shape == "few":
        parents[[7, 400, 20]] = 400, 400, 7
    routines = [Plain(), *(backends.get(name).routines() for name in RUNNING)]
    expected = [0 if p == v else -1 for v, p in enumerate(parents)]
    for _ in range(n):
        expected = [
            d if p < 0 or p == v or expected[p] < 0 else expected[p] + 1
            for v, (p, d) in enumerate(zip(parents, expected, strict=True))
        ]
    for routine in filter(None, routines):
        depths, astray = routine.depths(parents)
        assert (depths.tolist(), astray) == (expected, n)
        assert depths.dtype == np.int32


def test_parents_that_lead_nowhere_are_told():
    for parents in ([1, 0, 2], [0, 2, -1], [2, 1, 0]):
        routines = [Plain(), *(backends.get(name).routines() for name in RUNNING)]
        found = {routine.depths(np.array(parents, np.int32))[1] for routine in routines if routine is not None}
        assert found == {next(v for v in range(3) if parents[v] >= 0 and not leads_to_a_root(parents, v))}


def leads_to_a_root(parents, v):
    for _ in range(len(parents)):
        if v < 0 or parents[v] == v:
            return v >= 0
        v = parents[v]
    return False


def test_few_edges_among_many_vertices(backend):
    A = Matrix.from_edges([5, 70_000, 3], [70_000, 3, 99_999], n=100_000)
    levels = bfs(A, 5, backend=backend).levels
    assert levels[[5, 70_000, 3, 99_999]].tolist() == [0, 1, 2, 3]
    assert np.count_nonzero(levels >= 0) == 4
