"""The corpus: what it is made of, and the table that keeps what was measured of it."""

import csv

import numpy as np
import pytest

from lagbfs import Matrix, backends, graphs
from lagbfs.errors import FileFormatError
from lagbfs.measure.training import corpus
from lagbfs.measure.training.corpus import COLUMNS

SMALL = {
    "grid": lambda: graphs.grid(4, 5),
    "star": lambda: graphs.star(9),
    "web": lambda: graphs.rmat(5, directed=True),
}


needs_native = pytest.mark.skipif(
    not any(info.name == "native" and info.runs for info in backends.available()),
    reason="needs the native engine: a C++ compiler at installation",
)


@pytest.fixture(scope="module")
def measured():
    return corpus.measure(SMALL, backend=["reference", "suitesparse"], sources=2, repeats=1)


@pytest.mark.parametrize("scale", [4, 7])
def test_generated_graphs_exist_for_small_scales(scale):
    found = corpus.generated(scale)
    assert all(name.endswith(f"-{scale}") for name in found)
    for make in found.values():
        A = make()
        assert 2 ** (scale - 3) <= A.nrows <= 2 ** (scale + 1)
        assert A.nrows == A.ncols
        assert A.nvals


def test_the_table_keeps_what_was_measured(measured, tmp_path):
    path, again = tmp_path / "table.csv", tmp_path / "again.csv"
    corpus.write(path, measured)
    found = corpus.read(path)
    corpus.write(again, found)
    assert path.read_bytes() == again.read_bytes()
    assert len(found) == len(measured) == 6
    for a, b in zip(found, measured, strict=True):
        assert (a.graph, a.source, a.run.arms, a.run.n, a.run.m) == (b.graph, b.source, b.run.arms, b.run.n, b.run.m)
        assert [step[:5] for step in a.run.steps] == [step[:5] for step in b.run.steps]
        assert a.run.by_form == pytest.approx(b.run.by_form, rel=1e-3)
        assert a.run.form_after == b.run.form_after
        assert a.run.moves == pytest.approx(b.run.moves, rel=1e-3)
        np.testing.assert_allclose(a.run.seconds, b.run.seconds, rtol=1e-3)
        assert a.run.fastest == pytest.approx(b.run.fastest, rel=1e-3)
        assert a.out_degrees == pytest.approx(b.out_degrees, rel=1e-5)
        assert a.in_degrees == pytest.approx(b.in_degrees, rel=1e-5)


@needs_native
def test_the_table_keeps_what_was_measured_on_one_thread(tmp_path):
    path, again = tmp_path / "table.csv", tmp_path / "again.csv"
    made = corpus.measure(SMALL, backend=["native", "suitesparse"], sources=1, repeats=1, threads=2, alone=True)
    assert [(each.run.threads, each.alone.threads) for each in made] == [(2, 1)] * len(SMALL)
    assert {arm.backend for each in made for arm in each.alone.arms} == {"native"}
    corpus.write(path, made)
    found = corpus.read(path)
    corpus.write(again, found)
    assert path.read_bytes() == again.read_bytes()
    for a, b in zip(found, made, strict=True):
        assert (a.run.threads, a.alone.threads, a.alone.arms) == (2, 1, b.alone.arms)
        assert a.alone.by_form == pytest.approx(b.alone.by_form, rel=1e-3)
        assert a.run.by_form == pytest.approx(b.run.by_form, rel=1e-3)


def test_a_table_of_nothing(tmp_path):
    corpus.write(tmp_path / "table.csv", [])
    assert corpus.read(tmp_path / "table.csv") == []


def test_names_with_commas_and_quotes_survive(measured, tmp_path):
    from dataclasses import replace

    corpus.write(tmp_path / "table.csv", [replace(measured[0], graph='a,"b"\nc')])
    assert corpus.read(tmp_path / "table.csv")[0].graph == 'a,"b"\nc'


def test_the_same_seed_picks_the_same_sources():
    def sources(seed):
        found = corpus.measure(SMALL, backend="reference", sources=3, repeats=1, seed=seed)
        return [(each.graph, each.source) for each in found]

    assert sources(5) == sources(5)
    assert sources(5) != sources(6)
    assert len(set(sources(5))) == 9  # no search twice


def test_sources_have_edges_and_graphs_without_any_are_left_out():
    makers = {
        "one": lambda: Matrix.from_edges([3], [4], n=9),
        "none": lambda: Matrix.from_edges([], [], n=9),
    }
    shown = []
    found = corpus.measure(
        makers, backend="reference", sources=3, repeats=1, progress=lambda *what: shown.append(what[:2])
    )
    assert [(each.graph, each.source) for each in found] == [("one", 3)]
    assert shown == [(0, 2), (1, 2), (2, 2)]


def changed(line, **cells):
    return [str(cells.get(name, cell)) for name, cell in zip(COLUMNS, line, strict=True)]


BAD = {
    "short": lambda line: line[:-1],
    "long": lambda line: [*line, "1"],
    "empty": lambda line: [],
    "not a number": lambda line: changed(line, frontier="many"),
    "not whole": lambda line: changed(line, frontier="1.5"),
    "negative": lambda line: changed(line, unvisited=-1),
    "negative vertices": lambda line: changed(line, n=-1),
    "huge": lambda line: changed(line, m="9" * 30),
    "longer than integers are read": lambda line: changed(line, m="9" * 5000),
    "no degree": lambda line: changed(line, out_mean="nan"),
    "time that is none": lambda line: changed(line, seconds="nan"),
    "endless": lambda line: changed(line, seconds="inf"),
    "before it began": lambda line: changed(line, seconds="-1e-9"),
    "no number of threads": lambda line: changed(line, threads="-1"),
    "no form": lambda line: changed(line, form="heap"),
    "no form after": lambda line: changed(line, form_after="heap"),
    "no direction": lambda line: changed(line, arm="reference sideways"),
    "no engine": lambda line: changed(line, arm=" push"),
    "one engine twice": lambda line: changed(line, arm="native > native"),
    "three engines": lambda line: changed(line, arm="a > b > c"),
    "nowhere": lambda line: changed(line, arm="native > "),
    "a level left out": lambda line: changed(line, level=7),
    "another size": lambda line: changed(line, level=0),
    "another graph": lambda line: changed(line, n=77),
    "no text": lambda line: changed(line, graph="\udcff"),
    "NUL": lambda line: changed(line, n="\0"),
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_malformed_tables_are_refused_with_the_line(measured, tmp_path, bad):
    path = tmp_path / "table.csv"
    corpus.write(path, measured[:2])
    with open(path, newline="") as file:
        lines = list(csv.reader(file))
    lines[3] = bad(lines[3])
    with open(path, "w", newline="", errors="surrogateescape") as file:
        csv.writer(file).writerows(lines)
    with pytest.raises(FileFormatError, match="line 4") as caught:
        corpus.read(path)
    assert caught.value.line == 4


@pytest.mark.parametrize("text", [b"", b"a,b\n", b"\xff\xfe\n", b'"' + b"x" * 200_000])
def test_what_is_no_table_is_refused(tmp_path, text):
    path = tmp_path / "table.csv"
    path.write_bytes(text)
    with pytest.raises(FileFormatError, match="line 1"):
        corpus.read(path)
    path.write_bytes(",".join(COLUMNS).encode() + b"\n" + text)
    if text:
        with pytest.raises(FileFormatError, match="line 2"):
            corpus.read(path)
    else:
        assert corpus.read(path) == []


def test_a_table_of_moves_alone_is_refused(measured, tmp_path):
    path = tmp_path / "table.csv"
    corpus.write(path, measured[:1])
    lines = [line for line in path.read_text().splitlines() if " > " in line or line.startswith("graph,")]
    assert len(lines) == 3
    path.write_text("\n".join(lines))
    with pytest.raises(FileFormatError, match="line 2"):
        corpus.read(path)
