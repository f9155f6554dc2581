"""The tables of ``lagbfs bench selectors``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ..base.wording import counted
from ..measure.training import evaluation, regret
from ..measure.training.evaluation import RULES, SwitchingPoints
from ..measure.training.regret import OFF, POLICIES, STAGES, Compared
from .output import Output

__all__ = ["BOUND", "data", "show", "show_choosing", "show_points"]

BOUND = 50.0
"""Times the best: what loses more is not timed end to end, and shown as that it does."""

_SIMPLE = ("beamer", "threshold", "push", "pull")  # the rules without a model

Times = Mapping[str, Mapping[str, float]]
"""Seconds end to end, by graph and rule; rules that lose too much have none."""


def show(compared: Mapping[str, Compared], times: Times, out: Output) -> None:
    """Show what policies lose by graph, by kind of graph and over all, on measured levels and end to end."""
    _show_graphs(compared, out)
    _show_times(times, out)
    _show_kinds(compared, out)
    _show_summary(compared, times, out)
    _say(compared, times, out)


def data(compared: Mapping[str, Compared]) -> dict[str, Any]:
    """Return the same for programs."""
    graphs = compared.items()
    return {
        "slowdowns": {policy: {name: each.losses[policy].ratio for name, each in graphs} for policy in POLICIES},
        "slowdowns_on_all_threads": {
            policy: {name: each.losses[policy].on_all_threads for name, each in graphs} for policy in POLICIES
        },
        "intervals": {policy: _interval(compared, policy) for policy in POLICIES},
        "by_search": {name: {who: curve.tolist() for who, curve in each.curves.items()} for name, each in graphs},
        "noise": {name: each.noise for name, each in graphs},
        "kinds": {name: each.kind for name, each in graphs},
    }


def _show_graphs(compared: Mapping[str, Compared], out: Output) -> None:
    out.line("\nby graph, the time of a policy's choices over that of the best arms on the best number of threads, on")
    out.line("measured levels; noise: what these lose when chosen by half of the samples and priced by the others:")
    columns = ("graph", "kind", "noise", *POLICIES)
    rows = [
        [name, each.kind, f"{each.noise:.2f}", *(_bounded(each.losses[policy].ratio) for policy in POLICIES)]
        for name, each in compared.items()
    ]
    out.table(columns, rows, right=columns[2:])


def _show_times(times: Times, out: Output) -> None:
    out.line("\nend to end, milliseconds of all searches of a graph:")
    rows = [[name, *(_milliseconds(seconds.get(rule)) for rule in RULES)] for name, seconds in times.items()]
    out.table(("graph", *RULES), rows, right=RULES)


def _show_kinds(compared: Mapping[str, Compared], out: Output) -> None:
    kinds = sorted({each.kind for each in compared.values()})
    out.line("\nby kind of graph, geometric means and the worst graph:")
    names = [f"{kind} ({sum(each.kind == kind for each in compared.values())})" for kind in kinds]
    rows = [
        [policy, *(_mean_and_worst([e.losses[policy].ratio for e in compared.values() if e.kind == k]) for k in kinds)]
        for policy in POLICIES
    ]
    out.table(("policy", *names), rows, right=names)


def _show_summary(compared: Mapping[str, Compared], times: Times, out: Output) -> None:
    out.line("\nover all graphs, on measured levels, and end to end times the learned one:")
    columns = (
        "policy",
        "geometric mean",
        "95 % of it",
        "median",
        "worst",
        "≤ 1.05×",
        "≤ 2×",
        "on all threads",
        "worst ",
    )
    rows = []
    for policy in POLICIES:
        losses = [each.losses[policy] for each in compared.values()]
        ratios, fixed = [loss.ratio for loss in losses], [loss.on_all_threads for loss in losses]
        low, high = _interval(compared, policy)
        scores = evaluation.summary(ratios)
        rows.append([
            policy,
            _mean_said(ratios),
            f"{min(low, BOUND):.2f}–{min(high, BOUND):.2f}",
            _bounded(scores.median),
            _bounded(scores.worst),
            f"{scores.within_5_percent:.0%}",
            f"{scores.within_2:.0%}",
            _mean_said(fixed),
            _bounded(max(fixed)),
            _end_to_end(policy, times),
        ])  # fmt: skip
    noise = [each.noise for each in compared.values()]
    rows.append(["the best, by noise", f"{_mean(noise):.3f}", "", "", _bounded(max(noise)), *[""] * 5])
    out.table((*columns, "end to end"), rows, right=(*columns[1:], "end to end"))


def _end_to_end(policy: str, times: Times) -> str:
    rule = {f"learned, {[*STAGES][-1]}": "learned"}.get(policy, policy)
    if rule not in RULES:
        return ""
    ratios = [seconds[rule] / seconds["learned"] if rule in seconds else np.inf for seconds in times.values()]
    return _mean_said(ratios)


def _say(compared: Mapping[str, Compared], times: Times, out: Output) -> None:
    slower = {
        name: seconds["learned"] / min(seconds[rule] for rule in _SIMPLE if rule in seconds)
        for name, seconds in times.items()
    }
    for who in ("learned", f"off by {OFF:g}"):
        stages = {stage: [each.losses[f"{who}, {stage}"].ratio for each in compared.values()] for stage in STAGES}
        said = (
            f"{_mean(ratios):.3f} times the best ({stage}), {max(ratios):.2f} at worst"
            for stage, ratios in stages.items()
        )
        out.outcome(f"{who}: {'; '.join(said)}")
    if slower:
        label = max(slower, key=slower.__getitem__)
        out.outcome(f"end to end {slower[label]:.2f} times the best of {', '.join(_SIMPLE)} at worst ({label})")


def _interval(compared: Mapping[str, Compared], policy: str) -> tuple[float, float]:
    return regret.interval([each.losses[policy] for each in compared.values()])


def _bounded(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio <= BOUND else f"> {BOUND:g}"


def _milliseconds(seconds: float | None) -> str:
    return f"> {BOUND:g}×" if seconds is None else f"{seconds * 1e3:.2f}"


def _mean(values: Iterable[float]) -> float:
    return float(np.exp(np.log([*values]).mean()))


def _mean_said(ratios: Sequence[float]) -> str:
    """Return the geometric mean, or what it is at least if some lose more than the bound."""
    mean = f"{_mean(min(ratio, BOUND) for ratio in ratios):.3f}"
    return mean if max(ratios) <= BOUND else f"> {mean}"


def _mean_and_worst(ratios: Sequence[float]) -> str:
    return f"{_mean_said(ratios)} / {_bounded(max(ratios))}"


def show_points(points: Mapping[str, SwitchingPoints], out: Output) -> None:
    """Show what switching points do, as You et al. do."""
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
    out.table(columns, rows, right=columns[1:])
    regression = _mean(point.exhaustive / point.regression for point in points.values())
    learned = _mean(point.exhaustive / point.learned for point in points.values())
    out.line(f"of the speed of exhaustive search: regression {regression:.1%}, learned {learned:.1%}")


def show_choosing(shares: Mapping[str, tuple[float, float]], large: int, out: Output) -> None:
    """Show what choosing takes on graphs of so many edges or more."""
    if not shares:
        return
    label = max(shares, key=lambda name: shares[name][0])
    longest = max(seconds for _, seconds in shares.values())
    out.outcome(
        f"choosing takes at most {shares[label][0]:.2%} of a search ({label}), {longest * 1e6:.2f} µs a level at most, "
        f"on {counted(len(shares), 'graph', 'graphs')} of {large:,} edges or more"
    )
