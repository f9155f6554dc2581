"""Matrix Market, ``.mtx``.

Explicit zeros of the coordinate format are entries; of the array format, which lists all values, those that are not
zero are. Duplicates are added up. Complex values, which a Matrix does not have, leave their pattern, with a warning.

A symmetric matrix is listed by one of its triangles. Where an entry is listed together with its mirror image, which the
format does not provide for, the two must agree, and are one.

The entries are read here, not by SciPy, whose reader ends the process on some files that are cut short.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator
from typing import IO, Any, NamedTuple

import numpy as np

from ..algebra.matrix import Matrix
from ..errors import InvalidValueError
from . import lines, parsing
from .edges import is_pattern
from .gap import undirected
from .parsing import BadLineError, Collector, Layout
from .stream import Source

__all__ = ["Header", "header_of", "layout_of", "read", "values_of", "write"]

_FIRST = re.compile(
    rb"%%MatrixMarket[ \t]+matrix[ \t]+(?i:(coordinate|array)"
    rb"[ \t]+(pattern|integer|unsigned-integer|real|double|complex)"
    rb"[ \t]+(general|symmetric|skew-symmetric|hermitian))[ \t\r]*"
)
_SIZES = re.compile(rb"[ \t]*([0-9]{1,18})[ \t]+([0-9]{1,18})(?:[ \t]+([0-9]{1,18}))?[ \t\r]*")
_SYMMETRIES = {1: "symmetric", -1: "skew-symmetric"}
_INTEGERS = ("integer", "unsigned-integer")
_FIELDS = {np.float64: "real", np.uint64: "unsigned-integer", np.int64: "integer"}
_CHUNK = 1 << 18  # entries written at a time


class Header(NamedTuple):
    """What the first lines say, and where the entries begin: at this byte, in this line."""

    coordinate: bool
    field: str
    symmetry: str
    shape: tuple[int, int]
    entries: int  # of the coordinate format
    at: int
    line: int


def read(source: Source, directed: bool | None) -> Matrix:
    """Return the matrix of a Matrix Market file."""
    header = header_of(source)
    nrows, ncols = header.shape
    if nrows != ncols and (directed is not None or header.symmetry != "general"):
        source.fail(f"a graph, and a matrix that is {header.symmetry}, is square, and this one is {nrows} × {ncols}")
    rows, cols, values = _coordinate(source, header) if header.coordinate else _array(source, header)
    source.check_vertices(max(header.shape))
    iso = header.field in ("pattern", "complex")
    kept = np.array(True) if iso else values_of(header, values)
    listed = Matrix.from_coo(rows, cols, kept, nrows=nrows, ncols=ncols, dup_op="any" if iso else "plus")
    if header.field == "complex":
        message = f"{source.path} has complex values, which a Matrix cannot hold: only its pattern is read"
        warnings.warn(message, UserWarning, stacklevel=3)  # to whoever called lagbfs.read
    if directed or (directed is None and header.symmetry == "general"):
        return listed
    if not iso and header.symmetry != "general":
        _check_mirrored(source, listed, -1 if header.symmetry == "skew-symmetric" else 1)
    if header.symmetry != "skew-symmetric" or iso:
        return undirected(listed)
    if values[rows == cols].any():
        source.fail("a skew-symmetric matrix has zeros on its diagonal, and this one has others")
    return _mirrored(listed)


def _check_mirrored(source: Source, A: Matrix, sign: int) -> None:
    """Refuse entries of which the mirror image is listed too, but not with the same value, times `sign`."""
    rows, cols, values = A.to_coo()
    above, below = rows < cols, rows > cols
    if not above.any() or not below.any():
        return
    low, high = np.minimum(rows, cols), np.maximum(rows, cols)
    order = np.lexsort((above, high, low))
    low, high, signed = low[order], high[order], np.where(above, sign * values, values)[order]
    pairs = (low[1:] == low[:-1]) & (high[1:] == high[:-1])
    wrong = np.flatnonzero(pairs & (signed[1:] != signed[:-1]))
    if len(wrong):
        i, j = int(low[wrong[0]]) + 1, int(high[wrong[0]]) + 1
        source.fail(f"the entries ({i}, {j}) and ({j}, {i}) do not agree, and the matrix should be {_SYMMETRIES[sign]}")


def _mirrored(A: Matrix) -> Matrix:
    """Return A - Aᵀ, by entries: what a skew-symmetric matrix is of which half is listed."""
    rows, cols, values = A.to_coo()
    ends = np.concatenate([rows, cols]), np.concatenate([cols, rows])
    return Matrix.from_coo(*ends, np.concatenate([values, -values]), nrows=A.nrows, ncols=A.ncols, dup_op="first")


def header_of(source: Source) -> Header:
    """Return what the first lines say, without taking them."""
    size = 1 << 16
    while (head := _parse_header(source, source.peek(size))) is None:
        if len(source.peek(size)) < size:
            source.fail("the line with the numbers of rows, columns and entries is missing")
        size *= 4
    return head


def _parse_header(source: Source, text: bytes) -> Header | None:
    """Return what the first lines say, None if the text ends before them."""
    opening = lines.line_at(text, 0)
    first = _FIRST.fullmatch(opening)
    if not first or first[1].lower() + first[2].lower() == b"arraypattern":
        source.fail(
            "the first line must be '%%MatrixMarket matrix', coordinate or array, the kind of values and the symmetry, "
            f"not {parsing.shown(opening)}",
            1,
        )
    at = lines.first(text, b"%", len(opening) + 1)
    if at < 0:
        return None
    line = lines.line_at(text, at)
    end = at + len(line) + 1
    if end > len(text) and len(source.peek(len(text) + 1)) > len(text):
        return None  # the line may go on
    return _sizes(source, first, line, end, 1 + text.count(b"\n", 0, at))


def _sizes(source: Source, first: re.Match[bytes], line: bytes, at: int, number: int) -> Header:
    kind, field, symmetry = (word.decode().lower() for word in first.groups())
    coordinate = kind == "coordinate"
    match = _SIZES.fullmatch(line)
    if not match or (match[3] is None) == coordinate:
        wanted = "rows, columns and entries" if coordinate else "rows and columns"
        source.fail(f"the numbers of {wanted} were expected, not {parsing.shown(line.strip())}", number)
    shape = int(match[1]), int(match[2])
    return Header(coordinate, field, symmetry, shape, int(match[3] or 0), at, number + 1)


def _body(source: Source, header: Header) -> Iterator[tuple[int, bytes]]:
    """Yield the blocks of lines after the header."""
    skip = header.at
    for first, block in source.blocks():
        if skip < len(block):
            yield max(first, header.line), block[skip:]
        skip = max(skip - len(block), 0)


def layout_of(header: Header) -> Layout:
    """Return what the lines of the entries look like."""
    complex_ = header.field == "complex"
    return Layout(weighted=header.field != "pattern", whole=header.field in _INTEGERS, imaginary=complex_, base=1)


def values_of(header: Header, values: Any) -> Any:
    """Return values in the dtype that the header says they have."""
    return values if header.field in _INTEGERS else values.astype(np.float64)


def _coordinate(source: Source, header: Header) -> tuple[Any, Any, Any]:
    """Return rows, columns and values of the entries."""
    with Collector(source, layout_of(header), limit=max(header.shape)) as reader:
        for first, block in _body(source, header):
            reader.add(first, block)
        rows, cols, values = reader.edges()
    if len(rows) != header.entries:
        source.fail(f"the file has {len(rows)} entries, but says that there are {header.entries}: it may be cut short")
    outside = np.flatnonzero((rows >= header.shape[0]) | (cols >= header.shape[1]))
    if len(outside):
        i, j = int(rows[outside[0]]) + 1, int(cols[outside[0]]) + 1
        source.fail(f"the entry ({i}, {j}) is outside of the matrix, which is {header.shape[0]} × {header.shape[1]}")
    return rows, cols, np.zeros(0, np.int64) if values is None else values


def _array(source: Source, header: Header) -> tuple[Any, Any, Any]:
    """Return rows, columns and values of what is not zero among the values, which are listed column by column."""
    nrows, ncols = header.shape
    half = {"general": nrows * ncols, "skew-symmetric": nrows * (nrows - 1) // 2}
    expected = half.get(header.symmetry, nrows * (nrows + 1) // 2)
    read = _value(header.field)
    parts = (parsing.each(source, first, block, read, b"%") for first, block in _body(source, header))
    values = np.array([value for part in parts for value in part])
    if len(values) != expected:
        source.fail(f"the file has {len(values)} values, where {expected} were expected: it may be cut short")
    if header.symmetry == "general":
        cols, rows = np.divmod(np.arange(expected), max(nrows, 1))
    else:
        cols, rows = np.triu_indices(nrows, 1 if header.symmetry == "skew-symmetric" else 0)
    there = values != 0
    return rows[there], cols[there], values[there]


def _value(field: str) -> Callable[[bytes], int | float | None]:
    """Return what reads the value in a line of the array format; of a complex one, whether it is not zero."""

    def read(line: bytes) -> int | float | None:
        tokens = line.split()
        if not tokens or tokens[0].startswith(b"%"):
            return None
        if len(tokens) != (2 if field == "complex" else 1):
            raise BadLineError(f"a value was expected, not {parsing.shown(line)}")
        parts = [parsing.number(token) for token in tokens]
        if field in _INTEGERS and not isinstance(parts[0], int):
            raise BadLineError(f"the values must be integers of 64 bits, not {parsing.shown(tokens[0])}")
        return int(any(parts)) if field == "complex" else parts[0]

    return read


def write(file: IO[bytes], A: Matrix) -> None:
    """Write a matrix in the coordinate format, a symmetric one its lower half."""
    if A.nvals and A.dtype.kind == "f" and not np.isfinite(A.csr.values).all():
        raise InvalidValueError("A must have finite values to be written as a Matrix Market file")
    rows, cols, values = A.csr.rows(), A.csr.indices, A.csr.all_values()
    kind = np.float64 if A.dtype.kind == "f" else np.uint64 if A.dtype == np.uint64 else np.int64
    field = "pattern" if is_pattern(A) else _FIELDS[kind]
    symmetry = "general"
    if A.nrows == A.ncols and A.is_symmetric:
        symmetry, lower = "symmetric", rows >= cols
        rows, cols, values = rows[lower], cols[lower], values[lower]
    file.write(f"%%MatrixMarket matrix coordinate {field} {symmetry}\n{A.nrows} {A.ncols} {len(rows)}\n".encode())
    for at in range(0, len(rows), _CHUNK):
        some = slice(at, at + _CHUNK)
        file.write(_entries(rows[some], cols[some], values[some].astype(kind), A.shape, field))


def _entries(rows: Any, cols: Any, values: Any, shape: tuple[int, int], field: str) -> bytes:
    """Return lines of entries. SciPy writes them fast, but only whole files, which no signal stops: few at a time."""
    from scipy.io import mmwrite
    from scipy.sparse import coo_matrix

    whole = io.BytesIO()
    matrix = coo_matrix((values, (rows, cols)), shape=shape)
    mmwrite(whole, matrix, field="pattern" if field == "pattern" else None, symmetry="general")
    whole.seek(0)
    while whole.readline().startswith(b"%"):  # and the line of sizes
        pass
    return whole.read()
