"""How much memory there is, asked before much is taken: a system that runs out ends the process without a word."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import NoReturn

from ..errors import OutOfMemoryError

try:
    import resource
except ImportError:  # on Windows
    resource = None  # type: ignore[assignment]

__all__ = ["available", "demand", "peak", "refuse", "room"]

MEMINFO = Path("/proc/meminfo")
_STATM = Path("/proc/self/statm")
_SMALL = 1 << 25  # bytes up to which nobody asks: that takes some microseconds


def available() -> int | None:
    """Return how many bytes can still be taken, None if the system does not tell.

    That is what is available of the memory and free of the swap space, or else all memory, and no more than the limit
    of the process (RLIMIT_AS) leaves.

    Examples
    --------
    >>> size = available()
    >>> size is None or size > 0
    True
    """
    bounds = [bound for bound in (_of_system(), _of_process()) if bound is not None]
    return min(bounds, default=None)


def demand(what: str, size: int) -> None:
    """Raise OutOfMemoryError, a MemoryError, if there are fewer than `size` bytes for `what`."""
    if size > _SMALL and size > (most := room()):
        refuse(what, size, most)


def room() -> int:
    """Return how many bytes may be taken: those available, any number if the system does not tell.

    Examples
    --------
    >>> room() >= 1 << 25
    True
    """
    size = available()
    return sys.maxsize if size is None else max(size, _SMALL)


def refuse(what: str, size: int, most: int) -> NoReturn:
    """Raise MemoryError: `what` takes `size` bytes, and there is room for fewer."""
    raise OutOfMemoryError(
        f"{what} does not fit in memory: it takes {size:,} bytes or more, and {most:,} are available"
    )


def peak() -> int | None:
    """Return how many bytes of memory this process has held at most, None if the system does not tell.

    Examples
    --------
    >>> size = peak()
    >>> size is None or size > 0
    True
    """
    if resource is None:
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _of_system() -> int | None:
    try:
        sizes = dict(re.findall(r"^(MemAvailable|SwapFree): *(\d+) kB$", MEMINFO.read_text(), re.MULTILINE))
    except OSError:
        sizes = {}
    if "MemAvailable" in sizes:
        return 1024 * sum(map(int, sizes.values()))
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def _of_process() -> int | None:
    if resource is None:
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return None
    try:
        taken = int(_STATM.read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        taken = 0
    return max(limit - taken, 0)
