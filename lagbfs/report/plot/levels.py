"""Pictures by level: what a search did, and what every arm would have taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...backends.protocol import Arm, Step
from .style import (
    BLACK,
    GREEN,
    GREY,
    MANY,
    PURPLE,
    ArmStyle,
    arm_styles,
    axes_of,
    finished,
    legend_above,
    new_figure,
    plain,
    say_nothing,
    tidy,
    time_unit,
    whole_levels,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...measure.levels import MeasuredRun
    from ...search.traversal import Traversal

__all__ = ["arms", "traversal"]

_FOOT = 0.04  # of the axis: what is below zero of each bar


def traversal(t: Traversal, *, figure: Figure | None = None) -> Figure:
    """Draw the time of each level, coloured by the arm that served it, and below it the frontier and its edges.

    Parameters
    ----------
    t : Traversal
        The result of a search.
    figure : matplotlib.figure.Figure, optional
        Where to draw. Default: a new one.

    Examples
    --------
    >>> import lagbfs
    >>> figure = lagbfs.plot.traversal(lagbfs.bfs(lagbfs.graphs.grid(5, 5), 0, backend="reference", direction="push"))
    >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    ['reference push']
    """
    figure = new_figure(8, 5.2) if figure is None else figure
    times, sizes = figure.subplots(2, 1, sharex=True, height_ratios=[3, 2])
    figure.suptitle(plain(t.outcome, limit=120), fontsize=10)
    _times(times, t.trace)
    _sizes(sizes, t.trace)
    whole_levels(sizes, len(t.trace))
    figure.align_ylabels()
    return figure


def _times(ax: Axes, trace: Sequence[Step]) -> None:
    if not trace:
        say_nothing(ax, "nothing to do: no level was computed")
        return
    times = np.array([step.seconds * 1e3 for step in trace])
    top = _top(times)
    ax.set_ylabel("time per level (ms)")  # as the titles and tables of pages have it
    draw = _bars if len(trace) <= MANY else _areas
    for arm, style in arm_styles(step.arm for step in trace).items():
        draw(ax, np.array([step.arm == arm for step in trace]), times, _FOOT * top, arm, style)
    tidy(ax)
    legend_above(ax)
    ax.axhline(0, color=BLACK, linewidth=0.8)
    ax.set_ylim(-_FOOT * top, top if top < times.max() else 1.05 * top)
    if top < times.max():
        beyond = f"{(times > top).sum()} beyond the axis, up to {times.max():,.{0 if times.max() > 100 else 3}f} ms"
        ax.text(1, 1.02, beyond, transform=ax.transAxes, ha="right", va="bottom", fontsize=9)


def _top(times: Any) -> float:
    """Return where the axis ends: of many levels, a few that something disturbed must not flatten all others."""
    highest = float(times.max())
    usual = 4 * float(np.quantile(times, 0.98))
    return usual if len(times) > MANY and 0 < usual < highest else highest or 1.0


def _look(arm: Arm, style: ArmStyle) -> dict[str, Any]:
    return {
        "facecolor": style.color,
        "edgecolor": BLACK,
        "hatch": style.hatch,
        "label": plain(arm),
    }


def _bars(ax: Axes, mine: Any, heights: Any, foot: float, arm: Arm, style: ArmStyle) -> None:
    """Draw bars, each with a foot below zero, by which the arm is seen of levels that took next to no time."""
    levels = np.flatnonzero(mine)
    ax.bar(levels, heights[levels] + foot, bottom=-foot, width=0.8, linewidth=0.6, **_look(arm, style))


def _areas(ax: Axes, mine: Any, heights: Any, foot: float, arm: Arm, style: ArmStyle) -> None:
    """Draw the same without gaps as one area; where another arm served, it has no height and no foot."""
    edges = np.arange(len(heights) + 1) - 0.5
    ax.stairs(np.where(mine, heights, -foot), edges, baseline=-foot, fill=True, linewidth=0, **_look(arm, style))


def _sizes(ax: Axes, trace: Sequence[Step]) -> None:
    if not trace:
        ax.set_yticks([])
        ax.spines[["top", "left", "right"]].set_visible(False)
        return
    for name, color, line, marker, counts in (
        ("frontier (vertices)", GREEN, "-", "o", [step.frontier_size for step in trace]),
        ("edges that leave it", PURPLE, "--", "s", [step.frontier_edges for step in trace]),
    ):
        dots = marker if len(trace) <= MANY else ""
        ax.plot(range(len(trace)), counts, line, color=color, marker=dots, markersize=4, linewidth=1.5, label=name)
    ax.set_ylabel("count (log)")
    _log_from_zero(ax, max(max(step.frontier_edges, step.frontier_size) for step in trace))
    tidy(ax)
    legend_above(ax)


def _log_from_zero(ax: Axes, largest: int) -> None:
    """Make an axis for counts: logarithmic, yet with a place for 0."""
    from matplotlib.ticker import EngFormatter

    ax.set_yscale("symlog", linthresh=1, linscale=0.5)
    decades = max(1, int(np.ceil(np.log10(largest))))
    ax.set_yticks([0, *(10**k for k in range(0, decades + 1, 1 + decades // 4))])
    ax.yaxis.set_major_formatter(EngFormatter(sep=""))
    ax.minorticks_off()
    ax.set_ylim(-0.2, 2 * max(largest, 5))


def arms(measured: MeasuredRun, *, ax: Axes | None = None) -> Figure:
    """Draw the time of every arm at each level, and mark the one that the selector chose.

    Parameters
    ----------
    measured : MeasuredRun
        From `lagbfs.measure.arms_by_level`.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Default: the axes of a new figure.

    Examples
    --------
    >>> import lagbfs
    >>> run = lagbfs.measure.arms_by_level(lagbfs.graphs.grid(4, 4), 0, backend="reference", repeats=1)
    >>> lagbfs.plot.arms(run).axes[0].get_xlabel()
    'level'
    """
    ax = axes_of(ax, 8, 4.5)
    count = len(measured.steps)
    if not count:
        say_nothing(ax, "nothing to do: no level was measured")
    else:
        _arm_lines(ax, measured, time_unit(float(np.median(measured.seconds))))
    whole_levels(ax, count)
    ax.set_title(plain(f"chosen arms took {measured.regret:.2f} × the time of the fastest ones"), fontsize=10)
    return finished(ax)


def _arm_lines(ax: Axes, measured: MeasuredRun, unit: tuple[float, str]) -> None:
    levels, few = np.arange(len(measured.steps)), len(measured.steps) <= MANY
    # Under the lines a broad one, along the arms chosen; a clock that saw no time is drawn at its least tick.
    seconds = np.maximum(measured.seconds, 1e-9) * unit[0]
    chosen = np.maximum([step.seconds for step in measured.steps], 1e-9) * unit[0]
    ax.plot(levels, chosen, color=GREY, linewidth=9, alpha=0.45, solid_capstyle="round", label="chosen")
    for arm, style in arm_styles(measured.arms).items():
        marker = style.marker if few else ""
        times = seconds[:, measured.arms.index(arm)]
        ax.plot(levels, times, style.line, color=style.color, marker=marker, linewidth=1.4, label=plain(arm))
    ax.set_yscale("log")
    ax.set_ylabel(f"time per level ({unit[1]}, log)")
    tidy(ax)
    ax.legend(fontsize=9, frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
