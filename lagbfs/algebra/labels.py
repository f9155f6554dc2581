"""Labels: the names of a graph's vertices."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import cached_property
from typing import Any

from ..errors import InvalidTypeError, InvalidValueError, UnknownLabelError

__all__ = ["Labels", "LaterLabels"]


class Labels:
    """Names of vertices, all different.

    Examples
    --------
    >>> Labels(["ann", "bob"]).index_of("bob")
    1
    """

    __slots__ = ("_index", "names")

    def __init__(self, names: Iterable[Hashable]) -> None:
        self.names = tuple(names)
        self._index: dict[Hashable, int] = {}
        for i, name in enumerate(self.names):
            try:
                first = self._index.setdefault(name, i)
            except TypeError:
                raise InvalidTypeError(f"labels must be hashable, not {name!r}") from None
            if first != i:
                raise InvalidValueError(f"labels must all be different: {name!r} occurs twice")

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, name: Any) -> bool:
        try:
            return name in self._index
        except TypeError:
            return False

    def index_of(self, name: Any, argument: str = "vertex") -> int:
        """Return the index of the vertex of that name; `argument` is for the error message."""
        try:
            return self._index[name]
        except (KeyError, TypeError):
            raise UnknownLabelError(
                f"{argument} must be the label of a vertex of the graph, not {name!r}; "
                f"labels are such as {', '.join(map(repr, self.names[:3]))}"
            ) from None


class LaterLabels(Labels):
    """Labels that are made when they are first looked at: so many, by a function.

    Examples
    --------
    >>> labels = LaterLabels(2, lambda: ["ann", "bob"])
    >>> len(labels), labels.index_of("bob")
    (2, 1)
    """

    def __init__(self, size: int, read: Callable[[], Iterable[Hashable]]) -> None:
        self._size, self._read = size, read

    @cached_property
    def _made(self) -> Labels:
        return Labels(self._read())

    @property
    def names(self) -> tuple[Hashable, ...]:  # type: ignore[override]
        """The names."""
        return self._made.names

    @property
    def _index(self) -> dict[Hashable, int]:  # type: ignore[override]
        return self._made._index

    def __len__(self) -> int:
        return self._size

    def __reduce__(self) -> Any:
        return Labels, (self.names,)
