"""The selector that learns: what it keeps, that kernels and Python do the same, when it learns and when it does not."""

import copy
import json
import math
import pickle
from dataclasses import replace

import numpy as np
import policies as ps
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagbfs
from lagbfs import backends, bfs, selector
from lagbfs.backends.protocol import Features
from lagbfs.errors import FileFormatError
from lagbfs.host.experience import PlainExperience
from lagbfs.selector import Learned, elsewhere, learned, learning, models
from lagbfs.selector.learning import Learning
from lagbfs.selector.shares import ALL, HALF, ONE, SHARES, Shares

NATIVE = backends.get("native") if any(i.name == "native" and i.runs for i in backends.available()) else None
needs_native = pytest.mark.skipif(NATIVE is None, reason="needs the native engine: a C++ compiler at installation")

LONG = 1e7  # nanoseconds: a level that tells of others


@pytest.fixture(autouse=True)
def nothing_learnt(tmp_path, monkeypatch):
    """Begin without what other tests have taught, or this machine's user has kept."""
    monkeypatch.setattr(elsewhere, "experience_path", lambda: tmp_path / "experience.json")
    monkeypatch.setattr(learned, "LEAST_EDGES", learning.LEAST_EDGES)
    elsewhere._take_kept.cache_clear()
    selector.forget_experience()
    yield
    selector.forget_experience()
    elsewhere._take_kept.cache_clear()


def kernels():
    from lagbfs.backends.native.loading import kernels

    return kernels()


EVENTS = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 10**7), st.integers(0, 10**7), st.floats(-5, 5), st.floats(1, 1e9)),
    max_size=40,
)


@needs_native
@given(EVENTS, st.lists(st.floats(-2, 2), min_size=6, max_size=6), st.integers(1, 10**7))
def test_kernels_keep_what_python_keeps(events, priors, edges):
    groups = [0, 1, 0, 1, 2, 2]
    arms = [0, 0, 1, 1, 2, 3]
    both = PlainExperience(arms, groups, priors, edges), kernels().Experience(arms, groups, priors, edges)
    for row, frontier, unvisited, off, nanoseconds in events:
        places = [e.place(frontier, unvisited) for e in both]
        assert places[0] == places[1]
        for e in both:
            e.learn(row, places[0], off, nanoseconds)
            e.spend(abs(off) * 1e6)
            e.end_search()
        for asked in range(6):
            told = [(e.correction(asked, places[0]), e.seen(asked, places[0])) for e in both]
            assert told[0] == told[1]
            assert both[0].mean(asked) == both[1].mean(asked)
            assert (both[0].weight(asked), both[0].levels(asked)) == (both[1].weight(asked), both[1].levels(asked))
    assert both[0].budget == both[1].budget
    assert both[0].searches == both[1].searches == len(events)


@needs_native
@given(ps.features(), EVENTS, st.sampled_from([1, 2, 3, 4, 16]))
def test_kernels_decide_as_python_does(features, events, threads):
    model = models.shipped()
    taught = Learning(model, 10**7)
    for row, frontier, unvisited, off, nanoseconds in events:
        taught.experience.learn(row, taught.experience.place(frontier, unvisited), off, nanoseconds)
        taught.experience.spend(1e9 * abs(off))
        taught.experience.end_search()
    from lagbfs.backends.native.loading import features_to
    from lagbfs.backends.native.policy import compiled

    policy = compiled(taught, NATIVE.arms)
    arm, used, row, at, expected, tried = policy.decide(features_to(features), threads)
    if model.is_trivial(features, NATIVE.arms):
        assert NATIVE.arms[arm] == taught.choose(features, NATIVE.arms) == features.arm
        return
    decided = taught.decide(features, NATIVE.arms, threads)
    assert (decided.arm, decided.threads, decided.row, decided.at) == (NATIVE.arms[arm], used, row, at)
    assert decided.expected == expected
    assert (decided.best is not None) == tried


def test_what_was_seen_counts_where_it_was_seen_and_a_little_elsewhere():
    e = PlainExperience([0, 1, 2, 0], [0, 0, 1, 1], [0.0, 0.0, 0.3, 0.0], 10**6)
    at, far = e.place(1000, 5000), e.place(10**5, 10**6)
    for _ in range(30):
        e.learn(0, at, 0.5, LONG)
    assert e.correction(0, at) == pytest.approx(0.5, abs=0.01)
    assert 0.4 < e.correction(0, far) < 0.5  # by its row
    assert 0.3 < e.correction(1, at) < 0.5  # by its group
    assert e.correction(1, at) < e.correction(3, at) < 0.5  # by its arm
    assert 0.3 < e.correction(2, at) < 0.3 + 0.5  # of another group: its prior, and by all


def test_levels_of_microseconds_tell_little_of_longer_ones():
    short, long = (PlainExperience([0, 1], [0, 0], [0.0, 0.0], 10**6) for _ in range(2))
    at, far = short.place(10, 5000), short.place(10**5, 10**6)
    for _ in range(3):
        short.learn(0, at, 0.7, 500.0)
        long.learn(0, at, 0.7, LONG)
    assert 0.5 < short.correction(0, at) <= long.correction(0, at)
    assert 4 * short.correction(0, far) < long.correction(0, far)
    assert 4 * short.correction(1, far) < long.correction(1, far)


def test_one_level_that_was_disturbed_is_not_believed():
    e = PlainExperience([0], [0], [0.0], 1000)
    at = e.place(10, 10)
    e.learn(0, at, math.log(1000), LONG)
    assert math.exp(e.correction(0, at)) <= 2.02
    for _ in range(10):
        e.learn(0, at, 0.0, LONG)
    assert math.exp(e.correction(0, at)) < 1.1


def test_what_may_be_lost_is_a_hundredth_and_nothing_at_first():
    e = PlainExperience([0], [0], [0.0], 1000)
    e.spend(1e6)
    assert e.budget == 0
    for _ in range(3):
        e.end_search()
    assert e.budget == pytest.approx(1e4)
    e.lose(3e4)
    assert e.budget < 0


def test_a_way_of_which_little_is_known_is_tried_once_that_may_be_lost():
    arms = ps.NATIVE[:2]
    level = Features(
        n=10**6, m=10**7, frontier_size=10**4, frontier_edges=10**5, unvisited_size=10**6, unvisited_edges=10**7
    )
    taught = Learning(models.shipped(), 10**7)
    rows = SHARES * len(taught.rows)
    taught.experience = PlainExperience([*range(rows)], [0] * rows, [0.0] * rows, 10**7)
    best = taught.decide(level, arms, 1)
    for _ in range(20):
        taught.experience.learn(best.row, best.at, 0.0, LONG)
    assert taught.decide(level, arms, 1) == best
    for _ in range(3):
        taught.experience.end_search()
    taught.experience.spend(1e15)
    other = taught.decide(level, arms, 1)
    assert other.arm != best.arm
    assert other.best == pytest.approx(best.expected)
    for _ in range(20):
        taught.experience.learn(other.row, other.at, 0.7, LONG)
    assert taught.decide(level, arms, 1).arm == best.arm


def test_shares_are_one_half_and_all():
    assert Shares(1).offered == [ONE]
    assert Shares(2).offered == [ONE, ALL]
    assert [Shares(8).threads(s) for s in Shares(8).offered] == [1, 4, 8]


def test_prices_go_on_with_the_number_of_threads():
    two, eight = Shares(2), Shares(8)
    for alone, together in ((100.0, 60.0), (100.0, 100.0), (100.0, 130.0)):
        assert two.price(alone, together, ONE) == eight.price(alone, together, ONE) == alone
        assert two.price(alone, together, ALL) == together
        assert eight.price(alone, together, ALL) == pytest.approx(alone * (together / alone) ** 3)
        assert eight.price(alone, together, HALF) == pytest.approx(alone * (together / alone) ** 2)
    assert eight.price(100.0, 10.0, ALL) == pytest.approx(100 / 8)  # no more than as many times faster
    assert Shares(4, priced=4).price(100.0, 30.0, ALL) == 30
    assert Shares(8, priced=1).price(100.0, 100.0, ALL) == 100  # of whom nothing is known


@needs_native
def test_an_arm_that_is_priced_for_one_number_of_threads_has_all():
    model = models.shipped()
    taught = Learning(replace(model, alone={}), 10**7)
    f = Features(
        n=10**6, m=10**7, frontier_size=10**4, frontier_edges=10**5, unvisited_size=10**6, unvisited_edges=10**7
    )
    assert {choice.threads for choice in taught.expected(f, NATIVE.arms, 8)} == {8}
    taught = Learning(model, 10**7)
    assert {choice.threads for choice in taught.expected(f, NATIVE.arms, 8)} == {1, 4, 8}


def searched(A, **named):
    return [bfs(A, source, **named) for source in range(4)]


def seen(A):
    return lagbfs.selector.context.current().policy(A.rows).experience.searches


@needs_native
def test_searches_teach_and_their_results_stay_right():
    A = lagbfs.graphs.kronecker(13)
    with lagbfs.using(backend="native"):
        for source in range(40):
            t = bfs(A, source)
            t.verify()
        assert seen(A) == 40
        assert min(step.threads for step in t.trace) >= 1
        assert "corrected by" in str(t.explain())
        assert "40 searches of this graph seen" in repr(t.explain())


@needs_native
def test_levels_that_are_over_soon_are_decided_for_once_in_a_while():
    A = lagbfs.graphs.kronecker(12)
    assert A.nvals >= learning.LEAST_EDGES

    def learnt():
        taught = lagbfs.selector.context.current().policy(A.rows)
        return sum(taught.experience.levels(row) for row in range(SHARES * len(taught.rows)))

    with lagbfs.using(backend="native", threads=1):
        levels = sum(len(t.trace) for _ in range(30) for t in searched(A))
        early = learnt()
        for _ in range(30):
            for t in searched(A):
                t.verify()
                assert all(step.threads == 1 for step in t.trace)
        assert learnt() - early < 0.5 * early < 0.5 * levels
        for t in searched(A, direction="push"):  # what was decided for all arms holds for none of these alone
            assert {step.arm.direction for step in t.trace} == {"push"}
            t.verify()


@needs_native
@pytest.mark.parametrize("named", [{"deterministic": True}, {"selector": "shipped"}, {"selector": "beamer"}])
def test_some_searches_teach_nothing(named):
    A = lagbfs.graphs.kronecker(13)
    with lagbfs.using(backend="native"):
        searched(A, **named)
        assert seen(A) == 0
        frozen = Learned(models.shipped().arms, adapt=False)
        searched(A, selector=frozen)
        assert seen(A) == 0
        searched(A)
        assert seen(A) == 4


def test_small_graphs_are_not_learnt_from():
    A = lagbfs.graphs.path(100)
    assert isinstance(lagbfs.selector.context.current().policy(A.rows), Learned)
    assert A.nvals < learning.LEAST_EDGES


@needs_native
def test_engines_that_do_not_learn_by_themselves_are_learnt_from():
    A = lagbfs.graphs.kronecker(12)
    assert A.nvals >= learning.LEAST_EDGES
    searched(A, backend="suitesparse")
    taught = lagbfs.selector.context.current().policy(A.rows)
    rows = [row for arm, row in taught.rows.items() if arm.backend == "suitesparse"]
    assert sum(taught.experience.levels(row + ALL) for row in rows) > 4


@needs_native
def test_what_was_learnt_is_neither_copied_nor_pickled():
    A = lagbfs.graphs.kronecker(13)
    with lagbfs.using(backend="native"):
        searched(A)
        for other in (pickle.loads(pickle.dumps(A)), copy.deepcopy(A)):
            assert seen(other) == 0
        assert seen(A) == 4


@needs_native
def test_other_graphs_are_a_prior_that_can_be_kept(tmp_path):
    A, B = lagbfs.graphs.kronecker(13), lagbfs.graphs.kronecker(13, seed=5)
    model = models.shipped()
    taught = Learning(model, A.nvals)
    row = taught.rows[NATIVE.arms[0]] + ONE
    for _ in range(50):
        taught.experience.learn(row, 3, 0.7, LONG)
    prior = Learning(model, B.nvals).experience.mean(row)
    assert 0 < prior < 0.7
    kept = selector.save_experience(tmp_path / "learnt.json")
    selector.forget_experience()
    assert Learning(model, B.nvals).experience.mean(row) == 0
    selector.load_experience(kept)
    assert Learning(model, B.nvals).experience.mean(row) == pytest.approx(prior, rel=0.2)


def test_what_is_kept_is_taken_by_the_next_process(tmp_path):
    kept = selector.save_experience()
    assert kept == elsewhere.experience_path()
    content = json.loads(kept.read_text())
    content["ways"] = {"native push:queue": [[0.5, 100.0]] * SHARES}
    kept.write_text(json.dumps(content))
    elsewhere._take_kept.cache_clear()
    assert elsewhere.priors({ps.NATIVE[0]: 0})[0] == pytest.approx(0.5 * 100 / 120)


@pytest.mark.parametrize(
    "ways",
    [
        [],
        {"native push:queue": [[0.5, 100.0]]},
        {"native push:queue": [[0.5, -1.0]] * SHARES},
        {"native push:queue": [[50.0, 1.0]] * SHARES},
        {"native push:queue": [[True, 1.0]] * SHARES},
        {"sideways": [[0.5, 1.0]] * SHARES},
    ],
)
def test_files_that_are_none_are_refused(tmp_path, ways):
    kept = selector.save_experience(tmp_path / "learnt.json")
    content = json.loads(kept.read_text()) | {"ways": ways}
    kept.write_text(json.dumps(content))
    with pytest.raises(FileFormatError, match=r"learnt\.json"):
        selector.load_experience(kept)
    elsewhere.experience_path().write_text(json.dumps(content))
    elsewhere._take_kept.cache_clear()
    with pytest.warns(UserWarning, match="the kept experience is not used"):
        elsewhere.priors({ps.NATIVE[0]: 0})


@needs_native
@pytest.mark.parametrize("prior", [-3.0, 3.0])
def test_searches_are_right_on_any_share_of_the_threads(prior, monkeypatch):
    monkeypatch.setattr(
        elsewhere, "priors", lambda rows: [prior if i % SHARES == ONE else 0.0 for i in range(SHARES * len(rows))]
    )
    for A in (lagbfs.graphs.kronecker(14), lagbfs.graphs.grid(200, 200)):
        for source in range(3):
            t = bfs(A, source, backend="native", threads=3)
            t.verify()
        given = {step.threads for step in t.trace if step.frontier_edges > 10**4}
        assert given <= ({1} if prior < 0 else {1, 2, 3})
        assert np.array_equal(t.levels, bfs(A, source, backend="reference").levels)
