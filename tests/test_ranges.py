"""Slices: never listed, right for every form, and at the cost of what they touch."""

import tracemalloc

import graphblas
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matrices import ACCUM, MASKS, masked, plain

import lagbfs
from lagbfs import LagbfsError, Matrix, Vector
from lagbfs.storage.axis import Axis

LIBRARIES = (lagbfs, graphblas)
bounds = st.none() | st.integers(-9, 9)


@st.composite
def slices(draw):
    return slice(draw(bounds), draw(bounds), draw(st.sampled_from([None, 1, 2, 3, -1, -2, -9])))


@st.composite
def indices(draw, size):
    return draw(slices() | st.lists(st.integers(-size, size - 1), max_size=size, unique_by=lambda i: i % size))


@st.composite
def vectors(draw, size):
    """Draw which positions hold an entry, and values: none, few, some or all, so that every form occurs."""
    there = draw(st.sampled_from(["none", "few", "some", "all"]))
    present = {"none": [False] * size, "few": [True] + [False] * (size - 1), "all": [True] * size}.get(there)
    present = (present or draw(st.lists(st.booleans(), min_size=size, max_size=size)))[:size]
    at = [i for i, is_there in enumerate(present) if is_there]
    return at, draw(st.lists(st.integers(-5, 5), min_size=len(at), max_size=len(at)))


def made(library, parts, size):
    return library.Vector.from_coo(*parts, dtype=np.int64, size=size)


@given(st.integers(0, 9), st.data())
def test_a_slice_is_what_it_is_of_a_list(size, data):
    v, index = made(lagbfs, data.draw(vectors(size)), size), data.draw(slices())
    v.format = data.draw(st.sampled_from(["sparse", "bitmap"]))
    part = v[index].new()
    expected = [v.get(i) for i in range(size)][index]
    assert [part.get(i) for i in range(part.size)] == expected
    assert v.extract(index).isequal(part)
    before = v.to_dict()
    part << 7
    assert v.to_dict() == before


@given(st.integers(1, 9), st.data())
def test_assigned_as_in_python_graphblas(size, data):
    held, put, mask = (data.draw(vectors(size)) for _ in range(3))
    index, kind, accum = data.draw(indices(size)), data.draw(st.sampled_from(MASKS)), data.draw(st.sampled_from(ACCUM))
    clear, number = kind is not None and data.draw(st.booleans()), data.draw(st.none() | st.integers(-5, 5))
    form, found = data.draw(st.sampled_from(["sparse", "bitmap", "as it is"])), []
    for gb in LIBRARIES:
        w, u, m = (made(gb, parts, size) for parts in (held, put, mask))
        if gb is lagbfs and form != "as it is":
            w.format = form
        op = None if accum is None else getattr(gb.binary, accum)
        at = index if isinstance(index, slice) else np.array(index, np.int64)
        value = u[at].new() if number is None else number
        w(mask=masked(m, kind), accum=op, replace=clear)[at] << value
        found.append(plain(w))
    assert found[0] == found[1]


@given(st.integers(1, 9), st.data())
def test_removed(size, data):
    v, index = made(lagbfs, data.draw(vectors(size)), size), data.draw(indices(size))
    gone = set(np.arange(size)[index].tolist()) if isinstance(index, slice) else {i % size for i in index}
    expected = {i: x for i, x in v.to_dict().items() if i not in gone}
    del v[index]
    assert v.to_dict() == expected
    assert v.nvals == len(expected)


@given(st.integers(1, 9), st.data())
def test_under_a_mask_of_its_own(size, data):
    held, index = data.draw(vectors(size)), data.draw(slices())
    found = []
    for gb in LIBRARIES:
        w = made(gb, held, size)
        m = w[index].new()
        w[index](~m.V, accum=gb.binary.plus) << 3
        found.append(plain(w))
    assert found[0] == found[1]


@given(st.integers(0, 12), st.data())
def test_an_axis_answers_as_its_list_would(size, data):
    index = data.draw(slices())
    places = range(size)[index]
    there = np.arange(size)[index]
    assert Axis(size, places).length == len(there)
    assert Axis(size, places).positions.tolist() == there.tolist()
    for axis in (Axis(size, places), Axis(size, there)):
        everything = np.arange(size)
        assert everything[axis.selector(everything)].tolist() == there.tolist()
        assert axis.has(everything).tolist() == [i in places for i in range(size)]
        assert axis.at(np.arange(len(there))).tolist() == there.tolist()
        which, k = axis.where(everything)
        assert [(int(i), places.index(i)) for i in which] == list(zip(which.tolist(), k.tolist(), strict=True))


def taken(do):
    """Return how many bytes were held at most, beside those from before."""
    tracemalloc.start()
    try:
        do()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


N = 10**7


@pytest.mark.parametrize("form", ["sparse", "bitmap", "full"])
@pytest.mark.parametrize("index", [slice(0, 3), slice(-3, None), slice(N // 2, N // 2 + 9, 3), slice(5, 2, -1)])
def test_a_short_slice_of_a_long_vector_takes_little(form, index):
    v = Vector.from_scalar(1, N) if form == "full" else Vector.from_coo([1, 3, N - 1], [5, 6, 7], size=N)
    v.format = form
    for do in (
        lambda: v[index].new(),
        lambda: v[index].__lshift__(4),
        lambda: v(accum="plus")[index].__lshift__(4),
        lambda: v[index](accum="plus").__lshift__(4),
    ):
        assert taken(do) < 100_000


def test_a_slice_of_rows_takes_what_it_touches():
    n = 10**6
    A = Matrix.from_edges(np.arange(n), np.arange(n))
    A.csr  # noqa: B018
    assert taken(lambda: A[5:8, :].new()) < 100_000
    assert taken(lambda: A[5, 5].value) < 100_000
    assert A[n : n - 4 : -1, n - 3 :].new().nvals == 3


@pytest.mark.parametrize(
    ("index", "kind", "words"),
    [
        (slice(0, 5, 0), ValueError, "step"),
        (slice("a", 3), TypeError, "slice of integers"),
        ((1, 2), TypeError, "tuple"),
    ],
)
def test_slices_that_mean_nothing(index, kind, words):
    v = Vector(int, 5)
    for do in (lambda: v[index].new(), lambda: v.__setitem__(index, 1), lambda: v.__delitem__(index)):
        with pytest.raises(kind, match=words) as caught:
            do()
        assert isinstance(caught.value, LagbfsError)


def test_a_position_named_twice():
    v, A = Vector(int, 5), Matrix(int, 5, 5)
    assert v[[1, 1]].new().size == 2
    for do in (lambda: v.__setitem__([1, 1], 3), lambda: A.__setitem__(([1, 1], 2), 3)):
        with pytest.raises(ValueError, match="twice"):
            do()
