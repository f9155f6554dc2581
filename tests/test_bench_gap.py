"""`lagbfs bench gap`: what is checked, what is timed, what is told."""

import json
import stat

import numpy as np
import pytest

from lagbfs import Matrix, backends, graphs
from lagbfs.cli import main
from lagbfs.errors import InvalidValueError, VerificationError
from lagbfs.measure import gap

INFO = {info.name: info for info in backends.available()}["native"]
pytestmark = pytest.mark.skipif(not INFO.runs, reason=f"native cannot run here: {INFO.reason}")

PROGRAM = """#!/bin/sh
echo "$@" >> "$0.called"
echo "Trial Time:          0.50000"
"""


@pytest.fixture
def programs(tmp_path):
    """Return a folder of programs that take half a second, they say."""
    for kernel in gap.KERNELS:
        (tmp_path / kernel).write_text(PROGRAM)
        (tmp_path / kernel).chmod(stat.S_IRWXU)
    return tmp_path


def test_every_kernel_is_checked_and_timed(programs):
    timings = gap.compare("kronecker-8", graphs.kronecker(8), gapbs=str(programs), threads=2, rounds=2)
    assert [timing.kernel for timing in timings] == list(gap.KERNELS)
    for timing in timings:
        assert timing.median("gapbs") == 0.5
        assert len(timing.seconds["lagbfs"]) == 2
        assert (timing.median("scipy") is not None) == (timing.kernel in ("cc", "sssp"))
    assert gap.mean_ratio(timings, "gapbs") > 1
    assert gap.mean_ratio(timings[1:2], "scipy") is None
    assert "iterations" in timings[1].note
    assert "-i 4" in (programs / "bc.called").read_text()
    assert ".wsg" in (programs / "sssp.called").read_text()


def test_wrong_results_are_not_timed(monkeypatch):
    monkeypatch.setattr(gap._Problem, "cc", lambda self: np.zeros(self.A.nrows, np.int32))
    monkeypatch.setattr(gap._Problem, "bc", lambda self: np.ones(self.A.nrows))
    monkeypatch.setattr(gap._Problem, "pr", lambda self: (np.ones(self.A.nrows), 1, 0.0))
    monkeypatch.setattr(gap._Problem, "tc", lambda self: 1)
    monkeypatch.setattr(gap._Problem, "sssp", lambda self: (np.zeros(self.A.nrows), None))
    A = Matrix.from_edges([0, 1, 3], [1, 2, 4], directed=False)
    for kernel in gap.KERNELS:
        with pytest.raises(VerificationError, match=kernel):
            gap.compare("A", A, kernels=[kernel])


def test_what_cannot_be_compared_is_said(tmp_path):
    with pytest.raises(InvalidValueError, match="both ways"):
        gap.compare("A", Matrix.from_edges([0], [1]))
    with pytest.raises(InvalidValueError, match="no edges"):
        gap.compare("A", Matrix(bool, 3, 3))
    with pytest.raises(InvalidValueError, match="kernels"):
        gap.compare("A", graphs.path(3), kernels=["bfs"])
    with pytest.raises(InvalidValueError, match="folder"):
        gap.compare("A", graphs.path(3), gapbs=str(tmp_path))
    with pytest.raises(InvalidValueError, match="native"):
        gap.compare("A", graphs.path(3), backend="reference")


def test_command(programs, capsys):
    assert main(["bench", "gap", "path-9", "--gapbs", str(programs), "--threads", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["kernel"] for row in told["rows"]] == list(gap.KERNELS)
    assert told["means"]["gapbs"] > 1
    assert main(["bench", "gap", "path-9"]) == 0
    assert "scipy is" in capsys.readouterr().out
    assert main(["bench", "gap", "path-9", "--html", "page.html"]) == 2
