"""Programs of the algebra: a few lines over a matrix A and vectors v and w, as text that can be run and pasted.

A line assigns to w by one of the templates below; one more template makes programs of one more operation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from .. import operators
from ..algebra.matrix import Matrix
from ..algebra.options import replace
from ..algebra.vector import Vector
from ..operators import binary, monoid, select, semiring, unary
from ..operators.semiring import Semiring
from .operands import semirings

__all__ = ["Program", "programs"]

_NAMES = {"replace": replace} | {
    module.__name__.removeprefix(f"{operators.__name__}."): module
    for module in (binary, monoid, select, semiring, unary)
}
_LEFT = ("w", "w(v.S)", "w(~v.S)", "w(v.V)", "w(~v.V, replace)", "w(~w.S)", "w(w.V, replace)")
_ACCUMULATED = ("w(binary.plus)", "w(v.S, binary.min)", "w(~v.V, binary.second)")
_PRODUCTS = ("w @ A", "v @ A", "A @ w", "w @ A.T", "A.T @ v")
_BINARY = ("plus", "minus", "times", "min", "max", "first", "second", "pair", "eq", "lt", "lor", "land")
_UNARY = ("identity", "ainv", "abs", "lnot", "one")
_SELECT = ("valueeq", "valuene", "valuelt", "valuele", "valuegt", "valuege")


@dataclass(frozen=True)
class Program:
    """Lines of the algebra, called with a square matrix and a vector of its size.

    Parameters
    ----------
    lines : tuple of str
        Statements over A, v and w, which begins as a copy of v and is the result.

    Examples
    --------
    >>> from lagbfs import Matrix, Vector
    >>> from lagbfs.testing import Program
    >>> step = Program(("w(~v.S, replace) << semiring.min_plus(w @ A)",))
    >>> step(Matrix.from_edges([0, 1], [1, 2], weights=[4, 5]), Vector.from_coo([0], [3], size=3)).to_dict()
    {1: 7}
    """

    lines: tuple[str, ...]

    def __call__(self, A: Matrix, v: Vector) -> Vector:
        """Run the lines and return w."""
        names: dict[str, Any] = _NAMES | {"A": A, "v": v, "w": v.dup()}
        exec(compile(str(self), "<program>", "exec"), names)
        w: Vector = names["w"]
        return w

    def __str__(self) -> str:
        return "\n".join(self.lines)


def _written(ring: Semiring) -> str:
    is_known = getattr(semiring, ring.name, None) is ring
    return repr(ring) if is_known else f"semiring.Semiring({ring.add.name!r}, {ring.multiply.name!r})"


def _right_sides() -> st.SearchStrategy[str]:
    """Return what may stand on the right, but for products, which are drawn as often as all of these."""
    thunk = st.integers(-2, 3)
    sign = st.sampled_from("|&")
    return st.one_of(
        st.builds("binary.{}(w {} v)".format, st.sampled_from(_BINARY), sign),
        st.builds("binary.{}(w, {})".format, st.sampled_from(_BINARY), thunk),
        st.builds("unary.{}(w)".format, st.sampled_from(_UNARY)),
        st.builds("select.{}(w, {})".format, st.sampled_from(_SELECT), thunk),
        st.just("v"),
    )


def _lines(rings: st.SearchStrategy[Semiring]) -> st.SearchStrategy[str]:
    products = st.builds("{}({})".format, rings.map(_written), st.sampled_from(_PRODUCTS))
    right = products | _right_sides()
    assigned = st.builds("{} << {}".format, st.sampled_from(_LEFT + _ACCUMULATED), right)
    renewed = st.builds("w = {}.new()".format, products)
    return assigned | renewed


def programs(max_lines: int = 5, *, rings: st.SearchStrategy[Semiring] | None = None) -> st.SearchStrategy[Program]:
    """Programs of the algebra: products, elementwise operations, masks, accumulators, `replace`.

    Parameters
    ----------
    max_lines : int
        How many lines at most.
    rings : strategy of Semiring, optional
        What products are taken over. Default: `semirings` that are deterministic.

    Examples
    --------
    >>> from hypothesis import given, strategies as st
    >>> from lagbfs.testing import assert_engines_agree, graphs, programs, vectors
    >>> @given(programs(), graphs(8), st.data())
    ... def test_that_engines_agree_on_any_program(program, A, data):
    ...     v = data.draw(vectors(A.nrows, small=True))
    ...     assert_engines_agree(program, A, v)
    >>> test_that_engines_agree_on_any_program()
    """
    lines = _lines(semirings() if rings is None else rings)
    return st.lists(lines, min_size=1, max_size=max_lines).map(lambda found: Program(tuple(found)))
