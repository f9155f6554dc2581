"""Pictures as files."""

from __future__ import annotations

import os
import re
from html import escape
from io import BytesIO
from itertools import count
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from ...base.atomic import atomic_write
from ...base.optional import require
from ...errors import InvalidValueError
from ..page import page

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["SUFFIXES", "inline_svg", "save"]

SUFFIXES = (".png", ".svg", ".pdf", ".html")

_numbers = count(1)


def save(figure: Figure, path: str | PathLike[str], *, title: str = "lagbfs", details: str = "") -> None:
    """Write a figure to a file of the kind that its suffix says; a file is there whole or not at all.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The picture.
    path : path
        Where to: ``.png``, ``.svg``, ``.pdf``, or ``.html`` for a page that needs no other file.
    title : str
        Title of the page.
    details : str
        HTML that the page shows below the picture.

    Examples
    --------
    >>> import lagbfs, tempfile, pathlib
    >>> figure = lagbfs.plot.teps({"native": [2e9], "scipy": [1e8]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "rates.svg"
    ...     lagbfs.plot.save(figure, path)
    ...     path.read_text()[:5]
    '<?xml'
    """
    suffix = suffix_of(path)
    if suffix == ".html":
        data = page(title, [("", inline_svg(figure, title) + details)]).encode()
    else:
        data = _rendered(figure, suffix[1:])
    with atomic_write(path) as file:
        file.write(data)


def suffix_of(path: str | PathLike[str]) -> str:
    """Return the suffix of a path, in small letters, if pictures can be written so."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise InvalidValueError(f"path must end in one of {', '.join(SUFFIXES)}, not {os.fspath(path)!r}")
    return suffix


def _rendered(figure: Figure, kind: str) -> bytes:
    """Return the figure as a file of this kind; the same data give the same file."""
    matplotlib = require("matplotlib", "plot")
    stamps = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[kind]
    buffer = BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "lagbfs"}):
        figure.savefig(buffer, format=kind, metadata=stamps)
    return buffer.getvalue()


def inline_svg(figure: Figure, description: str = "") -> str:
    """Return a figure as an SVG element for a page: text as text, ids that occur in no other, no metadata."""
    matplotlib = require("matplotlib", "plot")
    buffer = BytesIO()
    nothing = dict.fromkeys(["Creator", "Date", "Format", "Type"])
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "lagbfs"}):
        figure.savefig(buffer, format="svg", metadata=nothing)
    svg = buffer.getvalue().decode()
    svg = svg[svg.index("<svg") :]
    prefix = f"p{next(_numbers)}-"
    svg = re.sub(r'\bid="', f'id="{prefix}', svg)
    svg = re.sub(r'(url\(#|href="#)', rf"\g<1>{prefix}", svg)
    return svg.replace("<svg", f'<svg role="img" aria-label="{escape(description)}"', 1)
