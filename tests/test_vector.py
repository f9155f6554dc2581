"""Vector: forms, conversions, indexing, and operations against dictionaries."""

import models
import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import LagbfsError, Vector, binary, monoid, select, unary

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


@given(st.data())
def test_from_coo_takes_entries_in_any_order(data):
    size, dtype = data.draw(sizes), data.draw(sts.dtypes)
    found = data.draw(sts.entries(size, dtype))
    order = data.draw(st.permutations(list(found)))
    v = Vector.from_coo(order, np.array([found[i] for i in order], dtype), size=size)
    assert (v.to_dict(), v.size, v.nvals, v.dtype) == (found, size, len(found), dtype)
    assert (list(v), len(v), v.shape) == (sorted(found), size, (size,))


@given(drawn())
def test_conversions_there_and_back(case):
    v, found = case
    indices, values = v.to_coo()
    for back in (
        Vector.from_coo(indices, values, size=v.size),
        Vector.from_dict(found, v.dtype, size=v.size),
        v.dup(),
    ):
        assert back.isequal(v, check_dtype=True)
        assert (back.to_dict(), back.dtype) == (found, v.dtype)


@given(st.data())
def test_dense_there_and_back(data):
    dtype = data.draw(st.sampled_from([d for d in sts.DTYPES if d.kind in "if"]))
    v = data.draw(sts.vectors(data.draw(sizes), dtype, small=True))
    dense = v.to_dense(-99)
    assert dense.tolist() == [v.to_dict().get(i, -99) for i in range(v.size)]
    assert dense.dtype == dtype
    assert Vector.from_dense(dense, missing_value=-99).isequal(v, check_dtype=True)
    assert Vector.from_dense(dense).nvals == v.size


@given(drawn(small=True), st.sampled_from([-1, 0, 1, 300, 2.5]))
def test_to_dense_never_changes_the_fill_value(case, fill):
    v, found = case
    assert v.to_dense(fill).tolist() == [found.get(i, fill) for i in range(v.size)]


def test_dense_with_nan_for_missing():
    v = Vector.from_dense([1.0, np.nan, 3.0], missing_value=np.nan)
    assert v.to_dict() == {0: 1.0, 2: 3.0}
    np.testing.assert_array_equal(v.to_dense(np.nan), [1.0, np.nan, 3.0])
    with pytest.raises(ValueError, match="fill_value"):
        v.to_dense()


@pytest.mark.parametrize("op", ["plus", "min", "first", "second", "minus"])
def test_duplicates_are_combined_only_if_asked_for(op):
    expected = {"plus": 9, "min": 2, "first": 4, "second": 3, "minus": -1}
    v = Vector.from_coo([1, 0, 1, 1], [4, 7, 2, 3], dup_op=op)
    assert v.to_dict() == {0: 7, 1: expected[op]}
    with pytest.raises(ValueError, match="dup_op") as caught:
        Vector.from_coo([1, 0, 1], [4, 7, 2])
    assert isinstance(caught.value, LagbfsError)


@given(drawn(), st.sampled_from(sts.FORMS))
def test_every_form_holds_the_same_entries(case, form):
    v, found = case
    if form == "full" and v.nvals < v.size:
        with pytest.raises(ValueError, match="full"):
            v.format = form
        return
    v.format = form
    assert (v.format, v.to_dict(), v.nvals) == (form, found, len(found))
    assert [v.get(i) for i in range(v.size)] == [found.get(i) for i in range(v.size)]


def test_the_form_follows_the_density():
    assert Vector.from_coo([1], [1], size=1000).format == "sparse"
    assert Vector.from_coo(range(500), 1, size=1000).format == "bitmap"
    assert Vector.from_coo(range(1000), 1, size=1000).format == "full"
    v = Vector.from_scalar(1, 1000)
    del v[0]
    assert v.format == "bitmap"
    v(~Vector.from_coo([5], [1], size=1000).S) << Vector(int, 1000)
    assert (v.format, v.to_dict()) == ("sparse", {5: 1})


@given(drawn(), st.data())
def test_reading_and_extracting(case, data):
    v, found = case
    i = data.draw(st.integers(0, v.size - 1))
    assert v[i].value == found.get(i)
    assert v[i].new().is_empty == (i not in found)
    assert (i in v) == (i in found)
    assert v.get(i, "none") == found.get(i, "none")
    index = data.draw(st.lists(st.integers(0, v.size - 1)))
    part = {k: found[j] for k, j in enumerate(index) if j in found}
    assert v[index].new().to_dict() == v.extract(index).to_dict() == part
    assert (v.extract(index).size, v.extract(index).dtype) == (len(index), v.dtype)
    cut = data.draw(st.slices(v.size))
    sliced = {k: found[j] for k, j in enumerate(range(v.size)[cut]) if j in found}
    assert v[cut].new().to_dict() == sliced


@given(drawn(dtype="i8"), st.data())
def test_setting_and_deleting_one_entry(case, data):
    v, found = case
    i = data.draw(st.integers(0, v.size - 1))
    v[i] = 77
    assert v.to_dict() == found | {i: 77}
    v[i](binary.plus) << 1
    v(binary.plus)[i] << 1
    assert v[i] == 79
    del v[i]
    assert v.to_dict() == {j: x for j, x in found.items() if j != i}
    v[:] = 5
    assert v.to_dict() == dict.fromkeys(range(v.size), 5)


def test_scalars_read_as_numbers():
    v = Vector.from_coo([0, 1], [3, 0], size=3)
    assert (int(v[0]), float(v[0]), bool(v[0]), bool(v[1])) == (3, 3.0, True, False)
    assert v[0] == v[0].new() == 3
    assert repr(v[2].new()) == "Scalar()"
    with pytest.raises(TypeError, match="ambiguous"):
        bool(v)


@given(drawn())
def test_clear_dup_and_isequal(case):
    v, found = case
    copy = v.dup()
    v.clear()
    assert (v.nvals, v.size, v.dtype, v.to_dict()) == (0, copy.size, copy.dtype, {})
    assert copy.to_dict() == found
    assert copy.isequal(v) == (not found)
    assert not copy.isequal(Vector(copy.dtype, copy.size + 1))
    if found:
        other = copy.dup()
        i = next(iter(found))
        other[i] = 0 if found[i] else 1
        assert not copy.isequal(other)


def test_isequal_may_look_at_the_dtype():
    u, v = Vector.from_coo([0], [1], "i4"), Vector.from_coo([0], [1.0])
    assert u.isequal(v)
    assert not u.isequal(v, check_dtype=True)
    assert v.dup("i4").isequal(u, check_dtype=True)
    assert v.isclose(Vector.from_coo([0], [1.0 + 1e-9]))
    assert not v.isclose(Vector.from_coo([0], [1.1]))
    assert not v.isclose(Vector.from_coo([1], [1.0]))


# Operators as plain functions, with the rule for the dtype they are computed in.
BINARY = {
    "plus": (lambda x, y: x + y, models.arithmetic),
    "minus": (lambda x, y: x - y, models.arithmetic),
    "times": (lambda x, y: x * y, models.arithmetic),
    "min": (min, np.result_type),
    "max": (max, np.result_type),
    "first": (lambda x, y: x, np.result_type),
    "second": (lambda x, y: y, np.result_type),
    "any": (lambda x, y: x, np.result_type),
    "pair": (lambda x, y: 1, models.arithmetic),
}
LOGICAL = {
    "land": lambda x, y: bool(x) and bool(y),
    "lor": lambda x, y: bool(x) or bool(y),
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


def test_the_list_of_operators_is_complete():
    ours = {n for n, op in vars(binary).items() if isinstance(op, binary.BinaryOp)}
    assert ours == BINARY.keys() | LOGICAL.keys() | {"truediv", "secondi"}


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
    number = models.arithmetic(v.dtype, v.dtype)
    dtype = {"lnot": np.dtype(bool), "ainv": number}.get(name, v.dtype)
    expected = {i: models.wrap(UNARY[name](x), dtype) for i, x in found.items()}
    assert (result.to_dict(), result.dtype) == (expected, dtype)
    assert v.apply(name).new().isequal(result)


@pytest.mark.parametrize("dtype", sts.DTYPES, ids=str)
def test_roots_and_inverses(dtype):
    v = Vector.from_coo([0, 2], np.array([1, 4], dtype), size=3)
    four = 1 if dtype.kind == "b" else 4
    assert v.apply("sqrt").new().to_dict() == {0: 1.0, 2: four**0.5}
    assert v.apply("minv").new().to_dict() == {0: 1.0, 2: 1 / four}


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
    dtype = {"plus": models.arithmetic, "times": models.arithmetic}.get(name, np.result_type)(v.dtype, v.dtype)
    dtype = np.dtype(bool) if name in ("lor", "land") else dtype
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
