"""``lagbfs bench centralities``: what is compared, and how it is told."""

import json

import numpy as np
import pytest

from lagbfs import LagbfsError, Matrix, VerificationError, graphs
from lagbfs.measure import centralities


def test_rows():
    rows = centralities.compare("grid", graphs.grid(9, 9), against=[], roots=4, backend="reference")
    assert [row.quantity for row in rows] == [*centralities.QUANTITIES]
    for row in rows:
        assert len(row.seconds["lagbfs"]) == 3
        assert row.search > 0
        assert row.ratio("igraph") is None
        assert row.ratio("lagbfs") == 1


@pytest.mark.parametrize("peer", centralities.PEERS)
def test_other_libraries_find_the_same(peer):
    pytest.importorskip(peer)
    A = Matrix.from_edges(
        [*graphs.barabasi_albert(60, 2).to_coo()[0], 70],
        [*graphs.barabasi_albert(60, 2).to_coo()[1], 71],
        directed=False,
    )
    rows = centralities.compare("two parts", A, against=[peer], roots=5)
    assert all(row.ratio(peer) > 0 for row in rows)


def test_wrong_results_are_not_timed(monkeypatch):
    wrong = {quantity: lambda: np.zeros(9) for quantity in centralities.QUANTITIES}
    monkeypatch.setitem(centralities._PEERS, "igraph", lambda graph: wrong)
    for quantity in centralities.QUANTITIES:
        with pytest.raises(VerificationError, match=quantity):
            centralities.compare("path", graphs.path(9), quantities=[quantity], against=["igraph"])


@pytest.mark.parametrize(
    ("A", "options", "words"),
    [
        (Matrix.from_edges([0], [1]), {}, "both ways"),
        (Matrix(bool, 3, 3), {}, "edges"),
        (graphs.path(3), {"roots": 1}, "roots"),
        (graphs.path(3), {"quantities": ["katz"]}, "quantities"),
        (graphs.path(3), {"against": ["scipy"]}, "against"),
    ],
)
def test_bad_input(A, options, words):
    with pytest.raises(LagbfsError, match=words):
        centralities.compare("a", A, **options)


def test_the_command(run):
    asked = ("bench", "centralities", "diameter", "path-40", "--backend", "reference", "--against")
    code, out, _ = run(*asked, "--json")
    assert code == 0
    assert [row["quantity"] for row in json.loads(out)["rows"]] == ["diameter"]
    code, out, _ = run(*asked)
    assert "in searches" in out
    code, _, err = run("bench", "centralities", "path-40", "--html", "page.html")
    assert code != 0
    assert "bench centralities" in err
