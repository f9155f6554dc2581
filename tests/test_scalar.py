"""Scalar: one value or none, and the expressions that compute one, against python-graphblas."""

import copy
import pickle
import weakref

import graphblas
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matrices import LIBRARIES

import lagbfs
from lagbfs import Matrix, Scalar, Vector, binary, monoid, unary

numbers = st.none() | st.integers(-100, 100)


def found(expression):
    """Return the value, as it is written (NaN too), and the dtype that an expression has."""
    scalar = expression.new()
    return repr(scalar.value), np.dtype(getattr(scalar.dtype, "np_type", scalar.dtype))


EXPRESSIONS = {
    "ewise_add": lambda gb, s, t: s.ewise_add(t),
    "ewise_mult": lambda gb, s, t: s.ewise_mult(t, gb.binary.minus),
    "ewise_union": lambda gb, s, t: s.ewise_union(t, gb.binary.minus, 2, 3),
    "infix union": lambda gb, s, t: gb.binary.max(s | t),
    "infix intersection": lambda gb, s, t: gb.monoid.plus(s & t),
    "union with defaults": lambda gb, s, t: gb.binary.minus(s | t, left_default=4, right_default=5),
    "+": lambda gb, s, t: s + t,
    "-": lambda gb, s, t: s - t,
    "*": lambda gb, s, t: s * t,
    "/": lambda gb, s, t: s / t,
    "<": lambda gb, s, t: s < t,
    "3 +": lambda gb, s, t: 3 + s,
    "3 -": lambda gb, s, t: 3 - s,
    "* 3": lambda gb, s, t: s * 3,
    ">= 3": lambda gb, s, t: s >= 3,
    "negation": lambda gb, s, t: -s,
    "apply": lambda gb, s, t: s.apply(gb.unary.abs),
    "apply right": lambda gb, s, t: s.apply(gb.binary.minus, 7),
    "apply left": lambda gb, s, t: s.apply(gb.binary.minus, left=7),
    "select": lambda gb, s, t: s.select(gb.select.valuegt, 0),
}


@pytest.mark.parametrize("name", EXPRESSIONS)
@given(x=numbers, y=numbers)
def test_expressions_agree_with_python_graphblas(name, x, y):
    results = [
        found(EXPRESSIONS[name](gb, gb.Scalar.from_value(x, "int64"), gb.Scalar.from_value(y, "int64")))
        for gb in LIBRARIES.values()
    ]
    assert results[0] == results[1]


@pytest.mark.parametrize("accum", ["plus", "minus", "min", "second"])
@given(x=numbers, y=numbers)
def test_accumulators_agree_with_python_graphblas(accum, x, y):
    results = []
    for gb in LIBRARIES.values():
        s = gb.Scalar.from_value(x, "int64")
        s(getattr(gb.binary, accum)) << gb.Scalar.from_value(y, "int64")
        results.append(s.value)
    assert results[0] == results[1]


@given(st.lists(st.integers(-9, 9), max_size=6))
def test_reductions_are_lazy(values):
    v = Vector.from_coo(range(len(values)), values, int, size=8)
    total, s = v.reduce(monoid.plus), Scalar(float)
    s << total
    assert (s.value, s.dtype) == (sum(values) if values else None, float)
    assert total.new().dtype == total.dtype == int
    v[7] = 100
    assert total.new().value == sum(values) + 100
    assert v.diag().reduce_scalar("plus").value == sum(values) + 100


def test_it_holds_one_value_of_a_dtype():
    s = Scalar.from_value(12.75, name="s")
    assert (s.value, s.dtype, s.nvals, s.is_empty, s.name, s.ndim, s.shape) == (12.75, float, 1, False, "s", 0, ())
    t = s.dup(int)
    assert (t.value, t.dtype, t.isequal(s), t.isequal(12, check_dtype=True)) == (12, int, False, True)
    t.value = -3.9
    assert t.value == -3
    t.value = None
    assert (t.is_empty, t.nvals, t.get(), t.get(5), bool(t)) == (True, 0, None, 5, False)
    s.clear()
    assert s.is_empty
    assert s.dup(clear=True).dtype == float


def test_comparisons_give_bools():
    s = Scalar.from_value(5)
    assert [s == x for x in (5, 5.0, Scalar.from_value(5, "int8"), 27, None)] == [True] * 3 + [False] * 2
    assert [s != x for x in (5, 27, None)] == [False, True, True]
    assert not s.isequal(Scalar.from_value(5, "int8"), check_dtype=True)
    assert s.isclose(5 + 1e-9)
    assert not s.isclose(5 + 1e-9, rel_tol=1e-12)
    assert s.isclose(6, abs_tol=1)
    assert Scalar("int8").isequal(Scalar(float))
    assert not Scalar(int).isequal(5)
    with pytest.raises(TypeError, match="other must be"):
        s.isequal(object())
    with pytest.raises(TypeError, match="unhashable"):
        hash(s)


def test_it_is_a_number_to_python():
    s = Scalar.from_value(5)
    assert (int(s), float(s), complex(s), bool(s), range(s)) == (5, 5.0, 5 + 0j, True, range(5))
    assert np.array([s, s]).tolist() == [5, 5]
    assert np.array(s, float).dtype == float
    with pytest.raises(AttributeError, match="integral"):
        range(s.dup(float))
    for use in (int, float, np.asarray):
        with pytest.raises(lagbfs.LagbfsError, match="empty"):
            use(Scalar(int))


def test_it_stands_wherever_a_number_may():
    s, v, A = Scalar.from_value(2), Vector.from_coo([0, 2], [3, 4], size=3), Matrix.from_coo([0], [1], [8])
    for expression in (v * s, s * v, v.apply(binary.times, s), binary.times(v, s), binary.times(s, v)):
        assert expression.new().to_dict() == {0: 6, 2: 8}
    assert (s - v).new().to_dict() == {0: -1, 2: -2}
    assert (s < v).new().to_dict() == {0: True, 2: True}
    assert v.select(">", s + 1).new().to_dict() == {2: 4}
    assert (A / s).new().to_coo()[2].tolist() == [4.0]
    assert A.select("colle", s).new().nvals == 1
    v[1], v[0] = s, v.reduce(monoid.max)
    A[0, 0] = s
    assert (v.to_dict(), A.to_dense().tolist()) == ({0: 4, 1: 2, 2: 4}, [[2, 8]])
    v[1] = Scalar(int)
    assert v.to_dict() == {0: 4, 2: 4}
    assert v.ewise_union(v, binary.plus, s, s).new().to_dict() == {0: 8, 2: 8}
    assert Vector.from_scalar(s, size=s).to_dict() == {0: 2, 1: 2}
    with pytest.raises(lagbfs.LagbfsError, match="empty"):
        v.apply(binary.plus, Scalar(int))


def test_copies_pickles_and_weak_references():
    s = Scalar.from_value(5, "int8", name="five")
    for t in (pickle.loads(pickle.dumps(s)), copy.copy(s), copy.deepcopy(s)):
        assert (t.value, t.dtype, t.name) == (5, np.int8, "five")
    assert weakref.ref(s)() is s
    assert pickle.loads(pickle.dumps(Scalar(int))).is_empty


def test_what_is_no_scalar_is_refused():
    s = Scalar.from_value(5)
    for value in ("five", [5], np.zeros(2), 5j):
        with pytest.raises(TypeError, match="value must be"):
            s << value
    with pytest.raises(TypeError, match="mask"):
        s(lagbfs.replace)
    with pytest.raises(TypeError, match="not an accumulator"):
        s(Vector(int, 1).S)
    with pytest.raises(OverflowError, match="uint8"):
        Scalar.from_value(-1, "uint8")
    with pytest.raises(TypeError, match="operand must be"):
        s | Vector(int, 2)
    with pytest.raises(TypeError, match="needs an operator"):
        (s | s).new()


def test_bools_need_no_operator():
    yes, no = Scalar.from_value(True), Scalar.from_value(False)
    assert (yes | no).value is True
    assert (yes & no).value is False
    assert (graphblas.Scalar.from_value(True) & graphblas.Scalar.from_value(False)).new().value is False
    assert unary.lnot(yes).value is False


@pytest.mark.parametrize(("dtype", "expected"), [("uint64", 2**64 - 2), ("uint8", 254), ("int8", -2), ("bool", False)])
def test_accumulates_in_its_own_dtype(dtype, expected):
    s = Scalar.from_value(1, dtype)
    s(binary.minus) << 3
    v, A = Vector.from_coo([0], [1], dtype, size=1), Matrix.from_coo([0], [0], [1], dtype)
    v[0](binary.minus) << 3
    A[0, 0](binary.minus) << 3
    assert [s.value, v[0].value, A[0, 0].value] == [expected] * 3
