"""Fitting the cost model of Zhang et al. to measured searches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...backends.protocol import Arm
from ...errors import InvalidValueError
from ...selector.costmodel import FASTEST, SLOWEST, CostModel
from .corpus import Measured
from .provenance import provenance
from .scores import geometric_mean, slowdowns

__all__ = ["fit"]

_ALPHAS = np.geomspace(1e-4, 1, 81).tolist()


def fit(measured: Sequence[Measured]) -> CostModel:
    """Return the model of measured searches.

    The speed of an arm is its average speed over all levels: all edges over all time, edges of the frontier for a push,
    of the unvisited for a pull. The paper leaves α open; here it is the one by which the searches would have lost the
    least time.
    """
    speeds = _speeds(measured)
    if not speeds:
        raise InvalidValueError("measured must hold at least one level with edges")
    models = [CostModel(speeds, alpha) for alpha in _ALPHAS]
    best = min(models, key=lambda model: geometric_mean(slowdowns(model, measured)))
    return replace(best, provenance=provenance(best, measured))


def _speeds(measured: Sequence[Measured]) -> dict[Arm, float]:
    edges: dict[Arm, float] = defaultdict(float)
    seconds: dict[Arm, float] = defaultdict(float)
    for step in (step for search in measured for step in search.run.timings):
        edges[step.arm] += step.frontier_edges if step.arm.direction == "push" else step.unvisited_edges
        seconds[step.arm] += step.seconds
    timed = [arm for arm in edges if edges[arm] and seconds[arm]]
    return {arm: float(np.clip(edges[arm] / seconds[arm], SLOWEST, FASTEST)) for arm in timed}
