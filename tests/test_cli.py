"""The command line: what it prints, and its exit codes."""

import json

import numpy as np
import pytest

import lagbfs
from lagbfs import Matrix, bench, graphs
from lagbfs.errors import VerificationError
from lagbfs.measure.training import corpus, evaluation


def test_bfs_shows_every_level_and_verifies(run):
    code, out, _ = run("bfs", "kronecker-8")
    assert code == 0
    assert out.startswith("Matrix(256 × 256")
    assert "MTEPS" in out
    assert "probes expected" in out  # why
    assert out.endswith("verified\n")


def test_bfs_takes_engine_direction_depth_and_source(run, backend, direction):
    code, out, _ = run(
        "bfs", "grid-5", "--backend", backend, "--direction", direction, "--max-depth", 1, "--source", 0, "--threads", 1
    )
    assert code == 0
    assert f"{backend} {direction}" in out
    assert f"only {direction} was allowed" in out
    assert "1 level deep" in out


def test_bfs_takes_several_sources_and_a_target(run):
    code, out, _ = run("bfs", "path-9", "--source", 0, "--source", 8, "--target", 2, "--json")
    assert code == 0
    found = json.loads(out)
    assert found["sources"] == [0, 8]
    assert found["depth"] == 2
    assert found["reached"] == 6
    assert found["verified"] is True
    assert [level["frontier"] for level in found["levels"]] == [2, 2]


def test_a_long_search_is_shortened_unless_all_is_wanted(run):
    _, short, _ = run("bfs", "path-200", "--source", 0)
    _, whole, _ = run("bfs", "path-200", "--source", 0, "--all")
    assert "…" in short
    assert len(whole.splitlines()) >= 200 > len(short.splitlines())


def test_bfs_explains_what_every_arm_was_expected_to_take(run):
    code, out, _ = run("bfs", "kronecker-8", "--backend", "suitesparse", "--explain")
    assert code == 0
    heads = next(line for line in out.splitlines() if line.startswith("level")).split()
    assert heads == ["level", "frontier", "arm", "measured", "push", "pull", "why"]
    assert "predicted" in out
    assert "probes expected" in out
    _, plain, _ = run("bfs", "kronecker-8", "--backend", "suitesparse")
    assert "predicted" not in plain


def test_bfs_explains_a_long_search_in_few_lines(run):
    arguments = ("bfs", "path-200", "--source", 0, "--selector", "push", "--explain")
    _, short, _ = run(*arguments)
    _, whole, _ = run(*arguments, "--all")
    assert "0–199" in short
    assert len(short.splitlines()) < 10
    assert len(whole.splitlines()) >= 200


def test_bfs_explains_in_json(run):
    _, out, _ = run("bfs", "kronecker-8", "--backend", "suitesparse", "--explain", "--json")
    for level in json.loads(out)["levels"]:
        assert level["predicted_seconds"].keys() == {"suitesparse push", "suitesparse pull"}
        assert level["arm"] in level["predicted_seconds"]
        assert level["seconds"] >= 0
        assert level["why"]
    _, out, _ = run("bfs", "kronecker-8", "--json")
    assert all("predicted_seconds" not in level for level in json.loads(out)["levels"])


def test_quiet_leaves_the_outcome(run):
    _, out, _ = run("bfs", "grid-4", "--quiet")
    assert len(out.splitlines()) == 2
    assert out.startswith("reached 16 of 16")


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".npz"])
def test_bfs_writes_levels_and_parents(run, tmp_path, suffix):
    path = tmp_path / f"found{suffix}"
    assert run("bfs", "path-4", "--source", 1, "--out", path)[0] == 0
    if suffix == ".npz":
        with np.load(path) as arrays:
            assert arrays["levels"].tolist() == [1, 0, 1, 2]
            assert arrays["parents"].tolist() == [1, 1, 1, 2]
    else:
        rows = [line.split("," if suffix == ".csv" else "\t") for line in path.read_text().splitlines()]
        assert rows == [["vertex", "level", "parent"], *(list(row) for row in ("011", "101", "211", "322"))]


def test_unreached_vertices_have_a_level_of_minus_one_and_no_parent(run, tmp_path):
    graph, found = tmp_path / "names.txt", tmp_path / "found.csv"
    graph.write_text("ann bob\ncyd ann\n")
    assert run("bfs", graph, "--directed", "--source", "ann", "--out", found)[0] == 0
    assert found.read_text().splitlines()[1:] == ["ann,0,ann", "bob,1,ann", "cyd,-1,"]


def test_labels_in_and_out(run, tmp_path):
    graph, found = tmp_path / "names.txt", tmp_path / "found.csv"
    graph.write_text("ann bob\nbob cy,d\n".replace("cy,d", "cyd"))
    assert run("bfs", graph, "--source", "ann", "--out", found)[0] == 0
    assert found.read_text().splitlines()[1:] == ["ann,0,ann", "bob,1,ann", "cyd,2,bob"]


def test_bfs_plots(run, tmp_path):
    pytest.importorskip("matplotlib")
    assert run("bfs", "kronecker-6", "--plot", tmp_path / "levels.png")[0] == 0
    assert (tmp_path / "levels.png").read_bytes().startswith(b"\x89PNG")
    page = tmp_path / "predicted.html"
    assert run("bfs", "kronecker-6", "--selector", "beamer", "--plot-predictions", page)[0] == 0
    assert "<svg" in page.read_text()
    assert "limit" in page.read_text()  # why


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bfs", "nonsense"], "nonsense"),
        (["bfs", "missing.sg"], "missing.sg"),
        (["bfs", "grid-0"], "no vertices"),
        (["bfs", "grid-3", "--source", "9"], "source must lie in [0, 9)"),
        (["bfs", "grid-3", "--source", "ann"], "source must be a vertex number"),
        (["bfs", "grid-3", "--backend", "nonsense"], "backend must be one of"),
        (["bfs", "grid-3", "--out", "found.doc"], ".csv, .tsv, .npz"),
        (["bfs", "grid-3", "--plot", "levels.doc"], ".png, .svg"),
        (["bfs", "grid-3", "--plot-predictions", "predicted.doc"], ".png, .svg"),
        (["bench", "grid-3", "--against", "nonsense"], "contender must be one of"),
        (["bench", "grid-3", "--against", "gapbs"], "--gapbs PATH"),
        (["generate", "nonsense", "-o", "a.sg"], "maker must be one of"),
        (["generate", "kronecker", "-o", "a.sg"], "needs scale=…"),
        (["generate", "kronecker", "scale=x", "-o", "a.sg"], "scale must be a number"),
        (["generate", "kronecker", "size=3", "-o", "a.sg"], "scale, edge_factor, seed"),
        (["convert", "grid-3", "a.nonsense"], "nonsense"),
        (["graph500", "--scale", "-1"], "scale"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(arguments, said, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, _, error = run(*arguments)
    assert code == 2
    assert error.startswith("lagbfs: ")
    assert said in error
    assert error.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_failed_verification_has_its_own_exit_code(monkeypatch, run):
    def fail(self):
        raise VerificationError("tree edge", 3, "made up")

    monkeypatch.setattr("lagbfs.search.traversal.Traversal.verify", fail)
    code, _, error = run("bfs", "grid-3")
    assert code == 1
    assert "tree edge: made up" in error


def test_an_interrupt_is_no_traceback(monkeypatch, run):
    def interrupt(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("lagbfs.cli.search.bfs", interrupt)
    assert run("bfs", "grid-3")[0] == 130


def test_info_tells_what_is_in_a_file(run, tmp_path):
    lagbfs.write(tmp_path / "a.mtx", Matrix.from_edges([0, 1, 1, 4], [1, 1, 2, 4], n=6))
    code, out, _ = run("info", tmp_path / "a.mtx", "--json")
    assert code == 0
    facts = json.loads(out)
    expected = {"rows": 6, "entries": 4, "loops": 2, "isolated": 2, "symmetric": False, "components": 4}
    assert {key: facts[key] for key in expected} == expected


def test_generate_and_convert(run, tmp_path):
    assert run("generate", "kronecker", "scale=6", "seed=3", "-o", tmp_path / "a.mtx.gz")[0] == 0
    assert run("convert", tmp_path / "a.mtx.gz", tmp_path / "a.sg")[0] == 0
    assert lagbfs.read(tmp_path / "a.sg").isequal(graphs.kronecker(6, seed=3))


def test_graph500_prints_the_official_statistics(run):
    code, out, _ = run("graph500", "--scale", 6, "--sources", 4)
    assert code == 0
    for key in ("SCALE", "NBFS", "construction_time", "harmonic_mean_TEPS"):
        assert key in out
    code, out, _ = run("graph500", "--scale", 6, "--sources", 4, "--json")
    assert json.loads(out)["SCALE"] == 6


def test_doctor_knows_every_engine(run):
    code, out, _ = run("doctor")
    assert code == 0
    assert all(name in out for name in lagbfs.backends.names())
    code, out, _ = run("doctor", "--json")
    assert {engine["name"] for engine in json.loads(out)["engines"]} == set(lagbfs.backends.names())


def test_bench_compares_engines_and_libraries(run, backend):
    peers = ["reference:fresh@1", "scipy", "python-graphblas"]
    code, out, _ = run("bench", "kronecker-6", "--backend", backend, "--sources", 2, "--against", *peers)
    assert code == 0
    rows = [row.split() for row in out.splitlines()]
    assert [row[1] for row in rows if row and row[0] == "kronecker-6"] == [backend, *peers]


@pytest.fixture
def named(tmp_path):
    """A file of a graph whose vertices have names, one of them a number that is another's index."""
    path = tmp_path / "named.txt"
    path.write_text("ann bob\nbob cyd\ncyd 0\n0 ann\n")
    assert lagbfs.read(path).labels == ("ann", "bob", "cyd", "0")
    return path


def test_bench_takes_graphs_with_named_vertices(run, backend, named):
    peers = ["reference:fresh", "scipy", "python-graphblas"]
    code, out, error = run("bench", named, "--backend", backend, "--sources", 2, "--json", "--against", *peers)
    assert code == 0, error
    assert [row["contender"] for row in json.loads(out)["rows"]] == [backend, *peers]


def test_bench_times_searches_after_other_work(run, backend, monkeypatch):
    chilled = []
    monkeypatch.setattr("lagbfs.measure.bench.chill", lambda: chilled.append(1))
    command = ("bench", "grid-5", "--backend", backend, "--against", "scipy", "--sources", 2, "--json")
    assert run(*command)[0] == 0
    assert chilled == []
    code, out, error = run(*command, "--cold")
    assert code == 0, error
    assert json.loads(out)["method"].endswith("; cold")
    assert len(chilled) == 2 * 3 * 6  # contenders; first calls and sources; untimed once and timed five times


def test_bench_cannot_chill_what_times_itself(run):
    code, _, error = run("bench", "grid-5", "--against", "gapbs", "--gapbs", "bfs", "--cold")
    assert code == 2
    assert "gapbs times itself" in error


def test_bench_times_each_result(run, backend):
    wanted = ["parents", "levels", "both", "order"]
    code, out, error = run(
        "bench", "grid-4", "--backend", backend, "--sources", 1, "--json", "--results", *wanted, "--against", "scipy"
    )
    assert code == 0, error
    rows = json.loads(out)["rows"]
    assert [row["results"] for row in rows] == [*wanted, "order"]
    assert [row["contender"] for row in rows] == [backend, *(f"{backend} ({what})" for what in wanted[1:]), "scipy"]
    with pytest.raises(ValueError, match="results must be one of"):
        bench.compare("grid", graphs.grid(3, 3), ["reference"], results=["paths"])


def test_search_writes_vertices_in_order(run, tmp_path):
    for name in ("found.csv", "found.npz"):
        command = ("bfs", "path-9", "--source", 4, "--order", "--max-depth", 1, "--out", tmp_path / name)
        assert run(*command)[0] == 0
    lines = (tmp_path / "found.csv").read_text().splitlines()[1:]
    assert [line.split(",")[0] for line in lines] == ["4", "3", "5", "0", "1", "2", "6", "7", "8"]
    assert np.load(tmp_path / "found.npz")["order"].tolist() == [4, 3, 5]


def test_bench_selectors_takes_graphs_with_named_vertices(run, named):
    code, out, error = run("bench", "selectors", named, "--sources", 2, "--json")
    assert code == 0, error
    found = json.loads(out)
    assert found["end_to_end_seconds"].keys() == found["slowdowns"]["learned, 1st"].keys() == {"named.txt"}


def test_training_takes_graphs_with_named_vertices(named):
    searched = corpus.measure({"named": lambda: lagbfs.read(named)}, sources=4, backend="reference", repeats=1)
    assert sorted(search.source for search in searched) == [0, 1, 2, 3]
    share, seconds = evaluation.choosing_share(lagbfs.read(named), [0, 3], backend="reference")
    assert 0 <= share <= 1
    assert seconds >= 0


def test_bench_runs_gapbs_on_the_same_graph(tmp_path, run):
    program, asked = tmp_path / "bfs", tmp_path / "asked"
    program.write_text(
        f"""#!/bin/sh
        test -s "$2" || exit 1
        echo "$6" >> {asked}
        for i in $(seq "$6"); do echo "Trial Time:          $([ "$i" -le $(($6 - 5)) ] && echo 9 || echo 0).00125"; done
        """
    )
    program.chmod(0o755)
    code, out, _ = run("bench", "grid-3", "--sources", 2, "--against", "--gapbs", program, "--json")
    assert code == 0
    rows = {row["contender"]: row for row in json.loads(out)["rows"]}
    assert rows["gapbs"]["median_seconds"] == 0.00125  # not the 9.00125 of trials that are to warm it
    assert asked.read_text().split()[:2] == [
        "6",
        "13",
    ]  # ten milliseconds are one trial of unknown length, or 8 of 1.25


def test_bench_writes_a_page(tmp_path, run):
    pytest.importorskip("matplotlib")
    page = tmp_path / "bench.html"
    assert run("bench", "grid-5", "--sources", 2, "--against", "scipy", "--html", page)[0] == 0
    assert "<svg" in page.read_text()


def test_a_graph_without_edges_cannot_be_compared_on():
    with pytest.raises(ValueError, match="no edges"):
        bench.compare("empty", graphs.grid(3, 3, drop=1.0), ["reference"])
