"""Fused: whole algorithms that an engine computes by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from numpy.typing import NDArray

from ...storage.rows import Rows
from .many import ManyFound, ManyWanted

__all__ = ["Fused"]

Array = NDArray[Any]


class Fused:
    """Whole algorithms that an engine computes by itself, without a product for each step.

    Each method is one algorithm, and what it returns is what the algebra of `lagbfs.algorithms` would, up to the
    rounding of float sums. None means "not here: the algebra computes it": so says every method by default, and an
    engine's own wherever it has no kernel for this matrix, dtype or option. Matrices are square; arguments have been
    checked; arrays returned are the caller's to keep. `threads` is how many to use at most, None as many as the engine
    likes.
    """

    def bfs_many(
        self,
        rows: Rows,
        sources: Array,
        *,
        wanted: ManyWanted,
        way: str | None,
        width: int | None,
        one: Callable[[ManyFound, int], tuple[float, Sequence[int], int]],
        progress: Callable[[float, float | None], None],
        threads: int | None = None,
    ) -> ManyFound | None:
        """Search from each of the sources, int64, and return what they find.

        `way` is one of `WAYS`, None to choose, `width` how many searches at most go in step, None likewise.
        ``one(found, i)`` makes an ordinary search from source i and writes it to `found`; it returns what that took, in
        seconds, how many vertices there are at each level, and how many edges leave them.
        """
        return None

    def components(self, rows: Rows, *, threads: int | None = None) -> Array | None:
        """Return for each vertex the smallest vertex of its weakly connected component, in the dtype of the indices."""
        return None

    def pagerank(
        self,
        rows: Rows,
        *,
        damping: float,
        tol: float,
        max_iter: int,
        personalization: Array | None,
        start: Array | None,
        dangling: Array | None,
        weighted: bool,
        in_place: bool = False,
        threads: int | None = None,
    ) -> tuple[Array, int, float] | None:
        """Return ranks (float64), the number of iterations and the error of the last one.

            r'_j = d · (Σ_i r_i · w_ij / Σ_k w_ik  +  dangling_j · Σ r_i over i without out-weight)
                   + (1 - d) · personalization_j

        until the error Σ_j |r'_j - r_j| is less than `tol` (as it is given: not times n) or `max_iter` iterations were
        made, which is no error here. `personalization`, `start` and `dangling` are float64 that sum to 1, one for each
        vertex; None is 1/n each, for `dangling` as `personalization`. Without `weighted`, all w are 1, whatever
        the values. With `in_place`, a new rank counts at once for whoever reads it next: the limit is the same, the
        iterations are mostly fewer; by several threads, ranks differ from run to run, within `tol`.
        """
        return None

    def sssp(
        self,
        rows: Rows,
        sources: Array,
        *,
        delta: float | None,
        cutoff: float | None,
        targets: Array | None,
        threads: int | None = None,
    ) -> tuple[Array, Array] | None:
        """Return the distance of each vertex from the nearest source, and its parent on a shortest path.

        Weights are the values, none of them negative or NaN. Distances are float64, inf where there is no path; parents
        of the indices' dtype, -1 there, a source its own. `delta` is the width of buckets, None to choose it. Vertices
        further than `cutoff` are not reached. Given `targets`, it may end as soon as their distances are final: every
        distance returned is then that of some path, and final if it is no greater than the largest of the targets'.
        """
        return None

    def betweenness(self, rows: Rows, sources: Array, *, edges: bool, threads: int | None = None) -> Array | None:
        """Return Σ_s δ_s(v) over the sources, by vertex (a source has none of its own), float64, not normalised.

            δ_s(v) = Σ over w of the next level after v:  σ_v / σ_w · (1 + δ_s(w)),   σ: number of shortest paths from s

        With `edges`, the same by entry of the rows, in their order: the term of edge (v, w), 0 for those on no shortest
        path. Edges all count as 1, whatever their values; a source that is named twice counts twice.
        """
        return None

    def triangles(self, rows: Rows, *, threads: int | None = None) -> Array | None:
        """Return the number of triangles that each vertex is a corner of, int64.

        The pattern is symmetric; loops do not count.
        """
        return None

    def triangle_count(self, rows: Rows, *, threads: int | None = None) -> int | None:
        """Return the number of triangles, which may take less time than where they are; as for `triangles`."""
        return None

    def core_numbers(self, rows: Rows, *, threads: int | None = None) -> Array | None:
        """Return for each vertex the largest k of a k-core that it is in, int32.

        The pattern is symmetric; loops do not count.
        """
        return None
