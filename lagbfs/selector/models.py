"""Models of the learned selector: the shipped one, the one tuned for this machine, and the files they are in.

A model is a JSON object, checked strictly when read:

    {"format": "lagbfs learned selector", "version": 2,
     "quantities": […],                       names, as in lagbfs.backends.protocol.quantities
     "arms": {"native push:queue": […], …},   nanoseconds of one of each quantity, none negative, not all of them 0
     "threads": 2,                            that they are for
     "alone": {"native push:queue": […], …},  the same on one thread, of arms of engines that divide levels by choice
     "moves": {"native > suitesparse": […]},  the same for bringing the state from one engine, or "start", to another
     "cache": 8388608, "ahead": 4,
     "provenance": {…}}                       where it comes from: versions, machine, corpus, scores
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from ..backends.protocol import Arm
from ..backends.protocol.quantities import QUANTITIES
from ..base import machine
from ..errors import FileFormatError, InvalidValueError
from . import model_file
from .learned import MOST_AHEAD, MOST_CACHE, MOST_NANOSECONDS, MOST_THREADS, Coefficients, Learned
from .model_file import Check

__all__ = ["adapted", "current", "dump", "exported", "in_use", "load", "parse", "shipped", "tuned", "tuned_path"]

KIND, VERSION = "learned selector", 2
_KEYS = ("quantities", "arms", "threads", "alone", "moves", "cache", "ahead")
_MOST_ROWS = 1000
_MOVE = " > "  # between the two engines of a move


def dump(model: Learned, path: str | os.PathLike[str]) -> None:
    """Write a model to a file, whole or not at all."""
    model_file.dump(path, KIND, VERSION, model.provenance, _content(model))


def exported(model: Learned) -> bytes:
    """Return a model as the text of its file.

    Examples
    --------
    >>> from lagbfs.selector import models
    >>> models.parse(models.exported(models.shipped()), "a copy").arms == models.shipped().arms
    True
    """
    return model_file.text(KIND, VERSION, model.provenance, _content(model))


def _content(model: Learned) -> dict[str, Any]:
    return {
        "quantities": list(QUANTITIES),
        "arms": {str(arm): list(row) for arm, row in model.arms.items()},
        "threads": model.threads,
        "alone": {str(arm): list(row) for arm, row in model.alone.items()},
        "moves": {_MOVE.join(pair): list(row) for pair, row in model.moves.items()},
        "cache": model.cache,
        "ahead": model.ahead,
    }


def load(path: str | os.PathLike[str]) -> Learned:
    """Read a model from a file; raise FileFormatError if it is not one in every detail.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from lagbfs.selector import models
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     models.dump(models.shipped(), pathlib.Path(folder) / "model.json")
    ...     models.load(pathlib.Path(folder) / "model.json").arms == models.shipped().arms
    True
    """
    return parse(model_file.text_of(path), os.fspath(path))


def parse(text: bytes, name: str) -> Learned:
    """Return the model that the text of a file is; `name` is for error messages."""
    content, check = model_file.parse(text, name, KIND, VERSION, _KEYS)
    check(content["quantities"] == list(QUANTITIES), f"the quantities {', '.join(QUANTITIES)}; train or tune again")
    return Learned(
        _priced(content["arms"], "arms", check, least=1),
        _moves(content["moves"], check),
        check.number(content["cache"], "cache", 1, MOST_CACHE),
        check.integer(content["ahead"], "ahead", 0, MOST_AHEAD),
        content["provenance"],
        alone=_priced(content["alone"], "alone", check, least=0),
        threads=check.integer(content["threads"], "threads", 1, MOST_THREADS),
    )


def _priced(rows: Any, name: str, check: Check, least: int) -> dict[Arm, Coefficients]:
    """Return what arms cost; one that costs nothing would always be chosen."""
    priced = {}
    for arm, row in check.arms(rows, name, _MOST_ROWS, least).items():
        priced[arm] = check.numbers(row, f"{name} '{arm}'", len(QUANTITIES), 0, MOST_NANOSECONDS)
        check(any(priced[arm]), f"a price above 0 for some quantity of '{arm}'")
    return priced


def _moves(rows: Any, check: Check) -> dict[tuple[str, str], Coefficients]:
    check(isinstance(rows, dict) and len(rows) <= _MOST_ROWS, f"moves that are an object of at most {_MOST_ROWS}")
    size = len(QUANTITIES)
    named = {_pair(name, check): (name, row) for name, row in rows.items()}
    return {
        pair: check.numbers(row, f"moves {name[:40]!r}", size, 0, MOST_NANOSECONDS)
        for pair, (name, row) in named.items()
    }


def _pair(name: str, check: Check) -> tuple[str, str]:
    engines = name.split(_MOVE)
    fits = len(engines) == 2 and all(engines) and engines[0] != engines[1]
    check(fits, f"a move such as 'native{_MOVE}suitesparse', not {name[:40]!r}")
    return engines[0], engines[1]


@cache
def shipped() -> Learned:
    """Return the model that comes with lagbfs, which does not learn; what it says of devices is estimated."""
    return replace(_with_device(_trained()), adapt=False)


@cache
def _shipped() -> Learned:
    """Return the same to begin with."""
    return replace(shipped(), adapt=True)


@cache
def _trained() -> Learned:
    return parse(model_file.shipped("learned.json"), "the shipped model")


def _with_device(model: Learned) -> Learned:
    """Return a model that also knows of engines on a device, by published figures, unless it was measured there."""
    device = parse(model_file.shipped("device.json"), "the shipped estimates for devices")
    arms, alone = {**device.arms, **model.arms}, {**device.alone, **model.alone}
    return replace(model, arms=arms, alone=alone, moves={**device.moves, **model.moves})


def tuned_path() -> Path:
    """Return where the model tuned for this machine is kept."""
    from platformdirs import user_cache_path

    return user_cache_path("lagbfs", appauthor=False) / "tuned.json"


@lru_cache(maxsize=1)
def _tuned(path: Path, changed: int) -> Learned:
    return load(path)


def tuned() -> Learned | None:
    """Return the model that ``lagbfs tune`` has made for this machine, None if there is none."""
    path = tuned_path()
    try:
        return _tuned(path, path.stat().st_mtime_ns)
    except FileNotFoundError:
        return None


@cache
def adapted() -> Learned:
    """Return the shipped model with what waits for memory priced as a probe of this machine says.

    The prices of far accesses follow the random reads, those of sweeps through memory the bandwidth.
    """
    model, now = _trained(), machine.here()
    then = model.provenance["machine"]
    prices = {"reads": then["reads"] / now.reads, "bandwidth": then["bandwidth"] / now.bandwidth}
    factors = [
        prices["reads"] if q.startswith("far_") else prices["bandwidth"] if q in _SWEPT else 1 for q in QUANTITIES
    ]

    def priced(rows: Mapping[Arm, Coefficients]) -> dict[Arm, Coefficients]:
        return {arm: tuple(map(float.__mul__, row, map(float, factors))) for arm, row in rows.items()}

    cache = model.cache * now.cache / then["cache"]
    return _with_device(replace(model, arms=priced(model.arms), alone=priced(model.alone), cache=cache))


_SWEPT = {"words", "sweep", "edges"}


@cache
def _named(name: str) -> Learned | None:
    """Return the model that LAGBFS_MODEL names, None for the tuned or adapted one."""
    if name == "shipped":
        return shipped()
    try:
        return load(name) if name else None
    except OSError as error:
        raise InvalidValueError(f"LAGBFS_MODEL must be 'shipped' or the file of a model: {error}") from None


def current(entries: int) -> Learned:
    """Return the model in force for a matrix of so many entries."""
    named = _named(os.environ.get("LAGBFS_MODEL", ""))
    if named is not None:
        return named
    model = in_use()
    if model is not None:
        return model
    # What fits in the caches waits for no memory: no need to measure it.
    return _shipped() if 4 * entries < shipped().cache else adapted()


@cache
def in_use() -> Learned | None:
    """Return the tuned model as this process first found it; one that cannot be used is warned of, and none."""
    try:
        return tuned()
    except (FileFormatError, OSError) as error:
        import warnings

        warnings.warn(f"the tuned model is not used: {error}; `lagbfs tune` makes a new one", stacklevel=4)
        return None
