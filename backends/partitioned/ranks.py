"""Ranks: the processes that share a graph, and what they tell each other, as arrays.

Launchers start n processes of one program, each with a number, its rank. What is not started by one is alone.
"""

from __future__ import annotations

import os
import pickle
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ...errors import InvalidValueError, LagbfsError
from ..protocol import Exchange
from .local import LocalExchange

__all__ = ["Alone", "Ranks", "is_agreed", "launched", "place"]

Array = NDArray[Any]
T = TypeVar("T")

# What launchers tell each process of how many they have started, and which it is: Open MPI's, those of MPICH's kind,
# Slurm's.
_SIZES = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS")
_RANKS = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID")


def place() -> int:
    """Return which of the processes that were launched this one is, as the launcher says.

    Examples
    --------
    >>> place()
    0
    """
    return _told(_RANKS, 0)


def launched() -> int:
    """Return how many processes a launcher says that it has started; 1 if there is none.

    Examples
    --------
    >>> launched()
    1
    """
    return _told(_SIZES, 1)


def _told(names: tuple[str, ...], otherwise: int) -> int:
    told = [os.environ.get(name, "") for name in names]
    return max([int(value) for value in told if value.isdecimal()], default=otherwise)


class Ranks(ABC):
    """The processes that share a graph.

    Every method is collective: all ranks call the same ones in the same order.

    Attributes
    ----------
    rank : int
        The number of this process, from 0.
    size : int
        How many there are.
    threads : int or None
        How many threads each has where nothing else is said; None leaves it to the engines.
    stage : str
        What they are about, for whoever has to say in what they were stuck.
    """

    rank: int
    size: int
    threads: int | None = None
    stage: str = ""

    @abstractmethod
    def allgather(self, mine: Array) -> Array:
        """Return the arrays of all ranks, of one shape, as rows of one."""

    @abstractmethod
    def allgatherv(self, mine: Array) -> Array:
        """Return the arrays of all ranks side by side; they may differ in length."""

    @abstractmethod
    def alltoallv(self, given: Array, counts: Array) -> Array:
        """Return what the ranks have for this one, side by side: `given` has so many entries for each, in order."""

    @abstractmethod
    def allreduce(self, mine: Array, op: str = "sum") -> Array:
        """Return the sums of all ranks' arrays, entry by entry; or the minima (``"min"``) or maxima."""

    @abstractmethod
    def allgather_objects(self, mine: T) -> list[T]:
        """Return the objects of all ranks."""

    @abstractmethod
    def bcast(self, value: T, root: int = 0) -> T:
        """Return the object that one rank has."""

    @abstractmethod
    def gatherv(self, mine: Array) -> Array | None:
        """Return the arrays of all ranks side by side on rank 0, None on the others."""

    @abstractmethod
    def exchange(self, offsets: tuple[int, ...]) -> Exchange:
        """Return what joins the ranks in a search of a graph that is split at these labels."""

    @abstractmethod
    def rest(self) -> None:
        """Wait for all ranks without keeping a core busy, however long it takes."""

    @contextmanager
    def about(self, stage: str) -> Iterator[None]:
        """Say what the ranks are about meanwhile."""
        before, self.stage = self.stage, stage
        try:
            yield
        finally:
            self.stage = before

    def agree(self, error: BaseException | None = None, said: str = "") -> None:
        """Raise an error on every rank if one has one, that of the first, or if they have not `said` the same.

        Who is asked to do what cannot be done says so here before the ranks do anything together: none then waits for
        another that has given up.
        """
        with self.about("before they begin"):
            told = self.allgather(np.array([error is not None, crc32(said.encode())], np.int64))
        failed = np.flatnonzero(told[:, 0])
        if len(failed):
            raise self._shared(error, failed.tolist())
        others = np.flatnonzero(told[:, 1] != told[0, 1])
        if len(others):
            raise agreed(
                InvalidValueError(
                    f"rank {others[0]} asks for something else than rank 0: all have to make the same call with the "
                    f"same arguments (rank {self.rank}: {said})"
                )
            )

    def _shared(self, error: BaseException | None, failed: list[int]) -> BaseException:
        """Return the error of the first rank that has failed."""
        known = self.bcast(_portable(error) if self.rank == failed[0] else None, failed[0])
        assert known is not None
        if len(failed) < self.size:
            known.add_note(f"on rank {', '.join(map(str, failed))} of {self.size}")
        return agreed(known)


class Alone(Ranks):
    """One process."""

    rank, size = 0, 1

    def allgather(self, mine: Array) -> Array:
        """Return the array as the only row."""
        return mine[np.newaxis]

    def allgatherv(self, mine: Array) -> Array:
        """Return the array."""
        return mine

    def alltoallv(self, given: Array, counts: Array) -> Array:
        """Return the array."""
        return given

    def allreduce(self, mine: Array, op: str = "sum") -> Array:
        """Return the array."""
        return mine

    def allgather_objects(self, mine: T) -> list[T]:
        """Return the object alone."""
        return [mine]

    def bcast(self, value: T, root: int = 0) -> T:
        """Return the object."""
        return value

    def gatherv(self, mine: Array) -> Array | None:
        """Return the array."""
        return mine

    def exchange(self, offsets: tuple[int, ...]) -> Exchange:
        """Return what joins the only part with itself."""
        return LocalExchange(1)

    def rest(self) -> None:
        """Go on: there is nobody to wait for."""


def agreed(error: BaseException) -> BaseException:
    """Mark an error as one that all ranks raise: one of them tells of it."""
    vars(error)["agreed"] = True
    return error


def is_agreed(error: BaseException) -> bool:
    """Whether all ranks raise this error."""
    return "agreed" in vars(error)


def _portable(error: BaseException | None) -> BaseException | None:
    """Return an error as others can raise it."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return LagbfsError(f"{type(error).__name__}: {error}")
    return error
