"""Compressed files: which format one has, what is in it, and how one is written.

A file is one compressed stream or several, whose texts follow each other, with nothing after the last but zeros (some
tools pad with them). All four formats are held to this alike: a stream that is cut short, and bytes that are none of
it, are errors. What the standard library opens passes over such bytes in some formats, and `zstandard` over the cut.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable
from functools import partial
from typing import IO, Any, NamedTuple, Protocol

from ..base.optional import require

__all__ = ["FORMATS", "Decompressed", "decompressed", "tells_of_memory"]

CHUNK = 1 << 16  # compressed bytes taken at a time
ZSTD_CHUNK = 1 << 10  # the same where the text cannot be had in parts: they become 32 MiB at most


class Stream(Protocol):
    """What decompresses one stream; as the standard library's, `unused_data` is what followed its end."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Deflate:
    """The stream of a ``.gz``."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)  # with the header and the checksum of gzip
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        text = self._inner.decompress(self._inner.unconsumed_tail + data, max_length)
        self.needs_input = len(text) < max_length and not self._inner.unconsumed_tail
        return text


class _Zstd:
    """The stream of a ``.zst``."""

    def __init__(self) -> None:
        self._inner = require("zstandard", "zstd").ZstdDecompressor().decompressobj()
        self._data = self._text = b""

    @property
    def eof(self) -> bool:
        return bool(self._inner.eof) and not self._text

    @property
    def needs_input(self) -> bool:
        return not self._text and not self._data

    @property
    def unused_data(self) -> bytes:
        return bytes(self._inner.unused_data) + self._data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        self._data += data
        if not self._text:
            self._text = self._inner.decompress(self._data[:ZSTD_CHUNK])
            self._data = self._data[ZSTD_CHUNK:]
        text, self._text = self._text[:max_length], self._text[max_length:]
        return text


class Decompressed:
    """The text of a compressed file.

    Parameters
    ----------
    raw : file
        The file, at its beginning.
    format_ : Compression
        Its format.
    """

    def __init__(self, raw: IO[bytes], format_: Compression) -> None:
        self._raw, self._format = raw, format_
        self._stream: Stream | None = format_.start()
        self._data = b""  # compressed, for the stream to take next

    def read(self, size: int) -> bytes:
        """Return the next `size` bytes, fewer only at the end; EOFError if the file ends before its streams do."""
        parts = []
        while size and self._stream is not None:
            part = self._part(self._stream, size)
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _part(self, stream: Stream, size: int) -> bytes:
        if stream.eof:
            self._stream = self._following(stream.unused_data)
            return b""
        wants = stream.needs_input
        data, self._data = (self._data or self._raw.read(CHUNK), b"") if wants else (b"", self._data)
        if wants and not data:
            raise EOFError("the file ends before it does")
        return stream.decompress(data, size)

    def _following(self, data: bytes) -> Stream | None:
        """Return what decompresses the stream that follows, None at the end of the file."""
        while len(data := data.lstrip(b"\0")) < _MAGIC and (more := self._raw.read(CHUNK)):
            data += more
        if not data:
            return None
        if not data.startswith(self._format.magics):
            raise ValueError("after its end there is more, which is none of it")
        self._data = data
        return self._format.start()


class Compression(NamedTuple):
    """A format: the first bytes that its streams may have, what decompresses one, and what opens a file for writing."""

    magics: tuple[bytes, ...]
    start: Callable[[], Stream]
    writer: Callable[[Any], Any]


# Frames of .zst that say something about others, such as how long they are, and hold no text.
_SKIPPABLE = tuple(bytes([low, 0x2A, 0x4D, 0x18]) for low in range(0x50, 0x60))
_MAGIC = 6  # bytes that tell a format


def _zstd_writer(raw: Any) -> Any:
    return require("zstandard", "zstd").ZstdCompressor().stream_writer(raw, closefd=False)


def tells_of_memory(error: Exception) -> bool:
    """Whether an error says that there is no memory, as `zstandard` does by words alone."""
    return isinstance(error, MemoryError) or "not enough memory" in str(error)


# By the ending of a file's name.
FORMATS = {
    ".gz": Compression((b"\x1f\x8b",), _Deflate, lambda raw: gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=6)),
    ".bz2": Compression((b"BZh",), bz2.BZ2Decompressor, partial(bz2.BZ2File, mode="wb")),
    ".xz": Compression((b"\xfd7zXZ\x00",), lzma.LZMADecompressor, partial(lzma.LZMAFile, mode="wb")),
    ".zst": Compression((b"\x28\xb5\x2f\xfd", *_SKIPPABLE), _Zstd, _zstd_writer),
}


def decompressed(raw: Any) -> Decompressed | None:
    """Return what reads a file as it was before it was compressed, None if its first bytes do not say that it is."""
    head = raw.peek(8)
    format_ = next((format_ for format_ in FORMATS.values() if head.startswith(format_.magics)), None)
    return None if format_ is None else Decompressed(raw, format_)
