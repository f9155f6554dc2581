"""What is misspelt is told with what was probably meant, and what is missing is said to be missing."""

import pytest

import lagbfs
from lagbfs import bfs, cli, graphs, using
from lagbfs.base.suggestions import did_you_mean


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["bfs", "kroneker-18"], "kronecker-18"),
        (["bfs", "Kronecker-18"], "kronecker-18"),
        (["bfs", "kronecker"], "kronecker-18"),
        (["bfs", "kronecker18"], "kronecker-18"),
        (["bfs", "grid3-9"], "grid3d-9"),
        (["bfs", "grid-3", "--selector", "beamr"], "beamer"),
        (["bfs", "grid-3", "--selector", "lerned"], "learned"),
        (["bfs", "grid-3", "--backend", "suitsparse"], "suitesparse"),
        (["bench", "grid-3", "--against", "sciyp"], "scipy"),
        (["bench", "selectors", "kroneker-6"], "kronecker-6"),
        (["generate", "kroneker", "-o", "a.sg"], "kronecker"),
        (["generate", "kronecker", "scal=3", "-o", "a.sg"], "scale"),
    ],
)
def test_names_get_suggestions(run, arguments, meant, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, _, error = run(*arguments)
    assert code == 2
    assert f"did you mean {meant!r}?" in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["bfs", "grid-3", "--sorce", "3"], "--source"),
        (["bfs", "--sorce=3"], "--source"),
        (["bfs", "grid-3", "--max_depth", "3"], "--max-depth"),
        (["generate", "path-3", "--otu", "a.txt", "-o", "b.txt"], "--out"),
        (["bfs", "grid-3", "--direction", "pul"], "pull"),
        (["convert", "grid-3", "a.txt", "--to", "mtxx"], "mtx"),
        (["bsf", "grid-3"], "bfs"),
    ],
)
def test_options_get_suggestions_under_the_usage_of_their_command(arguments, meant, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    assert ended.value.code == 2
    error = capsys.readouterr().err
    assert f"did you mean {meant!r}?" in error
    command = f"lagbfs {arguments[0]}" if arguments[0] != "bsf" else "lagbfs"
    assert error.startswith(f"usage: {command} ")
    assert f"\n{command}: error: " in error


def test_options_unlike_any_get_no_suggestion(capsys):
    with pytest.raises(SystemExit):
        cli.main(["bfs", "grid-3", "--zzzzzz"])
    error = capsys.readouterr().err
    assert "unrecognized arguments: --zzzzzz\n" in error
    assert error.startswith("usage: lagbfs bfs ")


def test_a_missing_file_is_said_to_be_missing(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "roads.mtx").touch()
    for name in ("a.mtx", "a.txt.gz", "./a", str(tmp_path / "a"), "no/such/folder.txt", "b.unknown"):
        code, _, error = run("info", name)
        assert code == 2
        assert error == f"lagbfs: there is no file {name}\n"
    for name in ("road.mtx", str(tmp_path / "roads.mtxx")):
        code, _, error = run("bfs", name)
        assert code == 2
        assert error.startswith(f"lagbfs: there is no file {name}: did you mean ")
        assert "roads.mtx'?" in error


def test_what_is_neither_is_said_to_be_neither(run):
    code, _, error = run("info", "nonsense")
    assert code == 2
    assert "neither a file nor one of kronecker-N" in error
    assert "did you mean" not in error


def test_functions_suggest_too():
    A = graphs.path(3)
    for call, meant in {
        lambda: bfs(A, 0, backend="refrence"): "reference",
        lambda: bfs(A, 0, direction="psuh"): "push",
        lambda: bfs(A, 0, selector="treshold"): "threshold",
        lambda: graphs.named("pth-3"): "path-3",
        lambda: using(backend="natve").__enter__(): "native",
    }.items():
        with pytest.raises(lagbfs.LagbfsError, match=f"did you mean '{meant}'"):
            call()


def test_suggestions_are_of_any_kind():
    assert did_you_mean(3, ["a"]) == did_you_mean(None, []) == did_you_mean("x", ["beamer"]) == ""
