r"""Lines that say something: blank ones and comments are passed over in bulk, however many there are.

What a comment is depends on the format, and is given by its marks:

``#%/``     # % or // after any blanks: lists of edges, entries of Matrix Market
``%``       % after any blanks: what comes before those entries, METIS
``cn``      the words c, and n of lines that say something of a node: DIMACS

Blanks are spaces, tabs and carriage returns.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

__all__ = ["DIMACS", "EDGES", "first", "line_at", "said", "starts"]

EDGES, DIMACS = b"#%/", b"cn"

_END, _SLASH = ord("\n"), ord("/")
_BLANK = np.isin(np.arange(256), list(b" \t\r\n"))


def starts(block: bytes, marks: bytes = EDGES) -> NDArray[np.intp]:
    r"""Return where the lines begin that are neither blank nor comments.

    Examples
    --------
    >>> starts(b"# c\n\n0 1\n \r\n // c\n\t1 2").tolist()
    [5, 18]
    """
    text = np.frombuffer(block + b"\n\n", np.uint8)  # so that each line has an end, and each character one after it
    ends = np.flatnonzero(text == _END)[:-1]
    begins = np.concatenate([[0], ends[:-1] + 1])
    heads = _heads(text, begins, ends)
    head, after = text[heads], text[heads + 1]
    passed = head == _END
    for mark in marks:
        comment = head == mark
        if mark == _SLASH:
            comment &= after == _SLASH
        elif chr(mark).isalpha():
            comment &= _BLANK[after]
        passed |= comment
    found: NDArray[np.intp] = begins[~passed]
    return found


def _heads(text: NDArray[np.uint8], begins: NDArray[np.intp], ends: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return where the first character of each line is that is not blank; its end if there is none."""
    first = text[begins]
    indented = np.flatnonzero(_BLANK[first] & (first != _END))
    if not len(indented):
        return begins
    solid = np.append(np.flatnonzero(~_BLANK[text]), len(text))
    heads = begins.copy()
    heads[indented] = np.minimum(solid[np.searchsorted(solid, begins[indented])], ends[indented])
    return heads


def first(block: bytes, marks: bytes = EDGES, at: int = 0) -> int:
    r"""Return where the first line at or after `at` begins that is neither blank nor a comment, -1 if none does.

    `at` is the beginning of a line.

    Examples
    --------
    >>> first(b"# c\n\n0 1\n1 2\n"), first(b"\n# c\n")
    (5, -1)
    """
    if block[at : at + 1].isdigit():  # as most lists begin
        return at
    size = 1 << 10
    while at < len(block):
        end = block.find(b"\n", min(at + size, len(block))) + 1 or len(block)
        found = starts(block[at:end], marks)
        if len(found):
            return at + int(found[0])
        at, size = end, min(8 * size, 1 << 22)
    return -1


def line_at(block: bytes, at: int) -> bytes:
    """Return the line that begins at `at`, without its end."""
    end = block.find(b"\n", at)
    return block[at:] if end < 0 else block[at:end]


def said(block: bytes, marks: bytes = EDGES) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are neither blank nor comments, each after where it begins."""
    for at in starts(block, marks).tolist():
        yield at, line_at(block, at)
