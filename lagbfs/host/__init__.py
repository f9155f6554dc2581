"""Host routines: heavy work on plain arrays, done by an engine's kernels where there are any, else by NumPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ..base.hooks import Hook
from . import lists
from .plain import Plain
from .protocol import Routines

__all__ = ["PLAIN", "Routines", "lists", "provide", "routines"]

PLAIN: Routines = Plain()

_fastest: Hook[Callable[[], Routines | None]] = Hook("lagbfs.backends")


def provide(fastest: Callable[[], Routines | None]) -> None:
    """Say what tells the fastest routines there are, None if NumPy's are."""
    _fastest.provide(fastest)


@cache
def routines() -> Routines:
    """Return the routines in use.

    Examples
    --------
    >>> import numpy as np
    >>> from lagbfs import host
    >>> indptr, indices, _ = host.routines().build_csr(*map(np.array, ([1, 0], [0, 1])), 2, 2)
    >>> indptr.tolist(), indices.tolist()
    ([0, 1, 2], [1, 0])
    """
    return _fastest()() or PLAIN
