"""``lagbfs run``: every algorithm from the command line, its tables, files and pictures."""

import inspect
import json

import numpy as np
import pytest

from lagbfs import Matrix, algorithms, components, graphs, pagerank, plot, sssp, write
from lagbfs.cli.run import _own

NEEDED = {"source": "source=0", "target": "target=1", "sources": "sources=0,1", "k": "k=3", "pairs": "pairs=0,1"}


@pytest.mark.parametrize("name", algorithms.__all__)
def test_every_algorithm_runs(run, name, tmp_path):
    file = tmp_path / "path.txt"
    file.write_text("a b\nb c\n")  # a path, named, one way: all algorithms have a result for it, or say why not
    directed = "--directed" if name == "topological_levels" else "--undirected"
    needed = [NEEDED[key] for key, p in _own(getattr(algorithms, name)).items() if p.default is p.empty]
    needed = [text.replace("0", "a").replace("1", "b") for text in needed]
    code, out, err = run("run", name, file, *needed, directed, "--top", 2)
    assert (code, err) == (0, "")
    assert ", in " in out


def test_pairs_are_two_vertices_each(run):
    code, out, _ = run("run", "common_neighbors", "complete-4", "pairs=0,1,2,3", "--json")
    assert code == 0
    assert json.loads(out)["top"] == {"from": [0, 2], "to": [1, 3], "common_neighbors": [2, 2]}
    code, _, err = run("run", "jaccard", "complete-4", "pairs=0,1,2")
    assert code == 2
    assert "two vertices each" in err


def test_the_list_has_all_of_them(run):
    code, out, _ = run("run", "--list")
    assert code == 0
    assert all(name in out for name in algorithms.__all__)
    assert "damping" in out
    listed = json.loads(run("run", "--list", "--json")[1])
    assert listed["sssp"]["arguments"][0] == "source"
    assert listed["components"]["summary"] == inspect.getdoc(components).partition("\n")[0].removeprefix("Return ")


def test_the_greatest_are_shown(run):
    ranks = pagerank(graphs.kronecker(8))
    found = json.loads(run("run", "pagerank", "kronecker-8", "--top", 3, "--json")[1])
    assert found["top"]["vertex"] == np.argsort(-ranks, kind="stable")[:3].tolist()
    np.testing.assert_allclose(found["top"]["pagerank"], np.sort(ranks)[::-1][:3])
    assert (found["algorithm"], found["vertices"], found["arguments"]) == ("pagerank", 256, {})
    code, out, _ = run("run", "pagerank", "kronecker-8", "--top", 3)
    assert code == 0
    assert len(out.splitlines()) == 2 + 2 + 3


def test_arguments_and_settings_arrive(run, backend):
    code, out, _ = run(
        "run", "pagerank", "star-4", "damping=0.5", "weighted=false", "--backend", backend, "--threads", 1, "--json"
    )
    assert code == 0
    found = json.loads(out)
    assert found["arguments"] == {"damping": 0.5, "weighted": False}
    expected = pagerank(graphs.star(4), 0.5)
    np.testing.assert_allclose(found["top"]["pagerank"], np.sort(expected)[::-1], atol=1e-5)


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".npz"])
def test_results_are_written(run, tmp_path, ending):
    A = Matrix.from_edges([0, 1, 3], [1, 2, 4], labels=list("abcde"), weights=[1, 2, 3])
    file, out = tmp_path / "graph.npz", tmp_path / f"found{ending}"
    write(file, A)
    assert run("run", "sssp", file, "source=a", "--out", out, "-q")[0] == 0
    assert run("run", "components", file, "--out", out.with_stem("parts"), "-q")[0] == 0
    if ending == ".npz":
        with np.load(out, allow_pickle=True) as arrays:
            np.testing.assert_array_equal(arrays["distance"], sssp(A, "a").distances)
        return
    between = {".csv": ",", ".tsv": "\t"}[ending]
    rows = [line.split(between) for line in out.read_text().splitlines()]
    assert rows[:3] == [["vertex", "distance", "parent"], ["a", "0.0", "a"], ["b", "1.0", "a"]]
    parts = [line.split(between) for line in out.with_stem("parts").read_text().splitlines()]
    assert parts == [["vertex", "component"], *map(list, ["aa", "ba", "ca", "dd", "ed"])]


def test_tables_of_distances_and_entries_are_written(run, tmp_path):
    out = tmp_path / "found.csv"
    run("run", "all_pairs", "path-3", "sources=2,0", "--out", out, "-q")
    assert out.read_text().splitlines()[:3] == ["source,vertex,all_pairs", "2,0,2.0", "2,1,1.0"]
    run("run", "k_truss", "complete-3", "k=3", "--out", out, "-q")
    assert out.read_text().splitlines()[:2] == ["from,to,k_truss", "0,1,1"]


@pytest.mark.parametrize("name", ["pagerank", "components", "sssp", "hits", "edge_betweenness", "all_pairs"])
def test_pictures_are_drawn(run, tmp_path, name):
    needed = ["source=0"] if name == "sssp" else []
    path = tmp_path / "found.svg"
    assert run("run", name, "kronecker-5", *needed, "--plot", path, "-q")[0] == 0
    assert path.read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "--list"),
        (["pageran"], "did you mean 'pagerank'"),
        (["pagerank", "grid-3", "dampin=1"], "did you mean 'damping'"),
        (["pagerank", "grid-3", "damping=much"], "damping"),
        (["pagerank", "grid-3", "damping=0.1", "damping=0.2"], "once"),
        (["pagerank", "grid-3", "damping=7"], "damping"),
        (["sssp", "grid-3"], "source=…"),
        (["sssp", "grid-3", "source=x"], "source"),
        (["components", "grid-3", "--out", "found.xlsx"], "--out"),
        (["components", "grid-3", "--top", "-1"], "--top"),
        (["transitivity", "grid-3", "--out", "-"], "no table"),
        (["transitivity", "grid-3", "--plot", "x.svg"], "nothing to draw"),
        (["topological_levels", "grid-3"], "cycle"),
        (["components", "grid-3", "--backend", "abacus"], "abacus"),
    ],
)
def test_what_cannot_be_done_is_said(run, monkeypatch, tmp_path, arguments, words):
    monkeypatch.chdir(tmp_path)
    code, _, err = run("run", *arguments)
    assert code == 2
    assert words in err


def test_pictures_show_what_was_found():
    assert plot.parts([0, 0, 0, 3, 4]).axes[0].lines[0].get_xydata().tolist() == [[1, 2], [3, 1]]
    assert plot.ranks([1.0, 4.0, 0.0, np.inf, 2.0]).axes[0].lines[0].get_xydata().tolist() == [[1, 4], [2, 2], [3, 1]]
    bars = plot.distances([0, 1, 1, np.inf, 3]).axes[0].patches
    assert [bar.get_height() for bar in bars] == [1, 2, 0, 1]
    assert len(plot.distances(np.linspace(0, 99, 500)).axes[0].patches) == 60


@pytest.mark.parametrize("draw", [plot.parts, plot.ranks, plot.distances])
def test_pictures_of_nothing_say_so(draw):
    assert "nothing to show" in draw([], title="none").axes[0].texts[0].get_text()
