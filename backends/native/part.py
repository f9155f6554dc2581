"""Parts by the kernels: a block as they hold it, and its share of the levels of a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base import memory
from ...storage.block import Block
from ..protocol import Arm, Features, Part, Selector
from .loading import arm_number, kernels
from .policy import Chooser

__all__ = ["BlockPart"]

_MOST_THREADS = 256  # as many as a team has


class BlockPart(Part):
    """A part whose search stays in the kernels between two levels.

    Attributes
    ----------
    block : Block
        What it holds.
    """

    __slots__ = ("_chooser", "_made", "_reached", "_user", "block", "threads", "wants_parents")

    def __init__(self, block: Block, *, wants_parents: bool, threads: int | None) -> None:
        self.block, self.wants_parents = block, wants_parents
        self.threads = min(threads or 0, _MOST_THREADS)
        self._made: Any = None
        self._chooser = Chooser()
        self._reached: NDArray[Any] = np.zeros(0, np.int32)
        self._user: NDArray[Any] | None = None

    @property
    def _part(self) -> Any:
        if self._made is None:
            self._made = kernels().Part(_held(self.block, self._user, self.threads))
        return self._made

    @property
    def _dtype(self) -> np.dtype[Any]:
        return self.block.label_dtype if self.wants_parents else np.dtype(np.int32)

    def write_to(self, reached: NDArray[Any], user: NDArray[Any]) -> bool:
        """Whether it will write what it finds to an array of all vertices, by their own numbers: if dtypes fit."""
        fits = reached.dtype == self._dtype and user.dtype == self.block.label_dtype
        if fits:
            self._reached, self._user = reached, user
        return fits

    def begin(self, frontier: NDArray[Any], reached: NDArray[Any] | None = None, level: int = 0) -> tuple[int, int]:
        """Take a search over."""
        if self._user is not None:
            results = self._reached
            if reached is None:
                results[self._user[frontier + self.block.first]] = -1  # as the kernels begin: they set the sources
        elif reached is None:
            results = kernels().blank(self.block.size, self._dtype.itemsize == 8, self.threads)
        else:
            results = np.array(reached, self._dtype)
        self._reached = results
        parents, levels = (results, None) if self.wants_parents else (None, results)
        begun: tuple[int, int] = self._part.begin(
            np.ascontiguousarray(frontier, np.int64), parents, levels, reached is None, level, self.threads
        )
        return begun

    def step(self, frontier: NDArray[Any], form: str, arm: Arm) -> tuple[int, int]:
        """Compute a level."""
        threads = self.threads if arm.threads is None else arm.threads
        found: tuple[int, int] = self._part.step(frontier, form == "bitmap", arm_number(arm), threads)
        return found

    def choose(self, selector: Selector, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return the arm for the next level, by a selector that the kernels evaluate if they can."""
        return self._chooser.choose(selector, features, arms)

    def frontier(self, form: str) -> NDArray[Any]:
        """Return the own vertices found last."""
        found: NDArray[Any] = self._part.found(form == "bitmap")
        return found

    def reached(self) -> NDArray[Any]:
        """Return, for each own vertex, the label of its parent, or its level; else -1."""
        self._part.settle(self.threads)
        return self._reached

    def missing(self, vertices: NDArray[Any]) -> int:
        """Return how many of some own vertices are not reached."""
        return super().missing(vertices if self._user is None else self._user[vertices + self.block.first])


def _held(block: Block, user: NDArray[Any] | None, threads: int) -> Any:
    """Return the block as the kernels hold it, made when first asked for and kept with the matrix.

    What labels stand for is part of it, where results are written so.
    """
    return block.rows.store.handle((BlockPart, user is not None), lambda: _made(block, user, threads))


def _made(block: Block, user: NDArray[Any] | None, threads: int) -> Any:
    rows, index = block.rows.csr, block.label_dtype
    work = rows.indptr.itemsize * (block.size + rows.nvals)
    memory.demand(f"a block of {block.size:,} vertices and {rows.nvals:,} edges, by target", work)
    degrees = np.ascontiguousarray(block.degrees, index)
    return kernels().Block(rows.indptr, rows.indices, block.size, block.first, degrees, user, block.n, threads)
