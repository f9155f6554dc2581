"""Pages and tables in HTML: well formed, escaped, loading nothing; and a browser shows them."""

import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest

from lagbfs import Matrix, bfs, graphs
from lagbfs.base.markup import table
from lagbfs.measure.bench import Row, cells
from lagbfs.report.page import page
from lagbfs.report.pages import bench_page
from lagbfs.search.steps import steps_table

VOID = {"meta", "br", "hr", "img", "link", "input"}
ROWS = [
    Row("folder/kronecker-9", "native", (1e-3, 2e-3, 3e-3)),
    Row("folder/kronecker-9", "<b>theirs", (4e-3, 4e-3, 8e-3)),
    Row("grid-9", "native", (1e-5, 2e-5)),
    Row("grid-9", "scipy", (7.5e-6, 7.5e-6)),
]


class Page(HTMLParser):
    """What a page consists of; a tag closed out of order is an error."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.ids, self.links, self.texts = [], [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == [], "every element is closed"

    def handle_starttag(self, tag, attributes):
        self.handle_startendtag(tag, attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src", "xlink:href", "data", "action") or "url(" in (value or ""):
                self.links.append(value)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"</{tag}> closes nothing"

    def handle_data(self, data):
        self.texts.append(data)


def search():
    A = graphs.grid(40, 40)
    return bfs(A, 0)


PAGES = {
    "empty": lambda: page("Nothing", []),
    "bench": lambda: bench_page(ROWS, "a <machine> & more", edges={"grid-9": 1000}, notes=["a note"]),
    "one": lambda: bench_page(ROWS[:1], "a machine"),
}


@pytest.fixture(scope="module", params=PAGES)
def text(request):
    return PAGES[request.param]()


def test_pages_are_well_formed_and_load_nothing(text):
    parsed = Page(text)
    assert parsed.tags.count("html") == parsed.tags.count("body") == parsed.tags.count("title") == 1
    assert "script" not in parsed.tags
    assert "link" not in parsed.tags
    assert all(re.match(r"(url\()?#", link) or "url(#" in link for link in parsed.links), parsed.links
    assert "@import" not in text
    assert set(re.findall(r"https?://[^\"'\s<]+", text)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }


def test_ids_are_unique_and_every_reference_leads_to_one(text):
    parsed = Page(text)
    assert len(parsed.ids) == len(set(parsed.ids))
    wanted = {name for link in parsed.links for name in re.findall(r"(?:^|url\()#([\w.-]+)", link)}
    assert wanted or "<svg" not in text
    assert wanted <= set(parsed.ids)


def test_a_page_escapes_its_titles_and_keeps_its_bodies():
    text = page("<i>title</i>", [("a & b", "<p>body</p>")])
    assert "<i>" not in text
    assert "<h2>a &amp; b</h2><p>body</p>" in text


def test_the_page_of_a_benchmark_has_a_table_and_bars_for_each_graph():
    parsed = Page(bench_page(ROWS, "a <machine> & more", edges={"grid-9": 1000}, notes=["a note"]))
    assert parsed.tags.count("table") == 2
    assert parsed.tags.count("svg") == 3
    assert {"a <machine> & more", "a note", "kronecker-9", "grid-9", "<b>theirs"} <= set(parsed.texts)
    assert "b" not in parsed.tags
    assert {"2.000", "4.000", "2.00×", "0.50×", "75.000", "133.333"} <= set(parsed.texts)
    shown = " ".join(parsed.texts)
    assert "time (ms)" in shown
    assert "rate (MTEPS)" in shown
    assert "time ÷ time of native" in shown


def test_a_benchmark_without_rows():
    with pytest.raises(ValueError, match="rows"):
        bench_page([], "a machine")


def test_one_contender_is_compared_with_nothing():
    assert Page(bench_page(ROWS[:1], "a machine")).tags.count("svg") == 1


def test_tables_escape_and_align():
    text = table(["<n>"], [[1234, 1000.5, 0.00042, "<x>"]], caption="a & b")
    assert Page(text).texts == ["a & b", "<n>", "1,234", "1,000.500", "0.00042", "<x>"]
    assert text.count("text-align:right") == 3
    assert text.count("text-align:left") == 1


@pytest.mark.parametrize("limit", [None, 20, 200])
def test_the_table_of_a_long_search_shows_its_ends(limit):
    t = search()
    parsed = Page(steps_table(t.trace, limit))
    rows = parsed.tags.count("tr") - 1
    assert parsed.tags.count("td") + parsed.tags.count("th") == 7 * (rows + 1)
    if limit == 20:
        assert rows == 21
        assert f"{len(t.trace) - 20:,} more levels" in parsed.texts
        assert {"0", "9", str(len(t.trace) - 10), str(len(t.trace) - 1)} <= set(parsed.texts)
    else:
        assert rows == len(t.trace)


def test_notebooks_show_the_outcome_and_the_levels(backend):
    t = bfs(Matrix.from_edges([0, 1, 1], [1, 2, 3]), 0, backend=backend)
    t.notes.append("<a note>")
    parsed = Page(t._repr_html_())
    assert parsed.texts[0] == t.outcome
    assert "<a note>" in parsed.texts
    assert [text for text in parsed.texts if text.startswith(backend)] == [str(step.arm) for step in t.trace]
    assert Page(bfs(Matrix.from_edges([0], [1]), 0, max_depth=0)._repr_html_()).tags.count("tr") == 1


def test_a_search_as_a_page(tmp_path):
    t = search()
    t.plot(tmp_path / "search.html")
    parsed = Page((tmp_path / "search.html").read_text())
    assert parsed.tags.count("svg") == 1
    assert parsed.tags.count("tr") == len(t.trace) + 1
    assert "level" in parsed.texts


def browser():
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.mark.skipif(browser() is None, reason="needs chromium, chromium-browser or google-chrome on the PATH")
def test_a_browser_shows_the_page(tmp_path):
    from matplotlib.image import imread

    target, picture = tmp_path / "bench.html", tmp_path / "bench.png"
    target.write_text(bench_page(ROWS, "a machine"))
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    command = [browser(), *options, "--window-size=900,1400", f"--screenshot={picture}", target.as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=600)
    image = imread(picture)[..., :3]
    assert image.shape[:2] == (1400, 900)
    blue = (0, 0x72 / 255, 0xB2 / 255)
    assert (abs(image - blue).max(axis=2) < 0.02).sum() > 1000, "the bars are drawn"


def test_a_page_has_one_unit_of_time():
    rows = [
        Row(graph, who, (k * times,)) for graph, k in (("a", 2e-5), ("b", 2.0)) for who, times in (("x", 1), ("y", 3))
    ]
    labels = [text for text in Page(bench_page(rows, "here")).texts if text.startswith("time (")]
    assert labels == ["time (ms)", "time (ms)"]
    t = search()
    t.trace[:] = [step._replace(seconds=2e-7) for step in t.trace]
    for told in (t.summary(), t._repr_html_(), t.outcome):
        assert "ms" in told
        assert "µs" not in told
    assert t.plot().axes[0].get_ylabel() == "time per level (ms)"


def test_times_under_a_microsecond_are_not_nothing():
    t = bfs(Matrix.from_edges([0, 1], [1, 2]), 0)
    t.trace[:] = [step._replace(seconds=seconds) for step, seconds in zip(t.trace, (1.5e-3, 1.2e-7, 0), strict=True)]
    assert [line.split()[5] for line in t.summary().splitlines()[-3:]] == ["1.50000", "0.00012", "0.00000"]
    assert {"1.50000", "0.00012"} <= set(Page(t._repr_html_()).texts)
    ((_, _, median, quartiles, _),) = cells([Row("a", "x", (1.2e-7,))])
    assert (median, quartiles) == ("0.00012", "0.00012–0.00012")
