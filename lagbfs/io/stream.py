"""The bytes of a file: compressed or not, in blocks of whole lines, with progress; and files written as a whole.

A compressed file is read as it is decompressed, and refused once it has grown by more than any graph would
(an archive bomb), so that memory stays in proportion to the file.
"""

from __future__ import annotations

import lzma
import mmap
import os
import stat
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NoReturn

import numpy as np

from ..base.atomic import atomic_write, descriptor
from ..errors import FileFormatError
from . import compression

__all__ = ["Progress", "Source", "sink"]

Progress = Callable[[int, int | None], object]
"""Told of the bytes read or written so far, and of all of them, None where that is not known."""

PIECE = 1 << 18  # bytes written at a time: even .xz takes but a tenth of a second for them
BLOCK = 1 << 22  # bytes read at a time: their numbers still fit in a cache
RATIO, SLACK = 200, 1 << 26  # a file may grow RATIO times, and by SLACK bytes, when it is decompressed
VERTICES, PER_BYTE = 1 << 24, 16  # a graph may have VERTICES, or PER_BYTE of them for each byte of text


class Source:
    """A file opened for reading, seen decompressed.

    Parameters
    ----------
    path : path
        The file; whether it is compressed is told by its first bytes.
    progress : callable, optional
        Called with the bytes of the file that were read so far, and with its size.
    max_vertices : int, optional
        How many vertices a graph may have. Default: in proportion to the text read so far.
    """

    def __init__(self, path: Any, progress: Progress | None = None, max_vertices: int | None = None) -> None:
        self.path = os.fspath(path)
        self.max_vertices = max_vertices
        self._raw = open(self.path, "rb")  # noqa: SIM115 (closed by __exit__)
        self._progress = progress
        self._ahead, self._at = b"", 0  # what was peeked at, and how much of it was taken since
        self.taken = 0  # decompressed bytes
        self.marked = False  # whether it begins with the mark of UTF-8
        self.size = os.fstat(self._raw.fileno()).st_size  # 0 of a pipe
        try:
            self._file = self._decompressed()
        except BaseException:
            self._raw.close()
            raise

    def _decompressed(self) -> Any:
        text = compression.decompressed(self._raw)
        self.compressed = text is not None
        if self.compressed and not self._raw.seekable():
            self.fail("a pipe cannot be read compressed: decompress into it")
        return text or self._raw

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        self._raw.close()

    def fail(self, message: str, line: int | None = None) -> NoReturn:
        """Raise the error of a malformed file."""
        raise FileFormatError(str(self.path), message, line)

    def read(self, size: int = -1) -> bytes:
        """Return the next `size` bytes, fewer only at the end of the file; all that are left if negative."""
        if size < 0:
            return b"".join(iter(lambda: self.read(BLOCK), b""))
        ahead = self._ahead[self._at : self._at + size]
        self._at += len(ahead)
        if self._at == len(self._ahead):
            self._ahead, self._at = b"", 0
        return ahead + self._next(size - len(ahead)) if len(ahead) < size else ahead

    def pass_mark(self) -> None:
        """Pass over the mark of UTF-8 that some programs begin a text with."""
        if self.peek(len(BOM_UTF8)) == BOM_UTF8:
            self.read(len(BOM_UTF8))
            self.marked = True

    def exactly(self, size: int) -> bytes:
        """Return the next `size` bytes; fewer are an error, found without allocating for them."""
        parts = [b""]
        while size and (part := self.read(min(size, BLOCK))):
            parts.append(part)
            size -= len(part)
        if size:
            self.fail(f"the file is cut short: {size} more bytes were expected")
        return b"".join(parts)

    def peek(self, size: int = 1 << 16) -> bytes:
        """Return the next bytes without taking them."""
        if (lack := size - len(self._ahead) + self._at) > 0:
            self._ahead, self._at = self._ahead[self._at :] + self._next(lack), 0
        return self._ahead[self._at : self._at + size]

    def _next(self, size: int) -> bytes:
        try:
            data: bytes = self._file.read(size)
        except (EOFError, zlib.error, lzma.LZMAError) as error:
            self.fail(f"the compressed data is damaged or cut short ({error})")
        except Exception as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise
            if compression.tells_of_memory(error):
                self.fail("it cannot be decompressed in the memory there is")
            self.fail(f"the compressed data is damaged ({error})")
        self.taken += len(data)
        done = self._raw.tell() if self._raw.seekable() else self.taken
        if self.compressed and self.taken > SLACK + RATIO * done:
            self.fail(
                f"{done} compressed bytes have become {self.taken}, more than {RATIO} times as many: "
                "that looks like an archive bomb; decompress the file yourself if it is not"
            )
        if self._progress is not None and data:
            self._progress(done, self.size)
        return data

    @property
    def number(self) -> int:
        """The number under which the file is open."""
        return self._raw.fileno()

    def mapped(self) -> mmap.mmap | None:
        """Return the file as memory that all processes share which map it; None if it is compressed, or no file."""
        if self.compressed or not stat.S_ISREG(os.fstat(self.number).st_mode):
            return None
        return mmap.mmap(self.number, 0, access=mmap.ACCESS_READ)

    def limit(self) -> int:
        """Return how many vertices the graph may have, given how much was read of it."""
        return max(VERTICES, PER_BYTE * self.taken) if self.max_vertices is None else self.max_vertices

    def check_vertices(self, n: int, line: int | None = None) -> int:
        """Return a number of vertices if the graph may have as many."""
        if n > self.limit():
            self.fail(f"{n} vertices are more than {too_many(self.limit())}", line)
        return n

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Yield the text in blocks of whole lines, each with the number of its first line."""
        line, parts = 1, [b""]
        while chunk := self.read(BLOCK):
            if b"\0" in chunk:
                before = b"".join([*parts, chunk]).split(b"\0")[0]
                self.fail("the file holds binary data, not text", line + before.count(b"\n"))
            cut = chunk.rfind(b"\n") + 1
            if cut:
                block = b"".join([*parts, chunk[:cut]])
                yield line, block
                line += int(np.count_nonzero(np.frombuffer(block, np.uint8) == ord("\n")))  # faster than count()
                parts = []
            parts.append(chunk[cut:])
        if last := b"".join(parts):
            yield line, last


def too_many(limit: int) -> str:
    """Return the end of a message about more vertices than `limit`."""
    return (
        f"the {limit} that a file of this size may have; if it is right, allow it with max_vertices= (--max-vertices)"
    )


class _Pieces:
    """A file that is written to in pieces: between them signals are heeded, and progress is told."""

    def __init__(self, file: IO[bytes], progress: Progress | None) -> None:
        self._file, self._progress = file, progress
        self._done = 0
        self.flush = file.flush

    def write(self, data: Any) -> int:
        """Write all of the data."""
        view = memoryview(data).cast("B")
        for at in range(0, len(view), PIECE):
            piece = view[at : at + PIECE]
            self._file.write(piece)
            self._done += len(piece)
            if self._progress is not None:
                self._progress(self._done, None)
        return len(view)


@contextmanager
def sink(path: Any, progress: Progress | None = None) -> Iterator[Any]:
    """Open a file for writing, whole or not at all, compressed by its ending; what is open already, as it comes."""
    suffix = Path(os.path.realpath(path)).suffix.lower() if descriptor(path) is None else ""
    with atomic_write(path) as raw, _compressed(raw, suffix) as file:
        yield _Pieces(file, progress)


@contextmanager
def _compressed(raw: Any, suffix: str) -> Iterator[Any]:
    if suffix not in compression.FORMATS:
        yield raw
        return
    try:
        with compression.FORMATS[suffix].writer(raw) as file:
            yield file
    except Exception as error:
        if compression.tells_of_memory(error):
            raise MemoryError(f"the file cannot be compressed in the memory there is ({error})") from error
        raise
