"""Index operators: functions of an entry's position and value, and of a scalar, the thunk; for `apply` and `select`.

The position is row i and column j; in a vector it is i, and j is 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base import checks
from ..base.arrays import namespace
from ..errors import InvalidTypeError, InvalidValueError
from . import binary
from .binary import BinaryOp
from .operand import operand

__all__ = [
    "IndexUnaryOp",
    "colgt",
    "colindex",
    "colle",
    "diag",
    "diagindex",
    "index",
    "indexgt",
    "indexle",
    "lookup",
    "offdiag",
    "rowgt",
    "rowindex",
    "rowle",
    "tril",
    "triu",
    "valueeq",
    "valuege",
    "valuegt",
    "valuele",
    "valuelt",
    "valuene",
]


class IndexUnaryOp:
    """A named function of an entry's row, column and value, and of a scalar.

    Parameters
    ----------
    name : str
        Its name in this module.
    function : callable
        ``function(i, j, x, thunk)`` over arrays, and a thunk as `bound` returns it.
    positional : bool
        Whether it looks at positions alone, with an integer for a thunk.
    selects : bool
        Whether the result is true or false.

    Examples
    --------
    >>> from lagbfs import Matrix, indexunary
    >>> A = Matrix.from_coo([0, 1], [2, 2], [5, 6])
    >>> indexunary.colindex(A, 10).new().to_coo()[2].tolist()
    [12, 12]
    """

    __slots__ = ("function", "name", "positional", "selects")

    def __init__(
        self, name: str, function: Callable[[Any, Any, Any, Any], Any], *, positional: bool, selects: bool
    ) -> None:
        self.name, self.function, self.positional, self.selects = name, function, positional, selects

    def __repr__(self) -> str:
        return f"indexunary.{self.name}"

    def __reduce__(self) -> str:
        return self.name  # pickled by name: the operators are the variables of this module

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the result."""
        return np.dtype(bool if self.selects else np.int64)

    def bound(self, thunk: Any) -> Any:
        """Return a thunk: an integer, 0 by default, or as an array without dimensions the value to compare with."""
        if self.positional:
            return checks.integer("thunk", 0 if thunk is None else thunk)
        if thunk is None:
            raise InvalidTypeError(f"{self.name} needs a thunk: the value to compare with")
        return checks.numeric("thunk", thunk)

    def compute(self, i: Any, j: Any, x: Any, thunk: Any) -> Any:
        """Apply the operator to the entries; the result is a new array."""
        with np.errstate(all="ignore"):
            return self.function(i, j, x, thunk).astype(self.dtype, copy=False)

    def __call__(self, entries: Any, thunk: Any = None) -> Any:
        """Apply to each entry of a vector or matrix."""
        return operand(self, entries).apply(self, thunk)


def _index(name: str, function: Callable[[Any, Any, Any], Any]) -> IndexUnaryOp:
    return IndexUnaryOp(name, lambda i, j, x, k: function(i, j, k), positional=True, selects=False)


def _place(name: str, function: Callable[[Any, Any, Any], Any]) -> IndexUnaryOp:
    return IndexUnaryOp(name, lambda i, j, x, k: function(i, j, k), positional=True, selects=True)


def _value(name: str, compare: BinaryOp) -> IndexUnaryOp:
    def function(i: Any, j: Any, x: Any, thunk: Any) -> Any:
        return compare.compute(x, namespace(x).full(len(x), thunk, thunk.dtype))

    return IndexUnaryOp(name, function, positional=False, selects=True)


index = _index("index", lambda i, j, k: i + k)
rowindex = _index("rowindex", lambda i, j, k: i + k)
colindex = _index("colindex", lambda i, j, k: j + k)
diagindex = _index("diagindex", lambda i, j, k: j - (i + k))

tril = _place("tril", lambda i, j, k: j <= i + k)
triu = _place("triu", lambda i, j, k: j >= i + k)
diag = _place("diag", lambda i, j, k: j == i + k)
offdiag = _place("offdiag", lambda i, j, k: j != i + k)
rowle = _place("rowle", lambda i, j, k: i <= k)
rowgt = _place("rowgt", lambda i, j, k: i > k)
colle = _place("colle", lambda i, j, k: j <= k)
colgt = _place("colgt", lambda i, j, k: j > k)
indexle = _place("indexle", lambda i, j, k: i <= k)
indexgt = _place("indexgt", lambda i, j, k: i > k)

valueeq = _value("valueeq", binary.eq)
valuene = _value("valuene", binary.ne)
valuelt = _value("valuelt", binary.lt)
valuele = _value("valuele", binary.le)
valuegt = _value("valuegt", binary.gt)
valuege = _value("valuege", binary.ge)


def lookup(name: str, value: Any) -> IndexUnaryOp:
    """Return the operator meant by `value`: an IndexUnaryOp or a name."""
    op = globals().get(value) if isinstance(value, str) else value
    if not isinstance(op, IndexUnaryOp):
        known = sorted(n for n, op in globals().items() if isinstance(op, IndexUnaryOp))
        raise InvalidValueError(f"{name} must be an index operator ({', '.join(known)}), not {value!r}")
    return op
