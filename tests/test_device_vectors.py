"""Vectors on the device: the same operations, by the same code, with the same results as in main memory."""

import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import LagbfsError, Matrix, Vector, backends, select, semiring, using
from lagbfs.testing import operands

ENGINE = {info.name: info for info in backends.available()}["cupyx"]
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not ENGINE.runs, reason=f"cupyx cannot run here: {ENGINE.reason}")]

BINARY = [op.name for op in operands.BINARY if not op.position]
UNARY = ["identity", "ainv", "minv", "abs", "one", "lnot", "sqrt", "exp", "round", "erf"]
MONOIDS = [op.name for op in operands.MONOIDS]
SELECT = select.FAMILY.names()
SEMIRINGS = semiring.COMMON
RUNNING = [info.name for info in backends.available() if info.runs]


def same(there, here):
    """The vector on the device equals the one in main memory."""
    assert there.is_on_device
    assert not here.is_on_device
    assert there.format == here.format
    back = there.to_host()
    assert back.dtype == here.dtype
    np.testing.assert_array_equal(back.to_coo()[0], here.to_coo()[0])
    np.testing.assert_array_equal(back.to_coo()[1], here.to_coo()[1])


def moved_mask(mask):
    """Return the mask of the same kind, of the vector on the device."""
    return type(mask)(mask.parent.to_device(), structural=mask.structural, complement=mask.complement)


@given(v=sts.vectors(40))
def test_there_and_back(v):
    there = v.to_device()
    same(there, v)
    assert there.to_device() is there
    assert v.to_host() is v
    assert there.to_dict() == v.to_dict()
    assert list(there) == list(v)
    assert (there.nvals, there.size, there.dtype) == (v.nvals, v.size, v.dtype)
    assert repr(there) == repr(v)
    assert there._repr_html_() == v._repr_html_()
    assert there.isequal(there.dup())


@given(u=sts.vectors(12, small=True), v=sts.vectors(12, small=True), name=st.sampled_from(BINARY))
@sts.examples(3)
def test_elementwise_operations(u, v, name):
    for method in ("ewise_add", "ewise_mult"):
        here = getattr(u, method)(v, name).new()
        same(getattr(u.to_device(), method)(v.to_device(), name).new(), here)


@given(v=sts.vectors(12, small=True), name=st.sampled_from(UNARY))
@sts.examples(2)
def test_apply(v, name):
    same(v.to_device().apply(name).new(), v.apply(name).new())


@given(v=sts.vectors(12, small=True), name=st.sampled_from(BINARY), bound=st.integers(-3, 3))
@sts.examples(2)
def test_apply_with_a_bound_operand_and_select(v, name, bound):
    for side in ("left", "right"):
        same(v.to_device().apply(name, **{side: bound}).new(), v.apply(name, **{side: bound}).new())
    for op in SELECT:
        same(v.to_device().select(op, bound).new(), v.select(op, bound).new())


@given(v=sts.vectors(30, small=True))
def test_reduce(v):
    for name in MONOIDS:
        there, here = v.to_device().reduce(name).value, v.reduce(name).value
        assert there == here
        assert type(there) is type(here)


@given(data=st.data())
@sts.examples(3)
def test_writes_with_mask_accumulator_and_replace(data):
    w, t = data.draw(sts.vectors(12, small=True)), data.draw(sts.vectors(12, small=True))
    mask, accum = data.draw(sts.masks(12)), data.draw(st.sampled_from([None, "plus", "min", "second"]))
    value = data.draw(st.sampled_from([t, 3, 0.5]))
    there, options = w.to_device(), {"accum": accum, "replace": data.draw(st.booleans()) and mask is not None}
    w(mask, **options) << value
    moved = value.to_device() if isinstance(value, Vector) else value
    there(None if mask is None else moved_mask(mask), **options) << moved
    same(there, w)


@given(data=st.data())
@sts.examples(2)
def test_reading_and_assigning_by_index(data):
    v = data.draw(sts.vectors(12, small=True))
    there = v.to_device()
    index = data.draw(st.one_of(st.integers(0, 11), st.lists(st.integers(0, 11), unique=True), st.just(slice(2, 9, 2))))
    read = v[index].new()
    if isinstance(read, Vector):
        same(there[index].new(), read)
        same(there.extract(index), read)
        part = data.draw(sts.vectors(read.size, small=True))
        v[index], there[index] = part, part.to_device()
    else:
        assert there[index].value == read.value
        assert (index in there) == (index in v)
        v[index], there[index] = 2, 2
    same(there, v)
    del v[index], there[index]
    same(there, v)
    there.clear()
    assert (there.nvals, there.is_on_device) == (0, True)


@given(data=st.data(), name=st.sampled_from(SEMIRINGS), engine=st.sampled_from(RUNNING))
@sts.examples(3)
def test_products_are_where_their_vector_is(data, name, engine):
    graph = data.draw(sts.graphs(12))
    A = graph.matrix()
    q, mask = data.draw(sts.vectors(graph.n, small=True)), data.draw(sts.masks(graph.n))
    there = None if mask is None else moved_mask(mask)
    with using(backend=engine, direction=data.draw(st.sampled_from(["push", "pull", "auto"]))):
        here, found = q.vxm(A, name).new(mask=mask), q.to_device().vxm(A, name).new(mask=there)
    assert found.is_on_device
    assert (set(found), found.dtype) == (set(here), here.dtype)
    if name != "any_secondi" and not (name.startswith("any") and engine == "suitesparse"):
        assert found.to_host().isequal(here)


def test_a_search_in_the_algebra_on_the_device():
    from lagbfs import replace

    A = Matrix.from_edges([0, 0, 1, 2, 3, 5], [1, 2, 3, 3, 4, 0])
    levels, frontier = Vector(int, 6).to_device(), Vector.from_coo([0], [True], size=6).to_device()
    level = 0
    with using(backend="cupyx"):
        while frontier.nvals:
            levels(frontier.S) << level
            frontier(~levels.S, replace) << semiring.any_pair(frontier @ A)
            level += 1
    assert levels.is_on_device
    assert levels.to_dict() == {0: 0, 1: 1, 2: 1, 3: 2, 4: 3}


def test_vectors_have_to_be_together():
    here = Vector.from_coo([0, 2], [1, 2], size=3)
    there = here.to_device()
    for mixed in (
        lambda: here.ewise_add(there).new(),
        lambda: there.ewise_mult(here).new(),
        lambda: here.isequal(there),
        lambda: there.isclose(here),
        lambda: there << here,
        lambda: here(there.S) << 1,
        lambda: there(~here.S) << there,
        lambda: there.ewise_add(there).new(mask=here.S),
    ):
        with pytest.raises(LagbfsError, match=r"to_device\(\) or v\.to_host\(\)"):
            mixed()
    assert here.to_dict() == there.to_dict() == {0: 1, 2: 2}
