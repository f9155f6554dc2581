"""Exchanges within one process, and one that is as slow as a network."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter, sleep
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..protocol import Exchange

__all__ = ["DelayedExchange", "LocalExchange"]


class LocalExchange(Exchange):
    """All parts are here: nothing is sent."""

    def __init__(self, count: int) -> None:
        self.parts, self.count, self.sent = range(count), count, 0

    def stats(self, mine: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return what was given: it is all there is."""
        return mine

    def frontier(self, mine: Sequence[NDArray[Any]], form: str, sizes: NDArray[np.int64]) -> NDArray[Any]:
        """Return the parts' frontiers side by side."""
        return mine[0] if len(mine) == 1 else np.concatenate(mine)


class DelayedExchange(LocalExchange):
    """All parts are here, and wait for each other as if each were at the other end of a wire.

    Parameters
    ----------
    count : int
        How many parts there are.
    latency : float
        Seconds that a message takes.
    bandwidth : float
        Bytes a second beside that.
    """

    def __init__(self, count: int, latency: float, bandwidth: float) -> None:
        super().__init__(count)
        self.latency, self.bandwidth = latency, bandwidth

    def stats(self, mine: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return what was given, as late as it would come."""
        self._wait(mine.nbytes // self.count)
        return super().stats(mine)

    def frontier(self, mine: Sequence[NDArray[Any]], form: str, sizes: NDArray[np.int64]) -> NDArray[Any]:
        """Return the parts' frontiers side by side, as late as the largest would come."""
        self._wait(max(piece.nbytes for piece in mine))
        return super().frontier(mine, form, sizes)

    def _wait(self, size: int) -> None:
        """Wait as long as a message of so many bytes takes."""
        self.sent += size
        self._until(perf_counter() + self.latency + size / self.bandwidth)

    def _until(self, end: float) -> None:
        """Sleep, but for what is too short for the system's clock: that is spun away."""
        sleep(max(end - perf_counter() - 1e-4, 0))
        while perf_counter() < end:
            pass
