"""Shortest paths where edges may be of negative length: by Bellman and Ford, with cycles found."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..algebra.vector import Vector
from ..errors import InvalidValueError
from ..operators import binary
from ..operators.semiring import min_plus
from ..storage.regions import expand
from .common import dense, told

__all__ = ["bellman_ford", "circle_of"]

Array = NDArray[Any]


def bellman_ford(W: Matrix, sources: Array) -> tuple[Array, Array]:
    """Return distances from the nearest source, inf where there is no path, and parents, -1 there.

    A cycle of negative length shows in the parents some rounds after it is reached: they are looked at after 1, 2, 4, …
    rounds. As long as there is none, parents lead to a source.
    """
    if np.isneginf(W.csr.values).any():
        raise InvalidValueError("A must hold no -inf: its values are lengths")
    parents = np.full(W.nrows, -1, W.rows.index_dtype)
    parents[sources] = sources
    distance = Vector.from_coo(sources, 0.0, size=W.nrows)
    active, rounds = distance.dup(), 0
    while active.nvals:
        # reached_j = min_i active_i + W_ij, over those found nearer by the last round
        reached = min_plus(active @ W).new()
        nearer = reached.select(~binary.ge(reached & distance).new().V).select("<", np.inf).new()
        distance(binary.min) << nearer
        _set_parents(parents, W, active, nearer)
        active, rounds = nearer, rounds + 1
        if rounds & (rounds - 1) == 0:
            _refuse_cycles(W, parents)
    return dense(distance, np.inf), parents


def _set_parents(parents: Array, W: Matrix, active: Vector, nearer: Vector) -> None:
    """Note for each vertex found nearer where from: an edge with active_i + W_ij = nearer_j."""
    rows, before = active.to_host().to_coo()
    ends, least = nearer.to_host().to_coo()
    if not len(ends):
        return
    csr = W.csr
    of, edges = expand(csr, rows)
    reached, lengths = csr.indices[edges], before[of] + csr.all_values()[edges]
    at = np.minimum(np.searchsorted(ends, reached), len(ends) - 1)
    found = (ends[at] == reached) & (least[at] == lengths)
    origins, reached = rows[of[found]], reached[found]
    loops = reached[origins == reached].tolist()
    if loops:  # as a parent it would look like a source
        raise InvalidValueError(f"A must have no cycle of negative length: it has {told(W, [loops[0], loops[0]])}")
    parents[reached] = origins


def _refuse_cycles(W: Matrix, parents: Array) -> None:
    """Raise if parents lead round in a circle, which is a cycle of negative length."""
    circle = circle_of(parents)
    if circle:
        raise InvalidValueError(f"A must have no cycle of negative length: it has {told(W, circle)}")


def circle_of(parents: Array) -> list[int]:
    """Return the vertices of a circle of parents, in the direction of edges, first and last the same; [] if none is."""
    towards = np.where(parents < 0, np.arange(len(parents)), parents)
    steps = 1
    while steps < len(parents):  # where 2, 4, 8, … steps lead
        towards, steps = towards[towards], 2 * steps
    endless = np.flatnonzero((parents[towards] != towards) & (parents[towards] >= 0))
    if not len(endless):
        return []
    circle = [int(towards[endless[0]])]
    while len(circle) == 1 or circle[-1] != circle[0]:
        circle.append(int(parents[circle[-1]]))
    return circle[::-1]
