"""Text to numbers: the lines of edge lists, and rows of integers.

What a line may be is defined here by `_edge` and `_row`, plain Python that reads one line and raises on a bad one.
Blocks of ordinary lines are read at once by the host routines, which stop where a line is not ordinary and leave it to
that definition.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from .. import host
from . import lines
from .stream import Source, too_many

__all__ = [
    "Collector",
    "Edges",
    "Layout",
    "each",
    "edges",
    "fields",
    "index",
    "is_comment",
    "is_name",
    "is_number",
    "join",
    "number",
    "rows",
]

_SEPARATOR = re.compile(rb"[ \t]*,[ \t]*|[ \t]+")
_INTEGER = re.compile(rb"[0-9]+")
_NUMBER = re.compile(rb"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eEdD][+-]?[0-9]+)?|[+-]?(?i:inf|infinity|nan)")
_DIGITS = 19  # whole numbers of more digits, even zeros before them, are floats
_FORTRAN = bytes.maketrans(b"dD", b"ee")

_INT64 = np.iinfo(np.int64)
_WORKERS = 2

T = TypeVar("T")


class BadLineError(Exception):
    """A line is not what it should be; the message says how."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What the lines of a file of edges look like.

    Attributes
    ----------
    weighted : bool
        Whether there is a third column, of weights.
    whole : bool
        Whether they must be integers.
    imaginary : bool
        Whether there is a fourth, of the imaginary parts of complex weights, whose real parts are kept.
    more : bool
        Whether further columns may follow; they are ignored.
    lead : bytes
        What each line starts with, empty or one character. With it comments start with the word c, and lines that say
        something of a node with n; without it comments start with # % or //.
    base : int
        The least index, 0 or 1.
    """

    weighted: bool = False
    whole: bool = False
    imaginary: bool = False
    more: bool = False
    lead: bytes = b""
    base: int = 0

    @property
    def columns(self) -> int:
        """How many columns there are at least."""
        return 2 + self.weighted + self.imaginary


class Edges(NamedTuple):
    """Edges read; indices count from 0, whole weights are integers."""

    src: NDArray[Any]
    dst: NDArray[Any]
    weights: NDArray[Any] | None


def fields(line: bytes) -> list[bytes]:
    """Return the columns of a line, separated by blanks or by commas."""
    return _SEPARATOR.split(line.strip(b" \t"))


def is_comment(line: bytes, lead: bytes = b"") -> bool:
    """Whether a line, without the blanks around it, is a comment or empty."""
    if lead:
        return not line or re.match(rb"[cn]([ \t\r]|\Z)", line) is not None
    return not line or line.startswith((b"#", b"%", b"//"))


def shown(token: bytes) -> str:
    """Return a piece of a file as it can be shown in a message."""
    text = token[:40].decode("utf-8", "backslashreplace") + ("…" if len(token) > 40 else "")
    return repr(text)


def is_name(token: bytes) -> bool:
    """Whether an id is a name: neither a number nor anything that only a damaged file would have."""
    return re.match(rb"[^\x00-\x1f0-9+.,-]", token) is not None


def is_number(token: bytes) -> bool:
    """Whether a column is a number, as weights are written."""
    return len(token) <= 1000 and _NUMBER.fullmatch(token) is not None


def number(token: bytes) -> int | float:
    """Return the value of a weight; an integer if it was written as one and fits."""
    if not is_number(token):
        raise BadLineError(f"a weight must be a number, not {shown(token)}")
    value = float(token if b"f" in token.lower() else token.translate(_FORTRAN))  # inf has no exponent
    if value in (float("inf"), float("-inf")) and b"inf" not in token.lower():
        raise BadLineError(f"the weight {shown(token)} does not fit in a float")
    digits = token.lstrip(b"+-")
    whole = int(token) if len(digits) <= _DIGITS and _INTEGER.fullmatch(digits) else None
    return value if whole is None or not _INT64.min <= whole <= _INT64.max else whole


def index(token: bytes, base: int, limit: int) -> int:
    """Return the vertex of a column, counted from 0."""
    if not _INTEGER.fullmatch(token):
        negative = token.startswith(b"-") and _INTEGER.fullmatch(token[1:])
        hint = "" if negative or _NUMBER.fullmatch(token) or base else "; if ids are names, read with format='labels'"
        raise BadLineError(f"a vertex must be a whole number, {base} or more, not {shown(token)}{hint}")
    value = int(token) - base if len(token) <= 1000 else limit
    if value < 0:
        raise BadLineError(f"vertices count from {base}, and this is {shown(token)}")
    if value >= limit:
        bound = f"the {limit} vertices that the file says it has" if base else too_many(limit)
        raise BadLineError(f"vertex {shown(token)[1:-1]} is beyond {bound}")
    return value


def _edge(line: bytes, layout: Layout, limit: int) -> tuple[int, int, int | float] | None:
    """Return the edge of a line, None if it is a comment; raise if it is neither."""
    line = line.strip(b" \t\r")
    if is_comment(line, layout.lead):
        return None
    columns = fields(line)
    if layout.lead:
        if columns[0] != layout.lead:
            raise BadLineError(f"a line must start with {shown(layout.lead)}, or with 'c' for a comment: {shown(line)}")
        columns = columns[1:]
    expected = layout.columns
    if len(columns) < expected or (len(columns) > expected and not layout.more):
        raise BadLineError(f"{expected} columns were expected, not {len(columns)}: {shown(line)}")
    src, dst = (index(token, layout.base, limit) for token in columns[:2])
    weight = number(columns[2]) if layout.weighted else 1
    if layout.imaginary:
        number(columns[3])
    if layout.whole and not isinstance(weight, int):
        raise BadLineError(f"the values must be integers of 64 bits, not {shown(columns[2])}")
    return src, dst, weight


def _row(line: bytes) -> list[int] | None:
    """Return the integers of a line, None if it is a comment; raise if it is neither."""
    if line.startswith(b"%"):
        return None
    tokens = [token for token in re.split(rb"[ \t]+", line.rstrip(b" \t\r")) if token]
    for token in tokens:
        if len(token) > 18 or not _INTEGER.fullmatch(token):
            raise BadLineError(f"a whole number was expected, 0 or more and of at most 18 digits, not {shown(token)}")
    return [int(token) for token in tokens]


def each(source: Source, first: int, block: bytes, read: Callable[[bytes], T | None], marks: bytes) -> list[T]:
    """Return what `read` makes of each line that is neither blank nor a comment; see `lines` for their marks."""
    values = []
    for at, line in lines.said(block, marks):
        try:
            value = read(line)
        except BadLineError as error:
            source.fail(str(error), first + block.count(b"\n", 0, at))
        if value is not None:
            values.append(value)
    return values


def _check_stop(source: Source, first: int, block: bytes, at: int, read: Callable[[bytes], Any]) -> None:
    """Raise for the line that starts at `at`, if it is bad; that spares reading those before it once more."""
    try:
        read(block[at : block.find(b"\n", at) if b"\n" in block[at:] else None])
    except BadLineError as error:
        source.fail(str(error), first + block.count(b"\n", 0, at))


def edges(source: Source, first: int, block: bytes, layout: Layout, limit: int) -> Edges:
    """Return the edges of a block of lines, of which `first` is the number of the first."""

    def read(line: bytes) -> tuple[int, int, int | float] | None:
        return _edge(line, layout, limit)

    if not layout.imaginary:
        src, dst, weights, stopped = host.routines().parse_edges(
            block, layout.lead, layout.weighted, layout.whole, layout.more, layout.base, limit
        )
        if stopped < 0:
            return _narrow(src, dst, weights)
        _check_stop(source, first, block, stopped, read)
    triples = each(source, first, block, read, lines.DIMACS if layout.lead else lines.EDGES)
    src, dst = (np.array([edge[k] for edge in triples], np.int64) for k in range(2))
    values = [edge[2] for edge in triples]
    whole = all(isinstance(value, int) for value in values)
    return _narrow(src, dst, np.array(values, np.int64 if whole else np.float64) if layout.weighted else None)


def _narrow(src: Any, dst: Any, weights: Any) -> Edges:
    """Return edges with 32-bit indices where they fit: a file's worth of them is kept until its end."""
    if not len(src) or max(src.max(), dst.max()) <= np.iinfo(np.int32).max:
        src, dst = src.astype(np.int32), dst.astype(np.int32)
    return Edges(src, dst, weights)


def _each_row(source: Source, first: int, block: bytes) -> list[list[int]]:
    """Return the integers of each line, which may be none."""
    found = []
    for i, line in enumerate(block.removesuffix(b"\n").split(b"\n") if block else ()):
        try:
            row = _row(line)
        except BadLineError as error:
            source.fail(str(error), first + i)
        if row is not None:
            found.append(row)
    return found


def rows(source: Source, first: int, block: bytes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the integers of a block of lines, and how many of them each line has that is not a comment."""
    values, counts, stopped = host.routines().parse_rows(block)
    if stopped < 0:
        return values, counts
    _check_stop(source, first, block, stopped, _row)
    by_line = _each_row(source, first, block)
    flat = np.array([value for row in by_line for value in row], np.int64)
    return flat, np.array([len(row) for row in by_line], np.int64)


class Collector:
    """The edges of a file, block by block: the first is read at once, later ones beside each other and the reading.

    The limits on indices and the order of errors are those of reading one after the other.
    """

    def __init__(self, source: Source, layout: Layout, limit: int | None = None) -> None:
        self._source, self._layout, self._limit = source, layout, limit
        self._parts: list[Edges] = []
        self._due: deque[Future[Edges]] = deque()
        self._pool = ThreadPoolExecutor(_WORKERS)

    def __enter__(self) -> Collector:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def add(self, first: int, block: bytes) -> None:
        """Read the next block, of which `first` is the number of the first line."""
        limit = self._source.limit() if self._limit is None else self._limit
        task = (self._source, first, block, self._layout, limit)
        if not self._parts:
            self._parts.append(edges(*task))
            return
        self._due.append(self._pool.submit(edges, *task))
        if len(self._due) > _WORKERS:
            self._parts.append(self._due.popleft().result())

    def edges(self) -> Edges:
        """Return all edges as one."""
        self._parts += [future.result() for future in self._due]
        self._due.clear()
        return join(self._parts)


def join(parts: list[Edges]) -> Edges:
    """Return the edges of all blocks as one, emptying the list as it goes to spare memory."""
    if not parts:
        return Edges(np.zeros(0, np.int32), np.zeros(0, np.int32), None)
    srcs, dsts, weights = ([part[k] for part in parts] for k in range(3))
    parts.clear()
    return Edges(_joined(srcs), _joined(dsts), None if weights[0] is None else _joined(weights))


def _joined(arrays: list[Any]) -> NDArray[Any]:
    whole = np.concatenate(arrays) if len(arrays) > 1 else arrays[0]
    arrays.clear()
    return whole
