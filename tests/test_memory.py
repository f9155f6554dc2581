"""Sizes are checked against the memory there is before anything is allocated for them."""

import subprocess
import sys

import numpy as np
import pytest

import lagbfs
from lagbfs import Matrix, bfs, graphs, host
from lagbfs.base import memory
from lagbfs.storage import csr as csrs

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
    A = lagbfs.read(tmp_path / name, max_vertices=10**11)
    assert (A.nrows, A.nvals) == (3_000_000_001, 1)
    have(monkeypatch, 20_000_000_000)
    with pytest.raises(MemoryError, match=r"3,000,000,001 vertices .* 24,000,000,008 bytes"):
        lagbfs.bfs(A, 0)


def test_the_same_of_arrays(tmp_path, monkeypatch):
    have(monkeypatch, 20 << 30)
    np.savez(tmp_path / "a.npz", src=[0], dst=[3_000_000_000])
    A = lagbfs.read(tmp_path / "a.npz", max_vertices=10**11)
    assert A.to_coo()[1].tolist() == [3_000_000_000]
    have(monkeypatch, 40_000_000_000)
    with pytest.raises(lagbfs.LagbfsError, match=r"each of 3,000,000,001 rows starts .* 48,000,000,032 bytes"):
        A.degrees  # noqa: B018


def test_a_transpose_of_more_rows_than_fit(monkeypatch):
    A = Matrix.from_csr([0, 1], [5], ncols=N)
    have(monkeypatch, 100_000_000)
    with pytest.raises(MemoryError, match=r"the transpose of 20,000,000 rows and 1 entries .* 160,000,0.. bytes"):
        A.T.csr  # noqa: B018
    with pytest.raises(MemoryError, match=r"the degrees of 20,000,000 columns .* 320,000,000 bytes"):
        A.in_degrees  # noqa: B018


@pytest.fixture(scope="module")
def empty():
    """Return a graph whose results are larger than it is itself."""
    return Matrix.from_edges([0], [1], n=N, directed=False)


def test_results_that_do_not_fit(monkeypatch, backend, empty):
    have(monkeypatch, 50_000_000)
    for options in ({}, {"parents": False}):
        with pytest.raises(MemoryError, match=r"the result of a search of 20,000,000 vertices .* 80,000,000 bytes"):
            bfs(empty, 0, backend=backend, **options)


@pytest.fixture
def everything_counts(monkeypatch):
    """Have memory asked for, however little is taken."""
    monkeypatch.setattr(memory, "_SMALL", 0)


def native():
    engines = {info.name: info for info in lagbfs.backends.available()}
    if not engines["native"].runs:
        pytest.skip(f"needs the native engine: {engines['native'].reason}")


@pytest.mark.usefixtures("everything_counts")
def test_work_buffers_that_do_not_fit(monkeypatch):
    native()
    A = lagbfs.graphs.path(1000)
    have(monkeypatch, 5000)  # the result takes 4,000
    with pytest.raises(MemoryError, match=r"what a search of 1,000 vertices works with .* 8,000 bytes"):
        bfs(A, 0, backend="native")
    have(monkeypatch, 9000)
    assert bfs(A, 0, backend="native").levels.max() == 999


def searched(name):
    """Return a graph that the native engine has searched without making a layout, however long that took."""
    A = lagbfs.graphs.named(name)
    A.rows.handle(lagbfs.backends.get("native"))._due = float("inf")
    bfs(A, 0, backend="native")
    return A


@pytest.mark.usefixtures("everything_counts")
@pytest.mark.parametrize("name", ["kronecker-10", "uniform-10", "grid-80", "rmat-10"])
def test_a_layout_that_does_not_fit(monkeypatch, name):
    native()
    A, B = searched(name), searched(name)
    have(monkeypatch, 25_000)
    with pytest.raises(MemoryError, match=rf"a layout of {A.nrows:,} vertices and {A.nvals:,} entries .* 25,000 are"):
        A.optimize(backend="native")
    have(monkeypatch, None)
    needed = A.optimize(backend="native").rows.handle(lagbfs.backends.get("native")).layout_bytes
    have(monkeypatch, int(1.2 * needed) + 10_000)  # a bound: vertices without edges are counted as if they had some
    assert "layout" in repr(B.optimize(backend="native"))


@pytest.mark.usefixtures("everything_counts")
def test_searches_go_on_without_a_layout_that_does_not_fit(monkeypatch):
    native()
    A = lagbfs.graphs.kronecker(10)
    handle = A.rows.handle(lagbfs.backends.get("native"))
    handle._due = 0  # at once
    have(monkeypatch, 20_000)
    first, second = bfs(A, 1, backend="native"), bfs(A, 1, backend="native")
    first.verify()
    assert any("no layout, since a layout of 1,024 vertices" in note for note in first.notes)
    assert not second.notes  # it is not tried again and again
    assert handle.layout == ""


@pytest.mark.usefixtures("everything_counts")
def test_copies_for_other_libraries_that_do_not_fit(monkeypatch):
    A = lagbfs.graphs.kronecker(6)
    have(monkeypatch, 8 * (65 + A.nvals) - 1)
    with pytest.raises(MemoryError, match="SuiteSparse's copy of a matrix of"):
        A.to_graphblas()
    have(monkeypatch, A.nvals - 1)
    with pytest.raises(MemoryError, match="SciPy's copy of a matrix of"):
        A.to_scipy()
    monkeypatch.setattr(csrs, "MOST_NARROW", 0)
    have(monkeypatch, None)
    B = lagbfs.graphs.kronecker(6)
    have(monkeypatch, 9 * B.nvals - 1)
    with pytest.raises(MemoryError, match=f"{9 * B.nvals:,} bytes"):
        B.to_scipy()


@pytest.mark.parametrize(
    "make",
    [
        lambda: graphs.kronecker(40),
        lambda: graphs.kronecker_edges(39, 64),
        lambda: graphs.rmat(40, directed=True),
        lambda: graphs.uniform(38),
        lambda: graphs.path(10**13),
        lambda: graphs.star(10**13),
        lambda: graphs.tree(2, 39),
        lambda: graphs.complete(10**7),
        lambda: graphs.grid(10**7, 10**6),
        lambda: graphs.grid(10**4, 10**5, 10**4),
        lambda: graphs.road_like(10**13),
        lambda: graphs.watts_strogatz(10**13, 8, 0.1),
        lambda: graphs.barabasi_albert(10**12, 8),
        lambda: graphs.random_regular(8, 10**13),
        lambda: graphs.bipartite(10**7, 10**6),
        lambda: graphs.bipartite(10**7, 10**7, 10**13),
    ],
)
def test_generators_ask_before_they_draw(make):
    """An edge list of more than a terabyte is refused by lagbfs, not by whatever allocates it."""
    with pytest.raises(MemoryError, match=r"a list of [\d,]+ edges between [\d,]+ vertices does not fit in memory"):
        make()


def test_rows_that_do_not_fit(monkeypatch):
    have(monkeypatch, 100_000_000)
    with pytest.raises(MemoryError, match=r"20,000,000 vertices and 40,000,000 entries .* 240,000,000 bytes"):
        graphs.circulant(N, 1)


def test_what_was_held_at_most():
    pytest.importorskip("resource", reason="needs the system to tell")
    program = (  # of its own: the peak of this one may be more than can be held once more
        "import numpy as np; from lagbfs.base import memory; before = memory.peak();"
        "held = np.ones(before // 8 + (8 << 20)); print(before, held.nbytes, memory.peak())"
    )
    ran = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)
    before, held, peak = map(int, ran.stdout.split())
    assert 0 < before < held < peak
    assert peak < 16 * held
    assert before + (60 << 20) <= peak


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
    ran = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)
    limited, before = map(int, ran.stdout.split())
    assert limited < 1 << 32
    assert limited <= before or before < 1 << 32
