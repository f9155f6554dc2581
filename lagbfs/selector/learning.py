"""Learning: a model on one graph, corrected by what levels of that graph have taken."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import host
from ..backends import registry
from ..backends.protocol import Arm, Features, FlatCosts, Selector
from ..base import machine
from ..base.wording import counted
from ..host.experience import MUCH_FASTER, NEAR, NEAR_UNKNOWN, UNKNOWN, UNSEEN, Experience
from ..storage.rows import Rows
from . import elsewhere
from .shares import ALL, SHARES, Shares

if TYPE_CHECKING:
    from .learned import Learned

__all__ = ["LEAST_EDGES", "Choice", "Learning", "learning_on"]

LEAST_EDGES = 1 << 15
"""Of a graph that is learnt from: levels of smaller ones take microseconds, and so would learning."""


class Choice(NamedTuple):
    """What is decided for a level: an arm on some of the threads, 0 for as many as there are.

    `row` and `at` are its row and cell of the experience, `expected` the nanoseconds before corrections; `best` is what
    the best way is expected to take, if it is another one and this is only tried.
    """

    arm: Arm
    threads: int
    row: int
    at: int
    expected: float
    best: float | None = None


Way = tuple[Choice, float]
"""What may be decided, and the nanoseconds expected of it after correction."""


def _least(ways: Sequence[Way]) -> dict[Arm, float]:
    """Return by arm the least that a way of it is expected to take."""
    least: dict[Arm, float] = {}
    for choice, corrected in ways:
        least[choice.arm] = min(corrected, least.get(choice.arm, math.inf))
    return least


class Learning(Selector):
    """The learned selector on one graph: what its model expects, corrected by what levels of this graph have taken.

    Each level that runs tells what its arm took, which is compared with what was expected. Corrections are kept by arm,
    share of the threads and size of the level; what has not been seen takes after what has been, here and on graphs
    searched before. Now and then, from the fourth search on, a way of which little is known is tried where it is
    expected to do about as well: as long as no more than a hundredth of the time spent on the graph is lost by that.

    A matrix has one for as long as it lives; it is neither copied nor pickled with it.

    Parameters
    ----------
    model : Learned
        What is corrected.
    edges : int
        Of the graph.
    priors : sequence of float, optional
        What to expect of each row of the experience, which then counts for no other graph. Default: what was learnt of
        graphs searched before.

    Examples
    --------
    >>> import lagbfs
    >>> A = lagbfs.graphs.kronecker(12)
    >>> taught = lagbfs.selector.Learning(lagbfs.selector.models.shipped(), A.nvals)
    >>> for source in range(5):
    ...     t = lagbfs.bfs(A, source, selector=taught)
    >>> "corrected" in str(t.explain())
    True
    """

    __slots__ = ("_kept", "experience", "model", "rows")

    def __init__(self, model: Learned, edges: int, priors: Sequence[float] | None = None) -> None:
        self.model = model
        self.rows = {arm: SHARES * i for i, arm in enumerate(model.arms)}
        kinds = dict.fromkeys((arm.backend, arm.direction) for arm in model.arms)
        places = {kind: i for i, kind in enumerate(kinds)}
        groups = [SHARES * places[arm.backend, arm.direction] + s for arm in model.arms for s in range(SHARES)]
        known = elsewhere.priors(self.rows) if priors is None else list(priors)
        own = [i for i in range(len(model.arms)) for _ in range(SHARES)]
        self.experience: Experience = host.routines().experience(own, groups, known, float(edges))
        self._kept: dict[Any, Any] = {}
        if priors is None:
            elsewhere.add(self.rows, self.experience)

    @classmethod
    def knowing_nothing(cls, model: Learned, edges: int) -> Learning:
        """Return what has learnt nothing of any graph, and teaches others nothing."""
        return cls(model, edges, [0.0] * SHARES * len(model.arms))

    def __reduce__(self) -> Any:
        """Pickle and copy the model: what was learnt is of the matrix here."""
        return _alone, (self.model,)

    @property
    def kept(self) -> dict[Any, Any]:
        """What engines make of it is kept with it."""
        return self._kept

    def frozen(self) -> Selector:
        """Return the model alone."""
        return self.model.frozen()

    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return the arm of the way that is decided on."""
        if features.arm is not None and self.model.is_trivial(features, arms):
            return features.arm
        choice = self.decide(features, arms, machine.threads())
        return self.model.choose(features, arms) if choice is None else choice.arm

    def decide(self, features: Features, arms: Sequence[Arm], threads: int) -> Choice | None:
        """Return the way of least cost on so many threads, or another worth trying; None if it knows no arm."""
        return self.decide_among(features, self.expected(features, arms, threads))

    def decide_among(self, features: Features, expected: Sequence[Choice]) -> Choice | None:
        """Return the same, of ways of which this is expected."""
        ways = self._corrected(expected)
        beside = self.model.beside(features, _least(ways))
        best: tuple[Choice, float] | None = None
        least = math.inf
        for choice, corrected in ways:
            total = corrected + beside.get(choice.arm.backend, math.inf)
            more = best is not None and choice.threads > best[0].threads
            if total < least * (MUCH_FASTER if more else 1):
                least, best = total, (choice, corrected)
        if best is None or not registry.get(best[0].arm.backend).divides:
            return best and best[0]
        return self._tried(*best, ways)

    def expected(self, f: Features, arms: Sequence[Arm], threads: int) -> list[Choice]:
        """Return the ways that there are, and what the model alone expects of each."""
        at = self.experience.place(f.frontier_edges, f.unvisited_edges)
        shares = Shares(threads, self.model.threads)
        prices_alone = self.model.prices_alone(f, arms)
        ways: list[Choice] = []
        for arm, price in self.model.prices(f, arms).items():
            own, alone = registry.get(arm.backend).divides, prices_alone.get(arm, 0.0)
            divides = own and alone > 0
            for share in shares.offered if divides else (ALL,):
                expected = shares.price(alone, price, share) if divides else price
                used = shares.threads(share) if own else 0
                ways.append(Choice(arm, used, self.rows[arm] + share, at, expected))
        return ways

    def _corrected(self, expected: Sequence[Choice]) -> list[Way]:
        """Return the ways, each with the nanoseconds that are expected of it after correction."""
        correction = self.experience.correction
        return [(way, way.expected * math.exp(correction(way.row, way.at))) for way in expected]

    def _ways(self, f: Features, arms: Sequence[Arm], threads: int) -> list[Way]:
        return self._corrected(self.expected(f, arms, threads))

    def _tried(self, best: Choice, least: float, ways: Sequence[Way]) -> Choice:
        """Return the best way, or of those worth trying the one expected to take least."""
        budget, experience = self.experience.budget, self.experience
        if budget <= 0:
            return best

        def is_worth(choice: Choice, corrected: float) -> bool:
            if choice is best or not registry.get(choice.arm.backend).divides:
                return False
            if experience.seen(choice.row, choice.at) >= UNSEEN:
                return False
            near = NEAR if experience.weight(choice.row) >= UNKNOWN else NEAR_UNKNOWN
            return corrected - least <= budget and corrected <= near * least

        worth = [way for way in ways if is_worth(*way)]
        return min(worth, key=lambda way: way[1])[0]._replace(best=least) if worth else best

    def learn(self, features: Features, arm: Arm, seconds: float) -> None:
        """Take a level in that an engine ran which does not learn by itself."""
        price = self.model.prices(features, [arm]).get(arm)
        if price and seconds > 0:
            at = self.experience.place(features.frontier_edges, features.unvisited_edges)
            self.experience.learn(self.rows[arm] + ALL, at, math.log(seconds * 1e9 / price), seconds * 1e9)

    def took(self, choice: Choice, seconds: float) -> None:
        """Take in what a level took that was decided on, as the kernels do by themselves."""
        if seconds > 0 and choice.expected > 0:
            nanoseconds = seconds * 1e9
            self.experience.learn(choice.row, choice.at, math.log(nanoseconds / choice.expected), nanoseconds)
        if choice.best is not None:
            self.experience.lose(max(seconds * 1e9 - choice.best, 0.0))

    def flat(self, arms: Sequence[Arm]) -> FlatCosts:
        """Return the rule as plain data, with what has been learnt and will be."""
        flat = self.model.flat(arms)
        return replace(flat, experience=self.experience, rows=self.rows)

    def predict(self, features: Features, arms: Sequence[Arm]) -> dict[Arm, float]:
        """Return the seconds that each arm is expected to take by now, on the threads that suit it."""
        least = _least(self._ways(features, arms, machine.threads()))
        return {arm: nanoseconds * 1e-9 for arm, nanoseconds in least.items()}

    def costs(self, features: Features, arms: Sequence[Arm]) -> dict[Arm, float]:
        """Return what is compared, in nanoseconds."""
        predicted: Mapping[Arm, float] = self.predict(features, arms)
        return self.model.with_ways(features, {arm: seconds * 1e9 for arm, seconds in predicted.items()})

    def why(self, features: Features) -> str | None:
        """Return what a level is expected to be paid for."""
        return self.model.why(features)

    def learnt(self, features: Features, arm: Arm) -> str:
        """Return by how much what was expected of the arm is corrected, and from how many levels."""
        ways = self._ways(features, [arm], machine.threads())
        if not ways:
            return ""
        choice, corrected = min(ways, key=lambda way: way[1])
        levels = self.experience.levels(choice.row)
        if not levels:
            return ""
        threads = f" on {counted(choice.threads, 'thread', 'threads')}" if choice.threads else ""
        factor = corrected / choice.expected
        return f"corrected by {factor:.2g} from {counted(levels, 'level', 'levels')}{threads}"

    def __repr__(self) -> str:
        return f"learned, {counted(self.experience.searches, 'search', 'searches')} of this graph seen"


def _alone(model: Learned) -> Learned:
    return model


def learning_on(rows: Rows, model: Learned) -> Selector:
    """Return what has been learnt of one graph with this model, and goes on learning; another model learns nothing."""
    learning: Learning = rows.store.handle((Learning, rows.transposed), lambda: Learning(model, rows.nvals))
    return learning if learning.model is model else model
