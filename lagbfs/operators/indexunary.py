"""Index operators: functions of an entry's position and value, and of a scalar, the thunk; for `apply` and `select`.

The position is row i and column j; in a vector it is i, and j is 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base import casts, checks
from ..base.arrays import namespace
from ..base.dtypes import INT64
from ..errors import InvalidTypeError
from . import binary, unary
from . import functions as fn
from . import signature as sig
from .binary import BinaryOp, TypedBinaryOp
from .family import Family
from .operand import operand
from .operator import Operator, TypedOperator
from .own import Own
from .signature import DType, Signature
from .unary import TypedUnaryOp, UnaryOp

__all__ = [
    "IndexUnaryOp",
    "TypedIndexUnaryOp",
    "from_string",
    "lookup",
    "placed",
    "register_anonymous",
    "register_new",
]


class TypedIndexUnaryOp(TypedOperator["IndexUnaryOp"]):
    """An index operator over one dtype: value and thunk are cast to it."""

    __slots__ = ()

    @property
    def positional(self) -> bool:
        """Whether it looks at positions alone, with an integer for a thunk."""
        return self.parent.positional

    @property
    def reads_rows(self) -> bool:
        """Whether it looks at the row."""
        return self.parent.reads_rows

    @property
    def thunk_type(self) -> DType:
        """The dtype that the thunk is cast to."""
        return self.type

    def bound(self, thunk: Any) -> Any:
        """Return a thunk as an array without dimensions."""
        return self.parent.bound(thunk)

    def result_dtype(self, x: DType, thunk: Any) -> DType:
        """Return the dtype of the result, whatever it is applied to."""
        return self.return_type

    def compute(self, i: Any, j: Any, x: Any, thunk: Any) -> Any:
        """Apply the operator to the entries; the result is a new array."""
        given = _offset(thunk) if self.positional else casts.cast(thunk, self.type)
        values = x if self.positional else casts.cast(x, self.type)
        return casts.cast(fn.quietly(self.parent.function, self.type, i, j, values, given), self.return_type)

    def __call__(self, entries: Any, thunk: Any = None) -> Any:
        """Apply to each entry of a vector or matrix."""
        return operand(self, entries).apply(self, thunk)


def _offset(thunk: Any) -> Any:
    """Return an integer thunk; a large one such that it can be added to indices of 32 bits."""
    number = int(casts.cast(thunk, INT64))
    return number if -1 <= number <= 1 else np.int64(number)


class IndexUnaryOp(Operator[TypedIndexUnaryOp]):
    """A named function of an entry's row, column and value, and of a scalar.

    Parameters
    ----------
    name : str
        Its name in this module.
    function : callable
        ``function(i, j, x, thunk)`` over arrays and a thunk: an integer if positional, or an array without dimensions.
    signature : mapping
        What is computed in and given by the dtype that unifies those of value and thunk.
    positional : bool
        Whether it looks at positions alone, with an integer for a thunk.
    reads_rows : bool
        Whether it looks at the row.

    Examples
    --------
    >>> from lagbfs import Matrix, indexunary
    >>> A = Matrix.from_coo([0, 1], [2, 2], [5, 6])
    >>> indexunary.colindex(A, 10).new().to_coo()[2].tolist()
    [12, 12]
    """

    __slots__ = ("function", "positional", "reads_rows")
    kind = "indexunary"

    def __init__(
        self,
        name: str,
        function: Callable[[Any, Any, Any, Any], Any],
        signature: Signature,
        *,
        positional: bool,
        reads_rows: bool = True,
    ) -> None:
        super().__init__(name, signature)
        self.function, self.positional, self.reads_rows = function, positional, reads_rows

    def _make(self, key: DType) -> TypedIndexUnaryOp:
        return TypedIndexUnaryOp(self, key)

    @property
    def is_positional(self) -> bool:
        """Whether it looks at positions, not at values."""
        return self.positional

    @property
    def selects(self) -> bool:
        """Whether the result is true or false, over any dtype."""
        return all(typing.result.kind == "b" for typing in self.signature.values())

    def bound(self, thunk: Any) -> Any:
        """Return a thunk, by default 0, as an array without dimensions."""
        number = checks.numeric("thunk", False if thunk is None else thunk)
        if number.ndim:
            raise InvalidTypeError(f"thunk must be a number, not {thunk!r}")
        if self.positional and number.dtype.kind == "f":
            raise InvalidTypeError(f"thunk must be an integer for {self!r}, not {thunk!r}")
        return number

    def result_dtype(self, x: DType, thunk: Any) -> DType:
        """Return the dtype of the result for values of this dtype."""
        return self.over_both(x, thunk.dtype).return_type

    def compute(self, i: Any, j: Any, x: Any, thunk: Any) -> Any:
        """Apply the operator to the entries; the result is a new array."""
        return self.over_both(x.dtype, thunk.dtype).compute(i, j, x, thunk)

    def __call__(self, entries: Any, thunk: Any = None) -> Any:
        """Apply to each entry of a vector or matrix."""
        return operand(self, entries).apply(self, thunk)


def _index(name: str, function: Callable[[Any, Any, Any], Any]) -> IndexUnaryOp:
    return IndexUnaryOp(name, lambda i, j, x, k: function(i, j, k), sig.POSITION, positional=True)


def _place(name: str, function: Callable[[Any, Any, Any], Any]) -> IndexUnaryOp:
    return IndexUnaryOp(name, lambda i, j, x, k: function(i, j, k), sig.COMPARISON, positional=True)


def _value(name: str, compare: BinaryOp) -> IndexUnaryOp:
    def function(i: Any, j: Any, x: Any, thunk: Any) -> Any:
        xp = namespace(x)
        return compare.function(xp, x, xp.full(len(x), thunk, thunk.dtype))

    return IndexUnaryOp(name, function, sig.COMPARISON, positional=False, reads_rows=False)


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


def placed(op: Any, right: Any = None, left: Any = None) -> tuple[IndexUnaryOp | TypedIndexUnaryOp, Any] | None:
    """Return an index operator and its thunk for what looks at positions, None for what does not.

    It is one itself, or its name, or what selects by one, and `right` the thunk; or a unary operator that gives the
    entry's position, or a binary one, the scalar beside which has a say in the dtype of the result.
    """
    if isinstance(op, IndexUnaryOp | TypedIndexUnaryOp):
        if left is not None:
            raise InvalidTypeError(f"left must not be given: {op!r} takes its thunk for right")
        return op, right
    if not isinstance(op, UnaryOp | TypedUnaryOp | BinaryOp | TypedBinaryOp):
        meant = _meant(op, unary if right is None and left is None else binary)
        return None if meant is None else placed(meant, right, left)
    if not op.position:
        return None
    scalar = right if left is None else left
    beside = bool if scalar is None else checks.numeric("the scalar", scalar).dtype
    place = rowindex if op.position.rstrip("1").endswith("i") else colindex
    thunk = np.array(op.position.endswith("1")).astype(beside)
    return (place.over(op.type) if isinstance(op, TypedUnaryOp | TypedBinaryOp) else place), thunk


def _meant(op: Any, kind: Any) -> Any:
    """Return the index operator of what selects by one; of a name the operator that looks at positions, if it does.

    A name of several kinds is that of the one to be applied, a unary or a binary one, and else of an index operator.
    """
    if not isinstance(op, str):
        test = getattr(op, "test", None)
        return test if isinstance(test, IndexUnaryOp | TypedIndexUnaryOp) else None
    name = op.partition("[")[0]
    named = kind.FAMILY.find(name)
    if isinstance(named, Operator):
        return kind.FAMILY.parse("op", op) if named.is_positional else None
    is_other = unary.FAMILY.find(name) is not None or binary.FAMILY.find(name) is not None
    return lookup("op", op) if isinstance(FAMILY.find(name), IndexUnaryOp) and not is_other else None


def register_new(name: str, func: Callable[..., Any], *, parameterized: bool = False, lazy: bool = False) -> Any:
    """Make an operator of a function of a value, its row, its column and a thunk, known as ``indexunary.name``.

    If it returns bools, it is known as ``select.name``, too.

    Parameters
    ----------
    name : str
        Its name, a new one; of dotted ones, as ``"mine.row_mod"``, all but the last part may be in use.
    func : callable
        ``func(x, i, j, thunk)`` returns a number; if `parameterized`, takes parameters and returns such a function.
    parameterized : bool
        Whether parameters are given when the operator is used.
    lazy : bool
        Whether it is made when it is first asked for. Nothing is returned then.

    Examples
    --------
    >>> from lagbfs import Vector, indexunary
    >>> op = indexunary.register_new("row_mod", lambda x, i, j, thunk: i % max(thunk, 2))
    >>> indexunary.row_mod(Vector.from_coo([4, 5], [1, 1]), 3).new().to_dict()
    {4: 1, 5: 2}
    >>> del indexunary.row_mod
    """

    def make() -> Any:
        op = register_anonymous(func, name, parameterized=parameterized)
        for hook in REGISTERED:
            hook(name, op)
        return op

    return FAMILY.register(name, make, lazy=lazy)


def register_anonymous(func: Callable[..., Any], name: str | None = None, *, parameterized: bool = False) -> Any:
    """Make an operator of such a function, without making it known by a name."""
    return FAMILY.register_anonymous(func, name, parameterized=parameterized)


def _define(func: Callable[..., Any], name: str) -> IndexUnaryOp:
    own = Own(func, "vppv")

    def function(i: Any, j: Any, x: Any, thunk: Any) -> Any:
        xp = namespace(x)
        return own(xp, x, i, j, xp.full(len(x), thunk, thunk.dtype))

    return IndexUnaryOp(name, function, own.signature, positional=False)


REGISTERED: list[Callable[[str, Any], None]] = []
"""What is told of every operator that is registered."""

FAMILY = Family(__name__, "an index operator", (IndexUnaryOp, TypedIndexUnaryOp), define=_define)


def lookup(name: str, value: Any) -> IndexUnaryOp | TypedIndexUnaryOp:
    """Return the operator meant by `value`: one, its name, or a function of value, row, column and thunk."""
    op: IndexUnaryOp | TypedIndexUnaryOp = FAMILY.lookup(name, value)
    return op


def from_string(text: str) -> IndexUnaryOp | TypedIndexUnaryOp:
    """Return the operator that a string names, as ``"rowindex"``."""
    op: IndexUnaryOp | TypedIndexUnaryOp = FAMILY.parse("text", text)
    return op
