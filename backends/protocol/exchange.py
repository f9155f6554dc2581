"""Exchange: what the processes that share a search tell each other after each level."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Exchange", "frontier_form"]


class Exchange(ABC):
    """What joins the parts of a search: those of this process, and those of others.

    Every method is collective: all processes call the same ones in the same order.

    Attributes
    ----------
    parts : range
        Which parts are in this process.
    count : int
        How many there are in all.
    sent : int
        Bytes that this process has sent so far, to each of the others.
    """

    parts: range
    count: int
    sent: int

    @abstractmethod
    def stats(self, mine: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows of all parts, of those here `mine`."""

    @abstractmethod
    def frontier(self, mine: Sequence[NDArray[Any]], form: str, sizes: NDArray[np.int64]) -> NDArray[Any]:
        """Return the frontier of all parts, side by side: labels as a ``"list"``, words as a ``"bitmap"``.

        `mine` are those of the parts here, `sizes` how many vertices each part has found.
        """


def frontier_form(size: int, labels: int, width: int) -> str:
    """Return as what a frontier of so many vertices takes fewer bytes: a list of labels, or a bitmap over all.

    Examples
    --------
    >>> frontier_form(10, 1024, 4), frontier_form(33, 1024, 4)
    ('list', 'bitmap')
    """
    return "list" if 8 * size * width <= labels else "bitmap"
