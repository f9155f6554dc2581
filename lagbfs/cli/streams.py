"""Standard input and output, which a command's files may be: ``-`` stands for them."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..base.atomic import descriptor
from ..errors import FileFormatError, InvalidValueError
from .progress import Progress

__all__ = ["is_stdin", "is_stdout", "said", "stdin_as_file", "target"]

_PIECE = 1 << 20  # bytes
_STDIN, _STDOUT = "standard input", "standard output"


def target(text: str) -> Path:
    """Return the file to write to: of ``-``, standard output."""
    return Path("/dev/stdout" if text == "-" else text)


def is_stdin(path: str | Path) -> bool:
    """Whether a file to read is standard input."""
    return str(path) == "-" or descriptor(path) == 0


def is_stdout(path: Any) -> bool:
    """Whether an option is a file to write that is standard output."""
    return isinstance(path, Path) and descriptor(path) == 1


def said(path: Path) -> str:
    """Return what to call a file that was written."""
    return _STDOUT if is_stdout(path) else str(path)


@contextmanager
def stdin_as_file(progress: Progress) -> Iterator[Path]:
    """Keep all of standard input in a file for as long as it is read: what is compressed has to be gone back in."""
    if sys.stdin is None:
        raise InvalidValueError("standard input is closed: there is nothing to read")
    with tempfile.TemporaryDirectory(prefix="lagbfs-") as folder:
        path = Path(folder) / "stdin"
        with open(path, "wb") as file:
            while data := sys.stdin.buffer.read(_PIECE):
                file.write(data)
                progress(file.tell(), None)
        try:
            yield path
        except FileFormatError as error:
            raise error.of(_STDIN) from None
