"""Tables as HTML, for notebooks and pages; every text is escaped."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from html import escape
from typing import Any

__all__ = ["table"]


def table(
    header: Sequence[Any], rows: Iterable[Sequence[Any]], *, caption: str = "", right: Container[Any] = ()
) -> str:
    """Return a table; a cell that is text stands left, unless its column is in `right`, any other right.

    Examples
    --------
    >>> from lagbfs.base.markup import table
    >>> table(["arm"], [["a<b"]])
    '<table><thead><tr><th>arm</th></tr></thead><tbody><tr><td style="text-align:left">a&lt;b</td></tr></tbody></table>'
    """
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    head = "".join(f"<th>{escape(str(name))}</th>" for name in header)
    numbers = {i for i, name in enumerate(header) if name in right}
    body = "".join(f"<tr>{''.join(_cell(value, i in numbers) for i, value in enumerate(row))}</tr>" for row in rows)
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any, number: bool) -> str:
    side = "left" if isinstance(value, str) and not number else "right"
    return f'<td style="text-align:{side}">{escape(_said(value))}</td>'


def _said(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.3f}" if abs(value) >= 0.1 else f"{value:.5f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
