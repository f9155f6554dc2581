"""The levels of a search that several parts share.

Every process runs the same `Levels`, each with the parts that it has. After each level they tell each other the sizes
of what they found, then what they found: as a list of labels or as a bitmap, whichever is smaller. That is all a push
needs, and a pull. Parents stay where they were found until the search has ended.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..protocol import Arm, Exchange, Features, Part, Selector, Share, frontier_form

__all__ = ["Levels", "Member"]


@dataclass(slots=True)
class Member:
    """A part, the arms that may compute its share of a level, and the one that computed the last."""

    part: Part
    arms: tuple[Arm, ...]
    last: Arm | None = None


class Level(NamedTuple):
    """A level that was computed: what was known before it, its seconds, and what each part of this process did."""

    features: Features
    seconds: float
    shares: list[Share]


@dataclass(slots=True)
class Levels:
    """A search over parts, from its sources to its end.

    Attributes
    ----------
    members : sequence of Member
        The parts of this process.
    exchange : Exchange
        What joins them with each other, and with those of other processes.
    selector : Selector
        What picks the arm of each part. All see the whole level; each has arms of its own.
    features : Features
        What is known of the level to come.
    labels : int
        How many labels there are.
    width : int
        Bytes of a label.
    max_depth : int, optional
        How many levels to go at most.
    missing : callable, optional
        Tells how many targets each part of this process still misses.
    """

    members: Sequence[Member]
    exchange: Exchange
    selector: Selector
    features: Features
    labels: int
    width: int
    max_depth: int | None = None
    missing: Callable[[], Sequence[int]] | None = None
    _sizes: NDArray[np.int64] = field(init=False)

    def begin(self, found: Sequence[tuple[int, int]]) -> None:
        """Begin with what the parts have `found`: vertices, and the edges that leave them in the whole graph."""
        self._sizes = self._told(found)
        f = self.features
        f.frontier_size, f.frontier_edges = map(int, self._sizes[:, :2].sum(axis=0))

    @property
    def goes_on(self) -> bool:
        """Whether there is another level to compute; all processes find the same."""
        f = self.features
        if not f.frontier_size or (self.max_depth is not None and f.level >= self.max_depth):
            return False
        return self.missing is None or bool(self._sizes[:, 2].any())

    def step(self, pool: ThreadPoolExecutor | None = None) -> Level:
        """Compute a level; with a `pool` the parts of this process do so at the same time."""
        f, before, sent = self.features, self.features.copy(), self.exchange.sent
        began = perf_counter()
        whole, form = self._whole()
        exchanged, sent = perf_counter() - began, self.exchange.sent - sent
        shares, found = self._computed(whole, form, pool)
        self._sizes = self._told(found)
        f.enter(*map(int, self._sizes[:, :2].sum(axis=0)))
        shares = [share._replace(exchange=exchanged, sent=sent) for share in shares]
        before.form = form
        return Level(before, perf_counter() - began, shares)

    def _told(self, found: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
        """Return the figures of all parts: vertices, edges and, where there are targets, how many are missing."""
        figures = [found] if self.missing is None else [found, np.reshape(self.missing(), (-1, 1))]
        return self.exchange.stats(np.concatenate([np.asarray(each, np.int64) for each in figures], axis=1))

    def _whole(self) -> tuple[NDArray[Any], str]:
        """Return the whole frontier, and as what."""
        form = frontier_form(self.features.frontier_size, self.labels, self.width)
        mine = [member.part.frontier(form) for member in self.members]
        return self.exchange.frontier(mine, form, self._sizes[:, 0]), form

    def _computed(
        self, whole: NDArray[Any], form: str, pool: ThreadPoolExecutor | None
    ) -> tuple[list[Share], list[tuple[int, int]]]:
        """Return what each part here did for the level, and what it has found."""
        works = [partial(self._step, number, whole, form) for number in range(len(self.members))]
        others = [pool.submit(work) for work in works[1:]] if pool is not None else []
        results = [work() for work in works[: len(works) - len(others)]] + [other.result() for other in others]
        return [share for share, _ in results], [found for _, found in results]

    def _step(self, number: int, whole: NDArray[Any], form: str) -> tuple[Share, tuple[int, int]]:
        member, features = self.members[number], self.features.copy()
        features.form, features.arm = form, member.last
        member.last = arm = member.part.choose(self.selector, features, member.arms)
        began = perf_counter()
        found = member.part.step(whole, form, arm)
        return Share(self.exchange.parts[number], arm, perf_counter() - began), found
