"""Signals that wait while something runs that would not survive an exception from their handlers."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["waiting"]

# Those whose handlers may raise, Python's own of SIGINT first of all.
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGALRM", "SIGVTALRM", "SIGPROF", "SIGUSR1", "SIGUSR2")
_NUMBERS = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))


@contextmanager
def waiting() -> Iterator[None]:
    """Let signals wait for the end of a block: then their handlers are called, and may raise KeyboardInterrupt.

    Python calls them between any two steps of the main thread. In other threads there is nothing to be done.

    Examples
    --------
    >>> import signal
    >>> before = signal.signal(signal.SIGINT, signal.default_int_handler)
    >>> try:
    ...     with waiting():
    ...         signal.raise_signal(signal.SIGINT)
    ...         print("goes on")
    ... except KeyboardInterrupt:
    ...     print("interrupted")
    goes on
    interrupted
    >>> _ = signal.signal(signal.SIGINT, before)
    """
    came: list[int] = []
    own: list[tuple[int, Any]] = []  # what was in force before
    try:
        if threading.current_thread() is threading.main_thread():
            _take(own, came)
        yield
    finally:
        _give_back(own)
        for number in dict.fromkeys(came):
            signal.raise_signal(number)


class _Wait:
    """A handler that only notes that a signal came."""

    def __init__(self, came: list[int]) -> None:
        self._came = came

    def __call__(self, number: int, _: Any) -> None:
        self._came.append(number)


def _take(own: list[tuple[int, Any]], came: list[int]) -> None:
    """Have signals noted that have handlers, and are not noted already."""
    wait = _Wait(came)
    for number in _NUMBERS:
        handler = signal.getsignal(number)
        if callable(handler) and type(handler) is not _Wait:
            own.append((number, handler))
            signal.signal(number, wait)


def _give_back(own: list[tuple[int, Any]]) -> None:
    """Put handlers in force again, all of them even if one is called meanwhile and raises."""
    if own:
        try:
            signal.signal(*own.pop())
        finally:
            _give_back(own)
