"""Searches that change from engine to engine: at every level, between every two, there and back."""

from itertools import combinations, permutations

import models
import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import LagbfsError, Matrix, backends, bfs, graphs
from lagbfs.backends.reference import Reference
from lagbfs.selector import Cross, Strategy

RUNNING = [info.name for info in backends.available() if info.runs]
needs_both = pytest.mark.skipif("cupyx" not in RUNNING, reason="needs an engine on a device: cupyx")


class Switches:
    """One engine, and from each of some levels on the other; direction changes from level to level."""

    def __init__(self, first, second, levels):
        self.engines, self.levels = (first, second), levels

    def choose(self, features, arms):
        engine = self.engines[sum(level <= features.level for level in self.levels) % 2]
        own = [arm for arm in arms if arm.backend == engine]
        return own[(7 * features.level) % len(own)]


def two_communities():
    """A graph of several levels, wide and narrow ones: two random graphs joined by a path."""
    rng = np.random.default_rng(5)
    a, b = rng.integers(0, 70, (2, 200)), rng.integers(80, 150, (2, 200))
    path = np.stack([np.arange(69, 80), np.arange(70, 81)])
    return Matrix.from_edges(*np.concatenate([a, path, b], axis=1), n=160, directed=False)


GRAPH = two_communities()
SUCCESSORS = [set(map(int, row)) for row in np.split(GRAPH.csr.indices, GRAPH.csr.indptr[1:-1])]
DEPTH = max(models.levels(SUCCESSORS, [3]))


@pytest.mark.parametrize(("first", "second"), [*permutations(RUNNING, 2)])
def test_crossing_at_every_level(first, second):
    expected, least = models.levels(SUCCESSORS, [3]), models.smallest_parents(SUCCESSORS, [3])
    assert DEPTH > 10
    for level in range(DEPTH + 1):
        policy = Switches(first, second, [level])
        t = bfs(GRAPH, 3, backend=(first, second), selector=policy)
        assert [step.arm.backend for step in t.trace] == [first if d < level else second for d in range(len(t.trace))]
        assert t.levels.tolist() == expected
        assert models.valid_parents(SUCCESSORS, [3], t.parents.tolist())
        assert bfs(GRAPH, 3, backend=(first, second), selector=policy, parents=False).levels.tolist() == expected
        assert bfs(GRAPH, 3, backend=(first, second), selector=policy, deterministic=True).parents.tolist() == least


@pytest.mark.parametrize(("first", "second"), [*permutations(RUNNING, 2)])
def test_crossing_there_and_back(first, second):
    expected = models.levels(SUCCESSORS, [3])
    for levels in combinations(range(0, DEPTH + 1, 2), 2):
        t = bfs(GRAPH, 3, backend=(first, second), selector=Switches(first, second, levels))
        assert t.levels.tolist() == expected
        t.verify()


@given(st.one_of(sts.graphs(), sts.large_graphs()), st.data())
def test_crossing_with_depth_limits_and_targets(graph, data):
    vertex = st.integers(0, graph.n - 1)
    source = data.draw(vertex)
    targets = data.draw(st.none() | st.lists(vertex, min_size=1, max_size=3))
    depth = data.draw(st.none() | st.integers(0, 5))
    engines = data.draw(st.permutations(RUNNING))[:2]
    levels = data.draw(st.lists(st.integers(0, 5), min_size=1, max_size=4))
    parents = data.draw(st.booleans())
    A, out = graph.matrix(), graph.successors()
    full = models.levels(out, [source])
    ends = [depth] if depth is not None else []
    if targets and all(full[v] >= 0 for v in targets):
        ends.append(max(full[v] for v in targets))
    limits = {"max_depth": depth, "target": targets, "parents": parents}
    t = bfs(A, source, backend=engines, selector=Switches(*engines, levels), **limits)
    assert t.levels.tolist() == models.levels(out, [source], min(ends) if ends else None)
    t.verify()


@needs_both
def test_what_crosses_is_the_smaller_of_list_and_bitmap_and_the_parents_once(device):
    n, A = 1 << 12, graphs.kronecker(12)
    source = int(A.degrees.argmax())
    bfs(A, source, backend="cupyx", selector="push")  # the graph is sent
    bfs(A, source, backend="cupyx", selector="pull")
    device.calls.clear()
    t = bfs(A, source, backend=("native", "cupyx"), selector=Switches("native", "cupyx", [1, 3]))
    crossings = [what for kind, what in device.calls if kind == "copy"]
    assert [step.arm.backend for step in t.trace][:4] == ["native", "cupyx", "cupyx", "native"]
    frontiers = [min(4 * step.frontier_size, n // 8) for step in t.trace]
    assert crossings == [
        *(frontiers[1], n // 8),  # in: the frontier, and what is visited
        *(32, 32),  # the counts of two levels
        *(frontiers[3], n // 8),  # out
        4 * n,  # what was found here, at the end
    ]
    t.verify()


@needs_both
def test_cross_pushes_on_the_host_then_pulls_and_pushes_on_the_device():
    A = graphs.kronecker(10)
    t = bfs(A, 1, backend=("native", "cupyx") if "native" in RUNNING else ("reference", "cupyx"), selector="cross")
    t.verify()
    ways = [(step.arm.backend == "cupyx", step.arm.direction) for step in t.trace]
    assert list(dict.fromkeys(ways)) == [(False, "push"), (True, "pull"), (True, "push")]
    assert "of the edges" in t.explain()[0].why


@needs_both
@pytest.mark.parametrize(
    ("name", "on_device", "direction", "variant"),
    [
        ("TC", False, "push", None),
        ("TG", True, "push", None),
        ("BC", False, "pull", None),
        ("BG", True, "pull", None),
        ("BGC", True, "pull", "hubs"),
    ],
)
def test_the_five_strategies(name, on_device, direction, variant):
    t = bfs(GRAPH, 3, backend=("reference", "cupyx"), selector=name)
    arms = {step.arm for step in t.trace}
    assert {arm.backend == "cupyx" for arm in arms} == {on_device}
    assert {arm.direction for arm in arms} == {direction}
    assert variant is None or {arm.variant for arm in arms} == {variant}
    assert t.explain()[0].why.startswith("asked for")
    t.verify()


def test_a_strategy_without_its_engine_says_what_it_needs():
    for name, needed in (("TG", "push on a device"), ("BGC", "with hubs")):
        with pytest.raises(LagbfsError, match=rf"{name}.*{needed}.*backend="):
            bfs(graphs.complete(40), 3, backend="reference", selector=name)
    with pytest.raises(LagbfsError, match="name must be one of"):
        Strategy("BT")
    if "cupyx" in RUNNING:
        with pytest.raises(LagbfsError, match="on the host"):
            bfs(GRAPH, 3, backend="cupyx", selector=Strategy("TC"))


@pytest.mark.parametrize("engine", RUNNING)
def test_cross_does_with_one_architecture_if_there_is_no_other(engine):
    t = bfs(graphs.kronecker(9), 1, backend=engine, selector="cross")
    assert {step.arm.direction for step in t.trace} == {"push", "pull"}
    t.verify()


@pytest.fixture
def no_device():
    class Missing(Reference):
        name = "cupyx"

        @classmethod
        def info(cls):
            return backends.BackendInfo("cupyx", "", False, "there is no NVIDIA driver", "install it")

    backends.register(Missing, replace=True)
    yield
    backends.unregister("cupyx")


@pytest.mark.usefixtures("no_device")
def test_of_several_engines_those_that_can_run_do():
    with pytest.warns(RuntimeWarning, match="cupyx cannot run here: there is no NVIDIA driver: going on with ref"):
        t = bfs(GRAPH, 3, backend=("reference", "cupyx"), selector="cross")
    assert {step.arm.backend for step in t.trace} == {"reference"}
    for alone in ("cupyx", ["cupyx"], ("cupyx", "cupyx")):
        with pytest.raises(ImportError, match=r"no NVIDIA driver\. Try: install it"):
            bfs(GRAPH, 3, backend=alone)
    with pytest.raises(ValueError, match="'nonsense'"):
        bfs(GRAPH, 3, backend=("reference", "nonsense"))


@needs_both
def test_thresholds_of_the_crossing():
    pair = ("reference", "cupyx")
    stays = bfs(GRAPH, 3, backend=pair, selector=Cross(m1=0.1, n1=0.1))
    assert {step.arm.backend for step in stays.trace} == {"reference"}
    leaves = bfs(GRAPH, 3, backend=pair, selector=Cross(m1=1e9, m2=1e9))
    assert {str(step.arm) for step in leaves.trace} == {"cupyx pull:vertex"}
