"""NumPy's functions as operators, and all operators by name."""

import pickle

import numpy as np
import pytest

from lagbfs import Matrix, Vector, agg, binary, monoid, op, semiring, unary
from lagbfs.base.dtypes import ALL

VALUES = [0, 1, 2, 5, 100]


def of(dtype):
    return Vector.from_dense(np.array(VALUES).astype(dtype)), Vector.from_dense(np.array(VALUES[::-1]).astype(dtype))


def same(result, ufunc, *operands):
    """Whether a vector holds what NumPy computes, with floats of 32 bits where NumPy has some of 16."""
    expected = ufunc(*operands)
    if expected.dtype == np.float16:
        expected = ufunc(*(x.astype(np.float32) for x in operands))
    return result.dtype == expected.dtype and np.allclose(result.to_dense(), expected, rtol=1e-6, equal_nan=True)


@pytest.mark.parametrize("dtype", ALL, ids=str)
def test_they_give_what_numpy_gives(dtype):
    v, w = of(dtype)
    x, y = v.to_dense(), w.to_dense()
    with np.errstate(all="ignore"):
        for name in dir(unary.numpy):
            if isinstance(getattr(np, name, None), np.ufunc) and dtype in (one := getattr(unary.numpy, name)):
                assert same(one(v).new(), getattr(np, name), x), name
        for name in dir(binary.numpy):
            if isinstance(getattr(np, name, None), np.ufunc) and dtype in (two := getattr(binary.numpy, name)):
                assert same(two(v & w).new(), getattr(np, name), x, y), name


@pytest.mark.parametrize("dtype", ALL, ids=str)
def test_identities_leave_values_as_they_are_and_folds_are_those_of_numpy(dtype):
    v, _ = of(dtype)
    for name in ("add", "bitwise_and", "bitwise_xor", "equal", "fmin", "gcd", "hypot", "logaddexp", "maximum"):
        adding = getattr(monoid.numpy, name)
        if dtype not in adding:
            continue
        typed = adding[dtype]
        kept = adding(v, np.array(typed.identity).astype(typed.type)[()]).new()
        assert kept.isclose(v.dup(kept.dtype)), name
        folded = getattr(np, name).reduce(v.to_dense().astype(typed.type), dtype=typed.type)
        assert v.reduce(adding).new().isclose(folded.item(), rel_tol=1e-5), name


def test_what_they_tell_of_themselves():
    assert binary.numpy.add[int].monoid is monoid.numpy.add[int]
    assert binary.numpy.subtract.monoid is None
    assert monoid.numpy.gcd.is_idempotent
    assert not monoid.numpy.equal.is_idempotent
    assert binary.numpy.add.is_commutative
    assert semiring.numpy.add_subtract.binaryop is binary.numpy.subtract
    assert repr(semiring.numpy.logical_or_logical_and) == "semiring.numpy.logical_or_logical_and"
    for one in (unary.numpy.sin, binary.numpy.mod[int], monoid.numpy.hypot, semiring.numpy.add_multiply):
        assert pickle.loads(pickle.dumps(one)) is one
    with pytest.raises(AttributeError, match=r"binary\.numpy has no operator 'nothing'"):
        binary.numpy.nothing  # noqa: B018
    assert int not in binary.numpy.power  # NumPy refuses negative exponents of integers


def test_a_semiring_of_them():
    A = Matrix.from_coo([0, 0, 1, 2], [1, 2, 2, 0], [5, -6, 7, 2], nrows=3, ncols=3)
    assert semiring.numpy.add_multiply(A @ A).new().isequal((A @ A).new())
    assert semiring.numpy.maximum_subtract(A @ A).new().isequal(semiring.max_minus(A @ A).new())


def test_remainders():
    v = Vector.from_coo([0, 1, 3], [5, -5, 0], size=4)
    assert (v % 3).new().to_dict() == {0: 2, 1: 1, 3: 0}
    assert (7 % v).new().to_dict() == {0: 2, 1: -3, 3: 0}
    for whole, rest, by in ((*divmod(v, 3), 3), (*divmod(-7, v[:2].new()), v[:2].new())):
        back = (whole * by + rest).new()
        assert back.isequal(v if isinstance(by, int) else Vector.from_scalar(-7, 2))
    v %= 2
    assert v.to_dict() == {0: 1, 1: 1, 3: 0}
    assert (True ^ v.dup(bool)).new().to_dict() == {0: False, 1: False, 3: True}


def test_a_monoid_and_an_operator_are_not_switched():
    assert semiring.get_semiring(binary.plus, binary.times) is semiring.plus_times
    with pytest.raises(TypeError, match="switched"):
        semiring.get_semiring(binary.plus, monoid.times)


def test_all_operators_by_name():
    assert (op.abs, op.minus, op.plus, op.plus_times) == (unary.abs, binary.minus, binary.plus, semiring.plus_times)
    assert (op.isclose, op.numpy.fabs, op.numpy.add) == (binary.isclose, unary.numpy.fabs, binary.numpy.add)
    assert {*unary.FAMILY.names(), *binary.FAMILY.names(), *monoid.FAMILY.names(), "min_plus"} <= {*dir(op)}
    named = {
        "%": binary.numpy.mod,
        "numpy.mod": binary.numpy.mod,
        "mod": binary.numpy.mod,
        "min.+": semiring.min_plus,
        "count": agg.count,
    }
    assert all(op.from_string(text) is one for text, one in named.items())
    with pytest.raises(AttributeError, match="no operator"):
        op.register_nothing  # noqa: B018
    for text in ("nothing", "plus.monoid", "plus[int][float]", "plus]", "plus[]", ""):
        with pytest.raises(ValueError, match="must name an operator"):
            op.from_string(text)
