"""The dialect of a table of edges, told by its first lines: the delimiter, the header, which columns count.

The rules are those that `lagbfs.read` documents. They look at no more than `LINES` lines, so that what a file is does
not depend on how long it is.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from typing import NamedTuple

from . import parsing

__all__ = ["LINES", "PLAIN", "Asked", "Dialect", "is_plain", "quoted", "tell"]

LINES = 20  # that are looked at, comments aside

_SOURCES = frozenset({"source", "src", "from", "fromnodeid", "fromid", "sourceid", "node1", "id1"})
_TARGETS = frozenset({"target", "dst", "to", "tonodeid", "toid", "targetid", "node2", "id2"})
_WEIGHTS = ("weight", "weights", "w")
_NO_WEIGHTS = frozenset({"id", "label", "type", "timeset", "interval", "time", "timestamp", "date", "relation"})
_TYPE = "type"
_DELIMITERS = "\t;,"
_PLAIN = re.compile(rb"[0-9]+[ \t]*[ \t,][ \t]*[0-9]+[0-9., \t\r+-]*")
_QUOTED = re.compile(rb'(?:^|[ \t,;|])"', re.MULTILINE)


class Asked(NamedTuple):
    """What the caller says of a table; None leaves it to the rules."""

    header: bool | None = None
    delimiter: str | None = None


class Dialect(NamedTuple):
    """What a table is like.

    Attributes
    ----------
    delimiter : str
        What is between columns; a space stands for any number of blanks.
    header : bool
        Whether the first line names the columns.
    columns : int
        How many there are.
    source, target : int
        Those of the ends.
    weight, type : int or None
        Those of the weight, and of whether edges are directed, if there are any.
    plain : bool
        Whether it needs nothing more than lines cut at tabs, commas or blanks, so far as it has no quotes.
    """

    delimiter: str
    header: bool
    columns: int
    source: int = 0
    target: int = 1
    weight: int | None = None
    type: int | None = None
    plain: bool = True


PLAIN = Dialect(" ", False, 2)


def is_plain(line: bytes) -> bool:
    """Whether a line has only numbers between delimiters of plain lists: the rules then find no more in those after."""
    return _PLAIN.fullmatch(line) is not None


def quoted(block: bytes) -> bool:
    """Whether a column in some line starts with a quote."""
    return b'"' in block and _QUOTED.search(block) is not None


def tell(sample: Sequence[bytes], asked: Asked) -> Dialect:
    """Return the dialect that the first lines show, comments aside."""
    lines = [line.decode("utf-8", "replace").strip(" \r") for line in sample]
    found = _delimiter(lines)
    delimiter = found if asked.delimiter is None else asked.delimiter
    rows = cut(lines, delimiter) or [[""]]
    header = _is_header(rows) if asked.header is None else asked.header
    dialect = _columns(rows, delimiter) if header else _unnamed(rows, delimiter)
    ends_first = (dialect.source, dialect.target, dialect.type) == (0, 1, None)
    ordinary = ends_first and dialect.weight == (2 if dialect.columns > 2 else None) and delimiter != ";"
    # A delimiter asked for is taken at its word, unless the plain parser would see the same anyway.
    same = asked.delimiter is None or (delimiter == found and all(map(_are_numbers, rows[header:])))
    return dialect._replace(plain=ordinary and same)


def cut(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    """Return the columns of lines, none of them where quotes do not match."""
    lines = [line.replace("\t", " ").strip() for line in lines] if delimiter == " " else lines
    try:
        rows = list(csv.reader(lines, delimiter=delimiter, skipinitialspace=True))
    except csv.Error:
        return []
    return [[cell.strip() for cell in row] for row in rows]


def _delimiter(lines: Sequence[str]) -> str:
    """Return what cuts all lines into equally many columns, two or more; else what cuts the first; else blanks."""
    for delimiter in filter(lines[0].__contains__, _DELIMITERS):
        widths = {len(row) for row in cut(lines, delimiter)}
        if len(widths) == 1 and min(widths) > 1:
            return delimiter
    return next((delimiter for delimiter in "\t," if len((cut(lines[:1], delimiter) or [[]])[0]) > 1), " ")


def _is_header(rows: list[list[str]]) -> bool:
    """Whether the first row names columns: as ends, or, with no number in it, above ends that are whole numbers."""
    head, body = rows[0], rows[1:]
    if len(head) < 2 or any(map(_is_number, head)):
        return False
    names = set(map(_folded, head))
    if names & _SOURCES and names & _TARGETS:
        return True
    return bool(body) and all(map(_are_numbers, body))


def _are_numbers(row: list[str]) -> bool:
    """Whether the first two columns of a row are whole numbers."""
    return len(row) > 1 and all(cell.isascii() and cell.isdecimal() for cell in row[:2])


def _is_number(cell: str) -> bool:
    return parsing.is_number(cell.encode())


def _folded(name: str) -> str:
    return re.sub(r"[ _-]", "", name).lower()


def _unnamed(rows: list[list[str]], delimiter: str) -> Dialect:
    columns = len(rows[0])
    return Dialect(delimiter, False, columns, weight=2 if columns > 2 else None)


def _columns(rows: list[list[str]], delimiter: str) -> Dialect:
    """Return the dialect of a table whose first row names its columns."""
    names = [_folded(name) for name in rows[0]]
    source, target = (next((i for i, name in enumerate(names) if name in ends), -1) for ends in (_SOURCES, _TARGETS))
    if min(source, target) < 0:
        source, target = 0, 1
    weight = next((names.index(name) for name in _WEIGHTS if name in names), None)
    if weight is None and (source, target) == (0, 1) and len(names) > 2 and names[2] not in _NO_WEIGHTS:
        weight = 2 if all(len(row) > 2 and _is_number(row[2]) for row in rows[1:]) else None
    kind = names.index(_TYPE) if _TYPE in names else None
    return Dialect(delimiter, True, len(names), source, target, weight, kind)
