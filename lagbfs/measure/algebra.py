"""Benchmarks of the algebra: the same operations by lagbfs, python-graphblas and SciPy, in one run.

Results are compared before anything is timed. The contenders then take turns, so that what disturbs the machine
disturbs all of them, and medians over the rounds are reported. What python-graphblas puts off is waited for; matrices
of lagbfs come to every run without what earlier ones have derived of them, such as the transpose. SciPy works on one
thread.
"""

from __future__ import annotations

import contextlib
import gc
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from ..algebra.matrix import Matrix
from ..algebra.options import replace
from ..algebra.vector import Vector
from ..base import checks, graphblas
from ..base.suggestions import did_you_mean
from ..errors import InvalidValueError, LagbfsError
from ..operators import binary, monoid, select, semiring, unary
from ..selector.context import using
from .operations import GROUPS, Operation, operations

__all__ = ["CONTENDERS", "GROUPS", "Timing", "compare"]

CONTENDERS = ("graphblas", "scipy")
_OURS = SimpleNamespace(
    Matrix=Matrix,
    Vector=Vector,
    binary=binary,
    monoid=monoid,
    replace=replace,
    select=select,
    semiring=semiring,
    unary=unary,
)
_TURN = 5e-3  # seconds: what takes less is run several times in its turn


class Timing(NamedTuple):
    """One contender's times of one operation: seconds of each round, and bytes held at most, where that was asked."""

    group: str
    operation: str
    contender: str
    seconds: tuple[float, ...]
    peak: int | None = None

    @property
    def median(self) -> float:
        """Median over the rounds."""
        return float(np.median(self.seconds))


def compare(
    groups: Sequence[str] = GROUPS,
    *,
    backend: str | None = None,
    against: Sequence[str] = CONTENDERS,
    threads: int | None = None,
    rounds: int = 7,
    smaller: int = 0,
    progress: Callable[..., None] = lambda *_: None,
) -> Iterator[list[Timing]]:
    """Yield the times of each operation, by lagbfs first; `progress` is told which one is next."""
    _check("group", groups, GROUPS)
    _check("contender", against, CONTENDERS)
    checks.integer("rounds", rounds, low=1)
    checks.integer("smaller", smaller, low=0)
    with using(backend=backend, threads=threads), _graphblas_threads(against, threads):
        for done, operation in enumerate(operations(groups, smaller=smaller)):
            progress(done, None, f"measuring {operation.name}")
            yield _timed(operation, ["lagbfs", *against], rounds, smaller)


def _check(name: str, given: Sequence[str], known: Sequence[str]) -> None:
    for value in given:
        if value not in known:
            near = did_you_mean(value, known)
            raise InvalidValueError(f"{name} must be one of {', '.join(known)}, not {value!r}{near}")


@contextlib.contextmanager
def _graphblas_threads(against: Sequence[str], threads: int | None) -> Iterator[None]:
    if "graphblas" not in against or threads is None:
        yield
        return
    config = graphblas.start().ss.config
    before = config["nthreads"]
    config["nthreads"] = threads
    try:
        yield
    finally:
        config["nthreads"] = before


def _timed(operation: Operation, contenders: Sequence[str], rounds: int, smaller: int) -> list[Timing]:
    runs = {name: run for name in contenders if (run := _prepared(operation, name)) is not None}
    _agree(operation, runs)
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    times = {name: max(int(_TURN / max(_turn(run, 1), 1e-9)), 1) for name, run in runs.items()}
    for _ in range(rounds):
        for name, run in runs.items():
            seconds[name].append(_turn(run, times[name]))
    peaks = {name: _peak(operation, name, smaller) if operation.memory else None for name in runs}
    return [Timing(operation.group, operation.name, name, tuple(s), peaks[name]) for name, s in seconds.items()]


def _turn(run: Callable[[], Any], times: int) -> float:
    began = perf_counter()
    for _ in range(times):
        run()
    return (perf_counter() - began) / times


def _prepared(operation: Operation, contender: str) -> Callable[[], Any] | None:
    """Return what computes the operation by one library, to the end; None if that has no such operation."""
    given = [_CONVERTED[contender](operand) for operand in operation.given]
    if contender == "scipy":
        own = operation.scipy
        return None if own is None else lambda: own(*given)
    if contender == "graphblas":
        gb = graphblas.start()
        return lambda: _waited(operation.run(gb, *given))
    if operation.group in ("small", "loop"):
        return lambda: operation.run(_OURS, *given)
    return lambda: _waited(operation.run(_OURS, *map(_unseen, given)))


def _waited(result: Any) -> Any:
    """Return a result once it is computed: its rows, where a library puts that off."""
    wait = getattr(result, "wait", None)
    if isinstance(result, Matrix):
        _ = result.csr
    elif wait is not None:
        wait()
    return result


def _unseen(operand: Any) -> Any:
    """Return the same matrix without anything derived from it; anything else as it is."""
    return Matrix.from_storage(operand.csr) if isinstance(operand, Matrix) else operand


def _ours(operand: Any) -> Any:
    return Vector.from_coo(*operand[1:3], size=operand[3]) if _is_vector(operand) else operand


def _graphblas(operand: Any) -> Any:
    if isinstance(operand, Matrix):
        return operand.to_graphblas()
    if _is_vector(operand):
        return graphblas.start().Vector.from_coo(*operand[1:3], size=operand[3])
    return operand


def _scipy(operand: Any) -> Any:
    return operand.to_scipy() if isinstance(operand, Matrix) else operand


def _is_vector(operand: Any) -> bool:
    return isinstance(operand, tuple) and operand[0] == "vector"


_CONVERTED: dict[str, Callable[[Any], Any]] = {"lagbfs": _ours, "graphblas": _graphblas, "scipy": _scipy}


def _agree(operation: Operation, runs: dict[str, Callable[[], Any]]) -> None:
    """Raise LagbfsError unless all contenders compute the same."""
    expected = _plain(runs["lagbfs"]())
    for name, run in runs.items():
        found = _plain(run())
        if len(found) != len(expected) or not all(map(np.array_equal, found, expected)):
            raise LagbfsError(f"{operation.name}: {name} computes something else than lagbfs")


def _plain(result: Any) -> list[Any]:
    """Return a result as arrays, alike for all libraries: those of compressed rows, or of a vector's entries."""
    if hasattr(result, "sum_duplicates"):
        result = result.copy()
        result.sum_duplicates()  # which sorts the columns
        return [result.indptr, result.indices, result.data]
    if hasattr(result, "to_csr"):
        return list(result.to_csr())
    if hasattr(result, "to_coo"):
        return list(result.to_coo())
    if isinstance(result, np.ndarray):  # SciPy's sums, which have zeros where nothing was added
        return [np.flatnonzero(result), result[result != 0]]
    return [np.float64(result)]


_CLEAR, _STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")


def _peak(operation: Operation, contender: str, smaller: int) -> int | None:
    """Return how many bytes a run and its result hold at most, None if nobody can tell.

    In a process of its own: this one holds memory that earlier runs have left, and would use it again.
    """
    code = f"from {__name__} import tell_peak; tell_peak(*__import__('sys').argv[1:])"
    command = [sys.executable, "-c", code, operation.group, operation.name, contender, str(smaller)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return int(ran.stdout) if ran.stdout.strip().isdecimal() else None


def tell_peak(group: str, name: str, contender: str, smaller: str) -> None:
    """Write to the standard output how many bytes one run holds at most beside what was held before."""
    operation = next(o for o in operations([group], smaller=int(smaller)) if o.name == name)
    run = _prepared(operation, contender)
    gc.collect()
    _CLEAR.write_text("5")  # from here on the peak is counted anew
    before = _held("VmRSS")
    result = run() if run is not None else None
    sys.stdout.write(str(max(_held("VmHWM") - before, 0)))
    del result


def _held(name: str) -> int:
    found = re.search(rf"^{name}:\s*(\d+) kB$", _STATUS.read_text(), re.MULTILINE)
    if found is None:
        raise ValueError(name)
    return 1024 * int(found[1])
