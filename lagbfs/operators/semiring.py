"""Semirings: the addition and multiplication of a product ``w_j = ⊕_k q_k ⊗ A_kj``.

They bear the names of python-graphblas: ``min_plus`` adds with `min` and multiplies with `plus`.
``any_secondi`` gives for each vertex *some* k with an edge into it, ``min_secondi`` the smallest. Any monoid and any
binary operator make a semiring, whether it has a name here or not: ``Semiring(monoid.max, binary.first)``.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from ..errors import InvalidValueError
from . import binary, monoid
from .binary import BinaryOp
from .monoid import Monoid
from .operand import operand

__all__ = [
    "Semiring",
    "any_pair",
    "any_secondi",
    "lookup",
    "lor_land",
    "max_second",
    "min_first",
    "min_plus",
    "min_second",
    "min_secondi",
    "plus_first",
    "plus_pair",
    "plus_second",
    "plus_times",
    "ss",
]


class Semiring:
    """A monoid to add with and a binary operator to multiply with.

    Parameters
    ----------
    add : Monoid or str
        The addition.
    multiply : BinaryOp or str
        The multiplication; its first operand is the left one of the product.

    Examples
    --------
    >>> from lagbfs import Matrix, Vector, semiring
    >>> A = Matrix.from_edges([0, 1], [1, 2], weights=[4, 5])
    >>> q = Vector.from_coo([0, 1], [10, 20], size=3)
    >>> semiring.min_plus(q @ A).new().to_dict()
    {1: 14, 2: 25}
    >>> semiring.Semiring("max", "first")(q @ A).new().to_dict()
    {1: 10, 2: 20}
    """

    __slots__ = ("add", "multiply")

    def __init__(self, add: Monoid | str, multiply: BinaryOp | str) -> None:
        self.add, self.multiply = monoid.lookup("add", add), binary.lookup("multiply", multiply)

    @property
    def name(self) -> str:
        """The semiring's name: addition, underscore, multiplication."""
        return f"{self.add.name}_{self.multiply.name}"

    def __repr__(self) -> str:
        return f"semiring.{self.name}"

    def __reduce__(self) -> str | tuple[Any, ...]:
        is_named = globals().get(self.name) is self  # then it is pickled by name, as a variable of this module
        return self.name if is_named else (Semiring, (self.add, self.multiply))

    @property
    def is_builtin(self) -> bool:
        """Whether both operators are of lagbfs: engines may know those by name."""
        return self.add.is_builtin and self.multiply.is_builtin

    @property
    def flipped(self) -> Semiring:
        """The semiring whose multiplication takes its operands the other way round."""
        return Semiring(self.add, self.multiply.flipped)

    def result_dtype(self, x: np.dtype[Any], y: np.dtype[Any]) -> np.dtype[Any]:
        """Return the dtype of the product of operands of these dtypes."""
        product = self.multiply.result_dtype(x, y)
        return self.add.op.result_dtype(product, product)

    def __call__(self, product: Any) -> Any:
        """Say in which semiring ``q @ A`` or ``A @ q`` is meant."""
        return operand(self, product).in_semiring(self)


any_pair = Semiring(monoid.any, binary.pair)
any_secondi = Semiring(monoid.any, binary.secondi)
min_secondi = Semiring(monoid.min, binary.secondi)
lor_land = Semiring(monoid.lor, binary.land)
plus_pair = Semiring(monoid.plus, binary.pair)
plus_times = Semiring(monoid.plus, binary.times)
plus_first = Semiring(monoid.plus, binary.first)
plus_second = Semiring(monoid.plus, binary.second)
min_plus = Semiring(monoid.min, binary.plus)
min_first = Semiring(monoid.min, binary.first)
min_second = Semiring(monoid.min, binary.second)
max_second = Semiring(monoid.max, binary.second)

# python-graphblas keeps the positional semirings under this name.
ss = SimpleNamespace(any_secondi=any_secondi, min_secondi=min_secondi)


def lookup(name: str, value: Any) -> Semiring:
    """Return the semiring meant by `value`: a Semiring, or the name of one of this module."""
    semiring = globals().get(value) if isinstance(value, str) else value
    if not isinstance(semiring, Semiring):
        known = sorted(n for n, s in globals().items() if isinstance(s, Semiring))
        raise InvalidValueError(f"{name} must be a semiring ({', '.join(known)}), not {value!r}")
    return semiring
