"""What selectors lose against the best arms, over graphs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from .style import BLACK, axes_of, finished, plain, say_nothing, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["scale", "slowdowns"]


def slowdowns(ratios: Mapping[str, Mapping[str, float]], *, ax: Axes | None = None) -> Figure:
    """Draw what each selector takes over what the best arms take, a dot for each graph and a bar for their mean.

    Parameters
    ----------
    ratios : mapping
        By selector and graph, as `lagbfs.measure.training.evaluation.replayed` returns them.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Default: a new figure.

    Examples
    --------
    >>> import lagbfs
    >>> figure = lagbfs.plot.slowdowns({"learned": {"a": 1.0, "b": 1.1}, "push": {"a": 1.0, "b": 9.0}})
    >>> figure.axes[0].get_yscale()
    'log'
    """
    ax = axes_of(ax, 8, 4.5)
    shown = {name: np.sort(np.maximum([*by_graph.values()], 1.0)) for name, by_graph in ratios.items() if by_graph}
    if not shown:
        say_nothing(ax, "nothing to compare: no graph was measured")
        return finished(ax)
    means = [float(np.exp(np.log(values).mean())) for values in shown.values()]
    for at, (values, mean) in enumerate(zip(shown.values(), means, strict=True)):
        spread = 0.25 * np.linspace(-1, 1, len(values)) if len(values) > 1 else np.zeros(1)
        ax.plot(at + spread, values, "o", markersize=4, alpha=0.7)
        ax.plot([at - 0.35, at + 0.35], [mean, mean], color=BLACK, linewidth=2)
    scale(ax, max(values[-1] for values in shown.values()))
    labels = [f"{plain(name)}\n{mean:.2f}" for name, mean in zip(shown, means, strict=True)]
    ax.set_xticks(range(len(shown)), labels, fontsize=8)
    ax.set_ylabel("times the best arms")
    ax.set_title("a dot for each graph, a bar for their geometric mean", fontsize=10)
    tidy(ax)
    return finished(ax)


def scale(ax: Axes, largest: float) -> None:
    """Make the axis one of logarithms, with plain numbers beside it."""
    from matplotlib.ticker import FixedLocator, NullLocator

    ticks = [tick for tick in (1, 1.1, 1.2, 1.5, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000) if tick <= 2 * largest]
    far = largest > 5
    ax.set_yscale("log")
    ax.yaxis.set_major_locator(FixedLocator([tick for tick in ticks if not far or tick in (1, 2, 5) or tick >= 10]))
    ax.yaxis.set_minor_locator(NullLocator())
    ax.yaxis.set_major_formatter("{x:g}")
    ax.set_ylim(0.98 if not far else 0.9, largest * (1.3 if far else 1.05))
