"""What selectors lose on measured searches, one search after another: replays, intervals, kinds of graphs, bounds."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from lagbfs import Matrix, graphs, plot
from lagbfs.backends.protocol import Arm, Step
from lagbfs.cli import selector_tables
from lagbfs.measure.levels import MeasuredRun, tabulate
from lagbfs.measure.replay import Ways, replay
from lagbfs.measure.training import corpus, regret
from lagbfs.selector import Learned, Learning, Script, models

PUSH, PULL = Arm("native", "push", "queue"), Arm("native", "pull", "bitmap")
LEVELS = 4


def made_up(push, pull, threads=1, spread=0.0):
    """Return a search of which both arms take so many seconds at each level."""
    steps = tuple(Step(i, 10**4, 10**5, 10**6 - i * 10**4, 10**7 - i * 10**5, PUSH, 0.0) for i in range(LEVELS))
    by_form = {
        (i, arm, form): t
        for i, (arm, t), form in product(range(LEVELS), [(PUSH, push), (PULL, pull)], ["list", "bitmap", "both"])
    }
    samples = {key: (t * (1 - spread), t, t * (1 + spread)) for key, t in by_form.items()}
    table = tabulate(by_form, (PUSH, PULL), LEVELS)
    return MeasuredRun((PUSH, PULL), table, steps, 10**6, 10**7, by_form, threads=threads, samples=samples)


@pytest.fixture(scope="module")
def measured():
    makers = {"grid": lambda: graphs.grid(4, 5), "web": lambda: graphs.rmat(5, directed=True)}
    return corpus.measure(makers, sources=2, backend="reference", repeats=3)


def test_the_best_ways_on_one_number_of_threads_are_the_best_arms(measured):
    for search in measured:
        ways = Ways([search.run])
        assert ways.fastest == pytest.approx(search.run.fastest)
        assert ways.taken(ways.best) == pytest.approx(ways.fastest)
        by_arm = Script(tuple(str(arm) for arm, _ in ways.best))
        assert sum(step.seconds for step in search.run.follow(by_arm)) == pytest.approx(ways.fastest)


def test_each_level_may_have_another_number_of_threads():
    one, two = made_up(1.0, 5.0), made_up(2.0, 0.5, threads=2)
    ways = Ways([one, two])
    assert ways.threads == 2
    assert ways.best == ((PULL, 2),) * LEVELS
    assert ways.fastest == 0.5 * LEVELS
    mixed = [(PUSH, 1), (PULL, 2), (PUSH, 2), (PULL, 1)]
    assert ways.taken(mixed) == 1.0 + 0.5 + 2.0 + 5.0


def test_half_of_the_samples_are_every_other():
    run = made_up(1.0, 1.0)
    some = {(0, PUSH, "list"): (1.0, 8.0, 3.0, 10.0), (1, PUSH, "list"): (7.0,)}
    run = replace(run, samples={**run.samples, **some})
    assert [run.half(0).by_form[key] for key in some] == [2.0, 7.0]
    assert [run.half(1).by_form[key] for key in some] == [9.0, 7.0]
    assert run.half(1).seconds[1, 0] == 1.0  # from the form that suits it


def test_noise_is_what_the_best_lose_by_chance():
    assert Ways([made_up(1.0, 2.0)]).noise == 1.0
    noisy = made_up(1.0, 2.0)
    lucky = {**noisy.samples, **{(i, PULL, f): (0.5, 3.0, 0.5, 3.0) for i in range(LEVELS) for f in ("list", "both")}}
    assert Ways([replace(noisy, samples=lucky)]).noise > 1.2


def model(push, pull):
    """Return a model of two arms by nanoseconds of a level alone."""
    return Learned({PUSH: (push, *[0.0] * 17), PULL: (pull, *[0.0] * 17)})


def test_what_the_model_has_wrong_is_learnt():
    searches = [Ways([made_up(5e-3, 1e-3, spread=0.05)])]
    wrong = Learning.knowing_nothing(model(1e6, 2e6), 10**7)
    ratios = [taken / least for taken, least in replay(wrong, searches, 20)]
    assert ratios[0] > 1.5
    assert ratios[-1] == 1.0
    assert wrong.experience.searches == 20


def test_levels_that_are_over_soon_are_decided_for_once_in_eight(monkeypatch):
    asked = []
    decide = Learning.decide
    monkeypatch.setattr(Learning, "decide", lambda *given: asked.append(1) or decide(*given))
    decided = []
    for seconds in (5e-6, 5e-3):
        asked.clear()
        taught = Learning.knowing_nothing(model(1e9 * seconds, 2e9 * seconds), 10**7)
        [*replay(taught, [Ways([made_up(seconds, 2 * seconds)])], 200)]
        decided.append(len(asked))
    assert 200 <= decided[1] < 250  # once in each search, whose levels are alike
    assert LEVELS * 200 / 8 <= decided[0] < 0.6 * decided[1]  # of eight levels, whichever search they are of


def test_a_right_model_loses_nothing_but_what_may_be_tried():
    searches = [Ways([made_up(5e-3, 1e-3)])]
    right = Learning.knowing_nothing(model(5e6, 1e6), 10**7)
    ratios = [taken / least for taken, least in replay(right, searches, 50)]
    assert ratios[:3] == [1.0] * 3
    assert sum(ratios) <= 50 * 1.01 + 1


def test_what_knows_nothing_teaches_nothing():
    from lagbfs.selector import elsewhere

    before = elsewhere._seen()
    taught = Learning.knowing_nothing(models.shipped(), 10**7)
    [*replay(taught, [Ways([made_up(1.0, 1.0)])], 3)]
    assert elsewhere._seen() == before


def test_a_model_is_made_wrong_by_one_factor_for_each_arm():
    right = replace(model(5.0, 1.0), alone={PUSH: (7.0, *[0.0] * 17)})
    wrong = regret._made_wrong(right, np.random.default_rng(1))
    factors = {arm: wrong.arms[arm][0] / right.arms[arm][0] for arm in right.arms}
    assert all(1 / regret.OFF <= factor <= regret.OFF for factor in factors.values())
    assert len(set(factors.values())) == 2
    assert wrong.alone[PUSH][0] == pytest.approx(7 * factors[PUSH])


def test_every_policy_is_compared(measured):
    compared = regret.compare([search for search in measured if search.graph == "grid"])
    assert [*compared.losses] == [*regret.POLICIES]
    for loss in compared.losses.values():
        assert loss.ratio >= 1 - 1e-9
        assert loss.on_all_threads == pytest.approx(loss.ratio)  # the reference engine has one number of threads
    for curve in compared.curves.values():
        assert curve.shape == (100,)
        np.testing.assert_allclose(curve, curve[0])  # too small to learn from
    assert compared.noise >= 1


def loss(*ratios):
    return regret.Loss(np.array(ratios), np.ones(len(ratios)), np.ones(len(ratios)))


def test_intervals_cover_the_mean_and_widen_with_what_differs():
    low, high = regret.interval([loss(1.0, 1.2), loss(1.5, 1.7), loss(2.0, 2.2)])
    assert low < np.exp(np.mean(np.log([1.1, 1.6, 2.1]))) < high
    assert regret.interval([loss(1.5, 1.5), loss(1.5, 1.5)]) == pytest.approx((1.5, 1.5))
    alone = regret.interval([loss(1.0, 2.0)])
    assert alone == (1.0, 2.0)


@pytest.mark.parametrize(
    ("kind", "make"),
    [
        ("deep", lambda: graphs.path(200)),
        ("narrow", lambda: Matrix.from_edges(range(0, 60, 2), range(1, 60, 2))),
        ("hubs", lambda: graphs.star(80)),
        ("even", lambda: graphs.grid(5, 5)),
    ],
)
def test_kinds_of_graphs(kind, make):
    assert regret.kind(corpus.measure({kind: make}, sources=3, backend="reference", repeats=1)) == kind


def test_levels_are_measured_on_each_number_of_threads(backend):
    numbers = corpus.shares(backend, 2)
    found = corpus.measure({"grid": lambda: graphs.grid(4, 4)}, sources=2, backend=backend, repeats=1, threads=numbers)
    assert [search.run.threads for search in found] == numbers * 2
    assert numbers in ([1, 2], [2])


def test_measuring_a_graph_ends_in_time():
    grid = {"grid": lambda: graphs.grid(4, 4)}
    assert len(corpus.measure(grid, sources=9, backend="reference", repeats=1, seconds=0)) == 2


def test_what_loses_too_much_is_bounded():
    hopeless = regret.Compared(
        {policy: loss(9000.0 if policy == "pull" else 1.0) for policy in regret.POLICIES}, {}, 1.0, "deep"
    )
    assert selector_tables._mean_said([1.0, 9000.0]) == "> 7.071"
    assert selector_tables._bounded(hopeless.losses["pull"].ratio) == "> 50"
    from lagbfs.cli import selectors

    assert "pull" not in selectors._worth_timing(hopeless)
    assert "learned" in selectors._worth_timing(hopeless)


def test_regret_is_drawn_for_every_selector_that_learns():
    curves = {"a": {"learned": np.full(100, 1.5), "off by 2": np.full(100, 2.0)}, "b": {"learned": np.full(100, 1.0)}}
    lines = plot.regret(curves).axes[0].get_lines()
    assert [line.get_ydata()[0] for line in lines] == pytest.approx([1.5**0.5, 1.5, 2.0, 2.0])
    assert plot.regret({}).axes[0].texts
