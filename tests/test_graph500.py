"""The Graph500 run: its steps, its counts and its statistics, against plain Python."""

import json
import math
import statistics
from types import SimpleNamespace

import numpy as np
import pytest

import lagbfs
from lagbfs import VerificationError, energy, graph500, graphs
from lagbfs.base import arrays

KINDS = ["min", "firstquartile", "median", "thirdquartile", "max"]
OFFICIAL = [
    "SCALE",
    "edgefactor",
    "NBFS",
    "graph_generation",
    "construction_time",
    *[f"{kind}_time" for kind in [*KINDS, "mean", "stddev"]],
    *[f"{kind}_nedge" for kind in [*KINDS, "mean", "stddev"]],
    *[f"{kind}_TEPS" for kind in [*KINDS, "harmonic_mean", "harmonic_stddev"]],
]


@pytest.fixture(autouse=True)
def no_counter(monkeypatch):
    """The machine that runs the tests may have counters, or none."""
    monkeypatch.setattr(energy, "counters", lambda: ([], "no energy counter"))


def made_up(times, nedges, **changes):
    """Return a report of given searches."""
    fields = {
        **{"scale": 3, "edge_factor": 16, "seed": 1, "backend": "reference", "threads": None},
        **{"generation_time": 0.5, "construction_time": 0.25, "validation_time": 2.0},
        **{"sources": np.arange(len(times)), "times": np.array(times), "nedges": np.array(nedges)},
        **{"joules": {}, "watts": None, "no_energy": "no energy counter", "peak_memory": 1 << 20},
    }
    return graph500.Report(**{**fields, **changes})


@pytest.fixture(scope="module")
def report(backend):
    return graph500.run(7, 4, sources=20, seed=5, backend=backend, threads=1)


def component(src, dst, source):
    """Return the vertices that edges lead to, either way."""
    near = {}
    for u, v in zip(src.tolist(), dst.tolist(), strict=True):
        near.setdefault(u, set()).add(v)
        near.setdefault(v, set()).add(u)
    reached, left = {source}, [source]
    while left:
        for v in near[left.pop()] - reached:
            reached.add(v)
            left.append(v)
    return reached


def test_each_search_counts_the_listed_edges_of_its_component(report):
    src, dst = graphs.kronecker_edges(7, 4, seed=5)
    for source, nedge in zip(report.sources.tolist(), report.nedges.tolist(), strict=True):
        within = component(src, dst, source)
        assert nedge == sum(u in within and v in within for u, v in zip(src.tolist(), dst.tolist(), strict=True))


def test_listed_edges_are_counted_apart_by_component(monkeypatch):
    # 0 - 1 twice, a loop at 1, and apart from these 2 - 3, and a loop at 4: no source.
    edges = np.array([0, 1, 1, 2, 4], np.int32), np.array([1, 0, 1, 3, 4], np.int32)
    monkeypatch.setattr(graph500, "kronecker_edges", lambda *arguments, **options: edges)
    report = graph500.run(3)
    assert dict(zip(report.sources.tolist(), report.nedges.tolist(), strict=True)) == {0: 3, 1: 3, 2: 1, 3: 1}


def test_edges_are_counted_chunk_by_chunk(monkeypatch):
    src, _ = graphs.kronecker_edges(7, 4, seed=5)
    monkeypatch.setattr(arrays, "_COUNTED", 7)
    assert len(src) > 3 * 128
    assert arrays.occurrences(src, 128).tolist() == np.bincount(src, minlength=128).tolist()


def test_sources_are_different_random_and_have_edges(report):
    assert report.backend in lagbfs.backends.names()
    assert len(report.times) == len(set(report.sources.tolist())) == 20
    assert (graphs.kronecker(7, 4, seed=5).degrees[report.sources] > 0).all()
    assert report.sources.tolist() != sorted(report.sources.tolist())
    other = graph500.run(7, 4, sources=20, seed=6)
    assert other.sources.tolist() != report.sources.tolist()


def test_few_vertices_are_each_searched_from_once():
    report = graph500.run(3, 2)
    assert sorted(report.sources) == np.flatnonzero(graphs.kronecker(3, 2).degrees).tolist()
    assert f"NBFS: {len(report.sources)}\n" in report.text()


def test_text_is_the_official_output_in_its_order(report):
    lines = [line.split(": ", 1) for line in report.text().splitlines()]
    assert [key for key, _ in lines][: len(OFFICIAL)] == OFFICIAL
    figures = {key: float(value) for key, value in lines[: len(OFFICIAL)]}
    assert (figures["SCALE"], figures["edgefactor"], figures["NBFS"]) == (7, 4, 20)
    assert all(value > 0 or key.endswith("stddev_nedge") for key, value in figures.items())
    rest = dict(lines[len(OFFICIAL) :])
    assert rest["validation"] == "20 of 20 trees are valid"
    assert rest["energy"] == "no energy counter"
    peak = report.peak_memory
    assert rest["peak_memory"] == f"{peak} bytes, {peak / 512:.3g} for each edge of the list"


def test_a_dict_is_ready_for_json(report):
    told = json.loads(json.dumps(report.to_dict()))
    assert list(told)[: len(OFFICIAL)] == OFFICIAL
    assert told["energy"] == "no energy counter"
    assert told["peak_memory"] > 1 << 20
    assert told["validated"] == len(told["searches"]) == 20
    first = told["searches"][0]
    assert first["TEPS"] == pytest.approx(first["nedge"] / first["time"])
    lines = dict(line.split(": ", 1) for line in report.text().splitlines())
    assert all(float(lines[key]) == told[key] for key in OFFICIAL)


def test_statistics_are_those_of_the_specification():
    times, nedges = [0.5, 0.25, 1.0, 2.0], [10, 20, 20, 10]
    figures = made_up(times, nedges).statistics()
    assert [figures[f"{kind}_time"] for kind in KINDS] == [0.25, 0.4375, 0.75, 1.25, 2.0]
    assert figures["mean_time"] == statistics.mean(times)
    assert figures["stddev_time"] == pytest.approx(statistics.stdev(times))
    assert [figures[f"{kind}_nedge"] for kind in KINDS] == [10, 10, 15, 20, 20]
    teps = [nedge / time for nedge, time in zip(nedges, times, strict=True)]
    mean = statistics.harmonic_mean(teps)
    assert figures["harmonic_mean_TEPS"] == pytest.approx(mean)
    apart = math.sqrt(sum((1 / each - 1 / mean) ** 2 for each in teps))
    assert figures["harmonic_stddev_TEPS"] == pytest.approx(apart / 3 * mean**2)
    assert (figures["min_TEPS"], figures["max_TEPS"]) == (5, 80)


def test_one_search_has_no_deviation():
    figures = made_up([0.5], [10]).statistics()
    assert figures["stddev_time"] == figures["stddev_nedge"] == figures["harmonic_stddev_TEPS"] == 0
    assert figures["harmonic_mean_TEPS"] == figures["median_TEPS"] == 20


def test_an_invalid_search_ends_the_run(monkeypatch):
    searched = []

    def wrong(A, source, **options):
        searched.append(source)
        parents = lagbfs.bfs(A, source, **options).parents.copy()
        if len(searched) == 4:  # the first warms up
            parents[source] = -1
        return SimpleNamespace(parents=parents)

    monkeypatch.setattr(graph500, "bfs", wrong)
    with pytest.raises(VerificationError, match="source") as caught:
        graph500.run(6)
    assert caught.value.__notes__ == [f"in search 3, from vertex {searched[3]}"]


@pytest.mark.parametrize("built", [[(0, 1)], [(0, 1), (2, 3), (0, 2)]])  # an edge too few, one too many
def test_a_graph_that_is_not_that_of_the_list_ends_the_run(monkeypatch, built):
    edges = np.array([0, 2, 2], np.int32), np.array([1, 3, 2], np.int32)
    wrong = lagbfs.Matrix.from_edges(*zip(*built, strict=True), n=8, directed=False)
    monkeypatch.setattr(graph500, "kronecker_edges", lambda *arguments, **options: edges)
    assert len(graph500.run(3).times) == 4
    monkeypatch.setattr(graph500, "_construct", lambda *arguments: wrong)
    with pytest.raises(VerificationError, match="edge list"):
        graph500.run(3)


def test_a_search_from_the_first_source_warms_up(monkeypatch):
    searched, timed = [], []
    enter = energy.Meter.__enter__
    monkeypatch.setattr(energy.Meter, "__enter__", lambda meter: timed.append(len(searched)) or enter(meter))

    def search(A, source, **options):
        searched.append(source)
        return lagbfs.bfs(A, source, **options)

    monkeypatch.setattr(graph500, "bfs", search)
    report = graph500.run(6, sources=3)
    assert searched == [report.sources[0], *report.sources]
    assert timed == [1, 2, 3]  # it was over when the first was timed
    assert len(report.times) == report.to_dict()["NBFS"] == 3
    assert "warm_up: a search from the first source, not timed\n" in report.text()
    assert report.to_dict()["warm_up"] == "a search from the first source, not timed"


def test_energy_of_the_searches_alone(monkeypatch):
    used = [0]
    monkeypatch.setattr(energy, "counters", lambda: ([energy.Counter("package-0", lambda: used[0])], ""))

    def spend(A, source, **options):
        used[0] += 2_000_000
        return lagbfs.bfs(A, source, **options)

    def spend_elsewhere(A, source, **options):
        used[0] += 7_000_000

    monkeypatch.setattr(graph500, "bfs", spend)
    monkeypatch.setattr(graph500, "verify", spend_elsewhere)
    report = graph500.run(5, sources=4)
    assert report.joules == {"package-0": 8}
    assert report.teps_per_watt == pytest.approx(report.statistics()["harmonic_mean_TEPS"] / report.watts)
    assert "energy: 8 J package-0\n" in report.text()
    assert "TEPS_per_watt: " in report.text()
    assert report.to_dict()["energy"]["joules"] == {"package-0": 8}
    json.dumps(report.to_dict())


def test_counters_that_did_not_move_are_said():
    report = made_up([0.5], [10], joules={"package-0": 0.0}, no_energy="")
    assert report.text().endswith("energy: the counters did not move during the searches")
    assert report.to_dict()["energy"]["TEPS_per_watt"] is None


def test_progress_is_told():
    told = []
    graph500.run(5, sources=3, progress=lambda *step: told.append(step))
    assert told[:4] == [("generation", 0, 1), ("generation", 1, 1), ("construction", 0, 1), ("construction", 1, 1)]
    assert told[4:] == [("searches", i, 3) for i in range(4)]


def test_construction_includes_the_layout(monkeypatch):
    made = []
    optimize = lagbfs.Matrix.optimize
    monkeypatch.setattr(lagbfs.Matrix, "optimize", lambda A, **options: made.append(options) or optimize(A, **options))
    report = graph500.run(5, sources=2, threads=2)
    assert made == [{"backend": report.backend, "threads": 2}]
    assert report.threads == 2


@pytest.mark.parametrize(
    ("arguments", "options", "said"),
    [
        ((-1,), {}, "scale"),
        ((0,), {}, "no loop"),
        ((4, 0), {}, "edge_factor"),
        ((4,), {"sources": 0}, "sources"),
        ((4,), {"seed": -1}, "seed"),
        ((4,), {"threads": 0}, "threads"),
        ((4,), {"backend": "nonsense"}, "backend"),
    ],
)
def test_bad_arguments_are_named(arguments, options, said):
    with pytest.raises(ValueError, match=said):
        graph500.run(*arguments, **options)
