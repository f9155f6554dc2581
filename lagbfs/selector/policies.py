"""Policies: rules that pick an arm for each product, by formulas with parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..backends.protocol import Arm, Features, FlatBeamer, FlatFixed, FlatScript, MatrixFeatures, Selector, Step
from ..errors import InvalidValueError

__all__ = ["Beamer", "Fixed", "Oracle", "Script", "first_of", "nearest"]


def first_of(direction: str, arms: Sequence[Arm]) -> Arm:
    """Return the first arm of a direction, or the first of all if there is none."""
    return next((arm for arm in arms if arm.direction == direction), arms[0])


def nearest(name: str, arms: Sequence[Arm]) -> Arm:
    """Return the first arm of that name; if none is offered, the first of its direction, or else of all.

    Examples
    --------
    >>> arms = [Arm("reference", "push"), Arm("reference", "pull")]
    >>> str(nearest("native pull:bitmap", arms))
    'reference pull'
    """
    named = _named(name, arms)
    return first_of(name.split()[-1].partition(":")[0], arms) if named is None else named


def _named(name: str, arms: Sequence[Arm]) -> Arm | None:
    for arm in arms:
        way = f"{arm.direction}:{arm.variant}"
        if name in (arm.direction, way, f"{arm.backend} {arm.direction}", f"{arm.backend} {way}"):
            return arm
    return None


@dataclass(frozen=True, slots=True)
class Beamer(Selector):
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
        return first_of("pull" if self._pulls(features) else "push", arms)

    def flat(self, arms: Sequence[Arm]) -> FlatBeamer:
        """Return the rule as plain data."""
        return FlatBeamer(self.alpha, self.beta, first_of("push", arms), first_of("pull", arms))

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
class Fixed(Selector):
    """Always the same arm.

    Parameters
    ----------
    arm : str
        A direction, ``"push"`` or ``"pull"``, or one with its variant, such as ``"push:scan"``; with an engine before
        it, such as ``"native push"``, an arm of that engine.

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
        arm = _named(self.arm, arms)
        if arm is None:
            raise InvalidValueError(f"selector {self.arm!r} names no arm: there are {', '.join(map(str, arms))}")
        return arm

    def choose_for_matrices(self, features: MatrixFeatures, arms: Sequence[Arm]) -> Arm:
        """Return the first arm of that name."""
        return self.choose(None, arms)

    def flat(self, arms: Sequence[Arm]) -> FlatFixed:
        """Return the rule as plain data."""
        return FlatFixed(self.choose(None, arms))

    def why(self, features: Features) -> str:
        """Return that it was asked for."""
        return "asked for"


@dataclass(frozen=True, slots=True)
class Script(Selector):
    """An arm for each level, whatever comes: for measuring.

    Parameters
    ----------
    arms : tuple of str
        What `Fixed` would be told, by level; the last goes on.

    Examples
    --------
    >>> import lagbfs
    >>> script = lagbfs.selector.Script(("push", "pull", "push"))
    >>> [step.arm.direction for step in lagbfs.bfs(lagbfs.graphs.path(5), 0, selector=script).trace]
    ['push', 'pull', 'push', 'push', 'push']
    """

    arms: tuple[str, ...]

    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return the arm of the level."""
        return Fixed(self.arms[min(features.level, len(self.arms) - 1)]).choose(features, arms)

    def flat(self, arms: Sequence[Arm]) -> FlatScript:
        """Return the rule as plain data."""
        return FlatScript(tuple(Fixed(name).choose(None, arms) for name in self.arms))

    def why(self, features: Features) -> str:
        """Return that it was asked for."""
        return "asked for"


class TimedSearch(Protocol):
    """A search of which it was measured what every arm takes at each level: see `lagbfs.measure`."""

    @property
    def arms(self) -> tuple[Arm, ...]:
        """What was measured."""
        ...

    @property
    def seconds(self) -> Any:
        """By level and arm, what it takes."""
        ...

    @property
    def steps(self) -> tuple[Step, ...]:
        """The levels."""
        ...

    @property
    def best(self) -> tuple[Arm, ...]:
        """The arm for each level that makes the search fastest."""
        ...


class Oracle(Selector):
    """The arm that was fastest at each level of a measured search: for judging other policies on the same search.

    Parameters
    ----------
    run : MeasuredRun
        The search; what follows its last level goes on with that level's arm.

    Examples
    --------
    >>> import lagbfs
    >>> A = lagbfs.graphs.grid(3, 3)
    >>> run = lagbfs.measure.arms_by_level(A, 0, repeats=1)
    >>> best = lagbfs.selector.Oracle(run)
    >>> [step.arm for step in lagbfs.bfs(A, 0, selector=best).trace] == list(run.best)
    True
    """

    def __init__(self, run: TimedSearch) -> None:
        if not run.steps:
            raise InvalidValueError("run must have at least one level")
        self.run = run
        self._script = Script(tuple(map(str, run.best)))

    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return the fastest arm of the level."""
        return self._script.choose(features, arms)

    def flat(self, arms: Sequence[Arm]) -> FlatScript:
        """Return the rule as plain data."""
        return self._script.flat(arms)

    def why(self, features: Features) -> str:
        """Return what the arms took for the level."""
        took = zip(self.run.arms, self.run.seconds[min(features.level, len(self.run.steps) - 1)], strict=True)
        return "measured: " + ", ".join(f"{arm} {seconds * 1e6:.3g} µs" for arm, seconds in took)

    def __repr__(self) -> str:
        return f"Oracle({len(self.run.steps)} levels)"
