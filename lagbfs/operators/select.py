"""Selection operators: which entries `Vector.select` keeps."""

from __future__ import annotations

from typing import Any

from ..errors import InvalidValueError
from . import binary
from .binary import BinaryOp
from .operand import operand

__all__ = ["SelectOp", "lookup", "valueeq", "valuege", "valuegt", "valuele", "valuelt", "valuene"]


class SelectOp:
    """Keep the entries whose value compares true with a scalar.

    Examples
    --------
    >>> from lagbfs import Vector, select
    >>> select.valuegt(Vector.from_coo([0, 1, 2], [5, 6, 7], size=3), 5).new().to_dict()
    {1: 6, 2: 7}
    """

    __slots__ = ("compare", "name")

    def __init__(self, name: str, compare: BinaryOp) -> None:
        self.name, self.compare = name, compare

    def __repr__(self) -> str:
        return f"select.{self.name}"

    def __reduce__(self) -> str:
        return self.name  # pickled by name: the operators are the variables of this module

    def __call__(self, vector: Any, thunk: Any) -> Any:
        """Return the entries of `vector` whose value compares true with `thunk`."""
        return operand(self, vector).select(self, thunk)


valueeq = SelectOp("valueeq", binary.eq)
valuene = SelectOp("valuene", binary.ne)
valuelt = SelectOp("valuelt", binary.lt)
valuele = SelectOp("valuele", binary.le)
valuegt = SelectOp("valuegt", binary.gt)
valuege = SelectOp("valuege", binary.ge)

_SYMBOLS = {
    "==": valueeq, "!=": valuene, "<": valuelt, "<=": valuele, ">": valuegt, ">=": valuege,
}  # fmt: skip


def lookup(name: str, value: Any) -> SelectOp:
    """Return the operator meant by `value`: a SelectOp, its name or a symbol such as ``">"``."""
    op = _SYMBOLS.get(value, globals().get(value)) if isinstance(value, str) else value
    if not isinstance(op, SelectOp):
        raise InvalidValueError(f"{name} must be one of {', '.join(_SYMBOLS)}, not {value!r}")
    return op
