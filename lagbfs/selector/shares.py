"""Shares of the threads that a level may be given, and what it is expected to take on each.

backends/native/shares.hpp computes the same, to the last bit, and says how prices go on with the number of threads.
"""

from __future__ import annotations

import math

__all__ = ["ALL", "HALF", "ONE", "SHARES", "Shares"]

ONE, HALF, ALL, SHARES = range(4)


class Shares:
    """Which shares there are of so many threads: one of them, half from four on, all.

    Levels are priced for one thread and for `priced` of them.
    """

    __slots__ = ("_exponents", "_most_gained", "_threads")

    def __init__(self, threads: int, priced: int = 2) -> None:
        self._threads = 1, threads // 2, threads
        self._most_gained = 1.0 / priced
        logs = [math.log(max(used, 1)) for used in self._threads]
        self._exponents = [log / math.log(priced) if priced > 1 else 0.0 for log in logs]

    @property
    def offered(self) -> list[int]:
        """The shares that there are."""
        return [s for s in range(SHARES) if s == ONE or self._threads[ALL] >= (4 if s == HALF else 2)]

    def threads(self, share: int) -> int:
        """Return how many threads a share is."""
        return self._threads[share]

    def price(self, alone: float, together: float, share: int) -> float:
        """Return the nanoseconds expected of a level of these prices."""
        exponent = self._exponents[share]
        if share == ONE:
            return alone
        return together if exponent == 1 else alone * math.pow(max(together / alone, self._most_gained), exponent)
