"""Measured searches: what every arm would have taken for each level of one search.

All arms find the same levels. So each arm's times are read from the trace of a search by that arm alone, whole and
in its stride, and what it takes to turn the frontier from a list into a bitmap or back from searches whose direction
changes at every level. Searches take turns, so that what disturbs the machine disturbs all arms. Of a search of many
levels, all but one arm of each engine are timed at some of the levels alone: the largest, and others evenly spread,
between which they are interpolated.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, permutations
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..backends.protocol import Arm, GraphSizes, Selector, Step, check_choice, features_before
from ..base import checks
from ..search.bfs import bfs
from ..selector import Script, context

__all__ = ["MeasuredRun", "arms_by_level", "tabulate"]

_DEEP = 64  # levels: of deeper searches, most arms are timed at as many
_SLOW = 0.2  # seconds: searches that take longer are not repeated


@dataclass(frozen=True, slots=True)
class MeasuredRun:
    """The seconds of every arm for each level of one search.

    Attributes
    ----------
    arms : tuple of Arm
        What was measured.
    seconds : ndarray
        Medians; one row for each level, one column for each arm, the frontier being in the form that suits it.
    steps : tuple of Step
        The search as the selector directs it: sizes, the arm chosen, and what it takes, changes of form included.
    n, m : int
        Vertices and edges of the graph.
    by_form : mapping
        Seconds by level, arm and form of the frontier, as far as they were measured: medians.
    form_after : mapping
        By level and arm the form that the frontier is in thereafter, likewise.
    moves : mapping
        Seconds of handing the state from one engine to another, by pairs of names.
    barren : int
        Vertices that no edge leads to.
    threads : int
        How many an engine might use; 0: as many as it does by default.
    samples : mapping
        What `by_form` has the medians of, each time by itself.
    """

    arms: tuple[Arm, ...]
    seconds: NDArray[np.float64]
    steps: tuple[Step, ...]
    n: int = 0
    m: int = 0
    by_form: Mapping[tuple[int, Arm, str], float] = field(default_factory=dict)
    form_after: Mapping[tuple[int, Arm], str] = field(default_factory=dict)
    moves: Mapping[tuple[str, str], float] = field(default_factory=dict)
    barren: int = 0
    threads: int = 0
    samples: Mapping[tuple[int, Arm, str], tuple[float, ...]] = field(default_factory=dict)

    @property
    def sizes(self) -> GraphSizes:
        """What was known of the graph at every level."""
        return GraphSizes(self.n, self.m, self.barren)

    @property
    def chosen(self) -> tuple[Arm, ...]:
        """The arm that the selector chose for each level."""
        return tuple(step.arm for step in self.steps)

    def of(self, engine: str) -> MeasuredRun:
        """Return the same search, the arms of one engine alone; its steps are still those of the selector."""
        columns = [i for i, arm in enumerate(self.arms) if arm.backend == engine]
        return replace(
            self,
            arms=tuple(self.arms[i] for i in columns),
            seconds=self.seconds[:, columns],
            by_form={key: t for key, t in self.by_form.items() if key[1].backend == engine},
            moves={},
        )

    def half(self, part: int) -> MeasuredRun:
        """Return the same search by every other of its samples, from the first (0) or the second (1) on.

        What was sampled once alone is in both.
        """
        by_form = {key: float(np.median(times[part::2] or times)) for key, times in self.samples.items()}
        return replace(self, by_form=by_form, seconds=tabulate(by_form, self.arms, len(self.steps)), samples={})

    @property
    def best(self) -> tuple[Arm, ...]:
        """The arm for each level that makes the search fastest, changes of form and moves included."""
        return self._fastest()[1]

    @property
    def fastest(self) -> float:
        """Seconds of the search by those arms."""
        return self._fastest()[0]

    def _fastest(self) -> tuple[float, tuple[Arm, ...]]:
        """Return the least seconds and their arms: by dynamic programming over engine and form."""
        ways: dict[tuple[str | None, str], tuple[float, Any]] = {(None, "list"): (0.0, None)}
        for level in range(len(self.steps)):
            following: dict[tuple[str | None, str], tuple[float, Any]] = {}
            for (engine, form), (before, path) in ways.items():
                for arm in self.arms:
                    moved = engine not in (None, arm.backend)
                    seconds = before + self.cost(level, engine, arm, "both" if moved else form)
                    state = arm.backend, self.form_after.get((level, arm), "list")
                    if state not in following or seconds < following[state][0]:
                        following[state] = seconds, (path, arm)
            ways = following
        least, path = min(ways.values(), key=lambda way: way[0])
        arms = []
        while path is not None:
            path, arm = path
            arms.append(arm)
        return least, tuple(reversed(arms))

    @property
    def timings(self) -> list[Step]:
        """Each level by each arm from each form of the frontier, as far as they were measured."""
        rows = self.by_form.items()
        return [self.steps[level]._replace(arm=arm, form=form, seconds=t) for (level, arm, form), t in rows]

    def follow(self, selector: Selector) -> tuple[Step, ...]:
        """Return the search as another selector would direct it, by what was measured.

        Changes of form and moves between engines are in the seconds of the level they come before.
        """
        steps: list[Step] = []
        last, form = None, "list"
        for level, step in enumerate(self.steps):
            features = features_before(step._replace(form=form), last, *self.sizes)
            arm = check_choice(selector.choose(features, self.arms), self.arms)
            if last is not None and last.arm.backend != arm.backend:
                form = "both"
            last = step._replace(arm=arm, form=form, seconds=self.cost(level, last and last.arm.backend, arm, form))
            steps.append(last)
            form = self.form_after.get((level, arm), "list")
        return tuple(steps)

    def cost(self, level: int, engine: str | None, arm: Arm, form: str) -> float:
        """Return the seconds of a level by an arm, coming from an engine with the frontier in some form."""
        suited = float(self.seconds[level, self.arms.index(arm)])
        return self.by_form.get((level, arm, form), suited) + self.moves.get((engine or "", arm.backend), 0.0)

    @property
    def regret(self) -> float:
        """How many times as long as the fastest arm of each level the chosen ones took, over the whole search."""
        return sum(step.seconds for step in self.steps) / self.fastest if self.fastest else 1.0


def arms_by_level(
    A: Matrix,
    source: Any,
    *,
    backend: str | Sequence[str] | None = None,
    selector: Any = None,
    repeats: int = 3,
    threads: int | None = None,
) -> MeasuredRun:
    """Search a graph by every arm, and return what each takes for each level.

    The matrix is optimized first. The time is what the engine records for the level in its trace.

    Parameters
    ----------
    A : Matrix
        The adjacency.
    source : vertex or iterable of vertices
        Where to start.
    backend : str or sequence of str, optional
        The engines whose arms are measured. Default: those `bfs` would use.
    selector : str or Selector, optional
        What picks the arms marked as chosen. Default: the one `bfs` would use.
    repeats : int
        How many times each arm is timed at each level; the median counts. Slow searches are not repeated.
    threads : int, optional
        How many threads an engine may use.

    Returns
    -------
    MeasuredRun
        Draw it with `lagbfs.plot.arms`.

    Examples
    --------
    >>> import lagbfs
    >>> run = lagbfs.measure.arms_by_level(lagbfs.graphs.grid(3, 3), 0, backend="reference", repeats=1)
    >>> run.seconds.shape, [str(arm) for arm in run.arms]
    ((5, 2), ['reference push', 'reference pull'])
    """
    checks.integer("repeats", repeats, low=1)
    settings = context.current().but(backend, None, selector, threads)
    first = bfs(A, source, backend=backend, selector=selector, threads=threads)
    arms, engines = settings.arms(), dict.fromkeys(arm.backend for arm in settings.arms())
    for name in engines:
        A.optimize(backend=name, threads=settings.threads)  # or a layout might be made between two searches
    log = _Log()
    for name in engines:
        own = [arm for arm in arms if arm.backend == name]
        for script in _turns(_scripts(own, first.trace), repeats):
            log.add(bfs(A, source, backend=name, selector=script, threads=threads).trace)
    first_arms = [next(arm for arm in arms if arm.backend == name) for name in engines]
    moves = {
        (one.backend, two.backend): _move(A, source, (one, two), repeats, threads)
        for one, two in permutations(first_arms, 2)
    }
    by_form = log.medians()
    table, used = tabulate(by_form, arms, len(first.trace)), settings.threads or 0
    sizes = tuple(first.trace), A.nrows, A.nvals
    run = MeasuredRun(arms, table, *sizes, by_form, log.after, moves, A.barren, used, log.samples())
    return replace(run, steps=run.follow(settings.policy(A.rows)))


def _scripts(arms: Sequence[Arm], trace: Sequence[Step]) -> list[Script]:
    """Return searches that show every arm of an engine, the directions changing in some of them."""
    push = next((arm for arm in arms if arm.direction == "push"), arms[0])
    pull = next((arm for arm in arms if arm.direction == "pull"), arms[0])
    levels = len(trace)
    if levels <= _DEEP:
        ways = [(arm,) for arm in arms] + [(push, pull) * _DEEP, (pull, push) * _DEEP]
    else:
        spread = np.linspace(0, levels - 1, _DEEP // 2).astype(int).tolist()
        largest = sorted(range(levels), key=lambda level: -trace[level].frontier_edges)[: _DEEP // 2]
        timed = {*spread, *largest}
        others = [arm for arm in arms if arm != push]
        ways = [(push,)] + [tuple(arm if level in timed else push for level in range(levels)) for arm in others]
    return [Script(tuple(map(str, way))) for way in dict.fromkeys(ways)]


def _turns(scripts: Sequence[Script], repeats: int) -> Iterator[Script]:
    """Yield the scripts in turns, so many times; those that prove slow only once."""
    slow = set()
    for _ in range(repeats):
        for script in scripts:
            if script in slow:
                continue
            began = perf_counter()
            yield script
            if perf_counter() - began > _SLOW:
                slow.add(script)


def _move(A: Matrix, source: Any, pair: tuple[Arm, Arm], repeats: int, threads: int | None) -> float:
    """Return the seconds of a search's first two levels, by an arm of one engine each, that are in neither."""
    script, engines = Script(tuple(map(str, pair))), [arm.backend for arm in pair]

    def beside() -> float:
        began = perf_counter()
        t = bfs(A, source, backend=engines, selector=script, max_depth=2, threads=threads)
        return perf_counter() - began - t.seconds

    return float(np.median([beside() for _ in range(repeats)]))


class _Log:
    """Collects the traces of one search by different arms."""

    def __init__(self) -> None:
        self.seconds: dict[tuple[int, Arm, str], list[float]] = defaultdict(list)
        self.after: dict[tuple[int, Arm], str] = {}

    def add(self, trace: Sequence[Step]) -> None:
        """Note what each level took, and the form it left the frontier in."""
        for step in trace:
            self.seconds[step.level, step.arm, step.form].append(step.seconds)
        for step, following in pairwise(trace):
            self.after[step.level, step.arm] = following.form

    def samples(self) -> dict[tuple[int, Arm, str], tuple[float, ...]]:
        """Return all seconds by level, arm and form."""
        return {key: tuple(times) for key, times in self.seconds.items()}

    def medians(self) -> dict[tuple[int, Arm, str], float]:
        """Return the median seconds by level, arm and form."""
        return {key: float(np.median(times)) for key, times in self.seconds.items()}


def tabulate(by_form: Mapping[tuple[int, Arm, str], float], arms: Sequence[Arm], levels: int) -> NDArray[np.float64]:
    """Return seconds by level and arm, from the form that suits it, those not measured interpolated."""
    best: dict[Arm, dict[int, float]] = {arm: {} for arm in arms}
    for (level, arm, _), seconds in sorted(by_form.items()):
        best[arm][level] = min(seconds, best[arm].get(level, np.inf))
    if not levels:
        return np.empty((0, len(arms)))
    return np.array([np.interp(range(levels), [*known], [*known.values()]) for known in best.values()]).T
