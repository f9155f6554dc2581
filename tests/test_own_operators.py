"""Operators of the user's own, typed operators, and what operators tell of themselves."""

import logging
import math
import pickle

import numpy as np
import pytest

import lagbfs
from lagbfs import Matrix, Vector, binary, dtypes, indexunary, monoid, select, semiring, unary
from lagbfs.base.dtypes import ALL, BOOL, FP32, FP64, INT8, INT64

V, W = Vector.from_coo([0, 1, 3], [3, -4, 5], size=4), Vector.from_coo([1, 3], [2, 7], size=4)
A = Matrix.from_coo([0, 1, 1, 3], [1, 0, 3, 2], [1, 2, 3, 4], nrows=4, ncols=4)


@pytest.fixture
def registered():
    """Forget, at the end, what a test registers."""
    modules = (unary, binary, indexunary, select, monoid, semiring)
    before = [set(vars(module)) for module in modules]
    yield
    for module, names in zip(modules, before, strict=True):
        for name in set(vars(module)) - names:
            delattr(module, name)


def larger_size(x, y):
    return x if abs(x) > abs(y) else y


def half(x):
    return x / 2


def test_a_function_becomes_an_operator(registered):
    assert unary.register_new("half", half) is unary.half
    assert unary.half(V).new().to_dict() == {0: 1.5, 1: -2.0, 3: 2.5}
    assert binary.register_new("larger_size", larger_size) is binary.larger_size
    assert binary.larger_size(V & W).new().to_dict() == {1: -4, 3: 7}
    assert binary.larger_size(V, 4).new().to_dict() == {0: 4, 1: 4, 3: 5}
    assert V.apply("half").new().isequal(V.apply(half).new())
    assert V.ewise_mult(W, lambda x, y: x * 10 + y).new().to_dict() == {1: -38, 3: 57}


@pytest.mark.parametrize(
    ("function", "takes_arrays"),
    [
        (lambda x: x + 1, True),
        (lambda x: x if x > 0 else 0, False),  # which array is larger is ambiguous
        (lambda x: math.floor(x), False),
        (lambda x: max(x, 1), False),
        (lambda x: 7, True),
    ],
)
def test_functions_are_called_on_arrays_where_that_gives_the_same(function, takes_arrays):
    op = unary.register_anonymous(function)
    assert op.function.takes_arrays == takes_arrays
    for dtype in (INT8, INT64, FP64):
        values = np.array([3, 1, 2, 9, 4], dtype)
        assert op.compute(values).tolist() == [function(x) for x in values.tolist()]


def test_an_operand_is_never_changed():
    def increase(x):
        x += 1
        return x

    values = np.array([1.0, 2.0])
    assert unary.register_anonymous(increase).compute(values).tolist() == [2.0, 3.0]
    assert values.tolist() == [1.0, 2.0]


def test_a_result_is_of_the_kind_of_what_it_is_made_of():
    plus_one, halved = unary.register_anonymous(lambda x: x + 1), unary.register_anonymous(half)
    assert plus_one.types == {**{dtype: dtype for dtype in ALL}, BOOL: INT8}
    assert {halved.types[dtype] for dtype in ALL if dtype != FP32} == {FP64}
    assert halved.types[FP32] == FP32
    assert set(binary.register_anonymous(lambda x, y: x < y).types.values()) == {BOOL}
    shifting = binary.register_anonymous(lambda x, y: x << y)
    assert FP64 not in shifting.types
    with pytest.raises(lagbfs.LagbfsError, match="does not work with FP64"):
        shifting[float]


def test_integers_wrap_and_divide_by_zero_quietly():
    assert binary.register_anonymous(lambda x, y: x * y).compute(*[np.array([100], "i1")] * 2).tolist() == [16]
    quotient = binary.register_anonymous(lambda x, y: x // y)
    assert quotient.compute(np.array([5, 7]), np.array([0, 2])).tolist() == [0, 3]


@pytest.mark.parametrize("module", [unary, binary, indexunary, select])
def test_what_is_no_function_of_numbers_is_refused(module, registered):
    for wrong in (3, "x", None):
        with pytest.raises(lagbfs.LagbfsError, match="func must be a function"):
            module.register_new("wrong", wrong)
    with pytest.raises(lagbfs.LagbfsError, match="must return a number"):
        module.register_new("wrong", lambda *given: "text")
    assert not hasattr(module, "wrong")


def test_names_are_new_identifiers(registered):
    for module, name in ((unary, "abs"), (binary, "plus"), (binary, "isclose"), (indexunary, "tril"), (select, "tril")):
        with pytest.raises(lagbfs.LagbfsError, match="already defined"):
            module.register_new(name, lambda *given: True)
    with pytest.raises(lagbfs.LagbfsError, match="already defined"):
        monoid.register_new("plus", binary.plus, 0)
    with pytest.raises(lagbfs.LagbfsError, match="identifier"):
        unary.register_new("a b", half)
    unary.register_new("half", half)
    with pytest.raises(lagbfs.LagbfsError, match="'half' is already defined"):
        unary.register_new("half", half)


def test_index_operators_and_selections(registered):
    indexunary.register_new("row_and_thunk", lambda x, i, j, thunk: 10 * i + thunk)
    assert indexunary.row_and_thunk(V, 2).new().to_dict() == {0: 2, 1: 12, 3: 32}
    assert not hasattr(select, "row_and_thunk")
    select.register_new("corner", lambda x, i, j, thunk: i + j <= thunk)
    assert select.corner(A, 1).new().to_coo()[2].tolist() == [1, 2]
    assert indexunary.corner(A, 1).new().to_coo()[2].tolist() == [True, True, False, False]
    indexunary.register_new("even", lambda x, i, j, thunk: x % 2 == 0)
    assert V.select(select.even).new().to_dict() == {1: -4}
    with pytest.raises(lagbfs.LagbfsError, match="must return bools"):
        select.register_new("wrong", lambda x, i, j, thunk: x)


def test_parameters_are_given_when_it_is_used(registered):
    unary.register_new("scaled", lambda by=2: lambda x: x * by, parameterized=True)
    assert V.apply(unary.scaled(10)).new().to_dict() == {0: 30, 1: -40, 3: 50}
    assert V.apply(unary.scaled).new().to_dict() == {0: 6, 1: -8, 3: 10}
    assert unary.scaled(10) is unary.scaled(10)
    assert V.ewise_mult(W, binary.isclose(abs_tol=6)).new().to_dict() == {1: True, 3: True}


@pytest.fixture
def longest(registered):
    """A semiring of operators of one's own."""
    binary.register_new("larger_size", larger_size)
    monoid.register_new("larger_size", binary.larger_size, 0, is_idempotent=True)
    binary.register_new("twice_plus", lambda x, y: 2 * x + y)
    return semiring.register_new("longest", monoid.larger_size, binary.twice_plus)


def test_monoids_and_semirings(longest, arms, caplog):
    assert monoid.larger_size.is_idempotent
    assert V.reduce(monoid.larger_size).value == 5
    assert A.reduce_rowwise(monoid.larger_size).new().to_dict() == {0: 1, 1: 3, 3: 4}
    expected = {0: 2 * -4 + 2, 1: 2 * 3 + 1, 2: 2 * 5 + 4, 3: 2 * -4 + 3}
    with caplog.at_level(logging.INFO, "lagbfs"):
        for arm in arms:
            assert longest(V @ A).new().to_dict() == expected
            assert V.vxm(A, semiring.longest).by(arm).new().to_dict() == expected
            assert semiring.larger_size_twice_plus(A @ A).by(arm).new().to_coo()[2].tolist()
    if arms[0].backend != "reference":
        assert "reference engine" in caplog.text


def test_a_fold_takes_every_value(longest):
    rng = np.random.default_rng(1)
    for count in range(1, 40):
        values = rng.integers(-50, 50, count)
        largest = monoid.larger_size.fold(values)
        assert abs(largest) == np.abs(values).max()
        starts = np.unique(np.r_[0, rng.integers(0, count, 4)])
        parts = [values[a:b] for a, b in zip(starts, [*starts[1:], count], strict=True)]
        folded = monoid.larger_size.fold_groups(values, starts)
        assert np.abs(folded).tolist() == [np.abs(part).max() for part in parts]


def test_the_operator_of_a_monoid_gives_what_it_takes():
    with pytest.raises(lagbfs.LagbfsError, match="must return the dtype"):
        monoid.register_anonymous(binary.register_anonymous(lambda x, y: (x << y) / 2), 0)
    with pytest.raises(lagbfs.LagbfsError, match="must be a BinaryOp"):
        monoid.register_anonymous(larger_size, 0)
    few = monoid.register_anonymous(binary.max, {"INT8": -128, float: -np.inf})
    assert few.identities == {INT8: -128, FP64: -np.inf}


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        (binary.plus[int], "binary.plus[INT64]"),
        (binary.plus["FP64"], "binary.plus[FP64]"),
        (monoid.plus[float], "monoid.plus[FP64]"),
        (semiring.min_plus["INT64"], "semiring.min_plus[INT64]"),
        (unary.sqrt["INT8"], "unary.sqrt[FP32]"),
        (select.valuegt[dtypes.INT8], "select.valuegt[INT8]"),
        (indexunary.rowindex["INT32"], "indexunary.rowindex[INT32]"),
        (semiring.plus_ldexp[int], "semiring.plus_ldexp[FP64]"),
    ],
)
def test_typed_operators(typed, written):
    assert repr(typed) == written
    assert pickle.loads(pickle.dumps(typed)) is typed
    assert (typed.name, typed.parent) == (typed.parent.name, typed.parent)


def test_typed_operators_cast():
    half_more = V.apply(binary.plus, 0.5).new()
    assert half_more.apply(binary.plus[int], 1.7).new().to_dict() == {0: 4, 1: -2, 3: 6}
    assert half_more.reduce(monoid.plus[int]).value == 3 - 3 + 5
    assert semiring.plus_times["INT8"](half_more @ A).new().dtype == INT8
    assert semiring.plus_pair[FP32](V @ A).new().dtype == FP32
    assert unary.sqrt[FP32](V).new().dtype == FP32
    assert V.ewise_add(W, "plus[float]").new().dtype == FP64
    w = V.dup(INT8)
    w(binary.plus[float]) << half_more
    assert w.to_dict() == {0: 6, 1: -7, 3: 10}


@pytest.mark.parametrize("typed", [False, True])
def test_typed_semirings_on_every_engine(arms, typed):
    ring = semiring.max_minus["INT32"] if typed else semiring.max_minus
    for arm in arms:
        product = V.vxm(A.dup("INT16"), ring).by(arm).new()
        assert product.dtype == (np.int32 if typed else np.int64)
        assert product.to_dict() == {0: -6, 1: 2, 2: 1, 3: -7}


def test_what_operators_tell():
    assert binary.plus.types[BOOL] == BOOL
    assert binary.truediv[int].return_type == FP64
    assert (binary.plus.monoid, binary.minus.monoid, monoid.plus.binaryop) == (monoid.plus, None, binary.plus)
    assert (binary.minus.commutes_to, binary.plus.commutes_to, binary.atan2.commutes_to) == (
        binary.rminus,
        binary.plus,
        None,
    )
    assert (binary.plus.is_commutative, binary.minus.is_commutative) == (True, False)
    assert binary.atan2.flipped.commutes_to is binary.atan2
    assert binary.firsti.is_positional
    assert semiring.min_firsti.commutes_to is semiring.min_secondj
    assert (semiring.min_plus.monoid, semiring.min_plus.binaryop) == (monoid.min, binary.plus)
    assert monoid.max[INT8].identity == -128
    assert (float in binary.plus, float in binary.band) == (True, False)


@pytest.mark.parametrize(
    "op",
    [binary.plus, binary.isclose, unary.abs, monoid.bxnor, semiring.eq_land, select.diag, binary.atan2.flipped],
    ids=str,
)
def test_operators_are_pickled(op):
    assert pickle.loads(pickle.dumps(op)) is op


def test_operators_without_a_name_are_pickled_by_their_function():
    for op in (binary.register_anonymous(larger_size), binary.isclose(1e-3, abs_tol=0.1)):
        other = pickle.loads(pickle.dumps(op))
        x, y = np.array([1.0, -2, 3]), np.array([1.01, 1, -5])
        assert other.compute(x, y).tolist() == op.compute(x, y).tolist()


def test_strings_name_operators():
    assert binary.from_string("+") is binary.plus
    assert binary.from_string("times[int]") is binary.times[int]
    assert unary.from_string("-") is unary.ainv
    assert monoid.from_string("|") is monoid.lor
    assert select.from_string("col<=") is select.colle
    assert semiring.from_string("min.+[int]") is semiring.min_plus[int]
    assert semiring.from_string("plus_times") is semiring.plus_times
    assert V.vxm(A, "min_plus").new().isequal(semiring.min_plus(V @ A).new())
    for module, wrong in ((binary, "plu"), (unary, "abs[int"), (semiring, "min.plu"), (select, "<>")):
        with pytest.raises(lagbfs.LagbfsError, match="must be"):
            module.from_string(wrong)


def test_functions_of_python_stand_for_operators():
    assert V.apply(abs).new().to_dict() == {0: 3, 1: 4, 3: 5}
    assert V.ewise_mult(W, max).new().to_dict() == {1: 2, 3: 7}


def test_nothing_after_the_operands_is_ignored():
    union = V | W
    assert binary.minus(union, left_default=10, right_default=20).new().to_dict() == {0: -17, 1: -6, 3: -2}
    for wrong in (
        lambda: binary.plus(union, left_default=1),
        lambda: binary.plus(V & W, left_default=1, right_default=1),
        lambda: binary.plus(V, 1, left_default=1, right_default=1),
        lambda: binary.plus(union, nonsense=1),
        lambda: binary.plus(V),
        lambda: semiring.plus_times(union),
        lambda: semiring.plus_times(V @ A, 1),
        lambda: unary.abs(union, 1),
    ):
        with pytest.raises((TypeError, ValueError)):
            wrong()


def test_comparisons_select():
    assert select.value(V > 0).new().to_dict() == {0: 3, 3: 5}
    assert select.index(V < 2).new().to_dict() == {0: 3, 1: -4}
    assert select.index(V >= 1).new().to_dict() == {1: -4, 3: 5}
    assert select.row(A <= 0).new().nvals == 1
    assert select.column(A > 1).new().nvals == 2
    for wrong in (V, V + W, select.index):
        with pytest.raises(TypeError, match="comparison"):
            select.value(wrong)


def test_names_of_dtypes():
    assert (dtypes.FP64, dtypes.lookup_dtype("INT32"), dtypes.unify("INT8", "UINT8")) == (FP64, np.int32, np.int16)
    assert Vector("UINT8", 3).dtype == Vector.from_coo([0], [1], "uint8").dtype == np.uint8
    assert V.dup(dtypes.FP32).dtype == FP32
    for wrong in ("FC64", complex, None, "int128", object):
        with pytest.raises(TypeError, match="dtype must be"):
            dtypes.lookup_dtype(wrong)


def test_what_looks_at_positions():
    positional = unary.positioni, binary.firsti, semiring.any_secondj, indexunary.rowindex, select.tril
    by_value = unary.exp, binary.plus, monoid.plus, semiring.any_first, indexunary.valueeq, select.valuegt
    assert all(op.is_positional and op[int].is_positional for op in positional)
    assert not any(op.is_positional or op[int].is_positional for op in by_value)
