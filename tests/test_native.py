"""What only the native engine has: kernels under sanitizers, both index widths, interrupts, bounded memory."""

import importlib
import os
import shutil
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from kept import kept

import lagbfs
from lagbfs import backends
from lagbfs.base import checks

ROOT = Path(__file__).parent.parent
INFO = {info.name: info for info in backends.available()}["native"]
ARMS = [f"{arm.direction}:{arm.variant}" for arm in backends.get("native").arms] if INFO.runs else []
pytestmark = pytest.mark.skipif(not INFO.runs, reason=f"native cannot run here: {INFO.reason}")


def built(name, flags):
    """Return a program of tests/native, built with some flags; kept while sources and compiler stay the same."""
    tests, kernels = ROOT / "tests" / "native", ROOT / "backends" / "native"
    version = subprocess.run(["g++", "--version"], check=True, capture_output=True).stdout
    texts = [path.read_bytes() for folder in (tests, kernels) for path in sorted(folder.glob("*.[ch]pp"))]
    command = ["g++", *flags, f"-I{kernels}", str(tests / f"{name}.cpp"), "-o"]
    return kept(name, [version, *flags, *texts], lambda path: subprocess.run([*command, str(path)], check=True))


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
@pytest.mark.parametrize(
    ("program", "name", "rounds", "processor"),
    [
        ("kernels", "address,undefined", 20, []),
        ("kernels", "address,undefined", 20, ["-mavx2", "-mbmi", "-mbmi2", "-mpopcnt"]),
        ("kernels", "thread", 4, []),
        ("exhaustion", "address,undefined", 6, []),
        ("algorithms", "address,undefined", 20, ["-mavx2", "-mbmi", "-mbmi2", "-mpopcnt"]),
        ("algorithms", "thread", 4, []),
    ],
    ids=[
        "address-undefined",
        "address-undefined-avx2",
        "thread",
        "exhaustion",
        "algorithms-address-undefined-avx2",
        "algorithms-thread",
    ],
)
def test_kernels_under_sanitizers(program, name, rounds, processor):
    if processor and not importlib.import_module("lagbfs.backends.native._kernels").has_avx2():
        pytest.skip("needs a processor with AVX2, BMI and POPCNT")
    flags = ["-std=c++17", "-O1", "-g", "-pthread", *processor, f"-fsanitize={name}", "-fno-sanitize-recover=all"]
    run = subprocess.run([built(program, flags), str(rounds)], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("name", ["_kernels", "_kernels_avx2"])
def test_both_builds_of_the_kernels_agree_with_the_reference(name):
    plain = importlib.import_module("lagbfs.backends.native._kernels")
    if name != "_kernels" and not plain.has_avx2():
        pytest.skip("needs a processor with AVX2, BMI and POPCNT")
    kernels = importlib.import_module(f"lagbfs.backends.native.{name}")
    A = lagbfs.graphs.kronecker(13)  # large enough for the whole team
    graph = kernels.Graph(A.csr.indptr, A.csr.indices)
    for source in (1, 77, 4000):
        expected = lagbfs.bfs(A, source, backend="reference").levels
        for arm in range(len(kernels.ARMS)):
            found = graph.search(source, kernels.Policy.fixed(arm), True, True, -1, threads=2)
            np.testing.assert_array_equal(found.levels, expected)
            lagbfs.verify(A, source, parents=found.parents, levels=found.levels)
        graph.optimize(2)


@pytest.fixture
def wide(monkeypatch):
    """Make every new Matrix use 64-bit indices, as one of more than 2³¹ vertices does."""
    monkeypatch.setattr(checks, "INT32_MAX", -1)


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("optimized", [True, False])
def test_64_bit_indices(wide, arm, directed, optimized):
    rng = np.random.default_rng(0)
    A = lagbfs.Matrix.from_edges(*rng.integers(0, 500, (2, 2000)), n=520, directed=directed)
    assert A.csr.indices.dtype == A.csr.indptr.dtype == A.T.csr.indices.dtype == np.int64
    if optimized:
        A.optimize(backend="native")
    for source in range(0, 500, 50):
        t = lagbfs.bfs(A, source, backend="native", selector=arm)
        assert t.parents.dtype == np.int64
        t.verify()
        np.testing.assert_array_equal(t.levels, lagbfs.bfs(A, source, backend="reference").levels)


def test_64_bit_products(wide):
    rng = np.random.default_rng(0)
    A = lagbfs.Matrix.from_edges(*rng.integers(0, 50, (2, 200)), weights=rng.random(200), n=50)
    q = lagbfs.Vector.from_coo([3, 7, 20], [1.0, 2.0, 3.0], size=50)
    for direction in ("push", "pull"):
        with lagbfs.using(backend="native", direction=direction):
            found = q.vxm(A, "min_plus").new()
        with lagbfs.using(backend="reference"):
            assert found.isclose(q.vxm(A, "min_plus").new())


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs POSIX timers")
@pytest.mark.parametrize("arm", ["pull:list", "push:scan"])
def test_ctrl_c_stops_a_search(arm):
    """A signal comes after a third of a second of processor time, in a search that would take many minutes of it."""
    script = f"arm = {arm!r}" + textwrap.dedent("""
        import signal, time, numpy as np, lagbfs
        signal.signal(signal.SIGPROF, signal.default_int_handler)
        n = 400_000
        A = lagbfs.Matrix.from_edges(np.arange(n - 1), np.arange(1, n), directed=False)
        lagbfs.bfs(A, 0, backend="native", max_depth=2)
        began = time.process_time()
        try:
            signal.setitimer(signal.ITIMER_PROF, 0.3)
            lagbfs.bfs(A, 0, backend="native", selector=arm)  # quadratic
        except KeyboardInterrupt:
            print(time.process_time() - began)
        lagbfs.bfs(A, 0, backend="native").verify()
        print("goes on")
    """)
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True)
    stopped, last = done.stdout.split("\n")[:2]
    assert 0.2 < float(stopped) < 30
    assert last == "goes on"


def test_work_buffers_are_reused_and_bounded():
    A = lagbfs.graphs.kronecker(12).optimize(backend="native")
    graph = A.handle(backends.get("native")).graph
    sizes = []
    for _ in range(3):
        for source in range(100):
            lagbfs.bfs(A, source, backend="native")
        sizes.append(graph.work_bytes)
    assert 0 < sizes[0] == sizes[1] == sizes[2] <= 24 * A.nrows


def test_repeated_searches_earn_a_layout_and_say_so():
    A = lagbfs.graphs.kronecker(10)
    assert "layout" not in repr(A)
    notes = []
    for _ in range(2000):
        notes += lagbfs.bfs(A, 1, backend="native").notes
        if notes:
            break
    assert notes[0].startswith("after this search: layout")
    assert "layout" in repr(A)
    lagbfs.bfs(A, 1, backend="native").verify()


def test_too_large_an_allocation_is_a_memory_error():
    limit = "import resource; resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))"
    script = f"{limit}\nimport lagbfs\n" + textwrap.dedent("""
        try:
            lagbfs.bfs(lagbfs.Matrix.from_edges([0], [1], n=1_500_000_000), 0, backend="native")
        except MemoryError:
            print("MemoryError")
    """)
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    run = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, env=environment)
    assert run.stdout == "MemoryError\n", run.stderr


@pytest.mark.parametrize("rule", [lagbfs.selector.Beamer(), lagbfs.selector.Threshold()])
def test_flat_and_python_evaluation_of_a_rule_agree(rule):
    class Asked:
        """The rule without its flat form: asked in Python at every level."""

        def choose(self, features, arms):
            return rule.choose(features, arms)

    for A in (lagbfs.graphs.kronecker(11), lagbfs.graphs.grid(30, 40), lagbfs.graphs.uniform(9, 4)):
        for source in range(0, A.nrows, 97):
            flat = lagbfs.bfs(A, source, backend="native", selector=rule)
            asked = lagbfs.bfs(A, source, backend="native", selector=Asked())
            assert [step[:6] for step in flat.trace] == [step[:6] for step in asked.trace]


@pytest.fixture
def kernels():
    return importlib.import_module("lagbfs.backends.native._kernels")


def test_features_are_made_by_name(kernels):
    assert {name for name in dir(kernels.Features) if name[0] != "_"} == set(kernels.FEATURES)
    usual = {"early_exit": 1, "arm": -1, "novelty": 1}
    for i, name in enumerate(kernels.FEATURES):
        assert getattr(kernels.Features(), name) == usual.get(name, 0)
        features = kernels.Features(**{name: 7 + i})
        assert getattr(features, name) == 7 + i
        setattr(features, name, 0.5)
        assert getattr(features, name) == 0.5
    with pytest.raises(TypeError, match="no field 'colour'"):
        kernels.Features(n=1, colour=2)
    with pytest.raises(TypeError):
        kernels.Features(n="many")


@pytest.mark.parametrize("wrong", [{"arm": 5}, {"arm": -4}, {"arm": 0.5}, {"arm": np.nan}, {"level": -1}])
def test_features_of_no_level_are_refused(kernels, wrong):
    with pytest.raises(ValueError, match="features"):
        kernels.Policy.fixed(0).choose(kernels.Features(**wrong))


def test_the_kernels_await_all_targets(kernels):
    A = lagbfs.graphs.path(50)
    graph, policy = kernels.Graph(A.csr.indptr, A.csr.indices), kernels.Policy.fixed(0)

    def stopped(*targets, **limits):
        search = graph.search(10, policy, targets=np.array(targets), **limits)
        return search.reason, search.level, len(search.trace)

    assert stopped(12, 7, 30, 12) == ("target", 20, 20)
    assert stopped(10) == ("target", 0, 0)
    assert stopped(12, max_depth=1) == ("depth", 1, 1)
    assert graph.search(10, policy, targets=np.array([], int)).reason == "done"
    search = graph.search(10, policy, targets=np.array([12, 30]), max_levels=5)
    assert (search.reason, search.level) == ("levels", 5)
    search = graph.advance(search.frontier, search.parents, None, search.features, policy, targets=np.array([12, 30]))
    assert (search.reason, search.level) == ("target", 20)


def test_a_search_tells_what_the_next_level_would_be_chosen_by(kernels):
    A = lagbfs.graphs.star(9)  # a centre and nine leaves
    graph = kernels.Graph(A.csr.indptr, A.csr.indices)
    search = graph.search(1, kernels.Policy.fixed(3), max_levels=1)
    known = {name: getattr(search.features, name) for name in kernels.FEATURES}
    counts = {"n": 10, "m": 18, "barren": 0, "frontier_size": 1, "frontier_edges": 9}
    rest = {"unvisited_size": 8, "unvisited_edges": 8, "level": 1, "previous_size": 1, "form": 2}
    assert known == {**counts, **rest, "early_exit": 1, "arm": 3, "novelty": 1}
    assert search.trace.shape == (1, len(kernels.TRACE))
    assert dict(zip(kernels.TRACE, search.trace[0], strict=True))["arm"] == 3
