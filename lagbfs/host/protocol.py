"""Routines: what kernels may do for the host beside products and searches, all of it on plain arrays.

Index arrays are int32 or int64, an indptr never narrower than the indices. Every implementation gives the same
results; parsers may differ in where they stop.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from numpy.typing import NDArray

from .experience import Experience

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
        values: Array | None = None,
        fold: str = "",
        dedup: bool = True,
        symmetrize: bool = False,
        drop_loops: bool = False,
        wide_offsets: bool = False,
    ) -> tuple[Array, Array, Array | None]:
        """Return indptr and indices of coordinates in order, and their values if there are any.

        `symmetrize` enters each the other way round, too, with the same value, and `drop_loops` leaves those out that
        name one vertex twice. With `dedup`, duplicates become one: its value is the first of theirs, or what the
        operator `fold` makes of them, one by one in the order they were given in. `wide_offsets` asks for an indptr of
        64 bits where 32 might do.
        """
        ...

    def transpose(
        self, indptr: Array, indices: Array, ncols: int, values: Array | None = None
    ) -> tuple[Array, Array, Array | None]:
        """Return indptr and indices of the transpose and, if there are any, its values."""
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

    def unite_lists(self, u: Array, x: Array, v: Array, y: Array) -> tuple[Array, Array, Array, Array, Array]:
        """Return indices and values of all entries of two lists, where both have one that of the second.

        And which of the result both have, and where those are in the one and in the other. A list is its indices,
        int64 and ascending, and its values; those are of one dtype.
        """
        ...

    def meet_lists(self, u: Array, v: Array) -> tuple[Array, Array, Array]:
        """Return the indices that two lists have both, and where they are in the one and in the other."""
        ...

    def pick(self, flags: Array, x: Array, y: Array) -> Array:
        """Return the values of x where a flag is set, those of y elsewhere; both are of one dtype and length."""
        ...

    def write_list(
        self, w: Array, x: Array, z: Array, y: Array, mask: Array, *, complement: bool, replace: bool
    ) -> tuple[Array, Array]:
        """Return indices and values of the list (w, x) after w⟨mask, replace⟩ = z, a list (z, y).

        The mask is a list of positions, or a bool for each; as a `complement` it allows all others.
        """
        ...

    def merge(
        self,
        indptr: Array,
        indices: Array,
        values: Array | None,
        other_indptr: Array,
        other_indices: Array,
        other_values: Array | None,
        op: str,
        *,
        intersect: bool,
    ) -> tuple[Array, Array, Array | None]:
        """Return indptr, indices and values of the union, or the intersection, of two matrices.

        Where both have an entry, `op`, one that `combining.knows` over their dtype, makes one value of two. A single
        value is that of all entries; without values there are none in the result.
        """
        ...

    def band(
        self, indptr: Array, indices: Array, values: Array | None, slope: int, low: int, high: int
    ) -> tuple[Array, Array, Array | None]:
        """Return the entries with slope · i + low <= j < slope · i + high, as indptr, indices and values."""
        ...

    def flagged(
        self, indptr: Array, indices: Array, values: Array | None, flags: Array
    ) -> tuple[Array, Array, Array | None]:
        """Return the entries whose flag is true, as indptr, indices and values."""
        ...

    def fold_groups(self, op: str, values: Array, starts: Array) -> Array:
        """Return what the values of each group fold into by an operator that `combining.folds`; of an empty group, 0.

        Group g has the values from starts[g] to starts[g + 1]. There are eight sums, of every eighth value each, which
        are then added pair by pair.
        """
        ...

    def fold_columns(self, op: str, indptr: Array, indices: Array, values: Array, ncols: int) -> tuple[Array, Array]:
        """Return which columns have entries, and what the values of each fold into, 0 where there are none.

        There is a sum for each of some blocks of rows (`blocks_of`), in which values are added one by one.
        """
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
        scramble: int | None = None,
        first: int = 0,
    ) -> tuple[Array, Array]:
        """Return the ends of R-MAT edges from the `first` on, int32 for scales below 32.

        `bounds` are A, A+B and A+B+C times 2³²; `names`, if any, rename the vertices, or, if it is a number, the
        permutation `random_words.scrambled` of the stream `scramble`.
        """
        ...

    def attach(self, n: int, m: int, seed: int, stream: int) -> Array:
        """Return the vertices that m … n - 1 join by preferential attachment, m each, ascending."""
        ...

    def check_edges(
        self,
        indptr: Array,
        indices: Array,
        levels: Array,
        parents: Array | None,
        limit: int,
        confirmed: Array,
        first: int = 0,
    ) -> int:
        """Return the first edge that leads too far from a reached vertex below level `limit`; all their number if none.

        Too far is to one not reached, or more than a level further on. Where no edge does, `confirmed` becomes true at
        the ends of tree edges: those from parents or, without `parents`, any from the level before. Column v stands for
        vertex first + v; `parents` and `confirmed` are of the columns alone.
        """
        ...

    def inspect_rows(
        self, indptr: Array, indices: Array, ncols: int, values: Array | None, keys: tuple[int, int, int]
    ) -> tuple[int, int, int]:
        """Return the first row that is not right, the number of rows if all are, and then two fingerprints.

        Rows are right if their entries lie among the indices, one row's after the other's, and the columns of each
        ascend strictly in [0, ncols). Nothing is taken for granted but that there is a first element of `indptr`. The
        fingerprints are those of the entries and of the transpose's, with `values` as unsigned integers if given: sums
        mod 2⁶⁴ that are the same for the same entries in any order, and hardly ever for others if keys are random.
        """
        ...

    def depths(self, parents: Array) -> tuple[Array, int]:
        """Return how deep each vertex lies in the forest that `parents` describe, int32, -1 where that is negative.

        And the first vertex whose parents lead to no root, which is its own parent; the number of vertices if all do.
        Only then the depths mean anything.
        """
        ...

    def in_order(
        self, indptr: Array, indices: Array, t_indptr: Array, t_indices: Array, sources: Array, depth: int
    ) -> tuple[Array, Array]:
        """Return the vertices within `depth` levels of the sources, as a first-in-first-out search finds them.

        And the parent of each vertex, -1 for those not reached: the first in that order that has an edge to it. The
        sources, all different, come first, as they are given. The transpose is given too.
        """
        ...

    def search_as_given(self, indptr: Array, indices: Array, sources: Array, depth: int) -> tuple[Array, Array]:
        """Return what `in_order` does, of rows that need not be sorted: neighbours are found in their order.

        An indptr of int64, indices of int32.
        """
        ...

    def neighbors(
        self, adjacency: Any, numbers: dict[Any, int] | None, name: str | None, missing: Any
    ) -> tuple[Array, Array, Array | None] | None:
        """Return a dictionary's neighbours, by node, with their data: where rows start, int64, and who they are, int32.

        They come in their order, as numbers: those given for the nodes, or nodes themselves, which then are ints. The
        values are what the data has under a name, or what is `missing`, as int64, or as float64 if there is a float.
        Without a name there are none. The result is None where anything is no plain dictionary or number, which is for
        others to look at.
        """
        ...

    def experience(
        self, arms: Sequence[int], groups: Sequence[int], priors: Sequence[float], edges: float
    ) -> Experience:
        """Return what a selector learns of levels of at most so many edges, of rows of these arms and groups."""
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
