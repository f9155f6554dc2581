"""Hypothesis strategies for policies: parameters good and bad, features of levels, measured searches with set costs."""

import math

import numpy as np
from hypothesis import strategies as st

from lagbfs import bfs
from lagbfs.backends.protocol import Arm, Features, Figures
from lagbfs.backends.protocol.quantities import QUANTITIES
from lagbfs.measure.levels import MeasuredRun
from lagbfs.measure.training.corpus import Measured
from lagbfs.selector import (
    Beamer,
    CostModel,
    DecisionTree,
    Fixed,
    Learned,
    Relay,
    Script,
    Switch,
    SwitchPoint,
    Threshold,
    costmodel,
    regression,
    switchpoint,
    tree,
)
from lagbfs.storage.store import DegreeStats

NATIVE = tuple(
    Arm("native", *way)
    for way in [("push", "queue"), ("push", "scan"), ("push", "edges"), ("pull", "bitmap"), ("pull", "list")]
)
REFERENCE = (Arm("reference", "push"), Arm("reference", "pull"))
EVERY = (*NATIVE, *REFERENCE)
FORMS = ("list", "bitmap", "both")

# Small and round numbers, so that what is compared is often equal.
positive = st.one_of(st.sampled_from([1, 2, 3, 4, 5, 10]), st.floats(0.5, 1e4))
shares = st.one_of(st.sampled_from([0, 0.05, 0.1, 0.2, 0.25, 0.3, 1 / 3, 0.5, 0.7, 1]), st.floats(0, 1))


@st.composite
def features(draw, arms=NATIVE, most=None):
    """Return what might be known before a level of a graph of at most so many vertices, after one by one of `arms`."""
    most = most or draw(st.sampled_from([20, 10**6]))
    n, m = draw(st.integers(1, most)), draw(st.integers(0, 4 * most))
    frontier = draw(st.integers(1, n))
    edges = draw(st.integers(0, m))
    arm = draw(st.sampled_from([None, *arms]))
    return Features(
        n=n,
        m=m,
        barren=draw(st.integers(0, n)),
        frontier_size=frontier,
        frontier_edges=edges,
        unvisited_size=draw(st.integers(0, n - frontier)),
        unvisited_edges=draw(st.integers(0, m - edges)),
        level=0 if arm is None else draw(st.integers(1, 50)),
        previous_size=0 if arm is None else draw(st.integers(1, n)),
        arm=arm,
        form=draw(st.sampled_from(FORMS)),
        novelty=1.0 if arm is None else draw(st.floats(0.05, 1)),
    )


def kernel_features(f, kernels=None):
    """Return features as the kernels, of the build in use or another, take them."""
    from lagbfs.backends.native.loading import features_to

    ours = features_to(f)
    return ours if kernels is None else kernels.Features(**{name: getattr(ours, name) for name in kernels.FEATURES})


@st.composite
def learned(draw, arms):
    """Return a learned selector that nobody has trained; some of its arms may cost the same."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))

    def row():
        prices = 10 ** rng.uniform(-3, 6, len(QUANTITIES)) * rng.integers(0, 2, len(QUANTITIES))
        return tuple(prices.tolist())

    rows = [row() for _ in range(draw(st.integers(1, 4)))]
    known = [arm for arm in arms if rng.random() < 0.9] or arms[:1]
    engines = list(dict.fromkeys(arm.backend for arm in arms))
    pairs = [(a, b) for a in engines for b in engines if a != b and rng.random() < 0.8]
    costs = {arm: rows[rng.integers(len(rows))] for arm in known}
    alone = {arm: rows[rng.integers(len(rows))] for arm in known if rng.random() < 0.8}
    moves, cache, ahead = {pair: row() for pair in pairs}, float(2 ** rng.uniform(0, 40)), draw(st.integers(0, 6))
    return Learned(costs, moves, cache, ahead, alone=alone, threads=draw(st.integers(1, 8)))


@st.composite
def degree_stats(draw):
    five = sorted(draw(st.lists(st.floats(0, 1e5), min_size=5, max_size=5)))
    return DegreeStats(*five, draw(st.floats(five[0], five[-1])), draw(st.floats(0, 1e5)))


def graphs_like(known):
    """Figures of graphs with the size among some features."""
    return st.builds(Figures, st.just(known.n), st.just(known.m), degree_stats(), degree_stats())


@st.composite
def trees(draw, arms=NATIVE):
    """Return a decision tree that nobody has trained."""
    nodes = []

    def add(depth):
        at = len(nodes)
        nodes.append((draw(st.integers(0, len(arms) - 1)),))
        if depth and draw(st.booleans()):
            feature = draw(st.integers(0, len(tree.FEATURES) - 1))
            share = tree.FEATURES[feature].endswith("share")
            counts = st.one_of(st.integers(0, 20), st.floats(-1, 100), st.floats(-1, 1e7))
            threshold = draw(st.one_of(shares, st.floats(-0.5, 1.5)) if share else counts)
            nodes[at] = (feature, threshold, add(depth - 1), add(depth - 1))
        return at

    add(5)
    return DecisionTree(tuple(nodes), tuple(arms))


@st.composite
def regressions(draw):
    size = len(switchpoint.FEATURES)
    low = np.array(draw(st.lists(st.floats(0, 20), min_size=size, max_size=size)))
    width = np.array(draw(st.lists(st.floats(0, 20), min_size=size, max_size=size)))
    support = np.random.default_rng(draw(st.integers(0, 2**32))).random((draw(st.integers(0, 5)), size))
    weights = np.array(draw(st.lists(st.floats(-50, 50), min_size=len(support), max_size=len(support))))
    return regression.Regression(low, low + width, support, weights, draw(st.floats(0, 5)), draw(st.floats(-200, 200)))


def cost_models(arms=NATIVE):
    speeds = st.dictionaries(st.sampled_from(arms), st.floats(1, 1e12))
    return st.builds(CostModel, speeds, st.floats(1e-6, 1))


def relays(first, then):
    return st.builds(
        Relay,
        st.builds(Switch, positive, positive, st.just(first)),
        st.builds(Switch, positive, positive, st.just(then)),
    )


def policies(arms):
    """Any policy of the library, with any parameters; those that insist on an arm have one of `arms`."""
    names = st.sampled_from([str(arm) for arm in arms])
    rules = [
        st.builds(Beamer, positive, positive),
        st.builds(Fixed, names),
        st.builds(Script, st.lists(names, min_size=1, max_size=5).map(tuple)),
        st.builds(Threshold, shares),
        st.builds(Switch, positive, positive),
        cost_models(EVERY),
        trees(EVERY),
        relays("native", "reference"),
        relays("reference", "native"),
        st.builds(SwitchPoint, regressions(), regressions()),
        st.sampled_from([costmodel.shipped(), switchpoint.shipped(), tree.shipped()]),
    ]
    return st.one_of(rules)


def measured(name, A, source, arms=REFERENCE, cost=None):
    """Return a measured search whose seconds are set: by level and arm, `cost(step, arm)`."""
    cost = cost or edges_over_speed
    trace = bfs(A, source, backend="reference", selector="push").trace
    steps = tuple(step._replace(arm=arms[0], seconds=cost(step, arms[0])) for step in trace)
    by_form = {(s.level, arm, "list"): cost(s, arm) for s in steps for arm in arms}
    seconds = np.array([[cost(step, arm) for arm in arms] for step in steps])
    run = MeasuredRun(tuple(arms), seconds, steps, A.nrows, A.nvals, by_form)
    return Measured(name, source, A.degree_stats, A.T.degree_stats, run)


def edges_over_speed(step, arm):
    """A push pays for its edges; a pull for the unvisited, and the less of their edges the more are in the frontier."""
    if arm.direction == "push":
        return 1e-7 + 2e-9 * step.frontier_edges
    probes = 1 + step.unvisited_edges / (1 + step.frontier_edges)
    return 1e-6 + 1e-9 * step.unvisited_size * min(probes, math.sqrt(1 + step.unvisited_edges))
