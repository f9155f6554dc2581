"""Measured searches: what every arm would have taken for each level, from the same state."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import checks, context
from .backends.protocol import Arm, State, Step, Trace, check_choice
from .bfs import check_graph, run, vertices
from .context import Settings
from .errors import InvalidValueError
from .matrix import Matrix
from .selector import Fixed

__all__ = ["MeasuredRun", "arms_by_level"]


@dataclass(frozen=True, slots=True)
class MeasuredRun:
    """The seconds of every arm for each level of one search.

    Attributes
    ----------
    arms : tuple of Arm
        What was measured.
    seconds : ndarray
        Medians; one row for each level, one column for each arm.
    steps : tuple of Step
        The search as the selector directs it: sizes, the arm chosen, and that arm's median.
    """

    arms: tuple[Arm, ...]
    seconds: NDArray[np.float64]
    steps: tuple[Step, ...]

    @property
    def chosen(self) -> tuple[Arm, ...]:
        """The arm that the selector chose for each level."""
        return tuple(step.arm for step in self.steps)

    @property
    def best(self) -> tuple[Arm, ...]:
        """The arm that was fastest at each level."""
        return tuple(self.arms[i] for i in self.seconds.argmin(axis=1)) if self.steps else ()

    @property
    def regret(self) -> float:
        """How many times as long as the fastest arm of each level the chosen ones took, over the whole search."""
        fastest = float(self.seconds.min(axis=1).sum()) if self.steps else 0.0
        return sum(step.seconds for step in self.steps) / fastest if fastest else 1.0


def arms_by_level(
    A: Matrix,
    source: Any,
    *,
    backend: str | Sequence[str] | None = None,
    selector: Any = None,
    repeats: int = 3,
    threads: int | None = None,
) -> MeasuredRun:
    """Search a graph, and time every arm at each level from the state that the search has come to.

    The arms take turns, so that what disturbs the machine disturbs all of them. The time is what the engine records
    for the level in its trace: handing the state over is not in it. The matrix is optimized first.

    Parameters
    ----------
    A : Matrix
        The adjacency.
    source : vertex or iterable of vertices
        Where to start.
    backend : str or sequence of str, optional
        The engines whose arms are measured. Default: the one `bfs` would use.
    selector : str or Selector, optional
        What picks the arms marked as chosen. Default: the one `bfs` would use.
    repeats : int
        How many times each arm is timed at each level; the median counts.
    threads : int, optional
        How many threads an engine may use.

    Returns
    -------
    MeasuredRun
        Draw it with `lagbfs.plot.arms`.

    Examples
    --------
    >>> import lagbfs
    >>> run = lagbfs.measure.arms_by_level(lagbfs.graphs.grid(3, 3), 0, backend="reference", repeats=1)
    >>> run.seconds.shape, [str(arm) for arm in run.arms]
    ((5, 2), ['reference push', 'reference pull'])
    """
    checks.integer("repeats", repeats, low=1)
    names = [backend] if backend is None or isinstance(backend, str) else dict.fromkeys(backend)
    settings = [context.current().but(name, None, selector, threads) for name in names]
    if not settings:
        raise InvalidValueError("backend must name at least one engine")
    state, policy = _start(A, source, settings), settings[0].policy()
    rows, steps = [], []
    while state.goes_on:
        times = [[_one_level(_fork(state), arm).seconds for arm in state.arms] for _ in range(repeats)]
        medians = np.median(times, axis=0)
        chosen = check_choice(policy.choose(state, state.arms), state.arms)
        step = _one_level(state, chosen)
        rows.append(medians)
        steps.append(step._replace(seconds=float(medians[state.arms.index(chosen)])))
    return MeasuredRun(tuple(state.arms), np.array(rows).reshape(len(rows), len(state.arms)), tuple(steps))


def _start(A: Matrix, source: Any, settings: Sequence[Settings]) -> State:
    """Return the state before the first level, with the arms of all the settings."""
    check_graph(A)
    sources = vertices(A, "source", source)
    arms = [arm for each in settings for arm in each.arms()]
    for name in dict.fromkeys(arm.backend for arm in arms):
        A.optimize(backend=name, threads=settings[0].threads)  # or a layout might be made between two levels
    state = State(A, sources, wants_parents=True, arms=arms, threads=settings[0].threads)
    state.unfold()
    return state


def _fork(state: State) -> State:
    """Return a search that goes on from the same point without changing this one."""
    other = copy(state)
    other.reached, other.trace = state.reached.copy(), Trace()
    return other


def _one_level(state: State, arm: Arm) -> Step:
    """Advance a search by one level, by this arm, and return what the trace says of it."""
    offered, state.arms, state.max_depth = state.arms, (arm,), state.level + 1
    run(state, Fixed(arm.direction))
    state.arms, state.max_depth = offered, None
    return state.trace.steps()[-1]
