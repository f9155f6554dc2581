"""METIS: undirected graphs, one line of neighbours for each vertex, ``.graph``.

% a comment
3 2 001             vertices, edges; vertex sizes? vertex weights? edge weights?; how many weights a vertex has
2 5 3 7             neighbours of vertex 1, each followed by the weight of the edge; vertices count from 1

Sizes and weights of vertices are read over.
"""

from __future__ import annotations

import re
from typing import IO, Any, NamedTuple

import numpy as np

from ..algebra.matrix import Matrix
from ..errors import InvalidValueError
from . import lines, parsing
from .edges import is_pattern
from .stream import Source

__all__ = ["read", "write"]

_HEADER = re.compile(rb"[ \t]*([0-9]{1,18})[ \t]+([0-9]{1,18})(?:[ \t]+([01]{1,3})(?:[ \t]+([0-9]{1,6}))?)?[ \t\r]*")


class Header(NamedTuple):
    """The first line: vertices, edges, how many numbers about itself a vertex's line starts with, weights."""

    n: int
    m: int
    skip: int
    weighted: bool


def read(source: Source, directed: bool | None) -> Matrix:
    """Return the graph of a METIS file."""
    header: Header | None = None
    parts: list[Any] = []
    counts: list[Any] = []
    numbers: list[Any] = []
    rows = 0  # read so far
    for first, block in source.blocks():
        if header is None:
            if (at := lines.first(block, b"%")) < 0:
                continue
            header = _header(source, first + block.count(b"\n", 0, at), lines.line_at(block, at))
            first, block = _after(first, block, at)
        values, lengths = parsing.rows(source, first, block)
        kept = min(len(lengths), header.n - rows)
        _check_rest(source, header, lengths[kept:])
        parts.append(values)
        counts.append(lengths[:kept])
        numbers.append(_line_numbers(first, block, kept))
        rows += kept
    if header is None:
        source.fail("the line with the numbers of vertices and edges is missing")
    where = np.concatenate(numbers)
    src, dst, weights = _edges(source, header, np.concatenate(parts), np.concatenate(counts), where)
    return _checked(source, header, src, dst, weights, where)


def _after(first: int, block: bytes, at: int) -> tuple[int, bytes]:
    """Return the lines after the one that begins at `at`, and before them the number of the first."""
    at = block.find(b"\n", at) + 1 or len(block)
    return first + block.count(b"\n", 0, at), block[at:]


def _check_rest(source: Source, header: Header, counts: Any) -> None:
    """Refuse neighbours in lines after that of the last vertex; empty ones do no harm, and are not kept."""
    filled = np.flatnonzero(counts)
    if len(filled):
        found = header.n + int(filled[-1]) + 1
        source.fail(f"the file has {found} lines of neighbours for {header.n} vertices")


def _line_numbers(first: int, block: bytes, rows: int) -> Any:
    """Return the numbers of the lines of a block that are not comments."""
    if b"%" not in block or not rows:
        return np.arange(first, first + rows)
    text = np.frombuffer(b"\n" + block, np.uint8)
    begins = np.flatnonzero(text[:-1] == ord("\n")) + 1
    return first + np.flatnonzero(text[begins] != ord("%"))[:rows]


def _header(source: Source, number: int, line: bytes) -> Header:
    """Return what the first line says."""
    match = _HEADER.fullmatch(line)
    if not match:
        source.fail(
            "the first line must be the numbers of vertices and edges, and at most a format of three digits 0 or 1 and "
            f"how many weights a vertex has, not {parsing.shown(line.strip())}",
            number,
        )
    sizes, heavy, weighted = (digit == ord("1") for digit in (match[3] or b"0").rjust(3, b"0"))
    skip = sizes + (int(match[4] or 1) if heavy else 0)
    return Header(int(match[1]), int(match[2]), skip, weighted)


def _edges(source: Source, header: Header, values: Any, counts: Any, where: Any) -> tuple[Any, Any, Any]:
    """Return the ends and weights of the edges in lines of so many values each."""
    if len(counts) < header.n:
        source.fail(f"the file has {len(counts)} lines of neighbours for {header.n} vertices")
    step = 2 if header.weighted else 1
    wrong = np.flatnonzero((counts < header.skip) | ((counts - header.skip) % step != 0))
    if len(wrong):
        v = int(wrong[0])
        source.fail(
            f"the line of vertex {v + 1} has {counts[v]} numbers, which its format does not allow", int(where[v])
        )
    starts = np.cumsum(counts) - counts
    within = np.arange(len(values)) - np.repeat(starts, counts) - header.skip
    owner = np.repeat(np.arange(header.n), counts)
    ends = (within >= 0) & (within % step == 0)
    return owner[ends], values[ends] - 1, values[(within >= 0) & (within % step == 1)] if header.weighted else None


def _checked(source: Source, header: Header, src: Any, dst: Any, weights: Any, where: Any) -> Matrix:
    """Return the graph, if it is one: indices in range, as many edges as it says, each of them in both lines."""
    bad = np.flatnonzero((dst < 0) | (dst >= header.n) | (dst == src))
    if len(bad):
        u, v = int(src[bad[0]]), int(dst[bad[0]])
        message = f"vertex {u + 1} has the neighbour {v + 1}, which must be another of the vertices 1 … {header.n}"
        source.fail(message, int(where[u]))
    if len(src) != 2 * header.m:
        source.fail(
            f"the file has {len(src)} neighbours, but says that there are {header.m} edges, seen from both ends"
        )
    A = Matrix.from_edges(src, dst, n=header.n, weights=weights)
    if A.nvals != len(src):
        source.fail("a vertex has the same neighbour twice")
    if not A.is_symmetric:
        source.fail("an edge is in the line of one of its ends only, or with another weight in the other's")
    return A


def write(file: IO[bytes], A: Matrix) -> None:
    """Write an undirected graph without loops; weights must be whole and positive."""
    csr = A.csr
    if not A.is_symmetric or (csr.rows() == csr.indices).any():
        raise InvalidValueError("A must be symmetric and without loops to be written in the METIS format")
    weighted = not is_pattern(A)
    if weighted and (A.dtype.kind not in "iu" or (csr.values < 1).any()):
        raise InvalidValueError(
            f"A must have positive integers as values to be written in the METIS format, not {A.dtype}"
        )
    file.write(f"{A.nrows} {A.nvals // 2}{' 001' if weighted else ''}\n".encode())
    values = csr.all_values()
    for v in range(A.nrows):
        row = slice(csr.indptr[v], csr.indptr[v + 1])
        columns = [csr.indices[row].astype(np.int64) + 1, *([values[row]] if weighted else [])]
        file.write(b"%s\n" % " ".join(map(str, np.stack(columns, 1).ravel().tolist())).encode())
