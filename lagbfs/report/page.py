"""A page: one HTML file that needs no other."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

__all__ = ["page"]

_CSS = """
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 60rem; margin: 2rem auto;
       padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .8rem; border-bottom: 1px solid #ddd; } th { border-bottom: 2px solid #888; }
svg { max-width: 100%; height: auto; display: block; }
"""


def page(title: str, sections: Sequence[tuple[str, str]]) -> str:
    """Return a page that loads nothing from elsewhere.

    Parameters
    ----------
    title : str
        Text of its title.
    sections : sequence of (heading, body)
        The heading is text, escaped here; the body is HTML.

    Examples
    --------
    >>> from lagbfs.report.page import page
    >>> "<h2>a &amp; b</h2>" in page("Results", [("a & b", "<p>none</p>")])
    True
    """
    parts = "".join(f"<section>{_heading(heading)}{body}</section>\n" for heading, body in sections)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_CSS}</style></head>\n"
        f"<body><h1>{escape(title)}</h1>\n{parts}</body></html>\n"
    )


def _heading(text: str) -> str:
    return f"<h2>{escape(text)}</h2>" if text else ""
