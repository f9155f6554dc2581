"""Several engines of this process that share each level of a search: Totem's CPU and GPU, and any others.

Their name says which, how the vertices are dealt out and, if that is not to be predicted, which share of the edges each
has: ``native+cupyx``, ``native+cupyx/random``, ``native+cupyx/degree/40:60``.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base import machine
from ...base.suggestions import did_you_mean
from ...errors import InvalidValueError
from ...operators.semiring import AnySemiring
from ...storage.block import Block
from ...storage.csr import Csr
from ...storage.forms import Form
from ...storage.masks import Mask
from ...storage.matrix_masks import MatrixMask
from ...storage.rows import Rows
from ...storage.store import Handle as Kept
from .. import registry
from ..protocol import Arm, Backend, BackendInfo, Features, Part, Selector, State, Step
from .blocks import cut
from .local import LocalExchange
from .loop import Level, Levels, Member
from .split import POLICIES, Split, split
from .standby import alike, member

__all__ = ["Partitioned", "named"]


class Partitioned(Backend):
    """Engines that share a graph. Products, and what is not shared, are computed by the first."""

    names: tuple[str, ...]
    policy: str
    shares: tuple[float, ...] | None

    def __init__(self) -> None:
        self.engines = [registry.get(name) for name in self.names]
        self.arms = (Arm(self.name, "push"), Arm(self.name, "pull"))
        self.pool = ThreadPoolExecutor(len(self.names), thread_name_prefix="lagbfs")

    @classmethod
    def info(cls) -> BackendInfo:
        """Say that it can run if all of its engines can."""
        for name in cls.names:
            info = registry.info(name)
            if not info.runs:
                return BackendInfo(cls.name, "", False, f"{name}: {info.reason}", info.install)
        return BackendInfo(cls.name, "", True)

    def load(self, rows: Rows) -> Handle:
        """Return the matrix, of which the parts are cut when first searched."""
        return Handle(self, rows)

    def product(
        self,
        arm: Arm,
        handle: Handle,
        vector: Form,
        mask: Mask | None,
        semiring: AnySemiring,
        *,
        threads: int | None = None,
    ) -> Form:
        """Return w_j = ⊕_k vector_k ⊗ A_kj at the positions that `mask` allows, by the first engine."""
        engine = self.engines[0]
        own = handle.rows.handle(engine)
        return engine.product(alike(arm, engine), own, vector, mask, semiring, threads=threads)

    def matrix_product(
        self,
        arm: Arm,
        left: Rows,
        right: Rows,
        mask: MatrixMask | None,
        semiring: AnySemiring,
        *,
        threads: int | None = None,
    ) -> Csr:
        """Return C_ij = ⊕_k left_ik ⊗ right_kj at the positions that `mask` allows, by the first engine."""
        engine = self.engines[0]
        return engine.matrix_product(alike(arm, engine), left, right, mask, semiring, threads=threads)

    def advance(self, state: State, selector: Selector) -> None:
        """Run a search to its end, or a level at a time where another engine may take the next."""
        if state.deterministic or state.rows.is_hypersparse:
            self._leave(state, selector)
            return
        Shared(self, state, selector).run()

    def split(self, rows: Rows, selector: Selector) -> Split:
        """Return which engine gets which vertices of a graph."""
        degrees = rows.degrees.astype(np.int64) + rows.in_degrees
        return split(degrees, self.shares or self._predicted(rows, selector), self.policy)

    def _predicted(self, rows: Rows, selector: Selector) -> list[float]:
        """Return shares by how fast the engines are expected to be, no larger than what they have room for.

        What counts is the level that most of the edges are looked at in. Engines of which nothing is known are taken to
        be as fast as the others.
        """
        n, m = rows.ncols, rows.nvals
        level = Features(
            n=n,
            m=m,
            barren=rows.barren,
            frontier_size=n // 8,
            frontier_edges=m // 2,
            unvisited_size=n // 2,
            unvisited_edges=m // 4,
            level=2,
        )
        times = [min(selector.predict(level, engine.arms).values(), default=0.0) for engine in self.engines]
        known = [time for time in times if time]
        speeds = [1 / (time or (sum(known) / len(known) if known else 1.0)) for time in times]
        return _within(speeds, [_most(_room(engine, place), rows) for engine, place in self.placed()])

    def placed(self) -> list[tuple[Backend, int]]:
        """Return the engines, each with how many parts it has had before."""
        return [(engine, self.names[:number].count(engine.name)) for number, engine in enumerate(self.engines)]

    def _leave(self, state: State, selector: Selector) -> None:
        """Let the first engine search alone: of labels, parts do not know which is the smallest for the user."""
        first = self.engines[0]
        state.trace.notes.append(f"searched by {first.name} alone, which knows all vertices by their own numbers")
        state.leave_out(arm for arm in state.arms if arm.backend == self.name)
        state.arms = [*first.arms, *state.arms]
        first.advance(state, selector)


def _room(engine: Backend, place: int) -> int | None:
    """Return how many bytes an engine has room for: none, if its device has failed."""
    try:
        return engine.room(place)
    except engine.failures():
        return 0


def _most(room: int | None, rows: Rows) -> float:
    """Return which share of a graph there is room for: rows of all sources, edges both ways, what a search has."""
    if room is None:
        return 1.0
    n, m, width = rows.nrows, rows.nvals, rows.index_dtype.itemsize
    return min(max((_TAKEN * room - 9 * n) / max(2 * width * m + 24 * n, 1), 0.0), 1.0)


_TAKEN = 0.9  # of the room there is: the rest is for what a level makes


def _within(speeds: list[float], most: list[float]) -> list[float]:
    """Return shares that are as the speeds, but none larger than it may be; the first takes what is left over.

    Examples
    --------
    >>> _within([1.0, 3.0], [1.0, 1.0]), _within([1.0, 3.0], [1.0, 0.5])
    ([0.25, 0.75], [0.5, 0.5])
    """
    shares = [min(speed / sum(speeds), limit) for speed, limit in zip(speeds, most, strict=True)]
    return [1 - sum(shares[1:]), *shares[1:]]


class Handle(Kept):
    """A matrix that engines share: how it was split, and the blocks of the parts."""

    def __init__(self, engine: Partitioned, rows: Rows) -> None:
        self.engine, self.rows = engine, rows
        self._lock = Lock()
        self._cut: tuple[Split, list[Block]] | None = None

    def cut(self, selector: Selector) -> tuple[Split, list[Block]]:
        """Return the split and the blocks, made when first asked for."""
        with self._lock:
            if self._cut is None:
                found = self.engine.split(self.rows, selector)
                self._cut = found, [cut(self.rows, found, part) for part in range(found.parts)]
            return self._cut

    @property
    def layout(self) -> str:
        """Who has how much of the graph; empty if it was not split yet."""
        if self._cut is None:
            return ""
        _, blocks = self._cut
        pairs = zip(self.engine.names, blocks, strict=True)
        return "split: " + ", ".join(
            f"{name} {block.size:,} vertices, {block.rows.nvals:,} edges" for name, block in pairs
        )


class Shared:
    """A search that engines of one process share."""

    def __init__(self, engine: Partitioned, state: State, selector: Selector) -> None:
        state.unfold()
        self.engine, self.state, self.selector = engine, state, selector
        self.split, blocks = state.rows.handle(engine).cut(selector)
        hosts = sum(not each.on_device for each in engine.engines)
        threads = max((state.threads or machine.threads()) // max(hosts, 1), 1)
        self.members = [self._member(number, block, threads) for number, block in enumerate(blocks)]
        self.parts = [member.part for member in self.members]
        self.owned = [self.split.own(part) for part in range(self.split.parts)]
        if not state.reached.flags.writeable:
            state.reached = state.reached.copy()
        self.writes = [part.write_to(state.reached, self.split.user) for part in self.parts]

    def run(self) -> None:
        """Run levels for as long as they are this engine's, and bring the state up to them."""
        state, levels = self.state, self._levels()
        fresh = state.features.level == 0
        levels.begin([self._begin(part, fresh=fresh) for part in range(len(self.parts))])
        # Sources without an edge are part of the frontier, which no part has.
        state.features.frontier_size += self.split.idle(state.frontier)
        while levels.goes_on and self._is_asked():
            self._note(levels.step(self.engine.pool))
        self._take()

    def _member(self, number: int, block: Block, threads: int) -> Member:
        state, (engine, place) = self.state, self.engine.placed()[number]

        def make(engine: Backend) -> Part:
            return engine.part(block, wants_parents=state.wants_parents, threads=threads, place=place)

        ways = {arm.direction for arm in state.arms if arm.backend == self.engine.name}
        return member(engine, block, make, ways, state.features, state.trace.notes)

    def _levels(self) -> Levels:
        state = self.state
        return Levels(
            self.members,
            LocalExchange(len(self.parts)),
            self.selector.frozen(),
            state.features,
            labels=self.split.offsets[-1],
            width=self.split.label.itemsize,
            max_depth=state.max_depth,
            missing=None if state.targets is None else self._missing,
        )

    def _note(self, level: Level) -> None:
        """Record a level: its arm is that of the part that took longest."""
        f, slowest = level.features, max(level.shares, key=lambda share: share.seconds)
        arm = Arm(self.engine.name, slowest.arm.direction)
        sizes = f.level, f.frontier_size, f.frontier_edges, f.unvisited_size, f.unvisited_edges
        self.state.trace.add(Step(*sizes, arm, level.seconds, f.form))
        self.state.trace.shares[f.level] = level.shares
        self.state.took(arm)

    def _is_asked(self) -> bool:
        """Whether the next level is for this engine: always, where there is no other."""
        name = self.engine.name
        return all(arm.backend == name for arm in self.state.arms) or self.state.choose(self.selector).backend == name

    def _begin(self, part: int, *, fresh: bool) -> tuple[int, int]:
        state, reached = self.state, None
        if not fresh:
            reached = state.reached if self.writes[part] else self._labelled(state.reached[self.owned[part]])
        return self.parts[part].begin(self.split.places(state.frontier, part), reached, state.features.level)

    def _labelled(self, reached: NDArray[Any]) -> NDArray[Any]:
        """Return what was reached as parts know it: a device may keep the parent and tell another, without a label."""
        if not self.state.wants_parents:
            return reached
        return np.where(reached < 0, -1, np.maximum(self.split.label[reached], 0))

    def _missing(self) -> list[int]:
        """Return how many targets each part misses; those without an edge are never reached, and all miss them."""
        targets = self.state.targets
        beyond = self.split.idle(targets)
        return [part.missing(self.split.places(targets, number)) + beyond for number, part in enumerate(self.parts)]

    def _take(self) -> None:
        """Bring the state up to what the parts have found."""
        state, user = self.state, self.split.user
        for part, own, writes in zip(self.parts, self.owned, self.writes, strict=True):
            found = part.reached()
            if not writes:
                state.reached[own] = np.where(found < 0, -1, user[found]) if state.wants_parents else found
        if state.features.frontier_size:
            labels = np.concatenate([part.frontier("list") for part in self.parts])
            state.frontier = np.sort(self.split.user[labels])
            state.features.form = "list"
        state.drop_targets()


@cache
def named(name: str) -> type[Partitioned]:
    """Return the engine of such a name: ``native+cupyx``, ``native+cupyx/random``, ``native+cupyx/degree/40:60``."""
    if name.count("/") > 2:
        raise InvalidValueError(f"backend {name!r}: a name of parts has at most three, ENGINES/POLICY/SHARES")
    engines, policy, shares = [*name.split("/"), "", ""][:3]
    names = tuple(engines.split("+"))
    if policy and policy not in POLICIES:
        known = ", ".join(POLICIES)
        raise InvalidValueError(
            f"backend {name!r}: {policy!r} must be one of {known}{did_you_mean(policy, [*POLICIES])}"
        )
    attributes = {"name": name, "names": names, "policy": policy or _usual(names), "shares": _shares(name, shares)}
    return type("Partitioned", (Partitioned,), attributes)


def _usual(names: tuple[str, ...]) -> str:
    """Return the policy for engines that are all alike, or that differ."""
    return "dealt" if len(set(names)) == 1 else "degree"


def _shares(name: str, text: str) -> tuple[float, ...] | None:
    """Return the shares that a name tells, as parts of 1; None if it tells none."""
    if not text:
        return None
    count = len(registry.engines_of(name))
    expected = f"backend {name!r}: shares must be {count} numbers with colons between them, such as 40:60, not {text!r}"
    try:
        numbers = [float(number) for number in text.split(":")]
    except ValueError:
        raise InvalidValueError(expected) from None
    if len(numbers) != count or not all(0 <= number < float("inf") for number in numbers) or not sum(numbers):
        raise InvalidValueError(expected)
    return tuple(number / sum(numbers) for number in numbers)
