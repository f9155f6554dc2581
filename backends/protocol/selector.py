"""Selector: what picks the arm for each product, with every ability that one may have."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

from ...errors import InvalidValueError
from ...storage.rows import Rows
from ...storage.store import DegreeStats
from .arm import Arm
from .features import Features, MatrixFeatures
from .flat import Flat

__all__ = ["Figures", "Selector", "check_choice"]


class Figures(NamedTuple):
    """What a policy may know of a graph as a whole: vertices, edges, and the degrees in summary.

    Examples
    --------
    >>> import lagbfs
    >>> from lagbfs.backends.protocol import Figures
    >>> Figures.of(lagbfs.graphs.star(5).rows).out_degrees.max
    5.0
    """

    n: int
    m: int
    out_degrees: DegreeStats
    in_degrees: DegreeStats

    @classmethod
    def of(cls, rows: Rows) -> Figures:
        """Return the figures of an adjacency, which keeps what takes time to compute."""
        return cls(rows.ncols, rows.nvals, rows.degree_stats, rows.T.degree_stats)


class Selector(ABC):
    """Picks the arm for each product.

    `choose` is all that a selector has to have; whatever else it can do it says by overriding the rest.

    Examples
    --------
    >>> import lagbfs
    >>> class Last(lagbfs.selector.Selector):
    ...     def choose(self, features, arms):
    ...         return arms[-1]
    >>> {step.arm.direction for step in lagbfs.bfs(lagbfs.graphs.star(5), 0, selector=Last()).trace}
    {'pull'}
    """

    __slots__ = ()

    @abstractmethod
    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return one of `arms`."""

    def choose_for_matrices(self, features: MatrixFeatures, arms: Sequence[Arm]) -> Arm:
        """Return one of `arms` for a product of two matrices: by default one that pulls where that looks at no more.

        A probe of a pull takes about as long as a term of a push.
        """
        pulls = features.probes is not None and features.probes <= features.terms
        direction = "pull" if pulls else "push"
        return next((arm for arm in arms if arm.direction == direction), arms[0])

    def for_trifles(self, arms: Sequence[Arm]) -> Arm | None:
        """Return the arm for a product by itself that looks at so little that choosing takes longer; None: be asked."""
        return None

    def on(self, rows: Rows) -> Selector:
        """Return the selector to use for one graph."""
        return self

    def rule(self, figures: Figures) -> Selector:
        """Return the selector to use for a graph of which no more is known than its figures."""
        return self

    def flat(self, arms: Sequence[Arm]) -> Flat | None:
        """Return itself as plain data that engines evaluate by themselves, None if it has to be asked."""
        return None

    @property
    def kept(self) -> dict[Any, Any] | None:
        """Where engines keep what they make of it, None if they are to keep it themselves, for as long as they like."""
        return None

    def frozen(self) -> Selector:
        """Return the selector without what it would learn from searches."""
        return self

    def learn(self, features: Features, arm: Arm, seconds: float) -> None:  # noqa: B027 (an ability)
        """Take note of what a level took that it was asked about, if it learns."""

    def learnt(self, features: Features, arm: Arm) -> str:
        """Return what it has learnt of such levels by an arm, in words; nothing if it has learnt nothing."""
        return ""

    def why(self, features: Features) -> str | None:
        """Return what a choice rests on, None if it cannot say."""
        return None

    def predict(self, features: Features, arms: Sequence[Arm]) -> dict[Arm, float]:
        """Return the seconds it expects of each arm it knows for the level."""
        return {}

    @property
    def predicts(self) -> bool:
        """Whether it expects times at all."""
        return type(self).predict is not Selector.predict

    def costs(self, features: Features, arms: Sequence[Arm]) -> dict[Arm, float]:
        """Return the nanoseconds it compares, with moves between engines and levels to come, if it does."""
        return {}


def check_choice(arm: Any, arms: Sequence[Arm]) -> Arm:
    """Return the arm that a selector chose, if it is one of those it was offered."""
    if arm not in arms:
        offered = ", ".join(map(str, arms))
        raise InvalidValueError(f"the selector chose {arm!r}, which is not one of the arms offered: {offered}")
    chosen: Arm = arm
    return chosen
