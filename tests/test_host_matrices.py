"""Routines on matrices by the kernels, on one thread and on two: what NumPy computes, to the last bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagbfs.host import PLAIN, combining
from lagbfs.host.plain import blocks_of

DTYPES = [np.dtype(t) for t in ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8")]
OPERATORS = ["plus", "minus", "times", "truediv", "min", "max", "land", "lor", "first", "any", "second"]


@pytest.fixture(scope="module", autouse=True)
def _kernels():
    pytest.importorskip("lagbfs.backends.native._kernels", reason="needs the native engine: a C++17 compiler")


def kernels():
    from lagbfs.backends.native.loading import kernels

    return kernels()


def same(found, expected):
    """Whether arrays are the same to the bit, signs of zeros and NaNs included; values may come out without a type."""
    for x, y in zip(found, expected, strict=True):
        if y is None:
            assert x is None
        elif x.dtype.kind in "ui" and y.dtype.kind in "bf":
            np.testing.assert_array_equal(x.view(y.dtype), y)
        else:
            np.testing.assert_array_equal(x.astype(y.dtype), y)


@st.composite
def numbers(draw, size, dtype):
    seed = draw(st.integers(0, 2**32 - 1))
    random = np.random.default_rng(seed)
    if dtype.kind == "b":
        return random.integers(0, 2, size).astype(bool)
    if dtype.kind == "f":
        special = np.array([np.nan, np.inf, 0.1, 1 / 3, 1e30, -7.7, 2.5], dtype)
        return np.where(random.random(size) < 0.3, random.choice(special, size), random.random(size)).astype(dtype)
    info = np.iinfo(dtype)
    return random.integers(info.min, info.max, size, dtype=dtype, endpoint=True)


@st.composite
def compressed(draw, nrows, ncols, widths):
    index, offset = widths
    density = draw(st.sampled_from([0, 0.05, 0.3, 0.9]))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    there = random.random((nrows, ncols)) < density
    indptr = np.append(0, np.cumsum(there.sum(axis=1)))
    return indptr.astype(offset), np.nonzero(there)[1].astype(index)


WIDTHS = st.sampled_from([(np.int32, np.int32), (np.int32, np.int64), (np.int64, np.int64)])
SIZES = st.integers(0, 40)


@given(data=st.data(), dtype=st.sampled_from(DTYPES), op=st.sampled_from(OPERATORS), widths=WIDTHS)
def test_two_matrices_are_merged(data, dtype, op, widths):
    if not combining.knows(op, dtype):
        op = "second"
    nrows, ncols = data.draw(SIZES), data.draw(SIZES)
    a, b = (data.draw(compressed(nrows, ncols, widths)) for _ in range(2))
    sizes = [1 if data.draw(st.booleans()) else len(m[1]) for m in (a, b)]
    x, y = (data.draw(numbers(size, dtype)) for size in sizes)
    for intersect in (False, True):
        expected = PLAIN.merge(*a, x, *b, y, op, intersect=intersect)
        for threads in (1, 2):
            same(kernels().merge(*a, x, *b, y, op, intersect, threads), expected)
        pattern = kernels().merge(*a, None, *b, None, "", intersect)
        same(pattern, (*expected[:2], None))


@given(data=st.data(), dtype=st.sampled_from(DTYPES), widths=WIDTHS)
def test_bands_and_flagged_entries_are_chosen(data, dtype, widths):
    nrows, ncols = data.draw(SIZES), data.draw(SIZES)
    a = data.draw(compressed(nrows, ncols, widths))
    values = data.draw(st.none() | numbers(len(a[1]), dtype))
    slope, low, high = data.draw(st.integers(0, 1)), data.draw(st.integers(-40, 40)), data.draw(st.integers(-40, 40))
    flags = np.random.default_rng(low + 40).random(len(a[1])) < 0.4
    for threads in (1, 2):
        band = kernels().choose_band(*a, values, slope, low, high, threads)
        same(band, PLAIN.band(*a, values, slope, low, high))
        same(kernels().choose_flagged(*a, values, flags, threads), PLAIN.flagged(*a, values, flags))


@given(data=st.data(), dtype=st.sampled_from(DTYPES), op=st.sampled_from(OPERATORS), widths=WIDTHS)
def test_rows_and_columns_are_folded(data, dtype, op, widths):
    if not combining.folds(op, dtype):
        op = "max"
    nrows, ncols = data.draw(SIZES), data.draw(SIZES)
    a = data.draw(compressed(nrows, ncols, widths))
    values = data.draw(numbers(len(a[1]), dtype))
    for threads in (1, 2):
        same([kernels().fold_groups(op, values, a[0], threads)], [PLAIN.fold_groups(op, values, a[0])])
        blocks = blocks_of(len(a[1]), ncols)
        columns = kernels().fold_columns(op, *a, values, ncols, blocks, threads)
        same(columns, PLAIN.fold_columns(op, *a, values, ncols))


@given(data=st.data(), dtype=st.sampled_from(DTYPES), op=st.sampled_from(OPERATORS))
def test_coordinates_with_values_are_sorted_and_folded(data, dtype, op):
    if not combining.knows(op, dtype):
        op = "second"
    n, size = data.draw(st.integers(1, 40)), data.draw(st.integers(0, 200))
    ends = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1))).integers(0, n, (2, size))
    src, dst = ends.astype(data.draw(st.sampled_from([np.int32, np.int64])))
    values = data.draw(st.none() | numbers(size, dtype))
    options = {name: data.draw(st.booleans()) for name in ("symmetrize", "drop_loops", "dedup", "wide_offsets")}
    fold = "" if values is None else data.draw(st.sampled_from(["", op]))
    expected = PLAIN.build_csr(src, dst, n, n, values=values, fold=fold, **options)
    for threads in (1, 2):
        same(kernels().build_csr(src, dst, n, n, values, fold, threads=threads, **options), expected)


@given(data=st.data(), dtype=st.sampled_from(DTYPES), widths=WIDTHS)
def test_values_follow_a_transpose(data, dtype, widths):
    nrows, ncols = data.draw(SIZES), data.draw(SIZES)
    a = data.draw(compressed(nrows, ncols, widths))
    values = data.draw(numbers(len(a[1]), dtype))
    same(kernels().transpose(*a, ncols, values), PLAIN.transpose(*a, ncols, values))


def many(seed, dtype=np.float64, n=3000, size=200_000):
    """Return a matrix that is worth two threads."""
    random = np.random.default_rng(seed)
    src, dst = random.integers(0, n, (2, size)).astype(np.int32)
    return PLAIN.build_csr(src, dst, n, n, values=random.random(size).astype(dtype))


def test_large_ones_are_the_same_on_two_threads():
    a, b = many(1), many(2)
    same(kernels().merge(*a, *b, "plus", False, 2), PLAIN.merge(*a, *b, "plus", intersect=False))
    same(kernels().merge(*a, *b, "times", True, 2), PLAIN.merge(*a, *b, "times", intersect=True))
    same(kernels().choose_band(*a, 1, -5000, 1, 2), PLAIN.band(*a, 1, -5000, 1))
    same([kernels().fold_groups("plus", a[2], a[0], 2)], [PLAIN.fold_groups("plus", a[2], a[0])])
    blocks = blocks_of(len(a[1]), 3000)
    assert blocks > 1
    same(kernels().fold_columns("plus", *a, 3000, blocks, 2), PLAIN.fold_columns("plus", *a, 3000))
    same(kernels().transpose(*a[:2], 3000, a[2], 2), PLAIN.transpose(*a[:2], 3000, a[2]))


@pytest.mark.parametrize("fold", ["plus", "min", "max", "first", "second", "times"])
def test_many_coordinates_are_the_same_on_two_threads(fold):
    random = np.random.default_rng(3)
    src, dst = random.integers(0, 500, (2, 150_000))
    values = random.random(150_000)
    expected = PLAIN.build_csr(src, dst, 500, 500, values=values, fold=fold)
    same(kernels().build_csr(src, dst, 500, 500, values, fold, threads=2), expected)


@pytest.mark.parametrize(
    "call",
    [
        lambda k: k.merge(*[np.zeros(1, np.int32), np.zeros(0, np.int32), np.zeros(0)] * 2, "nothing", False),
        lambda k: k.fold_groups("minus", np.zeros(3), np.array([0, 3])),
        lambda k: k.fold_groups("plus", np.zeros(3), np.array([0, 4])),
        lambda k: k.build_csr(np.array([0]), np.array([0]), 1, 1, np.array([True]), "plus"),
        lambda k: k.build_csr(np.array([0]), np.array([0]), 1, 1, np.zeros(2)),
        lambda k: k.choose_flagged(np.array([0, 1]), np.array([0]), None, np.zeros(2, bool)),
    ],
)
def test_what_kernels_do_not_know_is_refused(call):
    with pytest.raises(ValueError, match=r"op:|fold:|values:|starts:|flags:"):
        call(kernels())
