"""Who owns which vertex: dealt out by descending degree, so that every rank has its share of the hubs and the rest.

No rank sorts more than its own slice of the vertices: how many have each degree, rank by rank, tells where in the order
of all a vertex stands.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..backends.partitioned.ranks import Ranks
from ..backends.partitioned.split import Split

__all__ = ["deal", "slice_of"]

_MOST = (1 << 20) - 1  # degrees are told apart up to here: how many vertices have each is a list of that length


def slice_of(size: int, rank: int, ranks: int) -> tuple[int, int]:
    """Return where a rank's share of a list begins and ends.

    Examples
    --------
    >>> [slice_of(5, rank, 2) for rank in range(2)]
    [(0, 2), (2, 5)]
    """
    return size * rank // ranks, size * (rank + 1) // ranks


def deal(ranks: Ranks, degrees: NDArray[Any]) -> Split:
    """Return the split of vertices of these degrees: in turns, by descending degree, those of no edge left out."""
    places, count = _places(ranks, np.minimum(degrees, _MOST)), int(np.count_nonzero(degrees))
    order = np.empty(count, np.int64)
    dealt = places < count
    order[places[dealt]] = np.flatnonzero(dealt)
    return Split.of([order[rank :: ranks.size] for rank in range(ranks.size)], len(degrees), descending=False)


def _places(ranks: Ranks, degrees: NDArray[Any]) -> NDArray[np.int64]:
    """Return where each vertex stands among all by descending degree, those of one degree by their number."""
    begin, end = slice_of(len(degrees), ranks.rank, ranks.size)
    mine, lengths = degrees[begin:end], int(degrees.max(initial=0)) + 1
    each = ranks.allgather(np.bincount(mine, minlength=lengths))
    all_of = each.sum(axis=0)
    higher = all_of[::-1].cumsum()[::-1] - all_of
    order = np.argsort(-mine, kind="stable")
    sorted_ = mine[order]
    first = np.searchsorted(-sorted_, -sorted_)  # where those of its degree begin
    places = np.empty(len(mine), np.int64)
    places[order] = higher[sorted_] + each[: ranks.rank].sum(axis=0)[sorted_] + np.arange(len(mine)) - first
    return ranks.allgatherv(places)
