"""Measured searches: every arm timed at every level, without changing the search."""

import models
import numpy as np
import pytest
import strategies as sts
from hypothesis import given, settings
from hypothesis import strategies as st

from lagbfs import Matrix, backends, bfs, graphs
from lagbfs.backends.protocol import Arm, Step
from lagbfs.measure import MeasuredRun, arms_by_level


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
    assert (run.seconds >= 0).all()
    assert run.seconds.sum() > 0


def test_the_chosen_arm_is_the_selectors(backend):
    class Alternating:
        def choose(self, features, arms):
            return arms[-1] if features.level % 2 else arms[0]

    A = graphs.grid(4, 4)
    run = arms_by_level(A, 0, backend=backend, selector=Alternating(), repeats=1)
    arms = backends.get(backend).arms
    assert run.chosen == tuple(arms[-1] if level % 2 else arms[0] for level in range(7))
    assert [step.seconds for step in run.steps] == [
        run.seconds[level, run.arms.index(arm)] for level, arm in enumerate(run.chosen)
    ]


def test_the_arms_of_several_engines_are_measured_together():
    names = [info.name for info in backends.available() if info.runs]
    run = arms_by_level(graphs.grid(4, 4), 0, backend=[*names, names[0]], repeats=1)
    assert run.arms == tuple(arm for name in names for arm in backends.get(name).arms)
    assert run.seconds.shape == (7, len(run.arms))


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
