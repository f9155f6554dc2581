"""DistributedTraversal: the result of a search on ranks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..backends.partitioned.loop import Level
from ..backends.protocol import Arm, Features
from ..base.wording import alike
from ..errors import NotComputedError
from ..search.steps import steps_lines
from ..search.verify import levels_from_parents
from .verifying import levels_of, verify

if TYPE_CHECKING:
    from .matrix import DistributedMatrix
    from .search import Asked

__all__ = ["DistributedTraversal", "Found", "Local", "RankStep"]


class Local(NamedTuple):
    """What a rank has found: of its own vertices, the parents and levels, None if they were not asked for."""

    vertices: NDArray[Any]
    parents: NDArray[Any] | None
    levels: NDArray[np.int32] | None


class Found(NamedTuple):
    """What all ranks have found, of every vertex: the parents and levels, None if they were not asked for."""

    parents: NDArray[Any] | None
    levels: NDArray[np.int32]


class RankStep(NamedTuple):
    """One level, as a rank records it.

    `seconds` is what it took in all, of which `exchange` went into telling the frontier before it and `computing` into
    this rank's part of it; `sent` how many bytes of the frontier this rank told each of the others.
    """

    level: int
    frontier_size: int
    frontier_edges: int
    unvisited_size: int
    unvisited_edges: int
    arm: Arm
    seconds: float
    form: str
    computing: float
    exchange: float
    sent: int


class DistributedTraversal:
    """What a breadth-first search on ranks found, and how; each rank has that of its own vertices.

    Attributes
    ----------
    matrix : DistributedMatrix
        The graph searched.
    sources : ndarray
        Indices of the sources, ascending.
    depth : int
        The last level that holds a vertex.
    reached : int
        Number of vertices reached, the sources included, on all ranks.
    trace : list of RankStep
        For each level what it began with, and what this rank did for it.
    notes : tuple of str
        What is not as it was asked for: an engine left out, or what became of this rank's device, if it failed.

    Examples
    --------
    >>> import lagbfs
    >>> t = lagbfs.bfs(lagbfs.DistributedMatrix.from_edges([0, 1, 1], [1, 2, 3], directed=False), 0)
    >>> t.depth, t.reached
    (2, 4)
    >>> t.gather().levels.tolist()
    [0, 1, 2, 2]
    >>> t.verify()
    """

    def __init__(
        self,
        matrix: DistributedMatrix,
        asked: Asked,
        reached: NDArray[Any],
        features: Features,
        levels: Sequence[Level],
        notes: Sequence[str],
    ) -> None:
        self.matrix, self.sources, self.reached_here, self._asked = matrix, asked.sources, reached, asked
        goes_on = features.frontier_size > 0
        self.depth = features.level if goes_on or not features.level else features.level - 1
        self.reached = features.n - features.unvisited_size
        self.max_depth = features.level if goes_on else None
        self.trace, self.notes = [_step(level) for level in levels], tuple(notes)
        self._levels = levels_of(self) if asked.levels else None

    @cached_property
    def local(self) -> Local:
        """What was found of the vertices that this rank owns, by their own numbers."""
        own, reached = self.matrix.own, self.reached_here
        # Sources without an edge are found, though no part of the search has looked at them.
        places = [self.matrix.place(source) for source in self.sources.tolist()]
        idle = [at for at in places if at is not None and at >= len(reached)]
        parents = levels = None
        if self._asked.parents:
            parents = np.empty(len(own), own.dtype)
            np.take(self.matrix.user, reached, out=parents[: len(reached)], mode="wrap")
            parents[len(reached) :] = -1
            parents[idle] = own[idle]
        if self._levels is not None:
            levels = np.full(len(own), -1, np.int32)
            levels[: len(reached)] = self._levels
            levels[idle] = 0
        return Local(own, parents, levels)

    def gather(self, *, everywhere: bool = False) -> Found | None:
        """Return the parents and levels of all vertices, on rank 0 and with `everywhere` on all; None elsewhere.

        Every rank has to call it.
        """
        ranks, local = self.matrix.ranks, self.local
        with ranks.about("gathering what was found"):
            collect = ranks.allgatherv if everywhere else ranks.gatherv
            wanted = local.parents if local.parents is not None else local.levels
            assert wanted is not None
            vertices, values = collect(local.vertices), collect(wanted)
        if vertices is None or values is None:
            return None
        found = np.empty_like(values)
        found[vertices] = values
        return Found(found, levels_from_parents(found)) if local.parents is not None else Found(None, found)

    @property
    def has_parents(self) -> bool:
        """Whether parents were asked for."""
        return self._asked.parents

    @property
    def parents(self) -> NDArray[Any]:
        """Refuse: no rank has the parents of all vertices."""
        raise NotComputedError("each rank has the parents of its own vertices: t.local.parents, or t.gather().parents")

    @property
    def levels(self) -> NDArray[np.int32]:
        """Refuse: no rank has the levels of all vertices."""
        raise NotComputedError(
            "each rank has the levels of its own vertices: bfs(..., levels=True).local.levels, or t.gather().levels"
        )

    def verify(self) -> None:
        """Check the result by the rules of `lagbfs.verify`; raise VerificationError on every rank if it breaks one.

        Each rank looks at the edges into its own vertices.
        """
        with self.matrix.ranks.about("verifying"):
            verify(self)

    @property
    def seconds(self) -> float:
        """Time spent in the levels."""
        return sum(step.seconds for step in self.trace)

    @property
    def edges(self) -> int:
        """Number of edges that leave the vertices expanded; those of an undirected graph count once for each end."""
        return sum(step.frontier_edges for step in self.trace)

    @property
    def outcome(self) -> str:
        """What was reached, how deep, in what time and at which rate, in one line."""
        rate = f", {self.edges / self.seconds / 1e6:,.1f} MTEPS" if self.seconds else ""
        return (
            f"reached {self.reached:,} of {self.matrix.nrows:,} vertices, {self.depth} "
            f"level{'' if self.depth == 1 else 's'} deep, in {alike([self.seconds * 1e3])[0]} ms{rate}, "
            f"on {self.matrix.ranks.size} rank{'' if self.matrix.ranks.size == 1 else 's'}"
        )

    def summary(self) -> str:
        """Return what happened, as text: the outcome, and a line for each level with this rank's arm."""
        return "\n".join([self.outcome, *self.notes, *steps_lines(self.trace)])  # type: ignore[arg-type]

    def __repr__(self) -> str:
        cut = "" if self.max_depth is None else ", cut off"
        return f"DistributedTraversal({self.reached} of {self.matrix.nrows} vertices reached, depth {self.depth}{cut})"


def _step(level: Level) -> RankStep:
    f, (share,) = level.features, level.shares
    sizes = f.level, f.frontier_size, f.frontier_edges, f.unvisited_size, f.unvisited_edges
    return RankStep(*sizes, share.arm, level.seconds, f.form, share.seconds, share.exchange, share.sent)
