"""The command and its standard streams: ``-``, pipes, redirections, and signals that end it."""

import bz2
import gzip
import json
import lzma
import os
import signal
import subprocess
import sys

import pytest
import signalled

import lagbfs
from lagbfs import graphs
from lagbfs.cli import signals, streams

A = graphs.path(4)
TEXT = b"# vertices 4\n0 1\n1 2\n2 3\n"
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
COMMAND = [sys.executable, "-P", "-m", "lagbfs"]


def call(*arguments, folder, given=b"", **options):
    """Run the command in a folder as a process of its own, with pipes to it unless told otherwise."""
    streams_ = {"input": given, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.run([*COMMAND, *map(str, arguments)], cwd=folder, timeout=600, env=ENVIRONMENT, **streams_)


def ended(done):
    """Return the exit code, once nothing but plain lines were complained of."""
    assert b"Traceback" not in done.stderr
    return done.returncode


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress], ids=["", "gz", "bz2", "xz"])
def test_a_hyphen_is_standard_input_compressed_or_not(tmp_path, pack):
    done = call("info", "-", "--json", folder=tmp_path, given=pack(TEXT))
    assert ended(done) == 0
    assert json.loads(done.stdout)["entries"] == 3
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["mtx", "npz"])
def test_standard_input_shows_its_format(tmp_path, name):
    lagbfs.write(tmp_path / f"a.{name}", A)
    for given in ("-", "/dev/stdin"):
        with open(tmp_path / f"a.{name}", "rb") as file:
            done = call("bfs", given, "--source", 0, "--json", folder=tmp_path, input=None, stdin=file)
        assert ended(done) == 0
        assert json.loads(done.stdout)["depth"] == 3


def test_errors_in_standard_input_name_it(tmp_path):
    for given, said in {b"": b"empty", b"0 1\n0 x y z\n": b"line 2"}.items():
        done = call("info", "-", folder=tmp_path, given=given)
        assert ended(done) == 2
        assert b"standard input" in done.stderr
        assert said in done.stderr


@pytest.mark.parametrize("out", ["-", "/dev/stdout"])
@pytest.mark.parametrize("name", ["mtx", "npz", "edges", "sg"])
def test_a_hyphen_is_standard_output(tmp_path, out, name):
    done = call("convert", "path-4", out, "--to", name, folder=tmp_path)
    assert ended(done) == 0
    assert b"written to standard output" in done.stderr
    (tmp_path / "found").write_bytes(done.stdout)
    assert lagbfs.read(tmp_path / "found", format=name).isequal(A)
    assert os.listdir(tmp_path) == ["found"]


def test_commands_make_a_pipe(tmp_path):
    made = call("generate", "path-4", "-o", "-", "--to", "mtx", folder=tmp_path)
    told = call("convert", "-", "-", "--to", "edges", "--json", folder=tmp_path, given=made.stdout)
    assert ended(told) == 0
    assert [line for line in told.stdout.splitlines() if not line.startswith(b"#")] == [b"0 1", b"1 2", b"2 3"]
    assert json.loads(told.stderr)["entries"] == A.nvals


@pytest.mark.parametrize(("mode", "kept"), [("ab", b"# kept\n"), ("wb", b"")])
@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz"])
def test_redirections_are_respected(tmp_path, mode, kept, name):
    path = tmp_path / name
    path.write_bytes(b"# kept\n")
    with open(path, mode) as file:
        assert ended(call("convert", "path-4", "/dev/stdout", "--to", "el", folder=tmp_path, stdout=file)) == 0
    found = path.read_bytes()
    assert found.startswith(kept + b"0 1\n")
    assert found.endswith(b"3 2\n")


def test_results_go_to_standard_output(tmp_path):
    done = call("bfs", "path-3", "--source", 0, "--out", "-", folder=tmp_path)
    assert ended(done) == 0
    assert done.stdout.decode().splitlines() == ["vertex,level,parent", "0,0,0", "1,1,0", "2,2,1"]
    assert b"verified" in done.stderr
    assert os.listdir(tmp_path) == []


def test_what_has_no_name_needs_a_format(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for arguments in (["convert", "path-4", "-"], ["generate", "path-4", "-o", "-"]):
        code, _, error = run(*arguments)
        assert code == 2
        assert "--to must be given" in error
    assert run("bfs", "path-4", "--plot", "-")[0] == 2
    assert run("train", "--out", "-")[0] == 2
    assert os.listdir(tmp_path) == []


def test_closed_standard_input_is_said(monkeypatch, run):
    monkeypatch.setattr(sys, "stdin", None)
    code, _, error = run("info", "-")
    assert code == 2
    assert "standard input is closed" in error


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="needs POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_no_half_written_file(tmp_path, number):
    assert signalled.convert(number, "a.txt", tmp_path) == (128 + number, b"", [])


def test_signals_are_given_back(monkeypatch):
    def mine(number, frame):
        """Do nothing."""

    before = signal.signal(signal.SIGTERM, mine)
    try:
        with signals.ending_in_order():
            assert signal.getsignal(signal.SIGTERM) is mine
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        with signals.ending_in_order():
            assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGTERM, before)


def test_only_a_hyphen_is_a_stream(tmp_path):
    assert streams.is_stdin("-")
    assert not streams.is_stdin("a-")
    assert streams.is_stdout(streams.target("-"))
    assert not streams.is_stdout(streams.target("./-"))
    assert not streams.is_stdout("-")


def shell(command, folder, **environment):
    """Run a line of shell, with $LAGBFS for the command, and return what it ended with, printed and complained of."""
    lagbfs_ = " ".join(f"'{part}'" for part in COMMAND)
    done = subprocess.run(
        ["bash", "-c", command.replace("$LAGBFS", lagbfs_)],
        cwd=folder,
        capture_output=True,
        timeout=600,
        env={**ENVIRONMENT, **environment},
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize("arguments", ["bfs path-9000 --source 0 --all", "bfs path-9000 --all --json", "bfs --help"])
def test_a_reader_that_has_enough_ends_the_command_quietly(tmp_path, arguments):
    _, out, error = shell(f"{{ $LAGBFS {arguments}; echo $? > code; }} | head -2", tmp_path)
    assert len(out.splitlines()) == 2
    assert error == b""
    code = int((tmp_path / "code").read_text())
    assert code == (0 if "--help" in arguments else 141)  # the help fits in the pipe


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("arguments", ["info path-4", "info path-4 --json", "convert path-4 - --to mtx"])
def test_output_that_cannot_be_written_is_said_once(tmp_path, arguments):
    code, _, error = shell(f"$LAGBFS {arguments} > /dev/full", tmp_path)
    assert code == 2
    assert error.count(b"\n") == 1
    assert b"No space left" in error


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize(("closed", "code"), [(">&-", 0), ("2>&-", 0), ("nonsense 2>&-", 2), ("nonsense >&-", 2)])
def test_streams_may_be_closed(tmp_path, closed, code):
    ended_, out, error = shell(f"$LAGBFS info path-4 {closed}", tmp_path)
    assert ended_ == code
    assert b"Traceback" not in out + error


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize("arguments", ["bfs kronecker-8", "bfs kronecker-8 --explain", "bfs --help", "doctor"])
def test_output_degrades_to_what_can_be_encoded(tmp_path, encoding, arguments):
    code, out, error = shell(f"$LAGBFS {arguments}", tmp_path, PYTHONIOENCODING=encoding)
    assert (code, error) == (0, b"")
    text = out.decode(encoding)
    assert "\\" not in text
    assert "bfs kronecker" not in arguments or {"ascii": "256 x 256", "latin-1": "256 × 256"}[encoding] in text


def test_a_locale_without_unicode_will_do(tmp_path):
    plain = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    for arguments in ("bfs kronecker-8", "bfs --help"):
        code, out, error = shell(f"$LAGBFS {arguments}", tmp_path, **plain)
        assert (code, error) == (0, b"")
        assert out.isascii()


def test_json_stays_json_whatever_can_be_encoded(tmp_path):
    lagbfs.write(tmp_path / "żółw.txt", A)
    for encoding in ("ascii", "utf-8"):
        code, out, error = shell("$LAGBFS info żółw.txt --json", tmp_path, PYTHONIOENCODING=encoding)
        assert (code, error) == (0, b"")
        assert json.loads(out)["graph"] == "żółw.txt"
        assert ("żółw".encode() in out) == (encoding == "utf-8")


def test_names_that_are_no_text_can_be_said(tmp_path):
    code, out, error = shell("$LAGBFS convert path-4 $'a\\xff.mtx'", tmp_path, PYTHONIOENCODING="utf-8")
    assert (code, error) == (0, b"")
    assert b"a\\udcff.mtx" in out


def test_errors_degrade_too(tmp_path):
    code, _, error = shell("$LAGBFS bfs grid-3 --source ann", tmp_path, PYTHONIOENCODING="ascii")
    assert code == 2
    assert b"0 ... 8" in error
