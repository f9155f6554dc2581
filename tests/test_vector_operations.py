"""Vector: union, intersection, apply, select and reduce, against dictionaries."""

import models
import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import Vector, binary, monoid, select, unary

sizes = st.integers(1, 60)


@st.composite
def drawn(draw, **options):
    """Return a vector and its entries as a dictionary."""
    v = draw(sts.vectors(draw(sizes), **options))
    return v, v.to_dict()


@st.composite
def pairs(draw):
    """Return two vectors of one size, in forms and dtypes of their own."""
    size = draw(sizes)
    return draw(sts.vectors(size, small=True)), draw(sts.vectors(size, small=True))


# Operators as plain functions, with the rule for the dtype they are computed in.
BINARY = {
    "plus": (lambda x, y: x + y, np.result_type),
    "minus": (lambda x, y: x - y, np.result_type),
    "times": (lambda x, y: x * y, np.result_type),
    "rminus": (lambda x, y: y - x, np.result_type),
    "min": (min, np.result_type),
    "max": (max, np.result_type),
    "first": (lambda x, y: x, np.result_type),
    "second": (lambda x, y: y, np.result_type),
    "any": (lambda x, y: x, np.result_type),
    "pair": (lambda x, y: 1, lambda x, y: np.dtype(np.int64)),
    "land": (lambda x, y: bool(x) and bool(y), np.result_type),
    "lor": (lambda x, y: bool(x) or bool(y), np.result_type),
    "iseq": (lambda x, y: x == y, np.result_type),
    "isgt": (lambda x, y: x > y, np.result_type),
}
LOGICAL = {
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
}


def compute(name, u, v):
    """Return the operator on two numbers and the dtype of its result."""
    if name in LOGICAL:
        return LOGICAL[name], np.dtype(bool)
    function, rule = BINARY[name]
    dtype = rule(u, v)
    return lambda x, y: models.wrap(function(models.wrap(x, dtype), models.wrap(y, dtype)), dtype), dtype


@pytest.mark.parametrize("name", [*BINARY, *LOGICAL])
@given(pairs())
def test_union_and_intersection(name, case):
    u, v = case
    x, y = u.to_dict(), v.to_dict()
    op, dtype = compute(name, u.dtype, v.dtype)
    both = {i: op(x[i], y[i]) for i in sorted(x.keys() & y.keys())}
    one = {i: models.wrap(a, dtype) for i, a in (x | y).items() if not (i in x and i in y)}
    for union in (u.ewise_add(v, name), getattr(binary, name)(u | v)):
        result = union.new()
        assert (result.to_dict(), result.dtype) == (dict(sorted((one | both).items())), dtype)
    for intersection in (u.ewise_mult(v, getattr(binary, name)), getattr(binary, name)(u & v)):
        result = intersection.new()
        assert (result.to_dict(), result.dtype) == (both, dtype)


@pytest.mark.parametrize("name", [*BINARY, *LOGICAL])
@given(drawn(small=True), st.integers(-8, 8) | st.booleans() | st.sampled_from([0.5, -2.5]))
def test_apply_with_a_bound_scalar(name, case, scalar):
    v, found = case
    bound = np.asarray(scalar).dtype
    op, dtype = compute(name, v.dtype, bound)
    result = v.apply(name, scalar).new()
    assert (result.to_dict(), result.dtype) == ({i: op(x, scalar) for i, x in found.items()}, dtype)
    op, dtype = compute(name, bound, v.dtype)
    assert v.apply(name, left=scalar).new().to_dict() == {i: op(scalar, x) for i, x in found.items()}


def test_true_division():
    u, v = Vector.from_coo([0, 1], [1, 3], size=3), Vector.from_coo([0, 1], [2, 0], size=3)
    assert binary.truediv(u & v).new().to_dict() == {0: 0.5, 1: np.inf}
    assert u.dup("f4").apply("truediv", np.float32(2)).new().dtype == np.float32


UNARY = {
    "identity": lambda x: x,
    "ainv": lambda x: -x,
    "abs": abs,
    "lnot": lambda x: not x,
    "one": lambda x: 1,
}


@pytest.mark.parametrize("name", UNARY)
@given(drawn(small=True))
def test_apply_unary(name, case):
    v, found = case
    result = getattr(unary, name)(v).new()
    expected = {i: models.wrap(UNARY[name](x), v.dtype) for i, x in found.items()}
    assert (result.to_dict(), result.dtype) == (expected, v.dtype)
    assert v.apply(name).new().isequal(result)


@pytest.mark.parametrize("dtype", sts.DTYPES, ids=str)
def test_roots_and_inverses(dtype):
    v = Vector.from_coo([0, 2], np.array([1, 4], dtype), size=3)
    four = 1 if dtype.kind == "b" else 4
    assert v.apply("sqrt").new().to_dict() == {0: 1.0, 2: four**0.5}
    inverse = v.apply("minv").new()
    assert (inverse.to_dict(), inverse.dtype) == ({0: 1, 2: models.wrap(1 / four, dtype)}, dtype)


@pytest.mark.parametrize(
    ("symbol", "name"),
    [("==", "valueeq"), ("!=", "valuene"), ("<", "valuelt"), ("<=", "valuele"), (">", "valuegt"), (">=", "valuege")],
)
@given(drawn(small=True), st.integers(-3, 3) | st.sampled_from([0.5, True]))
def test_select(symbol, name, case, thunk):
    v, found = case
    compare = LOGICAL[name.removeprefix("value")]
    kept = {i: x for i, x in found.items() if compare(x, thunk)}
    for result in (v.select(symbol, thunk).new(), getattr(select, name)(v, thunk).new()):
        assert (result.to_dict(), result.dtype) == (kept, v.dtype)


REDUCE = {
    "plus": lambda x, y: x + y,
    "times": lambda x, y: x * y,
    "min": min,
    "max": max,
    "lor": lambda x, y: bool(x) or bool(y),
    "land": lambda x, y: bool(x) and bool(y),
}


@pytest.mark.parametrize("name", REDUCE)
@given(drawn(small=True))
def test_reduce(name, case):
    v, found = case
    dtype = np.dtype(bool) if name in ("lor", "land") else v.dtype
    if name == "plus" and dtype.kind == "b":
        dtype = np.dtype(np.int64)
    numbers = [models.wrap(x, dtype) for x in found.values()]
    scalar = v.reduce(getattr(monoid, name))
    if not numbers:
        assert scalar.is_empty
        return
    total = numbers[0]
    for x in numbers[1:]:
        total = models.wrap(REDUCE[name](total, x), dtype)
    assert scalar.value == pytest.approx(total, rel=1e-5)


@given(drawn())
def test_reduce_to_any_gives_one_of_the_values(case):
    v, found = case
    assert v.reduce("any").value in ({*found.values()} or {None})


@pytest.mark.parametrize("form", ["sparse", "bitmap"])
def test_min_and_max_ignore_nan(form):
    u = sts.vector({0: np.nan, 1: 1.0, 2: np.nan}, 4, "f8", form)
    v = sts.vector({0: 2.0, 1: np.nan, 2: np.nan}, 4, "f8", form)
    for name in ("min", "max"):
        for expression in (u.ewise_add(v, name), u.ewise_mult(v, name)):
            np.testing.assert_array_equal(expression.new().to_coo()[1], [2.0, 1.0, np.nan])
        assert u.reduce(name).value == 1.0
        w = u.dup()
        w(accum=name) << v
        np.testing.assert_array_equal(w.to_coo()[1], [2.0, 1.0, np.nan])


def test_integers_wrap_around():
    v = Vector.from_coo([0, 1], np.array([100, 100], "i1"))
    assert v.reduce("plus").value == -56
    assert v.ewise_add(v, "plus").new().to_dict() == {0: -56, 1: -56}
    assert v.apply("times", np.int8(3)).new().to_dict() == {0: 44, 1: 44}
    v(accum="plus") << v
    assert v.to_dict() == {0: -56, 1: -56}
