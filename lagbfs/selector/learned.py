"""The learned selector: the time of every arm from what a level is paid for, and the least of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..backends.protocol import START, Arm, Features, FlatCosts, Selector
from ..backends.protocol.quantities import QUANTITIES, expected_next, quantities
from ..base import checks
from ..base.wording import counted
from ..errors import InvalidValueError
from ..storage.rows import Rows
from .learning import LEAST_EDGES, learning_on
from .policies import Beamer

__all__ = ["Learned"]

Coefficients = tuple[float, ...]  # nanoseconds of one of each quantity
_TRIVIAL = 256  # vertices and edges
_FRONTIER, _LOOKED = list(QUANTITIES).index("frontier"), list(QUANTITIES).index("looked")
_NOTHING = (0.0,) * len(QUANTITIES)
MOST_NANOSECONDS, MOST_CACHE, MOST_AHEAD, MOST_THREADS = 1e12, 2.0**50, 64, 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Learned(Selector):
    """The arm expected to be fastest, the way to its engine and the levels to come included.

    The time of an arm is a sum over the quantities of a level, each times what one of it takes: coefficients that were
    fitted to measured levels. All are positive, so that the sum goes on beyond the sizes measured. Where there are
    several engines, what it takes to bring the state to an engine counts, and so do the next levels there, as they
    are expected to come: a move may pay only over several.

    Parameters
    ----------
    arms : mapping
        By arm, nanoseconds of one of each quantity, on `threads` threads. Arms that are not in it are not chosen; if
        none of those offered is, Beamer's rule chooses.
    moves : mapping
        By pairs of engines, the same for bringing the state from one to the other, and from ``"start"`` for beginning
        a search at an engine; pairs not in it cost nothing.
    cache : float
        Bytes of the cache that quantities reckon with.
    ahead : int
        How many levels to look ahead where there are several engines.
    provenance : mapping
        Where the figures come from.
    adapt : bool
        Whether searches of a graph teach it how far it is off there, as `lagbfs.selector.Learning` says.
    alone : mapping
        The same as `arms` on one thread, for what learns: an arm that is in both may be given some of the threads,
        others have all. Where nothing is learnt, every arm is expected to have `threads`.
    threads : int
        How many `arms` are for.

    Examples
    --------
    >>> import lagbfs
    >>> t = lagbfs.bfs(lagbfs.graphs.grid(4, 4), 0, selector="learned")
    >>> t.depth
    6
    """

    arms: Mapping[Arm, Coefficients]
    moves: Mapping[tuple[str, str], Coefficients] = field(default_factory=dict)
    cache: float = 2.0**20
    ahead: int = 4
    provenance: Mapping[str, Any] = field(default_factory=dict)
    adapt: bool = True
    alone: Mapping[Arm, Coefficients] = field(default_factory=dict)
    threads: int = 2

    def __post_init__(self) -> None:
        for arm, row in self.arms.items():
            _check_row(str(arm), row)
        for arm, row in self.alone.items():
            _check_row(f"{arm} on one thread", row)
        for (here, there), row in self.moves.items():
            _check_row(f"{here} > {there}", row)
            if here == there:
                raise InvalidValueError(f"the move {here} > {there} must lead to another engine")
        checks.real("cache", self.cache, low=1, high=MOST_CACHE)
        if checks.integer("ahead", self.ahead, low=0) > MOST_AHEAD:
            raise InvalidValueError(f"ahead must be at most {MOST_AHEAD}, not {self.ahead}")
        if checks.integer("threads", self.threads, low=1) > MOST_THREADS:
            raise InvalidValueError(f"threads must be at most {MOST_THREADS}, not {self.threads}")

    def on(self, rows: Rows) -> Selector:
        """Return the selector that learns from searches of one graph, itself if it is small or is not to learn."""
        return learning_on(rows, self) if self.adapt and rows.nvals >= LEAST_EDGES else self

    def frozen(self) -> Selector:
        """Return the same, which does not learn."""
        return replace(self, adapt=False) if self.adapt else self

    def is_trivial(self, features: Features, arms: Sequence[Arm]) -> bool:
        """Whether a level of little, in a list, comes after a push: no arm saves what choosing takes."""
        last = features.arm
        small = features.frontier_size + features.frontier_edges <= _TRIVIAL and features.form == "list"
        return small and last is not None and last.direction == "push" and last in arms and last in self.arms

    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return the arm of least expected cost, the first of equals; a trivial level is pushed as the one before."""
        if features.arm is not None and self.is_trivial(features, arms):
            return features.arm
        costs = self.costs(features, arms)
        return min(costs, key=costs.__getitem__) if costs else Beamer().choose(features, arms)

    def predict(self, features: Features, arms: Sequence[Arm]) -> dict[Arm, float]:
        """Return the seconds that each arm is expected to take for the level, without moves and later levels."""
        return {arm: price * 1e-9 for arm, price in self.prices(features, arms).items()}

    def prices(self, features: Features, arms: Sequence[Arm]) -> dict[Arm, float]:
        """Return the nanoseconds that each arm it knows is expected to take for the level alone."""
        q = quantities(features, self.cache)
        return {arm: _dot(self.arms[arm], q) for arm in arms if arm in self.arms}

    def prices_alone(self, features: Features, arms: Sequence[Arm]) -> dict[Arm, float]:
        """Return the nanoseconds on one thread of the arms that it is known of."""
        q = quantities(features, self.cache)
        return {arm: _dot(self.alone[arm], q) for arm in arms if arm in self.alone and arm in self.arms}

    def costs(self, features: Features, arms: Sequence[Arm]) -> dict[Arm, float]:
        """Return what is compared, in nanoseconds: the level, the way there and the levels to come."""
        return self.with_ways(features, self.prices(features, arms))

    def with_ways(self, features: Features, level: Mapping[Arm, float]) -> dict[Arm, float]:
        """Return what arms cost that take so long for the level: with the way there and the levels to come."""
        beside = self.beside(features, level)
        return {arm: cost + beside[arm.backend] for arm, cost in level.items() if arm.backend in beside}

    def beside(self, features: Features, level: Mapping[Arm, float]) -> dict[str, float]:
        """Return by engine the way there and the levels to come, where arms take so long for the level.

        Engines that need not be thought of yet are left out.
        """
        here = None if features.arm is None else features.arm.backend
        if here is not None and all(arm.backend == here for arm in level):
            return {here: 0.0}
        q = quantities(features, self.cache)
        if here is not None and self._can_wait(here, level, q):
            return {here: 0.0}
        rest = self._rest(features, q, [*level])
        return {engine: self._move(here, engine, q) + later for engine, later in rest.items()}

    def _can_wait(self, here: str | None, level: Mapping[Arm, float], q: Coefficients) -> bool:
        """Whether no other engine does the level in less than this one, so that moving there can wait.

        A later move pays for a frontier of at most the unvisited.
        """
        own = min((cost for arm, cost in level.items() if arm.backend == here), default=None)
        if own is None:
            return False
        return all(
            cost >= own + self.moves.get((here or START, arm.backend), _NOTHING)[_FRONTIER] * q[_LOOKED]
            for arm, cost in level.items()
            if arm.backend != here
        )

    def _move(self, here: str | None, engine: str, q: Coefficients) -> float:
        row = self.moves.get((here or START, engine))
        return 0.0 if row is None else _dot(row, q)

    def _rest(self, f: Features, q: Coefficients, arms: Sequence[Arm]) -> dict[str, float]:
        """Return by engine what the levels after this one are expected to take from there, moves included."""
        rest = {arm.backend: 0.0 for arm in arms}
        levels = []
        for _ in range(self.ahead if len(rest) > 1 else 0):
            f = expected_next(f, q)
            q = quantities(f, self.cache)
            levels.append(q)
        for q in reversed(levels):
            least = {e: min(_dot(self.arms[arm], q) for arm in arms if arm.backend == e) + rest[e] for e in rest}
            rest = {here: min(least[there] + self._move(here, there, q) for there in rest) for here in rest}
        return rest

    def flat(self, arms: Sequence[Arm]) -> FlatCosts:
        """Return the rule as plain data."""
        own = {arm: self.arms[arm] for arm in arms if arm in self.arms}
        return FlatCosts(own, self.moves, self.cache, self.ahead, alone=self.alone, threads=self.threads)

    def why(self, features: Features) -> str:
        """Return what a level is expected to be paid for."""
        q = dict(zip(QUANTITIES, quantities(features, self.cache), strict=True))
        pushes = counted(round(q["pushes"] + q["crowd"]), "edge", "edges")
        looked = counted(round(q["looked"]), "vertex", "vertices")
        probes = counted(round(q["probes"]), "probe", "probes")
        return f"push scans {pushes}; pull looks at {looked}, {probes} expected"

    def __repr__(self) -> str:
        return f"Learned({len(self.arms)} arms, cache={self.cache:g}, ahead={self.ahead})"


def _check_row(name: str, row: Coefficients) -> None:
    if len(row) != len(QUANTITIES) or not all(0 <= price <= MOST_NANOSECONDS for price in row):
        expected = f"{len(QUANTITIES)} numbers from 0 to {MOST_NANOSECONDS:g}"
        raise InvalidValueError(f"the coefficients of {name} must be {expected}, not {row!r:.80}")


def _dot(row: Coefficients, q: Coefficients) -> float:
    total = 0.0  # in this order, as the kernels do: sum() would be more exact
    for price, amount in zip(row, q, strict=True):
        total += price * amount
    return total
