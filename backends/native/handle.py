"""A matrix as the kernels see it, and when a layout for searches pays."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np

from ...base import casts, memory
from ...storage.rows import Rows
from ...storage.store import Handle as Kept
from ..protocol import State
from .costs import Costs
from .loading import kernels

__all__ = ["Handle"]


class Handle(Kept):
    """The matrix's own arrays, not a copy, and for searches a layout once that pays."""

    # Seconds that making a layout takes, by entry and by row: measured on two cores. Used only to decide when
    # searches without one have cost as much as it would.
    PER_ENTRY, PER_ROW = 12e-9, 60e-9

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.dtype = rows.dtype
        self.weights: Any = None  # as shortest paths take them, once they were asked for
        self._graph: Any = None
        self._compressed: dict[tuple[bool, np.dtype[Any] | None], Any] = {}
        self.costs = Costs()
        self._due = rows.nvals * self.PER_ENTRY + rows.nrows * self.PER_ROW

    @property
    def graph(self) -> Any:
        """The graph to search; of a directed one, with its transpose."""
        if self._graph is None:
            rows, columns = self.rows.csr, self.rows.T.csr
            work = 2 * rows.nrows * rows.indices.itemsize  # the queue, and the parents of those in it
            memory.demand(f"what a search of {rows.nrows:,} vertices works with", work)
            transpose = () if columns is rows else (columns.indptr, columns.indices)
            self._graph = kernels().Graph(rows.indptr, rows.indices, *transpose)
        return self._graph

    def compressed(self, push: bool, dtype: np.dtype[Any] | None) -> Any:
        """Return the matrix as products read it: its rows to push, its columns to pull, with values of `dtype` if any.

        Kept, but for values that had to be cast.
        """
        found = self._compressed.get((push, dtype))
        if found is None:
            csr = self.rows.csr if push else self.rows.T.csr
            values = None if dtype is None else casts.cast(csr.values, dtype)
            found = kernels().Compressed(csr.indptr, csr.indices, csr.ncols, values)
            if values is None or values is csr.values or csr.iso:
                self._compressed[push, dtype] = found
        return found

    def optimize(self, threads: int | None) -> None:
        """Make the layout unless it is made; MemoryError if there is no room for it."""
        self._due = float("inf")
        most = memory.room()
        made = self.graph.optimize(threads or 0, most)
        if isinstance(made, int):
            memory.refuse(f"a layout of {self.rows.nrows:,} vertices and {self.rows.nvals:,} entries", made, most)

    def laid(self) -> dict[str, Any]:
        """Return what the layout consists of."""
        if self._graph is None or self._graph.layout is None:
            self.optimize(None)
        laid: dict[str, Any] = self.graph.laid
        return laid

    def adopt(self, laid: dict[str, Any], *, trusted: bool) -> None:
        """Take a layout that another process has made; ValueError if it is not one of this matrix."""
        keys = None if trusted else [secrets.randbits(64) | 1 for _ in range(2)]
        try:
            fits = self.graph.adopt(laid, keys)
        except KeyError as error:
            raise ValueError(f"it has no {error}") from error
        if not fits:
            raise ValueError("it is none of this graph")
        self._due = float("inf")

    def earn(self, seconds: float, state: State) -> None:
        """Count time spent without a layout, and make one when it would have cost no more; with one, do nothing.

        Where there is no room for one, searches go on without.
        """
        self._due -= seconds
        if self._due >= 0:
            return
        try:
            self.optimize(state.threads)
            state.trace.notes.append(f"after this search: {self.layout}")
        except MemoryError as error:
            state.trace.notes.append(f"after this search: no layout, since {error}")

    def foresee(self, seconds: float, threads: int | None) -> bool:
        """Make the layout if searches that are expected to take so long would pay for it; whether it was made.

        Where there is no room for one, searches go without.
        """
        if seconds <= self._due:
            return False
        try:
            self.optimize(threads)
        except MemoryError:
            return False
        return True

    @property
    def work_bytes(self) -> int:
        """Memory of the work buffers of searches."""
        size: int = self.graph.work_bytes
        return size

    @property
    def layout_bytes(self) -> int:
        """Memory of the layout, 0 if there is none."""
        layout = self.graph.layout
        return 0 if layout is None else layout["bytes"]

    @property
    def layout(self) -> str:
        """What was laid out, how long that took and how much memory it holds; empty if nothing was."""
        layout = None if self._graph is None else self._graph.layout
        if layout is None:
            return ""
        return f"layout {layout['kind']} ({layout['seconds'] * 1e3:.1f} ms, {layout['bytes'] / 1e6:.1f} MB)"
