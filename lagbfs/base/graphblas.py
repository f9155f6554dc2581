"""python-graphblas, which everything in lagbfs takes from here.

It starts SuiteSparse when one of its parts is first looked at, and makes operators when they are first asked for, both
without a lock: threads that come first together fail ("GraphBLAS is already initialized!"), or meet a part that is half
made. So it is imported, started and asked for operators here alone, by one thread at a time. Nor does it survive an
exception that the handler of a signal raises within it, such as KeyboardInterrupt: signals have to wait meanwhile.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import RLock
from typing import Any

from .signals import waiting

__all__ = ["binary", "semiring", "start", "suitesparse_version"]

# What the package has no lock of its own for. A fork waits until it is free: the child would wait for ever.
_one_at_a_time = RLock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_one_at_a_time.acquire,
        after_in_parent=_one_at_a_time.release,
        after_in_child=_one_at_a_time.release,
    )

# Each is imported at its first use.
_PARTS = ("Matrix", "Vector", "Scalar", "binary", "monoid", "semiring", "unary", "select", "ss", "exceptions", "dtypes")


@contextmanager
def _short_waits() -> Iterator[None]:
    """Let SuiteSparse's OpenMP, which reads its settings when it is loaded, wait for work without spinning for long.

    By default its threads spin for milliseconds after each operation, on cores that others may need: when one of
    them is busy elsewhere, a search takes several times as long. Settings of the user's own are left alone.
    """
    if os.environ.keys() & {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY"}:
        yield
        return
    os.environ["GOMP_SPINCOUNT"] = "100000"
    try:
        yield
    finally:
        del os.environ["GOMP_SPINCOUNT"]


def suitesparse_version() -> str:
    """Return the version of SuiteSparse, without starting it; whatever a broken install raises, this raises."""
    with waiting(), _one_at_a_time, warnings.catch_warnings(), _short_waits():
        warnings.simplefilter("ignore")
        import suitesparse_graphblas

        return str(suitesparse_graphblas.__version__)


@cache
def start() -> Any:
    """Return python-graphblas, all of it imported and SuiteSparse started."""
    with waiting(), _one_at_a_time:
        suitesparse_version()
        import graphblas

        for part in _PARTS:
            getattr(graphblas, part)
        _touch(graphblas)
        return graphblas


def _touch(graphblas: Any) -> None:
    """Do once what fills tables of python-graphblas at its first use: settings, descriptors, kinds of operands."""
    v, A = graphblas.Vector(bool, 1), graphblas.Matrix(bool, 1, 1)
    for settings in (v.ss.config, A.ss.config, graphblas.ss.config):
        dict(settings)
    v(~v.S, replace=True, nthreads=1) << graphblas.semiring.any_pair(v @ A)
    v(v.S) << True
    v.get(0)


@cache
def binary(name: str, dtype: Any) -> Any:
    """Return python-graphblas's operator on values of `dtype`."""
    with waiting(), _one_at_a_time:
        return getattr(start().binary, name)[dtype]


@cache
def semiring(add: str, multiply: str, dtype: Any) -> Any:
    """Return python-graphblas's semiring on values of `dtype`, None if SuiteSparse has none of these operators on them.

    Operators that are compiled by Numba are left out: what they do at the edges is their own.
    """
    with waiting(), _one_at_a_time:
        gb = start()
        key, operators = gb.dtypes.lookup_dtype(dtype), gb.core.operator.binary
        binaries = gb.binary.ss if hasattr(gb.binary.ss, multiply) else gb.binary
        times = getattr(binaries, multiply, None)
        if times is None or key not in times.types or not isinstance(times[key], operators.TypedBuiltinBinaryOp):
            return None
        semirings = gb.semiring if binaries is gb.binary else gb.semiring.ss
        made = getattr(semirings, f"{add}_{multiply}", None)
        plus = getattr(gb.monoid, add, None)
        made = made or (plus and gb.semiring.register_anonymous(plus, times))
        return made[key] if made and key in made.types else None
