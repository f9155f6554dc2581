"""Exceptions by the names of python-graphblas: what is caught there is caught here, once the import is changed."""

import graphblas
import numpy as np
import pytest
from matrices import LIBRARIES

import lagbfs


def v(gb):
    return gb.Vector.from_coo([1, 3], [5, 6], size=5)


def A(gb):
    return gb.Matrix.from_coo([0, 1, 3], [1, 2, 3], [4, 5, 6])


EMPTY = {gb: gb.Vector(int, 1) for gb in LIBRARIES.values()}

# Each is tried on both libraries, and raises the exception of that name, or the built-in one.
RAISED = {
    "build of what is there": (lambda gb: v(gb).build([0], [1]), "OutputNotEmpty"),
    "build of a matrix": (lambda gb: A(gb).build([0], [0], [1]), "OutputNotEmpty"),
    "an index outside": (lambda gb: gb.Vector.from_coo([9], [1], size=3), "IndexOutOfBound"),
    "a column outside": (lambda gb: gb.Matrix.from_coo([0], [9], [1], nrows=1, ncols=3), "IndexOutOfBound"),
    "compressed rows outside": (lambda gb: gb.Matrix.from_csr([0, 1], [9], [1], ncols=3), "InvalidObject"),
    "dictionaries outside": (lambda gb: gb.Matrix.from_dicts([{9: 1}], ncols=1), "InvalidObject"),
    "rows that do not ascend": (lambda gb: gb.Matrix.from_csr([0, 1, 2, 3], [1, 0], [1, 2]), "InvalidValue"),
    "no index pointers": (lambda gb: gb.Matrix.from_dcsr([], [], [], []), "InvalidValue"),
    "sizes": (lambda gb: v(gb).ewise_add(v(gb)[:3].new()).new(), "DimensionMismatch"),
    "sizes of a product": (lambda gb: A(gb).mxv(v(gb)).new(), "DimensionMismatch"),
    "sizes of an assignment": (lambda gb: v(gb).update(v(gb)[:3].new()), "DimensionMismatch"),
    "a scalar without a value": (
        lambda gb: v(gb).apply(gb.binary.plus, gb.Scalar(int, **({} if gb is lagbfs else {"is_cscalar": True}))).new(),
        "EmptyObject",
    ),
    "a function of no numbers": (lambda gb: gb.unary.register_anonymous(lambda x: EMPTY[gb]), "UdfParseError"),
    "a monoid of another dtype": (
        lambda gb: gb.monoid.register_anonymous(gb.binary.register_anonymous(lambda x, y: x + y + 1), {"BOOL": True}),
        "DomainMismatch",
    ),
    "a huge index": (lambda gb: gb.Vector.from_coo([0, 2**64 - 2], [0, 1]), "InvalidValue"),
    "an index of many bits": (lambda gb: gb.Vector.from_coo([0, 2**64], [0, 1]), OverflowError),
    "an operator not over a dtype": (lambda gb: gb.binary.bor[float], KeyError),
    "an index beyond": (lambda gb: v(gb)[100], IndexError),
    "an unknown operator": (lambda gb: gb.binary.plsu, AttributeError),
    "a name in use": (lambda gb: gb.unary.register_new("abs", lambda x: x), AttributeError),
    "a name of a path": (lambda gb: gb.unary.register_new("abs.mine", lambda x: x), AttributeError),
    "no size": (lambda gb: gb.Vector.from_coo([], []), ValueError),
    "no shape": (lambda gb: gb.Matrix.from_coo([], [], [], nrows=3), ValueError),
    "no edges": (lambda gb: gb.Matrix.from_edgelist([]), ValueError),
    "no pairs": (lambda gb: gb.Vector.from_pairs([]), ValueError),
    "values twice": (lambda gb: gb.Matrix.from_edgelist([[0, 1, 10]], values=0), TypeError),
    "rows of a list": (lambda gb: gb.Matrix.from_dicts([{0: 1}], nrows=2), ValueError),
    "columns of a list": (lambda gb: gb.Matrix.from_dicts([{0: 1}], order="columnwise", ncols=2), ValueError),
    "no filling": (lambda gb: v(gb).to_dense(), TypeError),
    "no filling of a matrix": (lambda gb: A(gb).to_dense(), TypeError),
    "a number for an array": (lambda gb: gb.Vector.from_dense(1), TypeError),
    "a number for a table": (lambda gb: gb.Matrix.from_dense(1), TypeError),
    "several in a vector": (lambda gb: [1, 3] in v(gb), TypeError),
    "several in a matrix": (lambda gb: (1, [1, 2]) in A(gb), TypeError),
    "several got": (lambda gb: v(gb).get([0, 1]), ValueError),
    "several got of a matrix": (lambda gb: A(gb).get(0, [0, 1]), ValueError),
    "an index of two dimensions": (lambda gb: v(gb)[np.array([[0, 1]])], TypeError),
    "a matrix to a row": (lambda gb: A(gb).__setitem__((0, slice(None)), A(gb)), TypeError),
    "masks compared": (lambda gb: v(gb).S == v(gb).S, TypeError),
    "what is assigned to, compared": (lambda gb: v(gb)() == v(gb)(), TypeError),
    "what is assigned to, as a truth": (lambda gb: bool(A(gb)[0, 1]()), TypeError),
    "input_mask of one position": (lambda gb: A(gb)[0, 0].new(input_mask=A(gb).S), ValueError),
    "two masks": (lambda gb: A(gb)(input_mask=A(gb).S, mask=A(gb).S), TypeError),
    "a mean of nothing": (lambda gb: gb.Vector(int, 3).reduce(gb.agg.mean, allow_empty=False), ValueError),
    "a fold by or": (lambda gb: v(gb).reduce(gb.binary.plus[bool]), TypeError),
    "a mask of another matrix": (lambda gb: A(gb).setdiag(9, mask=gb.Matrix(int, 3, 3).S), "DimensionMismatch"),
}


COMPILED = {"a function of no numbers", "a monoid of another dtype"}  # by python-graphblas, for seconds
CASES = [
    pytest.param(name, library, marks=[pytest.mark.slow] if library == "graphblas" and name in COMPILED else [])
    for name in RAISED
    for library in LIBRARIES
]


@pytest.mark.parametrize(("name", "library"), CASES)
def test_the_same_is_raised(name, library):
    gb = LIBRARIES[library]
    act, kind = RAISED[name]
    with pytest.raises(getattr(gb.exceptions, kind) if isinstance(kind, str) else kind) as raised:
        act(gb)
    assert library != "lagbfs" or isinstance(raised.value, lagbfs.LagbfsError)


def test_every_exception_of_python_graphblas_has_its_name_here():
    theirs = {name for name, kind in vars(graphblas.exceptions).items() if isinstance(kind, type) and name[0] != "_"}
    for name in theirs:
        assert issubclass(getattr(lagbfs.exceptions, name), lagbfs.exceptions.GraphblasException)
    assert lagbfs.exceptions.GraphblasException is lagbfs.LagbfsError


def test_the_module_is_imported_by_either_name():
    from lagbfs.exceptions import DimensionMismatch

    assert DimensionMismatch is lagbfs.errors.DimensionError


def test_indices_that_are_no_integers_are_told_as_such():
    with pytest.raises(TypeError, match="must hold integers, not float64"):
        lagbfs.Vector.from_coo([0, 1.5], [1, 2])
    with pytest.raises(TypeError, match="must hold integers"):
        lagbfs.Vector.from_coo(["a"], [1])
