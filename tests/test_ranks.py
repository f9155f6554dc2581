"""Graphs on ranks: laws that all ranks check together, and what becomes of a job in which one of them fails."""

import json
import os
import re
import subprocess
import sys
import time

import pytest
from mpi import RANKS, launcher, mpiexec

import lagbfs
from lagbfs import DistributedMatrix, errors
from lagbfs.backends.partitioned import ranks

RUNS = {info.name: info.runs for info in lagbfs.backends.available()}


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_laws_hold_on_ranks(count):
    run = mpiexec(count, RANKS / "laws.py", 16 // count + 2)
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"laws hold on {count} ranks" in run.stdout


FAULTS = {
    "exception": "rank 1 of 3 fails:\nTraceback",
    "thread": "ZeroDivisionError",
    "leaves": r"rank 1 of 3 has ended, while rank \d waits for it in allgather \(before they begin\)",
    "leaves_those_who_rest": r"rank 1 of 3 has ended, while rank \d waits for it in rest",
    "goes_on": r"rank \d waits in .*, rank 1 (beyond it )?in .*: all have to make the same calls",
    "the_last_goes_on": r"rank \d waits in .*, rank 2 (beyond it )?in .*: all have to make the same calls",
    "other_call": "all have to make the same calls",
    "late": r"rank 1 of 3 is late: rank \d has waited \d+ s in allgather \(before they begin\)",
    "late_in_a_level": r"rank 1 of 3 is late: rank \d has waited \d+ s in the figures of level 3",
    "killed": "(?i)killed.*signal|signal.*killed",
    "agreed": "rank 0 of 3 fails:\nTraceback",
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_one_rank_ends_all_in_time_and_says_which(fault):
    began = time.monotonic()
    run = mpiexec(3, RANKS / "faults.py", fault, LAGBFS_DEADLINE="2")
    assert run.returncode != 0
    assert re.search(FAULTS[fault], run.stderr + run.stdout), run.stderr
    assert run.stderr.count("Traceback") == (fault in ("exception", "thread", "agreed"))
    assert time.monotonic() - began < 30  # of them less than 3 are waiting, the others go into starting on few cores


@pytest.mark.parametrize("size", [name for name in ranks._SIZES if name != "PMI_SIZE"])  # MPICH takes that for its own
def test_processes_that_do_not_find_each_other_are_refused(size):
    launcher()
    program = "import lagbfs; lagbfs.DistributedMatrix.kronecker(4)"
    environment = {key: value for key, value in os.environ.items() if key not in ranks._SIZES}
    run = subprocess.run(
        [sys.executable, "-P", "-c", program],
        env={**environment, size: "2"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "BackendUnavailableError: 2 processes were launched, and each is alone" in run.stderr
    assert "Launch with" in run.stderr


def test_launched_processes_need_mpi(monkeypatch):
    from lagbfs.backends.partitioned import mpi

    monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "2")
    monkeypatch.setitem(sys.modules, "mpi4py.MPI", None)
    with pytest.raises(errors.BackendUnavailableError, match=r"2 processes were launched.*pip install"):
        mpi._world.__wrapped__()


@pytest.mark.parametrize("told", ["soon", "-1"])
def test_a_deadline_is_a_number_of_seconds(monkeypatch, told):
    from lagbfs.backends.partitioned.watch import deadline

    monkeypatch.setenv("LAGBFS_DEADLINE", told)
    with pytest.raises(errors.InvalidValueError, match="LAGBFS_DEADLINE must be a number of seconds"):
        deadline()


def test_what_one_process_cannot_say_is_refused():
    D = DistributedMatrix.from_edges([0, 1], [1, 2])
    for name in ("order", "on_device"):
        with pytest.raises(errors.InvalidTypeError, match=f"{name} is for one process"):
            D.call("bfs", 0, **{name: True})
    with pytest.raises(errors.InvalidTypeError, match="a search on ranks has no argument 'depth'"):
        D.call("bfs", 0, depth=False)
    for wrong in (
        lambda: D.vector() @ D.vector(),
        lambda: D.vector() + lagbfs.Vector(float, 3),
        lambda: D.vector().apply("rowindex"),
    ):
        with pytest.raises(errors.InvalidTypeError):
            wrong()
    with pytest.raises(errors.DimensionError, match="another matrix"):
        D.vector() @ DistributedMatrix.from_edges([0, 1], [1, 2])
    with pytest.raises(errors.InvalidTypeError, match="triangles is not there for a DistributedMatrix"):
        lagbfs.triangles(D)
    t = D.call("bfs", 0)
    for name in ("parents", "levels"):
        with pytest.raises(errors.NotComputedError, match="its own vertices"):
            getattr(t, name)


@pytest.mark.parametrize("dtype", ["bool", "float32", "uint64"])
@pytest.mark.parametrize("direction", ["push", "pull"])
def test_least_parents_are_those_of_one_process(direction, dtype):
    A = lagbfs.graphs.kronecker(7).dup(dtype)
    D = DistributedMatrix.from_matrix(A)
    found = D.call("bfs", 1, deterministic=True, direction=direction).gather()
    assert found.parents.tolist() == lagbfs.bfs(A, 1, deterministic=True).parents.tolist()


def test_of_several_engines_a_rank_has_the_first_and_says_so():
    D = DistributedMatrix.kronecker(5)
    t = D.call("bfs", 1, backend=["reference", lagbfs.backends.default()])
    assert {step.arm.backend for step in t.trace} == {"reference"}
    assert t.notes == ("searched by reference alone, the first: a rank has one engine",)
    assert D.call("bfs", 1, backend="reference").notes == ()


@pytest.mark.slow
@pytest.mark.skipif(not RUNS["cupyx"], reason="needs an engine on a device: cupyx")
def test_a_rank_whose_device_fails_goes_on_on_the_host(device):
    D = DistributedMatrix.kronecker(7)
    expected = D.call("bfs", 1).gather().levels.tolist()
    D.call("bfs", 1, backend="cupyx")
    before = len(device.calls)
    D.call("bfs", 1, backend="cupyx")
    calls = len(device.calls) - before
    failing = pytest.importorskip("cupy.cuda.runtime", reason="needs the errors of the double")
    for at in range(0, calls, 5):
        device.fail(at, failing.CUDARuntimeError(700), sticky=at % 2 == 0)
        with pytest.warns(errors.DeviceWarning, match=f"part 0 failed .* {lagbfs.backends.default()} took its place"):
            t = D.call("bfs", 1, backend="cupyx")
        device.recover()
        assert t.gather().levels.tolist() == expected
        assert t.notes[0] in t.summary()
        t.verify()


def command(count, *arguments):
    """Run the command on ranks; return its code, and the lines that it printed and complained in."""
    run = mpiexec(count, "-m", "lagbfs", *arguments)
    return run.returncode, run.stdout.splitlines(), run.stderr.splitlines()


@pytest.mark.slow
def test_graph500_runs_on_ranks_and_one_of_them_prints():
    code, out, err = command(2, "graph500", "--scale", 8, "--sources", 3)
    assert (code, err, out.count("SCALE: 8"), out.count("validation: 3 of 3 trees are valid")) == (0, [], 1, 1)


@pytest.mark.slow
def test_bfs_runs_on_ranks_and_one_of_them_prints(tmp_path):
    (tmp_path / "graph.txt").write_text("0 1\n1 2\n2 3\n5 4\n")
    table = tmp_path / "found.csv"
    code, out, err = command(2, "bfs", tmp_path / "graph.txt", "--source", 1, "--undirected", "--out", table)
    begin = [line.split(maxsplit=1)[0] for line in out]
    assert (code, err, [begin.count(word) for word in ("reached", "level", "verified")]) == (0, [], [1, 1, 1])
    assert table.read_text() == "vertex,level,parent\n0,1,1\n1,0,1\n2,1,1\n3,2,2\n4,-1,\n5,-1,\n"


@pytest.mark.slow
def test_bench_runs_on_ranks_and_one_of_them_prints():
    code, out, err = command(2, "bench", "kronecker-6", "--sources", 2, "--against", "reference@1", "--json")
    assert (code, err) == (0, [])
    assert [row["contender"] for row in json.loads("".join(out))["rows"]] == ["2 ranks", "reference@1"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bfs", "kronecker-4", "--order"], "--order is for one process"),
        (["doctor"], "bfs, graph500 and bench run on ranks"),
        (["bfs", "kronecker-4", "--source", "77"], "source must lie in"),
        (["bfs", "nowhere.txt"], "there is no file"),
        (["bfs", "-"], "standard input is rank 0's alone"),
        (["bfs", "kronecker-4", "--source", "x"], "source must be"),
        (["bench", "nowhere-3"], "is neither a file nor one of"),
        (["bench", "kronecker-4", "--against", "nobody@1"], "backend must be one of"),
        (["bench", "kronecker-4", "--against", "reference@x"], "against must be an engine or engine@threads"),
        (["bench", "kronecker-4", "--sources", "0"], "sources must be at least 1"),
        (["bench", "kronecker-0"], "kronecker-0 has no edges"),
        (["graph500", "--scale", "0"], "scale and edge_factor must be large enough"),
        (["graph500", "--scale", "4", "--sources", "0"], "sources must be at least 1"),
    ],
)
def test_what_is_wrong_with_a_command_is_said_once(arguments, said):
    code, _, err = command(2, *arguments)
    assert (code, len(err)) == (2, 1)
    assert said in err[0]
