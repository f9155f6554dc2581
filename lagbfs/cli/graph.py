"""The graph a command works on: a file, standard input, or a generator's name such as ``kronecker-18``."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from .. import graphs
from .. import io as files
from ..algebra.matrix import Matrix
from ..base.suggestions import did_you_mean
from ..errors import InvalidValueError
from ..graphs.named import near
from . import streams
from .completion import completed, graph_names
from .output import Output

__all__ = ["add_arguments", "load"]


def add_arguments(parser: argparse.ArgumentParser, *, default: str | None = None) -> None:
    """Add the graph and how to read it."""
    names = "a file, - for standard input, or a generator and its size (kronecker-18, uniform-16, grid-500, …)"
    if default is None:
        named = parser.add_argument("graph", help=names)
    else:
        named = parser.add_argument("graph", nargs="?", default=default, help=f"{names}; default: {default}")
    completed(named, graph_names)
    add_reading(parser)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add how a file is to be read."""
    parser.add_argument("--format", choices=files.formats(), help="the file's format (default: by name and content)")
    parser.add_argument(
        "--header",
        action=argparse.BooleanOptionalAction,
        help="the first line of a list of edges names the columns (default: if it looks like that)",
    )
    parser.add_argument(
        "--delimiter",
        type=lambda text: {"tab": "\t", "\\t": "\t", "space": " "}.get(text, text),
        metavar="CHARACTER",
        help="what is between the columns of a list of edges; also 'tab' and 'space' (default: by its first lines)",
    )
    parser.add_argument(
        "--max-vertices",
        type=int,
        metavar="N",
        help="refuse files with more vertices (default: 16 million, or 16 for each byte of a longer file)",
    )
    direction = parser.add_mutually_exclusive_group()
    direction.add_argument("--directed", action="store_true", default=None, help="edges lead one way")
    direction.add_argument("--undirected", dest="directed", action="store_false", help="edges lead both ways")


def load(name: str, options: argparse.Namespace, out: Output) -> Matrix:
    """Return the graph that `name` stands for; a file of that name comes first."""
    if streams.is_stdin(name):
        with out.progress("reading standard input", unit="bytes") as progress, streams.stdin_as_file(progress) as path:
            return _read(path, "standard input", options, out)
    if not Path(name).exists():
        if not graphs.is_named(name):
            raise InvalidValueError(_missing(name))
        with out.progress(f"making {name}"):
            return graphs.named(name)
    if Path(name).is_dir():
        raise InvalidValueError(f"{name} is a folder, not a file to read")
    return _read(Path(name), Path(name).name, options, out)


def _missing(name: str) -> str:
    """Return what to say of a graph that there is none of: that the file is missing, if it is the name of one."""
    path = Path(name)
    if path.suffix or path.parent != Path() or os.sep in name:
        there = path.parent.iterdir() if path.parent.is_dir() else ()
        near_by = {other.name.partition(".")[0]: str(other) for other in there}
        return f"there is no file {name}{did_you_mean(path.name.partition('.')[0], near_by)}"
    sizes = ", ".join(f"{maker}-N" for maker in graphs.NAMES)
    return f"graph {name!r} is neither a file nor one of {sizes}{near(name)}"


def _read(path: Path, name: str, options: argparse.Namespace, out: Output) -> Matrix:
    with out.progress(f"reading {name}", unit="bytes") as progress:

        def tell(done: int, total: int | None) -> None:
            """Show what is read of what, and then that the graph is built of it; how large a pipe is nobody knows."""
            at_end = total and done >= total
            progress(done, None if at_end else total or None, f"{'building' if at_end else 'reading'} {name}")

        return files.read(
            path,
            format=options.format,
            directed=options.directed,
            header=options.header,
            delimiter=options.delimiter,
            max_vertices=options.max_vertices,
            progress=tell,
        )
