"""``lagbfs bench``: engines and libraries on the same graphs and sources."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from .. import backends
from ..algebra.matrix import Matrix
from ..base.atomic import atomic_write
from ..base.optional import require
from ..base.wording import counted
from ..errors import InvalidValueError
from ..measure import algebra, bench
from ..report.pages import bench_page
from ..selector.context import using
from . import (
    centralities,
    completion,
    functions,
    gap,
    graph,
    many,
    operations,
    outputs,
    partition,
    reading,
    selectors,
    streams,
)
from .output import Output
from .search import add_engine

# What else is compared, by the word that comes first in place of a graph.
_OTHERS = {
    "selectors": selectors.run,
    "many": many.run,
    "algebra": operations.run,
    "gap": gap.run,
    "files": reading.run,
    "partition": partition.run,
    "functions": functions.run,
    "centralities": centralities.run,
}


def add(commands: Any, parents: list[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("bench", parents=parents, help="compare engines and libraries, or selectors")
    named = parser.add_argument(
        "graphs",
        nargs="+",
        help="files, or generators and their size (kronecker-18, grid-2048); "
        "'selectors' first: compare the selectors on these, or on generated ones of 2^16 vertices if there are none; "
        "'many' first: compare searches from many sources at once with single ones; "
        "'files' first: compare formats by how long they take to be read; "
        "'algebra' first: compare operations with python-graphblas and SciPy, all or some groups of them "
        f"({', '.join(algebra.GROUPS)}); 'gap' first: compare the kernels of the GAP benchmark suite; "
        "'partition' first: compare ways to share a graph between engines; "
        "'functions' first: compare functions of NetworkX and of SciPy's csgraph with the same by lagbfs; "
        "'centralities' first: compare closeness, betweenness and diameter, or those named, with igraph and NetworKit",
    )
    completion.completed(named, lambda **typed: [*_OTHERS, *completion.graph_names(**typed)])
    graph.add_reading(parser)
    add_engine(parser)
    against = parser.add_argument(
        "--against",
        nargs="*",
        metavar="WHAT",
        help="what to compare with: scipy, python-graphblas, igraph, networkit, or an engine, with :fresh for first "
        "searches and @N for N threads (default: every library installed); for 'algebra' graphblas and scipy; for "
        "'functions' networkx, scipy, igraph",
    )
    completion.completed(against, completion.contenders)
    _add_options(parser)
    parser.set_defaults(run=_run, on_ranks="bench")


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--results",
        nargs="+",
        choices=bench.RESULTS,
        default=["parents"],
        metavar="WHAT",
        help=f"what engines return, each timed by itself: {', '.join(bench.RESULTS)} (default: parents)",
    )
    parser.add_argument(
        "--cold", action="store_true", help="search after other work: nothing in the caches, threads asleep"
    )
    parser.add_argument("--sources", type=int, default=16, help="random sources (default: %(default)s)")
    parser.add_argument(
        "--smaller", type=int, default=0, metavar="K", help="for 'algebra': graphs of scales that are less by K"
    )
    parser.add_argument(
        "--gapbs", metavar="PATH", help="the bfs program of the GAP benchmark suite; for 'gap' its folder"
    )
    parser.add_argument(
        "--emulate",
        type=float,
        metavar="SPEED",
        help="for 'partition': a device so many times as fast as the engine that stands for it",
    )
    parser.add_argument("--html", type=streams.target, metavar="FILE", help="write tables and plots as one page")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw what the selectors lose (.png, .svg, .pdf)")


def _run(options: argparse.Namespace, out: Output) -> None:
    if options.graphs[0] in _OTHERS:
        _OTHERS[options.graphs[0]](options, out)
        return
    if options.plot:
        raise InvalidValueError("--plot is for `bench selectors`; engines and libraries are drawn by --html FILE")
    outputs.check(options.html)
    if options.html:
        require("matplotlib", "plot")
    against = bench.installed_peers() if options.against is None else options.against
    against = [*against, *(["gapbs"] if options.gapbs and "gapbs" not in against else [])]
    contenders = [options.backend or backends.default(), *against]
    threads = options.threads or "default"
    sources = counted(options.sources, "source", "sources")
    method = (
        f"{bench.machine()}; {sources}, {threads} threads; results as NumPy arrays{'; cold' if options.cold else ''}"
    )
    out.outcome(method)
    rows, notes = [], []
    for name in options.graphs:
        compared, note = _compare(name, graph.load(name, options, out), contenders, options, out)
        rows += compared
        notes += [note] if note else []
    if options.html:
        with atomic_write(options.html) as file:
            file.write(bench_page(rows, method, notes=notes).encode())
    out.result({"method": method, "rows": [_data(row) for row in rows], "notes": notes})


def _compare(
    name: str, A: Matrix, contenders: list[str], options: argparse.Namespace, out: Output
) -> tuple[list[bench.Row], str]:
    with using(selector=options.selector), out.progress(f"searching {Path(name).name}") as progress:
        rows = bench.compare(
            name,
            A,
            contenders,
            results=options.results,
            sources=options.sources,
            threads=options.threads,
            gapbs=options.gapbs,
            cold=options.cold,
            progress=progress,
        )
        memory = bench.memory(A, options.threads) if contenders[0] == "native" else ""
    columns = ("graph", "contender", "median ms", "quartiles ms", "first is")
    cells = [[*line] for line in bench.cells(rows)]
    out.table(columns, cells, right="median_ms quartiles_ms first_is")
    note = f"{Path(name).name}: {memory}" if memory else ""
    if note:
        out.line(note)
    return rows, note


def _data(row: bench.Row) -> dict[str, Any]:
    low, high = row.spread
    return {
        "graph": row.graph,
        "contender": row.contender,
        "results": row.results,
        "median_seconds": row.median,
        "quartiles_seconds": [low, high],
        "seconds": row.seconds,
    }
