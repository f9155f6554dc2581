"""``lagbfs bench many``: many searches at once against single ones."""

import json

import pytest

from lagbfs import LagbfsError, Matrix, graphs
from lagbfs.measure import many


def test_rows():
    rows = many.compare("path", graphs.path(30), sources=5, backend="reference")
    assert [(row.graph, row.sources, row.results) for row in rows] == [("path", 5, "levels"), ("path", 5, "sums")]
    assert all(row.ratio == row.single / row.many > 0 and row.way for row in rows)


def test_graphs_with_labels():
    networkx = pytest.importorskip("networkx")
    A = Matrix.from_networkx(networkx.path_graph(["a", "b"]))
    assert many.compare("ab", A, sources=3, results=["sums"])[0].sources == 3


@pytest.mark.parametrize(
    ("A", "options", "words"),
    [
        (Matrix.from_edges([], [], n=3), {}, "no edges"),
        (graphs.path(3), {"sources": 0}, "sources"),
        (graphs.path(3), {"results": ["order"]}, "results"),
    ],
)
def test_bad_input(A, options, words):
    with pytest.raises(LagbfsError, match=words):
        many.compare("a", A, **options)


def test_the_command(run):
    code, out, _ = run("bench", "many", "path-40", "--sources", "3", "--backend", "reference", "--json")
    assert code == 0
    assert [row["results"] for row in json.loads(out)["rows"]] == ["levels", "sums"]


def test_what_it_has_no_use_for_is_refused(run):
    code, _, err = run("bench", "many", "path-40", "--against", "scipy")
    assert code != 0
    assert "bench many" in err
