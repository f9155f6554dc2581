"""Benchmarks of searches on ranks, against engines on rank 0 alone, while the others rest.

They take turns at each source, on graphs that are laid out, each after a search that is not timed; the median of five
counts, and medians over the sources are reported. A search on ranks takes from when all are ready until the last has
the parents of its own vertices, in the user's numbering; an engine until it has those of all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from ..algebra.matrix import Matrix
from ..backends.partitioned.ranks import Ranks
from ..base import checks
from ..distributed import DistributedMatrix
from ..distributed.agreeing import together
from ..errors import InvalidValueError
from ..search.bfs import bfs
from ..selector import context

__all__ = ["Rates", "Row", "compare", "rates"]

Options = dict[str, Any]  # of a search

_REPEATS = 5
_LEAST, _MOST = 16, 1 << 22  # bytes: what each rank tells after a level, and what takes no time but that of its bytes


class Rates(NamedTuple):
    """What an exchange takes at best: seconds for the figures of a level, and bytes a second of a large frontier."""

    latency: float
    bandwidth: float


def rates(ranks: Ranks) -> Rates:
    """Return how fast the ranks tell each other something: the best of many, for what disturbs only adds to it.

    Examples
    --------
    >>> import lagbfs
    >>> rates(lagbfs.distributed.world()).latency >= 0
    True
    """
    words, count = _MOST // 8, ranks.size
    exchange = ranks.exchange(tuple(range(0, 64 * words * count + 1, 64 * words)))
    figures, bitmap = np.zeros((1, _LEAST // 8), np.int64), np.zeros(words, np.uint64)
    sizes = np.ones(count, np.int64)
    short = _best(200, lambda: exchange.stats(figures))
    long = _best(20, lambda: exchange.frontier([bitmap], "bitmap", sizes))
    return Rates(short, _MOST / max(long - short, 1e-9))


def _best(times: int, work: Callable[[], object]) -> float:
    seconds = []
    for _ in range(times):
        began = perf_counter()
        work()
        seconds.append(perf_counter() - began)
    return min(seconds)


class Row(NamedTuple):
    """Seconds from each source."""

    graph: str
    contender: str
    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """Of all sources."""
        return float(np.median(self.seconds))


def compare(
    name: str,
    A: DistributedMatrix,
    whole: Matrix | None,
    against: Sequence[str] = (),
    *,
    sources: int = 16,
    backend: str | None = None,
    threads: int | None = None,
    progress: Callable[[float, float | None], None] = lambda done, total: None,
) -> list[Row]:
    """Return what searches take on ranks, and by engines (``name[@threads]``) of the same graph, which rank 0 has.

    Examples
    --------
    >>> import lagbfs
    >>> G = lagbfs.graphs.grid(9, 9)
    >>> rows = compare("grid", lagbfs.DistributedMatrix.from_matrix(G), G, ["reference@1"], sources=2)
    >>> [row.contender for row in rows]
    ['1 rank', 'reference@1']
    """
    ranks = A.ranks
    starts = np.flatnonzero(A.split.label >= 0)

    def checked() -> tuple[int, list[Options]]:
        if not len(starts):
            raise InvalidValueError(f"{name} has no edges: there is nothing to search")
        return checks.integer("sources", sources, low=1), [_options(contender) for contender in against]

    count, contenders = together(ranks, checked, f"compare {name} {sources} {against}")
    chosen = np.random.default_rng(1).choice(starts, count).tolist()
    options: Options = {"backend": backend, "threads": threads}
    if whole is not None and ranks.rank == 0:
        for contender in contenders:  # as blocks are laid out by their first search
            whole.optimize(backend=contender["backend"])
    seconds: list[list[float]] = [[] for _ in range(1 + len(against))]
    for done, source in enumerate(chosen):
        seconds[0].append(_shared(A, source, options))
        for number, contender in enumerate(contenders):
            if ranks.rank == 0 and whole is not None:
                seconds[1 + number].append(_alone(whole, source, contender))
            ranks.rest()
        progress(done + 1, len(chosen))
    called = f"{ranks.size} rank{'' if ranks.size == 1 else 's'}"
    return [Row(name, who, tuple(times)) for who, times in zip([called, *against], seconds, strict=True)]


def _options(contender: str) -> Options:
    """Return what a contender is asked for, ``name`` or ``name@threads``."""
    engine, _, threads = contender.partition("@")
    if threads and not threads.isdecimal():
        raise InvalidValueError(f"against must be an engine or engine@threads, not {contender!r}")
    options: Options = {"backend": engine, "threads": int(threads) if threads else None}
    context.current().but(**options)
    return options


def _shared(A: DistributedMatrix, source: int, options: Options) -> float:
    times = []
    for _ in range(1 + _REPEATS):
        A.ranks.allreduce(np.zeros(1, np.int64))
        began = perf_counter()
        bfs(A, source, **options).local  # type: ignore[attr-defined]  # noqa: B018 (computes the parents)
        times.append(float(A.ranks.allreduce(np.array([perf_counter() - began]), "max")[0]))
    return float(np.median(times[1:]))


def _alone(A: Matrix, source: int, options: Options) -> float:
    times = []
    for _ in range(1 + _REPEATS):
        began = perf_counter()
        bfs(A, source, **options).parents  # noqa: B018
        times.append(perf_counter() - began)
    return float(np.median(times[1:]))
