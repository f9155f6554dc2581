"""The cost model of Zhang et al.: edges over measured speed.

F. Zhang, H. Lin, J. Zhai et al., "An adaptive breadth-first search algorithm on integrated architectures", 2018:

    t(push) = e_frontier / speed(push)          equation (2)
    t(pull) = α · e_left / speed(pull)          equation (4); 0 < α < 1, since a pull stops early

for every way of computing a level there is, and the least of them. Its file, checked strictly when read:

    {"format": "lagbfs cost model", "version": 1,
     "speeds": {"native push:queue": 1e9, …},   edges a second, by arm
     "alpha": 0.1,
     "provenance": {…}}
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from ..backends.protocol import Arm, Features, FlatCosts, Selector
from ..backends.protocol.quantities import QUANTITIES
from ..base import checks
from ..errors import InvalidValueError
from . import model_file
from .policies import Beamer

__all__ = ["CostModel", "dump", "load", "parse", "shipped"]

KIND, VERSION = "cost model", 1
_MOST_ARMS = 1000
SLOWEST, FASTEST = 1e-3, 1e15  # edges a second


@dataclass(frozen=True, slots=True, eq=False)
class CostModel(Selector):
    """The arm that traverses its edges soonest, at the speed that was measured.

    Parameters
    ----------
    speeds : mapping
        By arm, edges a second. Arms that are not in it are not chosen; if none of those offered is, Beamer's rule
        chooses.
    alpha : float
        The share of the unvisited vertices' edges that a pull is taken to look at, above 0 and at most 1. One that
        cannot stop early looks at all.
    provenance : mapping
        Where the figures come from.

    Examples
    --------
    >>> import lagbfs
    >>> from lagbfs.backends.protocol import Arm
    >>> speeds = {Arm("reference", "push"): 1e8, Arm("reference", "pull"): 4e8}
    >>> policy = lagbfs.selector.CostModel(speeds, alpha=0.1)
    >>> t = lagbfs.bfs(lagbfs.graphs.star(50), 0, backend="reference", selector=policy)
    >>> [step.arm.direction for step in t.trace]
    ['pull', 'pull']
    """

    speeds: Mapping[Arm, float]
    alpha: float
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not checks.real("alpha", self.alpha, low=0, high=1):
            raise InvalidValueError("alpha must be above 0")
        for arm, speed in self.speeds.items():
            checks.real(f"the speed of {arm}", speed, low=SLOWEST, high=FASTEST)

    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return the arm of least expected time; of equals one of the engine that is at work, or the first."""
        costs = {arm: self._cost(arm, features) for arm in arms if arm in self.speeds}
        here = None if features.arm is None else features.arm.backend
        return (
            min(costs, key=lambda arm: (costs[arm], arm.backend != here)) if costs else Beamer().choose(features, arms)
        )

    def predict(self, features: Features, arms: Sequence[Arm]) -> dict[Arm, float]:
        """Return the seconds that each arm is expected to take for the level."""
        return {arm: self._cost(arm, features) * 1e-9 for arm in arms if arm in self.speeds}

    def _cost(self, arm: Arm, f: Features) -> float:
        edges = f.frontier_edges if arm.direction == "push" else f.unvisited_edges
        return self._price(arm, early_exit=f.early_exit) * edges

    def _price(self, arm: Arm, *, early_exit: bool = True) -> float:
        """Return the nanoseconds of one edge."""
        share = self.alpha if arm.direction == "pull" and early_exit else 1.0
        return share * 1e9 / self.speeds[arm]

    def flat(self, arms: Sequence[Arm]) -> FlatCosts:
        """Return the rule as plain data."""
        prices = {
            arm: tuple(self._price(arm) if q in _PAID[arm.direction] else 0.0 for q in QUANTITIES)
            for arm in arms
            if arm in self.speeds
        }
        return FlatCosts(prices, {}, cache=1.0, ahead=0)

    def why(self, features: Features) -> str:
        """Return the edges that a push and a pull are taken to look at."""
        share = self.alpha if features.early_exit else 1.0
        return f"push: {features.frontier_edges:,} edges; pull: {share:.3g} of {features.unvisited_edges:,} expected"

    def __repr__(self) -> str:
        return f"CostModel({len(self.speeds)} arms, alpha={self.alpha:g})"


# The quantities that add up to the edges of a direction: a push has few or a crowd of them, the other being 0.
_PAID = {"push": ("pushes", "crowd"), "pull": ("left",)}


def dump(model: CostModel, path: str | os.PathLike[str]) -> None:
    """Write a model to a file, whole or not at all."""
    content = {"speeds": {str(arm): speed for arm, speed in model.speeds.items()}, "alpha": model.alpha}
    model_file.dump(path, KIND, VERSION, model.provenance, content)


def load(path: str | os.PathLike[str]) -> CostModel:
    """Read a model from a file; raise FileFormatError if it is not one in every detail."""
    return parse(model_file.text_of(path), os.fspath(path))


def parse(text: bytes, name: str) -> CostModel:
    """Return the model that the text of a file is; `name` is for error messages."""
    content, check = model_file.parse(text, name, KIND, VERSION, ["speeds", "alpha"])
    speeds = check.arms(content["speeds"], "speeds", _MOST_ARMS)
    return CostModel(
        {arm: check.number(speed, f"the speed of '{arm}'", SLOWEST, FASTEST) for arm, speed in speeds.items()},
        check.number(content["alpha"], "alpha", 1e-9, 1),
        content["provenance"],
    )


@cache
def shipped() -> CostModel:
    """Return the model that comes with lagbfs."""
    return parse(model_file.shipped("costmodel.json"), "the shipped cost model")
