"""Replays: what a selector that learns takes for one search of a graph after another, by what was measured.

All arms are timed at all levels of some searches, on each number of threads that a level may be given. What a selector
decides is then priced by medians; what it learns from are single samples, as disturbed as they were. So a hundred
searches cost no more than their decisions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle, islice
from typing import Any, NamedTuple

import numpy as np

from ..backends import registry
from ..backends.protocol import FORMS, Arm, Features, GraphSizes, Step, features_before
from ..host.experience import CELL_MOST, Experience
from ..selector.learning import Choice, Learning
from .levels import MeasuredRun

__all__ = ["Ways", "replay"]

_LIST, _BOTH = FORMS.index("list"), FORMS.index("both")
_ALIKE = 8  # levels that one decision holds for at most: Decisions::kAlike of the native engine
_SOON = 20e3  # nanoseconds: Decisions::kSoon

Way = tuple[Arm, int]
"""An arm on so many threads."""


class _Kept(NamedTuple):
    """What was decided for a level with the frontier in some form, and for how many more it holds."""

    choice: Choice
    form: int
    times: int


class Ways:
    """What each arm takes for the levels of one search, on each of several numbers of threads.

    Parameters
    ----------
    runs : sequence of MeasuredRun
        The same search, measured on different numbers of threads. Engines that do not divide levels among the threads
        by choice have the most of them.

    Examples
    --------
    >>> import lagbfs
    >>> A = lagbfs.graphs.grid(3, 3)
    >>> run = lagbfs.measure.arms_by_level(A, 0, backend="reference", repeats=1)
    >>> Ways([run]).fastest == run.fastest
    True
    """

    def __init__(self, runs: Sequence[MeasuredRun]) -> None:
        self.runs = {run.threads: run for run in runs}
        self.threads = max(self.runs)
        all_threads = self.runs[self.threads]
        self.steps, self.arms, self.moves = all_threads.steps, all_threads.arms, all_threads.moves
        self._sizes: GraphSizes = all_threads.sizes
        ways = [(arm, used) for used, run in self.runs.items() for arm in run.arms if self._may(arm, used)]
        self._at = {way: i for i, way in enumerate(ways)}
        levels = range(len(self.steps))
        self._seconds = [[[self._median(at, form, *way) for way in ways] for form in FORMS] for at in levels]
        self._after = [[self._form_after(at, *way) for way in ways] for at in levels]
        self._known: dict[tuple[int, int, Arm | None], Features] = {}
        self._places: list[int] = []
        self.fastest, self.best = self._fastest()

    def _may(self, arm: Arm, used: int) -> bool:
        return used == self.threads or registry.get(arm.backend).divides

    def _median(self, level: int, form: str, arm: Arm, used: int) -> float:
        return self.runs[used].cost(level, None, arm, form)

    def _form_after(self, level: int, arm: Arm, used: int) -> int:
        return FORMS.index(self.runs[used].form_after.get((level, arm), "list"))

    def _fastest(self) -> tuple[float, tuple[Way, ...]]:
        """Return the least seconds and their ways: by dynamic programming over engine and form."""
        ways = [*self._at]
        states: dict[tuple[str | None, int], tuple[float, Any]] = {(None, _LIST): (0.0, None)}
        for seconds, after in zip(self._seconds, self._after, strict=True):
            following: dict[tuple[str | None, int], tuple[float, Any]] = {}
            for (here, form), (before, path) in states.items():
                for i, (arm, _) in enumerate(ways):
                    suited = _BOTH if here not in (None, arm.backend) else form
                    total = before + seconds[suited][i] + self._move(here, arm.backend)
                    state = arm.backend, after[i]
                    if state not in following or total < following[state][0]:
                        following[state] = total, (path, i)
            states = following
        least, path = min(states.values(), key=lambda state: state[0])
        best: list[Way] = []
        while path is not None:
            path, i = path
            best.append(ways[i])
        return least, tuple(reversed(best))

    def taken(self, ways: Iterable[Way]) -> float:
        """Return the seconds of the search by these ways, one for each level."""
        total, here, form = 0.0, None, _LIST
        for level, way in enumerate(ways):
            engine, at = way[0].backend, self._at[way]
            suited = _BOTH if here not in (None, engine) else form
            total += self._seconds[level][suited][at] + self._move(here, engine)
            here, form = engine, self._after[level][at]
        return total

    @property
    def noise(self) -> float:
        """How many times the least the best ways take that half of the samples name, by the other half.

        So much is lost by noise alone: a selector that knew what levels take would, too.
        """
        halves = [Ways([run.half(part) for run in self.runs.values()]) for part in (0, 1)]
        lost = [other.taken(one.best) / other.fastest for one, other in (halves, halves[::-1]) if other.fastest]
        return float(np.sqrt(np.prod(lost))) if lost else 1.0

    def _move(self, here: str | None, there: str) -> float:
        return self.moves.get((here or "", there), 0.0)

    def features(self, level: int, form: int, last: Arm | None) -> Features:
        """Return what is known before a level, the one before it having been computed by `last`."""
        key = level, form, last
        if key not in self._known:
            step = self.steps[level]._replace(form=FORMS[form])
            before: Step | None = self.steps[level - 1]._replace(arm=last) if last else None
            self._known[key] = features_before(step, before, *self._sizes)
        return self._known[key]

    def search(self, learning: Learning, order: np.random.Generator, kept: dict[int, _Kept]) -> float:
        """Return the seconds of the search as `learning`, of this graph, decides it, which learns from it.

        By cell, `kept` is what was decided for levels that are over soon.
        """
        decisions = _Decisions(learning, self, kept)
        total, last, form = 0.0, None, _LIST
        for level, seconds_by_form in enumerate(self._seconds):
            choice = decisions.next(level, form, last)
            if last is not None and last.backend != choice.arm.backend:
                form = _BOTH
                total += self._move(last.backend, choice.arm.backend)
            way = choice.arm, choice.threads or self.threads
            at = self._at[way]
            seconds = seconds_by_form[form][at]
            decisions.took(self._sample(level, way, form, order) if decisions.learns else seconds)
            total, last, form = total + seconds, choice.arm, self._after[level][at]
        decisions.end()
        return total

    def _sample(self, level: int, way: Way, form: int, order: np.random.Generator) -> float:
        samples = self.runs[way[1]].samples.get((level, way[0], FORMS[form]))
        return samples[order.integers(len(samples))] if samples else self._seconds[level][form][self._at[way]]

    def places(self, experience: Experience) -> list[int]:
        """Return the cell of each level; all experiences of one graph have the same."""
        if len(self._places) != len(self.steps):
            self._places = [experience.place(step.frontier_edges, step.unvisited_edges) for step in self.steps]
        return self._places


class _Decisions:
    """The decisions of one search, as backends/native/decisions.hpp makes them."""

    def __init__(self, learning: Learning, ways: Ways, kept: dict[int, _Kept]) -> None:
        self._learning, self._ways, self._places = learning, ways, ways.places(learning.experience)
        self._kept, self._one_engine = kept, len({arm.backend for arm in ways.arms}) == 1
        self._last: Choice | None = None
        self._form, self._alike, self._fresh, self._spent = _LIST, 0, False, 0.0

    def next(self, level: int, form: int, last: Arm | None) -> Choice:
        """Return what is decided for a level, or was for those like it before it."""
        before = self._last
        if before is not None and self._is_alike(level, form, last, before):
            self._alike, self._fresh = self._alike + 1, False
            return before
        self._form = form
        at, features = self._places[level], self._ways.features(level, form, last)
        known = self._kept.get(at)
        if known and known.times and known.form == form and not self._is_trivial(features):
            self._kept[at] = known._replace(times=known.times - 1)
            self._alike, self._fresh, self._last = _ALIKE, False, known.choice
            return known.choice
        self._last = decided = self._decided(features)
        self._alike, self._fresh = 0, True
        if decided.row >= 0 and decided.best is None and self._one_engine and self._is_settled(decided):
            self._kept[at] = _Kept(decided, form, _ALIKE - 1)
            self._alike = _ALIKE
        return decided

    def _is_trivial(self, f: Features) -> bool:
        return f.arm is not None and self._learning.model.is_trivial(f, self._ways.arms)

    def _is_settled(self, choice: Choice) -> bool:
        experience = self._learning.experience
        if experience.seen(choice.row, choice.at) < CELL_MOST:
            return False
        return choice.expected * math.exp(experience.correction(choice.row, choice.at)) <= _SOON

    def _is_alike(self, level: int, form: int, last: Arm | None, before: Choice) -> bool:
        if before.row < 0 or before.best is not None or self._alike + 1 >= _ALIKE:
            return False
        return form == self._form and self._places[level] == before.at and last == before.arm

    def _decided(self, f: Features) -> Choice:
        learning, arms = self._learning, self._ways.arms
        if f.arm is not None and self._is_trivial(f):
            return Choice(f.arm, 1 if registry.get(f.arm.backend).divides else 0, -1, 0, 0.0)
        choice = learning.decide(f, arms, self._ways.threads)
        return choice or Choice(learning.model.choose(f, arms), 0, -1, 0, 0.0)

    @property
    def learns(self) -> bool:
        """Whether what the level takes is learnt from."""
        return self._fresh and self._last is not None and self._last.row >= 0

    def took(self, seconds: float) -> None:
        """Take in what the level took that was decided on last."""
        if self._last is None or self._last.row < 0:
            return
        self._spent += seconds * 1e9
        if self._fresh:
            self._learning.took(self._last, seconds)

    def end(self) -> None:
        """Count the search."""
        self._learning.experience.spend(self._spent)
        self._learning.experience.end_search()


def replay(learning: Learning, searches: Sequence[Ways], count: int, *, seed: int = 1) -> Iterator[tuple[float, float]]:
    """Yield, for one search after another, its seconds as `learning` decides it and the least that it may take.

    Parameters
    ----------
    learning : Learning
        What decides, and learns.
    searches : sequence of Ways
        Searches of one graph, taken in turns.
    count : int
        How many searches there are in all.
    seed : int
        Of what is sampled.

    Examples
    --------
    >>> import lagbfs
    >>> A = lagbfs.graphs.grid(3, 3)
    >>> searches = [Ways([lagbfs.measure.arms_by_level(A, s, backend="reference", repeats=1)]) for s in range(2)]
    >>> learning = lagbfs.selector.Learning.knowing_nothing(lagbfs.selector.models.shipped(), A.nvals)
    >>> [taken >= least for taken, least in replay(learning, searches, 3)]
    [True, True, True]
    """
    order, kept = np.random.default_rng(seed), dict[int, _Kept]()
    for ways in islice(cycle(searches), count):
        yield ways.search(learning, order, kept), ways.fastest
