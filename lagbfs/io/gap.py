"""The GAP benchmark suite's serialised graphs, ``.sg``, and ``.wsg`` with weights.

bool     directed
int64    number of edges as stored, number of vertices
int64    offsets of the out-neighbours, one for each vertex and one more
int32    the out-neighbours, in a .wsg each followed by the weight of the edge
and, if directed, offsets and neighbours of the in-edges
"""

from __future__ import annotations

from typing import IO, Any

import numpy as np

from ..algebra.matrix import Matrix
from ..errors import InvalidValueError, LagbfsError
from .stream import Source

__all__ = ["read_sg", "read_wsg", "write_sg", "write_wsg"]

_HEADER = np.dtype([("directed", "?"), ("edges", "<i8"), ("vertices", "<i8")])
_INT32 = np.iinfo(np.int32)


def read_sg(source: Source, directed: bool | None) -> Matrix:
    """Return the graph of a ``.sg`` file."""
    return _read(source, directed, 1)


def read_wsg(source: Source, directed: bool | None) -> Matrix:
    """Return the graph of a ``.wsg`` file."""
    return _read(source, directed, 2)


def _read(source: Source, directed: bool | None, width: int) -> Matrix:
    """Return a graph of which each edge is so many int32 wide."""
    head = source.exactly(_HEADER.itemsize)
    header = np.frombuffer(head, _HEADER)[0]
    edges, n = int(header["edges"]), int(header["vertices"])
    half = 8 * (n + 1) + 4 * width * edges
    need = half * (2 if head[0] else 1)
    if head[0] > 1 or n < 0 or edges < 0 or n > _INT32.max:
        source.fail(f"this is no file of {n} vertices and {edges} edges in the GAP benchmark suite's format")
    indptr = np.frombuffer(source.exactly(8 * (n + 1)), "<i8")
    stored = np.frombuffer(source.exactly(4 * width * edges), "<i4").reshape(-1, width)
    _skip(source, need - half)
    indices = np.ascontiguousarray(stored[:, 0])
    values: Any = True if width == 1 else np.ascontiguousarray(stored[:, 1])
    try:
        A = Matrix.from_csr(indptr, indices, values, ncols=n, dup_op="any" if width == 1 else "min")
    except LagbfsError as error:
        source.fail(f"its rows are damaged: {error}")
    if not head[0] and not A.is_symmetric:
        source.fail("it says that it is undirected, but has edges that lead one way only")
    return A if directed is not False or not head[0] else undirected(A)


def _skip(source: Source, size: int) -> None:
    """Read over the in-edges, which can be had from the out-edges; nothing must come after them."""
    while size and (part := source.read(min(size, 1 << 24))):
        size -= len(part)
    if size or source.read(1):
        source.fail(f"the file is {'cut short' if size else 'longer than it says'}")


def undirected(A: Matrix) -> Matrix:
    """Return the graph with each edge both ways; of two values, the lesser."""
    rows, cols, values = A.to_coo()
    weights = None if A.is_iso and A.dtype == np.bool_ else values
    return Matrix.from_edges(rows, cols, n=A.nrows, weights=weights, directed=False, labels=A.labels)


def write_sg(file: IO[bytes], A: Matrix) -> None:
    """Write the pattern of a graph as a ``.sg`` file."""
    _write(file, A, lambda csr: csr.indices)


def write_wsg(file: IO[bytes], A: Matrix) -> None:
    """Write a graph with integer values as a ``.wsg`` file; those of a pattern are 1."""
    values = A.csr.values
    if values.dtype.kind == "f" or values.max(initial=0) > _INT32.max or values.min(initial=0) < _INT32.min:
        raise InvalidValueError(f"A must have integers of 32 bits as values to be written as .wsg, not {A.dtype}")
    _write(file, A, lambda csr: np.stack([csr.indices, csr.all_values().astype("<i4")], axis=1))


def _write(file: IO[bytes], A: Matrix, neighbours: Any) -> None:
    if A.nrows > _INT32.max:
        raise InvalidValueError(f"A must have fewer than 2³¹ vertices to be written as .sg or .wsg, not {A!r}")
    directed = not A.is_symmetric
    file.write(np.array((directed, A.nvals, A.nrows), _HEADER).tobytes())
    for csr in (A.csr, A.T.csr) if directed else (A.csr,):
        _put(file, csr.indptr, "<i8")
        _put(file, neighbours(csr), "<i4")


def _put(file: IO[bytes], array: Any, dtype: str) -> None:
    file.write(np.ascontiguousarray(array, dtype=dtype).reshape(-1).view(np.uint8).data)
