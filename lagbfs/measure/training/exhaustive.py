"""Exhaustive search of the best switching point of a measured search, as You et al. train on.

Of the switching points that choose alike at every level one is followed. Of all that are equally good the one in their
middle is taken, since it is furthest from choosing otherwise on a similar graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InvalidValueError
from ...selector.switchpoint import GREATEST
from ...selector.thresholds import Relay, Switch
from ..levels import MeasuredRun

__all__ = ["GREATEST", "best_switch", "point_seconds"]

_RANGE = np.geomspace(1, GREATEST, 32)
_POINTS = [(float(M), float(N)) for M in _RANGE for N in _RANGE]  # the paper tries 1,000


def best_switch(run: MeasuredRun, push: str = "", pull: str = "") -> Switch | Relay:
    """Return the rule by which a measured search takes the least time.

    Parameters
    ----------
    run : MeasuredRun
        What every arm takes at every level.
    push, pull : str
        The engine to begin on and the engine to go on with; the same twice, or nothing, for a search on one.

    Returns
    -------
    Switch or Relay
        The best switching point of one engine, or the best pair of two of them.

    Examples
    --------
    >>> import lagbfs
    >>> run = lagbfs.measure.arms_by_level(lagbfs.graphs.kronecker(8), 1, backend="reference", repeats=1)
    >>> 1 <= best_switch(run).M <= 300
    True
    """
    if not run.steps:
        raise InvalidValueError("run must have at least one level")
    pushed = _pushed(run)
    then = _groups(pushed)
    if push == pull:
        seconds = np.array([_seconds(run, _switch(group, push)) for group in then])
        return _switch(_least(seconds, then), push)
    # The first switching point tells no more than the level at which the search is handed over.
    first = _groups(np.where(pushed.all(axis=1), len(run.steps), pushed.argmin(axis=1)))
    table = np.array([[_seconds(run, Relay(_switch(f, push), _switch(g, pull))) for g in then] for f in first])
    over = int(table.min(axis=1).argmin())
    return Relay(_switch(first[over], push), _switch(_least(table[over], then), pull))


def point_seconds(run: MeasuredRun) -> NDArray[np.float64]:
    """Return the seconds of a measured search by each switching point that is tried."""
    groups = _groups(_pushed(run))
    seconds = np.empty(len(_POINTS))
    for group in groups:
        seconds[group] = _seconds(run, _switch(group, ""))
    return seconds


def _pushed(run: MeasuredRun) -> NDArray[np.bool_]:
    """Return for each switching point, in rows, whether it has each level pushed."""
    edges = np.array([step.frontier_edges for step in run.steps])
    sizes = np.array([step.frontier_size for step in run.steps])
    M, N = np.array(_POINTS).T[:, :, None]
    pushed: NDArray[np.bool_] = (edges < run.m / M) & (sizes < run.n / N)
    return pushed


def _groups(choices: NDArray[Any]) -> list[NDArray[np.intp]]:
    """Return the switching points in groups that choose alike."""
    _, group = np.unique(choices, axis=0, return_inverse=True)
    return [np.flatnonzero(group.ravel() == i) for i in range(int(group.max()) + 1)]


def _least(seconds: NDArray[np.float64], groups: Sequence[NDArray[np.intp]]) -> NDArray[np.intp]:
    """Return all switching points that take the least time."""
    return np.concatenate([group for group, took in zip(groups, seconds, strict=True) if took == seconds.min()])


def _switch(points: NDArray[np.intp], engine: str) -> Switch:
    """Return the rule with the switching point in the middle of some."""
    logs = np.log([_POINTS[i] for i in points])
    nearest = ((logs - logs.mean(axis=0)) ** 2).sum(axis=1).argmin()
    M, N = _POINTS[points[nearest]]
    return Switch(M, N, engine)


def _seconds(run: MeasuredRun, rule: Switch | Relay) -> float:
    return sum(step.seconds for step in run.follow(rule))
