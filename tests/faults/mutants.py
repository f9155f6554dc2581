"""Small changes to Python, drawn at random: each is the kind of slip that a test has to notice.

A mutant is a place in a file and what happens there: a comparison that takes the other side of its bound or the
opposite, a number one larger, plus for minus, a condition left out or turned round, two arguments exchanged. Messages,
annotations and docstrings stay as they are.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable, Iterator
from itertools import chain

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt},
    **{
        ast.Eq: ast.NotEq,
        ast.NotEq: ast.Eq,
        ast.Is: ast.IsNot,
        ast.IsNot: ast.Is,
        ast.In: ast.NotIn,
        ast.NotIn: ast.In,
    },
}
_COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult},
    **{ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift},
}


def count(source: str) -> int:
    """Return how many mutants a file has."""
    return len(_changes(ast.parse(source)))


def mutant(source: str, i: int) -> tuple[str, str]:
    """Return a file with the i-th of its mutants, and what that changes."""
    tree = ast.parse(source)
    before = ast.unparse(tree)
    _changes(tree)[i]()
    after = ast.unparse(ast.fix_missing_locations(tree))
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=2)
    return after, "\n".join(list(lines)[2:])


def _changes(tree: ast.Module) -> list[Callable[[], None]]:
    return list(chain.from_iterable(map(_changes_of, _code(tree))))


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that decide what is computed."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list") or name == "type_params":
            continue
        for child in value if isinstance(value, list) else [value]:
            told = isinstance(child, ast.Raise | ast.JoinedStr | ast.Import | ast.ImportFrom | ast.Assert)
            told |= isinstance(child, ast.keyword) and child.arg == "strict"  # says what is known of lengths
            if isinstance(child, ast.AST) and not told:
                yield from _code(child)


def _changes_of(node: ast.AST) -> Iterator[Callable[[], None]]:
    match node:
        case ast.Compare(ops=[op]) if type(op) in _COMPARED:
            yield lambda: setattr(node, "ops", [_COMPARED[type(op)]()])
        case ast.BinOp(op=op) if type(op) in _COMPUTED:
            yield lambda: setattr(node, "op", _COMPUTED[type(op)]())
        case ast.BoolOp(op=op, values=values):
            yield lambda: setattr(node, "op", ast.And() if isinstance(op, ast.Or) else ast.Or())
            yield lambda: setattr(node, "values", [*values[:-1], values[0]])
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            yield lambda: setattr(node, "test", ast.UnaryOp(ast.Not(), test))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield lambda: setattr(node, "operand", ast.UnaryOp(ast.Not(), operand))
        case ast.Constant(value=bool(value)):
            yield lambda: setattr(node, "value", not value)
        case ast.Constant(value=int(value)):
            yield lambda: setattr(node, "value", value + 1)
        case ast.Call(args=[first, second, *rest]):
            yield lambda: setattr(node, "args", [second, first, *rest])
