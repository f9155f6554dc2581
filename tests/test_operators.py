"""Operators: names, dtypes and values are those of python-graphblas, for each operator over each dtype.

What python-graphblas compiles with Numba is compared with plain formulas instead: at the edges Numba has results of
its own.
"""

import math
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from lagbfs import Matrix, Vector, binary, indexunary, monoid, select, semiring, unary
from lagbfs.algebra.expression import Product
from lagbfs.backends.protocol import Arm
from lagbfs.base.dtypes import ALL, BOOL, FLOATS, INT64, INTEGERS
from lagbfs.operators import signature as sig

gb = pytest.importorskip("graphblas")

OURS = {"unary": unary, "binary": binary, "monoid": monoid, "indexunary": indexunary, "select": select}
COMPLEX = {"carg", "cimag", "conj", "creal", "cmplx"}
COMPILED = {"floordiv", "rfloordiv", "absfirst", "abssecond", "rpow", "binom", "isclose"}
# What is defined here, and not in python-graphblas.
WIDER = {("monoid", "plus"): {BOOL}, ("indexunary", "diagindex"): {*ALL}}
POSITIONAL = {f"{which}{place}" for which in ("first", "second") for place in ("i", "j", "i1", "j1")}


def named(kind):
    """Return python-graphblas's operators of one kind by name; the positional ones are in `ss`, too."""
    module = getattr(gb, kind)
    ss = {name for name in dir(module.ss) if name[0] != "_"}
    found = {name: getattr(module.ss if name in ss else module, name) for name in dir(module) if name not in COMPILED}
    return {name: op for name, op in sorted(found.items()) if hasattr(op, "types") and name not in COMPLEX}


OPERATORS = {kind: named(kind) for kind in (*OURS, "semiring")}
EACH = [(kind, name) for kind in OURS for name in OPERATORS[kind]]


def their_types(op):
    if op.is_positional:  # over all dtypes, whatever it lists
        return {dtype: op[dtype].return_type.np_type for dtype in ALL if dtype in op}
    return {key.np_type: value.np_type for key, value in op.types.items() if key.np_type in ALL}


def edges(dtype):
    """Return numbers of a dtype: small ones, and those at which something changes."""
    if dtype == BOOL:
        return np.array([False, True])
    if dtype.kind == "f":
        some = [0, 1, 0.5, 1.5, 2.5, 3, 7.25, 1e10, 1e-10, 30.5, np.inf]
        return np.array([*some, *(-x for x in some), np.nan], dtype)
    bounds = np.iinfo(dtype)
    some = {0, 1, 2, 3, 5, 7, 8, 9, 2 ** (4 * dtype.itemsize), bounds.min, bounds.max, bounds.min + 1, bounds.max - 1}
    return np.array(sorted(some | ({-1, -2, -3, -7} if bounds.min else set())), dtype)


def pairs(dtype):
    """Return each two such numbers, as two arrays."""
    x = edges(dtype)
    return np.repeat(x, len(x)), np.tile(x, len(x))


def assert_same(ours, theirs):
    """Values are the same; of floats up to the last bits, in which libraries differ."""
    assert ours.dtype == theirs.dtype
    if ours.dtype.kind == "f":
        np.testing.assert_allclose(ours, theirs, 32 * np.finfo(ours.dtype).eps, np.finfo(ours.dtype).tiny)
    else:
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("kind", OURS)
def test_every_name_is_here(kind):
    missing = {name for name in OPERATORS[kind] if not hasattr(OURS[kind], name)}
    assert not missing
    assert not COMPILED - {*binary.FAMILY.names()}


@pytest.mark.parametrize(("kind", "name"), EACH)
def test_dtypes(kind, name):
    ours, theirs = dict(getattr(OURS[kind], name).types), their_types(OPERATORS[kind][name])
    extra = WIDER.get((kind, name), set())
    assert {dtype: result for dtype, result in ours.items() if dtype in theirs or dtype not in extra} == theirs


@pytest.mark.parametrize("name", OPERATORS["binary"])
def test_dtypes_of_mixed_operands(name):
    theirs, ours = OPERATORS["binary"][name], getattr(binary, name)
    for x in ALL:
        for y in ALL:
            try:
                expected = gb.core.operator.get_typed_op(theirs, gb.dtypes.lookup_dtype(x), gb.dtypes.lookup_dtype(y))
            except KeyError:
                with pytest.raises(KeyError, match="does not work with"):
                    ours.result_dtype(x, y)
            else:
                assert ours.result_dtype(x, y) == expected.return_type.np_type


@pytest.mark.parametrize(
    "name", sorted(OPERATORS["unary"].keys() - {"positioni", "positionj", "positioni1", "positionj1"})
)
def test_unary_values(name):
    ours, theirs = getattr(unary, name), OPERATORS["unary"][name]
    for dtype in ours.types:
        x = edges(dtype)
        assert_same(ours.compute(x), gb.Vector.from_dense(x).apply(theirs).new().to_coo()[1])


@pytest.mark.parametrize("name", sorted(OPERATORS["binary"].keys() - POSITIONAL - {"any"}))
def test_binary_values(name):
    ours, theirs = getattr(binary, name), OPERATORS["binary"][name]
    for dtype in ours.types:
        x, y = pairs(dtype)
        if name == "ldexp":  # beyond that C does not say what it gives
            x, y = (values[np.abs(y.astype(float)) < 2**15] for values in (x, y))
        expected = gb.Vector.from_dense(x).ewise_mult(gb.Vector.from_dense(y), theirs).new().to_coo()[1]
        assert_same(ours.compute(x, y), expected)


@pytest.mark.parametrize("dtype", ALL, ids=str)
def test_any_takes_either(dtype):
    x, y = pairs(dtype)
    taken = binary.any.compute(x, y)
    assert taken.dtype == dtype
    np.testing.assert_array_equal(taken, x)


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_whole_quotients_powers_and_binomials(dtype):
    x, y = pairs(dtype)
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    for a, b, floor, flipped in zip(x, y, binary.floordiv.compute(x, y), binary.rfloordiv.compute(y, x), strict=True):
        expected = int(a) // int(b) if b else 0
        assert floor == flipped == (expected if expected <= high else low)
    np.testing.assert_array_equal(binary.rpow.compute(x, y), binary.pow.compute(y, x))
    small = (x >= 0) & (x < 60) & (y < 60)
    found = binary.binom.compute(x[small], y[small])
    assert found.tolist() == [
        math.comb(int(n), int(k)) if k >= 0 else 0 for n, k in zip(x[small], y[small], strict=True)
    ]


def test_binomials_that_do_not_fit_are_0():
    assert binary.binom.compute(np.array([61, 300]), np.array([30, 150])).tolist() == [math.comb(61, 30), 0]


@pytest.mark.parametrize("dtype", ALL, ids=str)
def test_sizes_of_operands(dtype):
    x, y = pairs(dtype)
    for name, values in (("absfirst", x), ("abssecond", y)):
        found = getattr(binary, name).compute(x, y)
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, values if dtype.kind in "bu" else np.abs(values))


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_what_is_close(dtype):
    x, y = pairs(dtype)
    near = np.nextafter(y, np.array(9, dtype), dtype=dtype)
    for left, right in ((x, y), (x, near)):
        pairwise = zip(left.tolist(), right.tolist(), strict=True)
        expected = [math.isclose(a, b, rel_tol=1e-3, abs_tol=1e-12) for a, b in pairwise]
        assert binary.isclose(rel_tol=1e-3, abs_tol=1e-12).compute(left, right).tolist() == expected
    assert binary.isclose.default.compute(np.array([1, 1]), np.array([1, 2])).tolist() == [True, False]


@pytest.mark.parametrize("name", OPERATORS["monoid"])
def test_folds(name):
    ours, theirs = getattr(monoid, name), OPERATORS["monoid"][name]
    rng = np.random.default_rng(3)
    for dtype in their_types(theirs):
        for count in (1, 2, 7, 40):
            x = rng.integers(0, 3, count).astype(dtype) if dtype.kind == "f" else rng.choice(edges(dtype), count)
            found = np.asarray(ours.fold(x))
            expected = gb.Vector.from_dense(x).reduce(theirs).new()
            if name == "any":
                assert found in x
            else:
                assert (found.dtype, found.item()) == (expected.dtype.np_type, expected.value)
            starts = np.unique(np.r_[0, rng.integers(0, count, 3)])
            ends = [*starts[1:], count]
            groups = [ours.fold(x[a:b]) for a, b in zip(starts, ends, strict=True)]
            np.testing.assert_array_equal(ours.fold_groups(x, starts), groups)


@pytest.mark.parametrize("name", OPERATORS["monoid"])
def test_identities(name):
    ours, theirs = getattr(monoid, name), OPERATORS["monoid"][name]
    expected = {dtype.np_type: value for dtype, value in theirs.identities.items() if dtype.np_type in ALL}
    assert {dtype: value for dtype, value in ours.identities.items() if dtype in expected} == expected
    assert ours.is_idempotent == theirs.is_idempotent
    for dtype, typing in ours.signature.items():
        x = edges(typing.inner)
        x = x[x == x]
        unit = np.full(len(x), ours.identities[dtype], typing.inner)
        if name not in ("any", "eq"):
            np.testing.assert_array_equal(ours.binary.over(dtype).compute(x, unit), x)


def entries(dtype):
    """Return a matrix and a vector of ours, and the same of theirs."""
    x = edges(dtype)
    x = x[np.isfinite(x)]
    i, j = np.arange(len(x)) % 4, np.arange(len(x)) // 4
    A, v = Matrix.from_coo(i, j, x, nrows=5, ncols=7), Vector.from_coo(np.arange(len(x)), x, size=len(x) + 2)
    return (A, gb.Matrix.from_coo(i, j, x, nrows=5, ncols=7)), (
        v,
        gb.Vector.from_coo(np.arange(len(x)), x, size=v.size),
    )


def assert_same_entries(ours, theirs):
    *at, values = ours.to_coo()
    *at_theirs, values_theirs = theirs.to_coo()
    order = np.lexsort(at_theirs[::-1])  # theirs may be in any order
    for a, b in zip(at, at_theirs, strict=True):
        np.testing.assert_array_equal(a, b[order])
    assert_same(values, values_theirs[order])


@pytest.mark.parametrize("name", OPERATORS["indexunary"])
def test_index_operators(name):
    ours, theirs = getattr(indexunary, name), OPERATORS["indexunary"][name]
    for dtype in their_types(theirs):
        for A, B in entries(dtype):
            for thunk, number in thunks(name, dtype):
                assert_same_entries(ours(A, thunk).new(), theirs(B, number).new())
                if name in OPERATORS["select"]:
                    kept = OPERATORS["select"][name](B, number).new()
                    assert_same_entries(getattr(select, name)(A, thunk).new(), kept)


def thunks(name, dtype):
    """Yield thunks, and the same for python-graphblas; of the values' own dtype, since it selects wrongly by others."""
    yield None, None
    if name.startswith("value"):
        yield from ((x, gb.Scalar.from_value(x.item(), dtype)) for x in np.array([0, 1], dtype))
    else:
        yield from ((k, k) for k in (0, 1, -1, 2))


@pytest.mark.parametrize("name", ["positioni", "positioni1", "positionj", "positionj1"])
def test_positions_of_entries(name):
    for dtype in ALL:
        for A, B in entries(dtype):
            assert_same_entries(getattr(unary, name)(A).new(), OPERATORS["unary"][name](B).new())


@pytest.mark.parametrize("name", sorted(POSITIONAL))
def test_positions_of_operands(name):
    ours, theirs = getattr(binary, name), OPERATORS["binary"][name]
    for dtype in ("i4", "f8"):
        for A, B in entries(np.dtype(dtype)):
            C, D = select.valuegt(A, 1).new(), gb.select.valuegt(B, 1).new()
            assert_same_entries(ours(A & C).new(), theirs(B & D).new())
            assert_same_entries(ours(C | A).new(), theirs(D | B).new())
            assert_same_entries(ours(A, 5).new(), theirs(B, 5).new())
        (A, B), _ = entries(np.dtype(dtype))
        assert_same_entries(A.kronecker(A, ours).new(), B.kronecker(B, theirs).new())
        ring, rings = semiring.get_semiring(monoid.min, ours), gb.semiring.get_semiring(gb.monoid.min, theirs)
        assert_same_entries(ring(A.T @ A).new(), rings(B.T @ B).new())


SEMIRINGS = {
    add: [name for name in OPERATORS["semiring"] if name.split("_")[0] == add and name.split("_")[1] not in COMPILED]
    for add in sorted({name.split("_")[0] for name in OPERATORS["semiring"]})
}


def operands(dtype):
    """Return a vector and a matrix of ours, and of theirs, of numbers whose sums and products are exact."""
    rng = np.random.default_rng(5)
    x, a = (rng.integers(0 if dtype.kind in "ub" else -2, 4, count).astype(dtype) for count in (5, 18))
    at = np.sort(rng.choice(6 * 7, 18, replace=False))
    shape = {"nrows": 6, "ncols": 7}
    q, A = Vector.from_coo([0, 1, 2, 4, 5], x, size=6), Matrix.from_coo(at // 7, at % 7, a, **shape)
    return q, A, gb.Vector.from_coo([0, 1, 2, 4, 5], x, size=6), gb.Matrix.from_coo(at // 7, at % 7, a, **shape)


@pytest.mark.parametrize("add", SEMIRINGS)
def test_semirings(add):
    for name in SEMIRINGS[add]:
        ours, theirs = getattr(semiring, name), OPERATORS["semiring"][name]
        types = their_types(theirs)
        assert {dtype: result for dtype, result in ours.types.items() if dtype in types} == types
        for dtype in types:
            q, A, x, B = operands(dtype)
            result = Product(q, A, ours).by(Arm("reference", "push")).new()
            if add == "any" and not name.endswith(("pair", "i", "i1", "j", "j1")):
                expected = theirs(x @ B).new()
                assert (result.dtype, result.nvals) == (expected.dtype.np_type, expected.nvals)
            elif add != "any" or name.endswith("pair"):
                assert_same_entries(result, theirs(x @ B).new())
                assert_same_entries(ours(A @ A.T).new(), theirs(B @ B.T).new())


def test_every_monoid_and_operator_make_a_semiring():
    assert {*dir(gb.semiring)} - {"numpy", "__builtins__"} - {n for n in dir(gb.semiring) if n[0] == "_"} <= {
        *dir(semiring)
    }
    assert semiring.max_atan2 is semiring.get_semiring(monoid.max, binary.atan2)
    assert semiring.bor_band.types[np.dtype("i1")] == np.uint16
    assert monoid.plus.over(BOOL).return_type == INT64
    with pytest.raises(AttributeError, match="no semiring"):
        semiring.plus_or_minus  # noqa: B018


def test_threads_ask_a_new_operator_for_all_its_dtypes():
    """One asks while another adds to what there is; all of them get the same."""
    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            for _ in range(100):
                op = binary.BinaryOp("new", lambda xp, x, y: x, sig.SAME)
                orders = [ALL[i:] + ALL[:i] for i in range(8)]
                found = pool.map(lambda order, op=op: {dtype: id(op.over(dtype)) for dtype in order}, orders)
                assert len({frozenset(each.items()) for each in found}) == 1
    finally:
        sys.setswitchinterval(switch)
