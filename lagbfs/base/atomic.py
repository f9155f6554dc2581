"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import IO

from ..errors import InvalidValueError

__all__ = ["atomic_write"]


@contextmanager
def atomic_write(path: str | PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file for writing, which takes the place of an old one only when it is complete.

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
    if target.is_dir():
        raise InvalidValueError(f"path must be a file to write to, not the directory {path}")
    if target.exists() and not target.is_file():
        with open(target, "wb") as file:
            yield file  # a pipe or a device: nothing there to lose
        return
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with open(partial, "xb") as file:
            yield file
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)
