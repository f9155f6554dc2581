"""What was predicted against what was measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...backends.protocol import Arm, Features, GraphSizes, Selector, Step, features_before
from ...errors import InvalidTypeError, InvalidValueError
from ...measure.levels import MeasuredRun
from ...search.explanation import name_of
from ...search.traversal import Traversal
from ...selector import models, registry
from .style import BLACK, GREY, ArmStyle, arm_styles, axes_of, finished, plain, say_nothing, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["predictions"]

_TICK = 1e-9  # seconds: the least that a clock tells; what is less is drawn there, an axis of logarithms has no zero
_BAND = 2.0  # times too much or too little: the grey band
_DOT = 7.0  # points (of print) across
_NAMED = 16  # points that have their level beside them


class _Points(NamedTuple):
    """Levels as points: of each the step that was timed, and the seconds measured and predicted for it."""

    steps: list[Step]
    measured: NDArray[np.float64]
    predicted: NDArray[np.float64]


def predictions(searched: Traversal | MeasuredRun, selector: Any = None, *, ax: Axes | None = None) -> Figure:
    """Draw the time that a selector predicts for each level against the time measured, by arm.

    Parameters
    ----------
    searched : Traversal or MeasuredRun
        A search, of which each level is a point, by the arm that served it; or from `lagbfs.measure.arms_by_level`
        one with the times of all arms, of which each level is a point for each arm and form of the frontier measured.
    selector : str or Selector, optional
        Whose predictions. Default: those of the selector that directed the search or, if it predicts none or is not
        known, those of the learned one.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Default: the axes of a new figure.

    Examples
    --------
    >>> import lagbfs
    >>> run = lagbfs.measure.arms_by_level(lagbfs.graphs.grid(4, 4), 0, backend="suitesparse", repeats=1)
    >>> axes = lagbfs.plot.predictions(run).axes[0]
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['within 2 ×', 'exact', 'suitesparse push', 'suitesparse pull']
    """
    if not isinstance(searched, Traversal | MeasuredRun):
        raise InvalidTypeError(f"searched must be a Traversal or a MeasuredRun, not {type(searched).__name__}")
    policy = _policy(searched, selector)
    points = _points(searched, policy)
    ax = axes_of(ax, 7.4, 5.6)
    if points.steps:
        _scatter(ax, points)
    else:
        say_nothing(ax, "nothing to compare: no level was both predicted and measured")
        ax.set_xticks([])
    ax.set_title(_title(policy, points), fontsize=10)
    return finished(ax)


def _policy(searched: Traversal | MeasuredRun, selector: Any) -> Selector:
    """Return what predicts."""
    entries = searched.matrix.nvals if isinstance(searched, Traversal) else searched.m
    if selector is None:
        own = searched.explain().selector if isinstance(searched, Traversal) else None
        return own if own is not None and own.predicts else models.current(entries)
    policy = registry.lookup("selector", selector)
    policy = models.current(entries) if policy is registry.DEFAULT else policy
    if not policy.predicts:
        raise InvalidValueError(f"selector must predict times, as 'learned' does, which {name_of(policy)} does not")
    return policy


def _points(searched: Traversal | MeasuredRun, policy: Selector) -> _Points:
    """Return the levels timed of whose arm the time is predicted."""
    points = []
    for step, features in _timed(searched):
        seconds = policy.predict(features, [step.arm]).get(step.arm)
        points += [] if seconds is None else [(step, step.seconds, seconds)]
    steps, measured, predicted = zip(*points, strict=True) if points else ((), (), ())
    return _Points(list(steps), np.maximum(measured, _TICK), np.maximum(predicted, _TICK))


def _timed(searched: Traversal | MeasuredRun) -> Iterator[tuple[Step, Features]]:
    """Yield the levels timed, by arm, and what was known before each."""
    trace: Sequence[Step]
    if isinstance(searched, Traversal):
        matrix = searched.matrix
        trace, timed, sizes = searched.trace, searched.trace, GraphSizes.of(matrix.rows)
    else:
        trace, timed, sizes = searched.steps, searched.timings, searched.sizes
    for step in timed:
        yield step, features_before(step, trace[step.level - 1] if step.level else None, *sizes)


def _title(policy: Selector, points: _Points) -> str:
    title = plain(f"times predicted by {name_of(policy)}", limit=80)
    if not points.steps:
        return title
    ratios = points.predicted / points.measured
    within = np.mean((ratios <= _BAND) & (ratios >= 1 / _BAND))
    return f"{title}\npredicted ÷ measured: {np.median(ratios):.3g} in the median, {within:.0%} within {_BAND:g} ×"


def _scatter(ax: Axes, points: _Points) -> None:
    low, high = _limits(points)
    ends = np.array([low, high])
    ax.fill_between(ends, ends / _BAND, ends * _BAND, color=GREY, alpha=0.18, linewidth=0, label=f"within {_BAND:g} ×")
    ax.plot(ends, ends, color=BLACK, linewidth=0.8, label="exact")
    for arm, style in arm_styles(step.arm for step in points.steps).items():
        mine = np.array([step.arm == arm for step in points.steps])
        ax.plot(points.measured[mine], points.predicted[mine], label=plain(arm), **_look(arm, style, mine.sum()))
    if len(points.steps) <= _NAMED:
        for step, x, y in zip(*points, strict=True):
            ax.annotate(f"{step.level}", (x, y), (5, -3), textcoords="offset points", fontsize=8, va="top")
    _axes(ax, low, high)
    legend = ax.legend(fontsize=9, frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    for handle in legend.get_lines():
        handle.set(markersize=_DOT, alpha=1)


def _look(arm: Arm, style: ArmStyle, count: int) -> dict[str, Any]:
    """Return how so many points of an arm look: those of pushes filled, those of pulls hollow; the fewer the larger."""
    size = min(_DOT, max(40 / count**0.5, 3))
    return {
        "linestyle": "",
        "marker": style.marker,
        "markersize": size,
        "markeredgecolor": style.color,
        "markerfacecolor": style.color if arm.direction == "push" else "none",
        "markeredgewidth": size / 6,
        "alpha": 1.0 if size == _DOT else 0.7,
        "zorder": 2 + 1 / count,  # the fewer above
    }


def _limits(points: _Points) -> tuple[float, float]:
    """Return the ends of both axes: all points and some space, two decades at least."""
    times = np.concatenate([points.measured, points.predicted])
    low, high = float(times.min()), float(times.max())
    spare = max(1.6, (100 * low / high) ** 0.5)
    return low / spare, high * spare


def _axes(ax: Axes, low: float, high: float) -> None:
    from matplotlib.ticker import EngFormatter, LogLocator, NullFormatter

    ax.set(xscale="log", yscale="log", xlim=(low, high), ylim=(low, high), aspect="equal")
    ax.set(xlabel="time measured (log)", ylabel="time predicted (log)")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(LogLocator(numticks=8))
        axis.set_major_formatter(EngFormatter(unit="s"))
        axis.set_minor_formatter(NullFormatter())
    tidy(ax)
    ax.grid(True, axis="x", color="#DDDDDD", linewidth=0.6)
