"""Commands on ranks, as launched by mpiexec: rank 0 alone prints."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from .. import backends, graphs
from ..algebra.matrix import Matrix
from ..backends.partitioned.ranks import Ranks
from ..distributed import DistributedMatrix, DistributedTraversal, world
from ..distributed.agreeing import together
from ..errors import InvalidValueError
from ..measure import bench, graph500_ranks, ranks
from ..search.bfs import bfs
from ..search.steps import milliseconds
from . import graph, outputs, streams
from .output import Output

__all__ = ["run"]

_ALONE = ("order", "explain", "plot", "plot_predictions", "html", "gapbs", "cold")


def run(options: argparse.Namespace, out: Output) -> None:
    """Run the command that was asked for on all ranks."""
    world().agree(_refused(options))
    {"bfs": _bfs, "graph500": _graph500, "bench": _bench}[options.on_ranks](options, out)


def _refused(options: argparse.Namespace) -> InvalidValueError | None:
    """Return what is wrong with options that are not for ranks."""
    if options.on_ranks is None:
        return InvalidValueError("bfs, graph500 and bench run on ranks, other commands do not: leave out mpiexec")
    given = [name.replace("_", "-") for name in _ALONE if getattr(options, name, None)]
    return InvalidValueError(f"--{given[0]} is for one process, not for ranks: leave out mpiexec") if given else None


def _bfs(options: argparse.Namespace, out: Output) -> None:
    from .search import vertex

    A = _load(world(), options.graph, options, out)
    out.line(f"{A.nrows:,} vertices, {A.nvals:,} entries, on {A.ranks.size} ranks")
    named: Any = A  # has what `vertex` asks a matrix for

    def ends(name: str) -> list[Any]:
        return together(A.ranks, lambda: [vertex(named, name, text) for text in getattr(options, name) or []])

    given, targets = ends("source") or [_busiest(A)], ends("target") or None
    settings = {key: getattr(options, key) for key in ("backend", "direction", "selector", "threads", "max_depth")}
    with out.progress("searching"):
        bfs(A, given, target=targets, **settings)  # the first search loads the engine
        t: Any = bfs(A, given, target=targets, **settings)
    _show(t, out)
    with out.progress("verifying"):
        t.verify()
    if options.out:
        _write(t, options.out)
    out.outcome("verified")
    out.result(_data(t, options.graph))


def _load(all_ranks: Ranks, name: str, options: argparse.Namespace, out: Output) -> DistributedMatrix:
    """Return the graph that a name stands for: a file, or a generator and its size."""
    if streams.is_stdin(name):
        all_ranks.agree(InvalidValueError("standard input is rank 0's alone: give a file, which all ranks can see"))
    maker, _, size = name.rpartition("-")
    if Path(name).exists() and not Path(name).is_dir():
        with out.progress(f"reading {Path(name).name}"):
            keys = ("format", "directed", "header", "delimiter", "max_vertices")
            return DistributedMatrix.read(name, **{key: getattr(options, key) for key in keys})
    if maker == "kronecker" and graphs.is_named(name):  # the graph of that name, which one process draws, too
        with out.progress(f"making {name}"):
            return DistributedMatrix.kronecker(int(size), permutation="drawn")
    return DistributedMatrix.from_matrix(_whole(all_ranks, name, options, out))


def _whole(all_ranks: Ranks, name: str, options: argparse.Namespace, out: Output) -> Matrix | None:
    """Return the graph on rank 0."""
    return together(all_ranks, lambda: graph.load(name, options, out) if all_ranks.rank == 0 else None)


def _busiest(A: DistributedMatrix) -> Any:
    """Return the vertex of most out-edges, of several the first."""
    degrees = A.block.degrees
    most = int(A.ranks.allreduce(np.array([int(degrees.max(initial=0))]), "max")[0])
    mine = A.own[: len(degrees)][degrees == most] if most else A.own
    first = int(A.ranks.allreduce(np.array([mine.min(initial=A.nrows)]).astype(np.int64), "min")[0])
    if first == A.nrows:
        A.ranks.agree(InvalidValueError("the graph has no vertices to search from"))
    return first if A.labels is None else A.labels[first]


def _show(t: DistributedTraversal, out: Output) -> None:
    out.outcome(t.outcome)
    times = zip(milliseconds(t.trace), t.trace, strict=True)  # type: ignore[arg-type]
    columns = ("level", "frontier", "its edges", "form", "ms", "exchange ms", "bytes sent", "arm of rank 0")
    rows = []
    for ms, step in times:
        told = step.form, ms, f"{step.exchange * 1e3:.3f}", f"{step.sent:,}", str(step.arm)
        rows.append([*(f"{count:,}" for count in step[:3]), *told])
    out.table(columns, rows, right=("level", "frontier", "its edges", "ms", "exchange ms", "bytes sent"))


def _write(t: DistributedTraversal, path: Path) -> None:
    """Gather what was found, and write it on rank 0."""
    found = t.gather()
    if found is None or found.parents is None:
        return
    names = t.matrix.labels or range(t.matrix.nrows)
    pairs = enumerate(zip(found.levels.tolist(), found.parents.tolist(), strict=True))
    rows = ((names[v], level, "" if parent < 0 else names[parent]) for v, (level, parent) in pairs)
    outputs.write_table(path, ("vertex", "level", "parent"), rows)


def _data(t: DistributedTraversal, name: str) -> dict[str, Any]:
    return {
        "graph": name,
        "ranks": t.matrix.ranks.size,
        "vertices": t.matrix.nrows,
        "entries": t.matrix.nvals,
        "sources": t.sources,
        "reached": t.reached,
        "depth": t.depth,
        "seconds": t.seconds,
        "levels": [{**step._asdict(), "arm": str(step.arm)} for step in t.trace],
        "verified": True,
    }


def _graph500(options: argparse.Namespace, out: Output) -> None:
    with out.progress("Graph500") as progress:
        report = graph500_ranks.run(
            options.scale,
            options.edgefactor,
            sources=options.sources,
            seed=options.seed,
            backend=options.backend,
            threads=options.threads,
            progress=lambda step, done, total: progress(done, total, step),
        )
    out.outcome(report.text())
    out.result(report.to_dict())


def _bench(options: argparse.Namespace, out: Output) -> None:
    """Compare the search on ranks with engines on rank 0."""
    all_ranks = world()
    against = [backends.default()] if options.against is None else options.against
    threads = options.threads or "default"
    out.outcome(f"{bench.machine()}; {all_ranks.size} ranks, {threads} threads each; {options.sources} sources")
    latency, bandwidth = ranks.rates(all_ranks)
    out.line(f"exchange: figures of a level {latency * 1e6:.1f} µs, large frontiers {bandwidth / 1e9:.2f} GB/s a rank")
    rows: list[ranks.Row] = []
    for name in [given for given in options.graphs if given != "ranks"]:
        whole = _whole(all_ranks, name, options, out)
        A = DistributedMatrix.from_matrix(whole)
        settings = {"sources": options.sources, "backend": options.backend, "threads": options.threads}
        with out.progress(f"searching {name}") as progress:
            rows += ranks.compare(name, A, whole, against, **settings, progress=progress)
    if all_ranks.rank:
        return
    base = {row.graph: row.median for row in reversed(rows)}
    figures = [(row, row.median, base[row.graph] / row.median) for row in rows]
    cells = [[row.graph, row.contender, f"{median * 1e3:.3f}", f"{ratio:.2f}×"] for row, median, ratio in figures]
    out.table(("graph", "contender", "median ms", "ratio"), cells, right=("median ms", "ratio"))
    out.result({"rows": [{**row._asdict(), "median": median} for row, median, _ in figures]})
