"""Whole algorithms by the kernels; see `backends.protocol.Fused` for what each returns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from ...storage.rows import Rows
from ..protocol import Backend, Fused, ManyFound, ManyWanted
from .many import One, bfs_many

__all__ = ["Whole"]


class Whole(Fused):
    """Many searches at once."""

    def __init__(self, engine: Backend) -> None:
        self._engine = engine

    def bfs_many(
        self,
        rows: Rows,
        sources: NDArray[Any],
        *,
        wanted: ManyWanted,
        way: str | None,
        width: int | None,
        one: One,
        progress: Callable[[float, float | None], None],
        threads: int | None = None,
    ) -> ManyFound | None:
        """Return what searches from each of the sources find; none are made apart, by a thread each."""
        if rows.is_hypersparse or way == "apart":
            return None
        graph = rows.handle(self._engine)
        return bfs_many(graph, sources, wanted, way=way, width=width, one=one, progress=progress)
