"""What a search says of itself: what the selector knew, what it expected, and why it chose."""

import copy
import pickle
from dataclasses import astuple

import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import Matrix, bfs, graphs
from lagbfs.backends.protocol import Arm, Step
from lagbfs.base.wording import duration, shortened
from lagbfs.search.explanation import Explanations
from lagbfs.selector import Script, Selector

PUSH, PULL, FAR = Arm("near", "push", "fast"), Arm("near", "pull"), Arm("far", "pull")


class Recording(Selector):
    """A selector that changes its mind at every level, and remembers what it knew."""

    def __init__(self):
        self.knew = []

    def choose(self, features, arms):
        self.knew.append(copy.copy(features))
        return arms[features.level * 3 % len(arms)]

    def predict(self, features, arms):
        return {arm: features.frontier_edges + i / 10 for i, arm in enumerate(arms)}

    def why(self, features):
        return repr(astuple(features))


class Priced(Selector):
    """A selector of known prices; turning the frontier takes 2 µs."""

    def __init__(self, **microseconds):
        self.prices = {PUSH: 5.0, PULL: 20.0, FAR: 10.0} | {{"push": PUSH}[k]: v for k, v in microseconds.items()}

    def choose(self, features, arms):
        raise AssertionError("explaining does not choose")

    def predict(self, features, arms):
        turn = {PUSH: features.form == "bitmap", PULL: features.form == "list", FAR: False}
        return {arm: (self.prices[arm] + 2 * turn[arm]) * 1e-6 for arm in arms}

    def why(self, features):
        return f"{features.frontier_edges} edges"

    def __repr__(self):
        return "Priced"


def trace(*arms, forms=None, seconds=1e-6):
    rows = enumerate(zip(arms, forms or ["list"] * len(arms), strict=True))
    return [Step(i, 10 + i, 100 + i, 50, 500, arm, seconds, form) for i, (arm, form) in rows]


def told(*arms, selector=None, offered=(PUSH, PULL), **options):
    return Explanations(trace(*arms, **options), (100, 1000, 0), offered, selector or Priced())


@given(sts.graphs(), st.data())
def test_what_is_explained_is_what_the_selector_knew(backend, graph, data):
    sources = data.draw(st.lists(st.integers(0, graph.n - 1), min_size=1, max_size=2))
    selector = Recording()
    t = bfs(graph.matrix(), sources, backend=backend, selector=selector)
    explained = t.explain()
    selector.knew[0].form = t.trace[0].form  # engines that take over a search make the forms they need
    assert [each.why.split("; ")[0] for each in explained] == [repr(astuple(features)) for features in selector.knew]
    assert [each.step for each in explained] == t.trace
    for each, features in zip(explained, selector.knew, strict=True):
        assert each.predicted == selector.predict(features, explained.arms)
        assert each.step.arm in each.predicted


def test_the_learned_selector_took_the_arm_it_expected_to_be_fastest():
    explained = bfs(graphs.kronecker(9), 0).explain()
    assert len(explained) > 2
    for each in explained:
        if each.predicted:
            assert each.step.arm == min(each.predicted, key=each.predicted.__getitem__)
        assert "push scans" in each.why
        assert "probes expected" in each.why


@pytest.mark.parametrize(
    ("selector", "why"), [("beamer", "limit"), ("push", "asked for"), (Recording(), "("), (None, "edges")]
)
def test_every_selector_has_its_reasons(backend, selector, why):
    explained = bfs(graphs.grid(4, 4), 0, backend=backend, selector=selector).explain()
    assert len(explained) == 7
    assert all(why in each.why for each in explained)


def test_a_selector_that_can_only_choose_is_named():
    class Mine:
        def choose(self, features, arms):
            return arms[0]

    explained = bfs(graphs.grid(3, 3), 0, selector=Mine()).explain()
    assert explained[0].predicted == {}
    assert explained[0].why == "chosen by Mine"
    assert repr(explained) == "Explanations(5 levels, Mine)"


def test_one_direction_was_all_there_was(backend, direction):
    explained = bfs(graphs.grid(3, 3), 0, backend=backend, direction=direction, selector="beamer").explain()
    assert {each.why for each in explained} == {f"only {direction} was allowed"}


def test_turning_the_frontier_is_said_with_its_price():
    explained = told(PULL, PUSH, PUSH, PULL, forms=["list", "bitmap", "list", "both"])
    whys = [each.why.split("; ")[1:] for each in explained]
    less = "push:fast was expected to take less for this level alone"
    assert whys == [
        ["2.00 µs expected for turning the frontier into a bitmap", less],
        ["2.00 µs expected for turning the frontier into a list"],
        [],
        [less],
    ]


def test_moves_between_engines_are_said_with_what_was_compared():
    class Ahead(Priced):
        def costs(self, features, arms):
            return {arm: 1e3 * (self.prices[arm] + (30 if arm is FAR else 0)) for arm in arms}

    explained = told(PUSH, FAR, FAR, PUSH, selector=Ahead(), offered=(PUSH, PULL, FAR))
    compared = "with moves and levels to come: near 5.00 µs, far 40.0 µs"
    moved = ["near to far" in each.why for each in explained]
    assert moved == [False, True, False, False]
    assert "moved from far to near" in explained[3].why
    assert all(each.why.endswith(compared) for each in explained)
    assert "moves" not in told(PUSH, selector=Ahead()).table()[1][0][-1], "one engine: nothing to compare"


def test_arms_of_which_nothing_is_known():
    class Ignorant(Priced):
        def predict(self, features, arms):
            return {}

    assert told(PUSH, selector=Ignorant())[0].why == "100 edges; no times are known of these arms"
    assert "predicted" not in str(told(PUSH, selector=Ignorant()))


def test_the_text_of_a_short_search_tells_each_level():
    assert str(told(PUSH, PULL, forms=["list", "both"])).splitlines() == [
        "2 levels in 2.00 µs, arms chosen by Priced",
        "level 0, frontier 10: near push:fast took 1.00 µs, 5.00 µs predicted",
        "    predicted of others: pull 22.0 µs",
        "    100 edges",
        "level 1, frontier 11: near pull took 1.00 µs, 20.0 µs predicted",
        "    predicted of others: push:fast 5.00 µs",
        "    101 edges; push:fast was expected to take less for this level alone",
    ]


def test_the_text_of_a_long_search_tells_levels_of_one_arm_together():
    explained = told(*[PUSH] * 1000, *[PULL] * 2, PUSH, forms=["list"] * 1000 + ["both"] * 3)
    head, *lines = str(explained).splitlines()
    assert head == "1,003 levels in 1.00 ms, arms chosen by Priced"
    assert [line for line in lines if not line.startswith(" ")] == [
        "levels 0–999, frontier ≤ 1,009: near push:fast took 1.00 ms, 5.00 ms predicted",
        "levels 1,000–1,001, frontier ≤ 1,011: near pull took 2.00 µs, 40.0 µs predicted",
        "level 1,002, frontier 1,012: near push:fast took 1.00 µs, 5.00 µs predicted",
    ]
    assert lines[2:4] == ["    at level 0: 100 edges", "    at level 999, the largest: 1099 edges"]
    stretch = explained.stretches()[0]
    assert stretch.levels == range(1000)
    assert stretch.predicted == pytest.approx({PUSH: 5e-3, PULL: 22e-3})
    assert [len(s.levels) for s in explained.stretches(few=None)] == [1] * 1003
    assert [len(s.levels) for s in explained.stretches(few=1003)] == [1] * 1003
    assert [len(s.levels) for s in explained.stretches(few=1002)] == [1000, 2, 1]


def test_what_rests_on_the_same_is_told_once():
    explained = bfs(graphs.path(100), 0, selector="push", backend="reference").explain()
    assert [line for line in str(explained).splitlines() if line.startswith(" ")] == ["    asked for"]


def test_sums_of_very_many_predictions_are_estimated():
    explained = told(*[PUSH] * 50_001)
    assert explained.stretches()[0].predicted == pytest.approx({PUSH: 50_001 * 5e-6, PULL: 50_001 * 22e-6})


def test_a_selector_with_much_to_say_is_called_by_its_type():
    script = Script(("push",) * 100)
    assert repr(bfs(graphs.path(2), 0, selector=script).explain()) == "Explanations(2 levels, Script)"


def test_even_a_search_that_turns_at_every_level_is_told_in_few_lines():
    explained = told(*[PUSH, PULL] * 500)
    assert "…" in str(explained).splitlines()
    assert str(explained).count("took") == 60
    assert explained._repr_html_().count("<tr>") == 62


def test_the_table_has_a_column_for_each_arm_predicted():
    header, rows = told(PUSH, FAR, offered=(PUSH, FAR)).table()
    assert header == ["level", "frontier", "arm", "measured", "predicted near push:fast", "predicted far pull", "why"]
    assert [row[:6] for row in rows] == [
        ["0", "10", "near push:fast", "1.00 µs", "5.00 µs", "10.0 µs"],
        ["1", "11", "far pull", "1.00 µs", "5.00 µs", "10.0 µs"],
    ]
    assert bfs(graphs.grid(3, 3), 0, selector="push").explain().table()[0] == [
        "level",
        "frontier",
        "arm",
        "measured",
        "why",
    ]


def test_notebooks_show_the_table_escaped():
    class Sharp(Priced):
        def why(self, features):
            return "<b>"

    html = told(PUSH, selector=Sharp())._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<b>" not in html
    assert '<td style="text-align:right">5.00 µs</td>' in html


def test_a_search_with_nothing_to_do_has_nothing_to_explain(backend):
    explained = bfs(Matrix.from_edges([0], [1]), 0, max_depth=0, backend=backend).explain()
    assert list(explained) == []
    assert str(explained).startswith("0 levels in 0 s")
    assert "<table>" in explained._repr_html_()


def test_it_is_a_sequence():
    explained = told(PUSH, PULL, PUSH)
    assert explained[-1] == explained[2]
    assert explained[1:] == [explained[1], explained[2]]
    with pytest.raises(IndexError):
        explained[3]
    kept = pickle.loads(pickle.dumps(bfs(graphs.grid(3, 3), 0, selector="beamer").explain()))
    assert "limit" in kept[0].why


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0 s"),
        (4e-10, "0.400 ns"),
        (1e-6, "1.00 µs"),
        (9.996e-6, "10.0 µs"),
        (99.96e-6, "100 µs"),
        (999.4e-6, "999 µs"),
        (999.6e-6, "1.00 ms"),
        (0.5, "500 ms"),
        (1234.5, "1,234 s"),
    ],
)
def test_times_have_three_figures_and_a_unit_of_their_size(seconds, text):
    assert duration(seconds) == text


def test_shortened_keeps_both_ends():
    assert shortened(range(100), 4, None) == [0, 1, None, 98, 99]
    assert shortened(range(4), 4, None) == [0, 1, 2, 3]
