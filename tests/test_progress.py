"""Progress is shown of whatever takes long, on a terminal and nowhere else."""

import sys

import pytest

import lagbfs
from lagbfs import graphs
from lagbfs.cli import progress
from lagbfs.cli.output import Output


@pytest.fixture
def terminal(monkeypatch, capsys):
    """A terminal as standard error, before which nobody has patience: returns what it has been told since."""
    for name, value in {"TERM": "xterm", "COLUMNS": "120"}.items():
        monkeypatch.setenv(name, value)
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(progress, "_PATIENCE", -1.0)
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda self: True)
    return lambda: capsys.readouterr().err


@pytest.fixture
def told(monkeypatch):
    """What commands say they do, and how much of it is done, time after time."""
    steps = []

    def show(self, what, *, unit=""):
        steps.append(what)
        return update_of(steps)

    monkeypatch.setattr(progress.Bars, "show", show)
    return steps


class update_of:  # noqa: N801
    """A context of something that goes on: what it is told is kept if it changes the name."""

    def __init__(self, steps):
        self.steps = steps

    def __enter__(self):
        def update(done, total, now=None):
            if now and now != self.steps[-1]:
                self.steps.append(now)

        return update

    def __exit__(self, *_):
        pass


def test_making_and_writing(run, terminal, told, tmp_path):
    assert run("generate", "path", "n=9", "-o", tmp_path / "a.mtx")[0] == 0
    assert run("generate", "path-9", "-o", tmp_path / "a.mtx")[0] == 0
    assert told == ["making path", f"writing {tmp_path / 'a.mtx'}", "making path-9", f"writing {tmp_path / 'a.mtx'}"]


@pytest.mark.parametrize("name", ["a.mtx", "a.txt.xz", "a.sg", "a.npz"])
def test_reading_building_and_writing(run, terminal, told, tmp_path, name):
    lagbfs.write(tmp_path / name, graphs.kronecker(10))
    assert run("convert", tmp_path / name, tmp_path / "b.el")[0] == 0
    assert [step.split()[0] for step in told] == ["reading", "building", "writing"]
    assert told[1] == f"building {name}"


def test_searching_and_verifying(run, terminal, told, tmp_path):
    assert run("bfs", "path-9", "--out", tmp_path / "a.csv")[0] == 0
    assert told == ["making path-9", "searching", "verifying", f"writing {tmp_path / 'a.csv'}"]


@pytest.mark.parametrize("option", ["--quiet", "--json"])
def test_quiet_commands_show_nothing(run, terminal, told, option):
    assert run("bfs", "path-9", option)[0::2] == (0, "")
    assert told == []


def test_what_is_no_terminal_is_shown_nothing(run, told, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert run("bfs", "path-9")[0::2] == (0, "")
    assert told == []


def test_bars_are_drawn(terminal):
    out = Output(as_json=False, quiet=False)
    with out.progress("reading [a].mtx", unit="bytes") as update:
        update(10, 1000)
        update(20_000, None, "building [a].mtx")
        out._bars._shown.refresh()
    said = terminal()
    assert "building [a].mtx" in said
    assert "20.0/? kB" in said


def test_something_goes_on_within_something(terminal):
    out = Output(as_json=False, quiet=False)
    with out.progress("measuring") as outer:
        outer(1, 3)
        with out.progress("reading a.mtx", unit="bytes") as inner:
            inner(10, 1000)
            out._bars._shown.refresh()
    with out.progress("fitting"):
        out._bars._shown.refresh()
    said = terminal()
    assert all(text in said for text in ("measuring", "1/3", "reading a.mtx", "0.0/1.0 kB", "fitting"))


def test_the_terminal_is_left_as_it_was(terminal):
    with pytest.raises(KeyboardInterrupt), Output(as_json=False, quiet=False).progress("making"):
        raise KeyboardInterrupt
    said, hidden, shown = terminal(), "\x1b[?25l", "\x1b[?25h"
    assert said.rfind(shown) > said.rfind(hidden) >= 0


def test_what_is_quick_is_not_shown(terminal, monkeypatch):
    monkeypatch.setattr(progress, "_PATIENCE", 3600.0)
    with Output(as_json=False, quiet=False).progress("making path-9") as update:
        update(1, 2)
    assert "making" not in terminal()
