"""The kernels of the GAP benchmark suite (Beamer, Asanović, Patterson, 2015), by the engine, by GAPBS and by SciPy.

All of them get the same graph, in files of GAPBS's own format, with edges both ways and weights of 1 … 255. Before
anything is timed, results are checked: distances and components by SciPy, ranks by one iteration more, betweenness by
its sum over the vertices, which is that of the distances less one, triangles by their corners. Contenders then take
turns; medians are reported. What the engine makes of a graph once (weights looked at and cast) is timed apart.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import backends, graphs
from ..algebra.matrix import Matrix
from ..base import checks
from ..errors import InvalidValueError, VerificationError
from ..search.bfs import bfs

__all__ = ["KERNELS", "Timing", "compare", "mean_ratio", "weighted"]

KERNELS = ("cc", "pr", "sssp", "bc", "tc")
ROOTS = 4  # of bc
DELTAS = (1, 4, 16, 64, 256, 1024, 4096)  # that GAPBS's sssp is tried with; the best counts
TOL, MOST = 1e-4, 1000  # of pr: as GAPBS has it, without a correction for vertices without edges

Array = NDArray[Any]


class Timing(NamedTuple):
    """One kernel on one graph: seconds of each round by contender, those of preparing it, and what else is told."""

    graph: str
    kernel: str
    seconds: dict[str, tuple[float, ...]]
    prepared: float
    note: str = ""

    def median(self, contender: str) -> float | None:
        """Median over the rounds, None if the contender has no such kernel."""
        return float(np.median(self.seconds[contender])) if contender in self.seconds else None

    def ratio(self, contender: str) -> float | None:
        """How many times as fast as another contender lagbfs is."""
        own, other = self.median("lagbfs"), self.median(contender)
        return None if own is None or other is None else other / own


def mean_ratio(timings: Sequence[Timing], contender: str) -> float | None:
    """Return the geometric mean of how many times as fast as a contender lagbfs is."""
    ratios = [ratio for timing in timings if (ratio := timing.ratio(contender)) is not None]
    return float(np.exp(np.mean(np.log(ratios)))) if ratios else None


def weighted(A: Matrix) -> Matrix:
    """Return the graph with weights of 1 … 255, the same both ways: a hash of the ends of each edge.

    Examples
    --------
    >>> from lagbfs import graphs
    >>> from lagbfs.measure.gap import weighted
    >>> W = weighted(graphs.path(3))
    >>> W.is_symmetric, bool((W.csr.values >= 1).all())
    (True, True)
    """
    rows, cols, _ = A.to_coo()
    low, high = np.minimum(rows, cols).astype(np.uint64), np.maximum(rows, cols).astype(np.uint64)
    mixed = low * np.uint64(0x9E3779B97F4A7C15) + high * np.uint64(0xC2B2AE3D27D4EB4F)
    mixed = (mixed ^ (mixed >> np.uint64(31))) * np.uint64(0xBF58476D1CE4E5B9)
    values = ((mixed ^ (mixed >> np.uint64(32))) % np.uint64(255) + np.uint64(1)).astype(np.int32)
    return Matrix.from_coo(rows, cols, values, nrows=A.nrows, ncols=A.ncols)


def compare(
    name: str,
    A: Matrix,
    *,
    backend: str = "native",
    gapbs: str | None = None,
    threads: int | None = None,
    kernels: Sequence[str] = KERNELS,
    rounds: int = 5,
    progress: Callable[..., None] = lambda *_: None,
) -> list[Timing]:
    """Check and time the kernels on a graph whose edges lead both ways; `progress` is told how many are done."""
    checks.integer("rounds", rounds, low=1)
    for kernel in kernels:
        checks.one_of("kernels", kernel, KERNELS)
    if not A.is_symmetric:
        raise InvalidValueError(f"graph {name} must have its edges both ways (--undirected)")
    if not A.nvals:
        raise InvalidValueError(f"graph {name} has no edges")
    A = Matrix.from_rows(A.rows)
    timings = []
    with tempfile.TemporaryDirectory() as folder:
        problem = _Problem(A, weighted(A), backend, threads)
        theirs = None if gapbs is None else _Gapbs(problem, Path(gapbs), Path(folder), threads)
        for done, kernel in enumerate(kernels):
            timings.append(_timed(name, kernel, problem, theirs, rounds))
            progress(done + 1, len(kernels))
    return timings


class _Problem:
    """A graph, where searches begin, and the kernels of lagbfs and of SciPy for it."""

    def __init__(self, A: Matrix, W: Matrix, backend: str, threads: int | None) -> None:
        self.A, self.W, self.threads = A, W, threads
        self.fused = backends.get(backend).fused()
        self.roots = np.random.default_rng(1).choice(np.flatnonzero(A.degrees), ROOTS)

    def cc(self) -> Any:
        """Return labels."""
        return self.fused.components(self.A.rows, threads=self.threads)

    def pr(self) -> Any:
        """Return ranks, iterations and error; in place, as GAPBS does."""
        ends: dict[str, Any] = {"personalization": None, "start": None, "dangling": np.zeros(self.A.nrows)}
        limits: dict[str, Any] = {"damping": 0.85, "tol": TOL, "max_iter": MOST}
        return self.fused.pagerank(self.A.rows, **limits, **ends, weighted=False, in_place=True, threads=self.threads)

    def sssp(self) -> Any:
        """Return distances and parents from the first root."""
        options = {"delta": None, "cutoff": None, "targets": None}
        return self.fused.sssp(self.W.rows, self.roots[:1], **options, threads=self.threads)

    def bc(self) -> Any:
        """Return the dependencies on the roots."""
        return self.fused.betweenness(self.A.rows, self.roots, edges=False, threads=self.threads)

    def tc(self) -> Any:
        """Return the number of triangles."""
        return self.fused.triangle_count(self.A.rows, threads=self.threads)

    def run(self, kernel: str) -> Any:
        """Return what a kernel computes."""
        found = {"cc": self.cc, "pr": self.pr, "sssp": self.sssp, "bc": self.bc, "tc": self.tc}[kernel]()
        if found is None:
            raise InvalidValueError(f"backend must have a kernel for {kernel}; native has them all")
        return found


def _timed(name: str, kernel: str, problem: _Problem, theirs: _Gapbs | None, rounds: int) -> Timing:
    began = perf_counter()
    found = problem.run(kernel)
    first = perf_counter() - began
    _CHECKS[kernel](problem, found)
    runs: dict[str, Callable[[], float]] = {"lagbfs": lambda: _once(lambda: problem.run(kernel))}
    if kernel in _SCIPY:
        other = _SCIPY[kernel](problem)
        runs["scipy"] = lambda: _once(other)
    note = f"{found[1]} iterations" if kernel == "pr" else ""
    if theirs is not None:
        theirs.choose(kernel)
        note = "; ".join(filter(None, [note, theirs.note]))
        runs["gapbs"] = lambda: theirs.seconds(kernel)
    seconds: dict[str, list[float]] = {contender: [] for contender in runs}
    for _ in range(rounds):
        for contender, run in runs.items():
            seconds[contender].append(run())
    prepared = max(first - float(np.median(seconds["lagbfs"])), 0.0)
    return Timing(name, kernel, {contender: tuple(times) for contender, times in seconds.items()}, prepared, note)


def _once(run: Callable[[], Any]) -> float:
    run()  # what the contender before has left in the caches is not its own
    began = perf_counter()
    run()
    return perf_counter() - began


class _Gapbs:
    """The programs of GAPBS, which time themselves."""

    def __init__(self, problem: _Problem, programs: Path, folder: Path, threads: int | None) -> None:
        self.programs, self.note, self.delta = programs, "", DELTAS[0]
        self.graph, self.weights, self.root = folder / "graph.sg", folder / "graph.wsg", int(problem.roots[0])
        graphs.write(self.graph, problem.A)
        graphs.write(self.weights, problem.W)
        self.environment = {**os.environ, **({} if threads is None else {"OMP_NUM_THREADS": str(threads)})}

    def choose(self, kernel: str) -> None:
        """Find the best width of buckets."""
        self.note = ""
        if kernel == "sssp":
            self.delta = min(DELTAS, key=lambda delta: self._run("sssp", *self._paths(delta)))
            self.note = f"GAPBS's delta {self.delta}"

    def seconds(self, kernel: str) -> float:
        """Return the median of some trials."""
        options = {
            "pr": ("-i", str(MOST), "-t", str(TOL)),
            "bc": ("-i", str(ROOTS)),
            "sssp": self._paths(self.delta),
        }
        return self._run(kernel, *options.get(kernel, ()))

    def _paths(self, delta: int) -> tuple[str, ...]:
        return "-r", str(self.root), "-d", str(delta)

    def _run(self, kernel: str, *options: str) -> float:
        path = self.weights if kernel == "sssp" else self.graph
        trials = "1" if kernel == "tc" else "3"
        command = [str(self.programs / kernel), "-f", str(path), "-n", trials, *options]
        try:
            output = subprocess.run(command, check=True, capture_output=True, text=True, env=self.environment).stdout
        except (OSError, subprocess.CalledProcessError) as error:
            raise InvalidValueError(f"gapbs must be the folder of GAPBS's programs: {error}") from None
        times = [float(t) for t in re.findall(r"Trial Time:\s+([\d.]+)", output)]
        if not times:
            raise InvalidValueError(f"gapbs must be the folder of GAPBS's programs: {command[0]} printed no times")
        return max(float(np.median(times)), 1e-5)


def _components_by_scipy(problem: _Problem) -> Callable[[], Any]:
    from scipy.sparse.csgraph import connected_components

    matrix = problem.A.to_scipy(copy=False)
    return lambda: connected_components(matrix, directed=False)


def _paths_by_scipy(problem: _Problem) -> Callable[[], Any]:
    from scipy.sparse.csgraph import dijkstra

    matrix = problem.W.to_scipy(copy=False).astype(np.float64)
    return lambda: dijkstra(matrix, indices=int(problem.roots[0]))


_SCIPY: dict[str, Callable[[_Problem], Callable[[], Any]]] = {"cc": _components_by_scipy, "sssp": _paths_by_scipy}


def _demand(kernel: str, holds: bool) -> None:
    if not holds:
        raise VerificationError(kernel, -1, "the result is wrong")  # of no vertex in particular


def _check_cc(problem: _Problem, labels: Array) -> None:
    count, parts = _components_by_scipy(problem)()
    smallest = np.full(count, problem.A.nrows)
    np.minimum.at(smallest, parts, np.arange(problem.A.nrows))
    _demand("cc", bool(np.array_equal(labels, smallest[parts])))


def _check_pr(problem: _Problem, found: tuple[Array, int, float]) -> None:
    """Make one iteration more, as GAPBS does: it must change little."""
    ranks, degrees = found[0], np.maximum(problem.A.degrees, 1)
    shares = problem.A.to_scipy(copy=False).astype(np.float64) @ (ranks / degrees)
    error = np.abs(0.15 / problem.A.nrows + 0.85 * shares - ranks).sum()
    _demand("pr", bool(error < 2 * TOL))


def _check_sssp(problem: _Problem, found: tuple[Array, Array]) -> None:
    _demand("sssp", bool(np.array_equal(found[0], _paths_by_scipy(problem)())))


def _check_bc(problem: _Problem, scores: Array) -> None:
    """Compare the sum with that of distances: a path of d edges passes d - 1 vertices."""
    levels = [bfs(problem.A, int(root), parents=False).levels for root in problem.roots]
    passed = sum(float(np.maximum(level - 1, 0).sum(dtype=np.float64)) for level in levels)
    _demand("bc", bool(np.isclose(scores.sum(), passed, rtol=1e-8)) and bool(scores.min(initial=0) >= 0))


def _check_tc(problem: _Problem, total: int) -> None:
    corners = problem.fused.triangles(problem.A.rows, threads=problem.threads)
    _demand("tc", corners is None or int(corners.sum()) == 3 * total)


_CHECKS: dict[str, Callable[[_Problem, Any], None]] = {
    "cc": _check_cc,
    "pr": _check_pr,
    "sssp": _check_sssp,
    "bc": _check_bc,
    "tc": _check_tc,
}
