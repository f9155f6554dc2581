"""Routines: what kernels may do for the host beside products and searches, all of it on plain arrays.

Index arrays are int32 or int64, an indptr never narrower than the indices. Every implementation gives the same
results; parsers may differ in where they stop.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from numpy.typing import NDArray

__all__ = ["Routines"]

Array = NDArray[Any]


class Routines(Protocol):
    """Heavy work on plain arrays."""

    def build_csr(
        self,
        src: Array,
        dst: Array,
        nrows: int,
        ncols: int,
        *,
        symmetrize: bool = False,
        drop_loops: bool = False,
        positions: bool = False,
        wide_offsets: bool = False,
    ) -> tuple[Array, Array, Array | None]:
        """Return indptr and indices of coordinates, each once and in order.

        `positions`, if asked for, are those of the coordinates that the entries stand for: of duplicates the first.
        `symmetrize` enters each the other way round, too, and `drop_loops` leaves those out that name one vertex twice;
        neither goes with positions. `wide_offsets` asks for an indptr of 64 bits where 32 might do.
        """
        ...

    def transpose(
        self, indptr: Array, indices: Array, ncols: int, *, positions: bool
    ) -> tuple[Array, Array, Array | None]:
        """Return indptr and indices of the transpose and, if asked for, which entry each of its entries was."""
        ...

    def is_symmetric(self, indptr: Array, indices: Array) -> bool:
        """Whether a square matrix has each entry both ways."""
        ...

    def unite(
        self, indptr: Array, indices: Array, other_indptr: Array, other_indices: Array
    ) -> tuple[Array, Array, Array, Array]:
        """Return indptr and indices of all entries of two matrices, and where each was in the one and in the other.

        Columns ascend strictly in the rows of both; where an entry was not, -1 stands.
        """
        ...

    def locate(self, indptr: Array, indices: Array, other_indptr: Array, other_indices: Array) -> Array:
        """Return, for each entry of a matrix, where it is among those of another one, -1 if it is not."""
        ...

    def rmat_edges(
        self,
        scale: int,
        size: int,
        bounds: Sequence[int],
        *,
        seed: int,
        stream: int,
        names: Array | None,
        threads: int | None,
    ) -> tuple[Array, Array]:
        """Return the ends of R-MAT edges, int32 for scales below 32.

        `bounds` are A, A+B and A+B+C times 2³²; `names`, if any, rename the vertices.
        """
        ...

    def attach(self, n: int, m: int, seed: int, stream: int) -> Array:
        """Return the vertices that m … n - 1 join by preferential attachment, m each, ascending."""
        ...

    def check_edges(
        self, indptr: Array, indices: Array, levels: Array, parents: Array | None, limit: int, confirmed: Array
    ) -> int:
        """Return the first edge that leads too far from a reached vertex below level `limit`; all their number if none.

        Too far is to one not reached, or more than a level further on. Where no edge does, `confirmed` becomes true at
        the ends of tree edges: those from parents or, without `parents`, any from the level before.
        """
        ...

    def depths(self, parents: Array) -> tuple[Array, int]:
        """Return how deep each vertex lies in the forest that `parents` describe, int32, -1 where that is negative.

        And the first vertex whose parents lead to no root, which is its own parent; the number of vertices if all do.
        Only then the depths mean anything.
        """
        ...

    def check_list(self, indptr: Array, indices: Array, src: Array, dst: Array, seen: Array) -> int:
        """Return the first edge of a list, loops aside, that a symmetric matrix has not; the list's length if none.

        `seen` becomes true at the entries that the list has, in either direction.
        """
        ...

    def parse_edges(
        self, text: bytes, lead: bytes, weighted: bool, whole: bool, more: bool, base: int, limit: int
    ) -> tuple[Array, Array, Array | None, int]:
        """Return sources, targets and weights of the lines of an edge list, and where it stopped: -1 if nowhere.

        It may stop where a line is not ordinary, in which case nothing it returns means anything. `base` is subtracted
        from indices, which must then lie in [0, limit). A `lead` starts each line; `whole` allows only integers as
        weights, `more` further columns.
        """
        ...

    def parse_rows(self, text: bytes) -> tuple[Array, Array, int]:
        """Return the integers of all lines, how many there are in each, and where it stopped likewise."""
        ...
