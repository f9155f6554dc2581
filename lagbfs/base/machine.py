"""What the machine is like: what a selector has to know to judge arms on one it was not trained on."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np

__all__ = ["Machine", "caches", "here"]

_SMALLEST_CACHE = 2**18


class Machine(NamedTuple):
    """Figures of a machine.

    Attributes
    ----------
    threads : int
        Threads that an engine uses by default.
    near_cache, cache : float
        Bytes of the first and of the last level of caches.
    bandwidth : float
        Bytes copied in a second.
    reads : float
        Random reads of four bytes in a second, from more memory than any cache holds.
    """

    threads: int
    near_cache: float
    cache: float
    bandwidth: float
    reads: float


@cache
def here() -> Machine:
    """Return the figures of this machine; the first call measures, for a fraction of a second.

    Examples
    --------
    >>> here().threads >= 1
    True
    """
    near, last = caches()
    return Machine(threads(), near, last, _bandwidth(), _reads())


def threads() -> int:
    """Return how many threads this process may run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def caches() -> tuple[float, float]:
    """Return the bytes of the first and the last level of caches, where the system tells; else a common size."""
    sizes = sorted(_bytes(path) for path in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size"))
    return (sizes[0], max(sizes[-1], _SMALLEST_CACHE)) if sizes else (2.0**15, 2.0**23)


def _bytes(path: Path) -> float:
    match = re.fullmatch(r"(\d+)([KMG]?)\s*", path.read_text())
    return float(match[1]) * 1024 ** " KMG".index(match[2] or " ") if match else _SMALLEST_CACHE


_PROBED = 2**24  # four-byte numbers: 64 MiB


def _bandwidth() -> float:
    source = np.zeros(_PROBED // 2, np.int32)
    target = np.empty_like(source)
    return 2 * source.nbytes / min(_seconds(lambda: np.copyto(target, source)) for _ in range(4))


def _reads() -> float:
    numbers = np.zeros(_PROBED, np.int32)
    at = np.random.default_rng(1).integers(0, _PROBED, 2**18)
    return len(at) / min(_seconds(lambda: numbers[at]) for _ in range(4))


def _seconds(action: object) -> float:
    began = perf_counter()
    action()  # type: ignore[operator]
    return perf_counter() - began
