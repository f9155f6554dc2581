"""The engines that compute products, by name."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from ..errors import BackendUnavailableError, InvalidValueError
from .protocol import Arm, Backend

__all__ = ["Arm", "Backend", "BackendInfo", "available", "default", "get", "names", "running"]

# In the order in which one is taken when none is asked for. Those after the reference engine, which runs everywhere,
# have to be asked for.
_NAMES = ("native", "suitesparse", "reference", "cupyx")


class BackendInfo(NamedTuple):
    """Whether an engine can run here.

    Attributes
    ----------
    name : str
        What ``backend=`` calls it.
    version : str
        The version of the library behind it, empty if that is not installed.
    runs : bool
        Whether it can be used.
    reason : str
        If not, why not.
    install : str
        And the command that would install it.
    """

    name: str
    version: str
    runs: bool
    reason: str = ""
    install: str = ""


def names() -> tuple[str, ...]:
    """Return the names of all engines, whether they can run here or not."""
    return _NAMES


def available() -> list[BackendInfo]:
    """Return, for each engine, whether it can run here and, if not, why and what would install it.

    Examples
    --------
    >>> import lagbfs
    >>> [info.name for info in lagbfs.backends.available() if info.name == "reference"]
    ['reference']
    """
    return [_info(name) for name in _NAMES]


def _module(name: str) -> Any:
    return importlib.import_module(f".{name}", __package__)


@cache
def _info(name: str) -> BackendInfo:
    info: BackendInfo = _module(name).info()
    return info


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
    if name not in _NAMES:
        raise InvalidValueError(f"backend must be one of {', '.join(map(repr, _NAMES))}, not {name!r}")
    info = _info(name)
    if not info.runs:
        raise BackendUnavailableError(f"backend {name!r} cannot run here: {info.reason}. Try: {info.install}")
    engine: Backend = _module(name).create()
    return engine


def running(wanted: Sequence[str]) -> tuple[str, ...]:
    """Return those of several engines that can run here, with a warning about the others.

    Raises
    ------
    InvalidValueError
        If there is no such engine.
    BackendUnavailableError
        If none of them can run here; the message is about the first.
    """
    found = tuple(name for name in wanted if name not in _NAMES or _info(name).runs)
    for name in found or wanted[:1]:
        get(name)
    for name in set(wanted) - set(found):
        info = _info(name)
        others = f"going on with {', '.join(found)}"
        said = f"{name} cannot run here: {info.reason}: {others}. Try: {info.install}"
        warnings.warn(said, RuntimeWarning, stacklevel=2)
    return found


@cache
def builder() -> Any | None:
    """Return the engine that sorts edges into compressed rows and transposes them, None where SciPy has to."""
    engines = (get(name) for name in _NAMES[: _NAMES.index("reference")] if _info(name).runs)
    return next((engine for engine in engines if hasattr(engine, "build_csr")), None)


@cache
def default() -> str:
    """Return the name of the engine used when none is asked for: the fastest that can run here."""
    return next(name for name in _NAMES if _info(name).runs)
