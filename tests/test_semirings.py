"""Semirings: every monoid with every binary operator, over every kind of dtype, against the reference engine."""

import logging

import numpy as np
import pytest
import strategies as sts
from hypothesis import assume, given
from hypothesis import strategies as st

import lagbfs
from lagbfs import Matrix, Vector, backends, binary, monoid, semiring
from lagbfs.algebra.expression import Product
from lagbfs.backends.protocol import Arm
from lagbfs.binary import BinaryOp
from lagbfs.monoid import Monoid
from lagbfs.semiring import Semiring

MONOIDS = [getattr(monoid, name) for name in monoid.FAMILY.names()]
BINARY = [op for name in binary.FAMILY.names() if isinstance(op := getattr(binary, name), BinaryOp)]
# What the kernels of the native engine have, under this name or another; all others are the reference engine's.
KNOWN_MONOIDS = [monoid.any, monoid.min, monoid.max, monoid.plus, monoid.times, monoid.lor, monoid.land]
KNOWN = [
    *(binary.plus, binary.minus, binary.rminus, binary.times, binary.truediv, binary.rtruediv, binary.min, binary.max),
    *(binary.any, binary.first, binary.second, binary.pair, binary.secondi, binary.firstj, binary.lxor, binary.lxnor),
    *(binary.land, binary.lor, binary.eq, binary.ne, binary.lt, binary.le, binary.gt, binary.ge),
    *(binary.iseq, binary.isne, binary.islt, binary.isle, binary.isgt, binary.isge),
]
DTYPES = [np.dtype(t) for t in ("?", "i1", "i4", "i8", "u8", "f4", "f8")]
MIXED = [("?", "i1"), ("i1", "u1"), ("u8", "i8"), ("i1", "f4"), ("f4", "u8"), ("f8", "?")]
PAIRS = [(dtype, dtype) for dtype in DTYPES] + [(np.dtype(x), np.dtype(a)) for x, a in MIXED]
EXTREMES = {"b": [False, True], "f": [0.0, 1.0, -1.0, 0.5, 3.0, np.nan, np.inf, -np.inf]}

each_monoid = pytest.mark.parametrize("add", MONOIDS, ids=lambda op: op.name)
each_binary = pytest.mark.parametrize("multiply", BINARY, ids=lambda op: op.name)


def is_defined(add, multiply, x, a):
    return np.result_type(x, a) in Semiring(add, multiply)


@pytest.fixture(scope="session")
def native_arms(direction):
    """The arms of the engine that has all semirings."""
    if not (info := next(info for info in backends.available() if info.name == "native")).runs:
        pytest.skip(f"native cannot run here: {info.reason}. Try: {info.install}")
    return [arm for arm in backends.get("native").arms if arm.direction == direction]


def product(q, A, add, multiply, arm, mask=None):
    return Product(q, A, Semiring(add, multiply)).by(arm).new(mask=mask)


def numbers(dtype):
    """Small numbers, and those at which integers wrap or have another sign in another dtype."""
    dtype = np.dtype(dtype)
    if dtype.kind in EXTREMES:
        return np.array(EXTREMES[dtype.kind], dtype)
    low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    some = {0, 1, 2, 3, low, high, high - 1, high // 2 + 1, 2 ** (4 * dtype.itemsize)}
    return np.array(sorted(some), dtype)


def operands(x_dtype, a_dtype, *, empty=1):
    """Return q, A and a vector to mask with.

    Each two numbers meet in a column of their own. Then there are columns where several do, some of them in rows
    that q has no entry in, and empty ones.
    """
    rng = np.random.default_rng(7)
    x, a = numbers(x_dtype), numbers(a_dtype)
    absent, shared = 3, 9
    nrows, alone = len(x) + absent, len(x) * len(a)
    ncols = alone + shared + empty
    i, j = np.nonzero(rng.random((nrows, shared)) < 0.6)
    i, j = np.r_[np.repeat(np.arange(len(x)), len(a)), i], np.r_[np.arange(alone), alone + j]
    A = Matrix.from_coo(i, j, np.r_[np.tile(a, len(x)), rng.choice(a, len(i) - alone)], nrows=nrows, ncols=ncols)
    q = Vector.from_coo(np.arange(len(x)), x, size=nrows)
    return q, A, Vector.from_coo(rng.permutation(ncols)[: ncols // 2], 1, size=ncols)


def terms(q, A, multiply):
    """Return for each j the terms q_k ⊗ A_kj."""
    k, x = q.to_coo()
    found = {}
    for i, j, a in zip(*A.to_coo(), strict=True):
        for at in np.flatnonzero(k == i):
            places = tuple(np.array([place]) for place in (0, i, j))
            ring = Semiring("any", multiply).at(x.dtype, a.dtype)
            term = ring.terms(x[at : at + 1], np.array([a]), lambda places=places: places)
            found.setdefault(j, []).append(term[0])
    return found


def check(result, q, A, add, multiply, mask):
    """The result is that of the reference engine, to the last bit but for the order in which floats are added."""
    expected = product(q, A, add, multiply, Arm("reference", "push"), mask)
    assert result.dtype == expected.dtype
    (at, values), (expected_at, expected_values) = result.to_coo(), expected.to_coo()
    np.testing.assert_array_equal(at, expected_at)
    if add is monoid.any:
        allowed = terms(q, A, multiply)
        for j, value in zip(at, values, strict=True):
            assert any(np.array_equal(value, term, equal_nan=True) for term in allowed[j])
    elif result.dtype.kind == "f" and add in (monoid.plus, monoid.times):  # sums of other floats there are none of
        close = 16 * np.finfo(result.dtype).eps
        largest = max((abs(t) for found in terms(q, A, multiply).values() for t in found if np.isfinite(t)), default=0)
        absolute = close * float(largest) if add is monoid.plus else 0
        np.testing.assert_allclose(values, expected_values, close, absolute)
    else:
        np.testing.assert_array_equal(values, expected_values)


@pytest.mark.slow
@pytest.mark.parametrize("add", KNOWN_MONOIDS, ids=lambda op: op.name)
@pytest.mark.parametrize("multiply", KNOWN, ids=lambda op: op.name)
def test_every_semiring_of_the_kernels_over_every_dtype(arms, add, multiply):
    for x_dtype, a_dtype in PAIRS:
        q, A, visited = operands(x_dtype, a_dtype)
        for mask in (None, ~visited.S):
            for arm in arms:
                check(product(q, A, add, multiply, arm, mask), q, A, add, multiply, mask)


@pytest.mark.slow
@each_monoid
def test_every_other_semiring(arms, add):
    for multiply in (op for op in BINARY if add not in KNOWN_MONOIDS or op not in KNOWN):
        for dtype in ("?", "i4", "u8", "f8"):
            if is_defined(add, multiply, dtype, dtype):
                q, A, _ = operands(dtype, dtype)
                check(product(q, A, add, multiply, arms[0]), q, A, add, multiply, None)


@each_monoid
def test_few_terms_of_a_wide_matrix(arms, add):
    q, A, visited = operands("f8", "f8", empty=3000)
    for multiply in (op for op in KNOWN if is_defined(add, op, "f8", "f8")):
        check(product(q, A, add, multiply, arms[0], visited.S), q, A, add, multiply, visited.S)


@each_binary
def test_one_value_for_all_entries(arms, multiply):
    q, A, _ = operands("i8", "i8")
    A = Matrix.from_coo(*A.to_coo()[:2], 3, nrows=A.nrows, ncols=A.ncols)
    assert A.is_iso
    for add in MONOIDS:
        if is_defined(add, multiply, "i8", "i8"):
            check(product(q, A, add, multiply, arms[0]), q, A, add, multiply, None)


@given(data=st.data())
def test_semirings_of_drawn_operands(arms, data):
    add, multiply = data.draw(st.sampled_from(MONOIDS)), data.draw(st.sampled_from(BINARY))
    x_dtype, a_dtype = data.draw(sts.dtypes), data.draw(sts.dtypes)
    assume(is_defined(add, multiply, x_dtype, a_dtype))
    nrows, ncols = data.draw(st.integers(1, 8)), data.draw(st.integers(1, 8))
    # Products of small numbers are exact in a float only if there are few of them.
    q = sts.vector(data.draw(sts.entries(nrows, x_dtype, small=True)), nrows, x_dtype)
    A = sts.matrix(data.draw(sts.coordinates(nrows, ncols, a_dtype, small=True)), nrows, ncols, a_dtype)
    mask = data.draw(sts.masks(ncols))
    for arm in arms:
        check(product(q, A, add, multiply, arm, mask), q, A, add, multiply, mask)


def fallbacks(caplog):
    return [record for record in caplog.records if "reference" in record.getMessage()]


@pytest.mark.parametrize("dtype", ["?", "i4", "i8", "f4", "f8"])
def test_no_semiring_needs_the_reference_engine(native_arms, dtype, caplog):
    q, A, _ = operands(dtype, dtype)
    with caplog.at_level(logging.INFO, "lagbfs"):
        for add in KNOWN_MONOIDS:
            for multiply in KNOWN:
                product(q, A, add, multiply, native_arms[0])
    assert not fallbacks(caplog)


@pytest.mark.parametrize(
    ("dtype", "add", "multiply", "exact"),
    [
        ("i1", "plus", "times", True),
        ("i1", "lor", "times", False),  # 16 · 16 is 0
        ("i1", "min", "max", True),
        ("i1", "min", "minus", False),
        ("u8", "lor", "times", True),
        ("u8", "any", "lt", False),
        ("u8", "min", "eq", True),
        ("u8", "max", "first", False),
        ("u8", "min", "truediv", True),
    ],
)
def test_what_integers_need_the_reference_engine(native_arms, dtype, add, multiply, exact, caplog):
    q, A, _ = operands(dtype, dtype)
    with caplog.at_level(logging.INFO, "lagbfs"):
        product(q, A, getattr(monoid, add), getattr(binary, multiply), native_arms[0])
    assert len(fallbacks(caplog)) == (not exact)


def test_an_operator_of_ones_own_is_not_mistaken_for_its_namesake(native_arms, caplog):
    distance = BinaryOp("minus", lambda xp, x, y: abs(x - y))
    q, A, _ = operands("f8", "f8")
    with caplog.at_level(logging.INFO, "lagbfs"):
        for arm in native_arms:
            check(product(q, A, monoid.max, distance, arm), q, A, monoid.max, distance, None)
            own = Monoid(BinaryOp("plus", lambda xp, x, y: np.fmax(x, y)), "fmax")
            check(product(q, A, own, binary.plus, arm), q, A, monoid.max, binary.plus, None)
    assert len(fallbacks(caplog)) == 2 * len(native_arms)


def test_the_kernels_have_operators_of_these_names():
    kernels = pytest.importorskip("lagbfs.backends.native._kernels")
    assert set(kernels.MONOIDS) == {op.name for op in KNOWN_MONOIDS}
    assert set(kernels.BINARY) <= {op.name for op in KNOWN}


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "uint64"])
def test_floats_stop_at_the_ends_of_the_dtype_that_a_semiring_is_over(backend, dtype):
    A, v = Matrix.from_coo([0, 1], [0, 0], [300.7, 1e20]), Vector.from_coo([0, 1], [-300.7, 1e20])
    most, least = np.iinfo(dtype).max, np.iinfo(dtype).min
    with lagbfs.using(backend=backend):
        found = semiring.max_first[dtype](v @ A).new().to_dict()
        assert found == {0: most}
        assert semiring.min_first[dtype](v @ A).new().to_dict() == {0: max(least, -300)}
        assert semiring.max_second[dtype](A.T @ A).new()[0, 0].value == most
