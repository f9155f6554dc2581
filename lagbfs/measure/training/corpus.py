"""What selectors learn from: searches of a corpus of graphs, measured, and the table that keeps them.

The table is CSV, one line for each level of a search by each arm and form of the frontier that was measured; see
`COLUMNS`. A line whose arm is ``native > suitesparse`` tells the seconds of handing the state over. Anyone can train
again from it.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from os import PathLike
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from ... import backends, graphs
from ...algebra.matrix import Matrix
from ...backends.protocol import DIRECTIONS, FORMS, Arm, Figures, Step
from ...base import checks, machine
from ...base.atomic import atomic_write
from ...errors import FileFormatError
from ...selector import context
from ...selector.learned import MOST_THREADS
from ...selector.shares import Shares
from ...storage.store import DegreeStats
from ..levels import MeasuredRun, arms_by_level, tabulate
from .facts import Fact, Locality, facts, locality

__all__ = ["COLUMNS", "Measured", "generated", "measure", "read", "shares", "write"]

COLUMNS = {
    "graph": "its name",
    "source": "where the search began",
    "n": "vertices",
    "m": "edges",
    "barren": "vertices that no edge leads to",
    **{f"{way}_{name}": f"{name} of the {way}-degrees" for way in ("out", "in") for name in DegreeStats._fields},
    "line": "share of the edges whose ends are numbered as near as vertices in a cache line",
    "page": "the same for a page",
    "gap": "mean of log(distance between an edge's ends) over log(vertices)",
    "level": "from 0",
    "frontier": "vertices of the frontier",
    "frontier_edges": "edges that leave it",
    "unvisited": "vertices not yet visited",
    "unvisited_edges": "edges that leave those",
    "unvisited_in_edges": "edges that lead to those",
    "longest": "edges of the frontier's vertex that has most",
    "arm": "engine, direction and variant, or two engines if the state is handed over",
    "threads": "how many it might use",
    "form": "of the frontier before the level: list, bitmap or both",
    "form_after": "of the frontier after it; empty if it was not looked at",
    "seconds": "median",
}
"""Names and meanings of the table's columns."""

_MOVE = " > "
_ANYWHERE = Locality(0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Measured:
    """One search of a graph, every arm timed at every level.

    `alone` is the same search on one thread, if it was measured, by engines that divide levels by choice. `locality`
    and `facts`, one for each level, are what no feature tells. Where they are not known edges lead anywhere, and as
    many to the unvisited as from them.
    """

    graph: str
    source: int
    out_degrees: DegreeStats
    in_degrees: DegreeStats
    run: MeasuredRun
    locality: Locality = _ANYWHERE
    facts: tuple[Fact, ...] = ()
    alone: MeasuredRun | None = None

    def __post_init__(self) -> None:
        if not self.facts:
            known = (Fact(step.unvisited_edges, 0) for step in self.run.steps)
            object.__setattr__(self, "facts", tuple(known))

    @property
    def figures(self) -> Figures:
        """What was known of the graph as a whole."""
        return Figures(self.run.n, self.run.m, self.out_degrees, self.in_degrees)


def generated(scale: int) -> dict[str, Callable[[], Matrix]]:
    """Return graphs of about 2^scale vertices, scale being at least 4, of every kind that there are generators of.

    Examples
    --------
    >>> sorted(generated(4))[:3]
    ['attached-4', 'bipartite-4', 'bush-4']
    """
    n, side = 2**scale, 2 ** (scale // 2)
    makers: dict[str, Callable[[], Matrix]] = {
        "kronecker": lambda: graphs.kronecker(scale),
        "thin": lambda: graphs.kronecker(scale, 4),
        "flat": lambda: graphs.rmat(scale, 8, a=0.45, b=0.15, c=0.15, d=0.25),
        "web": lambda: graphs.rmat(scale, 8, a=0.6, b=0.2, c=0.15, d=0.05, directed=True),
        "uniform": lambda: graphs.uniform(scale),
        "sparse": lambda: graphs.uniform(scale, 3),
        "grid": lambda: graphs.grid(side, n // side, drop=0.1),
        "road": lambda: graphs.road_like(n),
        "world": lambda: graphs.watts_strogatz(n, 8, 0.1),
        "cliques": lambda: graphs.watts_strogatz(n // 4, min(48, n // 4 - 2), 0.02),
        "communities": lambda: graphs.rmat(scale, 12, a=0.52, b=0.1, c=0.1, d=0.28),
        "ring": lambda: graphs.watts_strogatz(n, 6, 0.001),
        "attached": lambda: graphs.barabasi_albert(n, 6),
        "tree": lambda: graphs.tree(2, scale - 1),
        "bush": lambda: graphs.tree(16, max(scale // 4, 1)),
        "bipartite": lambda: graphs.bipartite(n // 2, n // 2, 4 * n),
    }
    return {f"{name}-{scale}": maker for name, maker in makers.items()}


def measure(
    makers: Mapping[str, Callable[[], Matrix]],
    *,
    sources: int = 3,
    backend: str | Sequence[str] | None = None,
    repeats: int = 3,
    threads: int | Sequence[int] | None = None,
    alone: bool = False,
    seconds: float = math.inf,
    seed: int = 1,
    progress: Callable[..., None] = lambda done, total, what="": None,
) -> list[Measured]:
    """Search each graph from some random vertices that have edges, and time every arm at every level.

    Of several numbers of threads, each is measured, all but the last on engines alone that divide levels by choice;
    with `alone` each search is measured on one thread of those, too. After so many seconds no other search of a graph
    is begun, but for the second.
    """
    checks.integer("sources", sources, low=1)
    measured: list[Measured] = []
    numbers = [*threads] if isinstance(threads, Sequence) else [threads or machine.threads()]
    own = _dividing(backend) if alone else []
    for done, (name, make) in enumerate(makers.items()):
        progress(done, len(makers), f"measuring {name}")
        A = Matrix.from_rows(make().rows)  # without labels: sources are numbers
        candidates = np.flatnonzero(A.degrees)
        if not len(candidates):
            continue
        some = np.random.default_rng(seed).choice(candidates, min(sources, len(candidates)), replace=False)
        began = perf_counter()
        for done_here, source in enumerate(some.tolist()):
            if done_here > 1 and perf_counter() - began > seconds:
                break
            for used in numbers:
                on = backend if used == numbers[-1] else _dividing(backend)
                run = arms_by_level(A, source, backend=on, repeats=repeats, threads=used)
                told = locality(A), facts(A, source)
                one = None
                if own:
                    one = run if used == 1 else arms_by_level(A, source, backend=own, repeats=repeats, threads=1)
                measured.append(Measured(name, source, A.degree_stats, A.T.degree_stats, run, *told, one))
    progress(len(makers), len(makers))
    return measured


def shares(backend: str | Sequence[str] | None, threads: int) -> list[int]:
    """Return the numbers of threads, of so many, that engines may be given for a level."""
    every = Shares(threads)
    return [every.threads(share) for share in every.offered] if _dividing(backend) else [threads]


def _dividing(backend: str | Sequence[str] | None) -> list[str]:
    """Return the engines that give levels as many threads as a selector says."""
    named = dict.fromkeys(arm.backend for arm in context.current().but(backend).arms())
    return [name for name in named if backends.get(name).divides]


def write(path: str | PathLike[str], measured: Iterable[Measured]) -> None:
    """Write the table of measured searches."""
    import io

    with atomic_write(path) as file, io.TextIOWrapper(file, "utf-8", newline="") as text:
        table = csv.writer(text, lineterminator="\n")
        table.writerow(COLUMNS)
        for search in measured:
            table.writerows(_lines(search))


def _lines(search: Measured) -> Iterator[list[Any]]:
    run = search.run
    degrees, known = (*search.out_degrees, *search.in_degrees), search.facts
    graph = [search.graph, search.source, *run.sizes, *degrees, *search.locality]
    alone = None if search.alone is run else search.alone
    for timed in filter(None, (run, alone)):
        for step in timed.timings:
            after = timed.form_after.get((step.level, step.arm), "")
            yield [*graph, *step[:5], *known[step.level], step.arm, timed.threads, step.form, after, step.seconds]
    for pair, seconds in run.moves.items():
        yield [*graph, *run.steps[0][:5], *known[0], _MOVE.join(pair), run.threads, "list", "", seconds]


def read(path: str | PathLike[str]) -> list[Measured]:
    """Read a table of measured searches; raise FileFormatError, with the line, if it is not one."""
    name, rows = str(path), list[_Row]()
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        lines = csv.reader(file)
        try:
            if next(lines, None) != list(COLUMNS):
                raise FileFormatError(name, f"expected the columns {', '.join(COLUMNS)}", 1)
            rows.extend(_parsed(name, lines.line_num, line) for line in lines)
        except csv.Error as error:
            raise FileFormatError(name, f"not a measured level: {error}", lines.line_num) from None
    return [_measured(name, list(group)) for _, group in groupby(rows, key=lambda row: row.graph[:2])]


_COUNTS = 5  # columns: the graph, the source, and what is counted of the graph
_DEGREES = 2 * len(DegreeStats._fields)
_GRAPH = _COUNTS + _DEGREES + len(Locality._fields)
_SIZES = 5  # of a step
_LEVEL = _GRAPH + _SIZES + len(Fact._fields)
_MOST_SECONDS, _MOST_SIZE = 1e6, 2.0**62


class _Row(NamedTuple):
    line: int
    graph: tuple[Any, ...]  # and the source
    step: Step
    fact: Fact
    pair: tuple[str, ...]  # engines, if the state is handed over: then the step has no arm of its own
    threads: int
    after: str


def _parsed(path: str, number: int, line: list[str]) -> _Row:
    try:
        if len(line) != len(COLUMNS):
            raise ValueError(f"{len(line)} columns instead of {len(COLUMNS)}")
        line[0].encode()  # raises for what was no UTF-8
        counts, shape = [int(cell) for cell in line[1:_COUNTS]], [float(cell) for cell in line[_COUNTS:_GRAPH]]
        sizes, (text, used, form, after, time) = [int(cell) for cell in line[_GRAPH:_LEVEL]], line[_LEVEL:]
        threads = int(used)
        if form not in FORMS or after not in (*FORMS, ""):
            raise ValueError(f"form {form!r} or {after!r}")
        seconds = float(time)
        if (
            not 0 <= seconds < _MOST_SECONDS
            or not all(0 <= x < _MOST_SIZE for x in (*counts, *shape, *sizes))
            or not 1 <= threads <= MOST_THREADS
        ):
            raise ValueError("a number out of range")
        pair, arm = _pair_or_arm(text)
        step = Step._make([*sizes[:_SIZES], arm, seconds, form, 0.0, 0])
        return _Row(number, (line[0], *counts, *shape), step, Fact(*sizes[_SIZES:]), pair, threads, after)
    except ValueError as error:
        raise FileFormatError(path, f"not a measured level: {error}", number) from None


def _pair_or_arm(text: str) -> tuple[tuple[str, ...], Arm]:
    engine, _, way = text.partition(" ")
    direction, _, variant = way.partition(":")
    pair = tuple(text.split(_MOVE)) if _MOVE in text else ()
    if not engine or (len(set(pair)) != 2 or not all(pair) if pair else direction not in DIRECTIONS):
        raise ValueError(f"arm {text!r}")
    return pair, Arm(engine, direction, variant)


def _measured(path: str, rows: Sequence[_Row]) -> Measured:
    name, source, n, m, barren, *shape = rows[0].graph
    degrees, half = shape[:_DEGREES], _DEGREES // 2
    steps, known = _levels(path, rows)
    numbers = {row.threads for row in rows if not row.pair}
    most = max(numbers)
    if numbers - {1, most} or any(row.threads != most for row in rows if row.pair):
        raise FileFormatError(path, "expected one number of threads, and beside it at most one thread", rows[0].line)
    moves = {(row.pair[0], row.pair[1]): row.step.seconds for row in rows if row.pair}

    def run(threads: int) -> MeasuredRun:
        timed = [row for row in rows if not row.pair and row.threads == threads]
        by_form = {(row.step.level, row.step.arm, row.step.form): row.step.seconds for row in timed}
        after = {(row.step.level, row.step.arm): row.after for row in timed if row.after}
        arms, handed = tuple(dict.fromkeys(row.step.arm for row in timed)), moves if threads == most else {}
        table = tabulate(by_form, arms, len(steps))
        return MeasuredRun(arms, table, steps, n, m, by_form, after, handed, barren, threads)

    out, into = DegreeStats._make(degrees[:half]), DegreeStats._make(degrees[half:])
    together = run(most)
    alone = together if most == 1 else run(1) if 1 in numbers else None
    return Measured(name, source, out, into, together, Locality._make(shape[_DEGREES:]), known, alone)


def _levels(path: str, rows: Sequence[_Row]) -> tuple[tuple[Step, ...], tuple[Fact, ...]]:
    """Return the levels of a search: from 0, none left out, all lines in agreement on their sizes."""
    steps: list[Step] = []
    known: list[Fact] = []
    for row in rows:
        level = row.step.level
        if level == len(steps) and not row.pair:
            steps.append(row.step)
            known.append(row.fact)
        sizes = (*row.step[:_SIZES], row.fact)
        if level >= len(steps) or sizes != (*steps[level][:_SIZES], known[level]) or row.graph != rows[0].graph:
            raise FileFormatError(path, "not the next level of the search, nor one of those before it", row.line)
    return tuple(steps), tuple(known)
