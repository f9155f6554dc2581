"""Benchmarks of files: how long it takes until a graph is there, and until it has been searched once.

Files are written to a folder of their own, read in turns, and medians are reported; what was just written is in the
system's cache. A ``.lagbfs`` file is read as one that is seen for the first time, and as one that is known.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from .. import io
from ..algebra.matrix import Matrix
from ..errors import InvalidValueError
from ..search.bfs import bfs

__all__ = ["WAYS", "Row", "compare"]

# What is compared, by name: the ending of the file, and how it is read.
WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "lagbfs, known": (".lagbfs", {"trust": True}),
    "lagbfs, first": (".lagbfs", {}),
    "lagbfs, not mapped": (".lagbfs", {"mapped": False}),
    "sg": (".sg", {}),
    "npz": (".npz", {}),
    "mtx": (".mtx", {}),
}


class Row(NamedTuple):
    """What one way has taken, in bytes and seconds: the file, reading it, and reading it and searching once."""

    graph: str
    way: str
    size: int
    read: float
    searched: float


def compare(
    name: str,
    A: Matrix,
    *,
    repeats: int = 5,
    threads: int | None = None,
    progress: Callable[[float, float | None], None] = lambda done, total: None,
) -> list[Row]:
    """Return what each way of reading a graph takes.

    Examples
    --------
    >>> from lagbfs import graphs
    >>> [row.way for row in compare("grid", graphs.grid(9, 9), repeats=1)][:2]
    ['lagbfs, known', 'lagbfs, first']
    """
    starts = np.flatnonzero(A.degrees)
    if not len(starts) or A.nrows != A.ncols or A.labels is not None:
        raise InvalidValueError(f"{name} must be a graph with edges and without labels, to be searched by number")
    source = int(starts[0])
    with TemporaryDirectory() as folder:
        files = {ending: Path(folder) / f"graph{ending}" for ending, _ in WAYS.values()}
        for path in files.values():
            io.write(path, A)
        taken: dict[str, list[tuple[float, float]]] = {way: [] for way in WAYS}
        for turn in range(repeats):
            for way, (ending, options) in WAYS.items():
                os.utime(files[ending])  # for the system it has changed, so that nobody knows it
                taken[way].append(_taken(files[ending], options, source, threads))
            progress(turn + 1, repeats)
        sizes = {way: files[ending].stat().st_size for way, (ending, _) in WAYS.items()}
    medians = {way: [median(column) for column in zip(*times, strict=True)] for way, times in taken.items()}
    return [Row(name, way, sizes[way], *medians[way]) for way in WAYS]


def _taken(path: Path, options: dict[str, Any], source: int, threads: int | None) -> tuple[float, float]:
    began = perf_counter()
    A = io.read(path, **options)
    there = perf_counter() - began
    bfs(A, source, threads=threads)
    return there, perf_counter() - began
