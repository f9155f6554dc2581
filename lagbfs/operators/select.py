"""Selection operators: which entries `select` keeps, by their value or by their position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import InvalidTypeError, InvalidValueError
from . import binary, indexunary
from .family import Family
from .indexunary import IndexUnaryOp, TypedIndexUnaryOp
from .names import Maker
from .operand import operand
from .operator import Operator, TypedOperator
from .signature import DType

__all__ = [
    "SelectOp",
    "TypedSelectOp",
    "column",
    "from_string",
    "index",
    "lookup",
    "register_anonymous",
    "register_new",
    "row",
    "value",
]


class TypedSelectOp(TypedOperator["SelectOp"]):
    """A selection operator over one dtype: value and thunk are cast to it."""

    __slots__ = ()

    @property
    def test(self) -> TypedIndexUnaryOp:
        """The index operator that is true of what is kept."""
        return self.parent.test.over(self.key)

    def __call__(self, entries: Any, thunk: Any = None) -> Any:
        """Return the entries of a vector or matrix for which the operator is true with `thunk`."""
        return operand(self, entries).select(self, thunk)


class SelectOp(Operator[TypedSelectOp]):
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
    kind = "select"

    def __init__(self, test: IndexUnaryOp) -> None:
        super().__init__(test.name, test.signature)
        self.test, self.orig_func = test, test.orig_func

    def _make(self, key: DType) -> TypedSelectOp:
        return TypedSelectOp(self, key)

    @property
    def is_positional(self) -> bool:
        """Whether it looks at positions, not at values."""
        return self.test.positional

    def __call__(self, entries: Any, thunk: Any = None) -> Any:
        """Return the entries of a vector or matrix for which the operator is true with `thunk`."""
        return operand(self, entries).select(self, thunk)


tril, triu = SelectOp(indexunary.tril), SelectOp(indexunary.triu)
diag, offdiag = SelectOp(indexunary.diag), SelectOp(indexunary.offdiag)
rowle, rowgt = SelectOp(indexunary.rowle), SelectOp(indexunary.rowgt)
colle, colgt = SelectOp(indexunary.colle), SelectOp(indexunary.colgt)
indexle, indexgt = SelectOp(indexunary.indexle), SelectOp(indexunary.indexgt)
valueeq, valuene = SelectOp(indexunary.valueeq), SelectOp(indexunary.valuene)
valuelt, valuele = SelectOp(indexunary.valuelt), SelectOp(indexunary.valuele)
valuegt, valuege = SelectOp(indexunary.valuegt), SelectOp(indexunary.valuege)


def register_new(name: str, func: Callable[..., Any], *, parameterized: bool = False, lazy: bool = False) -> Any:
    """Make an operator of a function of a value, its row, its column and a thunk, known as ``select.name``.

    It is known as ``indexunary.name``, too.

    Parameters
    ----------
    name : str
        Its name, a new one; of dotted ones, as ``"mine.even_index"``, all but the last part may be in use.
    func : callable
        ``func(x, i, j, thunk)`` returns a bool; if `parameterized`, takes parameters and returns such a function.
    parameterized : bool
        Whether parameters are given when the operator is used.
    lazy : bool
        Whether it is made when it is first asked for. Nothing is returned then.

    Examples
    --------
    >>> from lagbfs import Vector, indexunary, select
    >>> op = select.register_new("even_index", lambda x, i, j, thunk: i % 2 == 0)
    >>> select.even_index(Vector.from_coo([4, 5], [1, 2])).new().to_dict()
    {4: 1}
    >>> del indexunary.even_index, select.even_index
    """
    both = _both(func, name, parameterized) if parameterized or lazy else _at_once(func, name)
    indexunary.FAMILY.register(name, both[0], lazy=lazy)
    return FAMILY.register(name, both[1], lazy=lazy)


def _both(func: Any, name: str, parameterized: bool) -> tuple[Maker, Maker]:
    """Return how the index operator of a function is made, and how the operator that selects by it."""
    return (
        lambda: indexunary.register_anonymous(func, name, parameterized=parameterized),
        lambda: register_anonymous(func, name, parameterized=parameterized),
    )


def _at_once(func: Any, name: str) -> tuple[Maker, Maker]:
    """Return both, made already: nothing is registered of a function that cannot be one of them."""
    op = register_anonymous(func, name)
    return lambda: op.test, lambda: op


def register_anonymous(func: Callable[..., Any], name: str | None = None, *, parameterized: bool = False) -> Any:
    """Make an operator of such a function, without making it known by a name."""
    return FAMILY.register_anonymous(func, name, parameterized=parameterized)


def _define(func: Callable[..., Any], name: str) -> SelectOp:
    test = indexunary.register_anonymous(func, name)
    if not test.selects:
        raise InvalidValueError(f"func must return bools to select by: {func!r} returns {set(test.types.values())}")
    return SelectOp(test)


def _also_selects(name: str, op: Any) -> None:
    """Register what has been registered as an index operator, if it returns bools and the name is free."""
    if isinstance(op, IndexUnaryOp) and op.selects and FAMILY.find(name) is None:
        FAMILY.register(name, lambda: SelectOp(op))


indexunary.REGISTERED.append(_also_selects)

_COMPARED = {"==": valueeq, "!=": valuene, "<": valuelt, "<=": valuele, ">": valuegt, ">=": valuege}

FAMILY = Family(
    __name__,
    "a selection operator",
    (SelectOp, TypedSelectOp),
    {
        **_COMPARED,
        **{binary.FAMILY.others[sign]: op for sign, op in _COMPARED.items()},
        "row<=": rowle, "row>": rowgt, "col<=": colle, "col>": colgt, "index<=": indexle, "index>": indexgt,
    },
    define=_define,
)  # fmt: skip


def lookup(name: str, value: Any) -> SelectOp | TypedSelectOp:
    """Return the operator meant by `value`: one, its name, a symbol such as ``">"``, or a function."""
    if isinstance(value, IndexUnaryOp | TypedIndexUnaryOp):
        value = _of_index(name, value)
    op: SelectOp | TypedSelectOp = FAMILY.lookup(name, value)
    return op


def _of_index(name: str, op: IndexUnaryOp | TypedIndexUnaryOp) -> SelectOp | TypedSelectOp:
    parent = op.parent if isinstance(op, TypedIndexUnaryOp) else op
    if not parent.selects:
        raise InvalidValueError(f"{name} must return bools to select by, which {op!r} does not")
    known = globals().get(parent.name)
    selecting = known if isinstance(known, SelectOp) and known.test is parent else SelectOp(parent)
    return selecting.over(op.key) if isinstance(op, TypedIndexUnaryOp) else selecting


def from_string(text: str) -> SelectOp | TypedSelectOp:
    """Return the operator that a string names, as ``"tril"`` or ``">"``."""
    op: SelectOp | TypedSelectOp = FAMILY.parse("text", text)
    return op


def value(expression: Any) -> Any:
    """Return the entries whose value compares so: ``select.value(v > 0)``.

    Examples
    --------
    >>> from lagbfs import Vector, select
    >>> select.value(Vector.from_coo([0, 1], [5, -6]) > 0).new().to_dict()
    {0: 5}
    """
    return _compared("value", expression)


def row(expression: Any) -> Any:
    """Return the entries of a matrix whose row compares so: ``select.row(A <= 5)``."""
    return _compared("row", expression)


def column(expression: Any) -> Any:
    """Return the entries of a matrix whose column compares so: ``select.column(A <= 5)``."""
    return _compared("col", expression)


def index(expression: Any) -> Any:
    """Return the entries of a vector whose index compares so: ``select.index(v <= 5)``."""
    return _compared("index", expression)


def _compared(what: str, expression: Any) -> Any:
    """Read ``v > 0`` as a selection."""
    applied = getattr(expression, "applied", None)
    if applied is None:
        raise InvalidTypeError(f"select.{what} takes a comparison such as A <= 5, not {expression!r}")
    entries, op, thunk = applied
    name = f"{what}{op.name}"
    if name not in globals() and op.name in ("lt", "ge"):  # of positions there are le and gt
        name, thunk = f"{what}{'le' if op.name == 'lt' else 'gt'}", int(thunk) - 1
    if name not in globals():
        raise InvalidValueError(
            f"{expression!r} must compare by <, <=, > or >=" + (", == or !=" if what == "value" else "")
        )
    return globals()[name](entries, thunk)
