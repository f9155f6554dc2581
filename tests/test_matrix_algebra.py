"""Matrices in the algebra: every operation, mask, accumulator and region, against python-graphblas."""

import graphblas
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matrices import ACCUM, DTYPES, LIBRARIES, MASKS, entries, made, masked, plain

import lagbfs
from lagbfs import Matrix, Vector, binary, select, semiring

EXPRESSIONS = {
    "a matrix": lambda gb, A, B: A,
    "ewise_add": lambda gb, A, B: A.ewise_add(B, gb.binary.plus),
    "ewise_mult": lambda gb, A, B: A.ewise_mult(B, gb.binary.minus),
    "ewise_union": lambda gb, A, B: A.ewise_union(B, gb.binary.minus, 2, 3),
    "infix union": lambda gb, A, B: gb.binary.max(A | B),
    "infix intersection": lambda gb, A, B: gb.monoid.plus(A & B),
    "apply": lambda gb, A, B: A.apply(gb.unary.one),
    "apply right": lambda gb, A, B: gb.binary.plus(A, 3),
    "apply left": lambda gb, A, B: A.apply(gb.binary.minus, left=3),
    "apply an index": lambda gb, A, B: gb.indexunary.colindex(A, 1),
    "select value": lambda gb, A, B: gb.select.valuegt(A, 3),
    "select tril": lambda gb, A, B: gb.select.tril(A),
    "select triu": lambda gb, A, B: A.select(gb.select.triu, 1),
    "select diag": lambda gb, A, B: A.select("diag", -1),
    "select offdiag": lambda gb, A, B: gb.select.offdiag(A, 0),
    "select rows": lambda gb, A, B: gb.select.rowle(A, 1),
    "select columns": lambda gb, A, B: gb.select.colgt(A, 0),
    "mxm": lambda gb, A, B: gb.semiring.min_plus(A @ B.T),
    "a transpose": lambda gb, A, B: gb.semiring.plus_times(A.T @ B),
    "a number": lambda gb, A, B: 5,
}


@st.composite
def programs(draw):
    """Return an expression, operands, and a left-hand side with mask, accumulator and replace."""
    name = draw(st.sampled_from(sorted(EXPRESSIONS)))
    shape = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    dtype = draw(st.sampled_from(DTYPES))
    operands = draw(entries(*shape, dtype)), draw(entries(*shape, dtype))
    kind = draw(st.sampled_from(MASKS))
    return name, shape, operands, kind, draw(st.sampled_from(ACCUM)), kind is not None and draw(st.booleans())


@given(programs(), st.data())
def test_assignments_agree_with_python_graphblas(program, data):
    name, shape, (one, two), kind, accum, clear = program
    target = {"mxm": (shape[0], shape[0]), "a transpose": (shape[1], shape[1])}.get(name, shape)
    held, mask = data.draw(entries(*target)), data.draw(entries(*target))
    found = []
    for gb in LIBRARIES.values():
        A, B, C, M = (made(gb, part, s) for part, s in ((one, shape), (two, shape), (held, target), (mask, target)))
        op = None if accum is None else getattr(gb.binary, accum)
        C(mask=masked(M, kind), accum=op, replace=clear) << EXPRESSIONS[name](gb, A, B)
        found.append(plain(C))
    assert found[0] == found[1]


@given(programs())
def test_new_agrees_with_python_graphblas(program):
    name, shape, (one, two), *_ = program
    if name in ("a matrix", "a number"):
        return
    found = [EXPRESSIONS[name](gb, made(gb, one, shape), made(gb, two, shape)).new() for gb in LIBRARIES.values()]
    assert plain(found[0]) == plain(found[1])


INFIX = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
    "number +": lambda x, y: 3 + x,
    "number -": lambda x, y: 3 - x,
    "number *": lambda x, y: 3 * x,
    "number /": lambda x, y: 3 / x,
    "number <": lambda x, y: 3 < x,  # noqa: SIM300 (that is what is tested)
    "+ number": lambda x, y: x + 3,
    "- number": lambda x, y: x - 3,
    "* number": lambda x, y: x * 3,
    "/ number": lambda x, y: x / 2,
    "== number": lambda x, y: x == 3,
    "> number": lambda x, y: x > 3,
    "negative": lambda x, y: -x,
    "absolute": lambda x, y: abs(x),
}


@pytest.mark.parametrize("name", INFIX)
@given(st.tuples(st.integers(1, 5), st.integers(1, 5)), st.data())
def test_operators_agree_with_python_graphblas(name, shape, data):
    one, two = data.draw(entries(*shape, "i8")), data.draw(entries(*shape, "i8"))
    of_matrices, of_rows = [], []
    for gb in LIBRARIES.values():
        A, B = made(gb, one, shape), made(gb, two, shape)
        of_matrices.append(plain(INFIX[name](A, B).new()))
        of_rows.append(plain(INFIX[name](A[0, :].new(), B[0, :].new()).new()))
    np.testing.assert_equal(of_matrices[0], of_matrices[1])
    np.testing.assert_equal(of_rows[0], of_rows[1])


def test_a_comparison_has_no_truth_of_its_own():
    A, v = Matrix.from_coo([0], [0], [1]), Vector.from_coo([0], [1])
    for comparison in (A == A, v == v, v < 2):
        with pytest.raises(TypeError, match="ambiguous"):
            bool(comparison)
    assert (A == "text") is False
    assert len({A, A.dup(), v}) == 3  # hashed by identity


REDUCTIONS = {
    "rows": lambda gb, A: A.reduce_rowwise(gb.monoid.plus).new(),
    "columns": lambda gb, A: A.reduce_columnwise(gb.monoid.max).new(),
    "diagonal": lambda gb, A: A.diag(1),
    "diagonal below": lambda gb, A: A.diag(-2),
    "mxv": lambda gb, A: gb.semiring.plus_times(A @ A[0, :].new()).new(),
    "kronecker": lambda gb, A: A.kronecker(A, gb.binary.plus).new(),
}


@pytest.mark.parametrize("name", REDUCTIONS)
@given(st.tuples(st.integers(1, 5), st.integers(1, 5)), st.data())
def test_reductions_agree_with_python_graphblas(name, shape, data):
    parts = data.draw(entries(*shape))
    assert plain(REDUCTIONS[name](lagbfs, made(lagbfs, parts, shape))) == plain(
        REDUCTIONS[name](graphblas, made(graphblas, parts, shape))
    )


@given(st.tuples(st.integers(1, 5), st.integers(1, 5)), st.data())
def test_reduce_scalar_agrees_with_python_graphblas(shape, data):
    parts = data.draw(entries(*shape))
    ours = made(lagbfs, parts, shape).reduce_scalar(lagbfs.monoid.plus)
    assert ours.value == made(graphblas, parts, shape).reduce_scalar(graphblas.monoid.plus).new().value


def test_copies_are_apart():
    A = Matrix.from_coo([0, 1], [1, 0], [1.5, 2.5])
    B, C, D = A.dup(), A.dup(int), A.dup(clear=True)
    A[0, 0] = 9
    A.clear()
    assert (A.nvals, B.nvals, D.nvals) == (0, 2, 0)
    assert C.to_coo()[2].tolist() == [1, 2]


def test_resize():
    A = Matrix.from_coo([0, 1, 2], [1, 0, 2], [1, 2, 3])
    A.resize(2, 5)
    assert plain(A) == ((2, 5), {(0, 1): 1, (1, 0): 2})


def test_laws_of_products(backend):
    rng = np.random.default_rng(2)
    A, B, C = (Matrix.from_coo(*rng.integers(0, 20, (2, 60)), rng.integers(0, 5, 60), nrows=20, ncols=20,
                               dup_op=binary.plus) for _ in range(3))  # fmt: skip
    with lagbfs.using(backend=backend):
        AB, BC = (A @ B).new(), (B @ C).new()
        assert (AB @ C).new().isequal((A @ BC).new())
        assert AB.T.isequal((B.T @ A.T).new())
        left, right = binary.plus(AB | (A @ C).new()).new(), (A @ binary.plus(B | C).new()).new()
        assert left.isequal(right)  # A B + A C = A (B + C)
        mixed = (A.kronecker(B).new() @ B.kronecker(C).new()).new()
        assert mixed.isequal(AB.kronecker(BC).new())  # (A ⊗ B)(B ⊗ C) = AB ⊗ BC
        assert A.power(5).new().isequal((((((A @ A).new() @ A).new()) @ A).new() @ A).new())


BAD = {
    "no pair of indices": (lambda A: A[0], TypeError, "row and a column"),
    "index too large": (lambda A: A[0, 3], IndexError, "must lie in"),
    "negative index too small": (lambda A: A[-4, 0], IndexError, "must lie in"),
    "value of several": (lambda A: A[:, 0].value, AttributeError, "only one position"),
    "mask of another shape": (lambda A: A(Matrix(bool, 2, 2).S), ValueError, "mask is of shape"),
    "replace without a mask": (lambda A: A(replace=True), TypeError, "replace needs a mask"),
    "a vector as a mask": (lambda A: A(Vector(bool, 3).S) << A, TypeError, "mask of 2 dimensions"),
    "other shapes": (lambda A: A.ewise_add(Matrix(int, 2, 3)), ValueError, "must be equal"),
    "inner dimensions": (lambda A: A @ Matrix(int, 2, 3), ValueError, "must be equal"),
    "a string": (lambda A: A << "x", TypeError, "cannot assign 'x'"),
    "a vector to a matrix": (lambda A: A << Vector(int, 3), TypeError, "expected a Matrix"),
    "a row twice": (lambda A: A.__setitem__(([0, 0], 1), 5), ValueError, "twice"),
    "a row of another size": (lambda A: A.__setitem__((0, slice(None)), Vector(int, 2)), ValueError, "size 2"),
    "no operator": (lambda A: (A | A).new(), TypeError, "needs an operator"),
    "truth": (lambda A: bool(A | A), TypeError, "ambiguous"),
    "select by several values": (lambda A: A.select(">", [1, 2]), TypeError, "thunk"),
    "powers of a rectangle": (lambda A: Matrix(int, 2, 3).power(2), ValueError, "square"),
    "power zero of no identity": (lambda A: A.power(0, semiring.plus_pair), ValueError, "n must be at least 1"),
    "dense without a filling": (lambda A: A.to_dense(), TypeError, "fill_value"),
    "a matrix of numbers": (lambda A: A @ np.eye(3), TypeError, "must be a Vector or a Matrix"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_told(name):
    act, kind, words = BAD[name]
    A = Matrix.from_coo([0, 1], [1, 2], [1, 2], nrows=3, ncols=3)
    before = plain(A)
    with pytest.raises(kind, match=words):
        act(A)
    assert plain(A) == before


def test_which_diagonal_an_entry_is_on():
    found = [gb.indexunary.diagindex(gb.Matrix.from_coo([0, 1], [2, 0], [7, 8]), 1).new() for gb in LIBRARIES.values()]
    assert plain(found[0]) == plain(found[1])


def test_dense_and_back():
    A = Matrix.from_dense([[1, 0, 2], [0, 0, 3]], missing_value=0)
    assert A.nvals == 3
    assert A.to_dense(-1).tolist() == [[1, -1, 2], [-1, -1, 3]]
    assert A.to_dense(0.5).dtype == float
    indptr, indices, values = A.to_csr()
    assert Matrix.from_csr(indptr, indices, values, ncols=3).isequal(A)
    assert Vector.from_coo([0, 2], [5, 6], size=3).diag(1).to_dense(0).tolist() == [
        [0, 5, 0, 0], [0, 0, 0, 0], [0, 0, 0, 6], [0, 0, 0, 0],
    ]  # fmt: skip


def test_a_matrix_is_iterated_by_positions_and_asked_for_them():
    A = Matrix.from_coo([0, 1], [2, 0], [0, 5], ncols=3)
    assert list(A) == [(0, 2), (1, 0)]
    assert (0, 2) in A
    assert (0, 0) not in A
    assert A.get(1, 0) == 5
    assert A.get(1, 1, -1) == -1


def test_triangles_by_a_masked_product(backend):
    A = lagbfs.graphs.watts_strogatz(60, 6, 0.1)
    L = select.tril(A, -1).new()
    C = Matrix(int, *A.shape)
    with lagbfs.using(backend=backend):
        C(L.S) << semiring.plus_pair(L @ L.T)
    import networkx as nx

    expected = sum(nx.triangles(nx.from_scipy_sparse_array(A.to_scipy())).values()) // 3
    assert C.reduce_scalar().value == expected


def test_a_union_has_defaults_and_nothing_else_has():
    v, w = Vector.from_coo([0, 1], [1, 2], size=3), Vector.from_coo([1, 2], [3, 4], size=3)
    A, B = v.diag(), w.diag()
    assert binary.minus(v | w, left_default=10, right_default=20).new().to_dict() == {0: -19, 1: -1, 2: 6}
    assert binary.minus(A | B, left_default=10, right_default=20).new().diag().to_dict() == {0: -19, 1: -1, 2: 6}
    assert binary.minus(10, v).new().to_dict() == {0: 9, 1: 8}
    for act in (
        lambda: binary.plus(v & w, left_default=1, right_default=2),
        lambda: binary.plus(v | w, left_default=1),
        lambda: binary.plus(v | w, unknown=1),
        lambda: binary.plus(v, 1, left_default=2),
        lambda: binary.plus(v),
    ):
        with pytest.raises(TypeError):
            act()


def test_nan_is_the_same_as_nan():
    A = Matrix.from_coo([0, 1], [1, 0], [np.nan, np.nan])
    assert A.isequal(A.dup())
    assert A.is_symmetric
    assert not A.isequal(Matrix.from_coo([0, 1], [1, 0], [np.nan, 1.0]))
    assert not Matrix.from_coo([0], [0], 1.0).isequal(Matrix.from_coo([0], [0], 2.0))  # one value for all, each
