"""Breadth-first search: levels as SciPy and NetworkX find them, parents that verify, options."""

import models
import networkx as nx
import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csgraph

from lagbfs import LagbfsError, Matrix, Traversal, backends, bfs, selector, using
from lagbfs.base import checks


class Fixed:
    """A selector that picks one arm, and remembers what it was asked."""

    def __init__(self, arm):
        self.arm, self.asked = arm, []

    def choose(self, features, arms):
        self.asked.append(features.level)
        return self.arm


def sources_of(graph, data, most=1):
    picked = data.draw(st.lists(st.integers(0, graph.n - 1), min_size=1, max_size=most, unique=True))
    return picked[0] if most == 1 else picked


@given(st.one_of(sts.graphs(), sts.large_graphs()), st.data())
def test_levels_equal_scipy_and_networkx(backend, direction, graph, data):
    source = sources_of(graph, data)
    t = bfs(graph.matrix(), source, backend=backend, direction=direction)
    assert isinstance(t, Traversal)
    assert (t.levels.dtype, t.levels.shape) == (np.int32, (graph.n,))

    theirs = nx.DiGraph()
    theirs.add_nodes_from(range(graph.n))
    theirs.add_edges_from(graph.pairs())
    lengths = nx.single_source_shortest_path_length(theirs, source)
    assert t.levels.tolist() == [lengths.get(v, -1) for v in range(graph.n)]

    distances = csgraph.shortest_path(graph.matrix().to_scipy(), unweighted=True, indices=source)
    np.testing.assert_array_equal(t.levels, np.where(np.isinf(distances), -1, distances))
    order = csgraph.breadth_first_order(graph.matrix().to_scipy(), source, return_predecessors=False)
    assert set(order.tolist()) == set(np.flatnonzero(t.levels >= 0).tolist())


@given(st.one_of(sts.graphs(), sts.large_graphs()), st.data())
def test_every_arm_gives_parents_that_verify(arms, graph, data):
    sources = sources_of(graph, data, most=4)
    A, out = graph.matrix(), graph.successors()
    expected = models.levels(out, sources)
    for arm in arms:
        t = bfs(A, sources, backend=arm.backend, selector=Fixed(arm))
        assert {step.arm for step in t.trace} <= {arm}
        assert models.valid_parents(out, sources, t.parents.tolist())
        assert t.levels.tolist() == expected
        assert t.reached == sum(level >= 0 for level in expected)
        assert t.depth == max(expected)
        assert t.sources.tolist() == sorted(sources)
        t.verify()


@given(st.one_of(sts.graphs(), sts.large_graphs()), st.data())
def test_auto_direction_and_either_result_alone(backend, graph, data):
    sources = sources_of(graph, data, most=3)
    A, out = graph.matrix(), graph.successors()
    levels_only = bfs(A, sources, backend=backend, parents=False)
    parents_only = bfs(A, sources, backend=backend, levels=False)
    assert levels_only.levels.tolist() == models.levels(out, sources)
    assert levels_only.levels.dtype == np.int32
    assert models.valid_parents(out, sources, parents_only.parents.tolist())
    levels_only.verify()
    parents_only.verify()
    with pytest.raises(LagbfsError, match="parents"):
        _ = levels_only.parents
    with pytest.raises(LagbfsError, match="parents"):
        levels_only.path_to(int(sources[0]))
    with pytest.raises(LagbfsError, match="levels"):
        _ = parents_only.levels
    assert parents_only.depth == levels_only.depth


@given(st.one_of(sts.graphs(), sts.large_graphs()), st.data(), st.integers(0, 5))
def test_max_depth_stops_the_search(backend, direction, graph, data, depth):
    sources = sources_of(graph, data, most=3)
    A, out = graph.matrix(), graph.successors()
    expected = models.levels(out, sources, depth)
    for parents in (True, False):
        t = bfs(A, sources, backend=backend, direction=direction, max_depth=depth, parents=parents)
        assert t.levels.tolist() == expected
        assert len(t.trace) <= depth
        assert t.depth == max(expected) <= depth
        assert t.reached == sum(level >= 0 for level in expected)
        assert not parents or models.valid_parents(out, sources, t.parents.tolist(), depth)
        t.verify()


@given(st.one_of(sts.graphs(), sts.large_graphs()), st.data())
def test_targets_end_the_search_at_their_level(backend, direction, graph, data):
    sources, targets = sources_of(graph, data, most=3), sources_of(graph, data, most=3)
    A, out = graph.matrix(), graph.successors()
    full = models.levels(out, sources)
    reachable = all(full[v] >= 0 for v in targets)
    depth = max(full[v] for v in targets) if reachable else None
    for parents in (True, False):
        t = bfs(A, sources, backend=backend, direction=direction, target=targets, parents=parents)
        assert t.levels.tolist() == models.levels(out, sources, depth)
        assert not reachable or len(t.trace) == depth
        t.verify()


@given(st.one_of(sts.graphs(), sts.large_graphs()), st.data())
def test_deterministic_parents_are_the_smallest(arms, graph, data):
    sources = sources_of(graph, data, most=3)
    A, out = graph.matrix(), graph.successors()
    expected = models.smallest_parents(out, sources)
    for arm in arms:
        t = bfs(A, sources, backend=arm.backend, selector=Fixed(arm), deterministic=True)
        assert t.parents.tolist() == expected


def test_depth_limit_and_target_together(backend, direction):
    A = Matrix.from_edges(range(9), range(1, 10))
    assert bfs(A, 0, backend=backend, direction=direction, target=7, max_depth=3).depth == 3
    assert bfs(A, 0, backend=backend, direction=direction, target=2, max_depth=3).depth == 2
    assert bfs(A, 0, backend=backend, direction=direction, target=0).trace == []
    assert bfs(A, 0, backend=backend, direction=direction, max_depth=0).levels.tolist() == [0] + [-1] * 9


@st.composite
def seeds(draw):
    return draw(st.integers(0, 2**32 - 1))


class Random:
    """Any arm at each level, whatever the engine; the same one if asked again for the same level."""

    def __init__(self, seed):
        self.seed = seed

    def choose(self, features, arms):
        rng = np.random.default_rng([self.seed, features.level])
        return arms[rng.integers(len(arms))]


def every_arm():
    return tuple(arm for info in backends.available() if info.runs for arm in backends.get(info.name).arms)


@given(st.one_of(sts.graphs(), sts.large_graphs()), st.data(), seeds())
@sts.examples(2.5)
def test_arms_picked_at_random_at_each_level_still_verify(graph, data, seed):
    sources = sources_of(graph, data, most=3)
    depth = data.draw(st.none() | st.integers(0, 4))
    A, out = graph.matrix(), graph.successors()
    for parents in (True, False):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("lagbfs.selector.context.Settings.arms", lambda self: every_arm())
            t = bfs(A, sources, selector=Random(seed), max_depth=depth, parents=parents)
        policy = Random(seed)
        for step in t.trace:
            in_a_run = step.arm.variant == "block"  # which goes on without asking
            assert in_a_run or step.arm == policy.choose(step, every_arm())
        assert t.levels.tolist() == models.levels(out, sources, depth)
        assert not parents or models.valid_parents(out, sources, t.parents.tolist(), depth)
        t.verify()


@given(st.one_of(sts.graphs(), sts.large_graphs()), st.data())
def test_the_trace_tells_what_happened(backend, direction, graph, data):
    sources = sources_of(graph, data, most=3)
    out = graph.successors()
    levels = models.levels(out, sources)
    t = bfs(graph.matrix(), sources, backend=backend, direction=direction)
    assert len(t.trace) in (t.depth, t.depth + 1)
    for level, step in enumerate(t.trace):
        frontier = [v for v in range(graph.n) if levels[v] == level]
        rest = [v for v in range(graph.n) if levels[v] > level or levels[v] < 0]
        assert (step.level, step.frontier_size, step.unvisited_size) == (level, len(frontier), len(rest))
        assert step.frontier_edges == sum(len(out[v]) for v in frontier)
        assert step.unvisited_edges == sum(len(out[v]) for v in rest)
        assert (step.arm.backend, step.arm.direction) == (backend, direction)
        assert step.seconds >= 0
    assert t.seconds == pytest.approx(sum(step.seconds for step in t.trace))


def test_a_selector_is_asked_for_every_level(backend):
    arm = backends.get(backend).arms[0]
    policy = Fixed(arm)
    t = bfs(Matrix.from_edges(range(5), range(1, 6)), 0, backend=backend, selector=policy)
    assert sorted(set(policy.asked)) == [step.level for step in t.trace]


def test_beamers_rule_changes_direction_on_a_dense_graph(backend):
    rng = np.random.default_rng(7)
    A = Matrix.from_edges(*rng.integers(0, 500, (2, 8000)), n=500, directed=False)
    t = bfs(A, 0, backend=backend, selector="beamer")
    assert {step.arm.direction for step in t.trace} == {"push", "pull"}
    assert t.trace[0].arm.direction == "push"
    never = bfs(A, 0, backend=backend, selector=selector.Beamer(alpha=1e-9))
    assert {step.arm.direction for step in never.trace} == {"push"}
    path = bfs(Matrix.from_edges(range(99), range(1, 100)), 0, backend=backend, selector="beamer")
    assert path.trace[0].arm.direction == "push"


def test_transposes_are_searched_backwards(backend, direction):
    A = Matrix.from_edges([0, 1], [1, 2])
    assert bfs(A, 1, backend=backend, direction=direction).levels.tolist() == [-1, 0, 1]
    assert bfs(A.T, 1, backend=backend, direction=direction).levels.tolist() == [1, 0, -1]
    bfs(A.T, 1, backend=backend, direction=direction).verify()


def test_explicit_zeros_are_edges(backend, direction):
    A = Matrix.from_coo([0, 1], [1, 2], [0.0, 1.0], nrows=3, ncols=3)
    assert bfs(A, 0, backend=backend, direction=direction).levels.tolist() == [0, 1, 2]


def test_sources_may_be_any_integers(backend):
    A = Matrix.from_edges([0, 1], [1, 2])
    for one in (1, np.int8(1), np.uint64(1), np.array(1), [1], (1,), {1}, range(1, 2), np.array([1], "u2"), iter([1])):
        assert bfs(A, one, backend=backend).sources.tolist() == [1]
    assert bfs(A, [2, 0, 2], backend=backend).levels.tolist() == [0, 1, 0]


@pytest.mark.parametrize("threads", [1, 2])
def test_any_number_of_threads_finds_the_same(backend, direction, threads):
    rng = np.random.default_rng(3)
    A = Matrix.from_edges(*rng.integers(0, 2000, (2, 9000)), n=2000)
    expected = bfs(A, 5, backend=backend, direction=direction).levels
    t = bfs(A, 5, backend=backend, direction=direction, threads=threads)
    np.testing.assert_array_equal(t.levels, expected)
    with using(threads=threads):
        np.testing.assert_array_equal(bfs(A, 5, backend=backend).levels, expected)
    t.verify()


@pytest.mark.parametrize("wide", [True, False])
def test_parents_are_as_wide_as_indices_and_levels_32_bits(backend, wide, monkeypatch):
    if wide:
        monkeypatch.setattr(checks, "INT32_MAX", -1)
    A = Matrix.from_edges([0, 1], [1, 2])
    for wanted in ({}, {"levels": False}, {"parents": False}):
        t = bfs(A, 0, backend=backend, **wanted)
        assert "parents" in wanted or t.parents.dtype == (np.int64 if wide else np.int32)
        assert "levels" in wanted or t.levels.dtype == np.int32


def test_a_search_for_its_source_ends_at_once(backend):
    class Asked(selector.Selector):
        def choose(self, features, arms):
            return arms[0]

    for policy in ("push", Asked()):
        t = bfs(Matrix.from_edges([0, 1], [1, 2]), 0, target=0, backend=backend, selector=policy)
        assert (t.levels.tolist(), t.trace) == ([0, -1, -1], [])
