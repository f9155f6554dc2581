"""Benchmarks: engines of lagbfs and other libraries on the same graphs and sources, in one run.

A contender returns the parents of a search as a NumPy array (NetworKit: distances; GAPBS: nothing, it times itself);
engines also levels, both, or the order of a first-in-first-out search, which SciPy gives with the parents.
`threads` is for engines and GAPBS; other libraries use as many as they do by default. The contenders take turns
at each source, so that what disturbs the machine disturbs all of them. At its turn each searches for ten
milliseconds, at least once, untimed, so that none pays for the caches its predecessor left, then five times; the median
counts, and medians over the sources are reported. Cold searches each come after other work instead.

An engine is written ``name[:fresh][@threads]``. It searches a matrix whose layout is made, or with ``:fresh`` one that
no search has seen yet, each time.
"""

from __future__ import annotations

import importlib.util
import math
import os
import platform
import re
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from .. import backends, graphs
from ..algebra.matrix import Matrix
from ..base import checks, graphblas
from ..base.optional import require
from ..base.suggestions import did_you_mean
from ..base.wording import alike, in_bytes
from ..errors import InvalidValueError
from ..search.bfs import bfs
from ..search.traversal import Traversal
from ..storage.rows import Rows
from ..storage.store import Store
from .cold import chill

__all__ = ["RESULTS", "Row", "cells", "compare", "machine", "memory"]

_REPEATS = 5
_WARMING = 1e-2  # seconds: each turn begins with searches that are not timed, until so many have passed
_GAPBS_STEP = 1e-5  # seconds: it prints no finer

Search = Callable[[int], list[float]]  # searches from a source, several times, and returns the seconds of each


class Row(NamedTuple):
    """One contender on one graph: seconds of each source, and what it returned each time."""

    graph: str
    contender: str
    seconds: tuple[float, ...]
    results: str = "parents"

    @property
    def median(self) -> float:
        """Median over the sources."""
        return float(np.median(self.seconds))

    @property
    def spread(self) -> tuple[float, float]:
        """First and third quartile over the sources."""
        low, high = np.quantile(self.seconds, [0.25, 0.75])
        return float(low), float(high)


def compare(
    name: str,
    A: Matrix,
    contenders: Sequence[str],
    *,
    results: Sequence[str] = ("parents",),
    sources: int = 16,
    threads: int | None = None,
    gapbs: str | None = None,
    cold: bool = False,
    seed: int = 1,
    progress: Callable[[float, float], None] = lambda done, total: None,
) -> list[Row]:
    """Time each contender from the same random sources of degree > 0, taking turns; `progress` counts sources.

    Engines are timed for each of the `results`, whose name is added to theirs unless it is "parents"; other libraries
    for what they give. If `cold`, what they search is in no cache, and their threads are asleep.
    """
    checks.integer("sources", sources, low=1)
    if cold and "gapbs" in contenders:
        raise InvalidValueError("gapbs times itself, search after search: it cannot be compared cold")
    A = Matrix.from_rows(A.rows)  # without labels: sources are numbers, as other libraries have it
    candidates = np.flatnonzero(A.degrees)
    if not len(candidates):
        raise InvalidValueError(f"graph {name} has no edges to search along")
    chosen = np.random.default_rng(seed).choice(candidates, sources).tolist()
    with tempfile.TemporaryDirectory() as folder:
        turns = _turns(contenders, results)
        searches = {turn: _prepare(*turn, A, threads, gapbs, folder, cold) for turn in turns}
        for search in searches.values():
            search(chosen[0])  # first calls load, compile or convert
        seconds: dict[tuple[str, str], list[float]] = {turn: [] for turn in searches}
        for done, source in enumerate(chosen, 1):
            for turn, search in searches.items():
                seconds[turn].append(float(np.median(search(source))))
            progress(done, sources)
    return [Row(name, _called(*turn), tuple(times), turn[1]) for turn, times in seconds.items()]


def _called(contender: str, given: str) -> str:
    return f"{contender} ({given})" if _engine(contender) and given != "parents" else contender


def _turns(contenders: Sequence[str], results: Sequence[str]) -> list[tuple[str, str]]:
    """Return each contender with what it is to return."""
    for result in results:
        checks.one_of("results", result, RESULTS)
    return [
        (contender, given)
        for contender in contenders
        for given in (results if _engine(contender) else [_GIVEN.get(contender, "parents")])
    ]


def _engine(contender: str) -> re.Match[str] | None:
    """Return name, freshness and threads of an engine, None if the contender is another library."""
    engine = re.fullmatch(r"(\w+?)(:fresh)?(?:@(\d+))?", contender)
    return engine if engine and engine[1] in backends.names() else None


def _prepare(
    contender: str, given: str, A: Matrix, threads: int | None, gapbs: str | None, folder: str, cold: bool
) -> Search:
    if engine := _engine(contender):
        own = int(engine[3]) if engine[3] else threads
        return (_fresh if engine[2] else _optimized)(A, engine[1], own, RESULTS[given], cold)
    if contender == "gapbs":
        return _gapbs(A, gapbs, threads, folder)
    if contender not in PEERS:
        known = ", ".join([*(f"{name}[:fresh][@N]" for name in backends.names()), *PEERS, "gapbs"])
        near = did_you_mean(contender, [*backends.names(), *PEERS, "gapbs"])
        raise InvalidValueError(f"contender must be one of {known}, not {contender!r}{near}")
    return _timed(PEERS[contender](A), cold)


def _both(t: Traversal) -> tuple[Any, Any]:
    return t.parents, t.levels


class _Result(NamedTuple):
    """What a search is asked for, and how it is read."""

    options: dict[str, Any]
    read: Callable[[Traversal], Any]


RESULTS = {
    "parents": _Result({"levels": False}, lambda t: t.parents),
    "levels": _Result({"parents": False}, lambda t: t.levels),
    "both": _Result({"levels": True}, _both),
    "order": _Result({"levels": False, "order": True}, lambda t: (t.order, t.parents)),
}


def _optimized(A: Matrix, name: str, threads: int | None, result: _Result, cold: bool) -> Search:
    A.optimize(backend=name, threads=threads)
    return _timed(lambda s: result.read(bfs(A, s, backend=name, threads=threads, **result.options)), cold)


def _fresh(A: Matrix, name: str, threads: int | None, result: _Result, cold: bool) -> Search:
    return _timed(
        lambda unseen, s: result.read(bfs(unseen, s, backend=name, threads=threads, **result.options)),
        cold,
        lambda: (_unseen(A),),
    )


def _unseen(A: Matrix) -> Matrix:
    """Return the same matrix, sharing its arrays, without anything that engines have made for it."""
    return Matrix.from_rows(Rows(Store(A.csr, symmetric=A.known_symmetric)))


def _timed(search: Callable[..., Any], cold: bool, prepare: Callable[[], tuple[Any, ...]] = tuple) -> Search:
    """Return what times `search`, each time with what `prepare` made for it, untimed, before the source."""

    def once(source: int) -> float:
        prepared = prepare()
        if cold:
            chill()
        began = perf_counter()
        search(*prepared, source)
        return perf_counter() - began

    def turn(source: int) -> list[float]:
        began = perf_counter()
        once(source)
        while perf_counter() - began < _WARMING and not cold:
            once(source)
        return [once(source) for _ in range(_REPEATS)]

    return turn


def _scipy(A: Matrix) -> Callable[[int], Any]:
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import breadth_first_order

    # The form that csgraph converts to on each call: giving it at once spares SciPy the conversion.
    matrix = csr_matrix(A.to_scipy(copy=False)).astype(np.float64)
    return lambda s: breadth_first_order(matrix, s, directed=True)[1]


def _graphblas(A: Matrix) -> Callable[[int], Any]:
    Vector, any_secondi = graphblas.start().Vector, graphblas.semiring("any", "secondi", np.dtype(np.int64))
    matrix = A.to_graphblas()

    def search(source: int) -> Any:
        parents, frontier = Vector(int, A.nrows), Vector(int, A.nrows)
        parents[source] = frontier[source] = source
        while frontier.nvals:
            frontier(~parents.S, replace=True) << any_secondi(frontier @ matrix)
            parents(frontier.S) << frontier
        return parents.to_dense(-1)

    return search


def _igraph(A: Matrix) -> Callable[[int], Any]:
    igraph = require("igraph", "bench")

    rows, cols, _ = A.to_coo()
    graph = igraph.Graph(n=A.nrows, edges=np.stack([rows, cols], axis=1), directed=True)
    return lambda s: np.array(graph.bfs(s, mode="out")[2])


def _networkit(A: Matrix) -> Callable[[int], Any]:
    networkit = require("networkit", "bench")

    rows, cols, _ = A.to_coo()
    edges = (rows.astype(np.uint64), cols.astype(np.uint64))
    graph = networkit.graph.GraphFromCoo(edges, n=A.nrows, directed=True)
    # Its search keeps distances, and predecessors only on a slower path: the distances it is.
    return lambda s: np.asarray(networkit.distance.BFS(graph, s, storePaths=False).run().getDistances(asarray=True))


PEERS: dict[str, Callable[[Matrix], Callable[[int], Any]]] = {
    "scipy": _scipy,
    "python-graphblas": _graphblas,
    "igraph": _igraph,
    "networkit": _networkit,
}
_GIVEN = {"scipy": "order", "networkit": "levels"}  # others: parents
_MODULES = {"scipy": "scipy", "python-graphblas": "graphblas", "igraph": "igraph", "networkit": "networkit"}


def installed_peers() -> list[str]:
    """Return the other libraries that are installed and can be compared with."""
    return [peer for peer, module in _MODULES.items() if importlib.util.find_spec(module)]


def _gapbs(A: Matrix, binary: str | None, threads: int | None, folder: str) -> Search:
    if binary is None:
        raise InvalidValueError("gapbs needs the path of its bfs program: --gapbs PATH")
    path = Path(folder) / "graph.sg"
    graphs.write(path, A)
    environment = {**os.environ, **({} if threads is None else {"OMP_NUM_THREADS": str(threads)})}
    lately = _WARMING  # seconds of a trial in the last run: as many trials as make up the warming are left out

    def run(source: int) -> list[float]:
        nonlocal lately
        warming = math.ceil(_WARMING / lately)
        command = [binary, "-f", str(path), "-r", str(source), "-n", str(warming + _REPEATS)]
        output = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
        trials = [float(t) for t in re.findall(r"Trial Time:\s+([\d.]+)", output)]
        if len(trials) < warming + _REPEATS:
            raise InvalidValueError(f"gapbs must be the path of its bfs program, which {binary} is not: no times came")
        lately = max(float(np.median(trials)), _GAPBS_STEP)
        return trials[warming:]

    return run


def memory(A: Matrix, threads: int | None = None) -> str:
    """Return a line about the memory that searches of the native engine hold, without a layout and with it.

    Counted are the matrix, the layout, the work buffers and one result. What is not an edge's copy is given per vertex.
    """
    unseen = _unseen(A)
    handle = unseen.handle(backends.get("native"))
    csr, source, parts = unseen.csr, int(A.degrees.argmax()), []
    for when in ("before the layout", "with it"):
        result = bfs(unseen, source, backend="native", threads=threads).parents
        held = csr.indptr.nbytes + csr.indices.nbytes + result.nbytes + handle.work_bytes + handle.layout_bytes
        edges = csr.indices.nbytes * (2 if handle.layout_bytes > csr.indices.nbytes else 1)  # not every layout copies
        edge, vertex = edges / max(A.nvals, 1), (held - edges) / max(A.nrows, 1)
        parts.append(f"{in_bytes(held)} {when} ({edge:.0f} bytes per edge and {vertex:.1f} per vertex)")
        del result
        unseen.optimize(backend="native", threads=threads)
    return f"memory of native: {', '.join(parts)}"


def machine() -> str:
    """Return a line about where the figures come from."""
    cpuinfo = Path("/proc/cpuinfo")
    names = re.findall(r"model name\s*:\s*(.*)", cpuinfo.read_text()) if cpuinfo.exists() else []
    model = names[0] if names else platform.processor()
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}"


def cells(rows: Sequence[Row]) -> list[tuple[str, str, str, str, str]]:
    """Return the rows as text: graph, contender, median, quartiles, and how many times as fast the first is."""
    first: dict[str, Row] = {}
    lines = []
    said = iter(alike([seconds * 1e3 for row in rows for seconds in (row.median, *row.spread)]))
    for row, (median, low, high) in zip(rows, zip(said, said, said, strict=True), strict=True):
        best = first.setdefault(row.graph, row)
        ratio = "" if row is best else f"{row.median / best.median:.2f}×"
        lines.append((Path(row.graph).name, row.contender, median, f"{low}–{high}", ratio))
    return lines
