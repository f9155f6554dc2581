"""Measured searches: every arm timed at every level, without changing the search."""

from itertools import product

import models
import numpy as np
import pytest
import strategies as sts
from hypothesis import given, settings
from hypothesis import strategies as st

from lagbfs import Matrix, backends, bfs, graphs, using
from lagbfs.backends.protocol import Arm, Step
from lagbfs.measure.levels import MeasuredRun, arms_by_level, tabulate
from lagbfs.selector import Beamer, Oracle, Script, Threshold


@settings(max_examples=15)
@given(sts.graphs(), st.data())
def test_the_levels_measured_are_those_of_the_search(backend, graph, data):
    source = data.draw(st.integers(0, graph.n - 1))
    A = graph.matrix()
    run = arms_by_level(A, source, backend=backend, repeats=1)
    assert [step[:5] for step in run.steps] == [step[:5] for step in bfs(A, source, backend=backend).trace]
    levels = models.levels(graph.successors(), [source])
    assert [step.frontier_size for step in run.steps] == [levels.count(d) for d in range(max(levels) + 1)]


def test_every_arm_is_timed_at_every_level(backend):
    A = graphs.grid(6, 7)
    run = arms_by_level(A, 0, backend=backend, repeats=3)
    assert run.arms == backends.get(backend).arms
    assert run.seconds.shape == (12, len(run.arms))
    assert {(level, arm) for level, arm, _ in run.by_form} == {(i, arm) for i in range(12) for arm in run.arms}
    assert {(level, arm) for level, arm in run.form_after} == {(i, arm) for i in range(11) for arm in run.arms}
    assert (run.seconds > 0).all()
    for (level, arm, _), seconds in run.by_form.items():
        assert run.seconds[level, run.arms.index(arm)] <= seconds


@pytest.mark.slow
def test_of_deep_searches_most_arms_are_timed_at_some_levels(backend):
    run = arms_by_level(graphs.path(200), 0, backend=backend, repeats=1)
    assert run.seconds.shape == (200, len(run.arms))
    timed = {arm: sorted({level for level, a, _ in run.by_form if a == arm}) for arm in run.arms}
    first, *others = run.arms
    assert timed[first] == list(range(200))
    for arm in others:
        assert len(timed[arm]) <= 64 or arm.variant == "block"  # whose runs are of many levels
        assert timed[arm][0] == 0
        assert timed[arm][-1] == 199
        assert np.diff(timed[arm]).max() <= 7
        column = run.seconds[:, run.arms.index(arm)]
        known = column[timed[arm]]
        np.testing.assert_allclose(column, np.interp(range(200), timed[arm], known))
        assert (known > 0).all()


@pytest.mark.slow
def test_of_deep_searches_the_largest_levels_are_timed(backend):
    path, fan = np.arange(150), np.full(40, 99)
    A = Matrix.from_edges([*path, *fan], [*path + 1, *range(151, 191)], directed=False)
    run = arms_by_level(A, 0, backend=backend, repeats=1)
    assert len(run.steps) > 100
    for arm in run.arms:
        assert max(run.steps, key=lambda step: step.frontier_edges).level in {i for i, a, _ in run.by_form if a == arm}


def test_levels_not_timed_are_interpolated():
    arm = Arm("x", "push")
    by_form = {(3, arm, "list"): 9.0, (0, arm, "list"): 5.0, (0, arm, "bitmap"): 3.0, (2, arm, "both"): 7.0}
    assert tabulate(by_form, [arm], 5)[:, 0].tolist() == [3, 5, 7, 9, 9]
    assert tabulate({}, [arm], 0).shape == (0, 1)


def test_the_chosen_arm_is_the_selectors(backend):
    class Alternating:
        def choose(self, features, arms):
            return arms[-1] if features.level % 2 else arms[0]

    A = graphs.grid(4, 4)
    run = arms_by_level(A, 0, backend=backend, selector=Alternating(), repeats=1)
    arms = backends.get(backend).arms
    assert run.chosen == tuple(arms[-1] if level % 2 else arms[0] for level in range(7))
    assert run.steps == run.follow(Alternating())
    for step in run.steps:
        least = run.seconds[step.level, run.arms.index(step.arm)]
        assert step.seconds == run.by_form.get((step.level, step.arm, step.form), least) >= least


def test_the_arms_of_several_engines_are_measured_together():
    names = [info.name for info in backends.available() if info.runs]
    run = arms_by_level(graphs.grid(4, 4), 0, backend=[*names, names[0]], repeats=1)
    assert run.arms == tuple(arm for name in names for arm in backends.get(name).arms)
    assert run.seconds.shape == (7, len(run.arms))
    assert run.moves.keys() == {(a, b) for a in names for b in names if a != b}
    assert all(seconds > 0 for seconds in run.moves.values())
    for name in names:
        alone = run.of(name)
        assert alone.arms == backends.get(name).arms
        assert alone.moves == {}
        assert run.fastest <= alone.fastest * (1 + 1e-12)


@pytest.mark.parametrize("direction", ["push", "pull"])
def test_the_arms_of_one_direction_of_several_engines(direction):
    names = [info.name for info in backends.available() if info.runs]
    with using(direction=direction):
        run = arms_by_level(graphs.grid(3, 3), 0, backend=names, repeats=1)
    assert {arm.direction for arm in run.arms} == {direction}
    assert len(run.moves) == len(names) * (len(names) - 1)


ARMS = (Arm("x", "push"), Arm("x", "pull"), Arm("y", "push"), Arm("y", "pull"))
FORMS = ("list", "bitmap", "both")


@st.composite
def runs(draw):
    """Return a measured search that nobody has made."""
    arms = draw(st.lists(st.sampled_from(ARMS), min_size=1, max_size=3, unique=True))
    levels = draw(st.integers(1, 4))
    times = st.sampled_from([0.0, 0.25, 0.5, 1.0, 2.0, 5.0])  # sums of these are exact
    keys = [(level, arm, form) for level in range(levels) for arm in arms for form in FORMS]
    by_form = {key: draw(times) for key in keys if key[2] == "list" or draw(st.booleans())}
    after = {key[:2]: draw(st.sampled_from(FORMS)) for key in keys if draw(st.booleans())}
    moves = {(a, b): draw(times) for a, b in [("x", "y"), ("y", "x")] if draw(st.booleans())}
    steps = tuple(Step(i, i + 1, 3, 9 - i, 5, arms[0], 0.0) for i in range(levels))
    return MeasuredRun(tuple(arms), tabulate(by_form, arms, levels), steps, 20, 40, by_form, after, moves)


def total(steps):
    return sum(step.seconds for step in steps)


@pytest.mark.slow
@sts.examples(3)
@given(runs())
def test_the_fastest_way_is_the_least_of_all(run):
    ways = [Script(tuple(map(str, way))) for way in product(run.arms, repeat=len(run.steps))]
    assert run.fastest == min(total(run.follow(way)) for way in ways)
    assert total(run.follow(Script(tuple(map(str, run.best))))) == run.fastest
    assert total(run.follow(Oracle(run))) == run.fastest
    for policy in (Beamer(), Threshold(), Script(("push",)) if ARMS[0] in run.arms else Beamer(2, 3)):
        assert total(run.follow(policy)) >= run.fastest


def test_no_policy_is_faster_than_the_fastest_way(backend):
    run = arms_by_level(graphs.kronecker(9), 1, backend=backend, repeats=1)
    assert total(run.follow(Oracle(run))) == pytest.approx(run.fastest, rel=1e-12)
    for policy in (Beamer(), Threshold(), Script(("push", "pull")), Script(("pull",))):
        assert total(run.follow(policy)) >= run.fastest * (1 - 1e-12)
    assert run.regret >= 1 - 1e-12


def test_moves_and_changes_of_form_count():
    push, pull, other = Arm("x", "push"), Arm("x", "pull"), Arm("y", "push")
    steps = tuple(Step(i, 1, 1, 1, 1, push, 0.0) for i in range(2))
    by_form = {(0, push, "list"): 1.0, (0, pull, "list"): 9.0, (0, other, "list"): 9.0}
    by_form |= {(1, push, "list"): 8.0, (1, pull, "list"): 5.0, (1, pull, "bitmap"): 1.0, (1, other, "both"): 2.0}
    by_form |= {(1, other, "list"): 7.0}
    arms = (push, pull, other)
    run = MeasuredRun(arms, tabulate(by_form, arms, 2), steps, 9, 9, by_form, {(0, push): "list"}, {("x", "y"): 2.5})
    assert run.best == (push, other)
    assert run.fastest == 1 + 2 + 2.5
    assert [(s.form, s.seconds) for s in run.follow(Oracle(run))] == [("list", 1.0), ("both", 4.5)]
    assert [s.seconds for s in run.follow(Script(("x push", "x pull")))] == [1.0, 5.0]
    assert run.of("x").best == (push, pull)


def test_several_sources_by_label(backend):
    A = Matrix.from_edges([0, 1, 2, 3], [1, 2, 3, 4], labels="abcde")
    run = arms_by_level(A, ["a", "d"], backend=backend, repeats=1)
    assert [step.frontier_size for step in run.steps] == [2, 2, 1]


def test_best_and_regret():
    push, pull = Arm("x", "push"), Arm("x", "pull")
    steps = (Step(0, 1, 1, 1, 1, push, 2.0), Step(1, 1, 1, 1, 1, push, 4.0))
    run = MeasuredRun((push, pull), np.array([[2.0, 5.0], [4.0, 1.0]]), steps)
    assert run.best == (push, pull)
    assert run.regret == 2.0
    assert MeasuredRun((push,), np.empty((0, 1)), ()).regret == 1.0


@pytest.mark.parametrize(
    ("options", "word"), [({"repeats": 0}, "repeats"), ({"backend": []}, "backend"), ({"selector": "?"}, "selector")]
)
def test_bad_arguments_are_named(options, word):
    with pytest.raises(ValueError, match=word):
        arms_by_level(graphs.grid(2, 2), 0, **options)
    with pytest.raises(IndexError, match="source"):
        arms_by_level(graphs.grid(2, 2), 4)
