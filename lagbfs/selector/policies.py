"""Policies: rules that pick an arm for each product."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..backends.protocol import DIRECTIONS, Arm, Features, Selector
from ..errors import InvalidValueError
from . import crossing

__all__ = ["DEFAULT", "Beamer", "Cost", "Fixed", "lookup"]


@dataclass(frozen=True, slots=True)
class Beamer:
    """Beamer's rule: pull while the frontier has many edges, push while it is small.

    Changes from push to pull when the frontier grows and its edges exceed 1/`alpha` of the edges of the
    unvisited, and back when it shrinks and holds less than 1/`beta` of the vertices.

    Parameters
    ----------
    alpha, beta : float
        The thresholds of Beamer, Asanović and Patterson, "Direction-Optimizing Breadth-First Search", 2012.

    Examples
    --------
    >>> import lagbfs
    >>> A = lagbfs.Matrix.from_edges([0, 1], [1, 2])
    >>> lagbfs.bfs(A, 0, selector=lagbfs.selector.Beamer(alpha=4)).depth
    2
    """

    alpha: float = 15
    beta: float = 18

    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return the first arm of the direction that the rule picks."""
        wanted = "pull" if self._pulls(features) else "push"
        return next((arm for arm in arms if arm.direction == wanted), arms[0])

    def flat(self) -> tuple[str, tuple[tuple[str, float], ...]]:
        """Return the rule as plain data, for engines that evaluate it themselves."""
        return "beamer", (("alpha", self.alpha), ("beta", self.beta))

    def why(self, features: Features) -> str:
        """Return the comparison that the choice rests on."""
        f = features
        if _pulled(f):
            return f"frontier {_trend(f)}, {f.frontier_size / max(f.n, 1):.2%} of n, limit {1 / self.beta:.2%}"
        share = f.frontier_edges / max(f.unvisited_edges, 1)
        return f"frontier {_trend(f)}, its edges {share:.2%} of the unvisited's, limit {1 / self._alpha(f):.2%}"

    def _pulls(self, f: Features) -> bool:
        if _pulled(f):
            return not (_trend(f) == "shrinks" and f.frontier_size * self.beta < f.n)
        return _trend(f) == "grows" and f.frontier_edges * self._alpha(f) > f.unvisited_edges

    def _alpha(self, f: Features) -> float:
        # Without early exit a pull reads all its edges: it wins only if there are fewer.
        return self.alpha if f.early_exit else 1


def _pulled(f: Features) -> bool:
    return f.arm is not None and f.arm.direction == "pull"


def _trend(f: Features) -> str:
    if f.frontier_size == f.previous_size:
        return "stays"
    return "grows" if f.frontier_size > f.previous_size else "shrinks"


@dataclass(frozen=True, slots=True)
class Cost:
    """The direction whose expected cost is less, by what compiled kernels were measured to pay for each step.

    Push pays for each vertex and edge of the frontier. Pull looks at every unvisited vertex that has edges, and probes
    them until one comes from the frontier: the chance is the frontier's share of the edges not yet behind it. Where
    the semiring allows no early exit it probes all. The rule knows nothing of what tells engines apart.

    Examples
    --------
    >>> import lagbfs
    >>> lagbfs.bfs(lagbfs.graphs.grid(4, 4), 0, selector="cost").depth
    6
    """

    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return the first arm of the cheaper direction."""
        push, pull = self._expected(features)
        wanted = "push" if push <= pull else "pull"
        return next((arm for arm in arms if arm.direction == wanted), arms[0])

    def why(self, features: Features) -> str:
        """Return what either direction was expected to cost."""
        push, pull = self._expected(features)
        return f"push {push / 1e3:,.1f} µs, pull {pull / 1e3:,.1f} µs expected"

    def _expected(self, f: Features) -> tuple[float, float]:
        """Return nanoseconds of push and of pull."""
        share = f.frontier_edges / (f.frontier_edges + f.unvisited_edges + 1)
        looked = min(f.unvisited_size, f.unvisited_edges)
        probes = min(f.unvisited_edges, looked / (share + 1e-9)) if f.early_exit else f.unvisited_edges
        return 4 * f.frontier_edges + 4 * f.frontier_size, f.n / 64 + 3 * looked + probes

    def flat(self) -> tuple[str, tuple[tuple[str, float], ...]]:
        """Return the rule as plain data, for engines that evaluate it themselves."""
        return "cost", ()


@dataclass(frozen=True, slots=True)
class Fixed:
    """Always the same arm.

    Parameters
    ----------
    arm : str
        A direction, ``"push"`` or ``"pull"``, or one with its variant, such as ``"push:scan"``.

    Examples
    --------
    >>> import lagbfs
    >>> A = lagbfs.Matrix.from_edges([0, 1], [1, 2])
    >>> {step.arm.direction for step in lagbfs.bfs(A, 0, selector="pull").trace}
    {'pull'}
    """

    arm: str

    def choose(self, features: Features | None, arms: Sequence[Arm]) -> Arm:
        """Return the first arm of that name."""
        for arm in arms:
            if self.arm in (arm.direction, f"{arm.direction}:{arm.variant}"):
                return arm
        raise InvalidValueError(f"selector {self.arm!r} names no arm: there are {', '.join(map(str, arms))}")

    def flat(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        """Return the rule as plain data, for engines that evaluate it themselves."""
        return "fixed", (("arm", self.arm),)

    def why(self, features: Features) -> str:
        """Return that it was asked for."""
        return "asked for"


DEFAULT = Cost()
_NAMED: dict[str, Selector] = {"beamer": Beamer(), "cost": DEFAULT, **crossing.NAMED}


def lookup(name: str, value: Any) -> Selector:
    """Return the selector meant by `value`: a policy's name, or an object with ``choose``."""
    if isinstance(value, str):
        found = Fixed(value) if value.split(":")[0] in DIRECTIONS else _NAMED.get(value)
    else:
        found = value
    if not callable(getattr(found, "choose", None)):
        known = ", ".join(map(repr, [*_NAMED, *DIRECTIONS]))
        raise InvalidValueError(
            f"{name} must be one of {known}, or have a method choose(features, arms), not {value!r}"
        )
    selector: Selector = found  # type: ignore[assignment]
    return selector
