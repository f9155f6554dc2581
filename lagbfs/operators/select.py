"""Selection operators: which entries `select` keeps, by their value or by their position."""

from __future__ import annotations

from typing import Any

from ..errors import InvalidValueError
from . import indexunary
from .indexunary import IndexUnaryOp
from .operand import operand

__all__ = [
    "SelectOp",
    "colgt",
    "colle",
    "diag",
    "indexgt",
    "indexle",
    "lookup",
    "offdiag",
    "rowgt",
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


class SelectOp:
    """Keep the entries for which an index operator is true.

    Examples
    --------
    >>> from lagbfs import Matrix, Vector, select
    >>> select.valuegt(Vector.from_coo([0, 1, 2], [5, 6, 7], size=3), 5).new().to_dict()
    {1: 6, 2: 7}
    >>> select.tril(Matrix.from_edges([0, 1], [1, 0], n=2)).new().to_coo()[:2]
    (array([1], dtype=int32), array([0], dtype=int32))
    """

    __slots__ = ("test",)

    def __init__(self, test: IndexUnaryOp) -> None:
        self.test = test

    @property
    def name(self) -> str:
        """The operator's name."""
        return self.test.name

    def __repr__(self) -> str:
        return f"select.{self.name}"

    def __reduce__(self) -> str:
        return self.name  # pickled by name: the operators are the variables of this module

    def __call__(self, entries: Any, thunk: Any = None) -> Any:
        """Return the entries of a vector or matrix for which the operator is true with `thunk`."""
        return operand(self, entries).select(self, thunk)


tril = SelectOp(indexunary.tril)
triu = SelectOp(indexunary.triu)
diag = SelectOp(indexunary.diag)
offdiag = SelectOp(indexunary.offdiag)
rowle = SelectOp(indexunary.rowle)
rowgt = SelectOp(indexunary.rowgt)
colle = SelectOp(indexunary.colle)
colgt = SelectOp(indexunary.colgt)
indexle = SelectOp(indexunary.indexle)
indexgt = SelectOp(indexunary.indexgt)
valueeq = SelectOp(indexunary.valueeq)
valuene = SelectOp(indexunary.valuene)
valuelt = SelectOp(indexunary.valuelt)
valuele = SelectOp(indexunary.valuele)
valuegt = SelectOp(indexunary.valuegt)
valuege = SelectOp(indexunary.valuege)

_SYMBOLS = {
    "==": valueeq, "!=": valuene, "<": valuelt, "<=": valuele, ">": valuegt, ">=": valuege,
}  # fmt: skip


def lookup(name: str, value: Any) -> SelectOp:
    """Return the operator meant by `value`: a SelectOp, its name or a symbol such as ``">"``."""
    op = _SYMBOLS.get(value, globals().get(value)) if isinstance(value, str) else value
    if isinstance(op, IndexUnaryOp) and op.selects:
        op = globals()[op.name]
    if not isinstance(op, SelectOp):
        known = [*_SYMBOLS, *sorted(n for n, op in globals().items() if isinstance(op, SelectOp))]
        raise InvalidValueError(f"{name} must be one of {', '.join(known)}, not {value!r}")
    return op
