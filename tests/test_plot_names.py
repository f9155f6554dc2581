"""Names in pictures: beside their vertices, where they cover least, in fonts that have their letters."""

import warnings

import numpy as np
import pytest

from lagbfs import Matrix, bfs, plot
from lagbfs.measure.bench import Row

pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'lagbfs[plot]'")

from matplotlib import font_manager

from lagbfs.report.plot import fonts
from lagbfs.report.plot.names import places, width

RARE = "ᴕ"  # which matplotlib's usual font lacks, and others that come with it have
CITIES = ["東京", "大阪", "京都市"]


@pytest.fixture
def own_fonts(monkeypatch):
    """No fonts but those that come with matplotlib."""
    bundled = [font for font in font_manager.fontManager.ttflist if "mpl-data" in font.fname]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", bundled)
    fonts._families.cache_clear()
    yield
    fonts._families.cache_clear()


def named(names):
    return Matrix.from_edges(range(len(names) - 1), range(1, len(names)), directed=False, labels=names)


def texts(figure):
    return {text.get_text(): text for text in figure.findobj(lambda artist: hasattr(artist, "get_fontfamily"))}


def test_letters_are_drawn_by_a_font_that_has_them(own_fonts, tmp_path):
    figure = plot.graph(named([RARE * 4, "plain"]))
    usual, *others = texts(figure)[RARE * 4].get_fontfamily()
    assert texts(figure)["plain"].get_fontfamily() == [usual]
    assert len(others) == 1
    assert ord(RARE) in fonts._letters(font_manager.findfont(others[0]))
    plot.save(figure, tmp_path / "a.png")  # matplotlib would warn, which is an error here


@pytest.mark.parametrize("ending", [".png", ".svg", ".html"])
def test_letters_that_no_font_has_are_said_once(own_fonts, tmp_path, ending):
    A = named(CITIES)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        figure = plot.graph(A, bfs(A, "東京"))
        plot.save(figure, tmp_path / f"a{ending}")
        figure._repr_png_()
    (warning,) = said
    assert "no font that is installed has characters such as 京" in str(warning.message)


def test_names_of_bars_are_looked_at_too(own_fonts):
    rows = [Row("東京.mtx", "ours", (1.0,)), Row("東京.mtx", "theirs", (3.0,))]
    with pytest.warns(UserWarning, match="no font"):
        plot.ratios(rows)


def test_ascii_asks_for_no_fonts(monkeypatch):
    monkeypatch.setattr(fonts, "_letters", lambda path: pytest.fail("fonts were looked at"))
    plot.graph(named(["ann", "bob", "charlotte"]))


def test_wide_letters_count_twice():
    assert [width(name) for name in ("ann", "東京", "ｗ", "é")] == [3, 4, 2, 1]
    A = named(["東京", "大阪"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        figure = plot.graph(A)
    assert texts(figure)["東京"].get_horizontalalignment() != "center"  # too wide for a vertex


def covered(boxes, points, ends):
    """Return how many of many points of the edges are in a box."""
    along = (ends[0] + np.linspace(0, 1, 500)[:, None, None] * (ends[1] - ends[0])).reshape(-1, 2)
    return sum(((along >= low) & (along <= high)).all(axis=1).sum() for low, high in boxes)


@pytest.mark.parametrize("angle", np.linspace(0, 2 * np.pi, 16, endpoint=False))
def test_a_name_is_on_the_side_without_edges(angle):
    points = np.array([[0.0, 0.0], [np.cos(angle), np.sin(angle)]])
    ends = points[:1], points[1:]
    font, away = 0.1, 0.05
    side = np.array(places(["Charlotte", ""], points, ends, away, font)[0])
    size = np.array([0.62 * font * 9, 1.3 * font])
    low = points[0] + away * side + size * (side - 1) / 2
    assert covered([(low, low + size)], points, ends) == 0


def test_names_do_not_cover_each_other():
    points = np.array([[0.0, 0.0], [0.0, 0.12]])
    below, above = places(["Charlotte"] * 2, points, (points[:1], points[1:]), 0.02, 0.1)
    assert below != above
