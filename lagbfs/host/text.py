"""Text to integers by NumPy, where it is nothing but these: equally many in each line, or any number."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["integer_columns", "integer_rows"]

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
    if (counts := _counts(text)) is None:
        return 0
    kinds = np.unique(counts[counts > 0])
    return int(kinds[0]) if len(kinds) == 1 else 0


def _counts(text: bytes) -> NDArray[Any] | None:
    """Return how many numbers there are in each line and after the last, None if one is long."""
    characters = np.frombuffer(text, np.uint8)
    digit = np.concatenate([[False], characters > ord(" "), [False]])
    starts, ends = np.flatnonzero(digit[1:] & ~digit[:-1]), np.flatnonzero(digit[:-1] & ~digit[1:])
    if (ends - starts).max(initial=0) > _DIGITS:
        return None
    breaks = np.concatenate([np.flatnonzero(characters == ord("\n")), [len(characters)]])
    return np.diff(np.searchsorted(starts, breaks), prepend=0)


def integer_rows(text: bytes) -> tuple[NDArray[Any], NDArray[Any]] | None:
    r"""Return the integers of all lines and how many each has, but for those that start with %; None if there is more.

    Examples
    --------
    >>> values, counts = integer_rows(b"1 2\n\n%\n3\n")
    >>> values.tolist(), counts.tolist()
    ([1, 2, 3], [2, 0, 1])
    """
    text = text.replace(b"\r\n", b"\n")
    if b"%" in text:
        text = _without_comments(text)
    if text.translate(None, b"0123456789 \t\n") or (counts := _counts(text)) is None:
        return None
    values = np.fromstring(text, np.int64, sep=" ") if counts.any() else np.empty(0, np.int64)
    return values, counts[:-1] if not text or text.endswith(b"\n") else counts


def _without_comments(text: bytes) -> bytes:
    characters = np.frombuffer(text, np.uint8)
    begins = np.concatenate([[0], np.flatnonzero(characters[:-1] == ord("\n")) + 1])
    kept = characters[begins] != ord("%")
    return bytes(characters[np.repeat(kept, np.diff(begins, append=len(characters)))])
