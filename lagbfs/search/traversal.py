"""Traversal: the result of a breadth-first search."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from html import escape
from itertools import pairwise
from os import PathLike
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..backends.protocol import GraphSizes, Selector, Share, State, Step
from ..base import arrays
from ..base.hooks import Hook
from ..base.wording import alike
from ..errors import NotComputedError
from . import results
from .explanation import Explanations
from .steps import steps_lines, steps_table
from .verify import levels_from_parents, verify

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["PLOT", "Traversal"]


class Plotting(Protocol):
    """What draws searches."""

    def traversal(self, searched: Traversal) -> Figure:
        """Draw a search."""
        ...

    def save(self, figure: Figure, path: str | PathLike[str], *, title: str, details: str) -> None:
        """Write a picture."""
        ...


PLOT: Hook[Plotting] = Hook("lagbfs.report")


class Traversal:
    """What a breadth-first search found, and how.

    Attributes
    ----------
    matrix : Matrix
        The graph searched, as it was then.
    sources : ndarray
        Indices of the sources, ascending.
    depth : int
        The last level that holds a vertex.
    reached : int
        Number of vertices reached, the sources included.

    Examples
    --------
    >>> from lagbfs import Matrix, bfs
    >>> t = bfs(Matrix.from_edges([0, 1, 1], [1, 2, 3], directed=False), 0)
    >>> t.parents.tolist(), t.depth, t.reached
    ([0, 0, 1, 1], 2, 4)
    >>> [layer.tolist() for layer in t.layers()]
    [[0], [1], [2, 3]]
    >>> t.verify()
    """

    def __init__(self, matrix: Matrix, state: State, policy: Selector, *, levels: bool) -> None:
        features = state.features
        self._searched = state.rows, matrix._labels
        self.sources = np.sort(state.sources) if len(state.sources) > 1 else state.sources
        self.depth = features.level if features.frontier_size else features.level - 1
        self.reached = features.n - features.unvisited_size
        self._trace = state.trace
        self._arms, self._policy = state.arms, policy
        # A search that ran dry is complete; any other has seen all of its levels, but no further.
        self._cut_at = features.level if features.frontier_size else None
        self._found = state.reached
        self._kept = state if state.held else None  # what is still on a device
        self._has_parents, self._wants_levels = state.wants_parents, levels
        self._levels, self._order = state.levels, state.order

    @cached_property
    def matrix(self) -> Matrix:
        """The graph searched, as it was then: an assignment to it does not change what was searched."""
        rows, labels = self._searched
        return Matrix.from_rows(rows, labels=labels)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle and copy what is on the host."""
        self._reached()
        return self.__dict__

    def _reached(self) -> NDArray[Any]:
        """Return the parents or levels on the host, brought there the first time."""
        if self._kept is not None:
            self._kept.settle()
            self._found, self._kept = self._kept.reached, None
        return self._found

    def to_device(self) -> Any:
        """Return the parents, or the levels if parents were not asked for, as a CuPy array.

        After ``bfs(..., on_device=True)`` on a device that is where the search left them, and nothing is copied. It
        must not be changed before the parents or levels have been looked at.

        Examples
        --------
        >>> import lagbfs
        >>> t = lagbfs.bfs(lagbfs.graphs.path(3), 0, backend="cupyx", on_device=True)  # doctest: +SKIP
        >>> t.to_device()  # doctest: +SKIP
        array([0, 0, 1], dtype=int32)
        """
        there = None if self._kept is None else self._kept.there()
        return arrays.to_device(self._reached()) if there is None else there

    @property
    def has_parents(self) -> bool:
        """Whether parents were asked for."""
        return self._has_parents

    @property
    def has_order(self) -> bool:
        """Whether the order was asked for."""
        return self._order is not None

    @property
    def parents(self) -> NDArray[Any]:
        """The parent of each vertex; -1 if it was not reached; a source is its own parent."""
        if not self._has_parents:
            raise NotComputedError("parents were not asked for: call bfs(..., parents=True)")
        return self._reached()

    @cached_property
    def levels(self) -> NDArray[np.int32]:
        """The distance of each vertex from the nearest source, in edges; -1 if it was not reached."""
        if not self._wants_levels:
            raise NotComputedError("levels were not asked for: call bfs(..., levels=True)")
        return self.depths()

    def depths(self) -> NDArray[np.int32]:
        """Return the levels, whether they were asked for or not; the next search of the graph has them at once."""
        self._searched[0].store.levels_read = True
        if self._levels is None:
            self._levels = levels_from_parents(self.parents) if self._has_parents else self._reached()
        return self._levels

    @property
    def order(self) -> NDArray[Any]:
        """The vertices reached, as a first-in-first-out search finds them, sources first.

        Examples
        --------
        >>> import lagbfs
        >>> t = lagbfs.bfs(lagbfs.graphs.grid(3, 3), 4, order=True)
        >>> t.order
        array([4, 1, 3, 5, 7, 0, 2, 6, 8], dtype=int32)
        >>> t.parents[t.order].tolist()
        [4, 4, 4, 4, 4, 1, 1, 3, 5]
        """
        if self._order is None:
            raise NotComputedError("the order was not asked for: call bfs(..., order=True)")
        return self._order

    @cached_property
    def trace(self) -> list[Step]:
        """For each iteration: level, size and edges of the frontier and of the unvisited, arm, seconds.

        `explain` has beside it what every arm was expected to take.
        """
        return self._trace.steps()

    @property
    def shares(self) -> dict[int, list[Share]]:
        """What each part did, by level, where engines shared the graph; elsewhere nothing.

        Examples
        --------
        >>> import lagbfs
        >>> t = lagbfs.bfs(lagbfs.graphs.star(5), 0, backend="reference+reference")
        >>> [(share.part, share.arm.backend) for share in t.shares[0]]
        [(0, 'reference'), (1, 'reference')]
        """
        return self._trace.shares

    def explain(self) -> Explanations:
        """Return, for each step of the trace, why its arm was chosen and what every arm was expected to take.

        Returns
        -------
        Explanations
            A sequence of `step`, `predicted` (seconds by arm) and `why`; printed, they are told in words, of a long
            search the levels in a row that one arm served together. Notebooks show a table.

        Examples
        --------
        >>> import lagbfs
        >>> told = lagbfs.bfs(lagbfs.graphs.grid(4, 4), 0, selector="beamer", backend="reference").explain()
        >>> told[1].why
        "frontier grows, its edges 15.00% of the unvisited's, limit 6.67%"
        >>> told[1].step.arm.direction
        'pull'
        """
        return Explanations(self.trace, GraphSizes.of(self.matrix.rows), self._arms, self._policy)

    @property
    def notes(self) -> list[str]:
        """Remarks on the search: what was prepared for it, or done otherwise than asked, and why."""
        return self._trace.notes

    @property
    def seconds(self) -> float:
        """Time spent in the iterations."""
        return sum(step.seconds for step in self.trace)

    @property
    def edges(self) -> int:
        """Number of edges that leave the vertices expanded; those of an undirected graph count once for each end."""
        return sum(step.frontier_edges for step in self.trace)

    def layers(self) -> list[Any]:
        """Return the vertices of each level: arrays of indices, or lists of labels if the graph has them."""
        levels = self.depths()
        order = np.argsort(levels, kind="stable")
        starts = np.searchsorted(levels[order], np.arange(self.depth + 2))
        layers = [order[a:b] for a, b in pairwise(starts)]
        labels = self.matrix.labels
        return layers if labels is None else [[labels[v] for v in layer] for layer in layers]

    def path_to(self, vertex: Any) -> list[Any] | None:
        """Return a shortest path from a source to `vertex`, both included; None if it was not reached.

        Vertices are given and returned by label if the graph has labels, by index if not.
        """
        v = self.matrix.index_of(vertex)
        if self.parents[v] < 0:
            return None
        path = [v]
        while (parent := int(self.parents[path[-1]])) != path[-1]:
            path.append(parent)
        labels = self.matrix.labels
        return [v if labels is None else labels[v] for v in reversed(path)]

    def to_pandas(self) -> Any:
        """Return a DataFrame with a row for each vertex: ``vertex``, ``parent`` and ``level``, -1 where not reached.

        Vertices are labels if the graph has them; then None stands for a parent that there is not. What the search did
        not compute has no column.

        Examples
        --------
        >>> import lagbfs
        >>> lagbfs.bfs(lagbfs.graphs.path(3), 0).to_pandas().values.tolist()
        [[0, 0, 0], [1, 0, 1], [2, 1, 2]]
        """
        return results.as_pandas(self)

    def to_arrow(self) -> Any:
        """Return the same as a table of pyarrow, which Polars, DuckDB and others take as it is."""
        return results.as_arrow(self)

    def to_networkx(self) -> Any:
        """Return the tree that was found, as a NetworkX DiGraph: an edge from each parent; vertices level by level.

        Examples
        --------
        >>> import lagbfs
        >>> lagbfs.bfs(lagbfs.graphs.path(3), 1).to_networkx().edges
        OutEdgeView([(1, 0), (1, 2)])
        """
        return results.as_tree(self)

    def verify(self) -> None:
        """Check the result by the rules of `lagbfs.verify`; raise VerificationError if it breaks one."""
        parents = self._reached() if self._has_parents else None
        levels = self._levels if self._has_parents else self._reached()
        verify(self.matrix, self.sources, parents=parents, levels=levels, order=self._order, max_depth=self._cut_at)

    def summary(self) -> str:
        """Return what happened, as text: the outcome and a line for each iteration.

        Examples
        --------
        >>> from lagbfs import Matrix, bfs
        >>> print(bfs(Matrix.from_edges([0], [1]), 0).summary().splitlines()[0][:30])
        reached 2 of 2 vertices, 1 lev
        """
        arms = ", ".join(f"{arm} × {count}" for arm, count in Counter(str(s.arm) for s in self.trace).items())
        head = f"{self.outcome} ({arms or 'nothing to do'})"
        return "\n".join([head, *self.notes, *steps_lines(self.trace)])

    @property
    def outcome(self) -> str:
        """What was reached, how deep, in what time and at which rate, in one line."""
        rate = f", {self.edges / self.seconds / 1e6:,.1f} MTEPS" if self.seconds else ""
        levels = f"{self.depth} level{'' if self.depth == 1 else 's'}"
        return (
            f"reached {self.reached:,} of {self.matrix.nrows:,} vertices, {levels} deep, "
            f"in {alike([self.seconds * 1e3])[0]} ms{rate}"
        )

    def plot(self, path: str | PathLike[str] | None = None) -> Figure:
        """Draw time and frontier of each level with the arm that served it; needs matplotlib.

        Parameters
        ----------
        path : path, optional
            Where to save the picture: ``.png``, ``.svg``, ``.pdf``, or ``.html`` for a page that also has the table.

        Returns
        -------
        matplotlib.figure.Figure
            Shown by notebooks as it is.

        Examples
        --------
        >>> import lagbfs
        >>> figure = lagbfs.bfs(lagbfs.graphs.grid(5, 5), 0).plot()
        >>> [axes.get_xlabel() for axes in figure.axes]
        ['', 'level']
        """
        plot = PLOT()
        figure = plot.traversal(self)
        if path is not None:
            plot.save(figure, path, title=repr(self), details=self._details(limit=None))
        return figure

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.outcome)}</p>{self._details(limit=20)}"

    def _details(self, limit: int | None) -> str:
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        return notes + steps_table(self.trace, limit)

    def __repr__(self) -> str:
        cut = "" if self._cut_at is None else ", cut off"
        return f"Traversal({self.reached} of {self.matrix.nrows} vertices reached, depth {self.depth}{cut})"
