"""The Graph500 benchmark, its search: generation, construction (kernel 1), 64 searches (kernel 2), validation.

Generation: the Kronecker edge list of the specification, loops and duplicates included; timed apart.

Kernel 1, timed: `Matrix.from_edges`, every edge both ways, without loops and duplicates, which no search needs; and
`Matrix.optimize`, the layout that the engine searches. A layout is preparation, so that its time belongs here.

Kernel 2, timed one by one: ``bfs(A, source).parents``, an array of parents in the numbers of the edge list. The sources
are different vertices, drawn at random from those with an edge to another vertex. A search from the first of them comes
before, untimed, as in the reference code: the first of all loads the engine and its threads, and at small scales that
would be most of its time.

Validation is against the edge list as generated. The graph is compared with it once: it has every edge of the list
both ways and no others (`verify_edges`). Loops and duplicates, which it has not, can break no rule. Then
every search is checked on the graph by `lagbfs.verify` before the next begins. The five rules of the specification, and
those of `verify` that hold them:

1. the tree has no cycles: "source", "range", "cycle"
2. each tree edge joins levels that differ by one: levels are derived from the parents, "tree level"
3. each edge of the list joins levels that differ by at most one, or vertices not in the tree: "edge span", both ways
4. the tree spans the whole component of its source: "component", "edge span"
5. a vertex and its parent are joined by an edge of the list: "tree edge"

TEPS, traversed edges per second, counts the edges of the list within the component that was searched, duplicates and
loops included, each once, as the specification does; not the edges that the search looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..base import checks, memory, random_words
from ..base.arrays import occurrences
from ..errors import InvalidValueError, VerificationError
from ..graphs import kronecker_edges
from ..search.bfs import bfs
from ..search.verify import verify
from ..search.verify_edges import verify_edges
from ..selector import context
from .energy import Meter

__all__ = ["SOURCES", "Progress", "Report", "run"]

Progress = Callable[[str, int, int], None]
"""Told of each step: "generation", "construction" or "searches", how many are done, of how many."""

SOURCES = 2  # stream of random numbers; the edge list has 0 and 1
_WARM_UP = "a search from the first source, not timed"
_WARM_UP_ON_RANKS = "a search from the first source, in which engines lay their blocks out: part of the construction"


@dataclass(frozen=True, eq=False)
class Report:
    """The outcome of a run.

    Attributes
    ----------
    scale, edge_factor, seed : int
        Which graph.
    backend : str
        The engine that searched.
    threads : int or None
        How many threads it was told to use.
    generation_time, construction_time, validation_time : float
        Seconds; of validation, all together.
    sources : ndarray of int
        Where the searches started.
    times : ndarray of float
        Seconds of each search.
    nedges : ndarray of int
        Edges of the list within the component of each.
    joules : dict
        Energy of the searches by counter; empty without counters.
    watts : float or None
        Mean power during the searches; None if there is no counter or none moved.
    no_energy : str
        Why there is no energy, or empty.
    peak_memory : int or None
        Bytes that the process held at most, generation and validation included; None if the system does not tell. On
        ranks, that of the rank that held most.
    ranks : int
        How many processes shared the graph.
    """

    scale: int
    edge_factor: int
    seed: int
    backend: str
    threads: int | None
    generation_time: float
    construction_time: float
    validation_time: float
    sources: NDArray[np.int64]
    times: NDArray[np.float64]
    nedges: NDArray[np.int64]
    joules: dict[str, float]
    watts: float | None
    no_energy: str
    peak_memory: int | None
    ranks: int = 1

    @property
    def teps(self) -> NDArray[np.float64]:
        """Traversed edges per second of each search."""
        return self.nedges / self.times

    def statistics(self) -> dict[str, float]:
        """Return the figures of the official output, by their official names and in its order."""
        return {
            **_named("time", [*_quartiles(self.times), *_mean(self.times)]),
            **_named("nedge", [*_quartiles(self.nedges), *_mean(self.nedges)]),
            **_named("TEPS", [*_quartiles(self.teps), *_harmonic_mean(self.teps)], "harmonic_"),
        }

    @property
    def teps_per_watt(self) -> float | None:
        """Harmonic mean of TEPS by mean power during the searches."""
        return None if self.watts is None else _harmonic_mean(self.teps)[0] / self.watts

    def text(self) -> str:
        """Return the official output, ``key: value`` in its order, and what lagbfs adds to it below."""
        head = {"SCALE": self.scale, "edgefactor": self.edge_factor, "NBFS": len(self.times)}
        figures = {"graph_generation": self.generation_time, "construction_time": self.construction_time}
        figures |= self.statistics()
        lines = [f"{key}: {value}" for key, value in head.items()]
        lines += [f"{key}: {value:.17e}" for key, value in figures.items()]
        return "\n".join([*lines, *self._remarks()])

    def _remarks(self) -> list[str]:
        lines = [
            f"backend: {self.backend}{f', {self.ranks} ranks' if self.ranks > 1 else ''}",
            f"warm_up: {_WARM_UP if self.ranks == 1 else _WARM_UP_ON_RANKS}",
            f"validation: {len(self.times)} of {len(self.times)} trees are valid",
        ]
        lines += [f"validation_time: {self.validation_time:.17e}"]
        if self.peak_memory is not None:
            each = self.peak_memory / (self.edge_factor << self.scale)
            rank = "" if self.ranks == 1 else " on a rank"
            lines += [f"peak_memory: {self.peak_memory} bytes{rank}, {each:.3g} for each edge of the list"]
        if self.watts is None or self.teps_per_watt is None:
            return [*lines, f"energy: {self.no_energy or 'the counters did not move during the searches'}"]
        counted = ", ".join(f"{joules:.6g} J {name}" for name, joules in self.joules.items())
        return [*lines, f"energy: {counted}", f"watts: {self.watts:.6g}", f"TEPS_per_watt: {self.teps_per_watt:.6g}"]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as numbers, strings, lists and dicts, ready for JSON."""
        return {
            "SCALE": self.scale,
            "edgefactor": self.edge_factor,
            "NBFS": len(self.times),
            "graph_generation": self.generation_time,
            "construction_time": self.construction_time,
            **self.statistics(),
            "seed": self.seed,
            "backend": self.backend,
            "threads": self.threads,
            "ranks": self.ranks,
            "warm_up": _WARM_UP if self.ranks == 1 else _WARM_UP_ON_RANKS,
            "validated": len(self.times),
            "validation_time": self.validation_time,
            "searches": [
                {"source": source, "time": time, "nedge": nedge, "TEPS": teps}
                for source, time, nedge, teps in zip(
                    self.sources.tolist(), self.times.tolist(), self.nedges.tolist(), self.teps.tolist(), strict=True
                )
            ],
            "peak_memory": self.peak_memory,
            "energy": self._energy(),
        }

    def _energy(self) -> dict[str, Any] | str:
        if self.no_energy:
            return self.no_energy
        return {"joules": self.joules, "watts": self.watts, "TEPS_per_watt": self.teps_per_watt}


def run(
    scale: int,
    edge_factor: int = 16,
    *,
    sources: int = 64,
    seed: int = 1,
    backend: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Report:
    """Run the benchmark: generate, construct, search and validate.

    Parameters
    ----------
    scale, edge_factor : int
        The graph has 2^scale vertices, and edge_factor times as many edges are drawn.
    sources : int
        Number of searches. If fewer vertices have edges, each of these is searched from once.
    seed : int
        Seed of the graph and of the sources.
    backend : str, optional
        The engine. Default: that of `using`, of ``LAGBFS_BACKEND``, or the fastest that can run.
    threads : int, optional
        How many threads generation, layout and searches may use.
    progress : callable, optional
        Called with the name of the step, how much of it is done, and of how much.

    Raises
    ------
    VerificationError
        If the graph is not that of the edge list, or a search does not validate: there is no report of an invalid run.

    Examples
    --------
    >>> from lagbfs.measure import graph500
    >>> report = graph500.run(8, sources=4)
    >>> report.text().splitlines()[:3]
    ['SCALE: 8', 'edgefactor: 16', 'NBFS: 4']
    """
    settings = context.current().but(backend=backend, threads=threads)
    name, threads = settings.arms()[0].backend, settings.threads
    count = checks.integer("sources", sources, low=1)
    tell: Progress = progress or (lambda step, done, total: None)

    A, listed, seconds = _prepare(scale, edge_factor, seed, name, threads, tell)
    chosen = _sources(A, count, seed)
    searches, meter = _Searches(A, listed, name, threads), Meter()
    searches.warm_up(int(chosen[0]))
    for i, source in enumerate(chosen.tolist()):
        tell("searches", i, len(chosen))
        searches.search(source, meter)
    tell("searches", len(chosen), len(chosen))
    return Report(
        scale=int(scale),
        edge_factor=int(edge_factor),
        seed=int(seed),
        backend=name,
        threads=threads,
        generation_time=seconds["generation"],
        construction_time=seconds["construction"],
        validation_time=seconds["comparison"] + searches.validation_time,
        sources=chosen,
        times=np.array(searches.times),
        nedges=np.array(searches.nedges),
        joules=meter.joules,
        watts=meter.watts,
        no_energy=meter.reason,
        peak_memory=memory.peak(),
    )


def _prepare(
    scale: int, edge_factor: int, seed: int, backend: str, threads: int | None, tell: Progress
) -> tuple[Matrix, NDArray[np.int64], dict[str, float]]:
    """Return the graph, how many edges of the list start at each vertex, and the seconds of each step.

    The list is gone when the layout is made, which takes as much memory.
    """
    A, listed, seconds = _build(scale, edge_factor, seed, threads, tell)
    _, layout = _timed(lambda: A.optimize(backend=backend, threads=threads))
    tell("construction", 1, 1)
    seconds["construction"] += layout
    return A, listed, seconds


def _build(
    scale: int, edge_factor: int, seed: int, threads: int | None, tell: Progress
) -> tuple[Matrix, NDArray[np.int64], dict[str, float]]:
    """Return the same before the layout. Within a component, edges that start at its vertices are all of its, once."""
    tell("generation", 0, 1)
    (src, dst), generation = _timed(lambda: kronecker_edges(scale, edge_factor, seed=seed, threads=threads))
    tell("generation", 1, 1)
    tell("construction", 0, 1)
    A, construction = _timed(lambda: _construct(src, dst, 1 << scale))
    _, comparison = _timed(lambda: verify_edges(A, src, dst))
    seconds = {"generation": generation, "construction": construction, "comparison": comparison}
    return A, occurrences(src, A.nrows), seconds


def _construct(src: NDArray[Any], dst: NDArray[Any], n: int) -> Matrix:
    """Kernel 1, but for the layout."""
    return Matrix.from_edges(src, dst, n=n, directed=False, drop_loops=True)


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    began = perf_counter()
    result = work()
    return result, perf_counter() - began


def _sources(A: Matrix, count: int, seed: int) -> NDArray[np.int64]:
    """Return different random vertices that have an edge; in `A`, there are no loops."""
    candidates = np.flatnonzero(A.degrees)
    if not len(candidates):
        raise InvalidValueError("scale and edge_factor must be large enough for an edge that is no loop")
    chosen: NDArray[np.int64] = candidates[random_words.permutation(seed, SOURCES, len(candidates))[:count]]
    return chosen


class _Searches:
    """Kernel 2, and the validation of each of its results."""

    def __init__(self, A: Matrix, listed: NDArray[np.int64], backend: str, threads: int | None) -> None:
        self._A, self._listed = A, listed
        self._options: dict[str, Any] = {"backend": backend, "threads": threads}
        self.times: list[float] = []
        self.nedges: list[int] = []
        self.validation_time = 0.0

    def warm_up(self, source: int) -> None:
        """Search from a source for nothing but what first searches have to do."""
        self._parents(source)

    def search(self, source: int, meter: Meter) -> None:
        """Search from a source, timed, and validate what was found."""
        with meter:
            parents, seconds = _timed(lambda: self._parents(source))
        _, validation = _timed(lambda: self._validate(source, parents))
        self.times.append(seconds)
        self.nedges.append(int(self._listed[parents >= 0].sum()))
        self.validation_time += validation

    def _parents(self, source: int) -> NDArray[Any]:
        return bfs(self._A, source, **self._options).parents

    def _validate(self, source: int, parents: NDArray[Any]) -> None:
        try:
            verify(self._A, source, parents=parents)
        except VerificationError as error:
            error.add_note(f"in search {len(self.times) + 1}, from vertex {source}")
            raise


def _named(what: str, figures: list[float], mean: str = "") -> dict[str, float]:
    kinds = ("min", "firstquartile", "median", "thirdquartile", "max", f"{mean}mean", f"{mean}stddev")
    return {f"{kind}_{what}": float(figure) for kind, figure in zip(kinds, figures, strict=True)}


def _quartiles(values: NDArray[Any]) -> list[float]:
    quartiles: list[float] = np.quantile(values, [0, 0.25, 0.5, 0.75, 1]).tolist()
    return quartiles


def _mean(values: NDArray[Any]) -> tuple[float, float]:
    """Return the mean and the deviation of a sample, 0 for a single value."""
    return float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else 0.0


def _harmonic_mean(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return the harmonic mean H and its standard error √Σ(1/x - 1/H)² / (N - 1) · H², as the specification does.

    The formula is that of N. Norris, The Standard Errors of the Geometric and Harmonic Means, 1940.
    """
    H = 1 / float(np.mean(1 / values))
    if len(values) == 1:
        return H, 0.0
    return H, float(np.sqrt(np.sum((1 / values - 1 / H) ** 2)) / (len(values) - 1) * H**2)
