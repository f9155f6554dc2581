"""``lagbfs bench files``: how long it takes until a graph is there."""

import json

import pytest

from lagbfs import LagbfsError, Matrix, graphs
from lagbfs.measure import files


def test_rows():
    rows = files.compare("path", graphs.path(30), repeats=1)
    assert [row.way for row in rows] == list(files.WAYS)
    assert all(0 < row.read < row.searched and row.size > 0 for row in rows)


@pytest.mark.parametrize("A", [Matrix.from_edges([], [], n=3), Matrix(int, 1, 2), Matrix.from_edges(["a"], ["b"])])
def test_bad_input(A):
    with pytest.raises(LagbfsError, match="must be a graph with edges and without labels"):
        files.compare("a", A)


def test_the_command(run):
    code, out, _ = run("bench", "files", "path-40", "--json")
    assert code == 0
    assert [row["way"] for row in json.loads(out)["rows"]] == list(files.WAYS)
    code, _, err = run("bench", "files", "path-40", "--against", "scipy")
    assert code == 2
    assert "bench files" in err
