"""A file of arrays by name, as they lie in memory: a head, a list of sections, the arrays, each with its CRC-32.

All numbers are little-endian, arrays begin at multiples of 64 bytes. The head's CRC-32 is that of head and list, with
zeros in its own place.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..base import dtypes
from .stream import Source

__all__ = ["HEAD", "MAGIC", "SECTION", "VERSION", "Sections", "write_sections"]

Array = NDArray[Any]
MAGIC, VERSION = b"\x93LAGBFS\n", 1
HEAD = np.dtype(
    [
        *[
            ("magic", "S8"),
            ("version", "<u4"),
            ("sections", "<u4"),
            ("size", "<i8"),
            ("nrows", "<i8"),
            ("ncols", "<i8"),
        ],
        *[("symmetric", "i1"), ("iso", "?"), ("json", "?"), ("padding", "V17"), ("crc", "<u4")],
    ]
)
SECTION = np.dtype(
    [("name", "S36"), ("dtype", "S4"), ("at", "<i8"), ("length", "<i8"), ("crc", "<u4"), ("padding", "V4")]
)
_ALIGNED = 64
_DTYPES = {dtype.newbyteorder("<").str.encode(): dtype.newbyteorder("<") for dtype in dtypes.ALL}
_LARGE = 1 << 20  # bytes above which several threads are worth it
_PIECE = 1 << 26  # bytes between which signals are heeded


class Sections(dict[str, Array]):
    """The arrays of a file: parts of its memory, each found to lie within it, none looked into.

    Parameters
    ----------
    source : Source
        The file, for what is to be said of it.
    data : bytes-like
        All that it holds.
    """

    def __init__(self, source: Source, data: Any) -> None:
        self._source, self._data = source, data
        if len(data) < HEAD.itemsize:
            source.fail("the file is cut short")
        self.head = np.frombuffer(data, HEAD, 1).copy()[0]  # others might write to what is mapped
        if self.head["magic"] != MAGIC.rstrip(b"\0"):
            source.fail("this is no file of lagbfs's own format")
        if self.head["version"] != VERSION:
            source.fail(f"it is version {self.head['version']} of the format, of which this lagbfs reads {VERSION}")
        if self.head["size"] != len(data):
            source.fail(f"the file has {len(data)} bytes, not the {self.head['size']} that it was written with")
        count = int(self.head["sections"])
        if HEAD.itemsize + count * SECTION.itemsize > len(data):
            source.fail("its list of arrays is damaged")
        self._listed = np.frombuffer(data, SECTION, count, HEAD.itemsize).copy()
        if _head_crc(self.head, self._listed) != self.head["crc"]:
            source.fail("its head is damaged: the checksum is another")
        self.update(map(self._array, self._listed))
        if len(self) < count:
            source.fail("an array is there twice")

    def _array(self, section: Any) -> tuple[str, Array]:
        name, at, length = section["name"].decode("ascii", "replace"), int(section["at"]), int(section["length"])
        dtype = _DTYPES.get(bytes(section["dtype"]))
        if dtype is None or min(at, length) < 0 or at % _ALIGNED or at + length * dtype.itemsize > len(self._data):
            self._source.fail(f"the array {name!r} does not lie in the file")
        return name, np.frombuffer(self._data, dtype, length, at)

    def __missing__(self, name: str) -> NoReturn:
        self._source.fail(f"the file has no array {name!r}")

    def integers(self, name: str) -> Array:
        """Return an array of int32 or int64."""
        array = self[name]
        if array.dtype.kind != "i" or array.dtype.itemsize < 4:
            self._source.fail(f"the array {name!r} must be of int32 or int64, not {array.dtype}")
        return array

    def under(self, prefix: str) -> dict[str, Array]:
        """Return the arrays whose names begin with ``prefix.``, by what follows."""
        return {name[len(prefix) + 1 :]: array for name, array in self.items() if name.startswith(f"{prefix}.")}

    def verify(self) -> None:
        """Compare all checksums, of large files by several threads."""
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = (pool.map if len(self._data) > _LARGE else map)(_crc, self.values())
            for name, crc, section in zip(self, found, self._listed, strict=True):
                if crc != section["crc"]:
                    self._source.fail(f"the array {name!r} is damaged: the checksum is another")


def write_sections(file: IO[bytes], arrays: Mapping[str, Array], **head: Any) -> None:
    """Write arrays, and what else the head says."""
    listed, at = np.zeros(len(arrays), SECTION), _aligned(HEAD.itemsize + len(arrays) * SECTION.itemsize)
    little = {name: np.ascontiguousarray(array, array.dtype.newbyteorder("<")) for name, array in arrays.items()}
    for section, (name, array) in zip(listed, little.items(), strict=True):
        section["name"], section["dtype"], section["crc"] = name.encode("ascii"), array.dtype.str, _crc(array)
        section["at"], section["length"] = at, len(array)
        at = _aligned(at + array.nbytes)
    begin = np.zeros(1, HEAD)
    for name, value in {"magic": MAGIC, "version": VERSION, "sections": len(arrays), "size": at, **head}.items():
        begin[name] = value
    begin["crc"] = _head_crc(begin[0], listed)
    written = 0
    for part in (begin, listed, *little.values()):
        data = part.reshape(-1).view(np.uint8)
        file.write(data.data)
        written += len(data)
        if part is not begin:
            file.write(bytes(_aligned(written) - written))
            written = _aligned(written)


def _aligned(size: int) -> int:
    return (size + _ALIGNED - 1) // _ALIGNED * _ALIGNED


def _head_crc(head: Any, listed: Array) -> int:
    blank = head.copy()
    blank["crc"] = 0
    return zlib.crc32(listed.tobytes(), zlib.crc32(blank.tobytes()))


def _crc(array: Array) -> int:
    """Return the CRC-32 of an array's bytes."""
    view, crc = array.reshape(-1).view(np.uint8).data, 0
    for at in range(0, len(view), _PIECE):
        crc = zlib.crc32(view[at : at + _PIECE], crc)
    return crc
