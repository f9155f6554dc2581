"""Tracing: which arm computed each product, in what time, and why it was picked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextvars import ContextVar, Token
from time import perf_counter
from types import TracebackType
from typing import NamedTuple, Self, TypeVar

from ..backends.protocol import Arm, Features, MatrixFeatures, Selector
from ..base.wording import alike, shortened
from ..operators.semiring import AnySemiring
from ..storage.rows import Rows
from . import context

__all__ = ["TracedProduct", "note", "tracing", "watching"]

R = TypeVar("R")
_SHOWN = 60  # lines; of a longer trace the first and the last


class TracedProduct(NamedTuple):
    """A product, and what computed it.

    Attributes
    ----------
    semiring : str
        Its semiring, such as ``min_plus``.
    features : Features or MatrixFeatures
        What was known before it: of a vector and a matrix, or of two matrices.
    arm : Arm
        What computed it.
    seconds : float
        In what time.
    """

    semiring: str
    features: Features | MatrixFeatures
    arm: Arm
    seconds: float
    arms: tuple[Arm, ...]
    policy: Selector

    @property
    def edges(self) -> int:
        """How many entries of the matrix a push looks at."""
        return self.features.frontier_edges if isinstance(self.features, Features) else self.features.terms

    @property
    def why(self) -> str:
        """Why this arm: the selector's words, or what it goes by."""
        if len(self.arms) == 1:
            return "no other arm was allowed"
        if isinstance(self.features, Features):
            return self.policy.why(self.features) or ""
        probes = self.features.probes
        return f"{self.features.terms:,} terms to push, " + (
            "no mask to pull by" if probes is None else f"{probes:,} to pull"
        )

    @property
    def predicted(self) -> dict[Arm, float]:
        """The seconds that the selector expects of each arm it knows; of products with vectors."""
        return self.policy.predict(self.features, self.arms) if isinstance(self.features, Features) else {}


class tracing:  # noqa: N801 (reads as a statement, as `using` does)
    """Note which arm computes each product inside of a ``with`` block, in what time, and why.

    Printed, it is a line for each product: the semiring, the entries that a push looks at, the time, the arm and why it
    was picked; and whatever was computed by an engine as a whole. It holds for the current thread or task alone; outer
    blocks have what inner ones have.

    Attributes
    ----------
    products : list of TracedProduct
        In the order in which they were computed.
    notes : list of str
        Algorithms, and who computed them.

    Examples
    --------
    >>> import lagbfs
    >>> with lagbfs.tracing() as trace:
    ...     ranks = lagbfs.pagerank(lagbfs.graphs.star(9), backend="reference", direction="pull")
    >>> trace.notes
    ['pagerank: by products']
    >>> trace.products[0].semiring, str(trace.products[0].arm), trace.products[0].why
    ('plus_first', 'reference pull', 'no other arm was allowed')
    """

    def __init__(self) -> None:
        self.products: list[TracedProduct] = []
        self.notes: list[str] = []
        self._tokens: list[Token[tracing | None]] = []
        self._outer: list[tracing | None] = []

    def __enter__(self) -> Self:
        self._outer.append(_trace.get())
        self._tokens.append(_trace.set(self))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _trace.reset(self._tokens.pop())
        outer = self._outer.pop()
        if outer is not None:
            outer.products += self.products
            outer.notes += self.notes

    def product(
        self,
        semiring: AnySemiring,
        features: Features | MatrixFeatures,
        rows: Rows,
        arm: Arm,
        compute: Callable[[], R],
    ) -> R:
        """Compute a product, and note it."""
        settings = context.current()
        began = perf_counter()
        computed = compute()
        seconds = perf_counter() - began
        traced = TracedProduct(semiring.name, features, arm, seconds, settings.arms(), settings.policy(rows))
        _ = traced.edges  # counted now: features that have still to count hold the matrices
        self.products.append(traced)
        return computed

    @property
    def seconds(self) -> float:
        """Time spent in products."""
        return sum(product.seconds for product in self.products)

    def __str__(self) -> str:
        return "\n".join([*self.notes, *shortened([*self._lines()], _SHOWN, "…")])

    def _lines(self) -> Iterator[str]:
        times = alike([product.seconds * 1e3 for product in self.products])
        for product, time in zip(self.products, times, strict=True):
            yield f"{product.semiring:<12} {product.edges:>14,} {time:>12} ms  {product.arm}: {product.why}".rstrip(
                ": "
            )


_trace: ContextVar[tracing | None] = ContextVar("lagbfs_trace", default=None)


def watching() -> tracing | None:
    """Return the innermost block that products are noted in, None if there is none."""
    return _trace.get()


def note(line: str) -> None:
    """Note who computes an algorithm, if anyone wants to know."""
    trace = _trace.get()
    if trace is not None and line not in trace.notes[-1:]:
        trace.notes.append(line)
