"""The switching point of You et al.: M and N of the rule of `lagbfs.selector.Switch`, predicted by regression.

Y. You, D. Bader, M. Dehnavi, "Designing a Heuristic Cross-Architecture Combination for Breadth-First Search", 2014. A
sample is a graph, the machine that pushes and the machine that pulls (figure 7), its value the best switching point as
exhaustive search finds it. Where the paper has the parameters of the R-MAT generator, which real graphs do not have,
the degrees stand in summary. All are taken as logarithms. Its file, checked strictly when read:

    {"format": "lagbfs switching point", "version": 1,
     "features": […],                 names, as in FEATURES
     "M": {…}, "N": {…},              regressions of log₂ M and log₂ N, see lagbfs.selector.regression:
                                      low, high, support, coefficients, gamma, intercept
     "provenance": {…}}
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..backends.protocol import Arm, Features, Figures, Selector
from ..base import machine
from ..base.machine import Machine
from ..errors import InvalidValueError
from ..storage.rows import Rows
from . import model_file
from .decisions import Decisions
from .figures import guessed
from .regression import Regression
from .thresholds import Relay, Switch

__all__ = ["FEATURES", "GREATEST", "SwitchPoint", "dump", "load", "parse", "sample", "shipped"]

GREATEST = 300.0  # the paper's range of M and N is [1, 300]

KIND, VERSION = "switching point", 1
_DEGREES = ("median", "max", "std")
_GRAPH = ("n", "m", *(f"{way}_{name}" for way in ("out", "in") for name in _DEGREES))
FEATURES = (*_GRAPH, *(f"{way}_{name}" for way in ("push", "pull") for name in Machine._fields))
"""What a switching point is predicted from: the graph, the machine that pushes and the one that pulls."""


def sample(figures: Figures, push: Machine, pull: Machine) -> NDArray[np.float64]:
    """Return the features of a search, in the order of `FEATURES`."""
    degrees = [getattr(stats, name) for stats in (figures.out_degrees, figures.in_degrees) for name in _DEGREES]
    logarithms: NDArray[np.float64] = np.log2(np.array([figures.n, figures.m, *degrees, *push, *pull], float) + 1)
    return logarithms


@dataclass(frozen=True, slots=True, eq=False)
class SwitchPoint(Selector):
    """The switching point that regression predicts for a graph and a machine, or for a pair of machines.

    Parameters
    ----------
    M, N : Regression
        Of log₂ M and log₂ N on `FEATURES`.
    push, pull : str
        The engine to begin on and the engine to go on with, if they are two; by default the first offered does both.
    machines : mapping
        By engine, what it runs on, if that is not this machine.
    provenance : mapping
        Where the regressions come from.

    Examples
    --------
    >>> import lagbfs
    >>> from dataclasses import replace
    >>> A = lagbfs.graphs.grid(20, 20)
    >>> lagbfs.bfs(A, 0, selector="switchpoint").depth
    38
    >>> pair = replace(lagbfs.selector.switchpoint.shipped(), push="suitesparse", pull="reference")
    >>> lagbfs.bfs(A, 0, backend=["suitesparse", "reference"], selector=pair).depth
    38
    """

    M: Regression
    N: Regression
    push: str = ""
    pull: str = ""
    machines: Mapping[str, Machine] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if bool(self.push) != bool(self.pull):
            raise InvalidValueError("push and pull must both name an engine, or neither")

    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return the rule's choice for a graph whose degrees are not known, and taken to be alike."""
        return self.rule(guessed(features)).choose(features, arms)

    def on(self, rows: Rows) -> Decisions:
        """Return the rule for one graph."""
        return self.rule(Figures.of(rows)).on(rows)

    def rule(self, figures: Figures) -> Switch | Relay:
        """Return the rule for a graph of these figures."""
        return _rule(self, figures)

    def why(self, features: Features) -> str:
        """Return the comparisons that the choice rests on."""
        return self.rule(guessed(features)).why(features)

    def predicted(self, figures: Figures) -> Switch | Relay:
        """Return the rule for a graph of these figures, predicted anew."""
        if self.push == self.pull:
            return self._switch(figures, self.pull, self.pull)
        # Algorithm 3: (M₁, N₁) of the pair, then (M₂, N₂) of the second engine alone.
        first, then = self._switch(figures, self.push, self.pull), self._switch(figures, self.pull, self.pull)
        return Relay(first, then)

    def _switch(self, figures: Figures, push: str, pull: str) -> Switch:
        x = sample(figures, self._machine(push), self._machine(pull))
        M, N = (float(np.clip(2.0 ** np.clip(f(x), -99, 99), 1, GREATEST)) for f in (self.M, self.N))
        return Switch(M, N, push)

    def _machine(self, engine: str) -> Machine:
        if engine in self.machines:
            return self.machines[engine]
        varies = self.M.varies() | self.N.varies()
        return machine.here() if varies[len(_GRAPH) :].any() else _UNSEEN

    def __repr__(self) -> str:
        engines = f", {self.push} to {self.pull}" if self.push != self.pull else ""
        return f"SwitchPoint({len(self.M.support)} and {len(self.N.support)} support vectors{engines})"


# Stands for this machine where nothing depends on it, so that it need not be measured.
_UNSEEN = Machine(0, 0, 0, 0, 0)


@lru_cache(maxsize=256)
def _rule(policy: SwitchPoint, figures: Figures) -> Switch | Relay:
    """Return the rule for a graph; predicting it takes longer than a small search."""
    return policy.predicted(figures)


def dump(policy: SwitchPoint, path: str | os.PathLike[str]) -> None:
    """Write the regressions of a policy to a file, whole or not at all; engines and machines are not kept in it."""
    content = {"features": list(FEATURES), "M": policy.M.content(), "N": policy.N.content()}
    model_file.dump(path, KIND, VERSION, policy.provenance, content)


def load(path: str | os.PathLike[str]) -> SwitchPoint:
    """Read a policy from a file; raise FileFormatError if it is not one in every detail."""
    return parse(model_file.text_of(path), os.fspath(path))


def parse(text: bytes, name: str) -> SwitchPoint:
    """Return the policy that the text of a file is; `name` is for error messages."""
    content, check = model_file.parse(text, name, KIND, VERSION, ["features", "M", "N"])
    check(content["features"] == list(FEATURES), f"the features {', '.join(FEATURES)}; train again")
    M, N = (Regression.parsed(content[key], key, len(FEATURES), check) for key in "MN")
    return SwitchPoint(M, N, provenance=content["provenance"])


@cache
def shipped() -> SwitchPoint:
    """Return the policy that comes with lagbfs."""
    return parse(model_file.shipped("switchpoint.json"), "the shipped switching point")
