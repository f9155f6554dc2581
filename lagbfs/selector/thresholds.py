"""Rules that compare the frontier with shares of the graph; for one graph, the shares become numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..backends.protocol import Arm, Features, Selector
from ..base import checks
from ..errors import InvalidValueError
from ..storage.rows import Rows
from .decisions import Decisions, Growth, below, grow
from .policies import nearest

__all__ = ["Relay", "Switch", "Threshold"]


@dataclass(frozen=True, slots=True)
class Threshold(Selector):
    """Push while the frontier holds less than a share of the vertices, pull otherwise.

    Parameters
    ----------
    share : float
        5 % in Yıldırım, Tunalı and Alptürk's hybrid search.

    Examples
    --------
    >>> import lagbfs
    >>> t = lagbfs.bfs(lagbfs.graphs.star(50), 0, selector=lagbfs.selector.Threshold(0.1))
    >>> [step.arm.direction for step in t.trace]
    ['push', 'pull']
    """

    share: float = 0.05

    def __post_init__(self) -> None:
        checks.real("share", self.share, low=0, high=1)

    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return the first arm of the direction that the rule picks."""
        return nearest("push" if features.frontier_size < self.share * features.n else "pull", arms)

    def on(self, rows: Rows) -> Decisions:
        """Return the rule for one graph."""
        return _bound(self, rows.ncols, rows.nvals)

    def bound(self, n: int, m: int) -> Decisions:
        """Return the rule for graphs of `n` vertices and `m` edges."""
        return Decisions(grow(("frontier_size", below(self.share * n), "push", "pull")))

    def why(self, features: Features) -> str:
        """Return the comparison that the choice rests on."""
        return f"frontier {features.frontier_size / max(features.n, 1):.2%} of n, limit {self.share:.2%}"


@dataclass(frozen=True, slots=True)
class Switch(Selector):
    """Push while the frontier has less than 1/M of the edges and less than 1/N of the vertices, pull otherwise.

    Parameters
    ----------
    M, N : float
        The switching point, in the notation of You, Bader and Dehnavi, "Designing a Heuristic Cross-Architecture
        Combination for Breadth-First Search", 2014.
    engine : str
        Whose arms to choose from; by default the first offered.

    Examples
    --------
    >>> import lagbfs
    >>> t = lagbfs.bfs(lagbfs.graphs.star(50), 0, selector=lagbfs.selector.Switch(M=1, N=2))
    >>> [step.arm.direction for step in t.trace]
    ['push', 'pull']
    """

    M: float
    N: float
    engine: str = ""

    def __post_init__(self) -> None:
        for name in ("M", "N"):
            if not checks.real(name, getattr(self, name), low=0):
                raise InvalidValueError(f"{name} must be positive")

    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return the first arm of the direction that the rule picks."""
        return nearest(self.name("push" if self.pushes(features) else "pull"), arms)

    def pushes(self, f: Features) -> bool:
        """Return whether a level is on the push's side of the switching point."""
        return f.frontier_edges < f.m / self.M and f.frontier_size < f.n / self.N

    def name(self, direction: str) -> str:
        """Return the name of the arm of a direction."""
        return f"{self.engine} {direction}".strip()

    def on(self, rows: Rows) -> Decisions:
        """Return the rule for one graph."""
        return _bound(self, rows.ncols, rows.nvals)

    def bound(self, n: int, m: int) -> Decisions:
        """Return the rule for graphs of `n` vertices and `m` edges."""
        return Decisions(grow(self.growth(n, m, self.name("pull"))))

    def growth(self, n: int, m: int, otherwise: Growth) -> Growth:
        """Return the tests: a push on one side of the switching point, `otherwise` on the other."""
        sizes = ("frontier_size", below(n / self.N), self.name("push"), otherwise)
        return "frontier_edges", below(m / self.M), sizes, otherwise

    def why(self, features: Features) -> str:
        """Return the comparisons that the choice rests on."""
        f = features
        edges, size = f.frontier_edges / max(f.m, 1), f.frontier_size / max(f.n, 1)
        return f"frontier {edges:.2%} of m, limit {1 / self.M:.2%}; {size:.2%} of n, limit {1 / self.N:.2%}"


@dataclass(frozen=True, slots=True)
class Relay(Selector):
    """Push on one engine up to its switching point, then on another for good, which has a switching point of its own.

    Algorithm 3 of You, Bader and Dehnavi: top-down on the processor, then bottom-up and at last top-down on the
    accelerator, since the state is not worth bringing back.

    Parameters
    ----------
    first, then : Switch
        (M₁, N₁) with the engine to begin on, (M₂, N₂) with the engine to go on with.

    Examples
    --------
    >>> import lagbfs
    >>> from lagbfs.selector import Relay, Switch
    >>> star_with_a_tail = lagbfs.Matrix.from_edges([0] * 20 + [20, 21], range(1, 23), directed=False)
    >>> relay = Relay(Switch(2, 2, "suitesparse"), Switch(2, 2, "reference"))
    >>> t = lagbfs.bfs(star_with_a_tail, 0, backend=["suitesparse", "reference"], selector=relay)
    >>> [str(step.arm) for step in t.trace]
    ['suitesparse push', 'reference pull', 'reference push', 'reference push']
    """

    first: Switch
    then: Switch

    def __post_init__(self) -> None:
        if not self.first.engine or not self.then.engine or self.first.engine == self.then.engine:
            raise InvalidValueError("first and then must name two engines")

    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return the arm of the engine whose turn it is."""
        return self._turn(features).choose(features, arms)

    def _turn(self, f: Features) -> Switch:
        there = f.arm is not None and f.arm.backend == self.then.engine
        return self.then if there or not self.first.pushes(f) else self.first

    def on(self, rows: Rows) -> Decisions:
        """Return the rule for one graph."""
        return _bound(self, rows.ncols, rows.nvals)

    def bound(self, n: int, m: int) -> Decisions:
        """Return the rule for graphs of `n` vertices and `m` edges."""
        then = self.then.growth(n, m, self.then.name("pull"))
        return Decisions(grow(self.first.growth(n, m, then)), {self.then.engine: grow(then)})

    def why(self, features: Features) -> str:
        """Return the comparisons that the choice rests on."""
        return self._turn(features).why(features)


@lru_cache(maxsize=256)
def _bound(rule: Threshold | Switch | Relay, n: int, m: int) -> Decisions:
    """Return a rule for one size of graphs, the same object each time: engines keep what they make of it."""
    return rule.bound(n, m)
