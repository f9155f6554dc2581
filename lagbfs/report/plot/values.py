"""What algorithms found, over all vertices: the sizes of parts, ranks, distances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .style import BLACK, BLUE, axes_of, finished, plain, say_nothing, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["distances", "parts", "ranks"]


def parts(labels: Any, *, title: str = "", ax: Axes | None = None) -> Figure:
    """Draw how many parts there are of each size, such as `lagbfs.components` finds; both axes are logarithmic.

    Parameters
    ----------
    labels : array_like
        The part of each vertex.
    title : str
        What to write above.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Default: the axes of a new figure.

    Examples
    --------
    >>> import lagbfs
    >>> figure = lagbfs.plot.parts(lagbfs.components(lagbfs.graphs.kronecker(8)))
    >>> figure.axes[0].get_xlabel()
    'vertices of a part (log)'
    """
    _, sizes = np.unique(np.asarray(labels).ravel(), return_counts=True)
    size, count = np.unique(sizes, return_counts=True)
    ax = axes_of(ax, 8, 4.5)
    if _is_drawn(ax, size, title):
        ax.loglog(size, count, "o", color=BLUE, markeredgecolor=BLACK, markeredgewidth=0.5)
        ax.margins(0.08)
        ax.set_xlabel("vertices of a part (log)")
        ax.set_ylabel("parts of that size (log)")
    return finished(ax)


def ranks(values: Any, *, name: str = "value", title: str = "", ax: Axes | None = None) -> Figure:
    """Draw the numbers of vertices in descending order, such as `lagbfs.pagerank` finds; both axes are logarithmic.

    Parameters
    ----------
    values : array_like
        A number for each vertex; those that are 0 or less, or not finite, are left out.
    name : str
        What the numbers are.
    title : str
        What to write above.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Default: the axes of a new figure.

    Examples
    --------
    >>> import lagbfs
    >>> figure = lagbfs.plot.ranks(lagbfs.pagerank(lagbfs.graphs.kronecker(8)), name="rank")
    >>> figure.axes[0].get_ylabel()
    'rank (log)'
    """
    numbers = np.asarray(values, float).ravel()
    shown = np.sort(numbers[(numbers > 0) & np.isfinite(numbers)])[::-1]
    ax = axes_of(ax, 8, 4.5)
    if _is_drawn(ax, shown, title):
        few = np.unique(np.geomspace(1, len(shown), 2000).round().astype(int))  # as many as can be told apart
        ax.loglog(few, shown[few - 1], color=BLUE, marker="." if len(few) < 60 else None)
        ax.set_xlabel("vertices, the greatest first (log)")
        ax.set_ylabel(plain(f"{name} (log)"))
    return finished(ax)


def distances(values: Any, *, title: str = "", ax: Axes | None = None) -> Figure:
    """Draw how many vertices are at which distance, such as `lagbfs.sssp` finds.

    Parameters
    ----------
    values : array_like
        Distances; what is infinite or negative was not reached, and is left out.
    title : str
        What to write above.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Default: the axes of a new figure.

    Examples
    --------
    >>> import lagbfs
    >>> figure = lagbfs.plot.distances(lagbfs.sssp(lagbfs.graphs.grid(9, 9), 0).distances)
    >>> figure.axes[0].get_xlabel()
    'distance'
    """
    numbers = np.asarray(values, float).ravel()
    shown = numbers[(numbers >= 0) & np.isfinite(numbers)]
    ax = axes_of(ax, 8, 4.5)
    if _is_drawn(ax, shown, title):
        ax.hist(shown, bins=_bins(shown), color=BLUE, edgecolor=BLACK, linewidth=0.4)
        ax.set_xlabel("distance")
        ax.set_ylabel("vertices")
    return finished(ax)


_MOST_BINS = 60


def _bins(numbers: Any) -> Any:
    """Return where bins begin and end: a bin for each whole number, if there are few, else so many of one width."""
    most = numbers.max()
    if most < _MOST_BINS and (numbers == numbers.round()).all():
        return np.arange(most + 2) - 0.5
    return _MOST_BINS


def _is_drawn(ax: Axes, numbers: Any, title: str) -> bool:
    """Prepare axes, and say whether there is something to draw."""
    ax.set_title(plain(title), fontsize=10)
    if not len(numbers):
        say_nothing(ax, "nothing to show: there are no such vertices")
        return False
    tidy(ax)
    return True
