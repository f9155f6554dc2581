"""Selectors by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..backends.protocol import DIRECTIONS, Arm, Features, Selector
from ..errors import InvalidValueError
from . import crossing, models
from .policies import Beamer, Fixed
from .thresholds import Threshold

if TYPE_CHECKING:
    from ..matrix import Matrix

__all__ = ["DEFAULT", "NAMES", "lookup"]


class Default:
    """The learned selector of this machine: tuned for it, or the shipped one fitted to what a probe says of it."""

    def on(self, matrix: Matrix) -> Selector:
        """Return the model to use for a matrix of this size."""
        return models.current(matrix.nvals)

    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return what the model chooses."""
        return models.current(features.m).choose(features, arms)

    def predict(self, features: Features, arms: Sequence[Arm]) -> dict[Arm, float]:
        """Return what the model predicts."""
        return models.current(features.m).predict(features, arms)

    def __repr__(self) -> str:
        return "learned"


def _shipped(policy: str) -> Selector:
    """Return the policy of a module, with the model that comes with lagbfs."""
    found: Selector = import_module(f".{policy}", __package__).shipped()
    return found


DEFAULT: Selector = Default()
_NAMED: dict[str, Callable[[], Selector]] = {
    "learned": lambda: DEFAULT,
    "shipped": models.shipped,
    "beamer": Beamer,
    "threshold": Threshold,
    "switchpoint": lambda: _shipped("switchpoint"),
    "tree": lambda: _shipped("tree"),
    "costmodel": lambda: _shipped("costmodel"),
    "cross": crossing.Cross,
    **{name: partial(crossing.Strategy, name) for name in crossing.STRATEGIES},
}
NAMES = tuple(_NAMED)


def lookup(name: str, value: Any) -> Selector:
    """Return the selector meant by `value`: a policy's name, an arm's, or an object with ``choose``."""
    if not isinstance(value, str):
        found = value
    elif value in _NAMED:
        found = _NAMED[value]()
    else:
        found = Fixed(value) if value.split()[-1:] and value.split()[-1].split(":")[0] in DIRECTIONS else None
    if not callable(getattr(found, "choose", None)):
        known = ", ".join(map(repr, [*NAMES, *DIRECTIONS]))
        raise InvalidValueError(
            f"{name} must be one of {known}, or have a method choose(features, arms), not {value!r}"
        )
    selector: Selector = found
    return selector
