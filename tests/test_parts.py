"""Searches that several engines of one process share."""

from types import SimpleNamespace

import models
import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import LagbfsError, Matrix, Vector, backends, bfs, components, graphs, semiring, using
from lagbfs.backends.partitioned import engine
from lagbfs.backends.partitioned.local import DelayedExchange
from lagbfs.backends.partitioned.split import POLICIES, split
from lagbfs.errors import DeviceWarning

RUNNING = [info.name for info in backends.available() if info.runs]
HOSTS = [name for name in RUNNING if name != "cupyx"]
needs_device = pytest.mark.skipif("cupyx" not in RUNNING, reason="needs an engine on a device: cupyx")


@st.composite
def names(draw, policies=tuple(POLICIES)):
    """Names of engines that share a graph: which, how and how much of it."""
    engines = draw(st.lists(st.sampled_from(HOSTS), min_size=2, max_size=4))
    shares = draw(st.none() | st.lists(st.integers(0, 5), min_size=len(engines), max_size=len(engines)).filter(any))
    policy = draw(st.sampled_from(policies))
    return "+".join(engines) + "/" + policy + ("" if shares is None else "/" + ":".join(map(str, shares)))


@given(st.one_of(sts.graphs(), sts.large_graphs()), names(), st.data())
def test_a_search_by_parts_is_the_search(graph, name, data):
    vertex = st.integers(0, graph.n - 1)
    sources = data.draw(st.lists(vertex, min_size=1, max_size=3, unique=True))
    targets = data.draw(st.none() | st.lists(vertex, min_size=1, max_size=3))
    depth = data.draw(st.none() | st.integers(0, 5))
    selector = data.draw(st.sampled_from(["learned", "push", "pull", "beamer"]))
    out = graph.successors()
    full = models.levels(out, sources)
    ends = [depth] if depth is not None else []
    if targets and all(full[v] >= 0 for v in targets):
        ends.append(max(full[v] for v in targets))
    settings = {"backend": name, "max_depth": depth, "target": targets, "selector": selector}
    t = bfs(graph.matrix(), sources, parents=data.draw(st.booleans()), **settings)
    assert t.levels.tolist() == models.levels(out, sources, min(ends) if ends else None)
    t.verify()


@pytest.mark.slow
@needs_device
@sts.examples(0.5)
@given(st.one_of(sts.graphs(), sts.large_graphs()), st.sampled_from(HOSTS), st.sampled_from([*POLICIES]), st.data())
def test_the_host_and_a_device_share_a_search(graph, host, policy, data):
    sources = data.draw(st.lists(st.integers(0, graph.n - 1), min_size=1, max_size=3, unique=True))
    order = data.draw(st.permutations([host, "cupyx"]))
    picks = data.draw(st.lists(st.integers(0, 50), min_size=1, max_size=8))
    picking = SimpleNamespace(choose=lambda f, arms: arms[picks[f.level % len(picks)] % len(arms)])
    shares = data.draw(st.sampled_from(["1:1", "1:3", "0:1"]))
    settings = {"backend": f"{'+'.join(order)}/{policy}/{shares}", "selector": picking}
    t = bfs(graph.matrix(), sources, parents=data.draw(st.booleans()), **settings)
    assert t.levels.tolist() == models.levels(graph.successors(), sources)
    t.verify()


@pytest.mark.slow
@needs_device
@pytest.mark.parametrize("arm", backends.get("cupyx").arms if "cupyx" in RUNNING else [])
def test_every_arm_of_a_device_computes_its_part(arm):
    A = graphs.rmat(8, directed=True)
    source = int(A.degrees.argmax())
    t = bfs(A, source, backend="reference+cupyx/dealt", selector=Only(arm))
    assert {share.arm for level in t.shares.values() for share in level if share.part == 1} == {arm}
    t.verify()
    assert (
        bfs(A, source, backend="cupyx+cupyx/random", selector=Only(arm), parents=False).levels.tolist()
        == t.levels.tolist()
    )


@pytest.mark.slow
@needs_device
@pytest.mark.parametrize("selector", ["push", "pull", "beamer"])
def test_a_part_whose_device_fails_goes_on_on_the_host(device, selector):
    A = graphs.kronecker(7)
    source, name = int(A.degrees.argmax()), "reference+cupyx/dealt"
    expected = bfs(A, source, backend=name, selector=selector).levels.tolist()
    before = len(device.calls)
    bfs(A, source, backend=name, selector=selector)
    calls = len(device.calls) - before
    errors = pytest.importorskip("cupy.cuda.runtime", reason="needs the errors of the double")
    for at in range(0, calls, 3):
        device.fail(at, errors.CUDARuntimeError(700), sticky=at % 2 == 0)
        with pytest.warns(DeviceWarning, match="part 1 failed .* native took its place"):
            t = bfs(A, source, backend=name, selector=selector)
        device.recover()
        assert t.levels.tolist() == expected
        t.verify()


@pytest.mark.slow
@needs_device
def test_what_does_not_fit_on_the_device_is_shared_with_the_host(device):
    A = graphs.kronecker(9)
    device.total = device.used + 40_000
    t = bfs(A, 1, backend="cupyx")
    t.verify()
    assert {share.arm.backend for level in t.shares.values() for share in level} == {backends.default(), "cupyx"}
    assert "on the device, which has" in t.notes[0]
    assert t.notes[0].endswith(f"shared with {backends.default()}")


@pytest.mark.slow
@needs_device
def test_parts_of_one_engine_are_on_devices_of_their_own(device):
    device.count = 2
    A = graphs.kronecker(7)
    bfs(A, 1, backend="cupyx+cupyx").verify()
    engine = backends.get("cupyx")
    _, blocks = A.rows.handle(backends.get("cupyx+cupyx"))._cut
    assert [block.rows.handle(engine).rows.indices.device.id for block in blocks] == [0, 1]


class Only:
    """An arm where it is offered, or the first."""

    def __init__(self, arm):
        self.arm = arm

    def choose(self, features, arms):
        return self.arm if self.arm in arms else arms[0]


@given(sts.graphs(), names(), st.integers(0, 3))
def test_another_engine_can_go_on_and_come_before(graph, name, level):
    class Crossing:
        def choose(self, features, arms):
            if not any("+" in arm.backend for arm in arms):
                return arms[-1]  # for one of the parts
            shares = (features.level < level) == first
            return next(arm for arm in arms if ("+" in arm.backend) == shares)

    for first in (True, False):
        t = bfs(graph.matrix(), 0, backend=[name, HOSTS[0]], selector=Crossing())
        assert t.levels.tolist() == models.levels(graph.successors(), [0])
        assert ["+" in step.arm.backend for step in t.trace] == [(d < level) == first for d in range(len(t.trace))]
        t.verify()


@pytest.mark.slow
@needs_device
@pytest.mark.parametrize("name", ["reference+reference", f"{backends.default()}+{backends.default()}"])
def test_parts_go_on_where_a_device_keeps_what_it_has_found(name):
    class Crossing:
        def choose(self, features, arms):
            return next((arm for arm in arms if ("+" in arm.backend) == (features.level >= 3)), arms[0])

    # No edge at vertex 0, which stands for any parent that a device keeps.
    A = Matrix.from_edges(range(1, 8), range(2, 9), directed=False)
    t = bfs(A, 1, backend=["cupyx", name], selector=Crossing())
    assert t.levels.tolist() == [-1, *range(8)]
    assert [step.unvisited_size for step in t.trace] == [8 - level for level in range(len(t.trace))]
    assert ["+" in step.arm.backend for step in t.trace] == [False] * 3 + [True] * (len(t.trace) - 3)
    t.verify()


@given(sts.graphs(), names())
def test_least_parents_are_found_by_the_first_engine(graph, name):
    t = bfs(graph.matrix(), 0, backend=name, deterministic=True)
    assert t.parents.tolist() == models.smallest_parents(graph.successors(), [0])


def test_vertices_without_an_edge_are_sources_and_targets_as_others_are():
    A = Matrix.from_edges([0, 1], [1, 2], n=5)
    for source, target in (([0, 3], None), ([3], None), (0, 4), (0, [2, 4]), ([0, 4], 4), (3, 4)):
        shared, alone = (
            bfs(A, source, target=target, backend=engine) for engine in ("reference+reference", "reference")
        )
        assert shared.levels.tolist() == alone.levels.tolist()
        assert (shared.depth, shared.reached, len(shared.trace)) == (alone.depth, alone.reached, len(alone.trace))


def test_products_are_those_of_the_first_engine():
    A = graphs.kronecker(6)
    v = Vector.from_coo([1, 5], [2, 3], size=A.nrows)
    alone = semiring.plus_times(v @ A).new()
    for name in ("reference+reference", f"{backends.default()}+reference"):
        with using(backend=name):
            assert semiring.plus_times(v @ A).new().isequal(alone)
        assert (components(A, backend=[name, "reference"]) == components(A)).all()


@given(
    st.lists(st.integers(0, 50), max_size=300),
    st.lists(st.integers(0, 9), min_size=1, max_size=4).filter(any),
    st.sampled_from([*POLICIES]),
)
def test_a_split_deals_out_every_vertex_that_has_edges_once(degrees, weights, policy):
    degrees, shares = np.array(degrees, np.int64), np.array(weights) / sum(weights)
    found = split(degrees, shares, policy)
    owned = [found.own(part) for part in range(found.parts)]
    assert sorted(np.concatenate(owned).tolist()) == np.flatnonzero(degrees).tolist()
    assert all(begin % 64 == 0 for begin in found.offsets)
    assert all(
        (found.label[own] == begin + np.arange(len(own))).all()
        for begin, own in zip(found.offsets, owned, strict=False)
    )
    assert not found.descending or all((np.diff(degrees[own]) <= 0).all() for own in owned)


@pytest.mark.parametrize("policy", POLICIES)
def test_parts_get_their_shares_of_the_edges(policy):
    degrees = graphs.kronecker(12).degrees.astype(np.int64)
    found = split(degrees, [0.2, 0.5, 0.3], policy)
    got = [degrees[found.own(part)].sum() / degrees.sum() for part in range(3)]
    assert got == pytest.approx([0.2, 0.5, 0.3], abs=0.08)


def test_totem_gives_the_hubs_to_the_first():
    degrees = graphs.kronecker(10).degrees.astype(np.int64)
    for policy, hubs in (("degree", 0), ("reversed", 1)):
        found = split(degrees, [0.5, 0.5], policy)
        assert degrees[found.own(hubs)].min() >= degrees[found.own(1 - hubs)].max()


def test_the_trace_tells_what_each_part_did():
    t = bfs(graphs.kronecker(8), 1, backend="reference+reference")
    assert [step.arm.backend for step in t.trace] == ["reference+reference"] * len(t.trace)
    assert sorted(t.shares) == [step.level for step in t.trace]
    assert all([share.part for share in level] == [0, 1] for level in t.shares.values())
    assert "reference+reference push" in t.summary()
    assert bfs(graphs.kronecker(8), 1, backend="reference").shares == {}


def test_the_matrix_tells_how_it_was_split():
    A = Matrix.from_edges([0, 1], [1, 2])
    bfs(A, 0, backend="reference+reference/degree/1:0")
    assert "split: reference 3 vertices, 2 edges, reference 0 vertices, 0 edges" in repr(A)


def test_what_is_left_over_goes_to_the_first():
    assert engine._within([1.0, 3.0], [1.0, 0.25]) == [0.75, 0.25]


class Small(backends.get("reference").__class__):
    name = "small"

    def room(self, place=0):
        return 5000


def test_no_part_is_larger_than_its_engine_has_room_for():
    backends.register(Small)
    try:
        A = graphs.kronecker(8)
        bfs(A, 1, backend="reference+small").verify()
        _, (_, small) = A.rows.handle(backends.get("reference+small"))._cut
        assert 0 < small.rows.nvals * 8 <= 5000
        assert small.rows.nvals < A.nvals / 4
    finally:
        backends.unregister("small")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("native+nativ", "backend must be one of"),
        ("reference+reference/degre", "'degre' must be one of .*did you mean 'degree'"),
        ("reference+reference/degree/1", "shares must be 2 numbers with colons"),
        ("reference+reference/degree/1:x", "shares must be 2 numbers with colons"),
        ("reference+reference/degree/0:0", "shares must be 2 numbers with colons"),
        ("reference+reference/degree/-1:2", "shares must be 2 numbers with colons"),
        ("reference+reference/degree/1:2/3", "a name of parts has at most three"),
    ],
)
def test_names_that_mean_nothing_are_refused(name, said):
    with pytest.raises(LagbfsError, match=said):
        bfs(graphs.path(3), 0, backend=name)


def test_an_exchange_takes_as_long_as_its_wire(monkeypatch):
    exchange = DelayedExchange(2, latency=0.25, bandwidth=100.0)
    waited = []
    monkeypatch.setattr(exchange, "_until", waited.append)
    monkeypatch.setattr("lagbfs.backends.partitioned.local.perf_counter", lambda: 0.0)
    pieces = [np.zeros(2, np.uint64), np.zeros(1, np.uint64)]
    assert exchange.frontier(pieces, "bitmap", np.array([1, 1])).tolist() == [0, 0, 0]
    assert waited == [0.25 + 16 / 100]
    assert exchange.sent == 16
