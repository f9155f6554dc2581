"""Split: which part owns which vertices, and the labels that tell.

How vertices are dealt out is a policy by name:

degree    Totem: the vertices of most edges go to the first part, those of fewest to the last
reversed  the other way round
random    to any
dealt     in turns, by descending degree: parts that are alike
edges     in the user's order, each part a range of it

Each part gets its share of the edges (out of its vertices and into them), vertices without any are dropped. Within a
part the vertices stand by descending degree, so that those a pull finds first stand together, or in the user's order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base import random_words
from ...storage.block import WORD, words_of
from ...storage.csr import index_dtype

__all__ = ["POLICIES", "Split", "split"]


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Vertices and their labels.

    Attributes
    ----------
    offsets : tuple of int
        Where the window of each part begins, and where the last one ends.
    user : ndarray
        The vertex of each label, -1 for those that pad a window.
    label : ndarray
        The label of each vertex, -1 for those without an edge.
    descending : bool
        Whether the degrees descend within each window.
    """

    offsets: tuple[int, ...]
    user: NDArray[Any]
    label: NDArray[Any]
    descending: bool

    @property
    def parts(self) -> int:
        """How many parts there are."""
        return len(self.offsets) - 1

    def own(self, part: int) -> NDArray[Any]:
        """Return the vertices of a part, by their own numbers."""
        window = self.user[self.offsets[part] : self.offsets[part + 1]]
        return window[window >= 0]

    def places(self, vertices: NDArray[Any], part: int) -> NDArray[Any]:
        """Return those of some vertices that a part owns, by their own numbers."""
        begin, end = self.offsets[part : part + 2]
        labels: NDArray[Any] = self.label[vertices]
        return labels[(labels >= begin) & (labels < end)] - begin

    def idle(self, vertices: NDArray[Any]) -> int:
        """Return how many of some vertices have no edge, so that no part owns them."""
        return int(np.count_nonzero(self.label[vertices] < 0))

    @classmethod
    def of(cls, owned: Sequence[NDArray[Any]], n: int, *, descending: bool) -> Split:
        """Return the split in which each part owns these of n vertices, in this order."""
        ends = np.cumsum([0, *(words_of(len(own)) * WORD for own in owned)])
        index = index_dtype(max(n, int(ends[-1])))
        user, label = np.full(ends[-1], -1, index), np.full(n, -1, index)
        for begin, own in zip(ends.tolist(), owned, strict=False):
            user[begin : begin + len(own)] = own
            label[own] = np.arange(begin, begin + len(own))
        return cls(tuple(ends.tolist()), user, label, descending)


Policy = Callable[[NDArray[Any], NDArray[np.float64], int], "list[NDArray[Any]]"]
"""From the degrees of all vertices, both ways together, the parts' shares of the edges, and a seed: whose is what."""


def split(degrees: NDArray[Any], shares: Sequence[float], policy: str = "degree", *, seed: int = 1) -> Split:
    """Return a split by a policy of that name; the shares add up to 1.

    Examples
    --------
    >>> found = split(np.array([1, 8, 0, 4, 3]), [0.5, 0.5])
    >>> found.own(0).tolist(), found.own(1).tolist()
    ([1], [3, 4, 0])
    >>> found.label.tolist()
    [66, 0, -1, 64, 65]
    """
    owned = POLICIES[policy](degrees, np.asarray(shares, float), seed)
    descending = policy != "edges"
    if descending:
        owned = [own[np.argsort(-degrees[own], kind="stable")] for own in owned]
    return Split.of(owned, len(degrees), descending=descending)


def _cut(order: NDArray[Any], degrees: NDArray[Any], shares: NDArray[np.float64]) -> list[NDArray[Any]]:
    """Return vertices in that order cut so that each piece has its share of the edges, as nearly as it can be."""
    edges = degrees[order].astype(np.float64)
    middles, wanted = np.cumsum(edges) - edges / 2, np.cumsum(shares)[:-1] * edges.sum()
    return np.split(order, np.searchsorted(middles, wanted))


def _descending(degrees: NDArray[Any]) -> NDArray[Any]:
    """Return the vertices that have edges, by descending degree."""
    order = np.argsort(-degrees.astype(np.int64), kind="stable")
    return order[: np.count_nonzero(degrees)]


def _degree(degrees: NDArray[Any], shares: NDArray[np.float64], seed: int) -> list[NDArray[Any]]:
    return _cut(_descending(degrees), degrees, shares)


def _reversed(degrees: NDArray[Any], shares: NDArray[np.float64], seed: int) -> list[NDArray[Any]]:
    return _cut(_descending(degrees)[::-1], degrees, shares)


def _random(degrees: NDArray[Any], shares: NDArray[np.float64], seed: int) -> list[NDArray[Any]]:
    order = random_words.permutation(seed, 0, len(degrees))
    return _cut(order[degrees[order] > 0], degrees, shares)


def _dealt(degrees: NDArray[Any], shares: NDArray[np.float64], seed: int) -> list[NDArray[Any]]:
    """Deal in turns: to each part as often as its share says, as evenly as that can be."""
    order, parts = _descending(degrees), len(shares)
    turns = np.repeat(np.arange(parts), np.ceil(len(order) * shares).astype(np.int64))
    at = np.concatenate([np.arange(count) for count in np.bincount(turns, minlength=parts)] or [turns])
    due = np.divide(at + 0.5, shares[turns], out=np.full(len(turns), np.inf), where=shares[turns] > 0)
    owner = turns[np.argsort(due, kind="stable")][: len(order)]
    return [order[owner == part] for part in range(parts)]


def _edges(degrees: NDArray[Any], shares: NDArray[np.float64], seed: int) -> list[NDArray[Any]]:
    return _cut(np.flatnonzero(degrees), degrees, shares)


POLICIES: dict[str, Policy] = {
    "degree": _degree,
    "reversed": _reversed,
    "random": _random,
    "dealt": _dealt,
    "edges": _edges,
}
