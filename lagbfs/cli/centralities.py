"""``lagbfs bench centralities``: closeness, betweenness and diameter, against igraph and NetworKit."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path

from ..errors import InvalidValueError
from ..measure import bench, centralities
from . import graph
from .output import Output


def run(options: argparse.Namespace, out: Output) -> None:
    """Compare on the largest component of each graph, and show how many times as fast lagbfs is."""
    if options.html or options.plot or options.gapbs:
        raise InvalidValueError("--html, --plot and --gapbs are not for `bench centralities`; --json has all figures")
    words = options.graphs[1:]
    quantities = [word for word in words if word in centralities.QUANTITIES] or [*centralities.QUANTITIES]
    peers = [peer for peer in centralities.PEERS if find_spec(peer)] if options.against is None else options.against
    method = f"{bench.machine()}; {options.threads or 'default'} threads; medians of results as NumPy arrays"
    out.outcome(method)
    rows: list[centralities.Row] = []
    for name in [word for word in words if word not in quantities] or ["barabasi_albert-20000"]:
        if options.directed is None:
            options.directed = False
        A = graph.load(name, options, out)
        with out.progress(f"measuring {Path(name).name}") as progress:
            rows += centralities.compare(
                Path(name).name,
                A,
                quantities=quantities,
                against=peers,
                roots=options.sources,
                backend=options.backend,
                threads=options.threads,
                progress=progress,
            )
    headings = [heading for peer in peers for heading in (f"{peer} ms", f"{peer} is")]
    columns = ("graph", "quantity", "lagbfs ms", "in searches", *headings)
    out.table(columns, [_cells(row, peers) for row in rows], right=[*columns[2:]])
    out.result({"method": method, "rows": [row._asdict() for row in rows]})


def _cells(row: centralities.Row, peers: list[str]) -> list[str]:
    own = row.median("lagbfs") or 0.0
    cells = [row.graph, row.quantity, f"{own * 1e3:.1f}", f"{own / row.search:.1f}"]
    for peer in peers:
        other, ratio = row.median(peer), row.ratio(peer)
        cells += ["", ""] if other is None or ratio is None else [f"{other * 1e3:.1f}", f"{ratio:.1f}×"]
    return cells
