"""Several engines in one search: each level goes where it is best done, moves and levels to come included.

A device is played by the reference engine under another name. What it costs is what the model says.
"""

from dataclasses import replace

import numpy as np
import pytest
import strategies as sts
import test_published as published
from hypothesis import given
from hypothesis import strategies as st

import lagbfs
from lagbfs import backends, bfs, graphs, using
from lagbfs.backends.protocol import Arm, features_before
from lagbfs.backends.protocol.quantities import QUANTITIES, quantities
from lagbfs.backends.reference import Reference
from lagbfs.measure.levels import MeasuredRun, arms_by_level
from lagbfs.measure.training import learned as training
from lagbfs.measure.training.corpus import Measured
from lagbfs.measure.training.scores import slowdowns
from lagbfs.selector import Fixed, Learned, Oracle, Relay, Switch, context

INFO = {info.name: info for info in backends.available()}["native"]
DEVICE = (Arm("device", "push"), Arm("device", "pull"))


class Device(Reference):
    """The reference engine under another name."""

    name = "device"
    arms = DEVICE


@pytest.fixture(scope="module", autouse=True)
def device():
    """Make the device one of the engines."""
    backends.register(Device)
    yield
    backends.unregister("device")


@pytest.fixture(scope="module", params=["reference", "native"])
def cpu(request):
    """The arms of a host that push and pull; the native engine evaluates the model itself and hands over by itself."""
    if request.param == "native" and not INFO.runs:
        pytest.skip(f"native cannot run here: {INFO.reason}")
    arms = backends.get(request.param).arms
    return [next(arm for arm in arms if arm.direction == way) for way in ("push", "pull")]


def row(**prices):
    return tuple(float(prices.get(name, 0)) for name in QUANTITIES)


def model(cpu, *, fixed=1.0, move=1.0, ahead=4, start=False):
    """Return prices after table IV of You et al.: what a level takes at least, and then by the edge.

    `fixed` scales what does not depend on the size of the graph, from the paper's 8 M vertices to smaller ones.
    """
    arms = {
        cpu[0]: row(level=0.7e6 * fixed, pushes=0.8, crowd=0.8),
        cpu[1]: row(level=5e6 * fixed, probes=0.38),
        DEVICE[0]: row(level=0.23e6 * fixed, pushes=9, crowd=9),
        DEVICE[1]: row(level=1.466e6 * fixed, probes=0.08),
    }
    way = row(level=2e6 * fixed * move, words=move)
    host = cpu[0].backend
    moves = {(host, "device"): way, ("device", host): way, **starts(way, start)}
    return Learned(arms, moves, 2.0**20, ahead, adapt=False)


def starts(way, start):
    """Return the price of beginning at the device; the paper counts none."""
    return {("start", "device"): way} if start else {}


def measured(policy, trace, n, m):
    """Return a measured search whose seconds are what a model says."""
    arms = tuple(policy.arms)
    known = [features_before(step, last, n, m) for step, last in zip(trace, [None, *trace[:-1]], strict=True)]
    by_form = {(f.level, arm, "list"): t for f in known for arm, t in policy.predict(f, arms).items()}
    table = np.array([[by_form[f.level, arm, "list"] for arm in arms] for f in known])
    first = quantities(known[0], policy.cache)
    moves = {pair: 1e-9 * float(np.dot(prices, first)) for pair, prices in policy.moves.items()}
    return MeasuredRun(arms, table, tuple(trace), n, m, by_form, {}, moves)


def table_iv(policy):
    return measured(policy, published.table_iv("CPUTD+GPUCB").steps, published.N, published.M)


def ways(steps):
    """Return the way of each level: C, G push on host and device, c, g pull."""
    letters = {"push": "CG", "pull": "cg"}
    return "".join(letters[step.arm.direction][step.arm.backend == "device"] for step in steps)


def lost(policy, run):
    return sum(step.seconds for step in run.follow(policy)) / run.fastest


HOST = (Arm("cpu", "push"), Arm("cpu", "pull"))


def test_table_iv_is_found():
    """CPU push, device pull, device push, at the levels of the paper's best combination, which are the fastest."""
    policy = model(HOST)
    run = table_iv(policy)
    assert ways(run.follow(policy)) == published.COLUMNS["CPUTD+GPUCB"][0] == "CCggggGGG"
    assert lost(policy, run) == pytest.approx(1)
    for other in (Fixed("cpu push"), Fixed("device pull"), Switch(64, 300, "cpu"), Switch(64, 300, "device")):
        assert lost(other, run) > 1.1


def test_it_stays_off_the_device_when_moving_costs_more():
    policy = model(HOST, move=10)
    assert set(ways(table_iv(policy).follow(policy))) == {"C", "c"}


def test_it_goes_to_and_fro_when_moving_costs_little():
    policy = model(HOST, move=0.1, ahead=0)
    run = table_iv(policy)
    found = ways(run.follow(policy))
    assert "gC" in found
    assert found == ways(run.follow(Oracle(run)))


def test_a_move_that_pays_over_several_levels_together_is_made():
    """Bringing the state over takes longer than the device wins at any one level."""
    near, far = (model(HOST, move=4.5, ahead=ahead) for ahead in (0, 4))
    run = table_iv(far)
    won = run.seconds[:, :2].min(axis=1) - run.seconds[:, 2:].min(axis=1)
    assert won.max() < run.moves["cpu", "device"] < won[2:5].sum()
    assert "g" not in ways(run.follow(replace(near, arms={**near.arms, DEVICE[0]: row(level=1e9)})))
    assert "ggg" in ways(run.follow(replace(far, arms={**far.arms, DEVICE[0]: row(level=1e9)})))


def test_a_move_is_not_made_before_it_pays():
    """That the levels to come belong on the device is no reason to go there at once: one can go there then."""
    policy = model(HOST)
    run = table_iv(policy)
    second = features_before(run.steps[1], run.steps[0]._replace(arm=HOST[0]), run.n, run.m)
    third = features_before(run.steps[2], run.steps[1]._replace(arm=HOST[0]), run.n, run.m)
    assert policy.choose(second, run.arms) == HOST[0]
    assert policy.choose(third, run.arms) == DEVICE[1]


@pytest.mark.slow
def test_training_recovers_it():
    """From the times of levels alone, among them those of smaller graphs of the same shape."""
    policy = model(HOST)
    shape = published.table_iv("CPUTD+GPUCB").steps
    A = graphs.star(3)
    searches = []
    for part in (1, 2, 5, 20, 100):
        trace = [step._replace(**{f: max(getattr(step, f) // part, 1) for f in step._fields[1:5]}) for step in shape]
        run = measured(policy, trace, published.N // part, published.M // part)
        searches.append(Measured(f"part {part}", 0, A.degree_stats, A.degree_stats, run))
    found = training.fit(searches)
    assert ways(searches[0].run.follow(found)) == "CCggggGGG"
    assert slowdowns(found, searches).max() <= 1.1


GRAPH = graphs.kronecker(12)


@pytest.fixture(scope="module")
def sources():
    """Vertices whose search begins with a few vertices that have a few edges."""
    return np.flatnonzero((GRAPH.degrees > 2) & (GRAPH.degrees < 20))[:8].tolist()


def test_a_search_goes_from_host_to_device(cpu, sources):
    policy = model(cpu, fixed=GRAPH.nrows / published.N)
    for source in sources:
        t = bfs(GRAPH, source, backend=(cpu[0].backend, "device"), selector=policy)
        t.verify()
        found = ways(t.trace)
        assert found.lstrip("C").lstrip("g").lstrip("G") == "", found
        assert found.startswith("C")
        assert "g" in found
        assert np.array_equal(t.levels, bfs(GRAPH, source, backend="reference").levels)


def test_a_search_begins_at_the_device_if_that_is_free_and_moving_later_is_not(cpu, sources):
    policy = model(cpu, fixed=GRAPH.nrows / published.N, move=1000)
    t = bfs(GRAPH, sources[0], backend=(cpu[0].backend, "device"), selector=policy)
    t.verify()
    assert {step.arm.backend for step in t.trace} == {"device"}


def test_a_search_stays_on_the_host_when_moving_costs_more(cpu, sources):
    policy = model(cpu, fixed=GRAPH.nrows / published.N, move=1000, start=True)
    for source in sources:
        t = bfs(GRAPH, source, backend=(cpu[0].backend, "device"), selector=policy)
        t.verify()
        assert {step.arm.backend for step in t.trace} == {cpu[0].backend}


def test_engines_are_offered_in_any_order(cpu, sources):
    policy = model(cpu, fixed=GRAPH.nrows / published.N)
    host = cpu[0].backend
    one, two = (bfs(GRAPH, sources[0], backend=pair, selector=policy) for pair in [(host, "device"), ("device", host)])
    assert [step.arm for step in one.trace] == [step.arm for step in two.trace]
    with using(backend=f"{host},device", selector=policy):
        assert [step.arm for step in bfs(GRAPH, sources[0]).trace] == [step.arm for step in one.trace]


@sts.examples(0.7)
@given(graph=sts.graphs(), data=st.data())
def test_searches_over_three_engines_are_right_whatever_the_model(graph, data):
    import policies as ps

    names = data.draw(
        st.permutations([name for name in ("native", "reference", "device") if backends.registry.is_running(name)])
    )
    arms = tuple(arm for name in names for arm in backends.get(name).arms)
    policy = data.draw(ps.learned(arms))
    source = data.draw(st.integers(0, graph.n - 1))
    target = data.draw(st.none() | st.lists(st.integers(0, graph.n - 1), min_size=1, max_size=3))
    t = bfs(
        graph.matrix(), source, backend=names, selector=policy, target=target, deterministic=data.draw(st.booleans())
    )
    t.verify()


def test_the_papers_relay_runs_over_the_same_engines(cpu, sources):
    rule = Relay(Switch(64, 64, cpu[0].backend), Switch(64, 100, "device"))
    t = bfs(GRAPH, sources[0], backend=(cpu[0].backend, "device"), selector=rule)
    t.verify()
    assert "Cg" in ways(t.trace)


def test_moves_between_real_engines_are_measured(cpu):
    run = arms_by_level(graphs.kronecker(7), 1, backend=(cpu[0].backend, "device"), repeats=1)
    assert run.moves.keys() == {(cpu[0].backend, "device"), ("device", cpu[0].backend)}
    assert run.arms[-2:] == DEVICE


@pytest.mark.parametrize(
    ("value", "error", "word"),
    [
        (["reference", "nonsense"], ValueError, "nonsense"),
        ("reference,nonsense", ValueError, "nonsense"),
        ("reference,", ValueError, "backend"),
        ([], ValueError, "backend"),
        ((), ValueError, "backend"),
        (["reference", 3], TypeError, "backend"),
        (3, TypeError, "backend"),
        ({"reference"}, TypeError, "backend"),
    ],
)
def test_engines_that_make_no_sense_are_named(value, error, word):
    for ask in (lambda: bfs(GRAPH, 0, backend=value), lambda: using(backend=value)):
        with pytest.raises(error, match=word) as caught:
            ask()
        assert isinstance(caught.value, lagbfs.LagbfsError)


@pytest.mark.parametrize("value", ["reference,nonsense", "reference,,device", "reference, device", ","])
def test_the_variable_with_engines_that_make_no_sense(monkeypatch, value):
    monkeypatch.setenv("LAGBFS_BACKEND", value)
    with pytest.raises(ValueError, match="LAGBFS_BACKEND"):
        bfs(GRAPH, 0)


def test_the_variable_names_several(monkeypatch):
    monkeypatch.setenv("LAGBFS_BACKEND", "reference,device,reference")
    assert context.current().arms() == (*backends.get("reference").arms, *DEVICE)
    assert {step.arm for step in bfs(GRAPH, 64, selector="device push").trace} == {DEVICE[0]}
    with using(backend="reference"):
        assert context.current().arms() == backends.get("reference").arms


@pytest.mark.parametrize(
    ("name", "arm"),
    [
        ("push", Arm("reference", "push")),
        ("pull", Arm("reference", "pull")),
        ("device pull", DEVICE[1]),
        ("reference push", Arm("reference", "push")),
    ],
)
def test_arms_by_the_name_of_their_engine(name, arm):
    trace = bfs(GRAPH, 64, backend=("reference", "device"), selector=name).trace
    assert {step.arm for step in trace} == {arm}


@pytest.mark.skipif(not INFO.runs, reason=f"native cannot run here: {INFO.reason}")
@pytest.mark.parametrize("name", ["native push:scan", "push:scan"])
def test_variants_by_the_name_of_their_engine(name):
    trace = bfs(GRAPH, 64, backend=("device", "native"), selector=name).trace
    assert {str(step.arm) for step in trace} == {"native push:scan"}


@pytest.mark.parametrize("name", ["native pull", "device pull:list", "reference  push", "push:scan", "a b push"])
def test_arms_that_are_not_offered_are_told(name):
    with pytest.raises(lagbfs.LagbfsError, match=f"{name}.*reference push, reference pull, device push, device pull"):
        bfs(GRAPH, 64, backend=("reference", "device"), selector=name)


@pytest.mark.parametrize("name", ["nonsense", "", " ", "device", "device sideways", 3, object, lambda: None])
def test_selectors_that_make_no_sense_are_told(name):
    with pytest.raises(ValueError, match=r"selector.*'learned'.*'push'.*choose"):
        bfs(GRAPH, 64, selector=name)
