"""``lagbfs bench files``: how long it takes until a graph is read, and searched."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..errors import InvalidValueError
from ..measure import bench, files
from . import graph
from .output import Output


def run(options: argparse.Namespace, out: Output) -> None:
    """Compare the formats on each graph."""
    if options.html or options.gapbs or options.plot or options.against:
        raise InvalidValueError("--html, --gapbs, --plot and --against are not for `bench files`")
    method = f"{bench.machine()}; {options.threads or 'default'} threads; files in the system's cache; medians"
    out.outcome(method)
    rows: list[files.Row] = []
    for name in options.graphs[1:] or ["kronecker-16", "grid-500"]:
        A = graph.load(name, options, out)
        with out.progress(f"reading {Path(name).name}") as progress:
            rows += files.compare(Path(name).name, A, threads=options.threads, progress=progress)
    columns = ("graph", "format", "MB", "read ms", "and searched ms")
    cells = [
        [row.graph, row.way, f"{row.size / 1e6:.1f}", f"{row.read * 1e3:.2f}", f"{row.searched * 1e3:.2f}"]
        for row in rows
    ]
    out.table(columns, cells, right="MB read_ms and_searched_ms")
    out.result({"method": method, "rows": [row._asdict() for row in rows]})
