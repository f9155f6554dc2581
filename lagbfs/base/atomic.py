"""Files that are written whole or not at all."""

from __future__ import annotations

import io
import os
import re
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from os import PathLike
from pathlib import Path
from typing import IO, NoReturn

from ..errors import InvalidValueError

__all__ = ["atomic_write", "descriptor"]

_OPEN = re.compile(r"/(?:dev|proc/self|proc/thread-self)/fd/(\d+)")
_NAMED = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
_MOST_LINKS = 40


@contextmanager
def atomic_write(path: str | PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file for writing, which takes the place of an old one, and its permissions, only when it is complete.

    What is no file, a pipe or a device, is written to as it comes. So is what is open already, such as
    ``/dev/stdout``, from where it stands: a file that it was redirected to keeps what it has.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "a"
    ...     with atomic_write(path) as file:
    ...         _ = file.write(b"all of it")
    ...     path.read_bytes()
    b'all of it'
    """
    target = Path(os.path.realpath(path))
    if (number := descriptor(path)) is not None:
        with _already_open(number) as file:
            yield file
    elif target.is_dir():
        raise InvalidValueError(f"path must be a file to write to, not the directory {path}")
    elif target.exists() and not target.is_file():
        with open(target, "wb") as file:
            yield file
    else:
        with _replacing(target) as file:
            yield file


def descriptor(path: str | PathLike[str]) -> int | None:
    """Return the number of the open file that a path such as ``/dev/stdout`` stands for, None if it stands for none.

    Examples
    --------
    >>> descriptor("/dev/stdout"), descriptor("/dev/fd/7"), descriptor("graph.mtx")
    (1, 7, None)
    """
    name = os.fspath(path)
    for _ in range(_MOST_LINKS):
        if name in _NAMED:
            return _NAMED[name]
        if match := _OPEN.fullmatch(name):
            return int(match[1])
        if not os.path.islink(name):
            return None
        name = os.path.normpath(os.path.join(os.path.dirname(name), os.readlink(name)))
    return None


@contextmanager
def _replacing(target: Path) -> Iterator[IO[bytes]]:
    """Write beside a file, under a name that no other writer has, and put the result in its place."""
    beside = target.with_name(f".lagbfs-{secrets.token_hex(8)}.part")
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
    # Nobody can read it who may not read the old file; of a new one the umask decides. No Python runs between opening
    # it and having the file object: an interrupt there would leave it open for good.
    create = partial(os.open, mode=0o666 if mode is None else mode)
    try:
        with open(beside, "xb", opener=create) as file:
            if mode is not None:
                os.chmod(beside, mode)
            yield file
        os.replace(beside, target)
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def _already_open(number: int) -> Iterator[IO[bytes]]:
    if number == 1 and sys.stdout is not None:
        sys.stdout.flush()  # what was printed before comes before
    with io.BufferedWriter(_Stream(os.dup(number), "wb")) as file:
        yield file


class _Stream(io.FileIO):
    """An open file from where it stands: with ``>> file`` nobody could go back, whatever the file says."""

    def seekable(self) -> bool:
        return False

    def seek(self, *_: int) -> NoReturn:
        raise io.UnsupportedOperation("seek")

    def tell(self) -> NoReturn:
        raise io.UnsupportedOperation("tell")
