"""What could not be written is refused before anything is searched or measured for it."""

import os
import sys

import pytest

COMMANDS = {
    "bfs --out": ["bfs", "path-4", "--out", "{}.csv"],
    "bfs --plot": ["bfs", "path-4", "--plot", "{}.png"],
    "bfs --plot-predictions": ["bfs", "path-4", "--plot-predictions", "{}.png"],
    "convert": ["convert", "path-4", "{}.mtx"],
    "generate": ["generate", "path-4", "-o", "{}.mtx"],
    "bench --html": ["bench", "path-4", "--html", "{}.html"],
    "bench selectors --plot": ["bench", "selectors", "path-4", "--plot", "{}.png"],
    "train --levels": ["train", "--levels", "{}.csv"],
}
PICTURES = [name for name in COMMANDS if "plot" in name or "html" in name]


@pytest.fixture(autouse=True)
def nothing_is_done(monkeypatch):
    """Fail as soon as a graph is made or read."""

    def fail(*arguments, **options):
        raise AssertionError("this should have been refused before")

    for name in ("graphs.named", "cli.graph.load", "measure.training.corpus.measure"):
        monkeypatch.setattr(f"lagbfs.{name}", fail)


def asked(name, path):
    """Return the arguments of a command that is to write to a path."""
    return [str(part).format(path) for part in COMMANDS[name]]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_folder_that_is_not_there(run, tmp_path, name):
    code, _, error = run(*asked(name, tmp_path / "missing" / "a"))
    assert code == 2
    assert f"there is no folder {tmp_path / 'missing'} to write" in error


@pytest.mark.parametrize("name", COMMANDS)
def test_a_folder_in_the_place_of_the_file(run, tmp_path, name):
    path = tmp_path / "a"
    for ending in (".csv", ".png", ".mtx", ".html"):
        path.with_suffix(ending).mkdir()
    code, _, error = run(*asked(name, path))
    assert code == 2
    assert "is a folder" in error


@pytest.mark.parametrize("name", COMMANDS)
def test_a_folder_that_may_not_be_written_to(run, tmp_path, name, monkeypatch):
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: real(path, mode) and str(path) != str(tmp_path))
    code, _, error = run(*asked(name, tmp_path / "a"))
    assert code == 2
    assert f"no permission to write in {tmp_path}" in error


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_without_matplotlib(run, tmp_path, name, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, _, error = run(*asked(name, tmp_path / "a"))
    assert code == 2
    assert "lagbfs[plot]" in error


def test_what_can_be_written_is_not_refused(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.mkfifo(tmp_path / "pipe.csv") if hasattr(os, "mkfifo") else None
    for path in ("a", tmp_path / "a", "pipe"):
        code, _, error = run(*asked("bfs --out", path))
        assert code == 70  # of what fails as soon as there is a graph
        assert "refused before" in error
