"""Graphs that the ranks draw together: each its share of the list of edges."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import graphs
from ..backends.partitioned.ranks import Ranks
from ..base import checks
from .agreeing import together
from .building import Edges
from .dealing import slice_of

__all__ = ["kronecker_edges"]


def kronecker_edges(
    ranks: Ranks, scale: int, edge_factor: int, *, seed: int, permutation: str, threads: int | None = None
) -> Edges:
    """Return this rank's share of the edges that `lagbfs.graphs.kronecker_edges` draws."""

    def drawn() -> Edges:
        size = checks.integer("edge_factor", edge_factor, low=1) << checks.integer("scale", scale, low=0)
        span = slice_of(size, ranks.rank, ranks.size)
        options: dict[str, Any] = {"seed": seed, "permutation": permutation, "span": span, "threads": threads}
        src, dst = graphs.kronecker_edges(scale, edge_factor, **options)
        return Edges(src, dst, np.array(True), 1 << scale, directed=False, drop_loops=True)

    return together(ranks, drawn, f"kronecker {scale} {edge_factor} {seed} {permutation}")
