"""Sizes are checked against the memory there is before anything is allocated for them."""

import subprocess
import sys

import numpy as np
import pytest

import lagbfs
from lagbfs import Matrix, host
from lagbfs.base import memory

N = 20_000_000  # rows of 4 bytes each, twice over while they are sorted: 160 MB


@pytest.fixture
def nothing_is_built(monkeypatch):
    class Reading(type(host.PLAIN)):
        def build_csr(self, *_, **__):
            raise AssertionError("a matrix was built")

    monkeypatch.setattr(host, "routines", Reading)


def have(monkeypatch, size):
    monkeypatch.setattr(memory, "available", lambda: size)


@pytest.mark.usefixtures("nothing_is_built")
@pytest.mark.parametrize(
    "build",
    [
        lambda: Matrix.from_edges([0], [1], n=N),
        lambda: Matrix.from_edges([0], [1], n=N, weights=[2.5], directed=False),
        lambda: Matrix.from_coo([0], [1], 1.0, nrows=N, ncols=3),
    ],
)
def test_more_rows_than_fit(monkeypatch, build):
    have(monkeypatch, 100_000_000)
    with pytest.raises(MemoryError, match=r"20,000,000 rows .* 160,000,0.. bytes .* 100,000,000 are available"):
        build()


@pytest.mark.usefixtures("nothing_is_built")
def test_more_entries_than_fit(monkeypatch):
    ends = np.broadcast_to(np.int32(1), 30_000_000)
    have(monkeypatch, 100_000_000)
    with pytest.raises(MemoryError, match=r"2 rows and 30,000,000 entries .* 120,000,0.. bytes"):
        Matrix.from_edges(ends, ends, n=2)


def test_loops_are_counted_once(monkeypatch):
    ends = np.zeros(15_000_000, np.int32)
    have(monkeypatch, 61_000_000)
    assert Matrix.from_edges(ends, ends, n=2, directed=False).nvals == 1
    have(monkeypatch, 100)
    assert Matrix.from_edges(ends, ends, n=2, drop_loops=True).nvals == 0


def test_what_fits_is_built(monkeypatch):
    have(monkeypatch, 200_000_000)
    assert Matrix.from_edges([0], [1], n=N).nrows == N
    have(monkeypatch, None)  # where the system does not tell
    assert Matrix.from_edges([0], [1], n=N).nrows == N


def test_small_graphs_are_not_checked(monkeypatch):
    have(monkeypatch, 0)
    assert Matrix.from_edges(range(1000), range(1, 1001)).nvals == 1000


@pytest.mark.usefixtures("nothing_is_built")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", "0 3000000000\n"),
        ("a.gr", "p sp 3000000001 1\na 1 3000000001 7\n"),
        ("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n3000000001 3000000001 1\n1 2\n"),
    ],
)
def test_a_large_id_that_is_allowed(tmp_path, monkeypatch, name, text):
    have(monkeypatch, 20 << 30)
    (tmp_path / name).write_text(text)
    with pytest.raises(MemoryError, match="3,000,000,001 rows"):
        lagbfs.read(tmp_path / name, max_vertices=10**11)


def test_the_same_of_arrays(tmp_path, monkeypatch):
    have(monkeypatch, 20 << 30)
    np.savez(tmp_path / "a.npz", src=[0], dst=[3_000_000_000])
    with pytest.raises(MemoryError, match="3,000,000,001 rows"):
        lagbfs.read(tmp_path / "a.npz", max_vertices=10**11)


def test_what_the_system_tells(tmp_path, monkeypatch):
    (tmp_path / "meminfo").write_text("MemTotal: 900 kB\nMemFree: 7 kB\nMemAvailable: 500 kB\nSwapFree: 24 kB\n")
    monkeypatch.setattr(memory, "MEMINFO", tmp_path / "meminfo")
    assert memory.available() == 524 * 1024
    (tmp_path / "meminfo").write_text("MemTotal: 900 kB\n")
    assert memory.available() is None or memory.available() > 1 << 20  # all there is, as far as it can be told
    monkeypatch.setattr(memory, "MEMINFO", tmp_path / "missing")
    assert memory.available() is None or memory.available() > 1 << 20


def test_a_limit_of_the_process_counts():
    resource = pytest.importorskip("resource", reason="needs limits of processes")
    program = (
        "import resource; from lagbfs.base import memory; before = memory.available();"
        f"resource.setrlimit(resource.RLIMIT_AS, ({1 << 32}, {resource.getrlimit(resource.RLIMIT_AS)[1]}));"
        "print(memory.available(), before)"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    limited, before = map(int, ran.stdout.split())
    assert limited < 1 << 32
    assert limited <= before or before < 1 << 32
