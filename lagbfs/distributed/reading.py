"""Files read by ranges of bytes: each rank parses the lines that begin in its range.

That takes lists of edges between numbers and Matrix Market files of coordinates, not compressed; what else there is,
rank 0 reads as a whole.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from os import PathLike
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ..algebra.matrix import Matrix
from ..backends.partitioned.ranks import Ranks
from ..errors import FileFormatError
from ..io import market, opened, read
from ..io.edges import Header, plain_layout
from ..io.parsing import Collector, Layout
from ..io.parsing import Edges as Parsed
from ..io.stream import BLOCK, Source
from ..operators import binary
from .agreeing import together
from .building import Edges
from .dealing import slice_of

__all__ = ["Share", "read_share", "whole"]

_HEAD = 1 << 17  # bytes that tell what a list of edges is like
_TRUE = np.array(True)


class Share(NamedTuple):
    """A rank's share of the edges in a file, and what becomes of parallel ones."""

    edges: Edges
    dup_op: Any


class Plan(NamedTuple):
    """What rank 0 knows of a file by its beginning: its lines, where they begin, and what a Matrix Market file says."""

    layout: Layout
    begin: int
    market: market.Header | None


def whole(ranks: Ranks, path: str | PathLike[str], options: dict[str, Any]) -> Matrix | None:
    """Return the graph in a file on rank 0; all raise what is wrong with it."""
    with ranks.about(f"reading {os.fspath(path)} on rank 0"):
        return together(ranks, lambda: read(path, **options) if ranks.rank == 0 else None)


def read_share(ranks: Ranks, path: str | PathLike[str], options: dict[str, Any]) -> Share | None:
    """Return this rank's share of the edges in a file, None if it is not one to be read by ranges."""
    with ranks.about(f"reading {os.fspath(path)}"):
        plan = ranks.bcast(together(ranks, lambda: _plan(path, options) if ranks.rank == 0 else None, f"read {path}"))
        if plan is None:
            return None
        header = Header()
        parsed = together(ranks, lambda: _parsed(ranks, path, options.get("max_vertices"), plan, header))
        parsed = parsed._replace(weights=_alike(ranks, parsed.weights))
        found = _said(ranks, header, parsed)
        stated = plan.market
        if stated is None:
            return together(ranks, lambda: _list(path, options, parsed, found))
        return together(ranks, lambda: _market(path, options.get("directed"), stated, parsed, found))


def _plan(path: str | PathLike[str], options: dict[str, Any]) -> Plan | None:
    """Return how to read a file by ranges, None if it cannot be."""
    with opened(path, **{**options, "progress": None}) as (source, format_):
        if source.compressed or not os.path.isfile(source.path) or source.marked:
            return None
        if format_ == "mtx":
            header = market.header_of(source)
            return Plan(market.layout_of(header), header.at, header) if _is_plain(header, options) else None
        plain = format_ in ("edges", "el", "wel") and (options.get("header"), options.get("delimiter")) == (None, None)
        layout = plain_layout(source.peek(_HEAD)) if plain else None
        return None if layout is None else Plan(layout, 0, None)


def _is_plain(header: market.Header, options: dict[str, Any]) -> bool:
    """Whether each entry of a Matrix Market file is an edge by itself, or one both ways."""
    directed, pattern = options.get("directed"), header.field == "pattern"
    if not header.coordinate or header.field == "complex" or header.shape[0] != header.shape[1]:
        return False
    if header.symmetry == "general":
        return directed is not False or pattern  # else values are added up before there are two ways
    return header.symmetry == "symmetric" and not directed


class _Range(Source):
    """The lines of a file that begin within a range of bytes."""

    def __init__(self, path: Any, begin: int, end: int, max_vertices: int | None) -> None:
        super().__init__(path, None, max_vertices)
        self._begin, self._end = begin, end
        self.taken = self.size  # how many vertices there may be follows from the whole file

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Yield blocks of whole lines, each with the number of its first line in the file."""
        self._raw.seek(max(self._begin - 1, 0))
        if self._begin:
            self._raw.readline()  # the line that the byte before belongs to is of the range before
        begin, line = self._raw.tell(), 1
        while (left := self._end - self._raw.tell()) > 0 and (block := self._raw.read(min(left, BLOCK))):
            block += b"" if block.endswith(b"\n") else self._raw.readline()
            if b"\0" in block:
                self.fail("the file holds binary data, not text")
            yield line, block
            line += block.count(b"\n")
        self._begin = begin

    def fail(self, message: str, line: int | None = None) -> NoReturn:
        """Raise the error of a malformed file, its line counted from the beginning of the file."""
        super().fail(message, None if line is None else line + self._lines_before())

    def _lines_before(self) -> int:
        """Return how many lines begin before the first of the range."""
        with open(self.path, "rb") as file:
            before, left = 0, self._begin - (self._begin > 0)
            while left > 0 and (block := file.read(min(left, BLOCK))):
                before, left = before + block.count(b"\n"), left - len(block)
        return before + (self._begin > 0)


def _parsed(ranks: Ranks, path: str | PathLike[str], most: int | None, plan: Plan, header: Header) -> Parsed:
    """Return the edges in this rank's range, and take in what its comments say."""
    limit = None if plan.market is None else plan.market.shape[0]
    size = os.stat(path).st_size - plan.begin
    begin, end = (plan.begin + at for at in slice_of(size, ranks.rank, ranks.size))
    with _Range(path, begin, end, most) as source, Collector(source, plan.layout, limit=limit) as reader:
        for first, block in source.blocks():
            header.heed(block)
            reader.add(first, block)
        parsed = reader.edges()
    weights = np.zeros(0, np.int64) if plan.layout.weighted and parsed.weights is None else parsed.weights
    return parsed._replace(weights=weights)


def _alike(ranks: Ranks, weights: Any) -> Any:
    """Return weights as integers if they are on all ranks, else as floats."""
    if weights is None:
        return None
    whole = bool(ranks.allreduce(np.array([weights.dtype.kind != "f"]).astype(np.int64), "min")[0])
    return weights if whole else weights.astype(np.float64)


class Said(NamedTuple):
    """What all ranks together know of a file.

    `ends` is the largest vertex and one, `nodes` how many the comments say; `edges` how many there are, `expected` how
    many the comments say, -1 if they do not. `above` and `below` tell whether there are entries of each triangle.
    """

    ends: int
    nodes: int
    expected: int
    both_ways: int
    other: int
    above: int
    below: int
    edges: int


def _said(ranks: Ranks, header: Header, parsed: Parsed) -> Said:
    ends = [int(end.max(initial=-1)) + 1 for end in (parsed.src, parsed.dst)]
    other = header.bipartite or header.labels is not None
    triangles = [bool((parsed.src < parsed.dst).any()), bool((parsed.src > parsed.dst).any())]
    expected = -1 if header.edges is None else header.edges
    mine = [max(ends), header.nodes, expected, not header.directed, other, *triangles]
    most = ranks.allreduce(np.array(mine, np.int64), "max").tolist()
    return Said._make([*most, int(ranks.allreduce(np.array([len(parsed.src)]))[0])])


def _list(path: str | PathLike[str], options: dict[str, Any], parsed: Parsed, said: Said) -> Share | None:
    """Return the edges of a list as they are meant; None if comments say what takes the whole file to understand."""
    if said.other:
        return None
    name, n = os.fspath(path), max(said.ends, said.nodes)
    if not said.edges and not said.nodes:
        raise FileFormatError(name, "the file has no edges, and no comment that says how many vertices there are")
    if said.expected not in (-1, said.edges):
        cut = f"the file has {said.edges} edges, but says that there are {said.expected}: it may be cut short"
        raise FileFormatError(name, cut)
    with Source(path, None, options.get("max_vertices")) as source:
        source.taken = source.size
        source.check_vertices(n)
    directed = options.get("directed")
    values = _TRUE if parsed.weights is None else parsed.weights
    both = bool(said.both_ways) if directed is None else not directed
    return Share(Edges(parsed.src, parsed.dst, values, n, directed=not both, drop_loops=False), binary.min)


def _market(
    path: str | PathLike[str], directed: bool | None, header: market.Header, parsed: Parsed, said: Said
) -> Share | None:
    """Return the entries of a Matrix Market file; None if those of two triangles are to be compared."""
    if said.edges != header.entries:
        cut = f"the file has {said.edges} entries, but says that there are {header.entries}: it may be cut short"
        raise FileFormatError(os.fspath(path), cut)
    symmetric, pattern = header.symmetry == "symmetric", header.field == "pattern"
    if symmetric and not pattern and said.above and said.below:
        return None
    values = _TRUE if parsed.weights is None else market.values_of(header, parsed.weights)
    both = symmetric or directed is False
    edges = Edges(parsed.src, parsed.dst, values, header.shape[0], directed=not both, drop_loops=False)
    return Share(edges, binary.any if pattern else binary.plus)
