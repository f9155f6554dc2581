"""Signals that end the command: it ends in good order, leaving no half-written files."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["ending_in_order"]

_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def ending_in_order() -> Iterator[None]:
    """Let these signals, unless the program around has other plans for them, end the command as by ``sys.exit``."""
    ours = threading.current_thread() is threading.main_thread()
    taken = [number for number in _ENDING if ours and signal.getsignal(number) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, _exit)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _exit(number: int, _: Any) -> None:
    sys.exit(128 + number)  # what a shell says of a command that the signal has ended
