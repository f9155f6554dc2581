"""NumPy archives, ``.npz``: SciPy's sparse matrices, or arrays ``src``, ``dst`` and optionally ``n`` and ``weights``.

A matrix is written as SciPy does, with its ``labels`` as one array more. Nothing is unpickled. A matrix of bools that
are all true is a pattern.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..errors import InvalidValueError, LagbfsError
from .gap import undirected
from .stream import PIECE, RATIO, SLACK, Source

__all__ = ["as_array", "read", "write"]

_SPARSE = {"csr": ("indptr", "indices", "data"), "csc": ("indptr", "indices", "data"), "coo": ("row", "col", "data")}


class Archive:
    """The arrays of a file, each checked against the size of the file before it is read.

    Not against what it takes there itself: sorted sources of edges shrink to a thousandth.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        content = source.read()
        try:
            self._most = SLACK + RATIO * len(content)
            self._zip = zipfile.ZipFile(io.BytesIO(content))
            self.names = {name.removesuffix(".npy") for name in self._zip.namelist()}
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, LookupError) as error:
            source.fail(f"this is no NumPy archive, or a damaged one ({error})")

    def __getitem__(self, name: str) -> Any:
        if name not in self.names:
            self._source.fail(f"the archive has no array {name!r}, only {', '.join(sorted(map(repr, self.names)))}")
        try:
            return self._array(name)
        except LagbfsError:
            raise
        except (zipfile.BadZipFile, zlib.error, ValueError, TypeError, EOFError, OSError, KeyError) as error:
            self._source.fail(f"the array {name!r} is damaged ({error})")
        except (NotImplementedError, RuntimeError, SyntaxError, MemoryError, OverflowError, RecursionError) as error:
            self._source.fail(f"the array {name!r} cannot be read ({error})")

    def _array(self, name: str) -> Any:
        info = self._zip.getinfo(f"{name}.npy")
        if info.file_size > self._most:
            self._source.fail(f"the array {name!r} grows from {info.compress_size} to {info.file_size} bytes: a bomb?")
        data = self._zip.read(info)
        file = io.BytesIO(data)
        version = np.lib.format.read_magic(file)
        header = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}.get(version)
        if header is None:
            raise ValueError(f"version {version} of the format")
        shape, fortran, dtype = header(file)
        if dtype.hasobject:
            raise ValueError("it holds Python objects, which are not unpickled")
        if len(shape) > 2 or dtype.itemsize * int(np.prod(shape, dtype=object)) != len(data) - file.tell():
            raise ValueError(f"it has {len(data) - file.tell()} bytes for the shape {shape}")
        flat = np.frombuffer(data, dtype, offset=file.tell()) if len(data) > file.tell() else np.zeros(0, dtype)
        return flat.reshape(shape, order="F" if fortran else "C")


def read(source: Source, directed: bool | None) -> Matrix:
    """Return the matrix of a NumPy archive."""
    arrays = Archive(source)
    try:
        A = _sparse(source, arrays) if "format" in arrays.names else _edges(source, arrays)
        if directed is not None and A.nrows != A.ncols:
            source.fail(f"a graph is a square matrix, and this one is {A.nrows} × {A.ncols}")
        A = _with_labels(A, arrays)
        return undirected(A) if directed is False and not A.is_symmetric else A
    except (LagbfsError, OverflowError, TypeError) as error:
        if getattr(error, "path", None) is None:
            source.fail(f"its arrays make no graph: {error}")
        raise


def _edges(source: Source, arrays: Archive) -> Matrix:
    src, dst = arrays["src"], arrays["dst"]
    top = max((int(ends.max()) for ends in (src, dst) if ends.size and ends.dtype.kind in "iu"), default=-1)
    n = _whole(source, "n", arrays["n"]) if "n" in arrays.names else top + 1
    weights = arrays["weights"] if "weights" in arrays.names else None
    return Matrix.from_edges(src, dst, n=source.check_vertices(n), weights=weights)


def _whole(source: Source, name: str, array: Any) -> int:
    if array.size != 1 or array.dtype.kind not in "iu" or array.ravel()[0] < 0:
        source.fail(f"the array {name!r} must be one whole number, not {array.dtype} of shape {array.shape}")
    return int(array.ravel()[0])


def _sparse(source: Source, arrays: Archive) -> Matrix:
    """Return a matrix that SciPy wrote; it checks little when it reads, so that is done here."""
    kind = arrays["format"].ravel()
    name = kind[0].decode("ascii", "replace") if kind.dtype.kind == "S" and len(kind) else str(kind[:1])
    if name not in _SPARSE:
        source.fail(f"the sparse format {name!r} is none of {', '.join(_SPARSE)}; convert it with SciPy's tocsr()")
    shape = arrays["shape"].ravel()
    if len(shape) != 2 or shape.dtype.kind not in "iu" or shape.min() < 0:
        source.fail(f"the array 'shape' must be two whole numbers, not {shape[:5].tolist()}")
    nrows, ncols = (source.check_vertices(int(extent)) for extent in shape)
    first, second, data = (arrays[part] for part in _SPARSE[name])
    if data.ndim != 1:
        source.fail(f"the array 'data' must be one-dimensional, not of shape {data.shape}")
    pattern = data.dtype == np.bool_ and bool(data.all())
    if pattern and len(data) != len(second):
        source.fail(f"the array 'data' has {len(data)} values for {len(second)} entries")
    values = np.array(True) if pattern else data
    dup_op = "any" if pattern else "plus"
    if name == "coo":
        return Matrix.from_coo(first, second, values, nrows=nrows, ncols=ncols, dup_op=dup_op)
    rows, width = (nrows, ncols) if name == "csr" else (ncols, nrows)
    if len(first) != rows + 1:
        source.fail(f"the array 'indptr' must have {rows + 1} elements, not {len(first)}")
    A = Matrix.from_csr(first, second, values, ncols=width, dup_op=dup_op)
    return A if name == "csr" else A.T


def _with_labels(A: Matrix, arrays: Archive) -> Matrix:
    if "labels" not in arrays.names:
        return A
    csr = A.csr
    rows, weights = csr.rows(), None if csr.iso and A.dtype == np.bool_ else csr.all_values()
    labels = arrays["labels"]
    if labels.ndim != 1 or labels.dtype.kind not in "Uiu":
        raise InvalidValueError(
            f"labels must be a list of texts or integers, not {labels.dtype} of shape {labels.shape}"
        )
    return Matrix.from_edges(rows, csr.indices, n=A.nrows, weights=weights, labels=labels.tolist())


def write(file: IO[bytes], A: Matrix) -> None:
    """Write a matrix as SciPy does, compressed, with its labels."""
    csr = A.csr
    arrays = {
        "format": np.array(b"csr"),
        "shape": np.array(A.shape),
        "indptr": csr.indptr,
        "indices": csr.indices,
        "data": csr.all_values(),
        "_is_array": np.array(True),
    }
    if A.labels is not None:
        arrays["labels"] = as_array(A.labels)
    with _archive(file) as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                _write_array(member, np.asarray(array))


@contextmanager
def _archive(file: IO[bytes]) -> Iterator[zipfile.ZipFile]:
    """Return an archive that is written whole or given up: one with an open member cannot be closed, and says so."""
    archive = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
    try:
        yield archive
        archive.close()
    except BaseException:
        archive.fp = None  # of a closed one
        raise


def _write_array(member: IO[bytes], array: NDArray[Any]) -> None:
    """Write an array as NumPy does, but in pieces: between them signals are heeded."""
    np.lib.format.write_array_header_1_0(member, np.lib.format.header_data_from_array_1_0(array))
    data = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    for at in range(0, len(data), PIECE):
        member.write(data[at : at + PIECE].data)


def as_array(labels: Any) -> Any:
    """Return labels as an array: integers as such, all others as text."""
    if all(type(label) is int and abs(label) < 2**63 for label in labels):
        return np.array(labels, np.int64)
    names = [str(label) for label in labels]
    if any(name.endswith("\0") for name in names) or len(set(names)) < len(names):
        raise InvalidValueError("A has labels that are different but become the same text, such as 1 and '1'")
    return np.array(names, np.str_)
