"""Edge lists: one edge a line, ``source target [weight]``, between blanks or commas.

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
from contextlib import ExitStack
from dataclasses import dataclass
from typing import IO, Any

import numpy as np

from ..algebra.matrix import Matrix
from ..errors import InvalidValueError
from . import lines, parsing
from .parsing import BadLineError, Collector, Edges, Layout
from .stream import Source

__all__ = ["read", "read_labels", "write", "write_el", "write_labels", "write_rows", "write_wel"]

_NODES = re.compile(rb"^[#%][ \t]*nodes:[ \t]*([0-9]{1,18})\b", re.IGNORECASE | re.MULTILINE)
_OURS = re.compile(
    rb"^# lagbfs: (un)?directed nodes ([0-9]{1,18}) edges ([0-9]{1,18})( labels)?[ \t\r]*$", re.MULTILINE
)
_LABEL = re.compile(rb"^#: (.*?)\r?$", re.MULTILINE)
_KONECT = re.compile(rb"^%[ \t]*(sym|asym|bip)\b", re.MULTILINE)
_SIZES = re.compile(rb"^%[ \t]*([0-9]{1,18})[ \t]+([0-9]{1,18})[ \t]+([0-9]{1,18})[ \t\r]*$", re.MULTILINE)
_SNAP = re.compile(rb"^#[ \t]*undirected graph", re.IGNORECASE | re.MULTILINE)
# Names of columns in the first line of a table.
_NAMES = frozenset(b"source target src dst from to fromnodeid tonodeid node1 node2 id1 id2".split())
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_TWICE = "the file gives one label to two vertices"
_CHUNK = 1 << 18


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


def read(source: Source, directed: bool | None) -> Matrix:
    """Return the graph of a list of edges."""
    return _read(source, directed, named=None)


def read_labels(source: Source, directed: bool | None) -> Matrix:
    """Return the graph of a list of edges whose ids are names, whatever they look like."""
    return _read(source, directed, named=True)


def _read(source: Source, directed: bool | None, named: bool | None) -> Matrix:
    header = Header()
    with ExitStack() as stack:
        reader: Collector | Table | None = None
        for first, block in source.blocks():
            header.heed(block)
            if reader is None and header.edges is None:
                block = _without_names(block)
            if reader is None and (at := lines.first(block)) >= 0:
                line = lines.line_at(block, at).strip(b" \t\r")
                named = header.labels is not None or (_is_named(line) if named is None else named)
                weighted = len(parsing.fields(line)) > 2
                layout = Layout(weighted=weighted, more=weighted)
                reader = Table(source, line, header.labels) if named else Collector(source, layout)
                stack.enter_context(reader)
            if reader is not None:
                reader.add(first, block)
        edges = parsing.join([]) if reader is None else reader.edges()
    _check(source, header, edges)
    directed = header.directed if directed is None else directed
    labels = reader.labels if isinstance(reader, Table) else header.labels
    if labels is not None:
        return _labelled(source, edges, labels, header, directed)
    return _numbered(source, edges, header, directed)


def _without_names(block: bytes) -> bytes:
    """Return the block with a first line that names the columns, as tables have it, made a comment."""
    if (at := lines.first(block)) < 0:
        return block
    line = lines.line_at(block, at).strip(b" \t\r")
    names = [name.lower().replace(b"_", b"") for name in parsing.fields(line)[:2]]
    return block[:at] + b"#" + block[at + 1 :] if len(names) == 2 and _NAMES.issuperset(names) else block


def _is_named(line: bytes) -> bool:
    """Whether the ids of a line are names: neither numbers nor anything that only a damaged file would have."""
    ids = parsing.fields(line)[:2]
    return any(re.match(rb"[^\x00-\x1f0-9+.,-]", token) for token in ids)


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
        self.number = {name: i for i, name in enumerate(labels or [])}
        if len(self.number) < len(labels or []):
            source.fail(_TWICE)

    @property
    def labels(self) -> list[str]:
        """The names, by number."""
        return list(self.number)

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
        least = min(self.columns, 3)
        if least < 2 or len(columns) < least or (self.columns == 2 and len(columns) > 2):
            raise BadLineError(f"{max(least, 2)} columns were expected, not {len(columns)}: {parsing.shown(line)}")
        for name in columns[:2]:
            if not name or _CONTROL.search(name):
                raise BadLineError(f"a vertex must have a name, of letters that can be seen: {parsing.shown(line)}")
            ends.append(self.number.setdefault(name, len(self.number)))
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
        if not name or name != name.strip() or _CONTROL.search(name) or name.startswith(("#", "%", "//")):
            raise InvalidValueError(
                f"A has the label {name!r}, which a list of edges cannot keep: it must not be empty, have blanks "
                "around it or control characters in it, or start with # % or //; write .npz instead"
            )
    if len(set(names)) < len(names):
        raise InvalidValueError("A has labels that are different but are written alike, such as 1 and '1'")
    return names
