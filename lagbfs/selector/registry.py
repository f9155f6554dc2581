"""Selectors by name: those of lagbfs, those that a program registers, those that other packages bring."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib import import_module, metadata
from typing import Any, Protocol

import numpy as np

from ..backends.protocol import DIRECTIONS, Arm, Features, Selector
from ..base.suggestions import did_you_mean
from ..errors import InvalidTypeError, InvalidValueError
from ..storage.rows import Rows
from . import architectures, models
from .policies import Beamer, Fixed
from .thresholds import Threshold
from .totem import Totem

__all__ = ["DEFAULT", "GENERAL", "lookup", "names", "register", "unregister"]

GROUP = "lagbfs.selectors"
"""The group of entry points by which packages bring selectors: functions without arguments that return one."""


class Default(Selector):
    """The learned selector of this machine: tuned for it, or the shipped one fitted to what a probe says of it.

    Parameters
    ----------
    adapt : bool
        Whether searches of a graph teach it how far it is off there.
    """

    def __init__(self, *, adapt: bool = True) -> None:
        self.adapt = adapt

    def on(self, rows: Rows) -> Selector:
        """Return the model to use for a matrix of this size, with what has been learnt of it."""
        model = models.current(rows.nvals)
        return model.on(rows) if self.adapt else model

    def frozen(self) -> Selector:
        """Return the same, which does not learn."""
        return _FROZEN

    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return what the model chooses."""
        return models.current(features.m).choose(features, arms)

    def for_trifles(self, arms: Sequence[Arm]) -> Arm | None:
        """Return the first arm that pushes, whatever the model."""
        for arm in arms:
            if arm.direction == "push":
                return arm
        return None

    def predict(self, features: Features, arms: Sequence[Arm]) -> dict[Arm, float]:
        """Return what the model predicts."""
        return models.current(features.m).predict(features, arms)

    def __repr__(self) -> str:
        return "learned"


class Chooses(Protocol):
    """What has a method ``choose``."""

    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return one of `arms`."""
        ...


class Chooser(Selector):
    """An object that is no Selector but has ``choose(features, arms)``."""

    def __init__(self, chooser: Chooses) -> None:
        self.chooser = chooser

    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return what the object chooses."""
        return self.chooser.choose(features, arms)

    def __repr__(self) -> str:
        nameless = type(self.chooser).__repr__ is object.__repr__
        return type(self.chooser).__name__ if nameless else repr(self.chooser)


def _shipped(policy: str) -> Selector:
    """Return the policy of a module, with the model that comes with lagbfs."""
    selector: Selector = import_module(f".{policy}", __package__).shipped()
    return selector


DEFAULT: Selector = Default()
_FROZEN: Selector = Default(adapt=False)
GENERAL: dict[str, Callable[[], Selector]] = {
    "learned": lambda: DEFAULT,
    "shipped": models.shipped,
    "beamer": Beamer,
    "threshold": Threshold,
    "costmodel": partial(_shipped, "costmodel"),
    "switchpoint": partial(_shipped, "switchpoint"),
    "tree": partial(_shipped, "tree"),
}
"""Those that choose among the arms of any engine."""

_BUILT_IN: dict[str, Callable[[], Selector]] = {
    **GENERAL,
    "cross": architectures.Cross,
    "totem": Totem,
    **{name: partial(architectures.Strategy, name) for name in architectures.STRATEGIES},
}
_registered: dict[str, Callable[[], Selector]] = {}


def register(name: str, make: Callable[[], Selector], *, replace: bool = False) -> None:
    """Make a selector known by a name, for this process.

    A package makes its selector known to everyone who installs it by an entry point in the group ``lagbfs.selectors``.

    Parameters
    ----------
    name : str
        What ``selector=`` calls it.
    make : callable
        Returns the selector: a class, or any function without arguments.
    replace : bool
        Whether it may take the place of a selector of the same name.

    Examples
    --------
    >>> import lagbfs
    >>> lagbfs.selector.register("eager", lambda: lagbfs.selector.Beamer(alpha=100))
    >>> lagbfs.bfs(lagbfs.graphs.star(9), 0, selector="eager").depth
    1
    >>> lagbfs.selector.unregister("eager")
    """
    if not isinstance(name, str) or not name or name.split()[-1].partition(":")[0] in DIRECTIONS:
        raise InvalidValueError(f"name must be a string that names no arm, not {name!r}")
    if not callable(make):
        raise InvalidTypeError(f"make must be callable and return a selector, not {make!r}")
    if name in names() and not replace:
        raise InvalidValueError(f"there is a selector {name!r} already: register(..., replace=True) takes its place")
    _registered[name] = make


def unregister(name: str) -> None:
    """Take a registered selector back; one that it had replaced is there again.

    Examples
    --------
    >>> import lagbfs
    >>> lagbfs.selector.register("mine", lagbfs.selector.Beamer)
    >>> lagbfs.selector.unregister("mine")
    >>> "mine" in lagbfs.selector.names()
    False
    """
    if name not in _registered:
        known = ", ".join(_registered) or "none"
        raise InvalidValueError(f"no selector {name!r} has been registered; there are {known}")
    del _registered[name]


@cache
def _entry_points() -> dict[str, metadata.EntryPoint]:
    """Return what other packages bring; reading all packages' records takes milliseconds."""
    return {point.name: point for point in metadata.entry_points(group=GROUP)}


def names() -> tuple[str, ...]:
    """Return the names of all selectors.

    Examples
    --------
    >>> import lagbfs
    >>> lagbfs.selector.names()[:3]
    ('learned', 'shipped', 'beamer')
    """
    return tuple(dict.fromkeys([*_BUILT_IN, *_registered, *_entry_points()]))


def _made(name: str) -> Any:
    """Return the selector of a name, or of an arm's name; None if there is neither."""
    make = _registered.get(name) or _BUILT_IN.get(name)
    if make is not None:
        return make()
    way = name.split()[-1:]
    if way and way[0].partition(":")[0] in DIRECTIONS:
        return Fixed(name)
    return _brought(name) if name in _entry_points() else None


def _brought(name: str) -> Any:
    """Return the selector that another package brings."""
    point = _entry_points()[name]
    try:
        return point.load()()
    except Exception as error:  # whatever another package raises, it is the reason
        said = f"{type(error).__name__}: {error}"
        raise InvalidValueError(f"selector {name!r}, brought by {point.value}, cannot be made: {said}") from error


def lookup(name: str, value: Any) -> Selector:
    """Return the selector meant by `value`: a policy's name, an arm's, or an object with ``choose``."""
    selector = _made(value) if isinstance(value, str) else value
    if isinstance(selector, Selector):
        return selector
    if not callable(getattr(selector, "choose", None)) or isinstance(selector, np.ndarray | np.generic):
        known = [*names(), *DIRECTIONS]
        raise InvalidValueError(
            f"{name} must be one of {', '.join(map(repr, known))}, or have a method choose(features, arms), "
            f"not {value!r}{did_you_mean(value, known)}"
        )
    return Chooser(selector)
