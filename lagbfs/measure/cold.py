"""Cold searches: what a search takes after other work, its data in no cache and the engine's threads asleep."""

from __future__ import annotations

from functools import cache
from time import sleep
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base import machine

__all__ = ["chill"]

_TIMES, _MOST = 4, 2**28  # the last cache that is read, and bytes of that at most
_ASLEEP = 3e-3  # seconds: threads that wait for work spin for less


@cache
def _other() -> NDArray[Any]:
    size = int(min(_TIMES * machine.caches()[1], _MOST))
    return np.ones(size // 8, np.int64)


def chill() -> None:
    """Fill the caches of this processor with something else, and let idle threads fall asleep.

    Examples
    --------
    >>> chill()
    """
    other = _other()
    other += 1  # written: read alone, lines may be shared
    sleep(_ASLEEP)
