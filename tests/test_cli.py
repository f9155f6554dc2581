"""The command line: what it prints, and its exit codes."""

import numpy as np
import pytest

from lagbfs import bench, cli, graphs
from lagbfs.errors import VerificationError


def test_bfs_shows_every_level_and_verifies(capsys):
    assert cli.main(["bfs", "kronecker-8"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0].startswith("Matrix(256 × 256")
    assert "push" in out
    assert out.endswith("verified\n")


def test_bfs_takes_engine_direction_depth_and_source(capsys, backend, direction):
    arguments = ["--backend", backend, "--direction", direction, "--max-depth", "1", "--source", "0", "--threads", "1"]
    assert cli.main(["bfs", "grid-5", *arguments]) == 0
    out = capsys.readouterr().out
    assert f"{backend} {direction}" in out
    assert "1 level deep" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bfs", "nonsense"], "graph must be one of"),
        (["bfs", "missing.sg"], "missing.sg"),
        (["bfs", "grid-3", "--source", "9"], "source must lie in [0, 9)"),
        (["bfs", "grid-3", "--backend", "nonsense"], "backend must be one of"),
        (["bench", "grid-3", "--against", "nonsense"], "contender must be one of"),
        (["bench", "grid-3", "--against", "gapbs"], "--gapbs PATH"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(arguments, said, capsys):
    assert cli.main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith("lagbfs: ")
    assert said in error
    assert error.count("\n") == 1


def test_a_failed_verification_has_its_own_exit_code(monkeypatch, capsys):
    def fail(self):
        raise VerificationError("tree edge", 3, "made up")

    monkeypatch.setattr("lagbfs.traversal.Traversal.verify", fail)
    assert cli.main(["bfs", "grid-3"]) == 1
    assert "tree edge: made up" in capsys.readouterr().err


def test_bench_compares_engines_and_libraries(capsys, backend):
    peers = ["reference:fresh@1", "scipy", "python-graphblas"]
    assert cli.main(["bench", "kronecker-6", "--backend", backend, "--sources", "2", "--against", *peers]) == 0
    rows = capsys.readouterr().out.splitlines()[2:]
    contenders = [row.split()[1] for row in rows if row.startswith("kronecker-6")]
    assert contenders == [backend, *peers]


def test_bench_runs_gapbs_on_the_same_graph(tmp_path, capsys):
    program = tmp_path / "bfs"
    program.write_text('#!/bin/sh\ntest -s "$2" && for i in 1 2 3; do echo "Trial Time:          0.00125"; done\n')
    program.chmod(0o755)
    assert cli.main(["bench", "grid-3", "--sources", "2", "--against", "--gapbs", str(program)]) == 0
    assert "gapbs                   1.250" in capsys.readouterr().out


def test_a_graph_without_edges_cannot_be_compared_on():
    with pytest.raises(ValueError, match="no edges"):
        bench.compare("empty", graphs.grid(3, 3, drop=1.0), ["reference"])


def test_files_are_graphs_too(tmp_path):
    A = graphs.uniform(5, 2)
    graphs.write(tmp_path / "a.sg", A)
    assert bench.graph_named(str(tmp_path / "a.sg")).isequal(A)
    src, dst, _ = A.to_coo()
    np.savez(tmp_path / "a.npz", src=src, dst=dst, n=A.nrows)
    assert bench.graph_named(str(tmp_path / "a.npz")).isequal(A)
