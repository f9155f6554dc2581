"""Benchmarks of `bfs_many` against as many calls of `bfs`, from the same sources.

The layout is made before, and each has searched once, untimed. They take turns, and medians are reported. What `bfs` is
asked for are parents, its quickest result; `bfs_many` for levels as an array, and for sums alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from .. import backends
from ..algebra.matrix import Matrix
from ..algorithms.searches import bfs_many
from ..algorithms.traversals import Traversals
from ..base import checks
from ..errors import InvalidValueError
from ..search.bfs import bfs

__all__ = ["Row", "compare"]

_REPEATS = 3
_SINGLES = 64  # single calls of a turn: of more sources, these stand for all


class Row(NamedTuple):
    """What searches from so many sources have taken, in seconds a source: by `bfs` and by `bfs_many`, and how."""

    graph: str
    sources: int
    results: str
    single: float
    many: float
    way: str

    @property
    def ratio(self) -> float:
        """How many times as fast `bfs_many` is."""
        return self.single / self.many


def compare(
    name: str,
    A: Matrix,
    *,
    sources: int = 64,
    backend: str | None = None,
    threads: int | None = None,
    results: Sequence[str] = ("levels", "sums"),
    progress: Callable[[float, float | None], None] = lambda done, total: None,
) -> list[Row]:
    """Return what `bfs_many` takes for each of some results, and single calls of `bfs`.

    Examples
    --------
    >>> from lagbfs import graphs
    >>> [row.results for row in compare("grid", graphs.grid(9, 9), sources=4)]
    ['levels', 'sums']
    """
    starts = np.flatnonzero(A.rows.degrees)
    if not len(starts):
        raise InvalidValueError(f"{name} has no edges: there is nothing to search")
    k = checks.integer("sources", sources, low=1)
    indices = np.random.default_rng(1).choice(starts, k)
    chosen = indices if A.labels is None else [A.labels[i] for i in indices]
    engine = backends.default() if backend is None else backend
    backends.get(engine).optimize(A.rows, threads)
    settings: dict[str, Any] = {"backend": engine, "threads": threads}
    asked = [checks.one_of("results", result, ("levels", "sums")) == "levels" for result in results]
    for levels in asked:
        bfs_many(A, chosen, levels=levels, **settings)
    single: list[float] = []
    many: list[list[float]] = [[] for _ in asked]
    found: list[Traversals | None] = [None for _ in asked]
    for turn in range(_REPEATS):
        single.append(_singles(A, chosen[:_SINGLES], settings))
        for i, levels in enumerate(asked):
            found[i] = None  # its memory is the next one's
            began = perf_counter()
            found[i] = bfs_many(A, chosen, levels=levels, **settings)
            many[i].append((perf_counter() - began) / k)
        progress(turn + 1, _REPEATS)
    told = ["; ".join(t.notes) if t is not None else "" for t in found]
    return [
        Row(name, k, result, median(single), median(seconds), how)
        for result, seconds, how in zip(results, many, told, strict=True)
    ]


def _singles(A: Matrix, sources: Any, settings: dict[str, Any]) -> float:
    """Return what a search takes, of searches one after the other."""
    began = perf_counter()
    for source in sources:
        bfs(A, [source], levels=False, **settings)
    return (perf_counter() - began) / len(sources)
