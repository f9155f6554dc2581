"""Operators that give a position, where they combine two vectors or matrices."""

from __future__ import annotations

from typing import Any

from ..operators import binary
from ..operators.binary import Binary
from ..operators.indexunary import placed

__all__ = ["kronecker_positions", "positions"]


def positions(left: Any, right: Any, op: Binary, is_union: bool) -> Any:
    """Return the position of each entry that both have; in a union beside the entries that only one has."""
    dtype = op.result_dtype(left.dtype, right.dtype)
    both = left.ewise_mult(right, binary.first).new().apply(*_placed(op)).new(dtype)
    if not is_union:
        return both
    result = left.ewise_add(right, binary.first).new(dtype)
    result(both.S) << both
    return result


def kronecker_positions(left: Any, right: Any, op: Binary) -> Any:
    """Return the Kronecker product with the position in one of the operands for a value."""
    dtype = op.result_dtype(left.dtype, right.dtype)
    if op.position.startswith("first"):
        return left.apply(*_placed(op)).new().kronecker(right, binary.first).new(dtype)
    return left.kronecker(right.apply(*_placed(op)).new(), binary.second).new(dtype)


def _placed(op: Binary) -> tuple[Any, Any]:
    index = placed(op)
    assert index is not None  # of an operator that gives positions
    return index
