"""Policies: what they choose, alike in Python and in the kernels; none can make a search wrong."""

import inspect

import numpy as np
import policies as ps
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import backends, bfs, graphs, selector, using
from lagbfs.backends.protocol import Features, Figures
from lagbfs.errors import InvalidTypeError, InvalidValueError
from lagbfs.measure import training
from lagbfs.measure.levels import MeasuredRun, arms_by_level
from lagbfs.selector import (
    Beamer,
    CostModel,
    DecisionTree,
    Oracle,
    Relay,
    Switch,
    SwitchPoint,
    Threshold,
    registry,
    switchpoint,
    tree,
)
from lagbfs.selector.architectures import STRATEGIES
from lagbfs.selector.figures import guessed

INFO = {info.name: info for info in backends.available()}["native"]
needs_native = pytest.mark.skipif(not INFO.runs, reason=f"native cannot run here: {INFO.reason}")


def known(**changes):
    """Return the features of a level in the middle of a search of 1000 vertices and 10000 edges."""
    usual = {"n": 1000, "m": 10000, "frontier_size": 40, "frontier_edges": 400, "level": 2, "previous_size": 10}
    return Features(**{**usual, "unvisited_size": 900, "unvisited_edges": 9000, **changes})


def bound(policy, graph):
    """Return the policy as it is for one graph."""
    rule = policy.rule(graph)
    return rule.bound(graph.n, graph.m) if hasattr(rule, "bound") else rule


def in_kernels(policy, features, arms):
    """Return what the kernels choose, None for an arm of another engine."""
    from lagbfs.backends.native.policy import compiled

    chosen = compiled(policy, tuple(arms)).choose(ps.kernel_features(features))
    return None if chosen < 0 else ps.NATIVE[chosen]


class Unflattened(selector.Selector):
    """The same policy, asked in Python at every level."""

    def __init__(self, policy):
        self.policy = policy

    def on(self, matrix):
        return Unflattened(self.policy.on(matrix)) if hasattr(self.policy, "on") else self

    def choose(self, features, arms):
        return self.policy.choose(features, arms)


@needs_native
@pytest.mark.parametrize(
    "arms", [ps.NATIVE, ps.NATIVE[:3], ps.NATIVE[::-1], ps.EVERY], ids=["native", "push", "back", "two"]
)
@given(st.data())
def test_kernels_and_python_choose_alike(arms, data):
    features = data.draw(ps.features([arm for arm in arms if arm.backend == "native"]))
    rule = bound(data.draw(ps.policies(arms)), data.draw(ps.graphs_like(features)))
    if isinstance(rule, CostModel) and not any(arm in rule.speeds for arm in arms):
        return  # the kernels leave this to Python
    chosen = rule.choose(features, arms)
    assert in_kernels(rule, features, arms) == (chosen if chosen.backend == "native" else None)


@given(st.data())
def test_a_rule_chooses_alike_before_and_after_it_is_bound_to_a_graph(data):
    features = data.draw(ps.features(ps.EVERY))
    rules = st.one_of(
        st.builds(Threshold, ps.shares),
        st.builds(Switch, ps.positive, ps.positive),
        ps.relays("native", "reference"),
        ps.relays("reference", "native"),
    )
    rule = data.draw(rules)
    assert rule.choose(features, ps.EVERY) == rule.bound(features.n, features.m).choose(features, ps.EVERY)


def test_limits_are_exact_for_one_graph_too():
    for size in (49, 50, 51):
        features = known(frontier_size=size)
        for rule in (Threshold(0.05), Switch(1, 20), Switch(10000 / 400, 1)):
            assert rule.bound(1000, 10000).choose(features, ps.NATIVE) == rule.choose(features, ps.NATIVE)


def test_shares_become_counts_exactly():
    for n in range(1, 40):
        for share in [k / 40 for k in range(-4, 90)] + [k / n for k in range(n + 1)]:
            for limit in (share, np.nextafter(share, -9), np.nextafter(share, 9)):
                most = tree._most(float(limit), n)
                assert [k <= most for k in range(n + 1)] == [k / n <= limit for k in range(n + 1)]


@pytest.mark.parametrize("feature", tree._LEVEL)
def test_decisions_about_levels_are_exact(feature):
    n, number = 20, tree.FEATURES.index(feature)
    limits = [k / 20 for k in range(-1, 22)] if feature.endswith("share") else [k / 2 for k in range(-1, 43)]
    for limit in limits:
        rule = DecisionTree(((number, limit, 1, 2), (0,), (1,)), ps.REFERENCE).rule(guessed(known(n=n)))
        for k in range(1, n + 1):
            features = known(n=n, level=k, frontier_size=k, unvisited_size=n - k)
            value = dict(zip(tree._LEVEL, tree.of_level(features, n), strict=True))[feature]
            assert rule.choose(features, ps.REFERENCE) == ps.REFERENCE[value > limit]


@given(st.data())
def test_a_folded_tree_decides_as_the_whole(data):
    features = data.draw(ps.features())
    graph, policy = data.draw(ps.graphs_like(features)), data.draw(ps.trees())
    values = [*tree.of_graph(graph), *tree.of_level(features, graph.n)]
    at = 0
    while len(policy.nodes[at]) > 1:
        feature, threshold, left, right = policy.nodes[at]
        at = left if values[feature] <= threshold else right
    rule = policy.rule(graph)
    assert rule.choose(features, ps.NATIVE) == policy.arms[policy.nodes[at][0]]
    assert {node[0] for node in rule.nodes} <= {"", "level", "frontier_size", "unvisited_size"}


@pytest.mark.parametrize("engines", [["native"], ["native", "reference"], ["reference", "native"], ["suitesparse"]])
@sts.examples(0.5)
@given(graph=sts.graphs(), data=st.data())
def test_no_policy_makes_a_search_wrong(engines, graph, data):
    if "native" in engines and not INFO.runs:
        pytest.skip(f"native cannot run here: {INFO.reason}")
    arms = [arm for name in engines for arm in backends.get(name).arms]
    policy, A = data.draw(ps.policies(arms)), graph.matrix()
    source = data.draw(st.integers(0, graph.n - 1))
    t = bfs(A, source, backend=engines, selector=policy)
    t.verify()
    assert len(t.explain()) == len(t.trace)
    asked = bfs(A, source, backend=engines, selector=Unflattened(policy))
    assert [step.arm for step in t.trace] == [step.arm for step in asked.trace]  # deterministic, kernels or not


@pytest.mark.parametrize("name", [name for name in registry.names() if name not in ("learned", "shipped", *STRATEGIES)])
def test_policies_by_name(backend, name):
    A = graphs.kronecker(8)
    with using(backend=backend, selector=name):
        first, second = bfs(A, 1), bfs(A, 1)
    assert [step.arm for step in first.trace] == [step.arm for step in second.trace]
    assert all(each.why for each in first.explain())
    first.verify()


@pytest.mark.parametrize("name", ["threshold", "switchpoint", "tree", "costmodel"])
def test_products_outside_searches_ask_too(backend, name):
    from lagbfs import Vector, semiring

    A = graphs.kronecker(6)
    ones = Vector.from_dense(np.ones(A.nrows))
    with using(backend=backend, selector=name):
        found = semiring.plus_times(ones @ A).new().to_dense(0)
    assert found == pytest.approx(A.T.degrees)


@pytest.mark.parametrize(
    ("share", "direction"), [(0.05, "push"), (0.04, "pull"), (0.041, "push"), (0.03, "pull"), (0, "pull")]
)
def test_threshold(share, direction):
    assert Threshold(share).choose(known(), ps.REFERENCE).direction == direction


def test_threshold_of_the_paper():
    """Top-down "when number of vertices in frontier is less than 5% of total number of vertices"."""
    chosen = [Threshold().choose(known(frontier_size=size), ps.REFERENCE).direction for size in (49, 50, 51)]
    assert chosen == ["push", "pull", "pull"]
    assert "limit 5.00%" in Threshold().why(known())


@pytest.mark.parametrize(
    ("M", "N", "direction"), [(24, 24, "push"), (25, 24, "pull"), (24, 25, "pull"), (1, 1, "push"), (300, 300, "pull")]
)
def test_switch(M, N, direction):
    """Top-down if |E|cq < |E|/M and |V|cq < |V|/N: here 400 of 10000, and 40 of 1000."""
    assert Switch(M, N).choose(known(), ps.REFERENCE).direction == direction


def test_beamers_rule():
    """To bottom-up if m_f > m_u/α while growing, back if n_f < n/β while shrinking."""
    pull = ps.REFERENCE[1]
    at = {
        "few edges": known(unvisited_edges=6001),
        "many edges": known(unvisited_edges=5999),
        "many edges, shrinking": known(unvisited_edges=5999, previous_size=41),
        "still large": known(arm=pull, frontier_size=56, previous_size=90),
        "small": known(arm=pull, frontier_size=55, previous_size=90),
        "small, growing": known(arm=pull, frontier_size=55, previous_size=9),
    }
    chosen = {case: Beamer(alpha=15, beta=18).choose(features, ps.REFERENCE).direction for case, features in at.items()}
    assert [case for case, direction in chosen.items() if direction == "pull"] == [
        "many edges",
        "still large",
        "small, growing",
    ]


def test_beamers_rule_where_a_pull_reads_all_its_edges():
    """Without early exit α is 1: a pull wins only if it has fewer edges."""
    few, many = known(unvisited_edges=401, early_exit=False), known(unvisited_edges=399, early_exit=False)
    assert [Beamer().choose(features, ps.REFERENCE).direction for features in (few, many)] == ["push", "pull"]
    assert "limit 100.00%" in Beamer().why(few)


def test_cost_model():
    push, pull = ps.REFERENCE
    model = CostModel({push: 1e8, pull: 4e8}, alpha=0.1)
    assert model.predict(known(), ps.REFERENCE) == pytest.approx({push: 400 / 1e8, pull: 0.1 * 9000 / 4e8})
    assert model.choose(known(), ps.REFERENCE) == pull
    assert model.choose(known(frontier_edges=200), ps.REFERENCE) == push
    assert model.choose(known(early_exit=False), ps.REFERENCE) == push
    assert model.choose(known(), ps.NATIVE) == Beamer().choose(known(), ps.NATIVE)
    assert model.choose(known(), (*ps.NATIVE, push)) == push


def test_a_relay_never_goes_back():
    relay = Relay(Switch(10, 10, "native"), Switch(20, 20, "reference"))
    small, large = known(), known(frontier_size=400)
    assert str(relay.choose(small, ps.EVERY)) == "native push:queue"
    assert str(relay.choose(large, ps.EVERY)) == "reference pull"
    there = ps.REFERENCE[1]
    assert str(relay.choose(known(arm=there, frontier_edges=1), ps.EVERY)) == "reference push"
    assert str(relay.choose(known(arm=there, frontier_edges=1), ps.NATIVE)) == "native push:queue"


@needs_native
def test_a_relay_to_where_it_already_is():
    """Before the first level the search is nowhere: the first switching point counts, whoever is asked."""
    relay = Relay(Switch(1, 1, "reference"), Switch(1e4, 1e4, "native"))
    for policy in (relay, Unflattened(relay)):
        t = bfs(graphs.grid(3, 3), 0, backend="native", selector=policy)
        assert [step.arm.direction for step in t.trace] == ["push", "pull", "pull", "pull", "pull"]


def test_the_oracle_follows_what_was_fastest(backend):
    A = graphs.kronecker(7)
    run = arms_by_level(A, 1, backend=backend, repeats=1)
    best = Oracle(run)
    assert tuple(step.arm for step in run.follow(best)) == run.best
    assert tuple(step.arm for step in bfs(A, 1, backend=backend, selector=best).trace) == run.best
    assert "µs" in best.why(known(level=99))
    with pytest.raises(InvalidValueError, match="run"):
        Oracle(MeasuredRun(run.arms, run.seconds[:0], ()))


def test_what_is_predicted_for_a_graph_is_kept():
    A = graphs.kronecker(7)
    for policy in (Threshold(), Switch(3, 4), switchpoint.shipped(), tree.shipped()):
        assert policy.on(A) is policy.on(A)


def test_without_the_degrees_they_are_taken_to_be_alike():
    for policy in (switchpoint.shipped(), tree.shipped()):
        assert policy.choose(known(), ps.NATIVE) in ps.NATIVE
        assert policy.why(known())


def test_a_switching_point_of_two_engines():
    alone = switchpoint.shipped()
    pair = SwitchPoint(alone.M, alone.N, push="native", pull="reference")
    rule = pair.rule(Figures.of(graphs.kronecker(8).rows))
    assert (rule.first.engine, rule.then.engine) == ("native", "reference")
    assert "native to reference" in repr(pair)


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda: Threshold(-0.1), "share"),
        (lambda: Threshold(float("nan")), "share"),
        (lambda: Switch(0, 1), "M"),
        (lambda: Switch(1, -1), "N"),
        (lambda: Switch(1, float("inf")), "N"),
        (lambda: Relay(Switch(1, 1), Switch(1, 1, "native")), "engines"),
        (lambda: Relay(Switch(1, 1, "native"), Switch(1, 1, "native")), "engines"),
        (lambda: CostModel({}, 0), "alpha"),
        (lambda: CostModel({ps.REFERENCE[0]: 0.0}, 0.5), "reference push"),
        (lambda: SwitchPoint(*[switchpoint.shipped().M] * 2, push="native"), "pull"),
        (lambda: training.costmodel.fit([]), "measured"),
        (lambda: training.switchpoint.fit([]), "measured"),
        (lambda: training.tree.fit([]), "measured"),
    ],
)
def test_bad_parameters_are_named(make, word):
    with pytest.raises(InvalidValueError, match=word):
        make()


@pytest.mark.parametrize("value", ["0.1", None, True])
def test_parameters_are_numbers(value):
    with pytest.raises(InvalidTypeError, match="share"):
        Threshold(value)


def test_a_selector_that_cannot_be_a_key_is_asked_in_python(backend):
    listed = selector.Script(["push", "pull"])
    t = bfs(graphs.path(4), 0, backend=backend, selector=listed)
    assert [step.arm.direction for step in t.trace] == ["push", "pull", "pull", "pull"]


def test_everything_public_has_an_example():
    for name in selector.__all__:
        thing = getattr(selector, name)
        assert inspect.isclass(thing) or inspect.isfunction(thing)
        assert ">>>" in thing.__doc__
