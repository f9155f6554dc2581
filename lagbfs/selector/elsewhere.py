"""What was learnt of other graphs: the prior of the next one, in this process and, if it is kept, in later ones.

    {"format": "lagbfs experience", "version": 2,
     "ways": {"native push:queue": [[mean, weight], …]},   by arm, for each share of the threads
     "provenance": {"threads": 2, …}}

It is kept by `save_experience` alone, in this user's cache unless a path is given, and read from there when a process
first learns. Files are checked strictly; who reads while another process writes has the old one or the new one, whole.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ..backends.protocol import Arm
from ..base import machine
from ..base.version import VERSION
from ..errors import FileFormatError
from ..host.experience import Experience
from . import model_file
from .shares import SHARES

__all__ = ["add", "forget_experience", "load_experience", "priors", "save_experience"]

KIND, FORMAT = "experience", 2
_GRAPHS = 16  # the last so many graphs count
_DOUBT = 20.0  # weight of knowing nothing: what was learnt of two graphs counts for half
_MOST_MEAN, _MOST_WEIGHT, _MOST_ARMS = 20.0, 1e6, 1000

Seen = dict[tuple[Arm, int], tuple[float, float]]
"""By arm and share, the mean of log(seconds / expected), and its weight."""

_lock = threading.Lock()
_graphs: deque[tuple[Mapping[Arm, int], Experience]] = deque(maxlen=_GRAPHS)
_loaded: Seen = {}


def add(rows: Mapping[Arm, int], experience: Experience) -> None:
    """Let what is learnt of a graph count for others; `rows` are the first of each arm's."""
    with _lock:
        _graphs.append((rows, experience))


def priors(rows: Mapping[Arm, int]) -> list[float]:
    """Return what to expect of each row on a graph that nothing is known of."""
    _take_kept()
    seen = _seen()
    known = (seen.get((arm, share), (0.0, 0.0)) for arm in rows for share in range(SHARES))
    return [weight * mean / (weight + _DOUBT) for mean, weight in known]


def _seen() -> Seen:
    """Return the means over graphs, and what was loaded."""
    with _lock:
        graphs, sums = [*_graphs], dict(_loaded)
    for rows, experience in graphs:
        for arm, first in rows.items():
            for share in range(SHARES):
                weight = experience.weight(first + share)
                if weight:
                    mean, before = sums.get((arm, share), (0.0, 0.0))
                    total = before + weight
                    sums[arm, share] = (mean * before + experience.mean(first + share) * weight) / total, total
    return sums


def experience_path() -> Path:
    """Return where the experience of this machine is kept."""
    from platformdirs import user_cache_path

    return user_cache_path("lagbfs", appauthor=False) / "experience.json"


@cache
def _take_kept() -> None:
    """Load what is kept, once; what cannot be used is warned of."""
    try:
        load_experience()
    except FileNotFoundError:
        return
    except (FileFormatError, OSError) as error:
        import warnings

        warnings.warn(f"the kept experience is not used: {error}; save_experience() makes a new one", stacklevel=2)


def save_experience(path: str | os.PathLike[str] | None = None) -> Path:
    """Keep what this process has learnt of graphs for later ones; return the file.

    Parameters
    ----------
    path : path, optional
        The file, written whole or not at all. Default: one in this user's cache, which later processes begin with.

    Examples
    --------
    >>> import tempfile, pathlib, lagbfs
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     lagbfs.selector.save_experience(pathlib.Path(folder) / "learnt.json").name
    'learnt.json'
    """
    where = experience_path() if path is None else Path(path)
    seen = _seen()
    ways = {
        str(arm): [list(seen.get((arm, share), (0.0, 0.0))) for share in range(SHARES)]
        for arm in dict.fromkeys(arm for arm, _ in seen)
    }
    where.parent.mkdir(parents=True, exist_ok=True)
    model_file.dump(where, KIND, FORMAT, {"lagbfs": VERSION, "threads": machine.threads()}, {"ways": ways})
    return where


def load_experience(path: str | os.PathLike[str] | None = None) -> None:
    """Begin with what another process has learnt: the prior of graphs that are first searched from now on.

    Parameters
    ----------
    path : path, optional
        A file of `save_experience`. Default: the one that it writes by default, which is loaded by itself.

    Examples
    --------
    >>> import tempfile, pathlib, lagbfs
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     lagbfs.selector.load_experience(lagbfs.selector.save_experience(pathlib.Path(folder) / "learnt.json"))
    """
    where = experience_path() if path is None else Path(path)
    loaded = _parse(model_file.text_of(where), os.fspath(where))
    with _lock:
        _loaded.clear()
        _loaded.update(loaded)


def forget_experience() -> None:
    """Forget what was learnt of other graphs, and loaded; each graph keeps what was learnt of itself.

    Examples
    --------
    >>> import lagbfs
    >>> lagbfs.selector.forget_experience()
    """
    with _lock:
        _graphs.clear()
        _loaded.clear()


def _parse(text: bytes, name: str) -> Seen:
    content, check = model_file.parse(text, name, KIND, FORMAT, ["ways"])
    ways: Any = content["ways"]
    arms = check.arms(ways, "ways", _MOST_ARMS) if ways else {}
    check(isinstance(ways, dict), "ways that are an object")
    seen: Seen = {}
    for arm, pairs in arms.items():
        for share, pair in enumerate(check.list(pairs, f"ways '{arm}'", SHARES, SHARES)):
            mean, weight = check.list(pair, f"a way of '{arm}'", 2, 2)
            seen[arm, share] = (
                check.number(mean, f"the mean of '{arm}'", -_MOST_MEAN, _MOST_MEAN),
                check.number(weight, f"the weight of '{arm}'", 0, _MOST_WEIGHT),
            )
    return seen
