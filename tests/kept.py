"""Files that tests compile, kept in the user's cache by the content of what they are made of.

Wherever the checkout lies: a fresh clone finds what another has made.
"""

import hashlib
import os
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from platformdirs import user_cache_path

CACHE = user_cache_path("lagbfs") / "tests"
UNUSED = 7 * 24 * 3600  # seconds after which a file goes that no test has asked for


def kept(name: str, content: Iterable[str | bytes], make: Callable[[Path], object]) -> Path:
    """Return the file of this name that follows from a content: as it was made before, or by ``make(path)``."""
    said = b"\0".join(part.encode() if isinstance(part, str) else part for part in content)
    folder = CACHE / hashlib.sha256(said).hexdigest()[:24]
    if not (folder / name).exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as aside:
            make(Path(aside, name))
            Path(aside, name).replace(folder / name)  # whole, whoever else makes it at the same time
        _forget()
    os.utime(folder / name)
    return folder / name


def _forget() -> None:
    """Remove files that have not been asked for of late."""
    for path in CACHE.glob("*/*"):
        if path.is_file() and path.stat().st_mtime < time.time() - UNUSED:
            path.unlink(missing_ok=True)
