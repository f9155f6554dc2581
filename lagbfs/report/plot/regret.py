"""What a selector that learns loses, by how often the graph was searched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .slowdowns import scale
from .style import BLUE, VERMILLION, axes_of, finished, plain, say_nothing, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["regret"]

_COLOURS = (BLUE, VERMILLION)


def regret(curves: Mapping[str, Mapping[str, NDArray[Any]]], *, ax: Axes | None = None) -> Figure:
    """Draw what selectors that learn take over what the best ways take, search by search.

    Parameters
    ----------
    curves : mapping
        By graph and selector, a ratio for each search, as `lagbfs.measure.training.regret.compare` returns them.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Default: a new figure.

    Examples
    --------
    >>> import lagbfs
    >>> import numpy as np
    >>> figure = lagbfs.plot.regret({"a": {"learned": np.linspace(1.2, 1.05, 100)}})
    >>> figure.axes[0].get_xscale()
    'log'
    """
    ax = axes_of(ax, 8, 4.5)
    names = list(dict.fromkeys(name for by_name in curves.values() for name in by_name))
    if not names:
        say_nothing(ax, "nothing to compare: no graph was measured")
        return finished(ax)
    largest = 1.0
    for i, name in enumerate(names):
        ratios = np.array([by_name[name] for by_name in curves.values() if name in by_name])
        searches, colour = np.arange(1, ratios.shape[1] + 1), _COLOURS[i % len(_COLOURS)]
        mean = np.exp(np.log(ratios).mean(axis=0))
        ax.plot(searches, mean, color=colour, linewidth=2, label=f"{plain(name)}, geometric mean")
        ax.plot(searches, ratios.max(axis=0), "--", color=colour, linewidth=1, label=f"{plain(name)}, worst graph")
        largest = max(largest, float(ratios.max()))
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter("{x:g}")
    scale(ax, largest)
    ax.set_xlabel("search of the graph")
    ax.set_ylabel("times the best ways")
    ax.legend(frameon=False, fontsize=8)
    tidy(ax)
    return finished(ax)
