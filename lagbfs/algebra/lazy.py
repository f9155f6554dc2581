"""Lazy: what has not been computed yet, and is once it is looked at as a result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from ..base.hooks import Hook
from ..errors import InvalidTypeError, NotComputedError
from .arithmetic import Arithmetic

__all__ = ["Lazy"]

_CHANGES = frozenset({"build", "clear", "resize", "update"})  # a result is not changed behind its expression


class Lazy(Arithmetic):
    """An expression: ``.new()`` computes it into an object of its own.

    What that object can be asked or computed into, the expression can, too: it is computed when first looked at, and
    kept. Only ``.new()`` and assignments compute it anew.

    Examples
    --------
    >>> from lagbfs import Vector
    >>> v, w = Vector.from_coo([0, 1], [5, 6], size=3), Vector.from_coo([1, 2], [1, 2], size=3)
    >>> (v + w).nvals, (v + w)[1].value, ((v + w) * v).new().to_dict()
    (3, 7, {0: 25, 1: 42})
    """

    result: ClassVar[Hook[Any]]
    _computed: Any = None

    if TYPE_CHECKING:

        def new(self) -> Any:
            """Compute the expression."""

    @property
    def computed(self) -> Any:
        """What the expression was when it was first looked at."""
        if self._computed is None:
            self._computed = self.new()
        return self._computed

    def __getattr__(self, name: str) -> Any:
        """Look at the result."""
        if name.startswith("__") or name in _CHANGES or not hasattr(self.result(), name):
            hint = (
                ": only one position, v[i] or A[i, j], has a value; use .new() for several" if name == "value" else ""
            )
            raise NotComputedError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}")
        return getattr(self.computed, name)

    def apply(self, op: Any, right: Any = None, *, left: Any = None) -> Any:
        """Return what a unary operator, or a binary one bound to a scalar, makes of it."""
        return self.computed.apply(op, right, left=left)

    def select(self, op: Any, thunk: Any = None) -> Any:
        """Return what a selection keeps of it."""
        return self.computed.select(op, thunk)

    def __getitem__(self, index: Any) -> Any:
        return self.computed[index]

    def __contains__(self, index: Any) -> bool:
        return index in self.computed

    def __iter__(self) -> Iterator[Any]:
        return iter(self.computed)

    def __or__(self, other: Any) -> Any:
        return self.computed | other

    def __ror__(self, other: Any) -> Any:
        return other | self.computed

    def __and__(self, other: Any) -> Any:
        return self.computed & other

    def __rand__(self, other: Any) -> Any:
        return other & self.computed

    def __matmul__(self, other: Any) -> Any:
        return self.computed @ other

    def __bool__(self) -> bool:
        raise InvalidTypeError("the truth of an expression is ambiguous: use expression.nvals > 0")
