"""Casts and accumulators: the same values and dtypes as python-graphblas, whatever the dtypes that meet."""

import warnings

import graphblas as gb
import models
import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from lagbfs import Matrix, Vector, errors, monoid
from lagbfs.base import casts

NUMBERS = {
    "b": [False, True],
    "i": [0, 1, -1, 4, 127, -128],
    "u": [0, 1, 4, 200],
    "f": [0.0, 0.5, -0.5, 2.7, -3.5, 127.5, 300.7, -300.7, 1e30, -1e30, np.nan, np.inf, -np.inf, 2.0**63, 2.0**64],
}
OPERATORS = (
    "plus", "minus", "times", "min", "max", "first", "second", "pair", "land", "lor", "eq", "ne", "lt", "ge", "truediv",
)  # fmt: skip


def numbers(dtype):
    """Return values of a dtype, those at its ends among them."""
    found = [np.array(x).astype(dtype) for x in NUMBERS[dtype.kind]]
    if dtype.kind in "iu":
        found += [np.iinfo(dtype).min, np.iinfo(dtype).max, np.iinfo(dtype).max // 2 + 1]
    return np.array(found, dtype)


def both(found, size=None):
    """Return a vector of ours and of python-graphblas, from an array or a dictionary of NumPy numbers."""
    indices, values = (range(len(found)), found) if size is None else (list(found), np.array(list(found.values())))
    size = len(found) if size is None else size
    return Vector.from_coo(indices, values, size=size), gb.Vector.from_coo(list(indices), values, size=size)


def assert_same(ours, theirs):
    indices, values = theirs.to_coo()
    np.testing.assert_array_equal(ours.to_coo()[0], indices)
    np.testing.assert_array_equal(ours.to_coo()[1], values)
    assert ours.dtype == theirs.dtype.np_type


@pytest.mark.parametrize("source", sts.DTYPES, ids=str)
@pytest.mark.parametrize("target", sts.DTYPES, ids=str)
def test_casts_are_those_of_graphblas(source, target):
    ours, theirs = both(numbers(source))
    assert_same(ours.dup(target), theirs.dup(target.name))
    w = Vector(target, ours.size)
    w << ours
    assert_same(w, theirs.dup(target.name))


@given(st.floats() | st.floats(width=32), st.sampled_from(sts.INTEGERS), st.sampled_from(["f4", "f8"]))
def test_floats_end_at_the_bounds_of_integers(value, dtype, source):
    with np.errstate(over="ignore"):
        value = np.array(value).astype(source)
    assert casts.cast(value, dtype).item() == models.wrap(value.item(), dtype)


@pytest.mark.parametrize("value", [300, 300.7, 3.7, float("nan"), -1, True])
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "float32", "bool"])
@pytest.mark.parametrize("accum", [None, "plus", "land"])
def test_assigned_numbers_are_cast_too(value, dtype, accum):
    ours, theirs = both({0: np.dtype(dtype).type(1)}, 2)
    ours(accum=accum) << value
    theirs(accum=None if accum is None else getattr(gb.binary, accum)) << value
    assert_same(ours, theirs)


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("form", ["sparse", "bitmap"])
@pytest.mark.parametrize("masked", [False, True])
def test_accumulators_are_those_of_graphblas(name, form, masked):
    for w_dtype in sts.DTYPES:
        for t_dtype in sts.DTYPES:
            x, y = np.meshgrid(numbers(w_dtype), numbers(t_dtype))
            n, x, y = x.size, x.ravel(), y.ravel()
            # n positions that both have, n of w alone, n of t alone
            w, gb_w = both(dict(enumerate([*x, *x])), 3 * n)
            t, gb_t = both({**dict(enumerate(y)), **dict(enumerate(y, 2 * n))}, 3 * n)
            w.format = t.format = form
            mask, gb_mask = both(dict.fromkeys(range(0, 3 * n, 2), np.True_), 3 * n)
            w(mask=mask.S if masked else None, accum=name) << t
            gb_w(mask=gb_mask.S if masked else None, accum=getattr(gb.binary, name)) << gb_t
            assert_same(w, gb_w)


@pytest.mark.parametrize("form", ["sparse", "bitmap"])
@pytest.mark.parametrize(
    ("found", "dtype", "op", "t", "after"),
    [
        ({0: 1, 1: 2**53 + 1}, "i8", "plus", {0: 0.5, 2: 1.5}, {0: 1, 1: 2**53 + 1, 2: 1}),
        ({0: 1, 1: 2**64 - 1}, "u8", "plus", {0: np.int64(-1)}, {0: 0, 1: 2**64 - 1}),
        ({0: 1, 1: 2**63 - 1}, "i8", "max", {0: np.uint64(2)}, {0: 2, 1: 2**63 - 1}),
        ({0: 4, 1: 8}, "i8", monoid.lor, {2: 6}, {0: 4, 1: 8, 2: 6}),
        ({0: 4, 1: 8}, "i8", monoid.land, {1: 6}, {0: 4, 1: 1}),
        ({0: 4, 1: 8}, "i8", "eq", {1: 8}, {0: 4, 1: 1}),
    ],
)
def test_an_accumulator_leaves_alone_what_it_does_not_touch(form, found, dtype, op, t, after):
    w, t = sts.vector(found, 9, dtype, form), Vector.from_dict(t, size=9)
    w(accum=op) << t
    assert (w.to_dict(), w.dtype) == (after, dtype)


@pytest.mark.parametrize("name", ["lor", "land"])
@pytest.mark.parametrize("dtypes", [("i8", "i8"), ("i1", "f8"), ("?", "u1"), ("?", "?")])
def test_a_logical_union_leaves_single_entries_alone(name, dtypes):
    u, gb_u = both(dict(zip(range(4), np.array([4, 8, 0, 1], dtypes[0]), strict=True)), 9)
    v, gb_v = both(dict(zip((1, 2, 5), np.array([6, 0, 7], dtypes[1]), strict=True)), 9)
    assert_same(u.ewise_add(v, name).new(), gb_u.ewise_add(gb_v, getattr(gb.binary, name)).new())


def test_pairs_are_counted_in_int64(arms):
    A = Matrix.from_coo(range(300), [0] * 300, np.ones(300, "i1"), nrows=300, ncols=1)
    q = Vector.from_coo(range(300), np.ones(300, "i1"))
    for arm in arms:
        total = q.vxm(A, "plus_pair").by(arm).new()
        assert (total.to_dict(), total.dtype) == ({0: 300}, np.int64)
        for dtype in sts.DTYPES:
            found = q.dup(dtype).vxm(A, "any_pair").by(arm).new()
            assert (found.to_dict(), found.dtype) == ({0: 1}, np.int64)


@pytest.mark.parametrize("dtype", sts.DTYPES, ids=str)
def test_inverses_are_those_of_graphblas(dtype):
    ours, theirs = both(numbers(dtype))
    assert_same(ours.apply("minv").new(), theirs.apply(gb.unary.minv).new())


@pytest.mark.parametrize(
    ("values", "dtype"),
    [([300], "i1"), ([-1], "u1"), ([300.7], "i1"), ([float("nan")], "i1"), ([2.0**63], "i8"), ([float("-inf")], "u8")],
)
def test_numbers_that_do_not_fit_are_refused(values, dtype):
    for make in (
        lambda: Vector.from_coo([0], values, dtype),
        lambda: Vector.from_coo([0], values[0], dtype),
        lambda: Vector.from_dict({0: values[0]}, dtype),
        lambda: Vector.from_dense(values, dtype=dtype),
        lambda: Vector.from_scalar(values[0], 2, dtype),
    ):
        with pytest.raises(OverflowError, match="must fit into") as caught:
            make()
        assert isinstance(caught.value, errors.InvalidValueError)


def test_numbers_that_fit_and_arrays_are_cast():
    assert Vector.from_coo([0, 1], [3.7, -128.9], "i1").to_dict() == {0: 3, 1: -128}
    assert Vector.from_coo([0, 1], [2, 0.0], bool).to_dict() == {0: True, 1: False}
    assert Vector.from_coo([0], np.array([300]), "i1").to_dict() == {0: 44}
    assert Vector.from_dense(np.array([300.7, np.nan]), dtype="i1").to_dict() == {0: 127, 1: 0}


def test_duplicates_are_folded_in_their_own_dtype():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Vector.from_coo([0, 0, 0], [9, 2, 2], dup_op="truediv").to_dict() == {0: 2}
        assert Vector.from_coo([0, 0], [9, 0], dup_op="truediv").to_dict() == {0: 2**63 - 1}


@pytest.mark.parametrize("code", ["i2", "i4", "i8", "u8", "f4", "f8"])
def test_values_may_be_of_the_other_byte_order(code):
    swapped = np.array([1, 2, 3], np.dtype(code).newbyteorder())
    v = Vector.from_coo(np.array([4, 0, 2], ">i4"), swapped)
    assert (v.to_dict(), v.dtype) == ({0: 2, 2: 3, 4: 1}, np.dtype(code))
    assert v.dtype.isnative
    assert v.dup(swapped.dtype).dtype.isnative
    assert Vector.from_dense(swapped).ewise_add(Vector.from_dense(swapped)).new().to_dict() == {0: 2, 1: 4, 2: 6}
    A = Matrix.from_coo([0, 1, 2], [0, 0, 0], swapped)
    assert Vector.from_scalar(1, 3, code).vxm(A).new().to_dict() == {0: 6}
    B = Matrix.from_scipy(csr_array((swapped, [0, 0, 0], [0, 1, 2, 3]), shape=(3, 1)))
    assert B.dtype.isnative
    assert B.to_coo()[2].tolist() == [1, 2, 3]


@pytest.mark.parametrize("dtype", [d for d in sts.DTYPES if d.kind != "f"], ids=str)
@pytest.mark.parametrize("fill", [np.nan, np.inf, 0.1, 2.0**64])
def test_a_dense_array_is_wide_enough_for_its_fill_value(dtype, fill):
    dense = Vector.from_coo([1], np.array([1], dtype), size=3).to_dense(fill)
    np.testing.assert_array_equal(dense, np.array([fill, 1, fill]))
    assert dense.dtype == np.float64


@pytest.mark.parametrize(
    ("dtype", "fill", "wide"),
    [("int8", 7, "int8"), ("int8", 300, "int32"), ("uint8", -1, "int16"), ("float32", 0.1, "float32")],
)
def test_a_dense_array_is_little_wider_than_it_must_be(dtype, fill, wide):
    dense = Vector.from_coo([1], np.array([1], dtype), size=3).to_dense(fill)
    np.testing.assert_array_equal(dense, np.array([fill, 1, fill], wide))
    assert dense.dtype == wide


def test_matrices_cast_as_vectors_do():
    A = Matrix.from_coo([0, 0, 0], [0, 1, 2], np.array([np.nan, 1e9, -1e9]), dtype="int8")
    assert A.to_coo()[2].tolist() == [0, 127, -128]
    with pytest.raises(OverflowError):
        Matrix.from_coo([0], [0], [300], dtype="int8")
