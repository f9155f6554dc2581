"""``lagbfs bench selectors``: every policy on the same measured levels and end to end."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path

from .. import backends
from ..algebra.matrix import Matrix
from ..base import machine
from ..base.wording import counted
from ..errors import InvalidValueError
from ..measure import bench
from ..measure.training import corpus, evaluation, regret
from ..measure.training.evaluation import RULES, SwitchingPoints
from ..report import plot
from . import graph, outputs, selector_tables
from .output import Output

_SCALE = 16  # log2 of the vertices of generated graphs
_LARGE = 100_000  # edges: searches of smaller graphs are over before a choice costs anything
_SECONDS = 10.0  # spent on a graph's levels, and end to end: after that no other source is begun


def run(options: argparse.Namespace, out: Output) -> None:
    """Compare the selectors and show what they lose."""
    if options.html or options.gapbs or options.against:
        raise InvalidValueError("--html, --gapbs and --against are not for `bench selectors`; --plot FILE draws them")
    outputs.check_pictures(options.plot)
    makers = _makers(options, out)
    backend = (options.backend or backends.default()).split(",")
    threads = options.threads or machine.threads()
    searched_from = counted(options.sources, "source", "sources")
    on = counted(threads, "thread", "threads")
    method = f"{bench.machine()}; {searched_from} at most, arms of {', '.join(backend)}, {on}"
    out.outcome(method)
    compared: dict[str, regret.Compared] = {}
    times: dict[str, dict[str, float]] = {}
    shares: dict[str, tuple[float, float]] = {}
    points: dict[str, SwitchingPoints] = {}
    numbers = corpus.shares(backend, threads)
    with out.progress("measuring") as progress:
        for done, (label, make) in enumerate(makers.items()):
            progress(done, len(makers), f"measuring {label}")
            A = make()
            searched = {"sources": options.sources, "backend": backend, "threads": numbers, "seconds": _SECONDS}
            measured = corpus.measure({label: _given(A)}, repeats=7, **searched)
            if not measured:
                continue
            compared[label] = regret.compare(measured)
            sources = list(dict.fromkeys(search.source for search in measured))
            rules = _worth_timing(compared[label])
            timed = {"backend": backend, "threads": options.threads}
            times[label] = evaluation.end_to_end(A, sources, rules, seconds=_SECONDS, **timed)
            whole = [search for search in measured if search.run.threads == threads]
            points |= evaluation.switching_points(whole, backend[0])
            if A.nvals >= _LARGE:
                shares[label] = evaluation.choosing_share(A, sources, **timed)
    if not times:
        raise InvalidValueError("there is nothing to compare: no graph has edges to search along")
    selector_tables.show(compared, times, out)
    selector_tables.show_points(points, out)
    selector_tables.show_choosing(shares, _LARGE, out)
    if options.plot:
        plot.save(plot.regret({label: each.curves for label, each in compared.items()}), options.plot, title=method)
    out.result({
        "method": method,
        **selector_tables.data(compared),
        "end_to_end_seconds": times,
        "switching_points": {label: point._asdict() for label, point in points.items()},
        "choosing": {label: {"share": share, "seconds": seconds} for label, (share, seconds) in shares.items()},
    })  # fmt: skip


def _worth_timing(compared: regret.Compared) -> list[str]:
    """Return the rules that are timed end to end: those that lose by the bound on measured levels are not."""
    losses = compared.losses
    return [rule for rule in RULES if rule not in losses or losses[rule].ratio <= selector_tables.BOUND]


def _given(A: Matrix) -> Callable[[], Matrix]:
    return lambda: A


def _makers(options: argparse.Namespace, out: Output) -> dict[str, Callable[[], Matrix]]:
    """Return what makes each graph, by what it is called: those that are named, as everywhere, or else a corpus."""
    names = options.graphs[1:]
    if not names:
        return corpus.generated(_SCALE)
    return {Path(name).name: partial(graph.load, name, options, out) for name in names}
