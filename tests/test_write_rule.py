"""The rule by which every result is written, w⟨mask, replace⟩ = w ⊙ t, against a model of the specification."""

import models
import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import LagbfsError, Matrix, Vector, backends, binary, replace, using

# Accumulators as plain functions; all are computed in the dtype of w.
ACCUM = {
    None: None,
    "plus": lambda x, y: x + y,
    "minus": lambda x, y: x - y,
    "times": lambda x, y: x * y,
    "min": min,
    "max": max,
    "first": lambda x, y: x,
    "second": lambda x, y: y,
    "pair": lambda x, y: 1,
    "lor": lambda x, y: bool(x) or bool(y),
    "land": lambda x, y: bool(x) and bool(y),
    "lt": lambda x, y: x < y,
}


@st.composite
def cases(draw):
    """Return w, mask, accumulator, replace and the dtypes of w and t."""
    size = draw(st.integers(1, 40))
    w = draw(sts.vectors(size, small=True))
    mask = draw(sts.masks(size))
    accum = draw(st.sampled_from(sorted(ACCUM, key=str)))
    return w, mask, accum, draw(st.booleans()) and mask is not None


def accumulate(name, dtype):
    """Return the accumulator on Python numbers; the right-hand side is cast to the dtype of w first."""
    if name is None:
        return None
    return lambda x, y: models.wrap(ACCUM[name](x, models.wrap(y, dtype)), dtype)


def expected(w, t, mask, accum, clear):
    """Return the entries of w after the write, in the dtype of w."""
    allow = models.allowed(mask, w.size)
    written = models.write(w.to_dict(), t, allow, accumulate(accum, w.dtype), clear)
    return {i: models.wrap(x, w.dtype) for i, x in sorted(written.items())}


@given(cases(), st.data())
def test_writing_a_vector(case, data):
    w, mask, accum, clear = case
    t = data.draw(sts.vectors(w.size, small=True))
    model, dtype = expected(w, t.to_dict(), mask, accum, clear), w.dtype
    w(mask=mask, accum=accum, replace=clear) << t
    assert (w.to_dict(), w.dtype) == (model, dtype)
    assert w.nvals == len(model)


@given(cases(), st.data())
def test_writing_a_scalar(case, data):
    w, mask, accum, clear = case
    dtype = data.draw(st.sampled_from([np.dtype(bool), np.dtype("i8"), np.dtype("f8")]))
    scalar = data.draw(sts.values(dtype, small=True))
    model = expected(w, dict.fromkeys(range(w.size), scalar), mask, accum, clear)
    w(mask=mask, accum=accum, replace=clear) << scalar
    assert w.to_dict() == model


@given(cases(), st.data())
def test_writing_an_elementwise_expression(case, data):
    w, mask, accum, clear = case
    u = data.draw(sts.vectors(w.size, small=True))
    t = {i: models.wrap(x, u.dtype) for i, x in u.to_dict().items()}
    model = expected(w, t, mask, accum, clear)
    w(mask=mask, accum=accum, replace=clear) << u.apply("identity")
    assert w.to_dict() == model


@given(cases(), st.data())
def test_writing_a_product(arms, case, data):
    w, mask, accum, clear = case
    n = w.size
    A = data.draw(sts.coordinates(n, n, "i8", small=True))
    q = data.draw(sts.entries(n, "i8", small=True))
    t = {j: x for j, (x,) in models.product("plus_times", q, A, "i8", "i8").items()}
    model = expected(w, t, mask, accum, clear)
    product = sts.vector(q, n, "i8").vxm(sts.matrix(A, n, n, "i8"))
    for arm in arms:
        copy = w.dup()
        copy.format = w.format
        copy(mask=mask, accum=accum, replace=clear) << product.by(arm)
        assert copy.to_dict() == model


@given(cases(), st.data())
def test_writing_to_some_positions(case, data):
    """GrB_assign: w⟨mask, replace⟩(index) = w(index) ⊙ t; the mask is over all of w."""
    w, mask, accum, clear = case
    index = data.draw(st.lists(st.integers(0, w.size - 1), unique=True, max_size=w.size))
    if data.draw(st.booleans()):
        index = data.draw(st.permutations(range(w.size)))
    t = data.draw(sts.vectors(len(index), small=True))
    scalar = data.draw(st.none() | st.integers(-8, 8))
    part = t.to_dict() if scalar is None else dict.fromkeys(range(len(index)), scalar)
    z = {index[k]: x for k, x in part.items()}
    if accum is None:  # inside the index t replaces what was there, outside w stays
        z = {i: x for i, x in w.to_dict().items() if i not in index} | z
    model = expected(w, z, mask, accum, clear)
    w(mask=mask, accum=accum, replace=clear)[index] << (t if scalar is None else scalar)
    assert w.to_dict() == model


def test_writing_a_product_to_some_positions(arms):
    A = Matrix.from_coo([0, 1], [1, 0], [2, 3])
    product = Vector.from_coo([0, 1], [1, 1]).vxm(A)
    for arm in arms:
        w, mask = Vector.from_scalar(1, 4), Vector.from_coo([3], [True], size=4)
        w(mask.S)[[3, 0]] << product.by(arm)
        assert w.to_dict() == {0: 1, 1: 1, 2: 1, 3: 3}


@given(st.data())
def test_a_mask_on_the_indexed_positions(data):
    """``w[index](mask) << t``: the mask is over the index."""
    w = data.draw(sts.vectors(12, "i8", small=True))
    index = data.draw(st.lists(st.integers(0, 11), unique=True, min_size=1))
    mask, t = data.draw(sts.masks(len(index), none=False)), data.draw(sts.vectors(len(index), "i8"))
    before = w.to_dict()
    part = {k: before[i] for k, i in enumerate(index) if i in before}
    part = models.write(part, t.to_dict(), models.allowed(mask, len(index)), None, False)
    model = {i: x for i, x in before.items() if i not in index} | {index[k]: x for k, x in part.items()}
    w[index](mask) << t
    assert w.to_dict() == model


@given(cases())
def test_a_vector_may_be_its_own_mask_and_right_hand_side(case):
    w, _, accum, clear = case
    for kind in sts.MASK_KINDS:
        copy = w.dup()
        mask = sts.as_mask(copy, kind)
        model = expected(copy, copy.to_dict(), mask, accum, clear)
        copy(mask=mask, accum=accum, replace=clear) << copy
        assert copy.to_dict() == model


def test_arguments_may_come_in_any_order():
    mask = Vector.from_coo([0], [True], size=2)
    for args in [(mask.S, binary.plus, replace), (replace, mask.S, "named"), (binary.plus, replace, mask.S)]:
        w = Vector.from_coo([0, 1], [1, 2])
        named = {"accum": "plus"} if isinstance(args[-1], str) else {}
        w(*(a for a in args if not isinstance(a, str)), **named) << 10
        assert w.to_dict() == {0: 11}


def _raise(*_, **__):
    raise RuntimeError("the engine failed")


FAILURES = {
    "right-hand side of another size": lambda w, m: w(m.S) << Vector(float, 3),
    "mask of another size": lambda w, m: w(Vector(bool, 3).S) << 1,
    "no number": lambda w, m: w(m.S) << "seven",
    "complex": lambda w, m: w(m.S) << 1j,
    "position named twice": lambda w, m: w(m.S)[[1, 1]] << 5,
    "position out of range": lambda w, m: w(m.S)[[0, 9]] << 5,
    "too many values": lambda w, m: w(m.S)[[0, 1]] << Vector.from_scalar(1, 3),
    "accumulator without a value": lambda w, m: w(m.S, accum="secondi") << 5,
    "unknown accumulator": lambda w, m: w(m.S, accum="no such") << 5,
    "replace without a mask": lambda w, m: w(replace=True) << 5,
    "a vector of numbers as mask": lambda w, m: w(w) << 5,
    "infix without operator": lambda w, m: w(m.S) << (w | m),
}


@pytest.mark.parametrize("what", FAILURES)
@pytest.mark.parametrize("form", sts.FORMS)
def test_a_failed_assignment_leaves_the_target_as_it_was(what, form):
    found = {0: 1.5, 1: 2.5, 2: 3.5, 3: 4.5} if form == "full" else {0: 1.5, 2: 3.5}
    w, mask = sts.vector(found, 4, "f8", form), Vector.from_coo([0, 1], [True, False], size=4)
    with pytest.raises(LagbfsError):
        FAILURES[what](w, mask)
    assert (w.to_dict(), w.format, w.nvals) == (found, form, len(found))
    assert mask.to_dict() == {0: True, 1: False}


def test_a_failing_engine_leaves_the_target_as_it_was(backend, monkeypatch):
    monkeypatch.setattr(type(backends.get(backend)), "product", _raise)
    A = Matrix.from_coo([0, 1], [1, 0], [2, 3])
    for form in sts.FORMS:
        w = sts.vector({0: 1, 1: 2}, 2, "i8", form)
        with using(backend=backend), pytest.raises(RuntimeError, match="the engine failed"):
            w(~w.S, replace=True) << w @ A
        assert (w.to_dict(), w.format) == ({0: 1, 1: 2}, form)
