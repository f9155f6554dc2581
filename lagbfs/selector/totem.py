"""Totem's rule: pull from where the frontier has many edges, for so many levels, then push to the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..backends.protocol import Arm, Features, Selector
from ..base import checks
from ..storage.rows import Rows
from .policies import first_of

__all__ = ["Totem"]


@dataclass(frozen=True, slots=True)
class Totem(Selector):
    """Push until the frontier's edges exceed a share of all, pull for a fixed number of levels, then push for good.

    All parts of a graph then turn at the same levels without a word: the hubs, which are found first, decide, and going
    back takes no vote.

    Parameters
    ----------
    share : float
        The share of the edges.
    steps : int
        How many levels are pulled.

    Notes
    -----
    Sallinen, Gharaibeh and Ripeanu, "Accelerating Direction-Optimized Breadth First Search on Hybrid Architectures",
    2015, section 3.3: a static share of the edges out of the frontier, and a fixed number of steps, of which it gives
    no figures. The defaults are those that suit Kronecker graphs.

    Examples
    --------
    >>> import lagbfs
    >>> t = lagbfs.bfs(lagbfs.graphs.kronecker(9), 1, selector="totem")
    >>> [step.arm.direction for step in t.trace].count("pull") <= 3
    True
    """

    share: float = 0.05
    steps: int = 3

    def __post_init__(self) -> None:
        checks.real("share", self.share, low=0, high=1)
        checks.integer("steps", self.steps, low=0)

    def on(self, rows: Rows) -> Turns:
        """Return the rule for one search."""
        return Turns(self)

    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return the first arm of the direction for a level before which nothing was pulled."""
        return first_of("pull" if self.begins(features) else "push", arms)

    def begins(self, features: Features) -> bool:
        """Whether a level that comes after pushes is pulled."""
        return self.steps > 0 and features.frontier_edges > self.share * features.m

    def why(self, features: Features) -> str:
        """Return the comparison that the choice rests on."""
        share = features.frontier_edges / max(features.m, 1)
        return f"frontier {share:.2%} of m, limit {self.share:.2%}; at most {self.steps} pulls in a row"


class Turns(Selector):
    """The rule during one search: which of its levels are pulled, whoever asks, and how often."""

    def __init__(self, totem: Totem) -> None:
        self.totem = totem
        self._first: int | None = None  # that is pulled

    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return the first arm of the direction that the rule picks."""
        if self._first is None and self.totem.begins(features):
            self._first = features.level
        pulls = self._first is not None and 0 <= features.level - self._first < self.totem.steps
        return first_of("pull" if pulls else "push", arms)

    def why(self, features: Features) -> str:
        """Return the comparison that the choice rests on."""
        return self.totem.why(features)
