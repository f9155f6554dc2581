"""What all pictures share: figures, colours, units."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from ...backends.protocol import Arm
from ...base.optional import require
from .fonts import MISSING, make_legible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, ORANGE, GREEN, VERMILLION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
SKY, PURPLE, BROWN, BLACK, GREY = "#56B4E9", "#CC79A7", "#663300", "#000000", "#999999"

# Push has the cold colours, pull the warm: of each, enough for the arms of a few engines before they repeat.
_COLOURS = {"push": (BLUE, SKY, GREEN, BLACK), "pull": (VERMILLION, ORANGE, PURPLE, BROWN)}
_MARKERS = {"push": "osD^p", "pull": "vX*Ph"}
_HATCHES = {"push": "", "pull": "////"}
_LINES = {"push": "-", "pull": "--"}

MANY = 60  # levels: beyond, bars and markers would run into each other


class ArmStyle(NamedTuple):
    """How an arm looks: the direction shows in all but the colour as well."""

    color: str
    hatch: str
    line: str
    marker: str


def arm_styles(arms: Iterable[Arm]) -> dict[Arm, ArmStyle]:
    """Return a style for each of the arms, in order of appearance; colour and marker together tell twenty apart."""
    styles: dict[Arm, ArmStyle] = {}
    for arm in dict.fromkeys(arms):
        way = arm.direction
        colours, markers = _COLOURS[way], _MARKERS[way]
        i = sum(other.direction == way for other in styles)
        styles[arm] = ArmStyle(colours[i % len(colours)], _HATCHES[way], _LINES[way], markers[i % len(markers)])
    return styles


@cache
def _figure_class() -> type[Figure]:
    """Return a Figure that notebooks show without pyplot."""
    base: type[Figure] = require("matplotlib.figure", "plot").Figure

    class Picture(base):  # type: ignore[valid-type,misc]
        def draw(self, renderer: Any) -> None:
            """Draw it, without a warning for each character that no font has: that was said when it was made."""
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", MISSING, UserWarning)
                super().draw(renderer)

        def _repr_png_(self) -> bytes:
            buffer = BytesIO()
            self.savefig(buffer, format="png")
            return buffer.getvalue()

    return Picture


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure of so many inches."""
    return _figure_class()(figsize=(width, height), layout="constrained", dpi=120)


def axes_of(ax: Axes | None, width: float, height: float) -> Axes:
    """Return the axes given, or those of a new figure."""
    return new_figure(width, height).add_subplot() if ax is None else ax


def figure_of(ax: Axes) -> Figure:
    """Return the whole figure that the axes are part of."""
    figure: Any = ax.figure
    while figure is not figure.figure:  # a figure within a figure
        figure = figure.figure
    return figure  # type: ignore[no-any-return]


def finished(ax: Axes) -> Figure:
    """Return the whole figure, now that all is drawn, with fonts for every character of these axes."""
    make_legible(ax)
    return figure_of(ax)


def time_unit(largest: float) -> tuple[float, str]:
    """Return how many of a unit a second has, and the unit's name, for times up to `largest` seconds."""
    for least, factor, name in ((1.0, 1.0, "s"), (1e-3, 1e3, "ms")):
        if largest >= least:
            return factor, name
    return 1e6, "µs"


def rate_unit(largest: float) -> tuple[float, str]:
    """Return the divisor and the name of the unit for rates up to `largest` traversed edges per second."""
    for unit, name in ((1e9, "GTEPS"), (1e6, "MTEPS"), (1e3, "kTEPS")):
        if largest >= unit:
            return unit, name
    return 1.0, "TEPS"


def plain(text: Any, *, limit: int = 60) -> str:
    """Return a text that matplotlib shows as it is, without reading formulas into it, and not too long."""
    said = str(text)
    said = said if len(said) <= limit else f"{said[: limit - 1]}…"
    return said.replace("$", r"\$")


def tidy(ax: Axes) -> None:
    """Take away the frame that carries nothing and put a light grid behind the data."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(True, axis="y", color="#DDDDDD", linewidth=0.6)
    ax.set_axisbelow(True)


def whole_levels(ax: Axes, count: int) -> None:
    """Label the horizontal axis by level, in whole numbers, from the first to the last."""
    from matplotlib.ticker import FixedLocator, MaxNLocator

    ax.set_xlabel("level")
    spare = max(3 - count, 0) / 2  # a single bar does not fill the picture
    ax.set_xlim(-0.6 - spare, max(count, 1) - 0.4 + spare)
    ax.xaxis.set_major_locator(FixedLocator(range(count)) if count <= 12 else MaxNLocator(nbins=12, integer=True))


def legend_above(ax: Axes) -> None:
    """Put the legend in a line above the axes, where it covers no data."""
    ax.legend(fontsize=9, frameon=False, loc="lower left", bbox_to_anchor=(0, 0.98), ncols=4, borderaxespad=0)


def say_nothing(ax: Axes, text: str) -> None:
    """Say in the middle of empty axes why there is nothing to see."""
    ax.text(0.5, 0.5, text, transform=ax.transAxes, ha="center", va="center", color="#555555")
    ax.set_yticks([])
    ax.spines[:].set_visible(False)
