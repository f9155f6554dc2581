"""The GAP benchmark suite's serialised graphs, ``.sg``.

bool     directed
int64    number of edges as stored, number of vertices
int64    offsets of the out-neighbours, one for each vertex and one more
int32    the out-neighbours
and, if directed, offsets and neighbours of the in-edges
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InvalidValueError
from ..matrix import Matrix

__all__ = ["read_sg", "write_sg"]

_HEADER = np.dtype([("directed", "?"), ("edges", "<i8"), ("vertices", "<i8")])


def read_sg(path: str | PathLike[str]) -> Matrix:
    """Return the graph of a ``.sg`` file."""
    size = Path(path).stat().st_size
    with open(path, "rb") as file:
        head = file.read(_HEADER.itemsize)
        if len(head) < _HEADER.itemsize:
            raise InvalidValueError(f"path {path} is too short for a .sg file")
        header = np.frombuffer(head, _HEADER)[0]
        edges, n = int(header["edges"]), int(header["vertices"])
        need = _HEADER.itemsize + (8 * (n + 1) + 4 * edges) * (2 if header["directed"] else 1)
        if head[0] > 1 or n < 0 or edges < 0 or size != need:
            raise InvalidValueError(f"path {path} is not a .sg file: {size} bytes for {n} vertices, {edges} edges")
        indptr = np.fromfile(file, "<i8", n + 1)
        indices = np.fromfile(file, "<i4", edges)
    return Matrix.from_csr(indptr, indices, True, ncols=n, dup_op="any")


def write_sg(path: str | PathLike[str], A: Matrix) -> None:
    """Write the pattern of a graph as a ``.sg`` file."""
    if A.nrows != A.ncols or A.nrows > np.iinfo(np.int32).max:
        raise InvalidValueError(f"A must be square with fewer than 2³¹ vertices to be written as .sg, not {A!r}")
    directed = not A.is_symmetric
    with open(path, "wb") as file:
        np.array((directed, A.nvals, A.nrows), _HEADER).tofile(file)
        for csr in (A.csr, A.T.csr) if directed else (A.csr,):
            _write(file, csr.indptr, "<i8")
            _write(file, csr.indices, "<i4")


def _write(file: Any, array: Any, dtype: str) -> None:
    np.ascontiguousarray(array, dtype=dtype).tofile(file)
