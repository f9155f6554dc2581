"""The context of a computation: which engine, direction and selector, and how many threads."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextvars import ContextVar, Token
from types import TracebackType
from typing import Any, NamedTuple

from .. import backends
from ..backends import registry as engines
from ..backends.protocol import DIRECTIONS, Arm, Features, MatrixFeatures, Selector, check_choice
from ..base import arrays, checks
from ..errors import InvalidTypeError, InvalidValueError
from ..operators.semiring import AnySemiring
from ..storage.forms import Form
from ..storage.masks import Mask
from ..storage.matrix_masks import MatrixMask
from ..storage.rows import Rows
from . import registry

__all__ = ["Settings", "current", "using"]

TRIFLE = 256  # entries of a vector, and of the matrix beside them, for which no arm saves what choosing takes


class Settings(NamedTuple):
    """What `using` sets. None, or "auto" for the direction, leaves the choice to lagbfs."""

    backend: tuple[str, ...] | None = None
    direction: str = "auto"
    selector: Selector | None = None
    threads: int | None = None

    def but(self, backend: Any = None, direction: Any = None, selector: Any = None, threads: Any = None) -> Settings:
        """Return these settings with those changed that are given; each is checked."""
        if backend is None and direction is None and selector is None and threads is None:
            return self
        return Settings(
            self.backend if backend is None else _engines("backend", backend),
            self.direction if direction is None else checks.one_of("direction", direction, ("auto", *DIRECTIONS)),
            self.selector if selector is None else registry.lookup("selector", selector),
            self.threads if threads is None else checks.integer("threads", threads, low=1, high=checks.INT32_MAX),
        )

    def arms(self) -> tuple[Arm, ...]:
        """Return the arms that these settings allow."""
        return engines.arms(self.backend or _from_environment() or (backends.default(),), self.direction)

    def policy(self, rows: Rows, *, learns: bool = True, model: Selector | None = None) -> Selector:
        """Return the selector in force, as it is for this matrix; `learns` says whether it may learn from it.

        Where ranks share the graph, `model` is what the learned one goes by: the same on all, it does not learn.
        """
        selector = self.selector or registry.DEFAULT
        if model is not None and selector is registry.DEFAULT:
            return model
        return (selector if learns else selector.frozen()).on(rows)


def _from_environment() -> tuple[str, ...] | None:
    value = os.environ.get("LAGBFS_BACKEND")
    if not value:
        return None
    if not all(map(engines.is_known, value.split(","))):
        known = ", ".join(backends.names())
        raise InvalidValueError(f"LAGBFS_BACKEND must be one of {known}, or several with commas, not {value!r}")
    return _engines("LAGBFS_BACKEND", value)


def _engines(name: str, value: Any) -> tuple[str, ...]:
    """Return the engines that are meant: one by name, or several, in a sequence or with commas between them."""
    if type(value) is str and engines.is_running(value):  # quickly: small searches take microseconds
        return (value,)
    several = value.split(",") if isinstance(value, str) else value
    if not isinstance(several, list | tuple) or not all(isinstance(engine, str) for engine in several):
        known = ", ".join(backends.names())
        raise InvalidTypeError(f"{name} must be a name ({known}) or a sequence of names, not {value!r}")
    if not several:
        raise InvalidValueError(f"{name} must name at least one engine")
    return backends.running(tuple(dict.fromkeys(several)))


_settings: ContextVar[Settings] = ContextVar("lagbfs_settings", default=Settings())  # noqa: B039 (frozen)


def current() -> Settings:
    """Return the settings in force in this thread or task."""
    return _settings.get()


class using:  # noqa: N801 (reads as a statement)
    """Set engine, direction, selector or threads for what happens inside a ``with`` block.

    Holds for the current thread or asynchronous task alone, and can be nested: the innermost wins. Outside
    any block, the environment variable ``LAGBFS_BACKEND`` names the engine.

    Parameters
    ----------
    backend : str or sequence of str, optional
        An engine's name, or several to let the selector choose among; `lagbfs.backends.available` lists them.
    direction : {"auto", "push", "pull"}, optional
        How products are computed; "auto" leaves it to the selector.
    selector : str or Selector, optional
        What picks the arm for each product.
    threads : int, optional
        How many threads an engine may use.

    Examples
    --------
    >>> import lagbfs
    >>> A = lagbfs.Matrix.from_edges([0, 1], [1, 2])
    >>> with lagbfs.using(backend="reference", direction="pull"):
    ...     lagbfs.bfs(A, 0).trace[0].arm
    Arm(backend='reference', direction='pull', variant='')
    """

    def __init__(
        self,
        *,
        backend: str | Sequence[str] | None = None,
        direction: str | None = None,
        selector: Any = None,
        threads: int | None = None,
    ) -> None:
        self._changes = (backend, direction, selector, threads)
        current().but(*self._changes)  # an error shows here, not on entry
        self._tokens: list[Token[Settings]] = []

    def __enter__(self) -> Settings:
        settings = current().but(*self._changes)
        self._tokens.append(_settings.set(settings))
        return settings

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _settings.reset(self._tokens.pop())


def choose_arm(
    vector: Form, rows: Rows, mask: Mask | None, semiring: AnySemiring, model: Selector | None = None
) -> Arm:
    """Return the arm for one product, as the selector in force picks it; `model` as for `Settings.policy`."""
    settings = current()
    arms = settings.arms()
    if len(arms) == 1:
        return arms[0]
    edges = _edges(vector, rows)
    if vector.nvals + edges <= TRIFLE:
        arm = (settings.selector or registry.DEFAULT).for_trifles(arms)
        if arm is not None:
            return arm
    features = _features(vector, edges, rows, mask, semiring)
    return check_choice(settings.policy(rows, model=model).choose(features, arms), arms)


def choose_matrix_arm(left: Rows, right: Rows, mask: MatrixMask | None, semiring: AnySemiring) -> Arm:
    """Return the arm for the product of two matrices, as the selector in force picks it."""
    settings = current()
    arms = settings.arms()
    if len(arms) == 1:
        return arms[0]
    features = MatrixFeatures.of(left, right, mask, early_exit=semiring.add.stops)
    return check_choice(settings.policy(right).choose_for_matrices(features, arms), arms)


def _edges(vector: Form, rows: Rows) -> int:
    """Return how many entries a push looks at."""
    indices = arrays.to_host(vector.sparse().indices)
    return rows.entries_in(indices)


def features_of(vector: Form, rows: Rows, mask: Mask | None, semiring: AnySemiring) -> Features:
    """Return what a selector may know before a product."""
    return _features(vector, _edges(vector, rows), rows, mask, semiring)


def _features(vector: Form, edges: int, rows: Rows, mask: Mask | None, semiring: AnySemiring) -> Features:
    allowed = rows.ncols if mask is None else mask.most
    return Features(
        n=rows.ncols,
        m=rows.nvals,
        frontier_size=vector.nvals,
        frontier_edges=edges,
        unvisited_size=allowed,
        unvisited_edges=rows.nvals * allowed // max(rows.ncols, 1),
        early_exit=semiring.add.stops,
    )
