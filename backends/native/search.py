"""Searches by the kernels: from the state to their arrays, and back."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from time import perf_counter
from typing import Any

import numpy as np

from ...storage.rows import Rows
from .. import protocol
from ..protocol import FORMS, Arm, State, Step
from .handle import Handle
from .loading import arms, features_from, features_to, kernels
from .policy import fixed

__all__ = ["Search", "run", "run_in_order"]

_MOST_THREADS = 256  # as many as a team has


class Search(protocol.Search):
    """A search whose levels are asked for one by one."""

    __slots__ = ("handle", "state")

    def __init__(self, state: State, handle: Handle) -> None:
        self.state, self.handle = state, handle

    def level(self, arm: Arm) -> None:
        """Compute one level."""
        search = _levels(self.state, self.handle.graph, fixed(arm), 1, self.state.threads_for(arm))
        _take(self.state, search, search.reason)

    def finish(self) -> None:
        """Do nothing: the state is up to date after every level."""


def run(state: State, handle: Handle, policy: Any, *, max_levels: int = -1, threads: int | None = None) -> str:
    """Run levels in the kernels and take over what they found; return why they stopped."""
    graph = handle.graph
    began = perf_counter()
    search = _levels(state, graph, policy, max_levels, threads or state.threads)
    seconds = perf_counter() - began
    reason: str = search.reason
    state.trace.add(lambda: _steps(search))
    _take(state, search, reason)
    handle.earn(seconds, state)
    return reason


def run_in_order(state: State, handle: Handle) -> None:
    """Make a whole search first in, first out; the kernels choose the arms by a rule of its own."""
    state.arms = arms()
    limits = _depth(state), state.targets, False, min(state.threads or 0, _MOST_THREADS), -1
    search = handle.graph.search(_alone(state.sources), fixed(arms()[0]), True, state.wants_levels, *limits, True)
    rows = state.rows
    state.trace.add(lambda: _steps_in_order(search, rows))
    _take(state, search, search.reason)
    state.order = search.order


def _depth(state: State) -> int:
    """Return the level to stop at, -1 for none; no search goes deeper than there are vertices."""
    return -1 if state.max_depth is None else min(state.max_depth, state.features.n)


def _alone(vertices: Any) -> Any:
    """Return one vertex as a number, which takes less time than an array of one."""
    return int(vertices[0]) if len(vertices) == 1 else vertices


def _levels(state: State, graph: Any, policy: Any, max_levels: int, threads: int | None) -> Any:
    """Return what the kernels have made of a search."""
    limits = _depth(state), state.targets, state.deterministic, min(threads or 0, _MOST_THREADS), max_levels
    wants = state.wants_parents
    if state.fresh:
        return graph.search(_alone(state.frontier), policy, wants, not wants or state.wants_levels, *limits)
    parents, levels = (state.reached, state.levels) if wants else (None, state.reached)
    return graph.advance(state.frontier, parents, levels, features_to(state.features), policy, *limits)


def _take(state: State, search: Any, reason: str) -> None:
    """Bring the state up to what the kernels have done."""
    state.fresh = False
    state.reached = search.parents if state.wants_parents else search.levels
    if state.wants_levels:
        state.levels = search.levels
    features = state.features
    if reason == "done":
        features.level, features.frontier_size = search.level, 0
        features.unvisited_size = features.n - search.reached
        return
    state.features = features_from(search.features, features.arm)
    state.features.form = "both"  # the kernels make both when they go on from here
    state.frontier = search.frontier
    if search.level > features.level:
        state.took(state.features.arm)
    state.drop_targets()


@cache
def _readers() -> tuple[Callable[[float], Any], ...]:
    """Return what makes each field of a step of a number of the kernels' trace; their fields are the same."""
    readers: dict[str, Callable[[float], Any]] = {
        "arm": lambda number: arms()[int(number)],
        "form": lambda number: FORMS[int(number)],
        "seconds": float,
        "choosing": float,
    }
    return tuple(readers.get(name, int) for name in kernels().TRACE)


def _steps(search: Any) -> list[Step]:
    readers = _readers()
    return [
        Step._make([read(number) for read, number in zip(readers, row, strict=True)]) for row in search.trace.tolist()
    ]


def _steps_in_order(search: Any, rows: Rows) -> list[Step]:
    """Return the steps of a search in order, of which the kernels tell which levels one arm computed in a row.

    These share its time.
    """
    ends = np.cumsum(np.bincount(kernels().depths(search.parents)[0][search.order], minlength=search.level + 1))
    edges = np.cumsum(rows.degrees[search.order], dtype=np.int64)[ends - 1]  # sources are there: no end is 0
    unvisited = zip((rows.nrows - ends).tolist(), (rows.nvals - edges).tolist(), strict=True)
    sizes = zip(np.diff(ends, prepend=0).tolist(), np.diff(edges, prepend=0).tolist(), unvisited, strict=True)
    before = [(level, size, out, *left) for level, (size, out, left) in enumerate(sizes)]
    runs = _steps(search)
    return [
        Step(*before[level], run.arm, run.seconds / (end - run.level), "list", run.choosing * (level == run.level))
        for run, end in zip(runs, [*(run.level for run in runs[1:]), len(ends) - 1], strict=True)
        for level in range(run.level, end)
    ]
