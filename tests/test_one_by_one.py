"""Vectors whose entries are set one by one: the same as if each were written at once, however they are looked at."""

import copy
import pickle
import threading

import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import Matrix, Vector, monoid
from lagbfs.base import casts, checks
from lagbfs.errors import OutOfRangeError

SIZE = 40

LOOKS = {
    "nvals": lambda w, model: w.nvals == len(model),
    "to_dict": lambda w, model: w.to_dict() == dict(sorted(model.items())),
    "contains": lambda w, model: [i in w for i in range(SIZE)] == [i in model for i in range(SIZE)],
    "get": lambda w, model: [w.get(i) for i in range(-SIZE, SIZE)] == 2 * [model.get(i) for i in range(SIZE)],
    "several": lambda w, model: w[[3, 0]].new().to_dict() == {k: model[i] for k, i in enumerate([3, 0]) if i in model},
    "count": lambda w, model: len([*w]) == len(model),
    "copy": lambda w, model: copy.deepcopy(w).to_dict() == copy.copy(w).to_dict() == w.to_dict(),
    "pickle": lambda w, model: pickle.loads(pickle.dumps(w)).to_dict() == dict(sorted(model.items())),
    "dtype": lambda w, model: (w.dtype, w.size) == (w.dup().dtype, SIZE),
    "mask": lambda w, model: w.S.dense().nonzero()[0].tolist() == sorted(model),
    "operand": lambda w, model: w.ewise_add(w, "first").new().to_dict() == w.to_dict(),
    "reduced": lambda w, model: w.reduce(monoid.any).new().is_empty == (not model),
}

SMALL = st.integers(-9, 9)
PLAIN = {"b": st.booleans(), "i": SMALL, "u": st.integers(0, 9), "f": SMALL | st.floats(-9, 9)}


@given(st.data())
def test_every_look_sees_what_was_set(data):
    w = data.draw(sts.vectors(SIZE, small=True))
    model, dtype = w.to_dict(), w.dtype
    for _ in range(data.draw(st.integers(1, 8))):
        for index in data.draw(st.lists(st.integers(-SIZE, SIZE - 1), max_size=6)):
            value = data.draw(PLAIN[dtype.kind] | st.none())
            if value is None:
                del w[index]
                model.pop(index % SIZE, None)
            else:
                w[index] = value
                model[index % SIZE] = casts.cast(checks.numeric("", value), dtype).item()
        look = data.draw(st.sampled_from(sorted(LOOKS)))
        assert LOOKS[look](w, model), look
    assert (w.to_dict(), w.dtype) == (dict(sorted(model.items())), dtype)


@given(sts.dtypes, st.booleans() | st.integers(-(2**70), 2**70) | st.floats())
def test_a_plain_number_is_cast_as_all_are(dtype, value):
    quick = casts.plain(value, np.dtype(dtype))
    if quick is not None:
        expected = casts.cast(checks.numeric("", value), np.dtype(dtype)).item()
        assert type(quick) is type(expected)
        np.testing.assert_equal(quick, expected)


@pytest.mark.parametrize("form", ["sparse", "bitmap", "full"])
def test_what_cannot_be_set_leaves_all_as_it_was(form):
    found = dict.fromkeys(range(SIZE), 1.5) if form == "full" else {3: 1.5}
    w = sts.vector(found, SIZE, "f8", form)
    w[4] = 2
    for index, value in [(SIZE, 1), (-SIZE - 1, 1)]:
        with pytest.raises(OutOfRangeError, match="index"):
            w[index] = value
    with pytest.raises(TypeError):
        w[3] = "one"
    assert w.to_dict() == found | {4: 2.0}


def test_a_copy_made_before_an_entry_was_set_does_not_have_it():
    w = Vector.from_coo([1], [10], size=SIZE)
    w[2] = 20
    earlier, mask = w.dup(), w.S
    w[3] = 30
    assert earlier.to_dict() == {1: 10, 2: 20}
    assert mask.dense().nonzero()[0].tolist() == [1, 2, 3]  # a mask is as its vector is when it is used


def test_a_product_sees_what_was_set():
    A, q = Matrix.from_edges([0, 1], [1, 2], n=3), Vector(int, 3)
    q[0] = 5
    product = q.vxm(A, "plus_first")
    q[1] = 6
    assert product.new().to_dict() == {1: 5, 2: 6}


def test_readers_in_several_threads_all_see_what_was_set():
    w = Vector(int, 100_000)
    for i in range(2000):
        w[7 * i] = i
    seen = []
    threads = [threading.Thread(target=lambda: seen.append(w.nvals)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [2000] * 8
