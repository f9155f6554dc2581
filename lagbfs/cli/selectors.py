"""``lagbfs bench selectors``: every policy on the same measured levels and end to end."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from .. import backends
from ..algebra.matrix import Matrix
from ..base.wording import counted
from ..errors import InvalidValueError
from ..measure import bench
from ..measure.training import corpus, evaluation
from ..measure.training.evaluation import RULES, SwitchingPoints
from ..report import plot
from ..selector import registry
from . import graph, outputs
from .output import Output

_SIMPLE = ("beamer", "threshold", "push", "pull")  # the rules without a model
_SCALE = 16  # log2 of the vertices of generated graphs
_LARGE = 100_000  # edges: searches of smaller graphs are over before a choice costs anything


def run(options: argparse.Namespace, out: Output) -> None:
    """Compare the selectors and show what they lose."""
    if options.html or options.gapbs or options.against:
        raise InvalidValueError("--html, --gapbs and --against are not for `bench selectors`; --plot FILE draws them")
    outputs.check_pictures(options.plot)
    makers = _makers(options, out)
    backend = (options.backend or backends.default()).split(",")
    searched_from = counted(options.sources, "source", "sources")
    method = f"{bench.machine()}; {searched_from}, arms of {', '.join(backend)}"
    out.outcome(method)
    ratios: dict[str, dict[str, float]] = {rule: {} for rule in RULES}
    times: dict[str, dict[str, float]] = {}
    shares: dict[str, tuple[float, float]] = {}
    points: dict[str, SwitchingPoints] = {}
    with out.progress("measuring") as progress:
        for done, (label, make) in enumerate(makers.items()):
            progress(done, len(makers), f"measuring {label}")
            A = make()
            searched = {"sources": options.sources, "backend": backend, "threads": options.threads}
            measured = corpus.measure({label: _given(A)}, repeats=7, **searched)
            if not measured:
                continue
            for rule in RULES:
                ratios[rule] |= evaluation.replayed(registry.lookup("selector", rule), measured)
            sources = [search.source for search in measured]
            times[label] = evaluation.end_to_end(A, sources, backend=backend, threads=options.threads)
            points |= evaluation.switching_points(measured, backend[0])
            if A.nvals >= _LARGE:
                shares[label] = evaluation.choosing_share(A, sources, backend=backend, threads=options.threads)
    if not times:
        raise InvalidValueError("there is nothing to compare: no graph has edges to search along")
    _show_graphs(ratios, times, out)
    _show_summary(ratios, times, out)
    _show_points(points, out)
    _show_choosing(shares, out)
    if options.plot:
        plot.save(plot.slowdowns(ratios), options.plot, title=method)
    out.result({
        "method": method,
        "slowdowns": ratios,
        "end_to_end_seconds": times,
        "switching_points": {label: point._asdict() for label, point in points.items()},
        "choosing": {label: {"share": share, "seconds": seconds} for label, (share, seconds) in shares.items()},
    })  # fmt: skip


def _given(A: Matrix) -> Callable[[], Matrix]:
    return lambda: A


def _makers(options: argparse.Namespace, out: Output) -> dict[str, Callable[[], Matrix]]:
    """Return what makes each graph, by what it is called: those that are named, as everywhere, or else a corpus."""
    names = options.graphs[1:]
    if not names:
        return corpus.generated(_SCALE)
    return {Path(name).name: partial(graph.load, name, options, out) for name in names}


def _show_graphs(ratios: dict[str, dict[str, float]], times: dict[str, dict[str, float]], out: Output) -> None:
    out.line("\nby graph, the time of a policy's choices over that of the best arms, on measured levels:")
    rows = [[label, *(f"{ratios[rule].get(label, np.nan):.2f}" for rule in RULES)] for label in times]
    out.table(("graph", *RULES), rows, right=" ".join(RULES))
    out.line("\nend to end, milliseconds of all searches of a graph:")
    rows = [[label, *(f"{seconds[rule] * 1e3:.2f}" for rule in RULES)] for label, seconds in times.items()]
    out.table(("graph", *RULES), rows, right=" ".join(RULES))


def _show_summary(ratios: dict[str, dict[str, float]], times: dict[str, dict[str, float]], out: Output) -> None:
    out.line("\nover all graphs, times the best arms on measured levels, and end to end times the learned one:")
    rows = []
    for rule in RULES:
        scores = evaluation.summary(list(ratios[rule].values()))
        ends = [seconds[rule] / seconds["learned"] for seconds in times.values()]
        shares = [f"{share:.0%}" for share in scores[4:]]
        rows.append([rule, *(f"{value:.3f}" for value in scores[:4]), *shares, f"{_mean(ends):.3f}"])
    columns = ("policy", "mean", "geometric mean", "median", "worst", "≤ 1.05×", "≤ 2×", "≤ 5×", "end to end")
    out.table(columns, rows, right=" ".join(column.replace(" ", "_") for column in columns[1:]))
    slower = {label: seconds["learned"] / min(seconds[rule] for rule in _SIMPLE) for label, seconds in times.items()}
    label = max(slower, key=slower.__getitem__)
    learned = list(ratios["learned"].values())
    out.outcome(
        f"learned: {_mean(learned):.3f} times the best arms, {max(learned):.3f} at worst; "
        f"end to end {slower[label]:.2f} times the best of {', '.join(_SIMPLE)} at worst ({label})"
    )


def _show_points(points: dict[str, SwitchingPoints], out: Output) -> None:
    out.line("\nswitching points, as in figure 8 of You et al.: how many times as fast as the worst of 1,024")
    rows = [
        [
            label,
            *(f"{point.worst / seconds:.2f}" for seconds in point[1:]),
            f"{point.exhaustive / point.regression:.0%}",
        ]
        for label, point in points.items()
    ]
    columns = ("graph", "average", "regression", "exhaustive", "learned", "regression of exhaustive")
    out.table(columns, rows, right=" ".join(column.replace(" ", "_") for column in columns[1:]))
    regression = _mean([point.exhaustive / point.regression for point in points.values()])
    learned = _mean([point.exhaustive / point.learned for point in points.values()])
    out.line(f"of the speed of exhaustive search: regression {regression:.1%}, learned {learned:.1%}")


def _show_choosing(shares: dict[str, tuple[float, float]], out: Output) -> None:
    if not shares:
        return
    label = max(shares, key=lambda name: shares[name][0])
    longest = max(seconds for _, seconds in shares.values())
    out.outcome(
        f"choosing takes at most {shares[label][0]:.2%} of a search ({label}), {longest * 1e6:.2f} µs a level at most, "
        f"on the {len(shares)} graphs of {_LARGE:,} edges or more"
    )


def _mean(values: Sequence[float]) -> float:
    return float(np.exp(np.log(values).mean())) if values else 1.0
