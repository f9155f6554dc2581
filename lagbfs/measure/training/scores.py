"""How much time a policy loses on measured searches, against the fastest arm of each level."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...backends.protocol import Selector
from .corpus import Measured

__all__ = ["geometric_mean", "slowdowns"]


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
