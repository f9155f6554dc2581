"""Shares of the threads that a level may be given, and what it is expected to take on each.

backends/native/shares.hpp computes the same, to the last bit, and says how prices divide.
"""

from __future__ import annotations

import math

__all__ = ["ALL", "HALF", "ONE", "SHARES", "Shares"]

ONE, HALF, ALL, SHARES = range(4)
_JOIN = 28000.0
_GAIN = {"push": 0.45, "pull": 0.95}


class Shares:
    """Which shares there are of so many threads: one of them, half from four on, all."""

    __slots__ = ("_threads",)

    def __init__(self, threads: int) -> None:
        self._threads = 1, threads // 2, threads

    @property
    def offered(self) -> list[int]:
        """The shares that there are."""
        return [s for s in range(SHARES) if s == ONE or self._threads[ALL] >= (4 if s == HALF else 2)]

    def threads(self, share: int) -> int:
        """Return how many threads a share is."""
        return self._threads[share]

    def price(self, two: float, direction: str, share: int) -> float:
        """Return the nanoseconds expected of a level that is priced for two threads."""
        divided = two * two / (two + _JOIN)
        alone = divided * math.pow(2.0 / max(self._threads[share], 1), _GAIN[direction])
        return max(alone, two / 2) if share == ONE else alone + (two - divided)
