"""Tables of edges in any dialect of CSV, read row by row: quotes, any delimiter, columns in any order.

It is slower than the parser of plain lists, to which tables are left that need none of this.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

import numpy as np

from . import lines, parsing
from .dialect import Dialect
from .parsing import BadLineError, Edges
from .stream import Source

__all__ = ["CONTROL", "Names", "Sheet"]

CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_KINDS = {"directed": True, "undirected": False}


class Names:
    """Names of vertices, numbered as they come."""

    def __init__(self, labels: list[str]) -> None:
        self.number = {name: i for i, name in enumerate(labels)}

    def __call__(self, name: str) -> int:
        """Return the number of a name."""
        if not name or CONTROL.search(name):
            raise BadLineError(f"a vertex must have a name, of letters that can be seen, not {name[:40]!r}")
        return self.number.setdefault(name, len(self.number))


class Sheet:
    """The edges of a table.

    Parameters
    ----------
    source : Source
        The file, for messages and limits.
    dialect : Dialect
        What the table is like.
    named : bool, optional
        Whether the ends are names; by default as those of the first edge show.
    """

    def __init__(self, source: Source, dialect: Dialect, named: bool | None) -> None:
        self._source, self._dialect, self._named = source, dialect, named
        self._names = Names([])
        self._kinds: set[bool | None] = set()
        self._where = 1, b"", 0  # of the line read last: the block's first line, the block, where it begins there

    @property
    def labels(self) -> list[str] | None:
        """The names, by number; None if ends are numbers."""
        return list(self._names.number) if self._named else None

    @property
    def directed(self) -> bool | None:
        """What the column of types says of all edges; None if nothing."""
        return next(iter(self._kinds)) if len(self._kinds) == 1 else None

    @property
    def mixed(self) -> bool:
        """Whether it says that some edges are directed and others not."""
        return self._kinds == {True, False}

    def read(self, blocks: Iterator[tuple[int, bytes]]) -> Edges:
        """Return the edges of all blocks of lines."""
        ends: list[int] = []
        weights: list[int | float] = []
        try:
            for row in self._rows(blocks):
                self._add(row, ends, weights)
        except (BadLineError, csv.Error) as error:
            first, block, at = self._where
            self._source.fail(str(error), first + block.count(b"\n", 0, at))
        pairs = np.array(ends, np.int64).reshape(-1, 2)
        values = None if self._dialect.weight is None else np.array(weights, None if weights else np.int64)
        return Edges(pairs[:, 0].copy(), pairs[:, 1].copy(), values)

    def _rows(self, blocks: Iterator[tuple[int, bytes]]) -> Iterator[list[str]]:
        """Yield the columns of each row after the header."""
        delimiter = self._dialect.delimiter
        rows = csv.reader(self._lines(blocks), delimiter=delimiter, skipinitialspace=True, strict=True)
        if self._dialect.header:
            next(rows, None)
        for row in rows:
            yield [cell.strip() for cell in row]

    def _lines(self, blocks: Iterator[tuple[int, bytes]]) -> Iterator[str]:
        blanks = self._dialect.delimiter == " "
        for first, block in blocks:
            for at, line in lines.said(block):
                self._where = first, block, at
                try:
                    text = line.decode()
                except UnicodeDecodeError:
                    raise BadLineError(f"names must be text in UTF-8: {parsing.shown(line)}") from None
                yield (" ".join(text.split()) if blanks else text.strip(" \r")) + "\n"

    def _add(self, row: list[str], ends: list[int], weights: list[int | float]) -> None:
        columns = self._dialect
        if len(row) != columns.columns or len(row) < 2:
            raise BadLineError(f"{max(columns.columns, 2)} columns were expected, not {len(row)}: {row[:3]}")
        pair = row[columns.source], row[columns.target]
        if self._named is None:
            self._named = any(parsing.is_name(name.encode()) for name in pair)
        ends += map(self._names, pair) if self._named else map(self._index, pair)
        if columns.weight is not None:
            weights.append(parsing.number(row[columns.weight].encode()))
        if columns.type is not None:
            self._kinds.add(_KINDS.get(row[columns.type].lower()))

    def _index(self, name: str) -> int:
        return parsing.index(name.encode(), 0, self._source.limit())
