"""``lagbfs bench partition``: what engines that share a graph take, by how its vertices are dealt out."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..errors import InvalidValueError
from ..measure import bench, partition
from . import graph
from .output import Output


def run(options: argparse.Namespace, out: Output) -> None:
    """Compare policies on each graph, and show the levels of one search."""
    if options.html or options.gapbs or options.plot or options.against:
        raise InvalidValueError(
            "--html, --gapbs, --plot and --against are not for `bench partition`; --json has all figures"
        )
    device = None if options.emulate is None else partition.Device(options.emulate)
    backend = options.backend or ("native+cupyx" if device is None else "native+native")
    method = f"{bench.machine()}; {backend}, {options.threads or 'default'} threads; {options.sources} sources, medians"
    if device is not None:
        method += f"; the last part {device.speed:g} times as fast, and {device.launch * 1e6:g} µs a launch"
    out.outcome(method)
    runs: list[partition.Run] = []
    for name in options.graphs[1:] or ["kronecker-18"]:
        A = graph.load(name, options, out)
        with out.progress(f"searching {Path(name).name}") as progress:
            runs += partition.compare(
                Path(name).name,
                A,
                backend=backend,
                device=device,
                sources=options.sources,
                selector=options.selector,
                threads=options.threads,
                progress=progress,
            )
    columns = ("graph", "dealt out", "vertices", "edges", "ms", "first alone")
    out.table(columns, [_cells(run) for run in runs], right="vertices edges ms first_alone")
    columns = ("dealt out", "level", "frontier", "parts ms", "exchange ms", "level ms")
    rows = [_level(run, level) for run in runs for level in run.levels]
    out.table(columns, rows, right="level frontier parts_ms exchange_ms level_ms")
    out.result({"method": method, "rows": [_data(run) for run in runs]})


def _cells(run: partition.Run) -> list[str]:
    vertices, edges = (" + ".join(f"{size:,}" for size in sizes) for sizes in (run.vertices, run.edges))
    return [run.graph, run.policy, vertices, edges, _ms(run.seconds), f"{run.alone / run.seconds:.2f}×"]


def _level(run: partition.Run, level: partition.PartTimes) -> list[str]:
    parts = " ".join(map(_ms, level.parts))
    return [run.policy, str(level.level), f"{level.frontier_size:,}", parts, _ms(level.exchange), _ms(level.seconds)]


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:.3f}"


def _data(run: partition.Run) -> dict[str, Any]:
    return {**run._asdict(), "levels": [level._asdict() for level in run.levels]}
