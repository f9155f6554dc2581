"""Models on graphs that they were not fitted to: each part of the graphs by a model of all others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

from ...backends.protocol import Selector
from .corpus import Measured
from .regret import kind

__all__ = ["by_kind", "by_turns", "folds"]


def by_turns(measured: Sequence[Measured], parts: int) -> dict[str, int]:
    """Return the part of each graph: so many parts, the graphs dealt out in order.

    Examples
    --------
    >>> import lagbfs
    >>> from lagbfs.measure.training import corpus
    >>> makers = {name: lambda: lagbfs.graphs.grid(2, 2) for name in "abc"}
    >>> by_turns(corpus.measure(makers, backend="reference", sources=1, repeats=1), 2)
    {'a': 0, 'b': 1, 'c': 0}
    """
    return {graph: i % parts for i, graph in enumerate(dict.fromkeys(search.graph for search in measured))}


def by_kind(measured: Sequence[Measured]) -> dict[str, str]:
    """Return the kind of each graph: held out by it, a model has seen no graph like those that it is held against."""
    searches: dict[str, list[Measured]] = defaultdict(list)
    for search in measured:
        searches[search.graph].append(search)
    return {graph: kind(own) for graph, own in searches.items()}


def folds(
    measured: Sequence[Measured], parts: Mapping[str, Hashable], fitting: Callable[[list[Measured]], Selector]
) -> Iterator[tuple[Selector, list[Measured]]]:
    """Yield for each part what was fitted to all others, and its searches; nothing if there is but one."""
    for part in dict.fromkeys(parts.values()):
        others = [search for search in measured if parts[search.graph] != part]
        if others:
            yield fitting(others), [search for search in measured if parts[search.graph] == part]
