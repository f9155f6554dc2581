"""Monoids: the additions of semirings, and what `Vector.reduce` folds with."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.arrays import namespace, on_device
from ..errors import InvalidValueError
from . import binary
from .binary import BinaryOp, Combining

__all__ = ["Monoid", "any", "land", "lookup", "lor", "max", "min", "of", "plus", "times"]


class Monoid(Combining):
    """An associative, commutative operator.

    Parameters
    ----------
    op : BinaryOp
        The operator.
    ufunc : str or None
        The NumPy ufunc that folds whole arrays with it; None for `any`, where one value is as good as another.
    stops : bool
        Whether a fold may stop early: `any` at the first value, `lor` at the first true one.

    Examples
    --------
    >>> from lagbfs import Vector, monoid
    >>> Vector.from_coo([0, 2], [3, 4], size=3).reduce(monoid.plus).value
    7
    """

    __slots__ = ("op", "stops", "ufunc")

    def __init__(self, op: BinaryOp, ufunc: str | None, *, stops: bool = False) -> None:
        self.op, self.ufunc, self.stops = op, ufunc, stops

    @property
    def name(self) -> str:
        """The operator's name."""
        return self.op.name

    @property
    def binary(self) -> BinaryOp:
        """The operator."""
        return self.op

    @property
    def is_builtin(self) -> bool:
        """Whether it is one of this module: engines may know those by name."""
        return _BY_NAME.get(self.name) is self

    def __repr__(self) -> str:
        return f"monoid.{self.name}"

    def __reduce__(self) -> str:
        return self.name  # pickled by name: the monoids are the variables of this module

    def fold(self, values: Any) -> Any:
        """Fold a non-empty array into one value, in the operator's own dtype."""
        if self.ufunc is None:
            return values[0]
        dtype = self.op.result_dtype(values.dtype, values.dtype)
        ufunc = getattr(namespace(values), self.ufunc)
        values = values.astype(dtype, copy=False)
        if on_device(values):
            return _fold_by_halves(ufunc, values)[0]
        with np.errstate(all="ignore"):
            return ufunc.reduce(values, dtype=dtype)

    def fold_groups(self, values: Any, starts: Any) -> Any:
        """Fold each of the groups of consecutive values that begin at `starts`; none is empty."""
        if self.ufunc is None:
            return values[starts]
        dtype = self.op.result_dtype(values.dtype, values.dtype)
        with np.errstate(all="ignore"):
            return getattr(np, self.ufunc).reduceat(values.astype(dtype, copy=False), starts, dtype=dtype)

    def __call__(self, expression: Any) -> Any:
        """Apply to ``v | u`` (union) or ``v & u`` (intersection)."""
        return self.op(expression)


def _fold_by_halves(ufunc: Any, values: Any) -> Any:
    """Fold an array into one element by an associative, commutative function: CuPy's reduce in few cases only."""
    concatenate = namespace(values).concatenate
    while len(values) > 1:
        half = len(values) // 2
        folded = ufunc(values[:half], values[half : 2 * half]).astype(values.dtype, copy=False)
        values = concatenate([folded, values[2 * half :]])
    return values


any = Monoid(binary.any, None, stops=True)
min = Monoid(binary.min, "fmin")
max = Monoid(binary.max, "fmax")
plus = Monoid(binary.plus, "add")
times = Monoid(binary.times, "multiply")
lor = Monoid(binary.lor, "logical_or", stops=True)
land = Monoid(binary.land, "logical_and")


_BY_NAME = {value.name: value for value in [*globals().values()] if isinstance(value, Monoid)}


def of(op: BinaryOp) -> Monoid | None:
    """Return the monoid of an operator, None if it has none."""
    monoid = _BY_NAME.get(op.name)
    return monoid if monoid is not None and monoid.op is op else None


def lookup(name: str, value: Any) -> Monoid:
    """Return the monoid meant by `value`: a Monoid or its name."""
    monoid = _BY_NAME.get(value) if isinstance(value, str) else value
    if not isinstance(monoid, Monoid):
        raise InvalidValueError(f"{name} must be a monoid ({', '.join(sorted(_BY_NAME))}), not {value!r}")
    return monoid
