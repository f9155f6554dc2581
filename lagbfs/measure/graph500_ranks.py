"""Graph500 on ranks: as `graph500`, the list of edges, the graph and the results each shared by all of them.

Vertices are renamed by a permutation that is computed. Times are those of the slowest rank, from one moment at which
all are ready to the next. A search from the first source counts as construction: engines lay their blocks out in it.
For validation the list travels once more, and each rank looks its edges up.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import host
from ..backends.partitioned.ranks import Ranks
from ..base import checks, memory, random_words
from ..base.arrays import occurrences
from ..distributed import DistributedMatrix, DistributedTraversal, world
from ..distributed.agreeing import together
from ..distributed.building import Edges, travelled
from ..distributed.drawing import kronecker_edges
from ..errors import InvalidValueError, VerificationError
from ..operators import binary
from ..search.bfs import bfs
from ..selector import context
from ..storage import csr as csrs
from .graph500 import SOURCES, Progress, Report

__all__ = ["run"]


def run(
    scale: int,
    edge_factor: int = 16,
    *,
    sources: int = 64,
    seed: int = 1,
    backend: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    comm: Any = None,
) -> Report:
    """Run the benchmark on all ranks; see `lagbfs.measure.graph500.run`. Every rank returns the report.

    Examples
    --------
    >>> from lagbfs.measure import graph500_ranks
    >>> report = graph500_ranks.run(8, sources=4)
    >>> report.text().splitlines()[:3]
    ['SCALE: 8', 'edgefactor: 16', 'NBFS: 4']
    """
    ranks, tell = world(comm), progress or (lambda step, done, total: None)

    def checked() -> tuple[int, dict[str, Any]]:
        settings = context.current().but(backend=backend, threads=threads)
        options = {"backend": settings.arms()[0].backend, "threads": settings.threads}
        return checks.integer("sources", sources, low=1), options

    count, options = together(ranks, checked, f"graph500 {scale} {edge_factor} {sources} {seed}")
    tell("generation", 0, 1)
    way: dict[str, Any] = {"seed": seed, "permutation": "computed", "threads": options["threads"]}
    edges, generation = _timed(ranks, lambda: kronecker_edges(ranks, scale, edge_factor, **way))
    tell("construction", 0, 1)
    A, construction = _timed(ranks, lambda: DistributedMatrix.of_share(ranks, edges, binary.any))
    _, validation = _timed(ranks, lambda: _check_list(A, edges))
    listed = ranks.allreduce(occurrences(edges.src, A.nrows))[A.own]
    edges = edges.without_edges()  # their memory is for the searches
    chosen = _sources(A, count, seed)
    _, layout = _timed(ranks, partial(_search, A, int(chosen[0]), options))
    times, nedges = [], []
    for number, source in enumerate(chosen.tolist()):
        tell("searches", number, len(chosen))
        t, seconds = _timed(ranks, partial(_search, A, source, options))
        _, checking = _timed(ranks, partial(_validate, t, number))
        times.append(seconds)
        validation += checking
        nedges.append(int(ranks.allreduce(np.array([listed[t.local.parents >= 0].sum()]))[0]))
    tell("searches", len(chosen), len(chosen))
    peak = memory.peak()
    return Report(
        scale=int(scale),
        edge_factor=int(edge_factor),
        seed=int(seed),
        backend=options["backend"],
        threads=options["threads"],
        generation_time=generation,
        construction_time=construction + layout,
        validation_time=validation,
        sources=chosen,
        times=np.array(times),
        nedges=np.array(nedges),
        joules={},
        watts=None,
        no_energy="it is not counted on ranks",
        peak_memory=None if peak is None else int(ranks.allreduce(np.array([peak]), "max")[0]),
        ranks=ranks.size,
    )


def _timed(ranks: Ranks, work: Callable[[], Any]) -> tuple[Any, float]:
    """Return what the work gives, and its seconds: from when all are ready until all are done."""
    ranks.allreduce(np.zeros(1, np.int64))
    began = perf_counter()
    result = work()
    return result, float(ranks.allreduce(np.array([perf_counter() - began]), "max")[0])


def _search(A: DistributedMatrix, source: int, options: dict[str, Any]) -> DistributedTraversal:
    """Search, up to the parents in the numbers of the list, each where its vertex is."""
    t: Any = bfs(A, source, **options)
    t.local  # noqa: B018 (computes them)
    return t  # type: ignore[no-any-return]


def _validate(t: DistributedTraversal, number: int) -> None:
    try:
        t.verify()
    except VerificationError as error:
        error.add_note(f"in search {number + 1}, from vertex {t.sources[0]}")
        raise


def _sources(A: DistributedMatrix, count: int, seed: int) -> NDArray[np.int64]:
    """Return different random vertices that have an edge."""
    candidates = np.flatnonzero(A.split.label >= 0)
    if not len(candidates):
        A.ranks.agree(InvalidValueError("scale and edge_factor must be large enough for an edge that is no loop"))
    chosen: NDArray[np.int64] = candidates[random_words.permutation(seed, SOURCES, len(candidates))[:count]]
    return chosen


def _check_list(A: DistributedMatrix, edges: Edges) -> None:
    """Check that the ranks have the edges of the list both ways, and no others; loops are not looked at."""
    block, error = A.block, None
    csr, shape = block.rows.csr, (block.offsets[-1], block.size)
    seen = np.zeros(csr.nvals, bool)
    for sources, own, *_ in travelled(A.ranks, edges, A.split):
        piece = csrs.from_coo(sources, own, np.array(True), *shape, binary.any)
        at = host.routines().locate(piece.indptr, piece.indices, csr.indptr, csr.indices)
        if error is None and (missing := np.flatnonzero(at < 0)).size:
            u, v = _named(A, piece.rows()[missing[0]], piece.indices[missing[0]])
            error = VerificationError("edge list", u, f"the list joins {u} and {v}, the matrix does not")
        seen[at[at >= 0]] = True
    if error is None and not seen.all():
        first = int(np.argmin(seen))
        u, v = _named(A, csr.rows()[first], csr.indices[first])
        error = VerificationError("edge list", u, f"the matrix has an edge from {u} to {v}, the list has not")
    A.ranks.agree(error)


def _named(A: DistributedMatrix, label: int, own: int) -> tuple[int, int]:
    return int(A.split.user[label]), int(A.own[own])
