"""`lagbfs bench functions`: what is checked, what is timed, what is told."""

import json

import pytest

from lagbfs import LagbfsError, Matrix, graphs
from lagbfs.errors import VerificationError
from lagbfs.measure import functions


def test_every_function_of_networkx_is_checked_and_timed():
    timings = functions.against_networkx("grid", graphs.grid(6, 7), rounds=2)
    assert [timing.function for timing in timings] == [
        "conversion",
        "bfs_tree",
        "single_source_shortest_path_length",
        "connected_components",
        "closeness_centrality",
        "betweenness_centrality, k = 42",
        "pagerank",
        "triangles",
    ]
    for timing in timings[1:]:
        assert set(timing.seconds) == {"converted", "fresh", "networkx"}
        assert timing.ratio("converted", "networkx") > 0
        assert timing.ratio("converted", "igraph") is None
    assert {timing.function for timing in timings if timing.dictionary} >= {"pagerank", "triangles"}
    assert "rule of three" in timings[4].note


def test_every_function_of_scipy_is_checked_and_timed():
    timings = functions.against_scipy("grid", graphs.grid(6, 7), rounds=2)
    assert {timing.function for timing in timings} >= {"breadth_first_order", "dijkstra", "johnson", "laplacian"}
    assert all(timing.ratio(own, "scipy") > 0 for timing in timings for own in ("again", "fresh"))


def test_igraph_beside_them():
    pytest.importorskip("igraph", reason="needs igraph")
    timings = functions.against_networkx("grid", graphs.grid(6, 7), igraph=True, rounds=1)
    assert [timing.function for timing in timings if "igraph" in timing.seconds] == [
        "conversion",
        "bfs_tree",
        "single_source_shortest_path_length",
        "connected_components",
        "pagerank",
    ]


def test_wrong_results_are_not_timed(monkeypatch):
    from lagbfs import csgraph

    monkeypatch.setattr(csgraph, "dijkstra", lambda array, **_: [1.0] * array.shape[0])
    with pytest.raises(VerificationError, match="dijkstra"):
        functions.against_scipy("path", graphs.path(5), rounds=1)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: functions.against_networkx("arrow", Matrix.from_edges([0], [1])), "both ways"),
        (lambda: functions.against_networkx("none", Matrix.from_edges([], [], n=3)), "no edges"),
        (lambda: functions.against_scipy("none", Matrix.from_edges([], [], n=3)), "no edges"),
        (lambda: functions.against_scipy("path", graphs.path(3), rounds=0), "rounds"),
    ],
)
def test_bad_input(call, words):
    with pytest.raises(LagbfsError, match=words):
        call()


def test_the_command(run):
    code, out, _ = run("bench", "functions", "grid-6", "--against", "networkx", "scipy", "--json")
    assert code == 0
    assert {row["library"] for row in json.loads(out)["rows"]} == {"networkx", "scipy"}
    code, out, _ = run("bench", "functions", "path-30", "--against", "scipy")
    assert code == 0
    assert "breadth_first_order" in out


def test_what_it_has_no_use_for_is_refused(run):
    for option in (["--against", "networkit"], ["--html", "page.html"]):
        code, _, err = run("bench", "functions", "grid-6", *option)
        assert code == 2
        assert "bench functions" in err or "networkit" in err
