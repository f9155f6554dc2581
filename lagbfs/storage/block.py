"""Block: what one part of a split graph holds.

The vertices of a split graph have labels: each part owns a window of them, which begins at a multiple of `WORD`, so
that sets of vertices, as bitmaps, are the windows' words side by side. Labels that no vertex has pad the windows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .csr import index_dtype
from .rows import Rows

__all__ = ["WORD", "Block", "bitmap_of", "positions_in", "words_of"]

WORD = 64
"""Vertices in a word of a bitmap."""


def words_of(n: int) -> int:
    """Return how many words a bitmap of so many vertices has."""
    return -(-n // WORD)


def bitmap_of(positions: Any, n: int) -> NDArray[np.uint64]:
    """Return a set of positions below n as the words of a bitmap: position v is bit v % 64 of word v // 64.

    Examples
    --------
    >>> bitmap_of([0, 2, 64], 70).tolist()
    [5, 1]
    """
    present = np.zeros(words_of(n) * WORD, bool)
    present[positions] = True
    return np.packbits(present, bitorder="little").view(np.uint64)


def positions_in(words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the positions that a bitmap holds, ascending.

    Examples
    --------
    >>> positions_in(bitmap_of([0, 2, 64], 70)).tolist()
    [0, 2, 64]
    """
    return np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little"))


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """All edges into the vertices that a part owns.

    Attributes
    ----------
    rows : Rows
        Of all labels by the part's own vertices: entry (u, v) is the edge from the vertex labelled u to own vertex v,
        the one labelled ``first + v``.
    degrees : ndarray
        Out-degrees of its own vertices, in the whole graph.
    offsets : tuple of int
        Where the window of each part begins, and where the last one ends.
    part : int
        Which part it is.
    descending : bool
        Whether the degrees descend within each window.
    n, m : int
        Numbers of vertices and edges of the whole graph, vertices without a label included.
    barren : int
        Number of vertices of the whole graph that no edge leads to.
    """

    rows: Rows
    degrees: NDArray[Any]
    offsets: tuple[int, ...]
    part: int
    descending: bool
    n: int
    m: int
    barren: int

    @property
    def first(self) -> int:
        """The label of own vertex 0."""
        return self.offsets[self.part]

    @property
    def size(self) -> int:
        """Number of own vertices."""
        return self.rows.ncols

    @property
    def words(self) -> int:
        """Number of words of the window."""
        return (self.offsets[self.part + 1] - self.first) // WORD

    @property
    def label_dtype(self) -> np.dtype[Any]:
        """The dtype of labels."""
        return np.dtype(index_dtype(self.offsets[-1]))
