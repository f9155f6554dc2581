"""Watch: ends ranks that wait for one which will not come, and says which that is.

A rank notes when it begins to wait and in what, which is all that it costs. Beside it a thread looks once a second; if
one wait lasts, it tells the other ranks in which, by messages that nobody has to wait for. From what they tell it knows
who has ended, who waits in something else, and, when the time is up, who is late: those that have told
nothing of it, nor of a later wait.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from time import monotonic, sleep
from types import TracebackType
from typing import Any

from ...base import checks
from ...errors import InvalidValueError
from .ranks import is_agreed

__all__ = ["Watch", "deadline"]

_LOOK = 1.0  # seconds between two looks
_ENDED = -1  # told in place of the number of a wait
_TAG = 1
_SAME = "all have to make the same calls"


def deadline() -> float:
    """Return how many seconds a rank may be late: ``LAGBFS_DEADLINE``, by default 300.

    Examples
    --------
    >>> deadline()
    300.0
    """
    told = os.environ.get("LAGBFS_DEADLINE") or "300"
    try:
        return checks.real("LAGBFS_DEADLINE", float(told), low=0)
    except ValueError:
        raise InvalidValueError(f"LAGBFS_DEADLINE must be a number of seconds, not {told!r}") from None


class Watch:
    """Looks after the waits of one rank.

    Parameters
    ----------
    comm : Comm
        The ranks; the watch talks over a copy of its own.
    threads : bool
        Whether the MPI lets a second thread talk; without it nobody can be told of anything but one's own waits.
    """

    def __init__(self, comm: Any, *, threads: bool) -> None:
        self._comm, self._threads, self._deadline = comm.Dup(), threads, deadline()
        self._rank, self._size = comm.rank, comm.size
        self._number, self._since, self._patient = 0, 0.0, False
        self._what: tuple[Any, ...] = ()
        self._told: dict[int, tuple[int, str]] = {}  # by rank, the number of a wait and in what
        self._requests: list[Any] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lagbfs-watch", daemon=True)
        self._thread.start()
        _hook(self)
        atexit.register(self._leave)

    def begin(self, *what: Any, however_long: bool = False) -> None:
        """Note that the rank waits from now on; `however_long`: nobody is late then, but who has ended is told of."""
        self._number += 1
        self._what, self._patient = what, however_long
        self._since = monotonic()

    def end(self) -> None:
        """Note that it does not wait any more."""
        self._since = 0.0

    def _run(self) -> None:
        look = min(_LOOK, self._deadline / 4)
        told = suspected = 0  # the numbers of waits
        while not self._over.wait(look):
            number, since = self._number, self._since
            if not since or monotonic() - since < look:
                continue
            waited = monotonic() - since
            if self._threads:
                if number != told:
                    told = number
                    self._tell((number, self._where()))
                self._hear()
            over = waited > self._deadline and not self._patient
            fault = self._fault(number) or (self._late(number, waited) if over else "")
            if fault and number == suspected == self._number and self._since:  # it waits still, a look later
                self._abort(fault)
            suspected = number if fault else 0

    def _where(self) -> str:
        return " ".join(str(word) for word in self._what if word != "")

    def _tell(self, message: tuple[int, str]) -> None:
        others = (rank for rank in range(self._size) if rank != self._rank)
        self._requests += [self._comm.isend(message, rank, _TAG) for rank in others]

    def _hear(self) -> None:
        """Take in what the others have told."""
        for rank in range(self._size):
            while self._comm.iprobe(rank, _TAG):
                self._told[rank] = self._comm.recv(source=rank, tag=_TAG)

    def _fault(self, number: int) -> str:
        """Return what is wrong for good, empty if nothing is known to be."""
        where = self._where()
        for rank, (other, there) in self._told.items():
            if other == _ENDED:
                return f"rank {rank} of {self._size} has ended, while rank {self._rank} waits for it in {where}"
            if other == number and there != where:
                return f"rank {self._rank} waits in {where}, rank {rank} in {there}: {_SAME}"
        return ""

    def _late(self, number: int, waited: float) -> str:
        where = self._where()
        if not self._threads:
            return f"rank {self._rank} of {self._size} has waited {waited:.0f} s for others in {where}"
        told = {rank: self._told.get(rank, (0, "")) for rank in range(self._size) if rank != self._rank}
        late = [str(rank) for rank, (other, _) in told.items() if other < number]
        beyond = [(rank, there) for rank, (other, there) in told.items() if other > number]
        if beyond and not late:
            rank, there = beyond[0]
            return f"rank {self._rank} waits in {where}, rank {rank} beyond it in {there}: {_SAME}"
        who = f"rank {', '.join(late)} of {self._size} {'is' if len(late) == 1 else 'are'} late: " if late else ""
        limit = "(LAGBFS_DEADLINE sets how many seconds it may)"
        return f"{who}rank {self._rank} has waited {waited:.0f} s in {where} {limit}"

    def _abort(self, line: str) -> None:
        """End all ranks; one of those who know tells why, the first."""
        lower = sum(rank < self._rank and number != _ENDED for rank, (number, _) in self._told.items())
        sleep(0.3 * lower)
        print(f"lagbfs: {line}", file=sys.stderr, flush=True)
        self.abort(1)

    def abort(self, code: int) -> None:
        """End all ranks at once."""
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        if self._threads or threading.current_thread() is threading.main_thread():
            self._comm.Abort(code)
        os._exit(code)

    def _leave(self) -> None:
        """Tell the others that this rank has ended, as it should if they have, too."""
        self._over.set()
        self._thread.join()
        self._tell((_ENDED, ""))


def _hook(watch: Watch) -> None:
    """Let an exception that nobody catches end all ranks, after what Python tells of it and on which rank it was."""
    rank, size, shown, shown_in_thread = watch._rank, watch._size, sys.excepthook, threading.excepthook

    def told(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if is_agreed(error) and rank:
            sleep(10)  # rank 0 tells of it, and ends this one, unless it has caught it
            print(f"lagbfs: rank {rank} of {size} fails: {kind.__name__}: {error}", file=sys.stderr, flush=True)
        elif not issubclass(kind, KeyboardInterrupt):
            print(f"lagbfs: rank {rank} of {size} fails:", file=sys.stderr, flush=True)
            shown(kind, error, trace)
        watch.abort(130 if issubclass(kind, KeyboardInterrupt) else 1)

    def told_in_thread(arguments: threading.ExceptHookArgs) -> None:
        print(f"lagbfs: rank {rank} of {size} fails:", file=sys.stderr, flush=True)
        shown_in_thread(arguments)
        watch.abort(1)

    sys.excepthook, threading.excepthook = told, told_in_thread
