"""What all ranks do, or none of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ..backends.partitioned.ranks import Ranks
from ..errors import LagbfsError

__all__ = ["together"]

T = TypeVar("T")


def together(ranks: Ranks, work: Callable[[], T], said: str | Callable[[T], str] = "") -> T:
    """Return what this rank's work gives; if that of any rank fails, all raise.

    `said` is what they were asked for, or says it of the result: it must be the same on all.

    Examples
    --------
    >>> from lagbfs.backends.partitioned.ranks import Alone
    >>> together(Alone(), lambda: 5)
    5
    """
    failed: Exception | None = None
    try:
        result = work()
    except (LagbfsError, OSError) as error:
        failed = error
    ranks.agree(failed, "" if failed is not None else said if isinstance(said, str) else said(result))
    return result
