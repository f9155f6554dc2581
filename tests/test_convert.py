"""What a file cannot keep of a graph is said, and can be written beside it."""

import csv
import json
import warnings

import pytest

import lagbfs
from lagbfs import Matrix
from lagbfs.io import formats, lost

NAMED = Matrix.from_edges([0, 1], [1, 2], directed=False, labels=["ann", "bob", "c, d"])
WEIGHTED = Matrix.from_edges([0, 1], [1, 2], weights=[7, 8], directed=False)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a graph whose vertices have names, and one with weights."""
    monkeypatch.chdir(tmp_path)
    lagbfs.write("named.csv", NAMED)
    lagbfs.write("weighted.mtx", WEIGHTED)
    return tmp_path


@pytest.mark.parametrize("format_", formats())
@pytest.mark.parametrize("A", [NAMED, WEIGHTED], ids=["names", "values"])
def test_what_is_lost_is_what_is_not_read_again(tmp_path, A, format_):
    lagbfs.write(tmp_path / "a", A, format=format_)
    read = lagbfs.read(tmp_path / "a", format=format_)
    there = {"names of vertices": read.labels == A.labels, "values": read.isequal(A)}
    expected = "names of vertices" if A is NAMED else "values"
    assert lost(tmp_path / "a", A, format=format_) == (() if there[expected] else (expected,))


@pytest.mark.parametrize("name", ["a.mtx", "a.el", "a.gr", "a.graph.gz", "a.sg"])
def test_names_that_are_lost_are_told_with_the_remedy(run, folder, name):
    code, out, error = run("convert", "named.csv", name)
    assert code == 0
    assert "written" in out
    assert error == (
        f"lagbfs: warning: {name} has not the graph's names of vertices: `convert --names FILE` writes them beside it; "
        ".csv, .tsv, .txt and .npz keep them\n"
    )
    code, out, error = run("convert", "named.csv", name, "--json")
    assert json.loads(out)["lost"] == ["names of vertices"]
    assert "--names" in error


@pytest.mark.parametrize("name", ["a.txt", "a.csv", "a.npz"])
def test_nothing_is_said_where_nothing_is_lost(run, folder, name):
    code, out, error = run("convert", "named.csv", name, "--json")
    assert (code, json.loads(out)["lost"], error) == (0, [], "")


def test_values_that_are_lost_are_told(run, folder):
    _, _, error = run("convert", "weighted.mtx", "a.sg")
    assert "has not the graph's values" in error
    assert run("convert", "weighted.mtx", "a.wsg")[2] == ""


@pytest.mark.parametrize(("name", "separator"), [("n.csv", ","), ("n.tsv", "\t")])
def test_names_are_written_beside(run, folder, name, separator):
    code, out, error = run("convert", "named.csv", "a.sg", "--names", name)
    assert (code, error) == (0, "")
    assert out.endswith(f"names to {name}\n")
    with open(name, newline="") as file:
        assert list(csv.reader(file, delimiter=separator)) == [
            ["vertex", "name"],
            ["0", "ann"],
            ["1", "bob"],
            ["2", "c, d"],
        ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["named.csv", "a.sg", "--names", "n.doc"], "--names must end in .csv, .tsv"),
        (["named.csv", "a.csv", "--names", "./a.csv"], "another file"),
        (["named.csv", "-", "--to", "sg", "--names", "-"], "another file"),
        (["weighted.mtx", "a.sg", "--names", "n.csv"], "have no names"),
        (["named.csv", "a.sg", "--names", "no/n.csv"], "there is no folder"),
    ],
)
def test_names_that_cannot_be_written_are_refused(run, folder, arguments, said):
    before = sorted(folder.iterdir())
    code, _, error = run("convert", *arguments)
    assert code == 2
    assert said in error
    assert sorted(folder.iterdir()) == before


def test_a_format_that_nobody_knows_is_refused_before_reading(run, folder, monkeypatch):
    monkeypatch.setattr("lagbfs.cli.graph.load", lambda *arguments: pytest.fail("it was read"))
    code, _, error = run("convert", "named.csv", "a.nonsense")
    assert code == 2
    assert "path must end with one of .mtx" in error


@pytest.mark.parametrize("command", ["info", "bfs", "convert", "bench"])
def test_more_vertices_can_be_allowed_or_refused(run, folder, command):
    (folder / "far.txt").write_text(f"0 {2**24}\n")
    rest = {"convert": ["a.sg"], "bench": ["--sources", 1, "--against"]}.get(command, [])
    code, _, error = run(command, "far.txt", *rest)
    assert code == 2
    assert "--max-vertices" in error
    code, _, error = run(command, "far.txt", *rest, "--max-vertices", 3)
    assert code == 2
    assert "beyond the 3" in error


def test_allowed_vertices_are_read(run, folder):
    (folder / "far.txt").write_text(f"0 {2**24}\n")
    code, out, _ = run("info", "far.txt", "--max-vertices", 2**24 + 1, "--json")
    assert (code, json.loads(out)["rows"]) == (0, 2**24 + 1)
    code, _, error = run("info", "far.txt", "--max-vertices", -1)
    assert code == 2
    assert "max_vertices" in error


def test_warnings_are_told_as_the_commands_own(run, folder):
    (folder / "c.mtx").write_text("%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 2 0 1\n")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        code, _, error = run("info", "c.mtx")
    assert code == 0
    assert error == "lagbfs: warning: c.mtx has complex values, which a Matrix cannot hold: only its pattern is read\n"
