"""Fitting the switching point of You et al. to measured searches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from ...base import machine
from ...base.machine import Machine
from ...errors import InvalidValueError
from ...selector import regression
from ...selector.switchpoint import SwitchPoint, sample
from ...selector.thresholds import Relay
from .corpus import Measured
from .exhaustive import best_switch
from .provenance import provenance

__all__ = ["fit"]


def fit(measured: Sequence[Measured], machines: Mapping[str, Machine] | None = None) -> SwitchPoint:
    """Return the regression of the best switching points of measured searches.

    Parameters
    ----------
    measured : sequence of Measured
        The searches; each makes a sample for every pair of engines.
    machines : mapping, optional
        The engines to learn from, and what each runs on. By default the first that was measured, on this machine.
    """
    if not measured:
        raise InvalidValueError("measured must hold at least one search")
    on = machines or {measured[0].run.arms[0].backend: machine.here()}
    pairs = list(product(on, repeat=2))
    x = [sample(search.figures, on[push], on[pull]) for search in measured for push, pull in pairs]
    rules = [best_switch(search.run, push, pull) for search in measured for push, pull in pairs]
    best = [rule.first if isinstance(rule, Relay) else rule for rule in rules]
    M, N = (regression.fit(x, np.log2([getattr(switch, name) for switch in best])) for name in "MN")
    policy = SwitchPoint(M, N, machines=machines or {})
    return replace(policy, provenance=provenance(policy, measured, "scikit-learn"))
