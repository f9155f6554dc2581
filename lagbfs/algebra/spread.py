"""Spread: a graph that no process has the whole of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

__all__ = ["Spread"]


class Spread(ABC):
    """A graph that several processes share: functions of a graph hand it their call, and it does what they do."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def nrows(self) -> int:
            """Number of vertices."""

        @property
        def labels(self) -> tuple[Hashable, ...] | None:
            """The names of the vertices, None if they have none but their indices."""

    @abstractmethod
    def index_of(self, vertex: Any, name: str = "vertex") -> int:
        """Return the index of a vertex: of its label in a labelled graph, of itself in any other."""

    @abstractmethod
    def is_label(self, value: Any) -> bool:
        """Whether `value` is the label of a vertex."""

    @abstractmethod
    def call(self, function: str, *given: Any, **named: Any) -> Any:
        """Return what a function of that name returns, this graph being the first of its arguments."""
