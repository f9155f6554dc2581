"""Bars for benchmarks: rates and ratios, with the quartiles as whiskers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import InvalidTypeError, InvalidValueError
from .style import BLACK, BLUE, SKY, axes_of, finished, plain, rate_unit, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...measure.bench import Row

__all__ = ["ratios", "teps", "times"]


def teps(rates: Mapping[str, Sequence[float]], *, title: str = "", ax: Axes | None = None) -> Figure:
    """Draw a bar for each contender: the median of its rates, with the quartiles as whiskers.

    Parameters
    ----------
    rates : mapping
        For each contender, traversed edges per second of its searches.
    title : str
        What to write above.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Default: the axes of a new figure.

    Examples
    --------
    >>> import lagbfs
    >>> figure = lagbfs.plot.teps({"native": [2e9, 3e9, 4e9], "scipy": [1e8, 1e8, 2e8]})
    >>> figure.axes[0].get_xlabel()
    'rate (GTEPS, log)'
    """
    numbers = {name: _numbers("rates", name, values) for name, values in _mapping("rates", rates).items()}
    divisor, unit = rate_unit(max(float(np.median(values)) for values in numbers.values()))
    scaled = {name: values / divisor for name, values in numbers.items()}
    return _bars(scaled, f"rate ({unit}{{log}})", title, ax)


def times(seconds: Mapping[str, Sequence[float]], *, title: str = "", ax: Axes | None = None) -> Figure:
    """Draw a bar for each contender: the median of its seconds, in ms, with the quartiles as whiskers."""
    numbers = {name: _numbers("seconds", name, values) for name, values in _mapping("seconds", seconds).items()}
    return _bars({name: values * 1e3 for name, values in numbers.items()}, "time (ms{log})", title, ax)


def _mapping(argument: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidTypeError(f"{argument} must map each contender to its numbers, not be {value!r}")
    if not value:
        raise InvalidValueError(f"{argument} must have at least one contender")
    return value


def _numbers(argument: str, name: str, values: Any) -> Any:
    array = np.asarray(values, float).ravel()
    if not array.size or not np.isfinite(array).all() or (array <= 0).any():
        raise InvalidValueError(f"{argument}[{name!r}] must hold positive numbers, at least one, not {values!r}")
    return array


def _bars(numbers: Mapping[str, Any], label: str, title: str, ax: Axes | None) -> Figure:
    """Draw horizontal bars, the first on top: their names can be of any length."""
    ax = axes_of(ax, 8, 1.2 + 0.38 * len(numbers))
    low, middle, high = (np.array([np.quantile(v, q) for v in numbers.values()]) for q in (0.25, 0.5, 0.75))
    log = middle.max() > 20 * middle.min()
    places = np.arange(len(numbers))
    colors = [BLUE, *[SKY] * (len(numbers) - 1)]
    whiskers = {"ecolor": BLACK, "capsize": 3, "elinewidth": 1}
    ax.barh(
        places,
        middle,
        xerr=[middle - low, high - middle],
        color=colors,
        edgecolor=BLACK,
        linewidth=0.6,
        error_kw=whiskers,
        log=log,
    )
    ax.set_xlim(low.min() / 2 if log else 0, high.max() * (2 if log else 1.12))
    for place, value, end in zip(places, middle, high, strict=True):
        _say(ax, f"{value:,.3g}", end, place)
    _name_bars(ax, places, list(numbers))
    ax.set_xlabel(label.format(log=", log" if log else ""))
    ax.set_title(plain(title), fontsize=10)
    return finished(ax)


def _say(ax: Axes, text: str, x: Any, y: Any) -> None:
    ax.annotate(text, (x, y), (6, 0), textcoords="offset points", va="center", fontsize=9)


def _name_bars(ax: Axes, places: Any, names: Sequence[str]) -> None:
    ax.set_yticks(places, [plain(name, limit=40) for name in names])
    ax.invert_yaxis()
    tidy(ax)
    ax.grid(False, axis="y")
    ax.grid(True, axis="x", color="#DDDDDD", linewidth=0.6)


def ratios(rows: Sequence[Row], *, ax: Axes | None = None) -> Figure:
    """Draw the time of each contender as a multiple of the first one's on the same graph, by medians.

    A bar to the right is slower than the first, one to the left, which is hatched, faster.

    Parameters
    ----------
    rows : sequence of lagbfs.measure.bench.Row
        Measurements; the first row of each graph is what the others are compared with.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Default: the axes of a new figure.

    Examples
    --------
    >>> import lagbfs
    >>> from lagbfs.measure.bench import Row
    >>> rows = [Row("grid-9", "ours", (1.0,)), Row("grid-9", "theirs", (3.0,))]
    >>> [text.get_text() for text in lagbfs.plot.ratios(rows).axes[0].texts]
    ['3.00×']
    """
    first: dict[str, Row] = {}
    others = [row for row in rows if first.setdefault(row.graph, row) is not row]
    if not others:
        raise InvalidValueError("rows must have a second contender on some graph, to compare with the first")
    ax = axes_of(ax, 8, 1.2 + 0.32 * len(others))
    values = np.array([row.median / first[row.graph].median for row in others])
    places = np.arange(len(others)) + 0.5 * _groups(others)
    colors = [BLUE if value >= 1 else SKY for value in values]
    hatches = ["" if value >= 1 else "////" for value in values]
    log = values.max() > 20 * min(values.min(), 1.0)
    ax.barh(places, values - 1, left=1, color=colors, hatch=hatches, edgecolor=BLACK, linewidth=0.6, log=log)
    lowest, highest = min(values.min(), 1), max(values.max(), 1)
    ax.set_xlim(*((lowest / 1.5, highest * 2.5) if log else (0, highest * 1.15)))
    for place, value in zip(places, values, strict=True):
        _say(ax, f"{value:,.2f}×", max(value, 1), place)
    _name_bars(ax, places, [f"{row.graph}: {row.contender}" for row in others])
    ax.axvline(1, color=BLACK, linewidth=1.2)
    named = {row.contender for row in first.values()}
    whose = named.pop() if len(named) == 1 else "the first contender"
    ax.set_xlabel(plain(f"time ÷ time of {whose}{' (log)' if log else ''}"))
    return finished(ax)


def _groups(rows: Sequence[Row]) -> Any:
    """Return the number of the graph that each row belongs to."""
    names = list(dict.fromkeys(row.graph for row in rows))
    return np.array([names.index(row.graph) for row in rows])
