"""How much time a policy loses on measured searches, against the fastest arm of each level."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...backends.protocol import Selector
from ...selector import Fixed
from .corpus import Measured

__all__ = ["MIX_AND_MATCH", "Quality", "best_arm", "geometric_mean", "quality", "slowdowns"]


class Quality(NamedTuple):
    """How good choices are, as Verstraaten et al. tell it; slowdowns are those of whole searches.

    `right` is the share of the levels that are computed by the best arm; nan where it is not known.
    """

    right: float
    within_2: float
    over_5: float
    over_20: float
    first_quartile: float
    median: float
    third_quartile: float
    mean: float
    worst: float


MIX_AND_MATCH = Quality(0.70, 0.92, 0.025, 0.004, math.nan, math.nan, math.nan, 2.04, 498.0)
"""What they have: table II, over the graphs of KONECT on a GPU, and the share of right choices of section IV-D."""


def quality(chosen: Iterable[tuple[Selector, Sequence[Measured]]]) -> Quality:
    """Return how good the choices of selectors are, each on searches of its own.

    Examples
    --------
    >>> import lagbfs
    >>> from lagbfs.measure.training import corpus
    >>> from lagbfs.selector import Fixed
    >>> path = {"path": lambda: lagbfs.graphs.path(9)}
    >>> searches = corpus.measure(path, backend="reference", sources=2, repeats=1)
    >>> 0 <= quality([(Fixed("pull"), searches)]).right <= 1
    True
    """
    ratios, right = [], []
    for policy, measured in chosen:
        ratios.append(slowdowns(policy, measured))
        for search in measured:
            steps = search.run.follow(policy.rule(search.figures))
            right += [step.arm == best for step, best in zip(steps, search.run.best, strict=True)]
    return _told(np.concatenate(ratios) if ratios else np.ones(1), float(np.mean(right)) if right else math.nan)


def best_arm(measured: Sequence[Measured]) -> Quality:
    """Return the same of whoever knows the best single arm for each search: "non-switching best"."""
    timed = [search.run for search in measured if search.run.fastest]
    whole = [min(sum(s.seconds for s in run.follow(Fixed(str(arm)))) for arm in run.arms) for run in timed]
    return _told(np.array(whole) / [run.fastest for run in timed] if timed else np.ones(1), math.nan)


def _told(ratios: NDArray[np.float64], right: float) -> Quality:
    shares = (ratios <= 2).mean(), (ratios > 5).mean(), (ratios > 20).mean()
    numbers = (*shares, *np.quantile(ratios, [0.25, 0.5, 0.75]), ratios.mean(), ratios.max())
    return Quality(right, *map(float, numbers))


def slowdowns(policy: Selector, measured: Sequence[Measured]) -> NDArray[np.float64]:
    """Return for each search how many times as long as by the fastest arm of each level it takes by a policy.

    Examples
    --------
    >>> import lagbfs
    >>> from lagbfs.measure.training import corpus
    >>> from lagbfs.selector import Fixed
    >>> grid = {"grid": lambda: lagbfs.graphs.grid(3, 3)}
    >>> searches = corpus.measure(grid, backend="reference", sources=2, repeats=1)
    >>> slowdowns(Fixed("push"), searches).shape
    (2,)
    """
    timed = [search for search in measured if search.run.fastest]
    taken = [sum(step.seconds for step in search.run.follow(policy.rule(search.figures))) for search in timed]
    ratios: NDArray[np.float64] = np.array(taken) / np.array([search.run.fastest for search in timed])
    return ratios


def geometric_mean(ratios: NDArray[np.float64]) -> float:
    """Return the geometric mean, 1 of nothing."""
    return float(np.exp(np.log(ratios).mean())) if len(ratios) else 1.0
