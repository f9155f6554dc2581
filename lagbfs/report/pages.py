"""Pages of benchmarks: tables and pictures in one HTML file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from statistics import median

from ..base.markup import table
from ..errors import InvalidValueError
from ..measure.bench import Row
from .page import page
from .plot import ratios
from .plot.rates import teps, times
from .plot.saving import inline_svg

__all__ = ["bench_page"]


def bench_page(
    rows: Sequence[Row],
    machine: str,
    *,
    edges: Mapping[str, float] | None = None,
    notes: Sequence[str] = (),
    title: str = "lagbfs benchmark",
) -> str:
    """Return the page of a benchmark: for each graph a table and bars, and how all compare with the first contender.

    Parameters
    ----------
    rows : sequence of lagbfs.measure.bench.Row
        Measurements; the first contender of each graph is what the others are compared with.
    machine : str
        Where and how they were made.
    edges : mapping, optional
        For each graph, the number of edges that a search traverses: rates are shown where it is known, and times
        where not.
    notes : sequence of str
        More lines to show.
    title : str
        Title of the page.

    Examples
    --------
    >>> from lagbfs.measure.bench import Row
    >>> from lagbfs.report.pages import bench_page
    >>> html = bench_page([Row("grid-9", "ours", (1.0, 2.0)), Row("grid-9", "theirs", (3.0,))], "a machine")
    >>> html.count("<svg"), html.count("<table")
    (2, 1)
    """
    if not rows:
        raise InvalidValueError("rows must hold at least one measurement")
    by_graph: dict[str, list[Row]] = {}
    for row in rows:
        by_graph.setdefault(row.graph, []).append(row)
    lines = "".join(f"<p>{escape(line)}</p>" for line in (machine, *notes))
    sections = [("", lines), *_compared(rows)]
    for name, group in by_graph.items():
        count = None if edges is None else edges.get(name)
        sections.append((Path(name).name, _rates(group, count) + _table(group, count)))
    return page(title, sections)


def _compared(rows: Sequence[Row]) -> list[tuple[str, str]]:
    if len({row.graph for row in rows}) == len(rows):
        return []  # one contender: nothing to compare
    short = [row._replace(graph=Path(row.graph).name) for row in rows]
    return [("Compared with the first contender", inline_svg(ratios(short), "ratios of times"))]


def _rates(rows: Sequence[Row], edges: float | None) -> str:
    if edges:
        bars = teps({row.contender: [edges / s for s in row.seconds] for row in rows})
    else:
        bars = times({row.contender: row.seconds for row in rows})
    return inline_svg(bars, f"{'rates' if edges else 'times'} on {Path(rows[0].graph).name}")


def _table(rows: Sequence[Row], edges: float | None) -> str:
    header = ["contender", "median ms", "first quartile ms", "third quartile ms", "searches", "first is"]
    cells = [
        [row.contender, row.median * 1e3, *(1e3 * s for s in row.spread), len(row.seconds), _ratio(row, rows[0])]
        for row in rows
    ]
    if edges:
        header.append("median MTEPS")
        cells = [[*cell, median(edges / s for s in row.seconds) / 1e6] for cell, row in zip(cells, rows, strict=True)]
    return table(header, cells)


def _ratio(row: Row, first: Row) -> str:
    return "" if row is first else f"{row.median / first.median:.2f}×"
