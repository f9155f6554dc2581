"""``lagbfs bfs``: search one graph and show what happened."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from .. import backends
from ..algebra.matrix import Matrix
from ..base.atomic import atomic_write
from ..base.wording import shortened
from ..errors import InvalidValueError
from ..report import plot
from ..search.bfs import bfs
from ..search.explanation import Explanation
from ..search.steps import HEADER, milliseconds
from ..search.traversal import Traversal
from ..selector import context, registry
from . import completion, graph, outputs, streams
from .completion import completed
from .output import Output

_ENDINGS = (*outputs.SEPARATORS, ".npz")  # of what --out writes
_SHOWN = 40  # levels shown without --all; of a longer search the first and last


def add(commands: Any, parents: list[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("bfs", parents=parents, help="search a graph and show every level")
    graph.add_arguments(parser, default="kronecker-18")
    start = "vertex to start from, by label if the graph has labels; repeatable (default: one of highest degree)"
    parser.add_argument("--source", action="append", help=start)
    add_engine(parser)
    ways = "of every level (default: auto, the selector's choice)"
    parser.add_argument("--direction", choices=["auto", "push", "pull"], help=ways)
    parser.add_argument("--max-depth", type=int, metavar="N", help="how many levels to go at most")
    parser.add_argument("--target", action="append", help="stop once this vertex is reached; repeatable")
    ordered = "find vertices first in, first out, and write them in that order (the others behind them)"
    parser.add_argument("--order", action="store_true", help=ordered)
    parser.add_argument("--all", action="store_true", help=f"show all levels, not only {_SHOWN}")
    parser.add_argument("--explain", action="store_true", help="show what every arm was expected to take, and why")
    written = "write vertex, level, parent (.csv, .tsv or .npz; - for standard output, as .csv)"
    parser.add_argument("--out", type=streams.target, metavar="FILE", help=written)
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the levels (.png, .svg, .pdf or .html)")
    drawn = "draw the times predicted against those measured, likewise"
    parser.add_argument("--plot-predictions", type=Path, metavar="FILE", help=drawn)
    parser.set_defaults(run=_run, on_ranks="bfs")


def add_engine(parser: argparse.ArgumentParser) -> None:
    """Add what chooses engine, arms and threads."""
    engines = f"the engine: one of {', '.join(backends.names())}, or several with commas"
    completed(parser.add_argument("--backend", help=engines), completion.engines)
    selectors = f"what picks each level's arm: {', '.join(registry.names())}, or an arm such as push:scan"
    completed(parser.add_argument("--selector", help=selectors), completion.selectors)
    parser.add_argument("--threads", type=int, metavar="N", help="threads that engines use (default: all)")


def _run(options: argparse.Namespace, out: Output) -> None:
    _check_outputs(options)
    settings = {key: getattr(options, key) for key in ("backend", "direction", "selector", "threads")}
    context.current().but(**settings).arms()  # what cannot be had is said before a graph is made or read
    A = graph.load(options.graph, options, out)
    out.line(repr(A))
    if not A.nrows:
        raise InvalidValueError(f"graph {options.graph} has no vertices to search from")
    sources = _default_source(A) if options.source is None else _vertices(A, "source", options.source)
    targets = None if options.target is None else _vertices(A, "target", options.target)
    settings.update(max_depth=options.max_depth, order=options.order)
    with out.progress("searching"):
        bfs(A, sources, target=targets, **settings)  # the first search loads the engine
        t = bfs(A, sources, target=targets, **settings)
    (_explain if options.explain else _show)(t, out, everything=options.all)
    with out.progress("verifying"):
        t.verify()
    _write_all(t, options, out)
    out.outcome("verified")
    out.result(_data(t, options.graph, predictions=options.explain))


def _write_all(t: Traversal, options: argparse.Namespace, out: Output) -> None:
    """Write whatever files were asked for."""
    writers: dict[str, Callable[[Traversal, Path], object]] = {
        "out": _write,
        "plot": Traversal.plot,
        "plot_predictions": _plot_predictions,
    }
    for option, write in writers.items():
        if path := getattr(options, option):
            with out.progress(f"writing {streams.said(path)}"):
                write(t, path)


def _check_outputs(options: argparse.Namespace) -> None:
    """Refuse what could not be written, before there is a result to lose."""
    if options.out and not streams.is_stdout(options.out) and options.out.suffix not in _ENDINGS:
        raise InvalidValueError(f"--out must end in {', '.join(_ENDINGS)}, not {options.out.name!r}")
    outputs.check(options.out)
    outputs.check_pictures(options.plot, options.plot_predictions)


def _default_source(A: Matrix) -> list[Any]:
    busiest = int(A.degrees.argmax())
    return [busiest if A.labels is None else A.labels[busiest]]


def _vertices(A: Matrix, name: str, given: list[str]) -> list[Any]:
    """Return vertices given as text: labels if the graph has them, else numbers."""
    return [vertex(A, name, text) for text in given]


def vertex(A: Matrix, name: str, text: str) -> Any:
    """Return a vertex given as text: a label if the graph has them, else a number."""
    number = int(text) if text.lstrip("-").isdecimal() else None
    if A.labels is not None:
        return text if number is None or A.is_label(text) else number
    if number is None:
        raise InvalidValueError(f"{name} must be a vertex number of 0 … {A.nrows - 1}, not {text!r}")
    return number


def _show(t: Traversal, out: Output, *, everything: bool) -> None:
    _head(t, out)
    times = milliseconds(t.trace)
    told = t.explain()
    shown = shortened(range(len(told)), len(told) if everything else _SHOWN, None)
    rows = [["…"] + [""] * 7 if level is None else _row(told[level], times[level]) for level in shown]
    spare = ("their edges", "unvisited", "its edges")
    out.table((*HEADER, "why"), rows, right=HEADER[:-1], below="why", spare=spare)


def _head(t: Traversal, out: Output) -> None:
    head, *_ = t.summary().splitlines()
    out.outcome(head)
    for note in t.notes:
        out.line(note)


def _row(told: Explanation, time: str) -> list[str]:
    return [*(f"{count:,}" for count in told.step[:5]), time, str(told.step.arm), told.why]


def _explain(t: Traversal, out: Output, *, everything: bool) -> None:
    """Show what every arm was expected to take; the levels of a long search that one arm served in a row together."""
    _head(t, out)
    columns, rows = t.explain().table(few=None if everything else _SHOWN)
    shown = shortened(rows, len(rows) if everything else _SHOWN, ["…"] + [""] * (len(columns) - 1))
    narrow = [name.replace(" ", "\n") for name in columns]
    out.table(narrow, shown, right={*narrow} - {"arm", "why"}, below="why")


def _plot_predictions(t: Traversal, path: Path) -> None:
    plot.save(plot.predictions(t), path, title=repr(t), details=t.explain()._repr_html_())


def _data(t: Traversal, name: str, *, predictions: bool) -> dict[str, Any]:
    return {
        "graph": name,
        "vertices": t.matrix.nrows,
        "entries": t.matrix.nvals,
        "sources": t.sources,
        "reached": t.reached,
        "depth": t.depth,
        "seconds": t.seconds,
        "teps": t.edges / t.seconds if t.seconds else None,
        "notes": t.notes,
        "levels": [_level(told, predictions=predictions) for told in t.explain()],
        "verified": True,
    }


def _level(told: Explanation, *, predictions: bool) -> dict[str, Any]:
    keys = ("level", "frontier", "frontier_edges", "unvisited", "unvisited_edges", "arm", "seconds", "why")
    step = told.step
    level = dict(zip(keys, (*step[:5], str(step.arm), step.seconds, told.why), strict=True))
    predicted = {str(arm): seconds for arm, seconds in told.predicted.items()}
    return {**level, "predicted_seconds": predicted} if predictions else level


def _write(t: Traversal, path: Path) -> None:
    """Write each vertex's level and parent, in order if there is one; in text vertices go by label if they have any."""
    if path.suffix == ".npz":
        arrays: dict[str, Any] = {"levels": t.levels, "parents": t.parents, "sources": t.sources}
        if t.has_order:
            arrays["order"] = t.order
        with atomic_write(path) as file:
            np.savez_compressed(file, **arrays)
        return
    names = t.matrix.labels or range(t.matrix.nrows)
    rows = np.concatenate([t.order, np.flatnonzero(t.parents < 0)]) if t.has_order else np.arange(t.matrix.nrows)
    columns = (names[v] for v in rows.tolist()), t.levels[rows].tolist(), t.parents[rows].tolist()
    outputs.write_table(
        path,
        ("vertex", "level", "parent"),
        ((name, level, "" if parent < 0 else names[parent]) for name, level, parent in zip(*columns, strict=True)),
    )
