"""Vector: forms, conversions, indexing, against dictionaries."""

import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import LagbfsError, Vector, binary

sizes = st.integers(1, 60)


@st.composite
def drawn(draw, **options):
    """Return a vector and its entries as a dictionary."""
    v = draw(sts.vectors(draw(sizes), **options))
    return v, v.to_dict()


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
    with pytest.raises(TypeError, match="fill_value"):
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
    assert repr(v[2].new()) == "Scalar(dtype=int64)"
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
