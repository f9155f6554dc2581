"""Edge lists: one edge a line, ``source target [weight]``, between blanks or commas; other tables are a `Sheet`'s.

Ids that are whole numbers are the vertices as they stand, 0 … the largest. Others are names, and become labels in
the order in which they come. What a file says about itself in comments is heeded:

# Undirected graph: …              SNAP
# Nodes: 5 Edges: 7                SNAP; there are at least so many vertices
% sym unweighted                   KONECT: sym and bip are undirected, asym is directed; the two sides of a bip are
% 7 5 5                            numbered apart, and the right one comes after the left; edges, vertices
# lagbfs: undirected nodes 5 edges 7 [labels]      ours; if it has the last word, a line for each label follows
#: name
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain, islice
from typing import IO, Any

import numpy as np

from ..algebra.matrix import Matrix
from ..errors import InvalidValueError
from . import lines, parsing
from .dialect import LINES, PLAIN, Asked, Dialect, is_plain, quoted, tell
from .parsing import BadLineError, Collector, Edges, Layout
from .sheet import CONTROL, Names, Sheet
from .stream import Source

__all__ = [
    "Header",
    "plain_layout",
    "read",
    "read_labels",
    "write",
    "write_el",
    "write_labels",
    "write_rows",
    "write_wel",
]

_NODES = re.compile(rb"^[#%][ \t]*nodes:[ \t]*([0-9]{1,18})\b", re.IGNORECASE | re.MULTILINE)
_OURS = re.compile(
    rb"^# lagbfs: (un)?directed nodes ([0-9]{1,18}) edges ([0-9]{1,18})( labels)?[ \t\r]*$", re.MULTILINE
)
_LABEL = re.compile(rb"^#: (.*?)\r?$", re.MULTILINE)
_KONECT = re.compile(rb"^%[ \t]*(sym|asym|bip)\b", re.MULTILINE)
_SIZES = re.compile(rb"^%[ \t]*([0-9]{1,18})[ \t]+([0-9]{1,18})[ \t]+([0-9]{1,18})[ \t\r]*$", re.MULTILINE)
_SNAP = re.compile(rb"^#[ \t]*undirected graph", re.IGNORECASE | re.MULTILINE)
_TWICE = "the file gives one label to two vertices"
_CHUNK = 1 << 18
_HEAD = 1 << 16  # bytes that the dialect is told by


@dataclass(slots=True)
class Header:
    """What the comments of a file say."""

    directed: bool = True
    bipartite: bool = False
    nodes: int = 0  # at least so many vertices, 0 if not said
    sides: tuple[int, int] = (0, 0)  # the same for the two sides of a bipartite graph
    edges: int | None = None  # exactly so many lines, if said
    labels: list[str] | None = None
    known: bool = False  # whether anything was said of how many there are

    def heed(self, block: bytes) -> None:
        """Take in the comments of a block of lines."""
        if b"#" not in block and b"%" not in block:
            return
        lower = block.lower()  # a word is looked for before a pattern, which takes much longer to search for
        for match in _NODES.finditer(block) if b"nodes:" in lower else ():
            self.nodes, self.known = max(self.nodes, int(match[1])), True
        if b"undirected graph" in lower and _SNAP.search(block):
            self.directed = False
        if (b"sym" in block or b"bip" in block) and (kind := _KONECT.search(block)):
            self.directed, self.bipartite = kind[1] == b"asym", kind[1] == b"bip"
            if sizes := _SIZES.search(block):
                self.sides = int(sizes[2]) + 1, int(sizes[3]) + 1  # KONECT counts from 1
                self.nodes, self.known = max(self.sides), True
        if b"# lagbfs:" in block and (ours := _OURS.search(block)):
            self.directed, self.nodes, self.edges, self.known = not ours[1], int(ours[2]), int(ours[3]), True
            self.labels = [] if ours[4] else None
        if self.labels is not None:
            self.labels += [name.decode("utf-8", "replace") for name in _LABEL.findall(block)]


def read(source: Source, directed: bool | None, header: bool | None, delimiter: str | None) -> Matrix:
    """Return the graph of a list of edges."""
    return _read(source, directed, Asked(header, delimiter), named=None)


def read_labels(source: Source, directed: bool | None, header: bool | None, delimiter: str | None) -> Matrix:
    """Return the graph of a list of edges whose ids are names, whatever they look like."""
    return _read(source, directed, Asked(header, delimiter), named=True)


def _read(source: Source, directed: bool | None, asked: Asked, named: bool | None) -> Matrix:
    header = Header()
    blocks = _heeded(source, header)
    first, block = _opening(blocks)
    dialect = _dialect(block, header, asked)
    blocks = chain([(first, block)], blocks)
    if dialect.plain:
        edges, labels = _read_plain(source, blocks, dialect, header, named)
    else:
        sheet = Sheet(source, dialect, named)
        edges, labels = sheet.read(blocks), sheet.labels
        if sheet.mixed and directed is None:
            source.fail("the column 'Type' has both directed and undirected edges: say which they are by directed=")
        header.directed = header.directed if sheet.directed is None else sheet.directed
    _check(source, header, edges)
    directed = header.directed if directed is None else directed
    if labels is not None:
        return _labelled(source, edges, labels, header, directed)
    return _numbered(source, edges, header, directed)


def _heeded(source: Source, header: Header) -> Iterator[tuple[int, bytes]]:
    """Yield the blocks of lines, once their comments are taken in."""
    for first, block in source.blocks():
        header.heed(block)
        yield first, block


def _opening(blocks: Iterator[tuple[int, bytes]]) -> tuple[int, bytes]:
    """Return the first block with edges in it, and more if it takes them to tell the dialect; before it, its line."""
    for first, block in blocks:
        if (at := lines.first(block)) < 0:
            continue
        while not _is_enough(block, at) and (more := next(blocks, None)) is not None:
            block += more[1]
        return first, block
    return 1, b""


def _is_enough(block: bytes, at: int) -> bool:
    """Whether what follows `at` tells the dialect."""
    if len(block) - at >= _HEAD:
        return True
    return block.count(b"\n", at) > LINES and len(lines.starts(block[at:])) > LINES


def _dialect(block: bytes, header: Header, asked: Asked) -> Dialect:
    """Return the dialect of the lines of a block; what `write` wrote is plain, whatever its labels look like."""
    if (at := lines.first(block)) < 0 or header.edges is not None:
        return PLAIN._replace(header=bool(asked.header))
    if asked == Asked() and is_plain(lines.line_at(block, at)) and not quoted(block[at:]):
        return PLAIN
    end = len(block) if len(block) - at <= _HEAD else block.rfind(b"\n", at, at + _HEAD) + 1
    sample = [line for _, line in islice(lines.said(block[at:end]), LINES)] if end else [lines.line_at(block, at)]
    dialect = tell(sample, asked)
    body = at + len(sample[0]) if dialect.header else at
    return dialect._replace(plain=dialect.plain and not quoted(block[body:]))


def _read_plain(
    source: Source, blocks: Iterator[tuple[int, bytes]], dialect: Dialect, header: Header, named: bool | None
) -> tuple[Edges, list[str] | None]:
    """Return the edges of a list without quotes, whose first columns are ends and weight; and labels, if any."""
    unnamed = not dialect.header
    with ExitStack() as stack:
        reader: Collector | Table | None = None
        for first, block in blocks:
            if not unnamed and (at := lines.first(block)) >= 0:
                unnamed, block = True, block[:at] + b"#" + block[at + 1 :]  # the header is now a comment
            if reader is None and (at := lines.first(block)) >= 0:
                line = lines.line_at(block, at).strip(b" \t\r")
                named = header.labels is not None or (_is_named(line) if named is None else named)
                reader = Table(source, line, header.labels) if named else Collector(source, _layout(line))
                stack.enter_context(reader)
            if reader is not None:
                reader.add(first, block)
        edges = parsing.join([]) if reader is None else reader.edges()
    return edges, reader.labels if isinstance(reader, Table) else header.labels


def plain_layout(head: bytes) -> Layout | None:
    """Return what the lines of a list look like, by its beginning; None if they are more than numbers."""
    header, at = Header(), lines.first(head)
    header.heed(head)
    if at < 0 or header.bipartite or header.labels is not None:
        return None
    dialect, line = _dialect(head, header, Asked()), lines.line_at(head, at).strip(b" \t\r")
    if not dialect.plain or dialect.header or _is_named(line):
        return None
    return _layout(line)


def _layout(line: bytes) -> Layout:
    """Return what the lines of a plain list look like, by the first."""
    weighted = len(parsing.fields(line)) > 2
    return Layout(weighted=weighted, more=weighted)


def _is_named(line: bytes) -> bool:
    """Whether the ids of a line are names."""
    return any(map(parsing.is_name, parsing.fields(line)[:2]))


def _check(source: Source, header: Header, edges: Edges) -> None:
    if not header.known and not len(edges.src):
        source.fail("the file has no edges, and no comment that says how many vertices there are")
    if header.edges is not None and header.edges != len(edges.src):
        source.fail(f"the file has {len(edges.src)} edges, but says that there are {header.edges}: it may be cut short")


def _numbered(source: Source, edges: Edges, header: Header, directed: bool) -> Matrix:
    src, dst, weights = edges
    left, right = (int(ends.max(initial=-1)) + 1 for ends in (src, dst))
    n = max(left, right, header.nodes)
    if header.bipartite:
        left, right = max(left, header.sides[0]), max(right, header.sides[1])
        n = left + right
        dst = dst.astype(np.int64) + left
    if header.edges is not None and n > header.nodes:
        source.fail(f"the file has a vertex {n - 1}, but says that there are {header.nodes} vertices")
    return Matrix.from_edges(src, dst, n=source.check_vertices(n), weights=weights, directed=directed)


def _labelled(source: Source, edges: Edges, labels: list[str], header: Header, directed: bool) -> Matrix:
    if header.labels is not None and len(labels) != header.nodes:
        source.fail(f"the file has {len(labels)} different labels, but says that there are {header.nodes}")
    if len(set(labels)) < len(labels):
        source.fail(_TWICE)
    return Matrix.from_edges(edges.src, edges.dst, weights=edges.weights, directed=directed, labels=labels)


class Table:
    """Edges between names, which are numbered as they come.

    How columns are separated is told by the first line: by tabs, by commas or by blanks, in this order, so that
    names in a table of tabs or commas may have blanks in them.
    """

    def __init__(self, source: Source, line: bytes, labels: list[str] | None) -> None:
        self._source = source
        self._parts: list[Edges] = []
        self.separator = "\t" if b"\t" in line else "," if b"," in line else None
        columns = self._fields(line.decode("utf-8", "replace"))
        self.columns = len(columns)
        self._ours = labels is not None  # written by `write`, in which quotes are letters
        self._names = Names(labels or [])
        if len(self._names.number) < len(labels or []):
            source.fail(_TWICE)

    @property
    def labels(self) -> list[str]:
        """The names, by number."""
        return list(self._names.number)

    def __enter__(self) -> Table:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def edges(self) -> Edges:
        """Return all edges as one."""
        return parsing.join(self._parts)

    def add(self, first: int, block: bytes) -> None:
        """Read the next block, of which `first` is the number of the first line."""
        ends: list[int] = []
        weights: list[int | float] = []
        for at, line in lines.said(block):
            try:
                self._add(line.strip(b" \t\r"), ends, weights)
            except BadLineError as error:
                self._source.fail(str(error), first + block.count(b"\n", 0, at))
        pairs = np.array(ends, np.int32).reshape(-1, 2)
        values = np.array(weights, None if weights else np.int64) if self.columns > 2 else None
        self._parts.append(Edges(pairs[:, 0].copy(), pairs[:, 1].copy(), values))

    def _fields(self, line: str) -> list[str]:
        return [name.strip() for name in line.split(self.separator)]

    def _add(self, line: bytes, ends: list[int], weights: list[int | float]) -> None:
        try:
            columns = self._fields(line.decode())
        except UnicodeDecodeError:
            raise BadLineError(f"names must be text in UTF-8: {parsing.shown(line)}") from None
        if not self._ours and quoted(line):
            gap = self.separator or " "
            raise BadLineError(f"the first column in quotes comes only here: read with delimiter={gap!r} to allow them")
        least = min(self.columns, 3)
        if least < 2 or len(columns) < least or (self.columns == 2 and len(columns) > 2):
            raise BadLineError(f"{max(least, 2)} columns were expected, not {len(columns)}: {parsing.shown(line)}")
        ends += map(self._names, columns[:2])
        if self.columns > 2:
            weights.append(parsing.number(columns[2].encode()))


def write_labels(file: IO[bytes], A: Matrix) -> None:
    """Write a graph as edges between names, which are the numbers of the vertices if they have no labels."""
    write(file, A, list(map(str, range(A.nrows))) if A.labels is None else None)


def write(file: IO[bytes], A: Matrix, names: list[str] | None = None) -> None:
    """Write a graph as edges, an undirected one each of them once, with a comment that says so."""
    once = A.is_symmetric
    keep = A.csr.rows() <= A.csr.indices if once else None
    count = A.nvals if keep is None else int(keep.sum())
    names = names if A.labels is None else _names(A)
    kind = "undirected" if once else "directed"
    file.write(f"# lagbfs: {kind} nodes {A.nrows} edges {count}{'' if names is None else ' labels'}\n".encode())
    for name in names or ():
        file.write(b"#: " + name.encode() + b"\n")
    write_rows(file, A, keep=keep, names=names)


def write_el(file: IO[bytes], A: Matrix) -> None:
    """Write the pattern of a graph as the GAP benchmark suite reads it."""
    _write_gap(file, A, weighted=False)


def write_wel(file: IO[bytes], A: Matrix) -> None:
    """Write a graph with its values as the GAP benchmark suite reads it; those of a pattern are 1."""
    _write_gap(file, A, weighted=True)


def _write_gap(file: IO[bytes], A: Matrix, *, weighted: bool) -> None:
    """Write all entries; what a comment has to say comes last, because there the suite stops reading."""
    write_rows(file, A, weighted=weighted)
    seen = max(int(A.csr.rows().max(initial=-1)), int(A.csr.indices.max(initial=-1))) + 1
    if seen < A.nrows or not A.nvals:
        file.write(f"# nodes: {A.nrows}\n".encode())


def write_rows(
    file: IO[bytes],
    A: Matrix,
    *,
    keep: Any = None,
    names: list[str] | None = None,
    lead: str = "",
    base: int = 0,
    weighted: bool | None = None,
) -> None:
    """Write the entries of a matrix, one a line, with their values if `weighted`: by default unless a pattern."""
    weighted = not is_pattern(A) if weighted is None else weighted
    rows, cols, values = A.csr.rows(), A.csr.indices, A.csr.all_values()
    if keep is not None:
        rows, cols, values = rows[keep], cols[keep], values[keep]
    gap = " " if names is None else "\t"
    pair = "%d" if names is None else "%s"
    form = f"{lead}{pair}{gap}{pair}{gap + number_form(values) if weighted else ''}\n"
    for at in range(0, len(rows), _CHUNK):
        piece = slice(at, at + _CHUNK)
        ends = [(ends[piece].astype(np.int64) + base).tolist() for ends in (rows, cols)]
        columns: list[Any] = ends if names is None else [[names[v] for v in column] for column in ends]
        if weighted:
            columns.append(values[piece].tolist())
        flat = tuple(value for line in zip(*columns, strict=True) for value in line)
        file.write((form * len(ends[0]) % flat).encode())


def is_pattern(A: Matrix) -> bool:
    """Whether the values of a matrix say nothing beyond that the entries are there."""
    return A.is_iso and A.dtype == np.bool_


def number_form(values: Any) -> str:
    """Return how values are written: whole numbers as such, floats with as many digits as it takes."""
    return "%r" if values.dtype.kind == "f" else "%d"


def _names(A: Matrix) -> list[str]:
    """Return the labels as text that `Table` reads as the same."""
    names = [str(label) for label in A.labels or ()]
    for name in names:
        if not name or name != name.strip() or CONTROL.search(name) or name.startswith(("#", "%", "//")):
            raise InvalidValueError(
                f"A has the label {name!r}, which a list of edges cannot keep: it must not be empty, have blanks "
                "around it or control characters in it, or start with # % or //; write .npz instead"
            )
    if len(set(names)) < len(names):
        raise InvalidValueError("A has labels that are different but are written alike, such as 1 and '1'")
    return names
