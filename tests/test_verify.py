"""verify: it accepts every valid result, refuses every other, and names the vertex and the rule."""

import models
import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import LagbfsError, Matrix, VerificationError, bfs, verify

RULES = {"source", "range", "component", "cycle", "tree edge", "tree level", "edge span"}


pytestmark = pytest.mark.usefixtures("looks_at_edges")


@st.composite
def searches(draw, max_n=10):
    """Return a graph, its sources, a depth limit and valid levels and parents, found without the library."""
    graph = draw(sts.graphs(max_n))
    sources = draw(st.lists(st.integers(0, graph.n - 1), min_size=1, max_size=2, unique=True))
    limit = draw(st.none() | st.integers(0, 3))
    out = graph.successors()
    levels = models.levels(out, sources, limit)
    parents = [-1] * graph.n
    for v in range(graph.n):
        if levels[v] == 0:
            parents[v] = v
        elif levels[v] > 0:
            above = [u for u in range(graph.n) if v in out[u] and levels[u] == levels[v] - 1]
            parents[v] = draw(st.sampled_from(above))
    return graph, sources, limit, levels, parents


def refused(A, source, **result):
    """Return the error that verify raises, None if it raises none."""
    try:
        verify(A, source, **result)
    except VerificationError as error:
        return error
    return None


@given(searches())
def test_valid_results_are_accepted(search):
    graph, sources, limit, levels, parents = search
    A = graph.matrix()
    for dtype in (np.int32, np.int64):
        p, d = np.array(parents, dtype), np.array(levels, dtype)
        verify(A, sources, parents=p, max_depth=limit)
        verify(A, sources, levels=d, max_depth=limit)
        verify(A, sources, parents=p, levels=d, max_depth=limit)


@given(searches())
def test_any_change_of_a_parent_is_refused_unless_the_result_is_valid_too(search):
    graph, sources, limit, levels, parents = search
    A, out = graph.matrix(), graph.successors()
    for v in range(graph.n):
        for wrong in (*range(-2, graph.n + 1), 2**31 - 1, -(2**31)):
            if wrong == parents[v]:
                continue
            corrupted = np.array(parents)
            corrupted[v] = wrong
            valid = models.valid_parents(out, sources, corrupted.tolist(), limit)
            for result in ({"parents": corrupted}, {"parents": corrupted, "levels": np.array(levels)}):
                error = refused(A, sources, max_depth=limit, **result)
                assert (error is None) == valid
                assert error is None or error.rule in RULES
                assert error is None or 0 <= error.vertex < graph.n


@given(searches())
def test_any_change_of_a_level_is_refused(search):
    graph, sources, limit, levels, parents = search
    A = graph.matrix()
    for v in range(graph.n):
        for wrong in (*range(-2, graph.n + 1), 2**31 - 1):
            if wrong == levels[v]:
                continue
            corrupted = np.array(levels)
            corrupted[v] = wrong
            for result in ({"levels": corrupted}, {"levels": corrupted, "parents": np.array(parents)}):
                error = refused(A, sources, max_depth=limit, **result)
                assert error is not None
                assert error.rule in RULES
                assert str(error).startswith(f"{error.rule}: ")


@given(searches(), st.randoms(use_true_random=False))
def test_random_arrays_are_judged_as_the_model_judges_them(search, random):
    graph, sources, limit, _, parents = search
    A, out = graph.matrix(), graph.successors()
    for _ in range(10):
        mixed = [random.choice([p, -1, random.randrange(graph.n)]) for p in parents]
        valid = models.valid_parents(out, sources, mixed, limit)
        assert (refused(A, sources, parents=mixed, max_depth=limit) is None) == valid


@given(sts.graphs(12), st.data())
def test_corrupted_results_of_every_engine_are_refused(backend, graph, data):
    source = data.draw(st.integers(0, graph.n - 1))
    t = bfs(graph.matrix(), source, backend=backend)
    v = data.draw(st.integers(0, graph.n - 1))
    t.parents[v] = -1 if t.parents[v] >= 0 else source
    with pytest.raises(VerificationError):
        t.verify()


# 0 → 1 → 2 → 3, 0 → 2, and 4 → 3: from 0, levels 0 1 1 2 and 4 is not reached.
A = Matrix.from_edges([0, 1, 2, 0, 4], [1, 2, 3, 2, 3])
PARENTS, LEVELS = [0, 0, 0, 2, -1], [0, 1, 1, 2, -1]


def test_the_example_is_valid():
    assert verify(A, 0, parents=PARENTS, levels=LEVELS) is None


@pytest.mark.parametrize(
    ("rule", "vertex", "result"),
    [
        ("source", 0, {"parents": [-1, 0, 0, 2, -1]}),
        ("source", 0, {"parents": [1, 0, 0, 2, -1]}),
        ("source", 3, {"parents": [0, 0, 0, 3, -1]}),
        ("source", 4, {"parents": [0, 0, 0, 2, 4]}),
        ("source", 0, {"levels": [1, 1, 1, 2, -1]}),
        ("source", 4, {"levels": [0, 1, 1, 2, 0]}),
        ("range", 3, {"parents": [0, 0, 0, 5, -1]}),
        ("range", 1, {"parents": [0, -2, 0, 2, -1]}),
        ("range", 3, {"levels": [0, 1, 1, 5, -1]}),
        ("range", 4, {"levels": [0, 1, 1, 2, -2]}),
        ("component", 3, {"parents": [0, 0, 0, 4, -1]}),
        ("component", 3, {"parents": PARENTS, "levels": [0, 1, 1, -1, -1]}),
        ("component", 4, {"parents": PARENTS, "levels": [0, 1, 1, 2, 3]}),
        ("cycle", 2, {"parents": [0, 0, 3, 2, -1]}),
        ("tree edge", 3, {"parents": [0, 0, 0, 1, -1]}),
        ("tree edge", 4, {"parents": [0, 0, 0, 2, 3]}),
        ("tree edge", 4, {"levels": [0, 1, 1, 2, 3]}),
        ("tree level", 3, {"parents": PARENTS, "levels": [0, 1, 1, 1, -1]}),
        ("tree level", 3, {"parents": PARENTS, "levels": LEVELS, "max_depth": 1}),
        ("edge span", 2, {"parents": [0, 0, 1, 2, -1]}),
        ("edge span", 3, {"parents": [0, 0, 0, -1, -1]}),
        ("edge span", 2, {"levels": [0, 1, 2, 3, -1]}),
        ("edge span", 3, {"levels": [0, 1, 1, -1, -1]}),
    ],
)
def test_each_rule_is_named_with_the_vertex_that_breaks_it(rule, vertex, result):
    with pytest.raises(VerificationError) as caught:
        verify(A, 0, **result)
    assert (caught.value.rule, caught.value.vertex) == (rule, vertex)
    assert rule in str(caught.value)
    assert str(vertex) in str(caught.value)
    assert isinstance(caught.value, LagbfsError)


def test_long_cycles_and_long_paths():
    n = 3000
    path = Matrix.from_edges(range(n - 1), range(1, n))
    parents = np.r_[0, np.arange(n - 1)]
    verify(path, 0, parents=parents)
    circle = Matrix.from_edges(range(n), np.r_[1:n, 1])
    parents[1] = n - 1
    with pytest.raises(VerificationError, match="cycle"):
        verify(circle, 0, parents=parents)


def test_a_graph_looked_at_in_several_pieces(monkeypatch):
    monkeypatch.setattr("lagbfs.host.plain._SCANNED", 7)
    rng = np.random.default_rng(2)
    graph = Matrix.from_edges(*rng.integers(0, 60, (2, 200)), n=60)
    t = bfs(graph, 0)
    t.verify()
    last = int(np.flatnonzero(t.levels == t.depth)[-1])
    t.parents[last] = -1
    with pytest.raises(VerificationError, match="edge span"):
        verify(graph, 0, parents=t.parents)
    with pytest.raises(VerificationError, match=f"component: {last} has parent -1 but level {t.depth}"):
        t.verify()  # of levels that were looked at, too


@pytest.mark.parametrize("wrong", [{"parents": 2}, {"levels": 2}])
def test_of_many_faults_the_first_edge_is_named_whoever_looks(wrong):
    rng = np.random.default_rng(4)
    n = 5000
    graph = Matrix.from_edges(*rng.integers(0, n, (2, 40_000)), n=n, directed=False)
    t = bfs(graph, int(graph.degrees.argmax()))
    result = {"parents": t.parents.copy(), "levels": t.levels.copy()}
    lost = np.flatnonzero(t.levels == t.depth)
    for array in result.values():
        array[lost] = -1
    with pytest.raises(VerificationError) as caught:
        verify(graph, t.sources, **{name: result[name] for name in wrong})
    rows, cols, _ = graph.to_coo()
    first = int(np.flatnonzero((result["levels"][rows] >= 0) & (result["levels"][cols] < 0))[0])
    assert (caught.value.rule, caught.value.vertex) == ("edge span", cols[first])
    assert f"from {rows[first]} at" in str(caught.value)


def test_edges_to_the_unreached_are_allowed_only_at_the_depth_limit():
    verify(A, 0, levels=[0, 1, 1, -1, -1], max_depth=1)
    with pytest.raises(VerificationError, match="edge span"):
        verify(A, 0, levels=[0, 1, 1, -1, -1], max_depth=2)


@pytest.mark.parametrize(
    ("kind", "result", "match"),
    [
        (ValueError, {}, "parents or levels"),
        (ValueError, {"parents": [0, 0]}, "parents"),
        (ValueError, {"levels": [[0, 1, 1, 2, -1]]}, "levels"),
        (TypeError, {"parents": [0.0, 0, 0, 2, -1]}, "parents"),
        (TypeError, {"levels": np.zeros(5, bool)}, "levels"),
        (ValueError, {"parents": PARENTS, "max_depth": -1}, "max_depth"),
    ],
)
def test_results_that_cannot_be_looked_at(kind, result, match):
    with pytest.raises(kind, match=match) as caught:
        verify(A, 0, **result)
    assert isinstance(caught.value, LagbfsError)
    assert not isinstance(caught.value, VerificationError)
