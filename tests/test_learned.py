"""The learned selector: its quantities, what it chooses in Python and in the kernels, and that it is never wrong."""

import importlib
import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import policies as ps
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import Matrix, Vector, backends, bfs, graphs, semiring, using
from lagbfs.backends.protocol import Arm, Features, features_before
from lagbfs.backends.protocol.quantities import QUANTITIES, expected_next, quantities
from lagbfs.errors import InvalidValueError
from lagbfs.selector import Beamer, Learned, context, models

INFO = {info.name: info for info in backends.available()}["native"]
needs_native = pytest.mark.skipif(not INFO.runs, reason=f"native cannot run here: {INFO.reason}")
HUGE = 2**50
SIZE = len(QUANTITIES)


def row(**prices):
    """Return the coefficients of an arm that pays for these quantities alone."""
    assert prices.keys() <= QUANTITIES.keys()
    return tuple(float(prices.get(name, 0)) for name in QUANTITIES)


def named(f, cache=2.0**20):
    return dict(zip(QUANTITIES, quantities(f, cache), strict=True))


any_features = st.builds(
    lambda f, stops: replace(f, early_exit=stops), st.one_of(ps.features(), ps.features(most=HUGE)), st.booleans()
)
NOTHING = Features(n=0, m=0, frontier_size=0, frontier_edges=0, unvisited_size=0, unvisited_edges=0)


@needs_native
@pytest.mark.parametrize("name", ["_kernels", "_kernels_avx2"])
@sts.examples(3)
@given(st.one_of(st.just(NOTHING), ps.features(), ps.features(most=HUGE)), st.floats(1, HUGE))
def test_quantities_are_those_of_the_kernels_to_the_last_bit(name, features, cache):
    plain = importlib.import_module("lagbfs.backends.native._kernels")
    if name != "_kernels" and not plain.has_avx2():
        pytest.skip("needs a processor with AVX2, BMI and POPCNT")
    kernels = importlib.import_module(f"lagbfs.backends.native.{name}")
    assert tuple(QUANTITIES) == kernels.QUANTITIES
    assert tuple(kernels.quantities(ps.kernel_features(features, kernels), cache)) == quantities(features, cache)


@sts.examples(3)
@given(any_features, st.floats(1, HUGE))
def test_quantities_are_finite_and_within_the_graph(features, cache):
    q = named(features, cache)
    assert all(0 <= amount < math.inf for amount in q.values())
    assert q["doubt"] <= q["found"] <= q["looked"] <= features.unvisited_size
    assert q["probes"] <= q["left"] * (1 + 1e-12)
    assert q["pushes"] + q["crowd"] == features.frontier_edges
    assert (q["to_map"] > 0) == (features.form == "list")
    assert (q["to_list"] > 0) == (features.form == "bitmap")
    for name in ("frontier", "pushes", "probes", "found"):
        assert q[f"far_{name}"] <= q[name] + q.get("crowd" if name == "pushes" else "", 0)


@given(any_features)
def test_more_edges_of_the_frontier_find_more_with_fewer_probes(features):
    more = named(replace(features, frontier_edges=2 * features.frontier_edges + 1))
    less = named(features)
    assert more["found"] >= less["found"] * (1 - 1e-12)
    assert more["probes"] <= less["probes"] * (1 + 1e-12)


@given(any_features, st.floats(1, HUGE))
def test_a_larger_cache_leaves_less_far(features, cache):
    near, far = named(features, 2 * cache), named(features, cache)
    assert all(near[name] <= far[name] for name in QUANTITIES)


@given(any_features, st.integers(1, 70))
def test_the_levels_to_come_use_up_what_is_unvisited(features, ahead):
    f = features
    for _ in range(ahead):
        following = expected_next(f, quantities(f, 2.0**20))
        sizes = [following.frontier_size, following.frontier_edges, following.unvisited_size, following.unvisited_edges]
        assert all(0 <= size < math.inf for size in sizes)
        assert following.frontier_size + following.unvisited_size == pytest.approx(f.unvisited_size)
        assert following.frontier_edges + following.unvisited_edges == pytest.approx(f.unvisited_edges)
        assert (following.level, following.previous_size) == (f.level + 1, f.frontier_size)
        f = following


@given(any_features, st.integers(0, HUGE), st.integers(0, HUGE))
def test_novelty_is_a_share_that_grows_with_what_was_found(features, one, two):
    less, more = sorted([one, two])
    assert 0.05 <= features.novelty_after(less) <= features.novelty_after(more) <= 1


def test_novelty_is_one_if_edges_lead_anywhere_alike():
    A = graphs.uniform(12, 8)
    trace = bfs(A, 1, backend="reference", selector="push").trace
    found = [features_before(b, a, A.nrows, A.nvals, A.barren).novelty for a, b in pairwise(trace)]
    assert min(found[:3]) > 0.8
    grid = bfs(graphs.grid(40, 40), 0, backend="reference", selector="push").trace
    assert features_before(grid[20], grid[19], 1600, 6240).novelty < 0.7


ORDERS = {"native": ps.NATIVE, "push": ps.NATIVE[:3], "back": ps.NATIVE[::-1], "two": ps.EVERY}
ORDERS["other first"] = (*ps.REFERENCE, *ps.NATIVE)


@needs_native
@pytest.mark.parametrize("arms", ORDERS.values(), ids=ORDERS)
@sts.examples(3)
@given(data=st.data())
def test_kernels_and_python_choose_alike(arms, data):
    from lagbfs.backends.native.policy import compiled

    own = [arm for arm in arms if arm.backend == "native"]
    features, model = data.draw(ps.features(own)), data.draw(ps.learned(arms))
    chosen = model.choose(features, arms)
    found = compiled(model, tuple(arms)).choose(ps.kernel_features(features))
    expected = ps.NATIVE.index(chosen) if chosen.backend == "native" else -1
    # The kernels run where the state is: to them, another engine's first level is a move away.
    assert found == expected or (features.arm is None and expected < 0)


@needs_native
def test_of_equals_the_first_is_chosen_where_the_search_is():
    from lagbfs.backends.native.policy import compiled

    begun = Features(
        n=99, m=999, frontier_size=9, frontier_edges=399, unvisited_size=50, unvisited_edges=500, arm=ps.NATIVE[0]
    )
    alike = Learned(dict.fromkeys(ps.EVERY, row(level=1, probes=0.5)))
    for arms in ORDERS.values():
        own = [arm for arm in arms if arm in ps.NATIVE] or arms
        for f, expected in ((begun, own[0]), (replace(begun, arm=None), arms[0])):
            assert alike.choose(f, arms) == expected
            number = compiled(alike, tuple(arms)).choose(ps.kernel_features(f))
            assert number == (ps.NATIVE.index(expected) if expected in ps.NATIVE else -1)


@needs_native
@pytest.mark.parametrize("direction", ["auto", "push", "pull"])
@sts.examples(0.5)
@given(graph=st.one_of(sts.graphs(), sts.large_graphs()), data=st.data())
def test_a_search_takes_the_arms_that_its_levels_are_answered_with(direction, graph, data):
    """What the kernels chose inside a search is what Python chooses from the record of it."""
    A, model = graph.matrix(), data.draw(ps.learned(ps.NATIVE))
    source = data.draw(st.integers(0, graph.n - 1))
    with using(backend="native", direction=direction):
        t, arms = bfs(A, source, selector=model), context.current().arms()
    before = [None, *t.trace[:-1]]
    sizes = A.nrows, A.nvals, A.barren
    asked = [features_before(step, last, *sizes) for step, last in zip(t.trace, before, strict=True)]
    assert [step.arm for step in t.trace] == [model.choose(features, arms) for features in asked]


@needs_native
def test_the_shipped_model_chooses_alike_within_a_search_and_after_it():
    model = models.shipped()
    for A in (graphs.kronecker(11), graphs.grid(30, 40), graphs.uniform(9, 4), graphs.rmat(9, 8, directed=True)):
        for source in np.flatnonzero(A.degrees)[:: A.nrows // 8].tolist():
            trace = bfs(A, source, backend="native", selector=model).trace
            asked = zip(trace, [None, *trace[:-1]], strict=True)
            chosen = [model.choose(features_before(*pair, A.nrows, A.nvals, A.barren), ps.NATIVE) for pair in asked]
            assert [step.arm for step in trace] == chosen


@pytest.mark.parametrize("engines", [["native"], ["native", "reference"], ["reference", "native"], ["suitesparse"]])
@sts.examples(0.7)
@given(graph=sts.graphs(), data=st.data())
def test_no_model_makes_a_search_wrong(engines, graph, data):
    for name in engines:
        if not backends.registry.is_running(name):
            pytest.skip(f"{name} cannot run here")
    arms = [arm for name in engines for arm in backends.get(name).arms]
    model, A = data.draw(ps.learned(arms)), graph.matrix()
    t = bfs(
        A, data.draw(st.integers(0, graph.n - 1)), backend=engines, selector=model, parents=data.draw(st.booleans())
    )
    t.verify()
    assert t.explain()


@needs_native
@pytest.mark.parametrize("engines", [("native", "reference"), ("reference", "native")])
def test_a_level_that_an_engine_was_chosen_for_is_run_there(engines):
    """The engine has the frontier in both forms as soon as it takes over, and might send it back for that: forever."""
    model = Learned(
        {ps.NATIVE[0]: row(level=50), ps.REFERENCE[0]: row(to_map=1)},
        ahead=0,
    )
    t = bfs(graphs.star(300), 0, backend=engines, selector=model)
    assert [step.arm for step in t.trace] == [ps.REFERENCE[0], ps.NATIVE[0]]
    t.verify()


def test_arms_that_are_not_in_the_model_are_not_chosen():
    f = Features(n=99, m=999, frontier_size=9, frontier_edges=99, unvisited_size=50, unvisited_edges=500)
    model = Learned({ps.REFERENCE[1]: row(level=1e12)})
    assert model.choose(f, ps.EVERY) == ps.REFERENCE[1]
    assert model.predict(f, ps.EVERY) == {ps.REFERENCE[1]: pytest.approx(1000.0)}
    for features in (f, replace(f, frontier_edges=0)):
        assert model.choose(features, ps.NATIVE) == Beamer().choose(features, ps.NATIVE)
    assert model.costs(f, ps.NATIVE) == {}


def test_costs_are_the_level_the_move_and_the_levels_to_come():
    f = Features(n=640, m=6400, frontier_size=10, frontier_edges=10, unvisited_size=630, unvisited_edges=6300)
    here, there = Arm("here", "push"), Arm("there", "push")
    model = Learned(
        {here: row(pushes=2), there: row(level=3)},
        {("here", "there"): row(words=5), ("there", "here"): row(level=99)},
        ahead=2,
    )
    at = replace(f, arm=here)
    following = expected_next(f, quantities(f, model.cache))
    last = expected_next(following, quantities(following, model.cache))
    edges = [named(g)["pushes"] for g in (f, following, last)]
    assert model.costs(at, [here, there]) == pytest.approx({here: 2 * sum(edges), there: 3 * 3 + 5 * 10})
    assert model.costs(f, [here, there])[there] == pytest.approx(3 * 3)  # a search that has not begun is nowhere yet
    assert model.costs(at, [here]) == pytest.approx({here: 2 * edges[0]})  # nowhere to go: no need to look ahead
    assert replace(model, ahead=0).costs(at, [here, there]) == pytest.approx({here: 20, there: 3 + 50})


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda: Learned({ps.NATIVE[0]: (1.0,)}), "native push:queue"),
        (lambda: Learned({ps.NATIVE[0]: row(level=-1)}), "native push:queue"),
        (lambda: Learned({ps.NATIVE[0]: row(level=math.nan)}), "native push:queue"),
        (lambda: Learned({ps.NATIVE[0]: row(level=math.inf)}), "native push:queue"),
        (lambda: Learned({}, {("native", "reference"): row(level=-1)}), "native > reference"),
        (lambda: Learned({}, {("native", "native"): row(level=1)}), "native > native"),
        (lambda: Learned({}, cache=0), "cache"),
        (lambda: Learned({}, cache=math.nan), "cache"),
        (lambda: Learned({}, ahead=-1), "ahead"),
        (lambda: Learned({}, ahead=65), "ahead"),
    ],
)
def test_bad_parameters_are_named(make, word):
    with pytest.raises(InvalidValueError, match=word):
        make()


PRODUCTS = {
    "shortest paths": ("min_plus", False),
    "PageRank": ("plus_first", False),
    "search": ("any_pair", True),
    "deterministic parents": ("min_secondi", False),
}


class Seen:
    """Passes questions on to a model, and keeps them."""

    def __init__(self, model):
        self.model, self.asked = model, []

    def choose(self, features, arms):
        arm = self.model.choose(features, arms)
        self.asked.append((features, arm))
        return arm


@pytest.mark.parametrize(("ring", "stops"), PRODUCTS.values(), ids=PRODUCTS)
def test_products_outside_searches_ask_the_model(backend, ring, stops):
    rng = np.random.default_rng(1)
    A = Matrix.from_edges(*rng.integers(0, 300, (2, 3000)), weights=rng.integers(1, 9, 3000), n=300)
    few = Vector.from_coo([3, 4], [1.0, 2.0], size=300)
    every = Vector.from_dense(np.arange(300.0))
    one, other = (next(a for a in backends.get(backend).arms if a.direction == d) for d in ("push", "pull"))
    model = Seen(Learned({one: row(pushes=1, crowd=1), other: row(looked=1, probes=1)}))
    for vector in (few, every):
        for mask in (None, few.S, ~few.S, every.S):
            product = getattr(semiring, ring)
            with using(backend=backend, selector=model):
                found = product(vector @ A).new(mask=mask)
            with using(backend="reference", direction="push"):
                assert found.isequal(product(vector @ A).new(mask=mask))
    arms = {features.frontier_size: arm.direction for features, arm in model.asked if features.unvisited_size == 298}
    assert arms == {2: "push", 300: "pull" if stops else "push"}
    assert {features.early_exit for features, _ in model.asked} == {stops}


@given(graph=sts.graphs(), data=st.data())
def test_no_model_makes_a_product_wrong(backend, graph, data):
    model, A = data.draw(ps.learned(backends.get(backend).arms)), graph.matrix()
    vector = data.draw(sts.vectors(graph.n, np.int64, small=True))
    with using(backend=backend, selector=model):
        found = semiring.min_first(vector @ A).new()
    with using(backend="reference", direction="push"):
        assert found.isequal(semiring.min_first(vector @ A).new())


def test_a_model_says_what_a_level_is_paid_for():
    f = Features(n=99, m=999, frontier_size=9, frontier_edges=99, unvisited_size=50, unvisited_edges=500)
    model = models.shipped()
    assert model.why(f).startswith("push scans 99 edges; pull looks at 50 vertices,")
    assert f"{len(model.arms)} arms" in repr(model)
