"""Mistakes that new users make are told in a line, before much is done."""

import pytest


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty folder, which mistakes leave empty."""
    monkeypatch.chdir(tmp_path)
    yield
    assert [path.name for path in tmp_path.iterdir() if path.name != "there"] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bench", "grid-3", "--sources", 0, "--against"], "sources must be at least 1, not 0"),
        (["bench", "grid-3", "--sources", -1, "--against"], "sources must be at least 1, not -1"),
        (["bench", "grid-0", "--against"], "has no edges to search along"),
        (["bench", "grid-3", "--sources", 1, "--gapbs", "/bin/true", "--against"], "/bin/true is not: no times came"),
        (["bench", "grid-3", "--gapbs", "/no/bfs", "--against"], "/no/bfs: No such file"),
        (["bench", "selectors", "path-1", "--sources", 1], "nothing to compare"),
        (["bench", "selectors", "path-5", "--sources", 0], "sources must be at least 1, not 0"),
        (["train", "--scales", 4, "--sources", 0], "sources must be at least 1, not 0"),
        (["generate", "kronecker", "scale=3", "scale=4", "-o", "a.mtx"], "scale must be given once"),
        (["generate", "kronecker-3", "seed=2", "-o", "a.mtx"], "kronecker-3 has its size already"),
        (["generate", "kronecker", "scale=40", "-o", "a.mtx"], "does not fit in memory"),
        (["info", "there"], "there is a folder, not a file to read"),
        (["bfs", "path-99999999999999999999"], "neither a file nor one of"),
        (["graph500", "--scale", 40], "does not fit in memory"),
    ],
)
def test_a_mistake_is_told_in_a_line(run, tmp_path, arguments, said):
    (tmp_path / "there").mkdir()
    code, _, error = run(*arguments)
    assert code == 2
    assert said in error
    assert error.count("\n") == 1
    assert "did you mean" not in error


@pytest.mark.parametrize(
    "wrong", [["--threads", 0], ["--backend", "foo"], ["--selector", "foo"], ["--backend", "native,foo"]]
)
def test_what_cannot_search_is_refused_before_there_is_a_graph(run, monkeypatch, wrong):
    monkeypatch.setattr("lagbfs.cli.graph.load", lambda *arguments: pytest.fail("a graph was loaded"))
    code, _, error = run("bfs", "kronecker-30", *wrong)
    assert code == 2
    assert "must be" in error


def test_a_fault_of_lagbfs_has_a_code_of_its_own(run, monkeypatch):
    def fail(*arguments, **options):
        raise RuntimeError("made up")

    monkeypatch.setattr("lagbfs.cli.search.bfs", fail)
    code, _, error = run("bfs", "path-4")
    assert code == 70
    assert "RuntimeError: made up" in error
    assert error.endswith("lagbfs: this is a fault of lagbfs; please report it with what is above\n")
