"""Engines by name: those of lagbfs, those that a program registers, those that other packages bring."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Sequence
from functools import cache
from importlib import metadata

from ..base.suggestions import did_you_mean
from ..errors import BackendUnavailableError, InvalidTypeError, InvalidValueError
from ..host.protocol import Routines
from .protocol import Arm, Backend, BackendInfo

__all__ = [
    "arms",
    "available",
    "default",
    "get",
    "info",
    "is_known",
    "is_running",
    "names",
    "register",
    "routines",
    "running",
    "unregister",
]

GROUP = "lagbfs.backends"
"""The group of entry points by which packages bring engines."""

# In the order in which one is taken when none is asked for. Those after the reference engine, which runs everywhere,
# have to be asked for.
_BUILT_IN = {"native": "Native", "suitesparse": "SuiteSparse", "reference": "Reference", "cupyx": "Cupyx"}
_registered: dict[str, type[Backend]] = {}


def register(engine: type[Backend], *, replace: bool = False) -> None:
    """Make an engine known by its name, for this process.

    A package makes its engine known to everyone who installs it by an entry point in the group ``lagbfs.backends``.

    Parameters
    ----------
    engine : subclass of Backend
        The engine; it is made, without arguments, when it is first used.
    replace : bool
        Whether it may take the place of an engine of the same name.

    Examples
    --------
    >>> from lagbfs import backends
    >>> class Twin(backends.get("reference").__class__):
    ...     name = "twin"
    >>> backends.register(Twin)
    >>> "twin" in backends.names()
    True
    >>> backends.unregister("twin")
    """
    if not (isinstance(engine, type) and issubclass(engine, Backend)):
        raise InvalidTypeError(f"engine must be a subclass of lagbfs.backends.Backend, not {engine!r}")
    name = getattr(engine, "name", None)
    if not isinstance(name, str) or not name or not name.replace("_", "").isalnum():
        raise InvalidValueError(f"engine must have a name of letters, digits and underscores, not {name!r}")
    if is_known(name) and not replace:
        raise InvalidValueError(f"there is an engine {name!r} already: register(..., replace=True) takes its place")
    _registered[name] = engine
    _forget()


def unregister(name: str) -> None:
    """Take a registered engine back; one that it had replaced is there again."""
    if name not in _registered:
        raise InvalidValueError(f"no engine {name!r} has been registered; there are {', '.join(_registered) or 'none'}")
    del _registered[name]
    _forget()


def _forget() -> None:
    """Drop what was worked out from the engines known before."""
    for worked_out in (names, info, get, arms, is_running, default, routines):
        worked_out.cache_clear()


@cache
def _entry_points() -> dict[str, metadata.EntryPoint]:
    """Return what other packages bring; reading all packages' records takes milliseconds."""
    return {point.name: point for point in metadata.entry_points(group=GROUP)}


def engines_of(name: str) -> list[str]:
    """Return the engines that share a graph, from a name such as ``native+cupyx/random``."""
    return name.partition("/")[0].split("+")


def is_known(name: str) -> bool:
    """Whether there is an engine of that name, whether it can run here or not."""
    if "+" in name:
        return all(map(is_known, engines_of(name)))
    return name in _BUILT_IN or name in _registered or name in _entry_points()


@cache
def names() -> tuple[str, ...]:
    """Return the names of all engines, whether they can run here or not."""
    return tuple(dict.fromkeys([*_BUILT_IN, *_registered, *_entry_points()]))


def _engine(name: str) -> type[Backend]:
    """Return the class of an engine."""
    if "+" in name:
        shared: type[Backend] = importlib.import_module(".partitioned", __package__).named(name)
        return shared
    if name in _registered:
        return _registered[name]
    if name in _BUILT_IN:
        engine: type[Backend] = getattr(importlib.import_module(f".{name}", __package__), _BUILT_IN[name])
        return engine
    return _brought(name)


def _brought(name: str) -> type[Backend]:
    """Return the class of an engine that another package brings."""
    point = _entry_points()[name]
    engine = point.load()
    if not (isinstance(engine, type) and issubclass(engine, Backend) and engine.name == name):
        raise InvalidTypeError(f"the entry point {point.value} must be a Backend named {name!r}, not {engine!r}")
    return engine


@cache
def info(name: str) -> BackendInfo:
    """Return whether an engine can run here; one that cannot even be loaded cannot."""
    try:
        return _engine(name).info()
    except Exception as error:  # whatever another package raises, it is the reason
        if name in _BUILT_IN or "+" in name:
            raise
        return BackendInfo(name, "", False, f"{type(error).__name__}: {error}", "see the package that brings it")


def available() -> list[BackendInfo]:
    """Return, for each engine, whether it can run here and, if not, why and what would install it.

    Examples
    --------
    >>> import lagbfs
    >>> [info.name for info in lagbfs.backends.available() if info.name == "reference"]
    ['reference']
    """
    return [info(name) for name in names()]


@cache
def get(name: str) -> Backend:
    """Return the engine called `name`.

    Raises
    ------
    InvalidValueError
        If there is no such engine.
    BackendUnavailableError
        If it cannot run here; the message says why and what would install it.
    """
    if not is_known(name):
        known = ", ".join(map(repr, names()))
        raise InvalidValueError(f"backend must be one of {known}, not {name!r}{did_you_mean(name, names())}")
    here = info(name)
    if not here.runs:
        raise BackendUnavailableError(f"backend {name!r} cannot run here: {here.reason}. Try: {here.install}")
    return _engine(name)()


@cache
def arms(engines: tuple[str, ...], direction: str) -> tuple[Arm, ...]:
    """Return the arms of some engines, of one direction or with ``"auto"`` of both."""
    offered = tuple(arm for name in engines for arm in get(name).arms if direction in ("auto", arm.direction))
    if not offered:
        raise InvalidValueError(f"direction {direction!r}: {', '.join(engines)} has no arm of it")
    return offered


def running(wanted: Sequence[str]) -> tuple[str, ...]:
    """Return those of several engines that can run here, with a warning about the others.

    Raises
    ------
    InvalidValueError
        If there is no such engine.
    BackendUnavailableError
        If none of them can run here; the message is about the first.
    """
    usable = tuple(name for name in wanted if not is_known(name) or info(name).runs)
    for name in usable or wanted[:1]:
        get(name)
    for name in set(wanted) - set(usable):
        here = info(name)
        others = f"going on with {', '.join(usable)}"
        said = f"{name} cannot run here: {here.reason}: {others}. Try: {here.install}"
        warnings.warn(said, RuntimeWarning, stacklevel=2)
    return usable


@cache
def is_running(name: str) -> bool:
    """Whether there is an engine of that name and it can run here."""
    return is_known(name) and info(name).runs


@cache
def default() -> str:
    """Return the name of the engine used when none is asked for: the fastest that can run here."""
    return next(name for name in _BUILT_IN if info(name).runs)


@cache
def routines() -> Routines | None:
    """Return the host routines of the fastest engine that has any and can run here."""
    order = [*_BUILT_IN]
    engines = (get(name) for name in order[: order.index("reference")] if info(name).runs)
    return next((own for engine in engines if (own := engine.routines()) is not None), None)
