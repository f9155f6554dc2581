"""Aggregators: their results are those of python-graphblas, or of plain formulas where it has none or is wrong."""

import math
import statistics

import numpy as np
import pytest

import lagbfs
from lagbfs import Matrix, Vector, agg, binary, monoid
from lagbfs.base.dtypes import ALL, BOOL, FP32, FP64, INT64

gb = pytest.importorskip("graphblas")

NAMES = agg.FAMILY.names()
INDICES = {"argmin", "argmax", "first_index", "last_index"}
# Here in int64 whatever the dtype: python-graphblas counts in that of the values, in which they wrap.
COUNTS = {"count_nonzero", "count_zero", "L0norm"}


def theirs(name):
    return getattr(gb.agg.ss if hasattr(gb.agg.ss, name) else gb.agg, name)


def numbers(dtype, count, seed):
    """Return positive numbers, none twice, whose sums and products fit."""
    if dtype == BOOL:
        return np.random.default_rng(seed).random(count) < 0.5
    return np.random.default_rng(seed).permutation(np.arange(1, count + 1)).astype(dtype)


def assert_same(ours, theirs, name):
    expected = INT64 if name in COUNTS else theirs.dtype.np_type
    assert ours.dtype == expected
    if hasattr(ours, "to_coo"):
        (at, values), (at_theirs, values_theirs) = ours.to_coo(), theirs.to_coo()
        np.testing.assert_array_equal(at, at_theirs)
    else:
        values, values_theirs = ours.value, theirs.value
        assert (values is None) == (values_theirs is None)
        if values is None:
            return
    np.testing.assert_allclose(values, values_theirs, 1e-5 if expected == FP32 else 1e-12, 1e-5)


def test_every_name_is_here():
    known = {name for name in (*dir(gb.agg), *dir(gb.agg.ss)) if name[0] != "_"}
    assert known - {"Aggregator", "TypedAggregator", "from_string", "ss"} == {*NAMES}


# Where python-graphblas's sums, squares and products wrap; what it says that it has over bools and then has not; and
# over bools, of which two are always alike, the index of any.
NARROW = {"mean", "varp", "vars", "stdp", "stds", "root_mean_square", "geometric_mean"}
WRONG = {INT64: set(), FP32: set(), FP64: set(), BOOL: NARROW | {"argmin", "argmax", "any_value"}}


@pytest.mark.parametrize("name", NAMES)
def test_vectors_and_matrices(name):
    ours = getattr(agg, name)
    for dtype in ALL:
        if dtype not in theirs(name) or name in WRONG.get(dtype, NARROW):
            continue
        x = numbers(dtype, 5, 1)
        v, w = Vector.from_coo([1, 2, 4, 6, 7], x, size=9), gb.Vector.from_coo([1, 2, 4, 6, 7], x, size=9)
        i, j = [0, 0, 2, 2, 2, 3], [1, 3, 0, 1, 3, 2]
        A, B = (kind.from_coo(i, j, numbers(dtype, 6, 2), nrows=5, ncols=4) for kind in (Matrix, gb.Matrix))
        if name == "any_value":
            assert v.reduce(ours).value in x
            continue
        assert_same(v.reduce(ours).new(), w.reduce(theirs(name)).new(), name)
        assert Vector(dtype, 3).reduce(ours).new().is_empty
        assert_same(A.reduce_rowwise(ours).new(), B.reduce_rowwise(theirs(name)).new(), name)
        assert_same(A.reduce_columnwise(ours).new(), B.reduce_columnwise(theirs(name)).new(), name)
        if name in INDICES:
            with pytest.raises(lagbfs.LagbfsError, match="reduce_scalar"):
                A.reduce_scalar(ours).new()
        else:
            assert_same(A.reduce_scalar(ours).new(), B.reduce_scalar(theirs(name)).new(), name)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i8", "f4", "f8"])
def test_large_sums_do_not_wrap(dtype):
    x = np.array([100, 120, 90, 127, 111, 64], dtype)
    v = Vector.from_dense(x)
    floats = x.astype(float).tolist()
    for name, expected in {
        "mean": statistics.mean(floats),
        "varp": statistics.pvariance(floats),
        "vars": statistics.variance(floats),
        "stdp": statistics.pstdev(floats),
        "stds": statistics.stdev(floats),
        "geometric_mean": statistics.geometric_mean(floats),
        "harmonic_mean": statistics.harmonic_mean(floats),
        "hypot": math.hypot(*floats),
        "root_mean_square": math.sqrt(statistics.mean(a * a for a in floats)),
        "logaddexp": 127 + math.log(sum(math.exp(a - 127) for a in floats)),
        "logaddexp2": 127 + math.log2(sum(2.0 ** (a - 127) for a in floats)),
    }.items():
        assert v.reduce(getattr(agg, name)).value == pytest.approx(expected, rel=1e-6)


def test_counts_do_not_wrap():
    v = Vector.from_dense(np.r_[np.ones(200, "i1"), np.zeros(300, "i1")])
    assert [v.reduce(op).value for op in (agg.count, agg.count_nonzero, agg.count_zero)] == [500, 200, 300]


def test_bools_have_means():
    v = Vector.from_dense([True, False, True, True])
    assert (v.reduce(agg.mean).value, v.reduce(agg.sum).value, v.reduce(agg.count_zero).value) == (0.75, 3, 1)


def test_the_first_of_several_and_numbers_beside_nan():
    v = Vector.from_coo([2, 3, 5, 7], [np.nan, 1.0, 4.0, 1.0], size=9)
    assert (v.reduce(agg.argmin).value, v.reduce(agg.argmax).value) == (3, 5)
    assert Vector.from_coo([4, 5], [np.nan, np.nan]).reduce(agg.argmin).value == 4
    assert Vector.from_coo([0, 1], [-np.inf, -np.inf]).reduce(agg.logaddexp).value == -np.inf


def test_calls_names_and_dtypes():
    A, v = Matrix.from_coo([0, 0, 2], [1, 3, 2], [4, 1, 1], nrows=4, ncols=4), Vector.from_dense([5, 2])
    assert agg.sum(A, rowwise=True).new().to_dict() == {0: 5, 2: 1}
    assert agg.sum(A, columnwise=True).new().to_dict() == {1: 4, 2: 1, 3: 1}
    assert (agg.sum(A).value, agg.sum(v).value) == (6, 7)
    assert v.reduce("mean").value == 3.5
    assert v.reduce("sum[float]").new().dtype == agg.sum[float].return_type == FP64
    assert v.reduce("any").new().dtype == v.reduce(monoid.any).new().dtype == INT64  # the monoid comes first
    assert v.reduce("numpy.add").value == v.reduce("+[int]").value == 7
    assert agg.from_string("+") is agg.sum
    assert repr(agg.mean[int]) == "agg.mean[FP64]"
    for wrong in (lambda: agg.sum(v, rowwise=True), lambda: agg.sum(A, rowwise=True, columnwise=True)):
        with pytest.raises(lagbfs.LagbfsError, match="rowwise and columnwise"):
            wrong()
    with pytest.raises(lagbfs.LagbfsError, match="takes a Vector"):
        agg.sum(3)
    with pytest.raises(lagbfs.LagbfsError, match="'nonsense'"):
        v.reduce("nonsense")


def test_on_every_engine(backend):
    v = Vector.from_coo([1, 3, 4], [4, 1, 3], size=6)
    with lagbfs.using(backend=backend):
        assert (v.reduce(agg.mean).value, v.reduce(agg.argmax).value) == (pytest.approx(8 / 3), 1)


def test_what_several_give_is_made_one():
    silly = agg.Aggregator(
        "silly", composite=[agg.varp, agg.stdp], finalize=lambda x, y, opts: binary.times(x & y), types=[agg.varp]
    )
    A = Matrix.from_coo([0, 0, 2, 2], [0, 1, 0, 2], [1, 3, 2, 10])
    assert A.reduce_rowwise(silly).new().to_dict() == {0: 1.0, 2: 64.0}
    assert A.reduce_scalar(silly).value == pytest.approx(A.reduce_scalar(agg.varp).value ** 1.5)
    assert silly["INT32"].return_type == FP64
    assert Vector(int, 5).reduce(silly).new().is_empty
    between = agg.Aggregator("between", composite=[agg.argmin, agg.argmax], finalize=lambda x, y, opts: y - x)
    assert between(A, rowwise=True).new().to_dict() == {0: 1, 2: 2}
    with pytest.raises(lagbfs.LagbfsError, match="gives an index"):
        A.reduce_scalar(between).new()
    some = agg.Aggregator("some", composite=[agg.min], finalize=lambda x, opts: x.select(">", 1))
    with pytest.raises(lagbfs.LagbfsError, match="finalize must return a value for each"):
        A.reduce_rowwise(some).new()
    for wrong in ({}, {"composite": [agg.min]}, {"finalize": lambda x, opts: x}):
        with pytest.raises(lagbfs.LagbfsError, match="needs compute and signature, or composite and finalize"):
            agg.Aggregator("wrong", **wrong)


def test_what_folds_has_a_value_of_nothing():
    nothing, no_matrix = Vector(int, 3), Matrix("INT8", 2, 2)
    assert nothing.reduce(agg.sum).new().is_empty
    assert nothing.reduce(agg.sum, allow_empty=False).value == 0
    assert no_matrix.reduce_scalar(agg.min, allow_empty=False).value == 127
    with pytest.raises(ValueError, match=r"allow_empty=False is for monoids: agg\.mean"):
        nothing.reduce(agg.mean, allow_empty=False)
