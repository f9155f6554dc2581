"""``lagbfs bench functions``: functions of NetworkX and of SciPy's csgraph, by lagbfs and as they are."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ..algebra.matrix import Matrix
from ..base import checks
from ..errors import InvalidValueError
from ..measure import bench, functions
from ..selector.context import using
from . import graph
from .output import Output

_GRAPHS = {"networkx": ["kronecker-16", "grid-450"], "scipy": ["kronecker-18", "barabasi_albert-1000"]}
_OWN = {"networkx": ("converted", "fresh"), "scipy": ("again", "fresh")}  # how lagbfs is called

Measure = Callable[..., list[functions.Timing]]


def run(options: argparse.Namespace, out: Output) -> None:
    """Compare the functions, results first, and show how many times as long the others take."""
    if options.html or options.gapbs or options.plot:
        raise InvalidValueError("--html, --gapbs and --plot are not for `bench functions`; --json has all figures")
    against = functions.AGAINST[:2] if options.against is None else options.against
    for name in against:
        checks.one_of("--against", name, functions.AGAINST)
    method = f"{bench.machine()}; {options.threads or 'default'} threads; medians of checked results"
    out.outcome(method)
    rows: list[dict[str, Any]] = []
    with using(backend=options.backend, threads=options.threads):
        if "networkx" in against or "igraph" in against:
            beside = [name for name in against if name == "igraph"]
            measure = partial(functions.against_networkx, igraph=bool(beside))
            rows += _compare("networkx", measure, ["networkx", *beside], options, out)
        if "scipy" in against:
            rows += _compare("scipy", functions.against_scipy, ["scipy"], options, out)
    out.result({"method": method, "rows": rows})


def _compare(
    library: str, measure: Measure, others: list[str], options: argparse.Namespace, out: Output
) -> list[dict[str, Any]]:
    """Measure the functions of a library on each graph, and show them in a table."""
    timings: list[functions.Timing] = []
    for name in options.graphs[1:] or _GRAPHS[library]:
        if library == "networkx" and options.directed is None:
            options.directed = False
        A = graph.load(name, options, out)
        with out.progress(f"measuring {Path(name).name}") as progress:
            timings += measure(name, Matrix.from_rows(A.rows), progress=progress)
    own = _OWN[library]
    headings = [heading for name in others for heading in (f"{name} ms", *(f"by {way}" for way in own))]
    columns = ("graph", "function", *(f"{way} ms" for way in own), *headings, "dict ms", "told")
    out.table(columns, [_cells(timing, own, others) for timing in timings], right=[*columns[2:-1]])
    return [timing._asdict() | {"library": library} for timing in timings]


def _cells(timing: functions.Timing, own: Sequence[str], others: Sequence[str]) -> list[str]:
    cells = [Path(timing.graph).name, timing.function, *(_ms(timing.seconds.get(way)) for way in own)]
    for name in others:
        ratios = [timing.ratio(way, name) for way in own]
        cells += [_ms(timing.seconds.get(name)), *("" if ratio is None else f"{ratio:.3g}×" for ratio in ratios)]
    return [*cells, _ms(timing.dictionary), timing.note]


def _ms(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds * 1e3:.3g}"
