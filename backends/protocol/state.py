"""State: a breadth-first search between two levels; any engine can take it from here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ...storage.rows import Rows
from .arm import Arm
from .features import Features, GraphSizes
from .selector import Selector, check_choice
from .trace import Step, Trace

__all__ = ["Held", "State"]


class Held(Protocol):
    """What an engine keeps of a search that another one goes on with."""

    def merge(self, state: State) -> None:
        """Write what was kept into the search, which has ended."""
        ...

    def there(self, state: State) -> Any | None:
        """Return what `merge` would write, and the rest, as an array of the engine's own; None if it has failed."""
        ...


class State:
    """A breadth-first search between two levels.

    Attributes
    ----------
    rows : Rows
        The graph.
    features : Features
        What is known before the next level.
    reached : ndarray
        For each vertex -1 while unreached, then its parent (a source is its own) or, if `wants_parents` is false, its
        level.
    levels : ndarray or None
        If `wants_levels`, for each vertex -1 while unreached, then its level: beside its parent. An engine that
        `writes_levels` keeps them; they are given up where another one goes on with the search.
    order : ndarray or None
        If `wants_order`, the vertices reached as a first-in-first-out search finds them, with whose parents they go:
        once an engine that can has made the whole search as such.
    frontier : ndarray
        Indices of the vertices found by the last level, ascending.
    targets : ndarray or None
        Vertices whose being reached, all of them, ends the search; those already reached are taken off.
    sources : ndarray
        Where the search began, in the order given.
    deterministic : bool
        Whether each vertex takes the least of its possible parents.
    fallback : Selector
        What picks the arms once the engine of the arms chosen has failed.
    fresh : bool
        Whether nothing but the sources is set yet: `unfold` makes `reached` and the features; an engine that makes
        its own need not call it.
    stays : bool
        Whether what engines keep of the search is left there when it has ended, until somebody calls `settle`.
    held : dict
        By engine, the part of `reached` that it still keeps; until `settle` the values of those vertices mean no more
        than that they are reached.
    """

    __slots__ = (
        "_asked",
        "_choosing",
        "_chosen",
        "_entered",
        "arms",
        "deterministic",
        "fallback",
        "features",
        "fresh",
        "frontier",
        "held",
        "levels",
        "max_depth",
        "order",
        "reached",
        "rows",
        "sources",
        "stays",
        "targets",
        "threads",
        "trace",
        "wanted",
        "wants_levels",
        "wants_order",
        "wants_parents",
    )
    reached: NDArray[Any]

    def __init__(
        self,
        rows: Rows,
        sources: NDArray[Any],
        *,
        wants_parents: bool,
        arms: Sequence[Arm],
        fallback: Selector,
        wants_levels: bool = False,
        wants_order: bool = False,
        max_depth: int | None = None,
        targets: NDArray[Any] | None = None,
        threads: int | None = None,
        deterministic: bool = False,
        stays: bool = False,
    ) -> None:
        self.stays = stays
        self.rows, self.wants_parents, self.arms = rows, wants_parents, arms
        self.wants_levels, self.wants_order = wants_levels and wants_parents, wants_order
        self.frontier = np.sort(sources) if wants_order and len(sources) > 1 else sources
        self.levels: NDArray[np.int32] | None = None
        self.order: NDArray[Any] | None = None
        self.max_depth, self.targets, self.threads = max_depth, targets, threads
        self.deterministic, self.fallback = deterministic, fallback
        self.sources, self.wanted = sources, targets  # as they were at the start
        self.held: dict[str, Held] = {}
        self.trace = Trace()
        self.fresh = True
        self._chosen: Arm | None = None
        self._asked: tuple[Selector, Features] | None = None  # who chose, and by what
        self._choosing = 0.0
        self._entered: list[tuple[int, int, int, int, int]] = []  # what the levels of a step began with
        size, n, m = len(sources), rows.nrows, rows.nvals
        self.features = Features(
            n=n, m=m, frontier_size=size, frontier_edges=0, unvisited_size=n - size, unvisited_edges=m
        )

    def unfold(self) -> None:
        """Make the arrays and features of a fresh search; do nothing if that is done."""
        if not self.fresh:
            return
        self.fresh = False
        sources, rows, features = self.frontier, self.rows, self.features
        self.reached = np.full(features.n, -1, rows.index_dtype if self.wants_parents else np.int32)
        self.reached[sources] = sources if self.wants_parents else 0
        if self.wants_levels:
            self.levels = np.full(features.n, -1, np.int32)
            self.levels[sources] = 0
        features.frontier_edges = self.edges_of(sources)
        features.unvisited_edges = features.m - features.frontier_edges
        for name, size in GraphSizes.of(rows)._asdict().items():
            setattr(features, name, size)
        self.drop_targets()

    def give_up_levels(self) -> None:
        """Go on without the levels beside the parents."""
        self.wants_levels, self.levels = False, None

    def edges_of(self, vertices: NDArray[Any]) -> int:
        """Return how many edges leave some vertices."""
        return self.rows.entries_in(vertices)

    def drop_targets(self) -> None:
        """Take off the targets that are reached."""
        if self.targets is not None:
            self.targets = self.targets[self.reached[self.targets] < 0]

    @property
    def goes_on(self) -> bool:
        """Whether there is another level to compute."""
        features = self.features
        if not features.frontier_size or (self.max_depth is not None and features.level >= self.max_depth):
            return False
        return self.targets is None or len(self.targets) > 0

    def choose(self, selector: Selector) -> Arm:
        """Return the selector's choice for the next level; it is asked once for each."""
        if self._chosen is None:
            self.unfold()
            began = perf_counter()
            features = self.features.copy()  # the selector may keep it, and cannot change the search
            self._chosen = check_choice(selector.choose(features, self.arms), self.arms)
            self._asked = selector, features
            self._choosing = perf_counter() - began
        return self._chosen

    def threads_for(self, arm: Arm) -> int | None:
        """Return how many threads an arm may use, None for as many as there are."""
        return self.threads if arm.threads is None else arm.threads

    def took(self, arm: Arm | None) -> None:
        """Note that a level was computed by this arm: the next has to be chosen for anew."""
        self.features.arm, self._chosen = arm, None

    def leave_out(self, arms: Iterable[Arm]) -> None:
        """Go on without some arms, which cannot be used after all: the next level has to be chosen for anew."""
        useless = {*arms}
        self.arms, self._chosen = [arm for arm in self.arms if arm not in useless], None

    def settle(self) -> None:
        """Bring together what the engines have found, once the search has ended."""
        for name in [*self.held]:
            self.held.pop(name).merge(self)

    def there(self) -> Any | None:
        """Return what was reached as an array of the engine that keeps it, None if there is none or several."""
        return next(iter(self.held.values())).there(self) if len(self.held) == 1 else None

    def mark(self) -> State:
        """Return what `back_to` needs to bring the search back to this point; `reached` must not change meanwhile."""
        mark = copy(self)
        mark.features, mark.trace, mark.held = self.features.copy(), self.trace.copy(), dict(self.held)
        return mark

    def back_to(self, mark: State) -> None:
        """Take back all that was done since the mark was made."""
        for name in State.__slots__:
            if hasattr(mark, name):
                setattr(self, name, getattr(mark, name))
        self._chosen = None

    def afresh(self) -> State:
        """Return the same search before its first level."""
        return State(
            self.rows,
            self.sources,
            wants_parents=self.wants_parents,
            wants_levels=self.wants_levels,
            wants_order=self.wants_order,
            arms=self.arms,
            max_depth=self.max_depth,
            targets=self.wanted,
            threads=self.threads,
            deterministic=self.deterministic,
            stays=self.stays,
            fallback=self.fallback,
        )

    @contextmanager
    def step(self, arm: Arm) -> Iterator[None]:
        """Time one level, or several in a row, each of which ends with `enter`, and record them in the trace.

        Of several, each takes the same share of the time, and the first all that was spent on choosing.
        """
        f, self._entered = self.features, []
        before = self._sizes()
        form, f.form = f.form, "list"
        began = perf_counter()
        yield
        entered = self._entered or [before]  # an engine may move the state on by itself
        share = (perf_counter() - began) / len(entered)
        if self._asked is not None and len(entered) == 1:
            selector, features = self._asked
            selector.learn(features, arm, share)
        self._asked = None
        self.took(arm)
        for sizes in entered:
            self.trace.add(Step(*sizes, arm, share, form, self._choosing))
            form, self._choosing = "list", 0.0

    def enter(self, size: int, edges: int, unreached: Callable[[Any], Any]) -> None:
        """Move on to a new frontier of so many vertices and out-edges.

        `unreached` tells which of some vertices are still unreached; the others need not be waited for.
        """
        if self.targets is not None:
            self.targets = self.targets[unreached(self.targets)]
        self._entered.append(self._sizes())
        self.features.enter(size, edges)

    def _sizes(self) -> tuple[int, int, int, int, int]:
        """Return what a step of the trace begins with."""
        f = self.features
        return f.level, f.frontier_size, f.frontier_edges, f.unvisited_size, f.unvisited_edges
