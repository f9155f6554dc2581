"""Text to integers by NumPy, where it is nothing but equally many of them in each line."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["integer_columns"]

_DIGITS = 18  # whole numbers of no more digits always fit in 64 bits


def integer_columns(text: bytes, least: int, *, more: bool) -> NDArray[Any] | None:
    r"""Return the integers in rows as the lines have them, None if there are other things or another number of columns.

    Examples
    --------
    >>> integer_columns(b"1 2\n3 4\n", 2, more=False).tolist()
    [[1, 2], [3, 4]]
    """
    text = text.replace(b"\r\n", b"\n")
    if text.translate(None, b"0123456789 \t\n"):
        return None
    columns = _columns(text)
    if columns < least or (columns > least and not more):
        return None
    return np.fromstring(text, np.int64, sep=" ").reshape(-1, columns)


def _columns(text: bytes) -> int:
    """Return how many numbers there are in each line that has any; 0 if not equally many, or if one is long."""
    characters = np.frombuffer(text, np.uint8)
    digit = np.concatenate([[False], characters > ord(" "), [False]])
    starts, ends = np.flatnonzero(digit[1:] & ~digit[:-1]), np.flatnonzero(digit[:-1] & ~digit[1:])
    if not len(starts) or (ends - starts).max() > _DIGITS:
        return 0
    breaks = np.concatenate([np.flatnonzero(characters == ord("\n")), [len(characters)]])
    counts = np.diff(np.searchsorted(starts, breaks), prepend=0)
    kinds = np.unique(counts[counts > 0])
    return int(kinds[0]) if len(kinds) == 1 else 0
