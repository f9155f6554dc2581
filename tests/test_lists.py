"""Lists of entries by an engine's kernels against NumPy's: unions, intersections, and writes under a mask."""

import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import host


@pytest.fixture(scope="module")
def kernels():
    """The routines of an engine."""
    if host.routines() is host.PLAIN:
        pytest.skip("no engine with routines can run here: install a C++17 compiler and lagbfs again")
    return host.routines()


@st.composite
def pairs(draw):
    """Return two lists with values of one dtype, and a size that holds both."""
    size, dtype = draw(st.sampled_from([1, 7, 60, 20000])), draw(sts.dtypes)
    return *_list(draw, size, dtype), *_list(draw, size, dtype), size


def _list(draw, size, dtype):
    """Return up to all indices of a size, and values whose bytes are anything."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    count = draw(st.integers(0, min(size, 20))) if size < 20000 or draw(st.booleans()) else size // 2
    indices = np.sort(rng.permutation(size)[:count])
    bits = rng.integers(0, 2 if np.dtype(dtype) == bool else 256, (count, np.dtype(dtype).itemsize), np.uint8)
    return indices, bits.view(dtype).reshape(-1)


def assert_same(found, expected):
    for x, y in zip(found, expected, strict=True):
        assert x.dtype == y.dtype
        assert x.tobytes() == y.tobytes()


@given(pairs())
def test_unions(kernels, case):
    u, x, v, y, _ = case
    indices, values, both, at_u, at_v = found = kernels.unite_lists(u, x, v, y)
    assert_same(found, host.PLAIN.unite_lists(u, x, v, y))
    model = dict(zip(u.tolist(), x, strict=True)) | dict(zip(v.tolist(), y, strict=True))
    assert indices.tolist() == sorted(model)
    assert values.tobytes() == np.array([model[i] for i in sorted(model)], x.dtype).tobytes()
    assert indices[both].tolist() == u[at_u].tolist() == v[at_v].tolist() == sorted({*u.tolist()} & {*v.tolist()})


@given(pairs())
def test_intersections(kernels, case):
    u, _, v, _, _ = case
    indices, at_u, at_v = found = kernels.meet_lists(u, v)
    assert_same(found, host.PLAIN.meet_lists(u, v))
    assert indices.tolist() == u[at_u].tolist() == v[at_v].tolist() == sorted({*u.tolist()} & {*v.tolist()})


@given(pairs(), st.data())
def test_writes_under_a_mask(kernels, case, data):
    w, x, z, y, size = case
    named, _ = _list(data.draw, size, np.dtype(bool))
    flags = np.zeros(size, bool)
    flags[named] = True
    mask = data.draw(st.sampled_from([named, flags]))
    options = {"complement": data.draw(st.booleans()), "replace": data.draw(st.booleans())}
    found = kernels.write_list(w, x, z, y, mask, **options)
    assert_same(found, host.PLAIN.write_list(w, x, z, y, mask, **options))
    allowed = flags != options["complement"]
    model = {} if options["replace"] else {i: x[k] for k, i in enumerate(w.tolist()) if not allowed[i]}
    model |= {i: y[k] for k, i in enumerate(z.tolist()) if allowed[i]}
    assert found[0].tolist() == sorted(model)
    assert found[1].tobytes() == np.array([model[i] for i in sorted(model)], x.dtype).tobytes()


@given(st.sampled_from(sts.DTYPES), st.integers(0, 9000), st.integers(0, 2**32 - 1))
def test_picks(kernels, dtype, size, seed):
    rng = np.random.default_rng(seed)
    flags = rng.integers(0, 2, size).astype(bool)
    x, y = (rng.integers(0, 2, (size, np.dtype(dtype).itemsize), np.uint8).view(dtype).reshape(-1) for _ in "xy")
    assert_same([kernels.pick(flags, x, y)], [np.where(flags, x, y)])


def test_lists_that_do_not_fit_are_refused(kernels):
    two, three = np.arange(2), np.ones(3)
    with pytest.raises(ValueError, match="length"):
        kernels.unite_lists(two, three, two, np.ones(2))
    with pytest.raises(ValueError, match="dtype"):
        kernels.unite_lists(two, np.ones(2), two, np.ones(2, int))
    with pytest.raises(ValueError, match="length"):
        kernels.pick(np.ones(3, bool), three, np.ones(2))
    with pytest.raises(ValueError, match="mask"):
        kernels.write_list(two, np.ones(2), two, np.ones(2), np.ones(2), complement=False, replace=False)
