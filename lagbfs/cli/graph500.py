"""``lagbfs graph500``: a complete run of the benchmark's breadth-first search."""

from __future__ import annotations

import argparse
from typing import Any

from .. import backends
from ..measure import graph500
from . import completion
from .output import Output


def add(commands: Any, parents: list[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("graph500", parents=parents, help="run Graph500: construct, search, validate")
    parser.add_argument("--scale", type=int, default=16, help="binary logarithm of the vertices (default: %(default)s)")
    parser.add_argument("--edgefactor", type=int, default=16, help="edges per vertex (default: %(default)s)")
    parser.add_argument("--sources", type=int, default=64, help="searches (default: %(default)s, as specified)")
    parser.add_argument("--seed", type=int, default=1, help="of the graph and the sources (default: %(default)s)")
    engines = f"the engine: one of {', '.join(backends.names())}"
    completion.completed(parser.add_argument("--backend", help=engines), completion.engines)
    parser.add_argument("--threads", type=int, metavar="N", help="threads that engines use (default: all)")
    parser.set_defaults(run=_run, on_ranks="graph500")


def _run(options: argparse.Namespace, out: Output) -> None:
    with out.progress("Graph500") as progress:
        report = graph500.run(
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
