"""Scalar: one value of a dtype, or none; and the lazy expressions that compute one."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base import casts, checks
from ..errors import EmptyScalarError, InvalidTypeError
from ..operators import binary, monoid
from ..operators.binary import Binary
from ..operators.operand import NUMBER
from ..storage.forms import Sparse
from .arithmetic import Arithmetic
from .expression import VECTOR
from .in_place import InPlace
from .infix import Ewise
from .options import Options

if TYPE_CHECKING:
    from .expression import Expression
    from .vector import Vector

__all__ = ["Scalar", "ScalarExpression", "ScalarInfix", "ScalarOperations", "plain"]


class ScalarOperations(Arithmetic):
    """What can be done with one value, or none, of a dtype: a Scalar, or an expression that computes one.

    The operations are those of a vector with one position.
    """

    __slots__ = ()
    ndim = 0
    shape = ()

    if TYPE_CHECKING:

        @property
        def dtype(self) -> np.dtype[Any]:
            """The dtype of the value."""

        @property
        def value(self) -> Any:
            """The value."""

    @property
    def is_empty(self) -> bool:
        """Whether there is no value."""
        return self.value is None

    @property
    def nvals(self) -> int:
        """Number of values: 0 or 1."""
        return 0 if self.value is None else 1

    def get(self, default: Any = None) -> Any:
        """Return the value as a Python number, `default` if empty."""
        value = self.value
        return default if value is None else value

    def new(self, dtype: Any = None, *, name: str | None = None) -> Scalar:
        """Return the value as a Scalar of its own, of another dtype if one is given."""
        return self.dup(dtype, name=name)

    def dup(self, dtype: Any = None, *, clear: bool = False, name: str | None = None) -> Scalar:
        """Return a copy, of another dtype if one is given, or with `clear` without a value."""
        if dtype is None:
            return Scalar._holding(None if clear else self.value, self.dtype, name)
        result = Scalar(dtype, name=name)
        if not clear:
            result.value = self
        return result

    def isequal(self, other: Any, *, check_dtype: bool = False) -> bool:
        """Whether `other`, a Scalar, a number or None, has the same value and, if asked for, the same dtype.

        Examples
        --------
        >>> from lagbfs import Scalar
        >>> Scalar.from_value(5).isequal(5.0), Scalar(int).isequal(None)
        (True, True)
        """
        return self._compared(other, check_dtype, lambda x, y: bool(x == y))

    def isclose(self, other: Any, *, rel_tol: float = 1e-7, abs_tol: float = 0.0, check_dtype: bool = False) -> bool:
        """Whether `other` differs by `rel_tol` of the larger value, or by `abs_tol`, at most."""
        return self._compared(other, check_dtype, lambda x, y: math.isclose(x, y, rel_tol=rel_tol, abs_tol=abs_tol))

    def _compared(self, other: Any, check_dtype: bool, same: Callable[[Any, Any], bool]) -> bool:
        if isinstance(other, ScalarOperations):
            if check_dtype and self.dtype != other.dtype:
                return False
            other = other.value
        elif other is not None and not checks.is_number(other):
            raise InvalidTypeError(f"other must be a Scalar, a number or None, not {other!r}")
        value = self.value
        return other is value if other is None or value is None else same(value, other)

    def apply(self, op: Any, right: Any = None, *, left: Any = None) -> Any:
        """Return the scalar with a unary operator, or a binary one bound to another scalar, applied to it."""
        if isinstance(left, Arithmetic) and left.ndim:
            return left.apply(op, self)
        if isinstance(right, Arithmetic) and right.ndim:
            return right.apply(op, left=self)
        return ScalarExpression.of(self.as_vector().apply(op, right, left=left))

    def select(self, op: Any, thunk: Any = None) -> ScalarExpression:
        """Return the scalar if it compares true with `thunk`, or one that is empty."""
        return ScalarExpression.of(self.as_vector().select(op, thunk))

    def ewise_add(self, other: Any, op: Any = monoid.plus) -> ScalarExpression:
        """Return `op` of both values, or the one there is.

        Examples
        --------
        >>> from lagbfs import Scalar
        >>> Scalar.from_value(5).ewise_add(Scalar(int)).value
        5
        """
        return ScalarExpression.of(self.as_vector().ewise_add(_operand(other).as_vector(), op))

    def ewise_mult(self, other: Any, op: Any = binary.times) -> ScalarExpression:
        """Return `op` of both values, or none if either is empty."""
        return ScalarExpression.of(self.as_vector().ewise_mult(_operand(other).as_vector(), op))

    def ewise_union(self, other: Any, op: Any, left_default: Any, right_default: Any) -> ScalarExpression:
        """Return `op` of both values, where a default stands for the one that is missing."""
        return ScalarExpression.of(
            self.as_vector().ewise_union(_operand(other).as_vector(), op, left_default, right_default)
        )

    def as_vector(self) -> Vector:
        """Return the vector of one position that holds the value."""
        value = self.value
        at = [] if value is None else [0]
        values = [] if value is None else [value]
        return VECTOR().from_form(Sparse(1, np.array(at, np.int64), np.array(values, self.dtype)))

    def _with(self, other: Any, op: Binary | str) -> Any:
        if not _is_operand(other):
            return NotImplemented
        expression = self.ewise_mult(other, op)
        expression.applied = self, binary.lookup("op", op), other
        return expression

    def _after(self, other: Any, op: Binary | str) -> Any:
        return _operand(other).ewise_mult(self, op) if _is_operand(other) else NotImplemented

    def __add__(self, other: Any) -> Any:
        return self.ewise_add(other, binary.plus) if _is_operand(other) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        return _operand(other).ewise_add(self, binary.plus) if _is_operand(other) else NotImplemented

    def __sub__(self, other: Any) -> Any:
        return self.ewise_union(other, binary.minus, False, False) if _is_operand(other) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return _operand(other) - self if _is_operand(other) else NotImplemented

    def __or__(self, other: Any) -> ScalarInfix:
        return ScalarInfix(self, _operand(other), is_union=True)

    def __ror__(self, other: Any) -> ScalarInfix:
        return ScalarInfix(_operand(other), self, is_union=True)

    def __and__(self, other: Any) -> ScalarInfix:
        return ScalarInfix(self, _operand(other), is_union=False)

    def __rand__(self, other: Any) -> ScalarInfix:
        return ScalarInfix(_operand(other), self, is_union=False)

    def __eq__(self, other: object) -> bool:
        return self.isequal(other)

    def __ne__(self, other: object) -> bool:
        return not self.isequal(other)

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        return bool(self.value)

    def __int__(self) -> int:
        return int(plain(self))

    def __float__(self) -> float:
        return float(plain(self))

    def __complex__(self) -> complex:
        return complex(plain(self))

    @property
    def __index__(self) -> Callable[[], int]:
        if self.dtype.kind not in "iu":
            raise AttributeError(f"Scalar has __index__ only for integral dtypes, not for {self.dtype}")
        return self.__int__

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(plain(self), dtype)


class Scalar(InPlace, ScalarOperations):
    """One value, or none: made empty, or by `from_value`; the outcome of a reduction or of reading one position.

    Parameters
    ----------
    dtype : dtype
        Boolean, integer or float.
    name : str, optional
        A name of yours; it is kept.

    Examples
    --------
    >>> from lagbfs import Scalar, Vector, binary, monoid
    >>> v = Vector.from_coo([0, 2], [3, 4], size=3)
    >>> s = Scalar(int)
    >>> s << v.reduce(monoid.max)
    >>> s.value, v[1].new().is_empty
    (4, True)
    >>> s(binary.plus) << 3
    >>> s == 7
    True
    """

    __slots__ = ("__weakref__", "_dtype", "_value", "name")

    def __init__(self, dtype: Any = float, *, name: str | None = None) -> None:
        self._dtype, self._value, self.name = checks.dtype("dtype", dtype), None, name

    @classmethod
    def from_value(cls, value: Any, dtype: Any = None, *, name: str | None = None) -> Scalar:
        """Return the Scalar of a number, or of another Scalar; None gives one that is empty.

        Examples
        --------
        >>> from lagbfs import Scalar
        >>> Scalar.from_value(2.5), Scalar.from_value(2.5, int)
        (Scalar(2.5, dtype=float64), Scalar(2, dtype=int64))
        """
        if isinstance(value, ScalarOperations):
            return value.dup(dtype, name=name)
        if value is None:
            return cls(float if dtype is None else dtype, name=name)
        number = _number(value, dtype)
        return cls._holding(number.item(), number.dtype, name)

    @classmethod
    def _holding(cls, value: Any, dtype: np.dtype[Any], name: str | None) -> Scalar:
        """Return the Scalar of a number that is of `dtype`, or of None."""
        result = cls.__new__(cls)
        result._value, result._dtype, result.name = value, dtype, name
        return result

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the value."""
        return self._dtype

    @property
    def value(self) -> Any:
        """The value as a Python number, None if empty. Can be set: numbers are cast as GraphBLAS casts them."""
        return self._value

    @value.setter
    def value(self, value: Any) -> None:
        if isinstance(value, ScalarOperations):
            value = None if value.is_empty else value.dtype.type(value.value)
        self._value = None if value is None else casts.cast(_number(value), self._dtype).item()

    def clear(self) -> None:
        """Remove the value."""
        self._value = None

    def update(self, value: Any) -> None:
        """Take the value of a number, a Scalar or an expression; the same as ``s << value``."""
        self.value = value

    __lshift__ = update

    def __call__(self, *args: Any, **named: Any) -> ScalarUpdater:
        """Return the left-hand side of an assignment with an accumulator: ``s(binary.plus) << value``."""
        return ScalarUpdater(self, Options(None, (), args, named).accum)

    def __reduce__(self) -> Any:
        return Scalar.from_value, (self._value, self._dtype), (None, {"name": self.name})

    def __repr__(self) -> str:
        return f"Scalar({'' if self._value is None else f'{self._value}, '}dtype={self._dtype})"


class ScalarUpdater:
    """``s(accum)``: the left-hand side of an assignment."""

    def __init__(self, scalar: Scalar, accum: Binary | None) -> None:
        self.scalar, self.accum = scalar, accum

    def update(self, value: Any) -> None:
        """Take the value, or accumulate it in the scalar's own dtype."""
        if self.accum is not None:
            held = self.scalar.as_vector()
            held(self.accum) << value
            value = held[0]
        self.scalar << value

    __lshift__ = update


class ScalarExpression(ScalarOperations):
    """A scalar that has not been computed yet: ``.new()``, ``.value`` or ``s << expression`` computes it."""

    __slots__ = ("_compute", "_dtype", "applied")

    def __init__(self, dtype: np.dtype[Any], compute: Callable[[], Any]) -> None:
        self._dtype, self._compute = dtype, compute
        self.applied: tuple[Any, Any, Any] | None = None  # what `select.value` reads a comparison from

    @classmethod
    def of(cls, expression: Expression) -> ScalarExpression:
        """Return the one entry of an expression that has one position."""

        def compute() -> Any:
            values = expression.evaluate(None).sparse().values
            return values[0].item() if len(values) else None

        return cls(expression.dtype, compute)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the value."""
        return self._dtype

    @property
    def value(self) -> Any:
        """The value as a Python number, None if empty; computed at each look."""
        return self._compute()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(dtype={self.dtype}): .new() or .value computes it"


class ScalarInfix(Ewise, ScalarExpression):
    """``s | t`` or ``s & t``: which operator is still to be said, as in ``binary.plus(s | t)``."""

    def __init__(self, left: ScalarOperations, right: ScalarOperations, *, is_union: bool) -> None:
        self.left, self.right, self.is_union = left, right, is_union
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Ewise):
                one.check_other(other, is_union=is_union)
        super().__init__(np.promote_types(left.dtype, right.dtype), lambda: self.by_default().value)


def plain(value: Any) -> Any:
    """Return a number as it is, and of a Scalar the number that it holds, of its dtype."""
    if not isinstance(value, ScalarOperations):
        return value
    number = value.value
    if number is None:
        raise EmptyScalarError("the Scalar is empty: it has no value to compute with")
    return value.dtype.type(number)


def _is_operand(value: Any) -> bool:
    return isinstance(value, ScalarOperations) or checks.is_number(value)


def _operand(value: Any) -> ScalarOperations:
    if isinstance(value, ScalarOperations):
        return value
    if not checks.is_number(value):
        raise InvalidTypeError(f"the other operand must be a Scalar or a number, not {value!r}")
    return Scalar.from_value(value)


NUMBER.provide(Scalar.from_value)


def _number(value: Any, dtype: Any = None) -> Any:
    """Return a number as an array without dimensions."""
    number = checks.numeric("value", value, dtype)
    if number.ndim:
        raise InvalidTypeError(f"value must be one number, not an array of shape {number.shape}")
    return number
