"""Why each level of a search went where it did, and what every arm was expected to take for it.

Nothing here is paid for by the search: all follows from its trace, when it is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, overload

from ..backends.protocol import Arm, Features, GraphSizes, Selector, Step, features_before
from ..base.markup import table
from ..base.wording import counted, duration, shortened

__all__ = ["Explanation", "Explanations", "Stretch", "name_of"]

_FEW = 40  # levels that are told one by one; of more, those in a row that one arm served are told together
_SHOWN = 60  # lines; of more, the first and the last
_SUMMED = 10_000  # levels in a row whose predictions are all added up
_NAME = 80  # characters of a selector's name


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why one level went where it did.

    Attributes
    ----------
    step : Step
        The level as the trace has it: sizes, the arm that served it, the seconds it took.
    predicted : dict
        By arm, the seconds that the selector expected of it; empty if it predicts none.
    why : str
        What the decision rested on.
    """

    step: Step
    predicted: dict[Arm, float]
    why: str


class Stretch(NamedTuple):
    """Levels in a row that one arm served, told together.

    `seconds` and `predicted` are sums over the levels, those of very many predictions estimated from some, evenly
    spread; `most` is the largest frontier, in vertices. Explained are the `first` level, where the arm was turned to,
    and the `largest`, of most edges.
    """

    levels: range
    arm: Arm
    most: int
    seconds: float
    predicted: dict[Arm, float]
    first: Explanation
    largest: Explanation

    @property
    def where(self) -> str:
        """The levels: the first and, if it is another, the last."""
        return f"{self.levels[0]:,}" + (f"–{self.levels[-1]:,}" if len(self.levels) > 1 else "")

    @property
    def frontier(self) -> str:
        """How many vertices the frontier has, or has at most."""
        return f"{'≤ ' if len(self.levels) > 1 else ''}{self.most:,}"

    @property
    def why(self) -> list[str]:
        """What the decision rested on: at the level or, of several, at the first and the largest."""
        if self.first.why == self.largest.why:
            return [self.first.why]
        first, largest = self.first.step.level, self.largest.step.level
        return [f"at level {first:,}: {self.first.why}", f"at level {largest:,}, the largest: {self.largest.why}"]

    def text(self, names: Mapping[Arm, str]) -> str:
        """Return what happened, what else was expected and why, in lines."""
        levels = f"level{'s' if len(self.levels) > 1 else ''} {self.where}"
        took = f"{levels}, frontier {self.frontier}: {self.arm} took {duration(self.seconds)}"
        mine = f", {duration(self.predicted[self.arm])} predicted" if self.arm in self.predicted else ""
        others = sorted((seconds, names[arm]) for arm, seconds in self.predicted.items() if arm != self.arm)
        beside = ", ".join(f"{name} {duration(seconds)}" for seconds, name in others)
        return "\n    ".join([took + mine, *([f"predicted of others: {beside}"] if beside else []), *self.why])


class Explanations(Sequence[Explanation]):
    """An `Explanation` for each level of a search, made when it is looked at; printed, it tells them in words.

    Parameters
    ----------
    trace : sequence of Step
        The search.
    sizes : GraphSizes
        The graph's vertices, its edges, and the vertices that no edge leads to.
    arms : sequence of Arm
        What there was to choose from.
    selector : Selector
        What chose.

    Examples
    --------
    >>> import lagbfs
    >>> told = lagbfs.bfs(lagbfs.graphs.grid(4, 4), 0, selector="push", backend="reference").explain()
    >>> len(told), told[0].why
    (7, 'asked for')
    >>> str(told).splitlines()[2]
    '    asked for'
    """

    def __init__(self, trace: Sequence[Step], sizes: GraphSizes, arms: Sequence[Arm], selector: Selector) -> None:
        self.arms, self.selector = tuple(arms), selector
        self._trace, self._sizes = trace, sizes

    def __len__(self) -> int:
        return len(self._trace)

    @overload
    def __getitem__(self, i: int) -> Explanation: ...
    @overload
    def __getitem__(self, i: slice) -> list[Explanation]: ...
    def __getitem__(self, i: int | slice) -> Explanation | list[Explanation]:
        if isinstance(i, slice):
            return [self[j] for j in range(len(self))[i]]
        level = range(len(self))[i]
        features, arm = self._features(level), self._trace[level].arm
        predicted = self.selector.predict(features, self.arms)
        return Explanation(self._trace[level], predicted, "; ".join(self._parts(features, arm, predicted)))

    def _features(self, level: int) -> Features:
        return features_before(self._trace[level], self._trace[level - 1] if level else None, *self._sizes)

    def _parts(self, features: Features, arm: Arm, predicted: dict[Arm, float]) -> Iterator[str]:
        """Yield what the choice of an arm rested on."""
        directions = {arm.direction for arm in self.arms}
        if len(directions) == 1:
            yield f"only {directions.pop()} was allowed"
        else:
            yield self.selector.why(features) or f"chosen by {name_of(self.selector)}"
        if self.selector.predicts and not predicted:
            yield "no times are known of these arms"
        if learnt := self.selector.learnt(features, arm):
            yield learnt
        if arm in predicted:
            yield from self._change_of_form(features, arm, predicted[arm])
            yield from self._not_the_least(arm, predicted)
        yield from self._engines(features, arm)

    def _change_of_form(self, features: Features, arm: Arm, seconds: float) -> Iterator[str]:
        without = self.selector.predict(replace(features, form="both"), self.arms).get(arm, seconds)
        if without < seconds:
            into = "into a bitmap" if features.form == "list" else "into a list"
            yield f"{duration(seconds - without)} expected for turning the frontier {into}"

    def _not_the_least(self, arm: Arm, predicted: dict[Arm, float]) -> Iterator[str]:
        least = min(predicted, key=predicted.__getitem__)
        if predicted[least] < predicted[arm]:
            yield f"{self.names[least]} was expected to take less for this level alone"

    def _engines(self, features: Features, arm: Arm) -> Iterator[str]:
        """Yield what the engines were compared by, and whether the search moved."""
        if features.arm is not None and features.arm.backend != arm.backend:
            yield f"moved from {features.arm.backend} to {arm.backend}"
        if len({arm.backend for arm in self.arms}) == 1:
            return
        least: dict[str, float] = {}
        for other, nanoseconds in self.selector.costs(features, self.arms).items():
            least[other.backend] = min(nanoseconds * 1e-9, least.get(other.backend, float("inf")))
        if len(least) > 1:
            sums = ", ".join(f"{engine} {duration(seconds)}" for engine, seconds in least.items())
            yield f"with moves and levels to come: {sums}"

    @cached_property
    def names(self) -> dict[Arm, str]:
        """By arm, how it is called here: without its engine if there is only one."""
        several = len({arm.backend for arm in self.arms}) > 1
        return {arm: str(arm) if several else str(arm).removeprefix(f"{arm.backend} ") for arm in self.arms}

    def stretches(self, *, few: int | None = _FEW) -> list[Stretch]:
        """Return the levels one by one or, if they are more than `few`, those in a row that one arm served together."""
        return [self._stretch(levels) for levels in self._ranges(few)]

    def _ranges(self, few: int | None) -> list[range]:
        if few is None or len(self) <= few:
            return [range(i, i + 1) for i in range(len(self))]
        changes = [i for i, (a, b) in enumerate(pairwise(self._trace), 1) if a.arm != b.arm]
        return [range(*ends) for ends in pairwise([0, *changes, len(self)])]

    def _stretch(self, levels: range) -> Stretch:
        steps = self._trace[levels.start : levels.stop]
        spread = levels[:: -(-len(levels) // _SUMMED)]
        predicted = [self.selector.predict(self._features(i), self.arms) for i in spread]
        scale = len(levels) / len(spread)
        return Stretch(
            levels,
            steps[0].arm,
            max(step.frontier_size for step in steps),
            sum(step.seconds for step in steps),
            {arm: scale * sum(p[arm] for p in predicted) for arm in predicted[0] if all(arm in p for p in predicted)},
            self[levels[0]],
            self[max(levels, key=lambda i: self._trace[i].frontier_edges)],
        )

    def table(self, *, few: int | None = _FEW) -> tuple[list[str], list[list[str]]]:
        """Return header and rows of a table: level, frontier, arm, measured, predicted for each arm, why."""
        stretches = self.stretches(few=few)
        known = dict.fromkeys(arm for stretch in stretches for arm in stretch.predicted)
        header = ["level", "frontier", "arm", "measured", *(f"predicted {self.names[arm]}" for arm in known), "why"]
        rows = [
            [s.where, s.frontier, self.names[s.arm], duration(s.seconds), *_times(s.predicted, known), "; ".join(s.why)]
            for s in stretches
        ]
        return header, rows

    def __str__(self) -> str:
        took = duration(sum(step.seconds for step in self._trace))
        head = f"{counted(len(self), 'level', 'levels')} in {took}, arms chosen by {name_of(self.selector)}"
        told = [stretch.text(self.names) for stretch in self.stretches()]
        return "\n".join([head, *shortened(told, _SHOWN, "…")])

    def _repr_html_(self) -> str:
        header, rows = self.table()
        gap = ["⋮", *[""] * (len(header) - 1)]
        return table(header, shortened(rows, _SHOWN, gap), right={*header} - {"arm", "why"})

    def __repr__(self) -> str:
        return f"Explanations({counted(len(self), 'level', 'levels')}, {name_of(self.selector)})"


def name_of(selector: Selector) -> str:
    """Return what a selector calls itself, unless that is too long, or its type."""
    nameless = type(selector).__repr__ is object.__repr__ or len(repr(selector)) > _NAME
    return type(selector).__name__ if nameless else repr(selector)


def _times(predicted: Mapping[Arm, float], arms: Iterable[Arm]) -> list[str]:
    return [duration(predicted[arm]) if arm in predicted else "" for arm in arms]
