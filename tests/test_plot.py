"""Pictures: what is drawn is what happened, every kind of file is written, whole, without a display."""

import subprocess
import sys

import numpy as np
import pytest
import strategies as sts
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import lagbfs
from lagbfs import Matrix, bfs, graphs, measure, plot
from lagbfs.backends.protocol import Arm, Step
from lagbfs.measure.bench import Row
from lagbfs.measure.levels import MeasuredRun
from lagbfs.report.plot.layout import separate, stress_layout
from lagbfs.report.plot.style import arm_styles

PUSH, PULL = Arm("engine", "push"), Arm("engine", "pull", "fast")
MAGIC = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF", ".html": b"<!DOCTYPE html>"}


class Alternating:
    """A selector that changes direction at every fourth level."""

    def choose(self, features, arms):
        return arms[-1] if features.level % 4 == 3 else arms[0]


def path(n, **options):
    return Matrix.from_edges(range(n - 1), range(1, n), n=n, **options)


def texts(legend):
    return [text.get_text() for text in legend.get_texts()]


def rendered(figure):
    """The picture as an array: whether it can be drawn at all."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())


def heights_in(axes):
    """The height above zero of each bar or stair, by its middle."""
    found = {}
    for patch in axes.patches:
        if hasattr(patch, "get_data"):
            values, edges, foot = patch.get_data()
            found |= {round(edge + 0.5): value for value, edge in zip(values, edges[:-1], strict=True) if value > foot}
        else:
            found[round(patch.get_x() + patch.get_width() / 2)] = patch.get_y() + patch.get_height()
    return found


UNITS = {"s": 1, "ms": 1e-3, "µs": 1e-6}


def unit_of(label):
    return UNITS[label.split("(")[1].rstrip(")").split(",")[0]]


@pytest.mark.parametrize("n", [7, 200])
def test_a_search_is_drawn_as_its_trace_says(backend, n):
    t = bfs(path(n), 0, backend=backend, selector=Alternating())
    figure = t.plot()
    times, sizes = figure.axes
    expected = {step.level: step.seconds for step in t.trace if step.seconds}
    drawn = {level: height * unit_of(times.get_ylabel()) for level, height in heights_in(times).items() if height}
    assert drawn == pytest.approx(expected)
    assert texts(times.get_legend()) == list(dict.fromkeys(str(step.arm) for step in t.trace))
    frontier, edges = sizes.lines
    assert frontier.get_ydata().tolist() == [step.frontier_size for step in t.trace]
    assert edges.get_ydata().tolist() == [step.frontier_edges for step in t.trace]
    assert sizes.get_xlabel() == "level"
    assert sizes.get_yscale() == "symlog"
    assert t.outcome == figure.get_suptitle()
    assert rendered(figure).std() > 0


def test_few_levels_are_bars_and_many_are_areas():
    assert len(bfs(path(7), 0, selector=Alternating()).plot().axes[0].patches) == 7
    assert len(bfs(path(200), 0, selector=Alternating()).plot().axes[0].patches) == 2


@pytest.mark.parametrize("n", [7, 200])
def test_every_level_has_a_foot_that_is_seen(n):
    t = bfs(path(n), 0, selector=Alternating())
    t.trace[:] = [step._replace(seconds=1.0 if step.level == 3 else 0.0) for step in t.trace]
    t.trace[5] = t.trace[5]._replace(seconds=1e-9)
    axes = t.plot().axes[0]
    low, high = axes.get_ylim()
    assert low < -high / 50  # points on paper, not less than a line
    assert sorted(heights_in(axes)) == list(range(n))
    for patch in axes.patches:
        assert (patch.get_data()[2] if hasattr(patch, "get_data") else patch.get_y()) == pytest.approx(low)


def test_one_disturbed_level_does_not_flatten_the_others():
    t = bfs(path(200), 0, backend="reference")
    t.trace[:] = [step._replace(seconds=1e-3) for step in t.trace]
    t.trace[50] = t.trace[50]._replace(seconds=1.0)
    axes = t.plot().axes[0]
    assert axes.get_ylim()[1] == pytest.approx(4)
    assert [text.get_text() for text in axes.texts] == ["1 beyond the axis, up to 1,000 ms"]


def test_directions_differ_without_colour():
    styles = arm_styles([PUSH, PULL])
    assert styles[PUSH].hatch != styles[PULL].hatch
    assert styles[PUSH].line != styles[PULL].line
    assert styles[PUSH].marker != styles[PULL].marker


def test_up_to_twenty_arms_of_a_direction_differ():
    arms = [Arm("engine", way, str(i)) for way in ("push", "pull") for i in range(20)]
    assert len(set(arm_styles(arms).values())) == 40


def test_hatches_and_colours_are_those_of_the_arms():
    t = bfs(path(7), 0, selector=Alternating(), backend="reference")
    styles = arm_styles(step.arm for step in t.trace)
    looks = {(to_hex(bar.get_facecolor()).upper(), bar.get_hatch() or "") for bar in t.plot().axes[0].patches}
    assert looks == {(style.color, style.hatch) for style in styles.values()}


def test_a_search_without_levels_says_so(backend):
    figure = bfs(path(3), 0, max_depth=0, backend=backend).plot()
    assert "nothing to do" in figure.axes[0].texts[0].get_text()
    rendered(figure)


@pytest.mark.parametrize("edges", [([], []), ([0], [0])])
def test_one_vertex(backend, edges):
    graph = Matrix.from_edges(*edges, n=1)
    t = bfs(graph, 0, backend=backend)
    rendered(t.plot())
    rendered(plot.graph(graph, t))


def measured(levels, seconds=1.0):
    times = np.full((levels, 2), seconds)
    times[:, 1] *= np.arange(1, levels + 1)
    steps = [Step(i, 1, 1, 1, 1, PULL if i == 1 else PUSH, times[i, int(i == 1)]) for i in range(levels)]
    return MeasuredRun((PUSH, PULL), times, tuple(steps))


@pytest.mark.parametrize("levels", [1, 5, 300])
def test_every_arm_has_a_line_and_the_chosen_are_marked(levels):
    run = measured(levels)
    axes = plot.arms(run).axes[0]
    chosen, push, pull = axes.lines
    np.testing.assert_allclose(push.get_ydata(), run.seconds[:, 0])
    np.testing.assert_allclose(pull.get_ydata(), run.seconds[:, 1])
    np.testing.assert_allclose(chosen.get_ydata(), [step.seconds for step in run.steps])
    assert texts(axes.get_legend()) == ["chosen", "engine push", "engine pull:fast"]
    assert axes.get_ylabel() == "time per level (s, log)"
    assert axes.get_xlabel() == "level"
    rendered(axes.figure)


def test_arms_of_every_engine(backend):
    run = measure.arms_by_level(graphs.grid(3, 3), 0, backend=backend, repeats=1)
    axes = plot.arms(run).axes[0]
    assert texts(axes.get_legend())[1:] == [str(arm) for arm in run.arms]
    rendered(axes.figure)


def test_arms_of_nothing_and_of_no_time():
    rendered(plot.arms(MeasuredRun((PUSH,), np.empty((0, 1)), ())))
    rendered(plot.arms(measured(3, seconds=0.0)))


class Guessing(lagbfs.selector.Selector):
    """A selector that predicts pushes to take 3 µs and pulls nothing; of other engines it knows no time."""

    def choose(self, features, arms):
        return arms[-1] if features.level % 4 == 3 else arms[0]

    def predict(self, features, arms):
        ours = [arm for arm in arms if arm.backend != "unknown"]
        return {arm: 3e-6 * features.frontier_size * (arm.direction == "push") for arm in ours}

    def __repr__(self):
        return "Guessing"


def points_in(axes):
    """The points of each arm, as they are drawn."""
    return {line.get_label(): line.get_xydata() for line in axes.lines if line.get_label() != "exact"}


@pytest.mark.parametrize("n", [7, 200])
def test_predictions_of_a_search_are_drawn_against_what_it_took(backend, n):
    t = bfs(path(n), 0, backend=backend, selector=Guessing())
    axes = plot.predictions(t).axes[0]
    drawn = points_in(axes)
    assert list(drawn) == list(dict.fromkeys(str(step.arm) for step in t.trace))
    for name, points in drawn.items():
        steps = [step for step in t.trace if str(step.arm) == name]
        expected = 3e-6 if steps[0].arm.direction == "push" else 1e-9  # what a clock cannot tell is at its least tick
        np.testing.assert_allclose(points, [[max(step.seconds, 1e-9), expected] for step in steps])
    assert axes.get_xscale() == axes.get_yscale() == "log"
    assert axes.get_xlim() == axes.get_ylim()
    low, high = axes.get_xlim()
    assert all(((points > low) & (points < high)).all() for points in drawn.values())
    assert axes.lines[0].get_xydata().tolist() == [[low, low], [high, high]]
    assert [text.get_text() for text in axes.texts] == ([str(level) for level in range(7)] if n == 7 else [])
    assert texts(axes.get_legend()) == ["within 2 ×", "exact", *drawn]
    assert axes.get_title().startswith("times predicted by Guessing\npredicted ÷ measured: ")
    rendered(axes.figure)


def test_predictions_for_all_arms_from_each_form_measured():
    far = Arm("unknown", "push")
    steps = tuple(Step(i, 2, 1, 1, 1, PUSH, 1e-6) for i in range(2))
    by_form = {(0, PUSH, "list"): 6e-6, (1, PUSH, "list"): 1e-5, (1, PUSH, "both"): 1.3e-5, (1, PULL, "bitmap"): 2e-9}
    run = MeasuredRun((PUSH, PULL, far), np.ones((2, 3)), steps, 9, 9, {**by_form, (0, far, "list"): 1.0})
    axes = plot.predictions(run, Guessing()).axes[0]
    drawn = points_in(axes)
    np.testing.assert_allclose(drawn["engine push"], [[6e-6, 6e-6], [1e-5, 6e-6], [1.3e-5, 6e-6]])
    np.testing.assert_allclose(drawn["engine pull:fast"], [[2e-9, 1e-9]])
    assert list(drawn) == ["engine push", "engine pull:fast"], "nothing is known of the third"
    assert axes.get_title().endswith("0.55 in the median, 75% within 2 ×")
    rendered(axes.figure)


def test_the_form_measured_is_the_form_predicted_for():
    class Formal(Guessing):
        def predict(self, features, arms):
            return dict.fromkeys(arms, {"list": 1e-6, "bitmap": 2e-6, "both": 3e-6}[features.form])

    by_form = {(0, PUSH, form): 1e-6 for form in ("list", "bitmap", "both")}
    run = MeasuredRun((PUSH,), np.ones((1, 1)), (Step(0, 1, 1, 1, 1, PUSH, 1e-6),), 9, 9, by_form)
    points = points_in(plot.predictions(run, Formal()).axes[0])["engine push"]
    np.testing.assert_allclose(points[:, 1], [1e-6, 2e-6, 3e-6])


def test_predictions_look_like_their_arms_in_colour_and_in_grey():
    steps = tuple(Step(i, 1, 1, 1, 1, PUSH, 1e-6) for i in range(400))
    by_form = {(i, PUSH, "list"): 1e-6 for i in range(400)} | {(i, PULL, "list"): 1e-6 for i in range(4)}
    run = MeasuredRun((PUSH, PULL), np.ones((400, 2)), steps, 9, 9, by_form)
    _, push, pull = plot.predictions(run, Guessing()).axes[0].lines
    styles = arm_styles([PUSH, PULL])
    assert [line.get_markeredgecolor() for line in (push, pull)] == [styles[PUSH].color, styles[PULL].color]
    assert [line.get_marker() for line in (push, pull)] == [styles[PUSH].marker, styles[PULL].marker]
    assert push.get_markerfacecolor() == styles[PUSH].color
    assert pull.get_markerfacecolor() == "none"
    assert push.get_markersize() < pull.get_markersize()
    assert push.get_zorder() < pull.get_zorder()


def test_predictions_default_to_the_selector_of_the_search_or_to_the_learned_one():
    A = graphs.grid(4, 4)
    own = plot.predictions(bfs(A, 0, selector=Guessing())).axes[0].get_title()
    assert own.startswith("times predicted by Guessing")
    run = measure.arms_by_level(A, 0, repeats=1)
    for searched, selector in [(bfs(A, 0, selector="beamer"), None), (run, None), (run, "learned")]:
        assert "Learned" in plot.predictions(searched, selector).axes[0].get_title()


def test_predictions_that_cannot_be_drawn():
    t = bfs(path(3), 0)
    with pytest.raises(ValueError, match=r"selector must predict times.*Beamer"):
        plot.predictions(t, "beamer")
    with pytest.raises(ValueError, match="selector"):
        plot.predictions(t, "nonsense")
    with pytest.raises(TypeError, match="searched must be a Traversal"):
        plot.predictions(t.trace)
    nothing = plot.predictions(bfs(path(3), 0, max_depth=0))
    assert "nothing to compare" in nothing.axes[0].texts[0].get_text()
    rendered(nothing)


def test_bars_of_rates_are_medians_with_quartiles():
    rates = {"ours": [1e9, 2e9, 3e9, 4e9, 5e9], "theirs": [1e9]}
    axes = plot.teps(rates, title="a graph").axes[0]
    assert [bar.get_width() for bar in axes.patches] == [3, 1]
    whiskers = next(bars.errorbar for bars in axes.containers if hasattr(bars, "errorbar")).lines[2][0].get_segments()
    assert whiskers[0][:, 0].tolist() == [2, 4]
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["ours", "theirs"]
    assert [text.get_text() for text in axes.texts] == ["3", "1"]
    assert axes.get_xlabel() == "rate (GTEPS)"
    assert axes.get_title() == "a graph"
    assert axes.get_ylim()[0] > axes.get_ylim()[1], "the first bar is on top"
    rendered(axes.figure)


@pytest.mark.parametrize(("rate", "unit"), [(5.0, "TEPS"), (5e3, "kTEPS"), (5e6, "MTEPS"), (5e9, "GTEPS")])
def test_rates_have_a_unit_of_their_size(rate, unit):
    axes = plot.teps({"ours": [rate]}).axes[0]
    assert axes.get_xlabel() == f"rate ({unit})"
    assert axes.patches[0].get_width() == 5


@pytest.mark.parametrize("bad", [{}, {"ours": []}, {"ours": [0.0]}, {"ours": [float("nan")]}, [1.0]])
def test_rates_that_cannot_be_drawn(bad):
    with pytest.raises((ValueError, TypeError), match="rates"):
        plot.teps(bad)


def test_ratios_start_at_the_first_contender():
    rows = [Row("a", "ours", (1.0,)), Row("a", "theirs", (3.0,)), Row("b", "ours", (1.0,)), Row("b", "theirs", (0.5,))]
    axes = plot.ratios(rows).axes[0]
    assert [bar.get_x() + bar.get_width() for bar in axes.patches] == [3.0, 0.5]
    assert [text.get_text() for text in axes.texts] == ["3.00×", "0.50×"]
    assert axes.get_xlabel() == "time ÷ time of ours"
    with pytest.raises(ValueError, match="second contender"):
        plot.ratios(rows[::2])


def test_a_graph_is_drawn_with_its_levels_and_tree(backend):
    A = Matrix.from_edges([0, 0, 1, 2, 3, 3], [1, 2, 3, 3, 4, 3], n=6, directed=False)
    t = bfs(A, 0, backend=backend)
    axes, bar = plot.graph(A, t).axes
    by_label = {each.get_label(): each for each in axes.collections}
    assert len(by_label["tree edge"].get_segments()) == 4
    assert len(by_label["other edge"].get_segments()) == 1
    assert len(by_label["not reached"].get_offsets()) == 1
    assert len(by_label["source"].get_offsets()) == 1
    colours = [c.get_array().tolist() for c in axes.collections if c.get_array() is not None]
    assert colours == [[1, 1, 2, 3], [0]]
    assert [text.get_text() for text in axes.texts] == [str(v) for v in range(6)]
    assert bar.get_ylabel() == "level"
    rendered(axes.figure)


@pytest.mark.slow
@settings(max_examples=12)
@given(sts.graphs(), st.data())
def test_any_small_graph_can_be_drawn(graph, data):
    A = graph.matrix()
    t = bfs(A, data.draw(st.integers(0, graph.n - 1)), max_depth=data.draw(st.none() | st.integers(0, 2)))
    axes = plot.graph(A, t).axes[0]
    drawn = sum(len(c.get_offsets()) for c in axes.collections if c.get_zorder() >= 3)
    assert drawn == graph.n
    rendered(axes.figure)


def test_tree_edges_of_a_directed_graph_have_heads(backend):
    A = Matrix.from_edges([0, 1, 2, 2], [1, 2, 0, 1])
    axes = plot.graph(A, bfs(A, 0, backend=backend)).axes[0]
    lines = {c.get_label(): len(c.get_segments()) for c in axes.collections if hasattr(c, "get_segments")}
    assert lines == {"tree edge": 2, "other edge": 2}
    heads = [len(c.get_paths()) for c in axes.collections if type(c).__name__ == "PolyCollection"]
    assert heads == [2, 2]


def test_a_graph_without_a_search_and_one_without_parents():
    A = graphs.grid(3, 3)
    assert plot.graph(A).axes[0].get_legend() is None
    axes = plot.graph(A, bfs(A, 0, parents=False)).axes[0]
    assert texts(axes.get_legend()) == ["other edge", "source"]
    assert len(plot.graph(Matrix.from_edges([], [], n=0)).axes) == 1


def test_labels_are_shown_as_they_are():
    names = ["$a$", "<b>", "$x^", "a name that is much too long to be shown"]
    A = Matrix.from_edges([0, 1, 2], [1, 2, 3], labels=names)
    figure = plot.graph(A, bfs(A, "$a$"))
    shown = [text.get_text() for text in figure.axes[0].texts]
    assert shown[:3] == [r"\$a\$", "<b>", r"\$x^"]  # a dollar that starts no formula
    assert len(shown[3]) == 16
    rendered(figure)


def test_graphs_that_cannot_be_drawn():
    big = path(301)
    with pytest.raises(ValueError, match=r"at most 300 vertices.*301"):
        plot.graph(big)
    with pytest.raises(ValueError, match="square"):
        plot.graph(Matrix.from_coo([0], [1], nrows=2, ncols=3))
    with pytest.raises(ValueError, match="search of A"):
        plot.graph(path(3), bfs(path(4), 0))
    with pytest.raises(TypeError, match="Matrix"):
        plot.graph("graph")


def test_the_layout_keeps_distances_and_repeats_itself():
    A = path(9, directed=False)
    points = stress_layout(A)
    assert points.shape == (9, 2)
    assert np.abs(points).max() <= 1
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    np.testing.assert_allclose(steps, 0.25, atol=0.02)
    np.testing.assert_array_equal(points, stress_layout(A))


def test_vertices_with_the_same_neighbours_do_not_coincide():
    star = Matrix.from_edges([0] * 20, range(1, 21), directed=False)
    points = separate(stress_layout(star), 0.1)
    apart = np.linalg.norm(points[:, None] - points[None], axis=2) + np.eye(21)
    assert apart.min() > 0.08


def test_axes_of_the_caller_are_drawn_into():
    figure = Figure()
    left, right = figure.subplots(1, 2)
    A = graphs.grid(3, 3)
    assert plot.graph(A, ax=left) is figure
    assert plot.teps({"ours": [1.0]}, ax=right) is figure
    inner = figure.subfigures(1, 1)
    assert plot.arms(measured(2), ax=inner.add_subplot()) is figure
    assert plot.predictions(bfs(A, 0), ax=figure.add_subplot()) is figure
    whole = Figure()
    assert plot.traversal(bfs(A, 0), figure=whole) is whole


@pytest.mark.slow
@pytest.mark.parametrize("suffix", MAGIC)
def test_every_kind_of_file(tmp_path, suffix):
    target = tmp_path / f"picture{suffix.upper()}"
    t = bfs(graphs.grid(3, 3), 0)
    figure = t.plot(target)
    assert isinstance(figure, Figure)
    data = target.read_bytes()
    assert data.startswith(MAGIC[suffix])
    assert [path.name for path in tmp_path.iterdir()] == [target.name]
    if suffix != ".html":  # whose ids are numbered
        t.plot(target)
        assert target.read_bytes() == data, "the same data give the same file"


@pytest.mark.parametrize("name", ["picture", "picture.gif", "picture.png.exe"])
def test_other_suffixes_are_refused_by_name(tmp_path, name):
    with pytest.raises(ValueError, match=r"\.png, \.svg, \.pdf, \.html"):
        bfs(path(3), 0).plot(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path):
    (tmp_path / "taken.png").mkdir()
    figure = bfs(path(3), 0).plot()
    with pytest.raises(ValueError, match="taken"):
        plot.save(figure, tmp_path / "taken.png")
    assert [each.name for each in tmp_path.iterdir()] == ["taken.png"]
    with pytest.raises(FileNotFoundError):
        plot.save(figure, tmp_path / "nowhere" / "a.png")


def test_notebooks_show_the_figure():
    assert bfs(path(3), 0).plot()._repr_png_().startswith(b"\x89PNG")


@pytest.mark.slow
def test_no_pyplot_and_no_display_is_needed(tmp_path):
    code = (
        "import sys, lagbfs; lagbfs.bfs(lagbfs.graphs.grid(3, 3), 0).plot('a.svg');"
        "print('matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]


def test_without_matplotlib_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.setattr(lagbfs.plot.style, "_figure_class", lagbfs.plot.style._figure_class.__wrapped__)
    with pytest.raises(ImportError, match=r"lagbfs\[plot\]"):
        bfs(path(3), 0).plot()
