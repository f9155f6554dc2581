"""Tuning, training and comparing selectors, as functions and as commands."""

import json
import math

import numpy as np
import pytest

import lagbfs
from lagbfs import graphs, plot
from lagbfs.measure.training import corpus, evaluation, regret, tuning
from lagbfs.measure.training import learned as training
from lagbfs.selector import Beamer, models

pytestmark = pytest.mark.slow

SMALL = {"grid-5": lambda: graphs.grid(6, 6), "kronecker-5": lambda: graphs.kronecker(5, 4)}


@pytest.fixture
def small(monkeypatch, tmp_path):
    """A corpus that is measured in no time, and a place for the tuned model."""
    monkeypatch.setattr(corpus, "generated", lambda scale: SMALL)
    monkeypatch.setattr(models, "tuned_path", lambda: tmp_path / "cache" / "tuned.json")
    models.in_use.cache_clear()
    yield tmp_path
    models.in_use.cache_clear()


@pytest.fixture(scope="module")
def measured():
    return corpus.measure(SMALL, sources=2, backend="reference", repeats=1)


def test_tuning_takes_the_best_of_its_models(small):
    seen = []
    tuned = tuning.tune(seconds=0.5, progress=lambda done, total, what="": seen.append((done, total, what)))
    assert tuned.searches >= 2
    assert seen[-1] == (0.5, 0.5, "fitting")
    scores = tuned.shipped, tuned.rescaled, tuned.fitted
    best = scores[tuning.clearly_best(scores)]
    assert min(scores) >= 1
    measured_arms = {arm.backend for arm in tuned.model.arms}
    assert measured_arms >= set(tuning.engines()) or best == tuned.shipped


def test_measuring_ends_in_time(small):
    tuned = tuning.tune(seconds=1e-9)
    assert tuned.searches == 2  # one graph is measured whatever it takes


def test_a_tuned_model_is_used_from_then_on(small, run):
    A = graphs.kronecker(6)
    before = models.current(A.nvals)
    code, out, _ = run("tune", "--json")
    assert code == 0
    found = json.loads(out)
    assert found["path"] == str(small / "cache" / "tuned.json")
    models.in_use.cache_clear()
    assert models.current(A.nvals) is not before
    assert models.current(A.nvals).arms == models.load(found["path"]).arms
    lagbfs.bfs(A, 0).verify()
    code, out, _ = run("doctor")
    assert code == 0
    assert "learned, tuned on" in out


@pytest.mark.parametrize("kept", range(3))
def test_doctor_says_what_tune_said(small, run, monkeypatch, kept):
    monkeypatch.setattr(tuning, "clearly_best", lambda scores: kept)
    found = json.loads(run("tune", "--json")[1])
    models.in_use.cache_clear()
    told = json.loads(run("doctor", "--json")[1])["system"]["selector"]
    assert f"tuned on {found['searches']} searches" in told
    kinds = ("the shipped model kept", "the shipped model with a factor for each arm", "fitted anew")
    assert [kind in told for kind in kinds] == [i == kept for i in range(3)]
    assert models.load(found["path"]).provenance["tuned"]["searches"] == found["searches"]


def test_doctor_says_nothing_of_searches_that_it_does_not_know(small, run):
    models.tuned_path().parent.mkdir()
    models.dump(models.shipped(), models.tuned_path())
    models.in_use.cache_clear()
    told = json.loads(run("doctor", "--json")[1])["system"]["selector"]
    assert told == f"learned, tuned: {models.tuned_path()}"


def test_doctor_says_whose_model_is_in_force(small, run, monkeypatch):
    _, out, _ = run("doctor")
    assert "as shipped" in out
    monkeypatch.setenv("LAGBFS_MODEL", "shipped")
    _, out, _ = run("doctor")
    assert "by LAGBFS_MODEL: shipped" in out


def test_training_writes_models_and_levels_that_train_again(small, run):
    levels, folder = small / "levels.csv", small / "models"
    code, out, error = run(
        "train", "--scales", 5, "--sources", 1, "--backend", "reference", "--levels", levels, "--out", folder
    )
    assert code == 0, error
    assert "on graphs not seen" in out
    assert sorted(path.name for path in folder.iterdir()) == [
        "costmodel.json",
        "learned.json",
        "switchpoint.json",
        "tree.json",
    ]
    again = small / "again"
    assert run("train", "--from", levels, "--out", again)[0] == 0
    assert models.load(again / "learned.json").arms == models.load(folder / "learned.json").arms


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--scales", 99], "--scales"),
        (["--scales"], "nothing to learn from"),
        (["--from", "missing.csv"], "missing.csv"),
    ],
)
def test_training_refuses_what_makes_no_sense(run, arguments, word, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, _, error = run("train", *arguments)
    assert code == 2
    assert word in error


def test_selectors_are_compared_on_levels_and_end_to_end(run, tmp_path):
    picture = tmp_path / "lost.png"
    code, out, error = run(
        "bench", "selectors", "kronecker-6", "grid-5", "--sources", 2, "--backend", "reference", "--plot", picture
    )
    assert code == 0, error
    for word in (*regret.POLICIES, "geometric mean", "95 %", "≤ 1.05×", "exhaustive", "end to end", "noise"):
        assert word in out
    assert picture.read_bytes().startswith(b"\x89PNG")
    code, out, _ = run("bench", "selectors", "grid-5", "--sources", 1, "--backend", "reference", "--json")
    found = json.loads(out)
    assert set(found["slowdowns"]) == set(found["intervals"]) == set(regret.POLICIES)
    assert min(found["slowdowns"]["learned, 1st"].values()) >= 1
    assert found["kinds"] == {"grid-5": "even"}
    assert {who: len(curve) for who, curve in found["by_search"]["grid-5"].items()} == {"learned": 100, "off by 2": 100}


@pytest.mark.parametrize(
    ("arguments", "word"),
    [(["grid-5", "--plot", "a.png"], "bench selectors"), (["selectors", "grid-5", "--html", "a.html"], "--plot")],
)
def test_options_of_the_other_comparison_are_refused(run, arguments, word):
    code, _, error = run("bench", *arguments)
    assert code == 2
    assert word in error


def test_replayed_is_the_time_over_the_best(measured):
    for rule in (Beamer(), lagbfs.selector.Fixed("push")):
        ratios = evaluation.replayed(rule, measured)
        assert set(ratios) == set(SMALL)
        assert min(ratios.values()) >= 1 - 1e-12
    for graph in SMALL:
        own = [each for each in measured if each.graph == graph]
        taken = sum(sum(step.seconds for step in each.run.follow(Beamer())) for each in own)
        expected = taken / sum(each.run.fastest for each in own)
        assert evaluation.replayed(Beamer(), measured)[graph] == pytest.approx(expected)


def test_summary_of_known_ratios():
    found = evaluation.summary([1.0, 1.04, 1.5, 4.0, 10.0])
    assert found.mean == pytest.approx(3.508)
    assert found.geometric_mean == pytest.approx(np.prod([1.0, 1.04, 1.5, 4.0, 10.0]) ** 0.2)
    assert (found.median, found.worst) == (1.5, 10.0)
    assert found[4:] == (0.4, 0.6, 0.8)


def test_no_switching_point_beats_exhaustive_search(measured):
    for points in evaluation.switching_points(measured, "reference").values():
        assert points.exhaustive <= points.regression <= points.worst
        assert points.exhaustive * (1 - 1e-12) <= points.average <= points.worst * (1 + 1e-12)  # a mean is rounded


def test_choosing_is_a_share_of_the_search(backend):
    share, seconds = evaluation.choosing_share(graphs.kronecker(6), [1, 2], backend=backend)
    assert 0 <= share < 1
    assert 0 <= seconds < math.inf


def test_rescaling_brings_each_arm_to_what_was_measured(measured):
    model = training.fit(measured)
    doubled = lagbfs.selector.Learned(
        {arm: tuple(2 * price for price in row) for arm, row in model.arms.items()}, cache=model.cache
    )
    once, twice = training.rescaled(model, measured), training.rescaled(doubled, measured)
    for arm, row in once.arms.items():
        assert row == pytest.approx(twice.arms[arm])


def test_slowdowns_are_drawn_for_every_selector():
    figure = plot.slowdowns({"learned": {"a": 1.0, "b": 1.1}, "pull": {"a": 30.0, "b": 2.0}, "none": {}})
    labels = [text.get_text() for text in figure.axes[0].get_xticklabels()]
    assert labels == ["learned\n1.05", "pull\n7.75"]
    assert plot.slowdowns({}).axes[0].texts


def test_graphs_of_a_comparison_are_called_as_everywhere(run, monkeypatch):
    seen = []

    def end_to_end(A, *arguments, **options):
        seen.append(A.shape)
        return dict.fromkeys(evaluation.RULES, 1.0)

    monkeypatch.setattr(evaluation, "end_to_end", end_to_end)
    assert run("bench", "selectors", "grid-6", "--sources", 1, "--backend", "reference")[0] == 0
    assert seen == [(36, 36)]  # of side 6, not of 2⁶ vertices


def test_without_graphs_a_corpus_is_compared(run, monkeypatch):
    monkeypatch.setattr("lagbfs.cli.selectors._SCALE", 4)
    code, out, error = run("bench", "selectors", "--sources", 1, "--backend", "reference", "--json")
    assert code == 0, error
    assert json.loads(out)["end_to_end_seconds"].keys() == corpus.generated(4).keys()
