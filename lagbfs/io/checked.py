"""Files that this version has looked at as a whole, and that are the same since, by what the system says of them.

A file is known by its device, its number there, its size, and the times at which its content and its entry last
changed; the second, ctime, nobody can set. In this user's cache an empty file stands for each, named by a hash
of these.
"""

from __future__ import annotations

import os
import time
from hashlib import sha256
from pathlib import Path

from ..base.version import VERSION

__all__ = ["is_known", "place", "remember"]

_SETTLED = 2.0  # seconds in which a file may change twice at what the system takes for one time
_MOST = 1000  # files remembered


def place(number: int) -> Path | None:
    """Return where it would be remembered that the file open under this number was looked at as it is now.

    None where the system's word is not enough.
    """
    from platformdirs import user_cache_path

    if os.name != "posix":
        return None  # there st_ctime is when a file was made
    is_ = os.fstat(number)
    text = f"{VERSION} {is_.st_dev} {is_.st_ino} {is_.st_size} {is_.st_mtime_ns} {is_.st_ctime_ns}"
    return user_cache_path("lagbfs", appauthor=False) / "checked" / sha256(text.encode()).hexdigest()


def is_known(where: Path | None) -> bool:
    """Whether a file was looked at as it is."""
    return where is not None and where.exists()


def remember(where: Path | None, number: int) -> None:
    """Remember a file that was looked at, unless it has changed meanwhile, or just before. No failure matters."""
    if where is None or where != place(number) or abs(time.time() - os.fstat(number).st_ctime) < _SETTLED:
        return
    try:
        where.parent.mkdir(parents=True, exist_ok=True)
        where.touch()
        _forget_most(where.parent)
    except OSError:
        return


def _forget_most(folder: Path) -> None:
    """Drop the older half of what is remembered once it is too much."""
    known = list(folder.iterdir())
    if len(known) > _MOST:
        known.sort(key=lambda path: path.stat().st_mtime)
        for path in known[: len(known) // 2]:
            path.unlink(missing_ok=True)
