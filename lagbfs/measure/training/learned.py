"""Fitting the learned selector to measured searches.

An arm's time is linear in the quantities of a level, no coefficient negative: least squares of the relative errors, by
scikit-learn. What is minimised in the end is lost time: a level weighs as much as its share of its search, an arm that
is far from the fastest little, and levels that the model decides at a loss weigh more in the next round.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...backends.protocol import FORMS, Arm, Features, Selector, Step, features_before
from ...backends.protocol.quantities import QUANTITIES, quantities
from ...base import machine
from ...base.optional import require
from ...errors import InvalidValueError
from ...selector.learned import Coefficients, Learned
from ..levels import MeasuredRun
from .corpus import Measured
from .held_out import by_turns, folds
from .provenance import provenance
from .scores import geometric_mean, slowdowns

__all__ = ["Search", "cross_validated", "fit", "fit_rows", "follow", "rescaled", "tabulated"]

_ROUNDS = 5
_SHORTEST = 1e-9  # seconds: no clock tells less
_LOSS_WEIGHT = 30.0  # a level at which all of its search's time was lost weighs so many times more
_HANDED = ("level", "words", "frontier")  # what handing a state over is paid for

Rows = Mapping[Arm, Coefficients]


def fit(measured: Sequence[Measured]) -> Learned:
    """Return the model of least lost time that was found for measured searches; needs scikit-learn.

    Examples
    --------
    >>> import lagbfs
    >>> from lagbfs.measure.training import corpus
    >>> searches = corpus.measure({"grid": lambda: lagbfs.graphs.grid(5, 5)}, backend="reference", repeats=1)
    >>> [str(arm) for arm in fit(searches).arms]
    ['reference push', 'reference pull']
    """
    if not measured:
        raise InvalidValueError("measured must hold at least one search to learn from")
    cache, threads = machine.caches()[1], _threads(measured)
    arms = _fit_runs([search.run for search in measured], cache)
    alone = _fit_runs([search.alone for search in measured if search.alone], cache)
    model = Learned(arms, _fit_moves(measured), cache, alone=alone, threads=threads)
    return replace(model, provenance=provenance(model, measured, "numpy", "scikit-learn"))


def _threads(measured: Sequence[Measured]) -> int:
    """Return on how many threads searches were measured."""
    numbers = {search.run.threads or machine.threads() for search in measured}
    if len(numbers) > 1:
        raise InvalidValueError(f"measured must be on one number of threads, not on {sorted(numbers)}")
    return numbers.pop()


def cross_validated(
    measured: Sequence[Measured], parts: int = 4, *, fitting: Callable[[list[Measured]], Learned] = fit
) -> NDArray[np.float64]:
    """Return the slowdown of each search by a model that was fitted without its graph."""
    by_part = [slowdowns(model, held) for model, held in folds(measured, by_turns(measured, parts), fitting)]
    return np.concatenate(by_part) if by_part else np.array([])


def rescaled(model: Learned, measured: Sequence[Measured]) -> Learned:
    """Return a model with each arm's row, as a whole, brought to what was measured here.

    One factor for an arm: few levels tell it, where a row of its own would take many.
    """
    arms = _rescaled(model.arms, [search.run for search in measured], model.cache)
    alone = _rescaled(model.alone, [search.alone for search in measured if search.alone], model.cache)
    threads = _threads(measured)
    scaled = replace(model, arms=arms, alone=alone, threads=threads)
    return replace(scaled, provenance=provenance(scaled, measured, "numpy"))


def _rescaled(rows: Rows, runs: Sequence[MeasuredRun], cache: float) -> Rows:
    logs: dict[Arm, list[tuple[float, float]]] = defaultdict(list)
    for run in runs:
        search = Search.of(run, tabulated(run, cache))
        for step in run.timings:
            if step.arm in rows:
                row = search.quantities[step.level, FORMS.index(step.form)]
                predicted = max(float(row @ np.array(rows[step.arm])), 1.0)
                logs[step.arm].append((np.log(max(step.seconds * 1e9, 1.0) / predicted), search.weight(step)))
    factors = {
        arm: float(np.exp(np.average([log for log, _ in pairs], weights=[w for _, w in pairs])))
        for arm, pairs in logs.items()
    }
    return {arm: tuple(price * factors.get(arm, 1.0) for price in row) for arm, row in rows.items()}


@dataclass(frozen=True, slots=True)
class Search:
    """The quantities of a search's levels, by form, and what makes it fastest."""

    run: MeasuredRun
    quantities: NDArray[np.float64]  # level, form, quantity
    least: NDArray[np.float64]  # seconds by level
    total: float

    @classmethod
    def of(cls, run: MeasuredRun, table: NDArray[np.float64]) -> Search:
        """Return a measured search with these quantities."""
        return cls(run, table, run.seconds.min(axis=1), run.fastest)

    def weight(self, step: Step) -> float:
        """Return what a timing weighs: its level's share of the search, less if the arm is far from the fastest."""
        least = max(float(self.least[step.level]), _SHORTEST)
        return least / max(self.total, _SHORTEST) * float(np.sqrt(least / max(step.seconds, _SHORTEST)))


def tabulated(run: MeasuredRun, cache: float) -> NDArray[np.float64]:
    """Return the quantities of each level with the frontier in each form."""
    rows = [[quantities(features, cache) for features in _by_form(run, level)] for level in range(len(run.steps))]
    return np.array(rows).reshape(len(run.steps), len(FORMS), len(QUANTITIES))


def _by_form(run: MeasuredRun, level: int) -> list[Features]:
    last = run.steps[level - 1] if level else None
    return [features_before(run.steps[level]._replace(form=form), last, *run.sizes) for form in FORMS]


class _Rows(NamedTuple):
    """What was measured of one arm: quantities, nanoseconds, weight, and the search and level of each row."""

    quantities: NDArray[np.float64]
    nanoseconds: NDArray[np.float64]
    weights: NDArray[np.float64]
    at: list[tuple[int, int]]


def _fit_runs(runs: Sequence[MeasuredRun], cache: float) -> dict[Arm, Coefficients]:
    """Return the rows of all arms, fitted engine by engine."""
    arms: dict[Arm, Coefficients] = {}
    for engine in dict.fromkeys(arm.backend for run in runs for arm in run.arms):
        own = [run.of(engine) for run in runs]
        arms |= fit_rows([Search.of(run, tabulated(run, cache)) for run in own if run.arms and run.steps])
    return arms


def fit_rows(searches: Sequence[Search]) -> dict[Arm, Coefficients]:
    """Return the rows of one engine's arms: of several rounds those that lose least."""
    rows = _rows(searches)
    lost: dict[tuple[int, int], float] = defaultdict(float)
    best: tuple[float, dict[Arm, Coefficients]] = np.inf, {}
    for _ in range(_ROUNDS):
        arms = {arm: _solve(timed, lost) for arm, timed in rows.items()}
        taken = [follow(search, arms) for search in searches]
        ratios = [seconds.sum() / search.total for seconds, search in zip(taken, searches, strict=True) if search.total]
        score = geometric_mean(np.array(ratios))
        best = min(best, (score, arms), key=lambda pair: pair[0])
        for number, (seconds, search) in enumerate(zip(taken, searches, strict=True)):
            for level in np.flatnonzero(seconds > search.least):
                excess = float(seconds[level] - search.least[level])
                lost[number, int(level)] += excess / max(search.total, _SHORTEST)
    return best[1]


def _rows(searches: Sequence[Search]) -> dict[Arm, _Rows]:
    """Return what was measured by arm."""
    parts: dict[Arm, list[tuple[Any, float, float, tuple[int, int]]]] = defaultdict(list)
    for number, search in enumerate(searches):
        for step in search.run.timings:
            row = search.quantities[step.level, FORMS.index(step.form)]
            at = number, step.level
            parts[step.arm].append((row, max(step.seconds * 1e9, 1.0), search.weight(step), at))
    return {arm: _gathered(timings) for arm, timings in parts.items()}


def _gathered(timings: Sequence[tuple[Any, float, float, tuple[int, int]]]) -> _Rows:
    rows, nanoseconds, weights, at = zip(*timings, strict=True)
    return _Rows(np.array(rows), np.array(nanoseconds), np.array(weights), list(at))


def _solve(rows: _Rows, lost: dict[tuple[int, int], float]) -> Coefficients:
    """Return the coefficients, none negative, of least squared relative error; lost levels weigh more."""
    weights = rows.weights * [1 + _LOSS_WEIGHT * lost.get(at, 0.0) for at in rows.at]
    return _least_squares(rows.quantities, rows.nanoseconds, weights)


def _least_squares(
    quantities: NDArray[np.float64], nanoseconds: NDArray[np.float64], weights: NDArray[np.float64]
) -> Coefficients:
    linear_model = require("sklearn.linear_model", "learn")
    scale = np.maximum(quantities.max(axis=0), 1e-12)
    regression = linear_model.LinearRegression(positive=True, fit_intercept=False)
    regression.fit(quantities / scale / nanoseconds[:, None], np.ones(len(nanoseconds)), sample_weight=weights)
    return tuple((regression.coef_ / scale).tolist())


class _Tabled(Selector):
    """Chooses by costs that are known for each level and form."""

    def __init__(self, costs: NDArray[np.float64]) -> None:
        self._table = costs

    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return the arm of least cost."""
        return arms[int(self._table[features.level, FORMS.index(features.form)].argmin())]


def follow(search: Search, arms: dict[Arm, Coefficients]) -> NDArray[np.float64]:
    """Return the seconds of each level by the arms expected to be fastest."""
    prices = np.array([arms[arm] for arm in search.run.arms])
    steps = search.run.follow(_Tabled(search.quantities @ prices.T))
    return np.array([step.seconds for step in steps])


def _fit_moves(measured: Sequence[Measured]) -> dict[tuple[str, str], Coefficients]:
    """Return what it takes to hand a state from one engine to another, by pairs."""
    by_pair: dict[tuple[str, str], list[tuple[Any, float]]] = defaultdict(list)
    mask = np.array([name in _HANDED for name in QUANTITIES])
    for search in measured:
        for pair, seconds in search.run.moves.items():
            row = quantities(_by_form(search.run, 0)[0], machine.caches()[1]) * mask
            by_pair[pair].append((row, max(seconds * 1e9, 1.0)))
    return {pair: _handed(rows) for pair, rows in by_pair.items()}


def _handed(rows: Sequence[tuple[Any, float]]) -> Coefficients:
    known, nanoseconds = zip(*rows, strict=True)
    return _least_squares(np.array(known), np.array(nanoseconds), np.ones(len(rows)))
