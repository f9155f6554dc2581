"""Searches by the kernels: from the state to their arrays, and back."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from time import perf_counter
from typing import Any

from ..protocol import FORMS, Arm, Part, State, Step
from .handle import Handle
from .loading import arms, features_from, features_to, kernels
from .policy import fixed

__all__ = ["Search", "run"]

_MOST_THREADS = 256  # as many as a team has


class Search(Part):
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


def _levels(state: State, graph: Any, policy: Any, max_levels: int, threads: int | None) -> Any:
    """Return what the kernels have made of a search."""
    depth = -1 if state.max_depth is None else min(state.max_depth, state.features.n)  # none goes deeper than that
    limits = depth, state.targets, state.deterministic, min(threads or 0, _MOST_THREADS), max_levels
    wants = state.wants_parents
    if state.fresh:
        sources = int(state.frontier[0]) if len(state.frontier) == 1 else state.frontier
        return graph.search(sources, policy, wants, not wants, *limits)
    parents, levels = (state.reached, None) if wants else (None, state.reached)
    return graph.advance(state.frontier, parents, levels, features_to(state.features), policy, *limits)


def _take(state: State, search: Any, reason: str) -> None:
    """Bring the state up to what the kernels have done."""
    state.fresh = False
    state.reached = search.parents if state.wants_parents else search.levels
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
