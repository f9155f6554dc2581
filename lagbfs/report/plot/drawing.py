"""Small graphs, drawn: levels as colours, the tree strong, the sources marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...algebra.matrix import Matrix
from ...errors import DimensionError, InvalidTypeError, InvalidValueError
from .layout import Points, separate, stress_layout
from .names import Place, places, width
from .style import BLACK, BLUE, GREY, VERMILLION, axes_of, figure_of, finished, plain, say_nothing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...search.traversal import Traversal

__all__ = ["LARGEST", "graph"]

LARGEST = 300  # vertices: more would be a blot
_NAMED = 50  # vertices: more labels would hide each other
_FONT = 8.0  # points: names beside vertices
_SIDE = 6.0  # inches of the square that is drawn in, and what it spans
_SPAN = 2.3


class _Edges(NamedTuple):
    """How some of the edges look."""

    name: str
    color: str
    width: float
    zorder: int


_TREE, _OTHER = _Edges("tree edge", BLACK, 2.0, 2), _Edges("other edge", GREY, 0.7, 1)


def graph(A: Matrix, t: Traversal | None = None, *, ax: Axes | None = None) -> Figure:
    """Draw a graph of at most 300 vertices; with a search of it, its levels as colours and its tree.

    Parameters
    ----------
    A : Matrix
        The adjacency. If it is symmetric, edges have no arrows.
    t : Traversal, optional
        A search of this graph.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Default: the axes of a new figure.

    Examples
    --------
    >>> import lagbfs
    >>> A = lagbfs.graphs.grid(4, 4)
    >>> figure = lagbfs.plot.graph(A, lagbfs.bfs(A, 0))
    >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    ['tree edge', 'other edge', 'source']
    """
    _check(A, t)
    ax = axes_of(ax, _SIDE + 1.2, _SIDE + 0.4)
    ax.set(xlim=(-_SPAN / 2, _SPAN / 2), ylim=(-_SPAN / 2, _SPAN / 2), aspect="equal")
    ax.axis("off")
    if not A.nrows:
        say_nothing(ax, "no vertices")
        return finished(ax)
    points, radius = _placed(A)
    _edges(ax, A, t, points, radius)
    _vertices(ax, t, points, radius)
    _labels(ax, A, t, points, radius)
    if t is not None:
        ax.set_title(plain(f"reached {t.reached} of {A.nrows} vertices, {t.depth} deep"), fontsize=10)
    if ax.get_legend_handles_labels()[1]:
        scale = min(1.0, 5 / radius)
        ax.legend(
            fontsize=9, frameon=False, loc="lower center", bbox_to_anchor=(0.5, -0.04), ncols=4, markerscale=scale
        )
    return finished(ax)


def _check(A: Matrix, t: Traversal | None) -> None:
    if not isinstance(A, Matrix):
        raise InvalidTypeError(f"A must be a lagbfs.Matrix, not {type(A).__name__}")
    if A.nrows != A.ncols:
        raise DimensionError(f"A must be square to be a graph, not {A.nrows} × {A.ncols}")
    if A.nrows > LARGEST:
        raise InvalidValueError(f"A must have at most {LARGEST} vertices to be drawn, not {A.nrows:,}")
    if t is not None and t.matrix.nrows != A.nrows:
        raise DimensionError(f"t must be a search of A: it is one of {t.matrix.nrows:,} vertices, not {A.nrows:,}")


def _placed(A: Matrix) -> tuple[Points, float]:
    """Return where the vertices are and their radius, in points: the more there are, the smaller."""
    radius = float(np.clip(50 / np.sqrt(A.nrows), 3, 9))
    points = stress_layout(A)
    if A.nrows < 2:
        return points, radius
    apart = np.linalg.norm(points[:, None] - points[None], axis=2) + 9 * np.eye(A.nrows)
    # A long chain has no room for vertices of this size, however it is bent.
    room = float(np.median(apart.min(axis=1))) / _in_data(1)
    radius = max(1.2, min(radius, 0.8 * room))
    return separate(points, 2.4 * _in_data(radius)), radius


def _in_data(size: float) -> float:
    """Return a length in points as one in the coordinates of the picture."""
    return size / 72 / _SIDE * _SPAN


def _edges(ax: Axes, A: Matrix, t: Traversal | None, points: Points, radius: float) -> None:
    rows, columns, _ = A.to_coo()
    loops = rows[rows == columns]
    keep = rows < columns if A.is_symmetric else rows != columns
    rows, columns = rows[keep], columns[keep]
    tree = _in_tree(t, rows, columns, both=A.is_symmetric)
    for chosen, look in ((tree, _TREE), (~tree, _OTHER)):
        if chosen.any():
            a, b = points[rows[chosen]], points[columns[chosen]]
            _lines(ax, a, b, look, label=look.name if t is not None else None)
            if not A.is_symmetric:
                _heads(ax, a, b, look, radius)
    if len(loops):
        x, y = points[loops].T
        size = (1.6 * radius) ** 2
        ax.scatter(x, y + 1.3 * _in_data(radius), size, facecolors="none", edgecolors=GREY, linewidths=0.8, zorder=1)


def _in_tree(t: Traversal | None, rows: Any, columns: Any, *, both: bool) -> Any:
    """Return which of the edges lead from a parent to its child, or back where `both` count."""
    if t is None or not t.has_parents:
        return np.zeros(len(rows), bool)
    down: Any = t.parents[columns] == rows
    return down | (t.parents[rows] == columns) if both else down


def _lines(ax: Axes, a: Points, b: Points, look: _Edges, label: str | None) -> None:
    from matplotlib.collections import LineCollection

    ends = list(np.stack([a, b], axis=1))
    ax.add_collection(LineCollection(ends, colors=look.color, linewidths=look.width, zorder=look.zorder, label=label))


def _heads(ax: Axes, a: Points, b: Points, look: _Edges, radius: float) -> None:
    """Draw the heads of arrows from a to b, their tips at the rim of the vertex."""
    from matplotlib.collections import PolyCollection

    span = np.maximum(np.linalg.norm(b - a, axis=1, keepdims=True), 1e-9)
    along = (b - a) / span
    length = np.minimum(_in_data(4 + 2 * look.width), 0.5 * span)
    tip, across = b - along * _in_data(radius + 1), along[:, ::-1] * [-1, 1] * length / 3
    corners = np.stack([tip, tip - along * length + across, tip - along * length - across], axis=1)
    ax.add_collection(PolyCollection(list(corners), facecolors=look.color, edgecolors="none", zorder=look.zorder))


def _vertices(ax: Axes, t: Traversal | None, points: Points, radius: float) -> None:
    x, y = points.T
    size = (2 * radius) ** 2
    rim: dict[str, Any] = {"edgecolors": BLACK, "linewidths": min(0.6, radius / 6), "zorder": 3}
    if t is None:
        ax.scatter(x, y, size, BLUE, **rim)
        return
    levels = t.depths()
    unreached, reached = levels < 0, levels > 0  # the sources are drawn apart
    # Viridis goes from dark to light: so do the levels, in grey as well.
    colours: dict[str, Any] = {"cmap": "viridis", "vmin": 0, "vmax": max(t.depth, 1)}
    if reached.any():
        dots = ax.scatter(x[reached], y[reached], size, levels[reached], **colours, **rim)
        _colourbar(ax, dots)
    if unreached.any():
        ax.scatter(x[unreached], y[unreached], size, "white", edgecolors=GREY, zorder=3, label="not reached")
    rim |= {"edgecolors": VERMILLION, "linewidths": 1.6, "zorder": 4}
    ax.scatter(
        x[t.sources], y[t.sources], max(3 * size, 80), levels[t.sources], marker="*", label="source", **colours, **rim
    )


def _colourbar(ax: Axes, dots: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    bar = figure_of(ax).colorbar(dots, ax=ax, shrink=0.7, ticks=MaxNLocator(nbins=10, integer=True))
    bar.set_label("level")


def _labels(ax: Axes, A: Matrix, t: Traversal | None, points: Points, radius: float) -> None:
    """Write the names of the vertices, if there are few: short ones into them, long ones beside."""
    if A.nrows > _NAMED:
        return
    names = [plain(name, limit=16) for name in (range(A.nrows) if A.labels is None else A.labels)]
    if radius > 6 and max(map(width, names)) <= 3:
        for name, point, dark in zip(names, points, _dark(A, t), strict=True):
            color = "white" if dark else BLACK
            ax.text(point[0], point[1], name, color=color, fontsize=7, ha="center", va="center", zorder=5)
        return
    rows, columns, _ = A.to_coo()
    away = 0.8 * radius
    sides = places(names, points, (points[rows], points[columns]), _in_data(away), _in_data(_FONT))
    for name, point, side in zip(names, points, sides, strict=True):
        _beside(ax, name, point, side, away)


def _dark(A: Matrix, t: Traversal | None) -> Any:
    """Return which vertices are of a dark colour."""
    if t is None:
        return np.ones(A.nrows, bool)
    levels = t.depths()
    return (levels >= 0) & (levels < 0.6 * max(t.depth, 1))


def _beside(ax: Axes, name: str, point: Any, side: Place, away: float) -> None:
    from matplotlib.patheffects import withStroke

    across: dict[str, Any] = {
        "ha": {1: "left", 0: "center", -1: "right"}[side.x],
        "va": {1: "bottom", 0: "center", -1: "top"}[side.y],
    }
    away *= 1 if side.x and side.y else 1.6
    offset = (away * side.x, away * side.y)
    text = ax.annotate(name, tuple(point), offset, textcoords="offset points", fontsize=_FONT, zorder=5, **across)
    text.set_path_effects([withStroke(linewidth=2.5, foreground="white")])
