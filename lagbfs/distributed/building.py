"""From each rank's share of the edges to the blocks: each edge travels once, to the owner of the vertex it leads to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..backends.partitioned.ranks import Ranks
from ..backends.partitioned.split import Split
from ..base import arrays
from ..storage import csr as csrs
from ..storage.block import Block
from ..storage.rows import Rows
from ..storage.store import Store
from .dealing import deal

__all__ = ["Edges", "build", "travelled"]

_SENT = 1 << 21  # edges that a rank sends at a time

Array = NDArray[Any]


class Edges(NamedTuple):
    """A rank's share of the edges of a graph.

    Attributes
    ----------
    src, dst : ndarray
        Their ends.
    values : ndarray
        One for each, or without dimensions one for all.
    n : int
        Number of vertices of the graph.
    directed : bool
        If not, each edge stands for both ways.
    drop_loops : bool
        Whether edges from a vertex to itself count.
    """

    src: Array
    dst: Array
    values: Array
    n: int
    directed: bool
    drop_loops: bool

    def without_edges(self) -> Edges:
        """Return what is said of the graph, without an edge of it."""
        values = self.values[:0] if self.values.ndim else self.values
        return self._replace(src=self.src[:0], dst=self.dst[:0], values=values)

    @property
    def chunks(self) -> int:
        """How many pieces they are sent in."""
        return -(-len(self.src) // _SENT)

    def chunk(self, number: int) -> Edges:
        """Return one of the pieces, loops left out if they do not count; behind the last there are empty ones."""
        some = slice(number * _SENT, (number + 1) * _SENT)
        src, dst, values = self.src[some], self.dst[some], self.values[some] if self.values.ndim else self.values
        if self.drop_loops and (loops := src == dst).any():
            src, dst, values = src[~loops], dst[~loops], values[~loops] if values.ndim else values
        return self._replace(src=src, dst=dst, values=values)


def build(ranks: Ranks, edges: Edges, dup_op: Any, split: Split | None = None) -> tuple[Split, Block]:
    """Return the split of the graph that the ranks have the edges of, unless it is given, and this rank's block."""
    if split is None:
        with ranks.about("dealing out the vertices"):
            split = deal(ranks, ranks.allreduce(_degrees(edges)))
    with ranks.about("sending edges to their owners"):
        sources, own, values = _received(ranks, edges, split)
    count = len(split.own(ranks.rank))
    rows = Rows(Store(csrs.from_coo(sources, own, values, split.offsets[-1], count, dup_op)))
    with ranks.about("counting edges"):
        return split, _block(ranks, rows, split, edges)


def _block(ranks: Ranks, rows: Rows, split: Split, edges: Edges) -> Block:
    first, count = split.offsets[ranks.rank], rows.ncols
    window = slice(first, first + count)
    # Without direction, an edge out of a vertex is one into it.
    degrees = ranks.allreduce(rows.degrees)[window] if edges.directed else rows.in_degrees
    m, fertile = ranks.allreduce(np.array([rows.nvals, count - rows.barren])).tolist()
    return Block(rows, degrees, split.offsets, ranks.rank, split.descending, edges.n, m, edges.n - fertile)


def _degrees(edges: Edges) -> NDArray[np.int64]:
    """Return of how many edges of this rank each vertex is an end."""
    degrees = np.zeros(edges.n, np.int64)
    for number in range(edges.chunks):
        piece = edges.chunk(number)
        degrees += arrays.occurrences(piece.src, edges.n) + arrays.occurrences(piece.dst, edges.n)
    return degrees


def _received(ranks: Ranks, edges: Edges, split: Split) -> tuple[Array, Array, Array]:
    """Return the edges into this rank's vertices: labels of sources, own vertices, values."""
    pieces = list(travelled(ranks, edges, split))
    sources, own, *values = ([piece[k] for piece in pieces] for k in range(len(pieces[0])))
    pieces.clear()
    return np.concatenate(sources), np.concatenate(own), np.concatenate(values[0]) if values else edges.values


def travelled(ranks: Ranks, edges: Edges, split: Split) -> Iterator[tuple[Array, ...]]:
    """Yield the edges into this rank's vertices, piece by piece: labels of sources, own vertices and any values."""
    chunks = int(ranks.allreduce(np.array([edges.chunks]), "max")[0])
    for number in range(max(chunks, 1)):
        yield from _both_ways(ranks, edges.chunk(number), split)


def _both_ways(ranks: Ranks, edges: Edges, split: Split) -> Iterator[tuple[Array, ...]]:
    """Yield what this rank receives of a piece of the edges, and of them the other way round."""
    u, v = split.label[edges.src], split.label[edges.dst]
    yield _owned(ranks, u, v, edges.values, split)
    if not edges.directed:
        back = u != v  # a loop is its own way back
        values = edges.values[back] if edges.values.ndim else edges.values
        yield _owned(ranks, v[back], u[back], values, split)


def _owned(ranks: Ranks, sources: Array, targets: Array, values: Array, split: Split) -> tuple[Array, ...]:
    """Return the edges of all ranks that lead to this one's vertices."""
    offsets = np.array(split.offsets)
    owner = (np.searchsorted(offsets[1:], targets, side="right")).astype(np.uint16)
    order, counts = np.argsort(owner, kind="stable"), np.bincount(owner, minlength=ranks.size)
    own = (targets - offsets[owner].astype(targets.dtype))[order]
    sent = [sources[order], own, *([values[order]] if values.ndim else [])]
    return tuple(ranks.alltoallv(column, counts) for column in sent)
