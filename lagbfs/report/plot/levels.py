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
    figure_of,
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
    seconds = np.array([step.seconds for step in trace])
    top = _top(seconds)
    factor, unit = time_unit(top)
    ax.set_ylabel(f"time per level ({unit})")
    draw = _bars if len(trace) <= MANY else _areas
    for arm, style in arm_styles(step.arm for step in trace).items():
        draw(ax, np.array([step.arm == arm for step in trace]), seconds * factor, arm, style)
    tidy(ax)
    legend_above(ax)
    if top < seconds.max():
        ax.set_ylim(0, top * factor)
        beyond = f"{(seconds > top).sum()} beyond the axis, up to {seconds.max() * factor:,.0f} {unit}"
        ax.text(1, 1.02, beyond, transform=ax.transAxes, ha="right", va="bottom", fontsize=9)


def _top(seconds: Any) -> float:
    """Return where the axis ends: of many levels, a few that something disturbed must not flatten all others."""
    highest = float(seconds.max())
    usual = 4 * float(np.quantile(seconds, 0.98))
    return usual if len(seconds) > MANY and 0 < usual < highest else highest


def _look(arm: Arm, style: ArmStyle) -> dict[str, Any]:
    return {
        "facecolor": style.color,
        "edgecolor": BLACK,
        "hatch": style.hatch,
        "label": plain(arm),
    }


def _bars(ax: Axes, mine: Any, heights: Any, arm: Arm, style: ArmStyle) -> None:
    levels = np.flatnonzero(mine)
    ax.bar(levels, heights[levels], width=0.8, linewidth=0.6, **_look(arm, style))


def _areas(ax: Axes, mine: Any, heights: Any, arm: Arm, style: ArmStyle) -> None:
    """Draw bars without gaps as one area; where another arm served, its height is nothing."""
    edges = np.arange(len(heights) + 1) - 0.5
    ax.stairs(np.where(mine, heights, 0), edges, fill=True, linewidth=0, **_look(arm, style))


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
    return figure_of(ax)


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
