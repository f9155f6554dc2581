"""Registering operators: later, under names, with parameters; and what is said of names that there are none of."""

import pickle
from threading import Thread

import numpy as np
import pytest
from matrices import LIBRARIES

import lagbfs
from lagbfs import Matrix, Vector, agg, binary, indexunary, monoid, op, select, semiring, unary
from lagbfs.operators.parameterized import Parameterized

KINDS = (unary, binary, indexunary, select, monoid, semiring)
V = Vector.from_coo([0, 1, 3], [3, -4, 5], size=4)
A = Matrix.from_coo([0, 0, 1, 1], [0, 1, 0, 1], [1, 2, 3, 4])


@pytest.fixture(autouse=True)
def forgotten():
    """Forget, at the end, what a test registers."""
    spaces = [space for kind in KINDS for space in (kind.FAMILY.space, kind.FAMILY.later)]
    spaces += [space for kind in (unary, binary, monoid, semiring) for space in kind.numpy.place()]
    before = [dict(space) for space in spaces]
    yield
    for space, kept in zip(spaces, before, strict=True):
        for name in space.keys() - kept.keys():
            del space[name]


def plus_x(x=0):
    def inner(y):
        return x + y

    return inner


def plus_plus_x(x=0):
    def inner(left, right):
        return left + right + x

    return inner


def minus_x(x=0):
    return -x


def selects(x, i, j, thunk):
    return i >= thunk


def values(result):
    """Return what a vector or matrix of either library holds."""
    return result.to_coo()[-1].tolist()


def test_what_is_registered_lazily_is_made_when_it_is_asked_for():
    asked = []

    def noted(x):
        asked.append(x)
        return x + 1

    assert unary.register_new("noted", noted, lazy=True) is None
    assert "noted" in dir(unary)
    assert not asked
    assert V.apply("noted").new().to_dict() == {0: 4, 1: -3, 3: 6}
    assert asked
    assert (unary.noted, op.noted) == (unary.noted, unary.noted)
    with pytest.raises(AttributeError, match="'noted' is already defined"):
        unary.register_new("noted", noted, lazy=True)


@pytest.mark.parametrize("path", ["", "numpy.", "misc.", "misc.deep."])
def test_all_kinds_are_registered_lazily_under_a_name(path):
    unary.register_new(f"{path}lazy", lambda x: x, lazy=True)
    binary.register_new(f"{path}lazy", lambda x, y: x + y, lazy=True)
    monoid.register_new(f"{path}lazy", f"{path}lazy", 0, lazy=True)
    semiring.register_new(f"{path}lazy", f"{path}lazy", f"{path}lazy", lazy=True)
    made = {kind: kind.FAMILY.find(f"{path}lazy") for kind in (unary, binary, monoid, semiring)}
    for kind, one in made.items():
        assert isinstance(one, kind.FAMILY.kinds)
        assert one.name == f"{path}lazy"
        assert kind.from_string(f"{path}lazy") is one
    assert (made[monoid].binaryop, made[semiring].monoid) == (made[binary], made[monoid])
    assert op.from_string(f"{path}lazy") is made[unary]
    assert V.vxm(Vector.from_dense([1, 1, 1, 1]).diag(), made[semiring]).new().to_dict() == {0: 4, 1: -3, 3: 6}


def test_threads_that_ask_together_get_the_same():
    unary.register_new("awaited", lambda x: x + 1, lazy=True)
    got = []
    threads = [Thread(target=lambda: got.append(unary.awaited)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 8
    assert {id(one) for one in got} == {id(unary.awaited)}


def test_names_under_a_name():
    unary.register_new("mine.plus_three", lambda x: x + 3)
    unary.register_new("mine.more.plus_four", lambda x: x + 4)
    assert dir(unary.mine) == ["more", "plus_three"]
    assert "mine" in dir(unary)
    assert (op.mine.plus_three, op.mine.more.plus_four) == (unary.mine.plus_three, unary.mine.more.plus_four)
    assert dir(op.mine) == ["more", "plus_three"]
    assert V.apply("mine.plus_three").new().to_dict() == {0: 6, 1: -1, 3: 8}
    assert repr(unary.mine.more.plus_four) == "unary.mine.more.plus_four"
    for wrong, said in (("mine", "already"), ("mine.plus_three", "already"), ("abs.mine", "'unary.abs' is already")):
        with pytest.raises(lagbfs.exceptions.NameTakenError, match=said):
            unary.register_new(wrong, lambda x: x)
    for wrong in ("", "a..b", ".a", "a.", "a b.c", 3):
        with pytest.raises(ValueError, match="name must be an identifier"):
            unary.register_new(wrong, lambda x: x)
    with pytest.raises(ValueError, match="must be a unary operator"):
        unary.from_string("mine.plus_three.more")


def test_names_of_suitesparse_are_those_of_all():
    assert (unary.ss.positioni, binary.ss.firsti, agg.ss.argmin) == (unary.positioni, binary.firsti, agg.argmin)
    assert (semiring.ss.max_secondj, op.ss.positionj) == (semiring.max_secondj, unary.positionj)
    assert V.apply("ss.positioni").new().to_dict() == V.apply("positioni[int]").new().to_dict() == {0: 0, 1: 1, 3: 3}
    assert V.apply("firsti1", 5).new().to_dict() == {0: 1, 1: 2, 3: 4}
    assert A.apply("positionj1").new().to_coo()[2].tolist() == [1, 2, 1, 2]
    assert all(hasattr(kind, "ss") for kind in (*KINDS, op))


def test_a_selection_that_is_none_is_told_when_it_is_asked_for():
    select.register_new("wrong", lambda x, i, j, thunk: x + thunk, lazy=True)
    with pytest.raises(ValueError, match="must return bools"):
        select.wrong  # noqa: B018
    assert not hasattr(select, "wrong")
    assert hasattr(indexunary, "wrong")
    with pytest.raises(ValueError, match="must return bools"):
        select.register_new("worse", lambda x, i, j, thunk: x + thunk)
    assert not hasattr(indexunary, "worse")


@pytest.mark.parametrize("lazy", [False, True])
def test_selections_are_index_operators_and_the_reverse(lazy):
    select.register_new("beyond", selects, lazy=lazy)
    assert "beyond" in dir(indexunary)
    assert V.apply(indexunary.beyond, 1).new().to_dict() == {0: False, 1: True, 3: True}
    assert V.select(select.beyond, 1).new().to_dict() == {1: -4, 3: 5}
    assert select.beyond.orig_func is select.beyond[int].orig_func is indexunary.beyond.orig_func is selects
    indexunary.register_new("after", lambda x, i, j, thunk: i > thunk, lazy=lazy)
    assert V.apply(indexunary.after, 1).new().to_dict() == {0: False, 1: False, 3: True}
    assert V.select(select.after, 1).new().to_dict() == {3: 5}
    select.register_new("beyond_by", lambda n: lambda x, i, j, thunk: i // n >= thunk, parameterized=True, lazy=lazy)
    assert V.select(select.beyond_by(2), 1).new().to_dict() == {3: 5}
    assert V.apply(indexunary.beyond_by(2), 1).new().to_dict() == {0: False, 1: False, 3: True}


@pytest.mark.parametrize("library", ["lagbfs", pytest.param("graphblas", marks=pytest.mark.slow)])  # compiled there
def test_families_of_operators(library):
    gb = LIBRARIES[library]
    v, B = gb.Vector.from_coo([0, 1, 3], [1, 2, -4]), gb.Matrix.from_coo([0, 0, 1, 1], [0, 1, 0, 1], [1, 2, 3, 4])
    plus = gb.binary.register_anonymous(plus_plus_x, parameterized=True)
    assert (plus.monoid, plus(1).monoid, plus.is_positional) == (None, None, False)
    adding = gb.monoid.register_anonymous(plus, minus_x, name="adding")
    assert (plus.monoid, adding(2), plus(3).monoid) == (adding, plus(2).monoid, adding(3))
    assert not adding.is_idempotent
    ring = gb.semiring.register_anonymous(adding, plus, name="ring")
    assert (ring.name, ring.is_positional) == ("ring", False)
    assert values(v.apply(gb.unary.register_anonymous(plus_x, parameterized=True)(10)).new()) == [11, 12, 6]
    assert values(v.ewise_mult(v, plus).new()) == [2, 4, -8]
    assert values(v.ewise_mult(v, adding(1)).new()) == [3, 5, -7]
    assert (v.reduce(adding).new().value, v.reduce(adding(1)).new().value) == (-1, 1)
    assert B.reduce_scalar(plus).new().value == 10
    assert values(B.mxm(B, ring).new()) == [7, 9, 11, 13]
    assert values(B.mxm(B, ring(1)).new()) == [10, 12, 14, 16]
    assert values(B.mxm(B, gb.semiring.register_anonymous(gb.monoid.plus, plus)(1)).new()) == [9, 11, 13, 15]
    assert values(B.mxm(B, gb.semiring.register_anonymous(adding, gb.binary.plus)(1)).new()) == [8, 10, 12, 14]
    v(plus(1)) << v
    assert values(v) == [3, 5, -7]
    other = gb.binary.register_anonymous(lambda y=0: lambda left, right: left + right - y, parameterized=True)
    for wrong in (
        lambda: gb.monoid.register_anonymous(plus, lambda x: -x),
        lambda: gb.monoid.register_anonymous(plus, lambda y=0: -y),
        lambda: gb.semiring.register_anonymous(adding, other),
    ):
        with pytest.raises(ValueError, match=r"[Ss]ignatures|parameters must be the same"):
            wrong()
    for wrong in (
        lambda: gb.semiring.register_anonymous(gb.binary.plus, gb.binary.plus),
        lambda: gb.semiring.register_anonymous(gb.monoid.plus, gb.monoid.plus),
        lambda: gb.monoid.register_anonymous(adding, 0),
        lambda: B.ewise_add(B, ring),
        lambda: v.reduce(other),
    ):
        with pytest.raises(TypeError):
            wrong()


def test_a_family_without_defaults_has_to_be_given_its_parameters():
    log = binary.register_anonymous(
        lambda base: lambda x, y: np.log(base**x + base**y) / np.log(base), parameterized=True
    )
    folding = monoid.register_anonymous(log, -np.inf)
    assert Vector.from_dense([1.0, 1.0]).reduce(folding(2)).value == 2
    for use in (lambda: V.ewise_mult(V, log), lambda: V.reduce(folding)):
        with pytest.raises(TypeError, match=r"has to be given its parameters, \(base\)"):
            use()
    with pytest.raises(TypeError, match="func must be a function"):
        binary.register_anonymous(3, parameterized=True)


def test_where_there_is_no_identity_there_is_no_monoid():
    def fails(x=0):
        raise RuntimeError("no identity")

    plus = binary.register_anonymous(plus_plus_x, parameterized=True)
    folding = monoid.register_anonymous(plus, fails, is_idempotent=True)
    assert folding.is_idempotent
    assert plus(1).monoid is None
    with pytest.raises(RuntimeError, match="no identity"):
        folding(1)


def test_families_are_pickled():
    adding = monoid.register_anonymous(binary.register_anonymous(plus_plus_x, parameterized=True), minus_x)
    ring = semiring.register_anonymous(adding, adding.binaryop, "ring")
    for family in (adding, ring, unary.register_anonymous(plus_x, parameterized=True)):
        again = pickle.loads(pickle.dumps(family))
        assert (type(again), again.name, again.parameters) == (type(family), family.name, family.parameters)
    assert V.reduce(pickle.loads(pickle.dumps(adding))(1)).value == 6
    unary.register_new("pickled", plus_x, parameterized=True)
    assert pickle.loads(pickle.dumps(unary.pickled)) is unary.pickled
    assert pickle.loads(pickle.dumps(binary.isclose)) is binary.isclose


def test_what_operators_tell_of_themselves():
    assert (binary.isclose.commutes_to, binary.isclose.is_commutative) == (binary.isclose, True)
    assert binary.isclose(0.1).commutes_to is binary.isclose(0.1)
    assert binary.numpy.less.commutes_to is binary.numpy.greater
    assert binary.numpy.greater_equal[int].commutes_to is binary.numpy.less_equal[int]
    assert monoid.plus[int].commutes_to is monoid.plus[int]
    assert semiring.min_secondi[int].commutes_to is semiring.min_firstj[int]
    assert semiring.plus_times[int].is_commutative
    assert semiring.plus_atan2[float].commutes_to is None
    assert (binary.plus[bool].monoid, binary.plus[int].monoid) == (None, monoid.plus[int])
    assert binary.lor[int].monoid is monoid.lor[bool]
    assert (binary.plus.orig_func, binary.plus[int].orig_func) == (None, None)


def test_a_dtype_is_taken_from_an_operator_of_ones_own():
    one = unary.register_anonymous(lambda x: x + 1)
    assert one["INT8"].return_type == np.int8
    del one["INT8"]
    assert ("INT8" in one, np.dtype("i1") in one.types, "INT16" in one) == (False, False, True)
    with pytest.raises(KeyError, match="does not work with INT8"):
        V.dup("INT8").apply(one)
    with pytest.raises(TypeError, match="not of your own"):
        del unary.abs["INT8"]


@pytest.mark.parametrize(
    ("module", "name", "meant"),
    [
        (unary, "sqr", "sqrt"),
        (binary, "plsu", "plus"),
        (monoid, "tims", "times"),
        (semiring, "min_plsu", "min_plus"),
        (select, "trill", "tril"),
        (indexunary, "rowidx", "rowindex"),
        (agg, "meen", "mean"),
        (op, "mius", "minus"),
        (binary.numpy, "subtrct", "subtract"),
        (op.numpy, "subtrct", "subtract"),
    ],
)
def test_misspelt_operators_are_told_with_what_was_meant(module, name, meant):
    with pytest.raises(AttributeError, match=f"did you mean {meant!r}") as raised:
        getattr(module, name)
    assert isinstance(raised.value, lagbfs.LagbfsError)
    assert not hasattr(module, "__wrapped__")


def test_a_module_lists_its_operators():
    assert {"plus", "isclose", "register_new", "from_string", "numpy", "ss"} <= {*dir(binary)}
    assert not {"BinaryOp", "np", "annotations", "Family"} & {*dir(binary)}
    assert {"value", "row", "tril"} <= {*dir(select)}
    assert {*dir(monoid)} <= {*dir(binary)}
    for name in dir(op):
        one = getattr(op, name)
        assert isinstance(one, Parameterized) or one is not None
