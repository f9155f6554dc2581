"""DIMACS: the format of the shortest path challenge, ``.gr``, and those of the colouring and the flow one.

c a comment
p sp 5 7            vertices, arcs
a 1 2 10            an arc with its length; vertices count from 1

Colouring has ``p edge 5 7`` or ``p col``, and undirected edges without weights, ``e 1 2``; flow has ``p max 5 7``, and
arcs with capacities, which become their weights. Lines that say something of a node, ``n 1 s``, are read over.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
from typing import IO

import numpy as np

from ..algebra.matrix import Matrix
from ..errors import InvalidValueError
from . import lines, parsing
from .edges import write_rows
from .parsing import Collector, Layout
from .stream import Source

__all__ = ["read", "write"]

_PROBLEM = re.compile(rb"p[ \t]+(sp|max|edge|col)[ \t]+([0-9]{1,18})[ \t]+([0-9]{1,18})[ \t\r]*")
_ARCS = ("sp", "max")  # kinds of directed graphs with weights


def read(source: Source, directed: bool | None) -> Matrix:
    """Return the graph of a DIMACS file."""
    with ExitStack() as stack:
        reader: Collector | None = None
        for first, block in source.blocks():
            if reader is None:
                if (at := lines.first(block, lines.DIMACS)) < 0:
                    continue
                kind, n, m = _problem(source, first + block.count(b"\n", 0, at), lines.line_at(block, at))
                layout = Layout(weighted=kind in _ARCS, lead=b"a" if kind in _ARCS else b"e", base=1)
                reader = stack.enter_context(Collector(source, layout, limit=n))
                block = block[:at] + b"c " + block[at + 2 :]  # now a comment
            reader.add(first, block)
        if reader is None:
            source.fail("the line that says how many vertices and arcs there are, 'p sp N M', is missing")
        src, dst, weights = reader.edges()
    if len(src) != m:
        source.fail(f"the file has {len(src)} arcs, but says that there are {m}: it may be cut short")
    directed = kind in _ARCS if directed is None else directed
    return Matrix.from_edges(src, dst, n=source.check_vertices(n), weights=weights, directed=directed)


def _problem(source: Source, number: int, line: bytes) -> tuple[str, int, int]:
    """Return what the problem line says: the kind of graph, and how many vertices and arcs there are."""
    match = _PROBLEM.fullmatch(line.lstrip(b" \t"))
    if not match:
        source.fail(f"the first line must be 'p sp N M', not {parsing.shown(line.strip())}", number)
    return match[1].decode(), int(match[2]), int(match[3])


def write(file: IO[bytes], A: Matrix) -> None:
    """Write a graph as arcs with lengths; those of a pattern are 1."""
    values = A.csr.values
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise InvalidValueError("A must have finite values to be written in the DIMACS format")
    file.write(f"p sp {A.nrows} {A.nvals}\n".encode())
    write_rows(file, A, lead="a ", base=1, weighted=True)
