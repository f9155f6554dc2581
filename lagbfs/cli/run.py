"""``lagbfs run``: an algorithm on a graph."""

from __future__ import annotations

import argparse
import inspect
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from .. import algorithms
from ..algebra.matrix import Matrix
from ..algorithms.common import Settings
from ..base.atomic import atomic_write
from ..base.suggestions import did_you_mean
from ..base.wording import duration
from ..errors import InvalidValueError
from ..report import plot
from ..selector import context
from . import completion, graph, outputs, streams
from .completion import completed
from .findings import Findings, findings
from .output import Output
from .search import add_engine, vertex
from .values import value_of

_ENDINGS = (*outputs.SEPARATORS, ".npz")  # of what --out writes
_SETTINGS = tuple(Settings.__annotations__)
_VERTICES = ("source", "sources", "target", "vertices", "pairs")  # parameters that name vertices


def add(commands: Any, parents: list[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("run", parents=parents, help="run an algorithm on a graph")
    named = parser.add_argument("algorithm", nargs="?", help="its name, such as pagerank; --list shows all")
    completed(named, completion.algorithms)
    graph.add_arguments(parser, default="kronecker-16")
    examples = "its arguments, such as damping=0.9 or source=7; vertices by label if the graph has labels"
    parser.add_argument("parameters", nargs="*", metavar="name=value", help=examples)
    parser.add_argument("--list", action="store_true", help="show all algorithms and their arguments")
    parser.add_argument("--top", type=int, default=10, metavar="K", help="show the K greatest (default: 10)")
    add_engine(parser)
    ways = "of every product (default: auto, the selector's choice)"
    parser.add_argument("--direction", choices=["auto", "push", "pull"], help=ways)
    written = "write all of the result (.csv, .tsv or .npz; - for standard output, as .csv)"
    parser.add_argument("--out", type=streams.target, metavar="FILE", help=written)
    drawn = "draw the distribution of what was found (.png, .svg, .pdf or .html)"
    parser.add_argument("--plot", type=Path, metavar="FILE", help=drawn)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace, out: Output) -> None:
    if options.list:
        _list(out)
        return
    function = _algorithm(options.algorithm)
    _check(options)
    settings = {key: getattr(options, key) for key in _SETTINGS}
    context.current().but(**settings).arms()  # what cannot be had is said before a graph is made or read
    _parameters(function, options.parameters, None)
    A = graph.load(options.graph, options, out)
    out.line(repr(A))
    given = _parameters(function, options.parameters, A)
    result, seconds = _computed(function, A, {**given, **settings}, out)
    found = findings(options.algorithm, A, result, options.top, given.get("sources"), given.get("pairs"))
    _show(found, seconds, out)
    _write(found, options, out)
    out.result(_data(found, A, seconds, options, given))


def _list(out: Output) -> None:
    named = {name: getattr(algorithms, name) for name in algorithms.__all__}
    first = {name: _first_line(function) for name, function in named.items()}
    own = {name: [*_own(function)] for name, function in named.items()}
    out.table(
        ("algorithm", "arguments", "what it returns"),
        [[name, ", ".join(own[name]), said] for name, said in first.items()],
        below="what it returns",
    )
    out.result({name: {"arguments": own[name], "summary": first[name]} for name in named})


def _first_line(function: Any) -> str:
    return (inspect.getdoc(function) or "").partition("\n")[0].removeprefix("Return ")


def _algorithm(name: str | None) -> Any:
    if name is None:
        raise InvalidValueError("an algorithm must be named; `lagbfs run --list` shows all")
    if name not in algorithms.__all__:
        meant = did_you_mean(name, algorithms.__all__)
        raise InvalidValueError(f"algorithm must be one of {', '.join(algorithms.__all__)}, not {name!r}{meant}")
    return getattr(algorithms, name)


def _own(function: Any) -> dict[str, inspect.Parameter]:
    """Return the arguments of an algorithm beside the graph, the settings and whom to tell of its progress."""
    others = ("A", "progress", *_SETTINGS)
    return {name: p for name, p in inspect.signature(function).parameters.items() if name not in others}


def _parameters(function: Any, given: list[str], A: Matrix | None) -> dict[str, Any]:
    """Return arguments written name=value; without a graph, vertices are left as they are."""
    known, parameters = _own(function), dict[str, Any]()
    for text in given:
        key, equals, value = text.partition("=")
        if not equals or key not in known:
            said = f"arguments of {function.__name__} are {', '.join(known) or 'none'}, as name=value, not {text!r}"
            raise InvalidValueError(said + did_you_mean(key, set(known) - {key}))
        if key in parameters:
            raise InvalidValueError(f"{key} must be given once, not twice")
        parameters[key] = _vertices(A, key, value) if key in _VERTICES else value_of(key, value)
    lacking = [key for key, p in known.items() if p.default is p.empty and key not in parameters]
    if lacking:
        raise InvalidValueError(f"{function.__name__} needs {', '.join(f'{key}=…' for key in lacking)}")
    return parameters


def _vertices(A: Matrix | None, name: str, text: str) -> Any:
    if A is None:
        return text
    named = [vertex(A, name, part) for part in text.split(",")]
    if name == "pairs":
        if len(named) % 2:
            raise InvalidValueError(f"pairs must be two vertices each, as pairs=0,1,0,2 for two pairs, not {text!r}")
        return [*zip(named[::2], named[1::2], strict=True)]
    return named[0] if len(named) == 1 and name != "sources" else named


def _check(options: argparse.Namespace) -> None:
    """Refuse what could not be done, before there is a result to lose."""
    if options.top < 0:
        raise InvalidValueError(f"--top must be at least 0, not {options.top}")
    if options.out and not streams.is_stdout(options.out) and options.out.suffix not in _ENDINGS:
        raise InvalidValueError(f"--out must end in {', '.join(_ENDINGS)}, not {options.out.name!r}")
    outputs.check(options.out)
    outputs.check_pictures(options.plot)


def _computed(function: Any, A: Matrix, given: dict[str, Any], out: Output) -> tuple[Any, float]:
    with out.progress(f"computing {function.__name__}") as tell:
        if "progress" in inspect.signature(function).parameters:
            given = {**given, "progress": tell}
        began = perf_counter()
        result = function(A, **given)
        return result, perf_counter() - began


def _show(found: Findings, seconds: float, out: Output) -> None:
    out.outcome(f"{found.said}, in {duration(seconds)}")
    if found.top and len(next(iter(found.top.values()))):
        rows = zip(*([_text(value) for value in column] for column in found.top.values()), strict=True)
        numbers = [name for name, column in found.top.items() if isinstance(column, np.ndarray)]
        out.table([*found.top], [[*row] for row in rows], right=numbers)


def _text(value: Any) -> str:
    if isinstance(value, np.integer):
        return f"{value:,}"
    return f"{value:.6g}" if isinstance(value, float | np.floating) else str(value)


def _write(found: Findings, options: argparse.Namespace, out: Output) -> None:
    """Write whatever files were asked for."""
    if options.out:
        if not found.columns:
            raise InvalidValueError(f"--out: {options.algorithm} has no table to write: {found.said}")
        with out.progress(f"writing {streams.said(options.out)}"):
            _write_columns(found.columns, options.out)
    if options.plot:
        if found.draw is None:
            raise InvalidValueError(f"--plot: {options.algorithm} has nothing to draw: {found.said}")
        with out.progress(f"writing {streams.said(options.plot)}"):
            title = f"{options.algorithm} of {options.graph}"
            plot.save(found.draw(title=title), options.plot, title=title, details="")


def _write_columns(columns: dict[str, Any], path: Path) -> None:
    if path.suffix == ".npz":
        arrays: dict[str, Any] = {name: np.asarray(column) for name, column in columns.items()}
        with atomic_write(path) as file:
            np.savez_compressed(file, **arrays)
        return
    listed = [column.tolist() if isinstance(column, np.ndarray) else column for column in columns.values()]
    outputs.write_table(path, [*columns], zip(*listed, strict=True))


def _data(
    found: Findings, A: Matrix, seconds: float, options: argparse.Namespace, given: dict[str, Any]
) -> dict[str, Any]:
    return {
        "graph": options.graph,
        "vertices": A.nrows,
        "entries": A.nvals,
        "algorithm": options.algorithm,
        "arguments": given,
        "seconds": seconds,
        "found": found.said,
        "top": found.top,
    }
