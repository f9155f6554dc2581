"""The language: what users of python-graphblas write, run on both libraries; each case says what it gives."""

import graphblas
import numpy as np
import pytest
from matrices import LIBRARIES, plain

import lagbfs
from lagbfs import Matrix, Vector, binary, semiring, unary


def shown(result):
    """Return what a result holds, the same for both libraries."""
    if isinstance(result, tuple | list):
        return [shown(part) for part in result]
    if hasattr(result, "new") and not isinstance(result, type):
        result = result.new()
    if hasattr(result, "to_coo"):
        return plain(result)
    if isinstance(result, lagbfs.Scalar | graphblas.Scalar):
        return result.value
    return result.tolist() if isinstance(result, np.ndarray) else result


def assigned(target, act):
    """Return a target after an act that changes it."""
    act(target)
    return target


def in_place(target, sign, other):
    """Return a target after an in-place operator, which has to give the target itself."""
    names = {"target": target, "other": other}
    exec(f"result = target\nresult {sign} other", names)
    assert names["result"] is target
    return target


def v(gb, dtype="int64"):
    return gb.Vector.from_coo([0, 2, 3], [3, 1, 4], dtype, size=5)


def w(gb, dtype="int64"):
    return gb.Vector.from_coo([2, 3, 4], [2, 7, 1], dtype, size=5)


def A(gb, dtype="int64"):
    return gb.Matrix.from_coo([0, 0, 1, 3], [1, 4, 2, 3], [5, 6, 7, 8], dtype, nrows=5, ncols=5)


def B(gb, dtype="int64"):
    return gb.Matrix.from_coo([0, 1, 2, 3], [1, 1, 2, 3], [1, 2, 3, 4], dtype, nrows=5, ncols=5)


CASES = {
    "three operands of a union": lambda gb: gb.binary.plus(v(gb) | w(gb) | v(gb)),
    "three operands of an intersection": lambda gb: gb.monoid.min(v(gb) & w(gb) & v(gb)),
    "three matrices": lambda gb: gb.binary.plus(A(gb) | B(gb) | A(gb)),
    "a union with defaults": lambda gb: gb.binary.minus(v(gb) | w(gb), left_default=10, right_default=20),
    "products in a row": lambda gb: gb.semiring.min_plus(A(gb) @ B(gb) @ v(gb)),
    "a product on the left": lambda gb: gb.semiring.min_plus(v(gb) @ A(gb) @ B(gb)),
    "bools need no operator": lambda gb: (v(gb, bool) | w(gb, bool), v(gb, bool) & w(gb, bool)),
    "inner": lambda gb: v(gb).inner(w(gb)),
    "inner by @": lambda gb: gb.semiring.min_plus(v(gb) @ w(gb)),
    "inner of nothing": lambda gb: v(gb).inner(gb.Vector(int, 5)),
    "outer": lambda gb: v(gb).outer(w(gb), gb.binary.minus),
    "a vector for each row": lambda gb: (gb.binary.plus(A(gb) | v(gb)), gb.binary.minus(A(gb) & v(gb))),
    "a vector for each column": lambda gb: (gb.binary.plus(v(gb) | A(gb)), gb.binary.minus(v(gb) & A(gb))),
    "reposition": lambda gb: (v(gb).reposition(2), v(gb).reposition(-1, size=3), A(gb).reposition(1, -1, ncols=4)),
    "power zero": lambda gb: A(gb).power(0),
    "diag": lambda gb: (v(gb).diag(1), A(gb).diag(1), A(gb).T.diag(-1)),
    "setdiag": lambda gb: assigned(A(gb), lambda C: C.setdiag(9)),
    "setdiag of a vector": lambda gb: assigned(A(gb), lambda C: C.setdiag(v(gb), accum=gb.binary.plus)),
    "dup under a mask": lambda gb: (v(gb).dup(mask=w(gb).S), A(gb).dup("float64", mask=~B(gb).V)),
    "dup clear": lambda gb: (v(gb).dup(clear=True), A(gb).dup(bool, clear=True)),
    "resize": lambda gb: (assigned(v(gb), lambda x: x.resize(3)), assigned(v(gb), lambda x: x.resize(9))),
    "build": lambda gb: assigned(gb.Vector(int, 5), lambda x: x.build([1, 1], [2, 3], dup_op=gb.binary.plus)),
    "build anew": lambda gb: assigned(A(gb), lambda x: x.build([1, 0], [1, 1], [2, 3], clear=True, nrows=2, ncols=2)),
    "from_pairs": lambda gb: gb.Vector.from_pairs([(2, 5), (0, 4)]),
    "from_dict": lambda gb: gb.Vector.from_dict({2: 5, 0: 4}, size=6),
    "from_dicts": lambda gb: (gb.Matrix.from_dicts({0: {0: 4}, 2: {1: 5}}), gb.Matrix.from_dicts([{1: 5}, {}, {0: 4}])),
    "from_dicts by columns": lambda gb: gb.Matrix.from_dicts({0: {0: 4}, 2: {1: 5}}, order="columnwise", nrows=4),
    "to_dicts": lambda gb: (A(gb).to_dicts(), A(gb).to_dicts(order="columnwise")),
    "from_edgelist": lambda gb: (
        gb.Matrix.from_edgelist([(0, 1, 5), (2, 0, 4)]), gb.Matrix.from_edgelist(np.array([[0, 1], [2, 0]]), [5, 4])
    ),
    "to_edgelist": lambda gb: A(gb).to_edgelist(),
    "from_scalar": lambda gb: (gb.Vector.from_scalar(5, 3), gb.Matrix.from_scalar(5, 2, 3)),
    "a scalar for duplicates": lambda gb: (gb.Vector.from_coo([1, 1], 5), gb.Matrix.from_coo([1, 1], [0, 0], 5)),
    "compressed columns": lambda gb: gb.Matrix.from_csc(*A(gb).to_csc()),
    "listed rows": lambda gb: gb.Matrix.from_dcsr(*A(gb).to_dcsr(), nrows=5, ncols=5),
    "listed columns": lambda gb: gb.Matrix.from_dcsc(*A(gb).to_dcsc(), nrows=5, ncols=5),
    "to_dcsr": lambda gb: A(gb).to_dcsr(),
    "to_coo": lambda gb: (v(gb).to_coo(float, indices=False)[1].tolist(), A(gb).to_coo(rows=False, values=False)[1]),
    "dense": lambda gb: (v(gb).to_dense(0, float), A(gb).to_dense(-1), gb.Matrix.from_dense([[1, 0], [0, 2]], 0)),
    "a list to positions": lambda gb: assigned(v(gb), lambda x: x.__setitem__([0, 1], [7, 8])),
    "an array to a slice": lambda gb: assigned(v(gb), lambda x: x.__setitem__(slice(3), np.arange(3))),
    "a list to a row": lambda gb: assigned(A(gb), lambda x: x.__setitem__((0, slice(1, 3)), [7, 8])),
    "a list to a column": lambda gb: assigned(A(gb), lambda x: x.__setitem__(([4, 0], 1), [7, 8])),
    "an array to a region": lambda gb: assigned(A(gb), lambda x: x.__setitem__(([0, 1], [1, 2]), np.eye(2))),
    "a list with an accumulator": lambda gb: assigned(v(gb), lambda x: x(gb.binary.plus).__setitem__([0, 1], [7, 8])),
    "all positions": lambda gb: (v(gb)[...], assigned(v(gb), lambda x: x[...] << 5), A(gb)[...]),
    "a mask on some positions": lambda gb: assigned(v(gb), lambda x: x[:2](gb.Vector.from_coo([0], 1, size=2).S) << 9),
    "a mask on a region": lambda gb: assigned(A(gb), lambda x: x[:2, 1:3](~B(gb)[:2, 1:3].new().S) << 9),
    "a vector's mask on a row": lambda gb: assigned(A(gb), lambda x: x(v(gb).S)[0, :] << 9),
    "a vector's mask on a column": lambda gb: assigned(
        A(gb), lambda x: x(~v(gb).S, replace=True)[[0, 1], 2] << w(gb)[:2]
    ),
    "input_mask": lambda gb: v(gb)[[0, 2, 4]].new(input_mask=w(gb).S),
    "input_mask of an assignment": lambda gb: assigned(
        gb.Vector(int, 3), lambda x: x(input_mask=~w(gb).S) << v(gb)[:3]
    ),
    "input_mask of a row": lambda gb: A(gb)[0, 1:].new(input_mask=v(gb).V),
    "input_mask of a region": lambda gb: A(gb)[:2, 1:].new(input_mask=B(gb).S),
    "masks of bools": lambda gb: assigned(v(gb), lambda x: x(w(gb, bool)) << 9),
    "masks joined": lambda gb: (
        (v(gb).S | w(gb).V).new(), (v(gb).S & ~w(gb).S).new(), (A(gb).S | ~B(gb).S).new(), (A(gb).V & B(gb).V).new()
    ),
    "masks as vectors": lambda gb: ((~v(gb).S).new(int), v(gb).V.new(complement=True), v(gb).S.new(mask=w(gb).S)),
    "select by a mask": lambda gb: (v(gb).select(w(gb).S), A(gb).select(~B(gb).V)),
    "select by bools": lambda gb: v(gb).select((v(gb) > 1).new()),
    "update": lambda gb: (assigned(v(gb), lambda x: x.update(w(gb))), assigned(A(gb), lambda x: x.update(5))),
    "+=": lambda gb: (in_place(v(gb), "+=", w(gb)), in_place(A(gb), "+=", B(gb)), in_place(v(gb), "+=", 2)),
    "+= of another dtype": lambda gb: in_place(v(gb), "+=", (w(gb, float) * 0.3).new()),
    "-=": lambda gb: (in_place(v(gb), "-=", w(gb)), in_place(A(gb), "-=", 1)),
    "*=": lambda gb: (in_place(v(gb), "*=", w(gb)), in_place(A(gb), "*=", B(gb).T)),
    "|= and &=": lambda gb: (in_place(v(gb, bool), "|=", w(gb, bool)), in_place(A(gb, bool), "&=", B(gb, bool))),
    "@=": lambda gb: (in_place(v(gb), "@=", A(gb)), in_place(A(gb), "@=", B(gb))),
    "not": lambda gb: (~v(gb, bool), ~A(gb, bool)),
    "names": lambda gb: (
        gb.Vector(int, 2, name="a").name, gb.Matrix(int, 2, 2, name="b").name, v(gb).dup(name="c").name,
        (v(gb) + w(gb)).new(name="d").name, A(gb)[0, :].new(name="e").name, A(gb).T.new(name="f").name,
    ),
    "get": lambda gb: (v(gb).get(0), v(gb).get(1), v(gb).get(1, 5), A(gb).get(0, 1), A(gb).get(0, 0, -1)),
    "negative indices": lambda gb: (v(gb)[-2], v(gb)[[-1, -2]], A(gb)[-2, -2], A(gb)[:, -1]),
    "in and iter": lambda gb: (0 in v(gb), 1 in v(gb), [*v(gb)], (0, 1) in A(gb), (0, 0) in A(gb), [*A(gb)]),
    "isequal": lambda gb: (
        v(gb).isequal(v(gb, "int8")), v(gb).isequal(v(gb, "int8"), check_dtype=True), A(gb).isequal(B(gb)),
    ),
    "isclose": lambda gb: (
        v(gb, float).isclose((v(gb, float) + 1e-9).new()), v(gb).isclose((v(gb) + 1).new(), abs_tol=1),
        A(gb, float).isclose((A(gb, float) * (1 + 1e-9)).new(), rel_tol=1e-12), A(gb).isclose(B(gb)),
        A(gb).isclose(A(gb, float), check_dtype=True),
    ),
    "operators of numbers": lambda gb: (
        gb.unary.cos(0), gb.binary.minus(5, 2), gb.monoid.max[float](1, 2), gb.select.valuene(5, 5),
    ),
    "index operators by name": lambda gb: (
        v(gb).apply("index", 2), A(gb).apply("rowindex"), A(gb).apply("colindex[int32]", 1),
        A(gb).apply(gb.select.valueeq, 6), A(gb).select("TRIU"),
    ),
    "bools from the right": lambda gb: (v(gb, bool).__ror__(w(gb, bool)), A(gb, bool).__rand__(B(gb, bool))),
    "wait": lambda gb: (v(gb).wait(), A(gb).wait("complete")),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_both_libraries_give_the_same(name):
    ours, theirs = (shown(CASES[name](gb)) for gb in LIBRARIES.values())
    assert ours == theirs


def test_expressions_are_operands():
    x, y, C = v(lagbfs), w(lagbfs), A(lagbfs)
    total = x + y
    assert (total.nvals, total.size, total.shape, total.ndim, len(total)) == (4, 5, (5,), 1, 5)
    assert total.to_dict() == total.new().to_dict() == {0: 3, 2: 3, 3: 11, 4: 1}
    assert (total[3].value, 3 in total, [*total], total.reduce().value) == (11, True, [0, 2, 3, 4], 18)
    assert ((x + y) * (x - y)).new().isequal(((x + y).new() * (x - y).new()).new())
    assert (2 * (x + y)).apply(lagbfs.unary.ainv).new().to_dict() == {0: -6, 2: -6, 3: -22, 4: -2}
    assert ((x + y) @ C).new().isequal((total.new() @ C).new())
    assert (C @ C).T.new().isequal((C.T @ C.T).new())
    assert semiring.min_plus((x + y) @ (C + C)).new().isequal(semiring.min_plus(total.new() @ (C + C).new()).new())
    assert (C + C).nvals == 4
    assert (C @ C.T).reduce_rowwise().new().nvals == 3
    y(~(x > 1).new().V) << 0
    y(x > 1) << 100
    y((x + x).S, binary.plus) << 1
    assert y.to_dict() == {0: 101, 1: 0, 2: 1, 3: 101, 4: 0}
    with pytest.raises(AttributeError, match="resize"):
        total.resize(3)


def test_what_was_looked_at_is_kept_and_new_computes_anew():
    x = v(lagbfs)
    doubled = x + x
    assert doubled.nvals == 3
    x[1] = 1
    assert (doubled.nvals, doubled.new().nvals) == (3, 4)


BAD = {
    "| and & mixed": (lambda x, C: (x | x) & x, TypeError, "mixed"),
    "no operator": (lambda x, C: (x | x).new(), TypeError, "needs an operator"),
    "no operator of an operand": (lambda x, C: x.ewise_add(x & x), TypeError, "needs an operator"),
    "a list of another size": (lambda x, C: x.__setitem__([0, 1], [1]), ValueError, "shape"),
    "a list to one position": (lambda x, C: x.__setitem__(0, [1]), TypeError, "one position"),
    "a matrix to one position": (lambda x, C: C.__setitem__((0, 0), C), TypeError, "one position"),
    "an array of another shape": (lambda x, C: C.__setitem__(([0, 1], [1, 2]), [1, 2]), ValueError, "shape"),
    "a mask as an index": (lambda x, C: x[x.S], TypeError, "index must be"),
    "a vector as an index": (lambda x, C: x[x], TypeError, "index must be"),
    "|= of integers": (lambda x, C: in_place(x, "|=", x), TypeError, "for bools"),
    "~ of integers": (lambda x, C: ~C, TypeError, "for bools"),
    "@= of two vectors": (lambda x, C: in_place(x, "@=", x), TypeError, "1 dimensions"),
    "build of what is there": (lambda x, C: x.build([0], [1]), ValueError, "clear=True"),
    "build of a matrix": (lambda x, C: C.build([0], [0], [1]), ValueError, "clear=True"),
    "a thunk for a mask": (lambda x, C: x.select(x.S, 5), TypeError, "thunk"),
    "input_mask of no region": (lambda x, C: x(input_mask=x.S) << x, TypeError, "indexed"),
    "input_mask of another shape": (lambda x, C: x[:3].new(input_mask=x[:3].new().S), ValueError, "input_mask"),
    "two masks": (lambda x, C: x[:3].new(mask=x[:3].new().S, input_mask=x.S), TypeError, "not both"),
    "a diagonal outside": (lambda x, C: C.setdiag(5, 9), IndexError, "k must lie"),
    "edges of four": (lambda x, C: Matrix.from_edgelist([(0, 1, 2, 3)]), ValueError, "pairs"),
    "pairs of three": (lambda x, C: Vector.from_pairs([(0, 1, 2)]), ValueError, "pairs"),
    "an unknown order": (lambda x, C: C.to_dicts("upwards"), ValueError, "order"),
    "values of two dimensions": (lambda x, C: Vector.from_coo([0, 1], np.eye(2)), ValueError, "one-dimensional"),
    "entries of two dimensions": (lambda x, C: Matrix.from_coo([0, 1], [0, 1], np.eye(2)), ValueError, "one-dimension"),
    "rows not listed": (lambda x, C: Matrix.from_dcsr([1, 2], [0, 1], [0]), ValueError, "indptr"),
    "the truth of a matrix": (lambda x, C: bool(C), TypeError, "ambiguous"),
    "the truth of an expression": (lambda x, C: bool(x == x), TypeError, "ambiguous"),
    "a thunk on the left": (lambda x, C: C.apply("rowindex", left=1), TypeError, "left must not be given"),
    "an operator of text": (lambda x, C: unary.cos("0"), TypeError, "or a number"),
    "a semiring of a matrix": (lambda x, C: semiring.plus_times(C), TypeError, "takes a product"),
    "a way to wait": (lambda x, C: x.wait("long"), ValueError, "how must be"),
    "a vector of another size": (lambda x, C: Vector(int, 3) | C, ValueError, "must be equal"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_told(name):
    act, kind, words = BAD[name]
    x, C = v(lagbfs), A(lagbfs)
    with pytest.raises(kind, match=words) as raised:
        act(x, C)
    assert isinstance(raised.value, lagbfs.LagbfsError)
    assert x.isequal(v(lagbfs))
    assert C.isequal(A(lagbfs))
