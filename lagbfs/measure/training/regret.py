"""Regret: what selectors lose on measured searches of graphs.

They are held against the best arms on all threads, and against the best arms on the best number of threads; one that
learns, by how often the graph was searched before.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...backends.protocol import DIRECTIONS, Arm, Selector
from ...selector import models, registry
from ...selector.learned import Coefficients, Learned
from ...selector.learning import LEAST_EDGES, Learning
from ..replay import Ways, replay
from .corpus import Measured

__all__ = ["OFF", "POLICIES", "STAGES", "Compared", "Loss", "compare", "interval", "kind"]

OFF = 2.0
"""By what factor, up or down, each arm of a model is made wrong, to see how soon that is learnt."""
STAGES = {"1st": (1, 1), "10th": (8, 12), "100th": (91, 100)}
"""Searches of a graph that are shown, by the first and the last of those that are taken together."""
_RULES = tuple(name for name in registry.GENERAL if name not in ("learned", "shipped"))
POLICIES = (
    "shipped",
    *(f"learned, {stage}" for stage in STAGES),
    *(f"off by {OFF:g}, {stage}" for stage in STAGES),
    *_RULES,
    *DIRECTIONS,
)
"""What is compared. All but the selector that learns have every level on all threads."""

_SEARCHES = max(last for _, last in STAGES.values())
_LEVELS = 60_000  # that are replayed of a graph at most, but for the first searches and one sequence of all
_RESAMPLED = 1000
_DEEP, _NARROW, _HUBS = 64, 0.3, 2.0  # levels; share of the vertices; standard deviation of degrees over their mean


class Loss(NamedTuple):
    """Seconds of searches of one graph by a policy, and the least they may take.

    `least` is by the best arms on the best number of threads, `fixed` by the best arms on all threads.
    """

    taken: NDArray[np.float64]
    least: NDArray[np.float64]
    fixed: NDArray[np.float64]

    @property
    def ratio(self) -> float:
        """How many times as long as by the best ways the searches take."""
        return float(self.taken.sum() / self.least.sum())

    @property
    def on_all_threads(self) -> float:
        """How many times as long as by the best arms on all threads."""
        return float(self.taken.sum() / self.fixed.sum())


@dataclass(frozen=True, slots=True)
class Compared:
    """What policies lose on one graph.

    Attributes
    ----------
    losses : mapping
        By policy.
    curves : mapping
        For each model that learns, what it takes over the least, search by search.
    noise : float
        What the best ways lose by noise alone.
    kind : str
        Of the graph.
    """

    losses: Mapping[str, Loss]
    curves: Mapping[str, NDArray[np.float64]]
    noise: float
    kind: str


def compare(measured: Sequence[Measured], *, seed: int = 1) -> Compared:
    """Return what policies lose on one graph, searched on different numbers of threads.

    Examples
    --------
    >>> import lagbfs
    >>> from lagbfs.measure.training import corpus
    >>> grid = {"grid": lambda: lagbfs.graphs.grid(3, 3)}
    >>> compared = compare(corpus.measure(grid, backend="reference", sources=2, repeats=2))
    >>> [*compared.losses] == [*POLICIES]
    True
    """
    searches, figures = _by_source(measured), measured[0].figures
    least = np.array([ways.fastest for ways in searches])
    runs = [ways.runs[ways.threads] for ways in searches]
    fixed = np.array([run.fastest for run in runs])
    model = models.current(figures.m)
    off = _made_wrong(model, np.random.default_rng(seed))
    by_name = {"learned": model, f"off by {OFF:g}": off}
    curves = {name: _curve(each, figures.m, searches, fixed) for name, each in by_name.items()}

    def following(policy: Selector) -> Loss:
        rule = policy.rule(figures)
        return Loss(np.array([sum(step.seconds for step in run.follow(rule)) for run in runs]), least, fixed)

    losses = {"shipped": following(replace(model, adapt=False))}
    for name, curve in curves.items():
        losses |= {f"{name}, {stage}": _between(curve, *at) for stage, at in STAGES.items()}
    losses |= {name: following(registry.lookup("selector", name)) for name in (*_RULES, *DIRECTIONS)}
    noise = float(np.exp(np.mean([np.log(ways.noise) for ways in searches])))
    ratios = {name: curve.taken.sum(axis=0) / curve.least.sum(axis=0) for name, curve in curves.items()}
    return Compared(losses, ratios, noise, kind(measured))


def _by_source(measured: Sequence[Measured]) -> list[Ways]:
    runs = defaultdict(list)
    for search in measured:
        if search.run.fastest:
            runs[search.source].append(search.run)
    return [Ways(same) for same in runs.values()]


def _made_wrong(model: Learned, order: np.random.Generator) -> Learned:
    """Return a model each arm of which expects too much or too little, by a factor of its own."""
    factors = OFF ** order.uniform(-1, 1, len(model.arms))
    factor = dict(zip(model.arms, factors.tolist(), strict=True))

    def wrong(rows: Mapping[Arm, Coefficients]) -> dict[Arm, Coefficients]:
        return {arm: tuple(factor.get(arm, 1.0) * price for price in row) for arm, row in rows.items()}

    return replace(model, arms=wrong(model.arms), alone=wrong(model.alone))


def _curve(model: Learned, edges: int, searches: Sequence[Ways], fixed: NDArray[np.float64]) -> Loss:
    """Return sequences of searches, in rows, each from another source on; of most deep graphs, few are long.

    Of a graph too small to learn from each search is the first.
    """
    levels = max(sum(len(ways.steps) for ways in searches) / len(searches), 1)
    long = max(_LEVELS / (levels * _SEARCHES), 1) if edges >= LEAST_EDGES else 0
    rows = np.zeros((3, len(searches), _SEARCHES))
    for first in range(len(searches)):
        turns = [*searches[first:], *searches[:first]]
        count = _SEARCHES if first < long else 1
        learning = Learning.knowing_nothing(model, edges)
        rows[:2, first, :count] = np.transpose([*replay(learning, turns, count, seed=first)])
        rows[2, first, :count] = np.resize(np.roll(fixed, -first), count)
    if not long:
        rows[:, :, 1:] = rows[:, :, :1]
    return Loss(*rows)


def _between(curve: Loss, first: int, last: int) -> Loss:
    """Return what some of the searches take, by sequence."""
    sums = [part[:, first - 1 : last].sum(axis=1) for part in curve]
    return Loss(*(part[sums[0] > 0] for part in sums))


def interval(losses: Sequence[Loss], *, share: float = 0.95, seed: int = 1) -> tuple[float, float]:
    """Return between what the geometric mean over graphs lies, by resampling graphs and their searches.

    Examples
    --------
    >>> import numpy as np
    >>> one = np.ones(4)
    >>> interval([Loss(2 * one, one, one), Loss(2 * one, one, one)])
    (2.0, 2.0)
    """
    order = np.random.default_rng(seed)
    logs = [[_resampled(loss, order) for _ in range(_RESAMPLED)] for loss in losses]
    drawn = order.integers(len(losses), size=(_RESAMPLED, len(losses)))
    means = np.exp(np.array(logs)[drawn, np.arange(_RESAMPLED)[:, None]].mean(axis=1))
    low, high = np.quantile(means, [(1 - share) / 2, (1 + share) / 2])
    return float(low), float(high)


def _resampled(loss: Loss, order: np.random.Generator) -> float:
    some = order.integers(len(loss.taken), size=len(loss.taken))
    return float(np.log(loss.taken[some].sum() / loss.least[some].sum()))


def kind(measured: Sequence[Measured]) -> str:
    """Return what kind of graph this is, by its searches and degrees.

    - ``"deep"``: searches have many levels, as on roads, meshes and histories;
    - ``"narrow"``: they reach few of the vertices, as along edges that lead one way;
    - ``"hubs"``: degrees are uneven, as of people, pages and machines;
    - ``"even"``: they are not, as of who works with whom.

    Examples
    --------
    >>> import lagbfs
    >>> from lagbfs.measure.training import corpus
    >>> path = {"path": lambda: lagbfs.graphs.path(200)}
    >>> kind(corpus.measure(path, backend="reference", sources=1, repeats=1))
    'deep'
    """
    runs = [search.run for search in measured]
    if np.median([len(run.steps) for run in runs]) >= _DEEP:
        return "deep"
    reached = [sum(step.frontier_size for step in run.steps) / max(run.n, 1) for run in runs]
    if np.median(reached) < _NARROW:
        return "narrow"
    degrees = measured[0].out_degrees
    return "hubs" if degrees.std > _HUBS * degrees.mean else "even"
