"""``lagbfs info``, ``convert`` and ``generate``: what is in a file, and how to make one."""

from __future__ import annotations

import argparse
import inspect
import os
from pathlib import Path
from typing import Any

import numpy as np

from .. import graphs
from .. import io as files
from ..algebra.matrix import Matrix
from ..base.suggestions import did_you_mean
from ..errors import InvalidValueError
from . import completion, graph, outputs, streams
from .output import Output
from .values import value_of

_REMEDIES = {
    files.NAMES: "`convert --names FILE` writes them beside it; .csv, .tsv, .txt and .npz keep them",
    files.VALUES: ".mtx, .csv, .tsv, .txt and .npz keep them",
}
_MAKERS = [name for name in graphs.NAMES if hasattr(graphs, name)]


def add(commands: Any, parents: list[argparse.ArgumentParser]) -> None:
    """Add the commands."""
    info = commands.add_parser("info", parents=parents, help="tell what is in a file")
    graph.add_arguments(info)
    info.set_defaults(run=_info)

    convert = commands.add_parser("convert", parents=parents, help="write a graph in another format")
    graph.add_arguments(convert)
    convert.add_argument("out", type=streams.target, help="the file to write; its name says the format, of - --to does")
    convert.add_argument("--to", choices=files.formats(), help="the format to write (default: by name)")
    convert.add_argument(
        "--names",
        type=streams.target,
        metavar="FILE",
        help="write the number and the name of each vertex as well (.csv or .tsv), for formats without names",
    )
    convert.set_defaults(run=_convert)

    makers, named = ", ".join(_MAKERS), "its name says the format; - for standard output, of which --to does"
    generate = commands.add_parser("generate", parents=parents, help="make a graph", description=f"Makers: {makers}.")
    maker = generate.add_argument("maker", help="a maker, or one with its size, such as kronecker-18")
    completion.completed(maker, completion.makers)
    examples = "such as scale=18 edge_factor=8 seed=2"
    parameters = generate.add_argument("parameters", nargs="*", metavar="name=value", help=examples)
    completion.completed(parameters, completion.parameters)
    generate.add_argument("--out", "-o", type=streams.target, required=True, metavar="FILE", help=named)
    generate.add_argument("--to", choices=files.formats(), help="the format to write (default: by name)")
    generate.set_defaults(run=_generate)


def _info(options: argparse.Namespace, out: Output) -> None:
    A = graph.load(options.graph, options, out)
    with out.progress(f"looking at {options.graph}"):
        facts = _facts(A)
    out.outcome(repr(A))
    out.table(("what", "value"), [[name, _text(value)] for name, value in facts.items()], right="value")
    out.result({"graph": options.graph, **facts})


def _facts(A: Matrix) -> dict[str, Any]:
    from scipy.sparse.csgraph import connected_components

    facts: dict[str, Any] = {"rows": A.nrows, "columns": A.ncols, "entries": A.nvals, "dtype": str(A.dtype)}
    facts |= {"labelled": A.labels is not None, "bytes": A.csr.indptr.nbytes + A.csr.indices.nbytes}
    if A.nrows != A.ncols or not A.nrows:
        return facts
    stats = A.degree_stats
    count, component = connected_components(A.to_scipy(copy=False), connection="weak")
    facts |= {
        "symmetric": A.is_symmetric,
        "loops": int((A.csr.rows() == A.csr.indices).sum()),
        "isolated": int(((A.degrees == 0) & (A.in_degrees == 0)).sum()),
        "components": int(count),
        "largest component": int(np.bincount(component).max()),
        "least degree": int(stats.min),
        "median degree": float(stats.median),
        "mean degree": float(stats.mean),
        "largest degree": int(stats.max),
    }
    return facts


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,.2f}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)


def _convert(options: argparse.Namespace, out: Output) -> None:
    _check_output(options)
    _check_names(options)
    A = graph.load(options.graph, options, out)
    if options.names:
        if A.labels is None:
            raise InvalidValueError(f"--names: the vertices of {options.graph} have no names")
        outputs.write_table(options.names, ("vertex", "name"), enumerate(A.labels))
    _save(A, options, out, names=options.names)


def _generate(options: argparse.Namespace, out: Output) -> None:
    _check_output(options)
    with out.progress(f"making {options.maker}"):
        A = _make(options.maker, options.parameters)
    _save(A, options, out)


def _check_output(options: argparse.Namespace) -> None:
    outputs.check(options.out)
    if streams.is_stdout(options.out) and options.to is None:
        known = ", ".join(files.formats())
        raise InvalidValueError(f"standard output has no name to tell a format by: --to must be given, one of {known}")
    files.format_of(options.out, options.to)


def _check_names(options: argparse.Namespace) -> None:
    outputs.check(options.names)
    if options.names and not streams.is_stdout(options.names) and options.names.suffix not in outputs.SEPARATORS:
        raise InvalidValueError(f"--names must end in {', '.join(outputs.SEPARATORS)}, not {options.names.name!r}")
    if options.names and os.path.realpath(options.names) == os.path.realpath(options.out):
        raise InvalidValueError(f"--names must be another file than the graph's, not {streams.said(options.out)} again")


def _save(A: Matrix, options: argparse.Namespace, out: Output, *, names: Path | None = None) -> None:
    """Write a graph, and say what the file lacks of it, unless its names are in another."""
    said = streams.said(options.out)
    with out.progress(f"writing {said}", unit="bytes") as progress:
        files.write(options.out, A, format=options.to, progress=progress)
    size = options.out.stat().st_size if options.out.is_file() and not streams.is_stdout(options.out) else None
    lost = [what for what in files.lost(options.out, A, format=options.to) if what != files.NAMES or names is None]
    for what in lost:
        out.warn(f"{said} has not the graph's {what}: {_REMEDIES[what]}")
    beside = f", names to {streams.said(names)}" if names else ""
    out.outcome(f"{A!r} written to {said}{'' if size is None else f' ({size:,} bytes)'}{beside}")
    out.result({"out": said, "vertices": A.nrows, "entries": A.nvals, "bytes": size, "lost": lost})


def _make(name: str, given: list[str]) -> Matrix:
    """Return what a maker makes of parameters written name=value."""
    if graphs.is_named(name) and not given:
        return graphs.named(name)
    if graphs.is_named(name):
        raise InvalidValueError(f"{name} has its size already: it takes no parameters, {name.rpartition('-')[0]} does")
    if name not in _MAKERS:
        raise InvalidValueError(f"maker must be one of {', '.join(_MAKERS)}, not {name!r}{did_you_mean(name, _MAKERS)}")
    maker = getattr(graphs, name)
    known = inspect.signature(maker).parameters
    parameters: dict[str, Any] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals or key not in known:
            said = f"parameters of {name} are {', '.join(known)}, as name=value, not {text!r}"
            raise InvalidValueError(said + did_you_mean(key, set(known) - {key}))
        if key in parameters:
            raise InvalidValueError(f"{key} must be given once, not as {parameters[key]} and as {value}")
        parameters[key] = value_of(key, value)
    lacking = [key for key, p in known.items() if p.default is p.empty and key not in parameters]
    if lacking:
        raise InvalidValueError(f"{name} needs {', '.join(f'{key}=…' for key in lacking)}")
    made: Matrix = maker(**parameters)
    return made
