"""Ranks of MPI, through mpi4py: any MPI will do. Arrays travel as they are, without being pickled."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from time import sleep
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...base import optional
from ...errors import BackendUnavailableError, MissingPackageError
from ...storage.block import WORD
from ..protocol import Exchange
from .ranks import Alone, Array, Ranks, launched
from .watch import Watch

__all__ = ["MpiExchange", "MpiRanks", "world"]

T = TypeVar("T")

_NAP = 0.02  # seconds between two looks of a rank that rests


def world(comm: Any = None) -> Ranks:
    """Return the ranks that this process is one of: those of a communicator, by default all that were launched.

    Raises
    ------
    BackendUnavailableError
        Several processes were launched, and do not find each other.

    Examples
    --------
    >>> world().rank, world().size
    (0, 1)
    """
    return _world() if comm is None else MpiRanks(comm)


@cache
def _world() -> Ranks:
    count = launched()
    if count == 1 and "mpi4py.MPI" not in sys.modules:
        return Alone()
    comm = _mpi().COMM_WORLD
    if comm.size == 1 < count:
        raise BackendUnavailableError(
            f"{count} processes were launched, and each is alone: the launcher is not of the MPI that mpi4py uses here "
            f"({_mpi().Get_library_version().splitlines()[0].strip()}). Launch with {_own_launcher()}, or let mpi4py "
            "use the launcher's MPI (MPI4PY_LIBMPI, or mpi4py built with its mpicc)"
        )
    return Alone() if comm.size == 1 else MpiRanks(comm)


def _mpi() -> Any:
    try:
        return optional.require("mpi4py.MPI", "mpi")
    except (MissingPackageError, RuntimeError) as error:  # RuntimeError: it finds no MPI
        raise BackendUnavailableError(
            f"{launched()} processes were launched, and cannot find each other ({error}): "
            f"{optional.installing('mpi', 'mpi4py')} for an MPI that is there, with an MPI {_installing_both()}"
        ) from error


def _installing_both() -> str:
    return f"{optional.installing('mpi-local')} (lagbfs[mpi-local])"


def _own_launcher() -> str:
    """Return the launcher that was installed beside this Python, if there is one."""
    beside = Path(sys.executable).parent / "mpiexec"
    return str(beside) if beside.exists() else "that MPI's mpiexec"


class MpiRanks(Ranks):
    """The ranks of a communicator.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm
        The processes; what they tell each other here is told over a copy of it.
    """

    def __init__(self, comm: Any) -> None:
        MPI = _mpi()
        self._comm, self._MPI = comm.Dup(), MPI
        self.rank, self.size = comm.rank, comm.size
        self.threads = self._fair_threads()
        self._watch = Watch(comm, threads=MPI.Query_thread() == MPI.THREAD_MULTIPLE)

    def _fair_threads(self) -> int | None:
        """Return this rank's share of the cores that ranks of one machine have between them, unless OpenMP was told."""
        here = self._comm.Split_type(self._MPI.COMM_TYPE_SHARED)
        cores = set().union(*here.allgather(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()))
        count = here.size
        here.Free()
        return None if "OMP_NUM_THREADS" in os.environ or not cores else max(len(cores) // count, 1)

    def _call(self, what: str, call: Callable[..., T], *given: Any) -> T:
        self._watch.begin(what, f"({self.stage})" if self.stage else "")
        try:
            return call(*given)
        finally:
            self._watch.end()

    def allgather(self, mine: Array) -> Array:
        """Return the arrays of all ranks, of one shape, as rows of one."""
        rows = np.empty((self.size, *mine.shape), mine.dtype)
        self._call("allgather", self._comm.Allgather, np.ascontiguousarray(mine), rows)
        return rows

    def allgatherv(self, mine: Array) -> Array:
        """Return the arrays of all ranks side by side."""
        counts = self.allgather(np.array([len(mine)]))[:, 0]
        whole = np.empty(counts.sum(), mine.dtype)
        self._call("allgatherv", self._comm.Allgatherv, np.ascontiguousarray(mine), [whole, counts])
        return whole

    def alltoallv(self, given: Array, counts: Array) -> Array:
        """Return what the ranks have for this one, side by side."""
        here = np.empty_like(counts)
        self._call("alltoall", self._comm.Alltoall, counts, here)
        received = np.empty(here.sum(), given.dtype)
        self._call("alltoallv", self._comm.Alltoallv, [given, counts], [received, here])
        return received

    def allreduce(self, mine: Array, op: str = "sum") -> Array:
        """Return the sums, minima or maxima of all ranks' arrays, entry by entry."""
        result = np.empty_like(mine)
        self._call("allreduce", self._comm.Allreduce, mine, result, getattr(self._MPI, op.upper()))
        return result

    def allgather_objects(self, mine: T) -> list[T]:
        """Return the objects of all ranks."""
        return self._call("allgather", self._comm.allgather, mine)

    def bcast(self, value: T, root: int = 0) -> T:
        """Return the object that one rank has."""
        return self._call("broadcast", self._comm.bcast, value, root)  # type: ignore[no-any-return]

    def gatherv(self, mine: Array) -> Array | None:
        """Return the arrays of all ranks side by side on rank 0, None on the others."""
        counts = self.allgather(np.array([len(mine)]))[:, 0]
        whole = np.empty(counts.sum(), mine.dtype) if self.rank == 0 else None
        there = None if whole is None else [whole, counts]
        self._call("gatherv", self._comm.Gatherv, np.ascontiguousarray(mine), there)
        return whole

    def exchange(self, offsets: tuple[int, ...]) -> Exchange:
        """Return what joins the ranks in a search of a graph that is split at these labels."""
        return MpiExchange(self._comm, self._watch, offsets)

    def rest(self) -> None:
        """Wait for all ranks without keeping a core busy, however long it takes."""
        self._watch.begin("rest", however_long=True)
        try:
            request = self._comm.Ibarrier()
            while not request.Test():
                sleep(_NAP)
        finally:
            self._watch.end()


class MpiExchange(Exchange):
    """Joins the ranks in one search. What it returns is overwritten by its next call of the same method."""

    def __init__(self, comm: Any, watch: Watch, offsets: tuple[int, ...]) -> None:
        self.parts, self.count, self.sent = range(comm.rank, comm.rank + 1), comm.size, 0
        self._comm, self._watch = comm, watch
        self._words = np.diff(offsets) // WORD
        self._level = -1  # that whose figures were told last are those of
        self._stats = np.empty((self.count, 0), np.int64)
        self._whole: dict[str, NDArray[Any]] = {}

    def stats(self, mine: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows of all ranks."""
        self._level += 1
        if self._stats.shape[1] != mine.shape[1]:
            self._stats = np.empty((self.count, mine.shape[1]), np.int64)
        self.sent += mine.nbytes
        self._watch.begin("the figures of level", self._level)
        self._comm.Allgather(mine, self._stats)
        self._watch.end()
        return self._stats

    def frontier(self, mine: Sequence[NDArray[Any]], form: str, sizes: NDArray[np.int64]) -> NDArray[Any]:
        """Return the frontiers of all ranks side by side."""
        (own,) = mine
        counts = sizes if form == "list" else self._words
        total = int(counts.sum())
        whole = self._whole.get(form)
        if whole is None or len(whole) < total:
            whole = self._whole[form] = np.empty(total, own.dtype)
        self.sent += own.nbytes
        self._watch.begin("the frontier of level", self._level)
        self._comm.Allgatherv(own, [whole[:total], counts])
        self._watch.end()
        return whole[:total]
