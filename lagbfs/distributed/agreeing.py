"""What all ranks do, or none of them, and what they go by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from zlib import crc32

from numpy.typing import NDArray

from ..backends.partitioned.ranks import Ranks
from ..backends.protocol import Selector
from ..errors import LagbfsError
from ..selector import models

__all__ = ["few", "model_of_all", "together"]

T = TypeVar("T")


def together(ranks: Ranks, work: Callable[[], T], said: str | Callable[[T], str] = "") -> T:
    """Return what this rank's work gives; if that of any rank fails, all raise.

    To fail is to find arguments or a file wrong, or no room. `said` is what they were asked for, or says it of the
    result: it must be the same on all.

    Examples
    --------
    >>> from lagbfs.backends.partitioned.ranks import Alone
    >>> together(Alone(), lambda: 5)
    5
    """
    failed: Exception | None = None
    try:
        result = work()
    except (LagbfsError, OSError, TypeError, MemoryError) as error:
        failed = error
    ranks.agree(failed, "" if failed is not None else said if isinstance(said, str) else said(result))
    return result


def few(vertices: NDArray[Any]) -> str:
    """Return some vertices in words, many of them by their number and a checksum.

    Examples
    --------
    >>> import numpy as np
    >>> few(np.array([3, 5])), few(np.arange(20))
    ('[3 5]', '20 vertices (b703573f)')
    """
    return str(vertices) if len(vertices) < 9 else f"{len(vertices)} vertices ({crc32(vertices.tobytes()):x})"


def model_of_all(ranks: Ranks, entries: int) -> Selector:
    """Return the model of the learned selector that rank 0 has for a matrix of so many entries: that of its machine.

    It travels as the text of its file, and is checked as a file is.
    """
    with ranks.about("telling rank 0's model"):
        own = together(ranks, lambda: models.exported(models.current(entries)) if ranks.rank == 0 else None)
        text = ranks.bcast(own)
        assert text is not None
        return models.parse(text, "rank 0's model")
