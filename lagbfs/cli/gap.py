"""``lagbfs bench gap``: the kernels of the GAP benchmark suite, by lagbfs, by GAPBS and by SciPy."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..errors import InvalidValueError
from ..measure import bench, gap
from . import graph
from .output import Output

_GRAPHS = ["kronecker-18", "kronecker-20", "uniform-20"]


def run(options: argparse.Namespace, out: Output) -> None:
    """Check the kernels, compare them, and show how many times as fast lagbfs is."""
    if options.html or options.plot or options.against:
        raise InvalidValueError("--html, --plot and --against are not for `bench gap`; --json has all figures")
    contenders = ["scipy", *(["gapbs"] if options.gapbs else [])]
    method = f"{bench.machine()}; {options.threads or 'default'} threads; medians of checked results as NumPy arrays"
    out.outcome(method)
    timings: list[gap.Timing] = []
    for name in options.graphs[1:] or _GRAPHS:
        if options.directed is None:
            options.directed = False
        A = graph.load(name, options, out)
        with out.progress(f"measuring {Path(name).name}") as progress:
            timings += gap.compare(
                name,
                A,
                backend=options.backend or "native",
                gapbs=options.gapbs,
                threads=options.threads,
                progress=progress,
            )
    headings = [heading for name in contenders for heading in (f"{name} ms", f"{name} is")]
    columns = ("graph", "kernel", "lagbfs ms", "first call adds ms", *headings, "told")
    out.table(columns, [_cells(timing, contenders) for timing in timings], right=[*columns[2:-1]])
    means = {name: gap.mean_ratio(timings, name) for name in contenders}
    for name, mean in means.items():
        if mean is not None:
            out.line(f"geometric mean: {name} takes {mean:.2f}× as long")
    out.result({"method": method, "rows": [_data(timing) for timing in timings], "means": means})


def _cells(timing: gap.Timing, contenders: list[str]) -> list[str]:
    cells = [Path(timing.graph).name, timing.kernel, _ms(timing.median("lagbfs")), _ms(timing.prepared)]
    for name in contenders:
        ratio = timing.ratio(name)
        cells += [_ms(timing.median(name)), "" if ratio is None else f"{ratio:.2f}×"]
    return [*cells, timing.note]


def _ms(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds * 1e3:.2f}"


def _data(timing: gap.Timing) -> dict[str, Any]:
    return {
        "graph": timing.graph,
        "kernel": timing.kernel,
        "seconds": timing.seconds,
        "first_call_adds_seconds": timing.prepared,
        "note": timing.note,
    }
