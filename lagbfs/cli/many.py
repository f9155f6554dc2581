"""``lagbfs bench many``: searches from many sources at once, against one after the other."""

from __future__ import annotations

import argparse
from pathlib import Path

from .. import backends
from ..errors import InvalidValueError
from ..measure import bench, many
from . import graph
from .output import Output


def run(options: argparse.Namespace, out: Output) -> None:
    """Compare on each graph, and show how many times as fast `bfs_many` is."""
    if options.html or options.gapbs or options.plot or options.against:
        raise InvalidValueError(
            "--html, --gapbs, --plot and --against are not for `bench many`; --json has all figures"
        )
    backend = options.backend or backends.default()
    method = f"{bench.machine()}; {backend}, {options.threads or 'default'} threads; {options.sources} sources; medians"
    out.outcome(method)
    rows: list[many.Row] = []
    for name in options.graphs[1:] or ["kronecker-16", "grid-500"]:
        A = graph.load(name, options, out)
        with out.progress(f"searching {Path(name).name}") as progress:
            rows += many.compare(
                Path(name).name,
                A,
                sources=options.sources,
                backend=backend,
                threads=options.threads,
                progress=progress,
            )
    columns = ("graph", "results", "bfs ms", "bfs_many ms", "ratio", "way")
    cells = [
        [row.graph, row.results, f"{row.single * 1e3:.3f}", f"{row.many * 1e3:.3f}", f"{row.ratio:.2f}×", row.way]
        for row in rows
    ]
    out.table(columns, cells, right="bfs_ms bfs_many_ms ratio")
    out.result({"method": method, "rows": [row._asdict() for row in rows]})
