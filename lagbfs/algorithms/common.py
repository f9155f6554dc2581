"""What all algorithms share: how they are called, who computes them, and what they check."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypedDict, TypeVar

import numpy as np
from numpy.typing import NDArray

from .. import backends
from ..algebra.expression import Expression
from ..algebra.matrix import Matrix
from ..algebra.spread import Spread
from ..algebra.vector import Vector
from ..backends.protocol import Fused
from ..base import checks, memory
from ..base.suggestions import did_you_mean
from ..errors import InvalidTypeError, InvalidValueError
from ..search.bfs import check_graph
from ..selector import context, tracing
from ..storage import csr as csrs
from ..storage.forms import Full

__all__ = [
    "Progress",
    "Settings",
    "algorithm",
    "check_weights",
    "dense",
    "full",
    "fused",
    "nobody",
    "pattern",
    "told",
    "undirected",
    "weights",
]

log = logging.getLogger("lagbfs")

P = ParamSpec("P")
R = TypeVar("R")

Progress = Callable[[float, float | None], None]
"""Told how much is done, and of how much: None if that is not known."""


def nobody(done: float, total: float | None) -> None:
    """Tell nobody."""


class Settings(TypedDict, total=False):
    """What every algorithm takes by keyword, as `bfs` does: for its products, and searches if it makes any.

    backend : str or sequence of str, optional
        The engine, or several to choose among for each product.
    direction : {"auto", "push", "pull"}, optional
        How each product is computed. By default, and with "auto", the selector picks.
    selector : str or Selector, optional
        What picks the arm for each product.
    threads : int, optional
        How many threads the engine may use.

    Where neither direction nor selector is asked for, an engine that has kernels for the whole algorithm uses them.
    """

    backend: str | Sequence[str] | None
    direction: str | None
    selector: Any
    threads: int | None


def algorithm(function: Callable[P, R]) -> Callable[P, R]:
    """Make an algorithm of a function of a graph A, which comes first, and ``**settings: Unpack[Settings]``.

    Inside of it, A is a Matrix, square, as it was when the function was called, and the settings are in force.
    """
    shown = _signature(function)
    named_by_place = list(shown.parameters)
    flags = {name for name, parameter in shown.parameters.items() if isinstance(parameter.default, bool)}

    @wraps(function)
    def run(*given: P.args, **named: P.kwargs) -> R:
        for name in named.keys() - shown.parameters.keys():
            known = list(shown.parameters)
            raise InvalidTypeError(f"{function.__name__} has no argument {name!r}{did_you_mean(name, known)}")
        if given and isinstance(given[0], Spread):
            found: R = given[0].call(function.__name__, *given[1:], **named)
            return found
        settings: dict[str, Any] = {name: value for name, value in named.items() if name in _NAMES}
        arguments: dict[str, Any] = {name: value for name, value in named.items() if name not in _NAMES}
        if arguments.get("progress", nobody) is None:
            del arguments["progress"]
        for name, value in (*zip(named_by_place, given, strict=False), *arguments.items()):
            if name in flags:
                checks.flag(name, value)
        checks.function("progress", arguments.get("progress", nobody))
        rest: list[Any] = list(given)
        with context.using(**settings):
            if rest:
                rest[0] = _as_it_is(rest[0])
            elif "A" in arguments:
                arguments["A"] = _as_it_is(arguments["A"])
            return function(*rest, **arguments)

    run.__signature__ = shown  # type: ignore[attr-defined]
    return run


def _as_it_is(A: Any) -> Matrix:
    """Return a graph as a matrix that nobody else can assign to; raise where a number for each vertex has no room."""
    matrix = check_graph(A).dup()
    memory.demand(f"a number for each of {matrix.nrows:,} vertices", 8 * matrix.nrows)
    return matrix


_NAMES = frozenset(Settings.__annotations__)


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    """Return the signature with each of the settings by its name."""
    signature = inspect.signature(function)
    own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    keyword = inspect.Parameter.KEYWORD_ONLY
    settings = [
        inspect.Parameter(name, keyword, default=None, annotation=kind.__forward_arg__)
        for name, kind in Settings.__annotations__.items()
    ]
    return signature.replace(parameters=[*own, *settings])


def dense(vector: Vector | Expression, missing: Any = 0) -> NDArray[Any]:
    """Return a vector as an array of the host, with a value where there is no entry."""
    array: NDArray[Any] = vector.to_host().to_dense(fill_value=missing, dtype=vector.dtype)
    return array


def full(values: NDArray[Any]) -> Vector:
    """Return the vector of an array, which it takes over."""
    return Vector.from_form(Full(len(values), values))


def check_weights(A: Matrix, *, low: float = -np.inf) -> None:
    """Raise if a value is NaN or less than `low`; what is known of them is kept with the matrix."""
    least = A.rows.least
    if np.isnan(least):
        raise InvalidValueError("A must hold no NaN: its values are weights")
    if least < low:
        raise InvalidValueError(f"A must hold no value less than {low:g}, such as {least:g}: these are weights")


def weights(A: Matrix) -> Matrix:
    """Return the matrix with its values as float64."""
    return A.dup(np.float64)


def undirected(A: Matrix) -> Matrix:
    """Return the graph with every edge both ways, without labels: that of A if it is symmetric, else a pattern."""
    if A.rows.is_symmetric:
        return Matrix.from_rows(A.rows)
    return Matrix.from_edges(A.csr.rows(), A.csr.indices, n=A.nrows, directed=False)


def told(A: Matrix, walk: Sequence[int]) -> str:
    """Return a walk in words, by label if the graph has labels; of a long one its beginning and its end."""
    named = [repr(v if A.labels is None else A.labels[v]) for v in walk]
    return " → ".join(named if len(named) <= 6 else [*named[:4], "…", named[-1]])


def pattern(parent: Vector) -> Matrix:
    """Return the matrix with an entry in each row: that of vertex i in the column of its parent."""
    n = parent.size
    return Matrix.from_storage(csrs.make(np.arange(n + 1), dense(parent), np.ones(1, bool), n, iso=True))


def fused(name: str, ask: Callable[[Fused, int | None], R | None]) -> R | None:
    """Return what the engine in force computes of an algorithm by itself; None if that is left to the algebra.

    It is asked where neither a direction nor a selector is asked for: these are for products. Which of the two it is
    is told by `logging`, and to whoever is `tracing`.

    Parameters
    ----------
    name : str
        What is computed, for the log.
    ask : callable
        Given what the engine computes by itself and a number of threads, what it returns for this algorithm.
    """
    settings = context.current()
    engine = settings.arms()[0].backend
    found = None
    if settings.direction == "auto" and settings.selector is None:
        found = ask(backends.get(engine).fused(), settings.threads)
    line = f"{name}: by {'products' if found is None else f'the kernels of {engine}'}"
    log.debug(line)
    tracing.note(line)
    return found
