"""Matrices and vectors of up to 2⁴⁰ rows with a few entries: against python-graphblas, and refusals in words."""

import pickle

import graphblas
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matrices import ACCUM, MASKS, made, masked, plain

import lagbfs
from lagbfs import LagbfsError, Matrix, Vector, backends
from lagbfs.storage import compressed

N = 2**40
SIZES = st.sampled_from([5, 2**31, 2**36 + 3, N])
LIBRARIES = (lagbfs, graphblas)
ENGINES = [name for name in ("reference", "suitesparse", "native") if name in [i.name for i in backends.available()]]


def places(size):
    """Draw positions that often meet, at both ends and in the middle of a dimension."""
    near = st.integers(0, min(size, 4) - 1)
    return near | near.map(lambda i: size - 1 - i) | near.map(lambda i: size // 2 + i % (size - size // 2))


@st.composite
def entries(draw, *shape, dtype="i8"):
    """Draw coordinates in order, each once, and values."""
    at = sorted(draw(st.sets(st.tuples(*map(places, shape)), max_size=6)))
    values = draw(st.lists(st.integers(0, 7), min_size=len(at), max_size=len(at)))
    return *([place[k] for place in at] for k in range(len(shape))), np.array(values, dtype)


def vector(library, parts, size):
    return library.Vector.from_coo(*parts, dtype=np.int64, size=size)


def shapes():
    return st.tuples(SIZES, SIZES)


@given(shapes(), st.data())
def test_what_is_put_in_comes_out(shape, data):
    rows, columns, values = parts = data.draw(entries(*shape))
    A = made(lagbfs, parts, shape)
    assert (A.shape, A.nvals) == (shape, len(values))
    for there, put in zip(A.to_coo(), parts, strict=True):
        assert there.tolist() == list(put)
    assert plain(A.T) == plain(made(graphblas, parts, shape).T)
    assert A.isequal(A.dup())
    assert A.isequal(pickle.loads(pickle.dumps(A)))
    assert A.isequal(Matrix.from_graphblas(A.to_graphblas()))
    assert A.T.new().T.isequal(A)
    assert [A[i, j].value for i, j in zip(rows, columns, strict=True)] == values.tolist()
    assert A.is_symmetric == (shape[0] == shape[1] and A.isequal(A.T.new()))


@given(shapes(), st.data())
def test_entry_by_entry_as_in_python_graphblas(shape, data):
    one, two = data.draw(entries(*shape)), data.draw(entries(*shape))
    k = data.draw(st.integers(-2, 2))
    found = []
    for gb in LIBRARIES:
        A, B = made(gb, one, shape), made(gb, two, shape)
        computed = [
            A.ewise_add(B, gb.binary.minus),
            A.ewise_mult(B, gb.binary.plus),
            A.ewise_union(B, gb.binary.minus, 5, 7),
            A.apply(gb.unary.ainv),
            A.apply(gb.binary.minus, left=3),
            A.select(">", 3),
            A.select(gb.select.tril, k),
            A.reduce_rowwise(gb.monoid.plus),
            A.reduce_columnwise(gb.monoid.max),
        ]
        found.append([*(plain(expression.new()) for expression in computed), A.reduce_scalar().new().value])
    assert found[0] == found[1]


@given(shapes(), st.data())
def test_writing_as_in_python_graphblas(shape, data):
    held, put, mask = (data.draw(entries(*shape)) for _ in range(3))
    accum, kind, clear = data.draw(st.sampled_from(ACCUM)), data.draw(st.sampled_from(MASKS)), data.draw(st.booleans())
    found = []
    for gb in LIBRARIES:
        C, M = made(gb, held, shape), made(gb, mask, shape)
        op = None if accum is None else getattr(gb.binary, accum)
        C(mask=masked(M, kind), accum=op, replace=clear and kind is not None) << made(gb, put, shape)
        C(mask=M.S) << 9
        C[shape[0] - 1, 0] = 4
        del C[0, 0]
        found.append(plain(C))
    assert found[0] == found[1]


@st.composite
def slices(draw, size):
    bound = st.none() | places(size) | places(size).map(lambda i: i - size)
    return slice(draw(bound), draw(bound), draw(st.sampled_from([None, 1, 2, 7, -1, -3])))


def as_dict(matrix):
    return dict(zip(matrix, matrix.to_coo()[2].tolist(), strict=True))


@given(shapes(), st.data())
def test_regions(shape, data):
    """Compared with a dictionary: SuiteSparse takes memory by the number of rows for some of these assignments."""
    parts, index = data.draw(entries(*shape)), tuple(data.draw(slices(size)) for size in shape)
    A, (rows, columns) = made(lagbfs, parts, shape), (range(size)[i] for i, size in zip(index, shape, strict=True))
    held = as_dict(A)
    part = A[index].new()
    inside = {(i, j): x for (i, j), x in held.items() if i in rows and j in columns}
    assert part.shape == (len(rows), len(columns))
    assert as_dict(part) == dict(sorted(((rows.index(i), columns.index(j)), x) for (i, j), x in inside.items()))
    A[index] << part.apply("plus", right=1)
    assert as_dict(A) == held | {place: x + 1 for place, x in inside.items()}
    A(accum="plus")[index] << part
    assert as_dict(A) == held | {place: 2 * x + 1 for place, x in inside.items()}
    del A[index]
    assert as_dict(A) == {place: x for place, x in held.items() if place not in inside}


@given(shapes(), st.data())
def test_rows_and_columns(shape, data):
    A, (i, j) = made(lagbfs, data.draw(entries(*shape)), shape), map(data.draw, map(places, shape))
    held = as_dict(A)
    row, column = A[i, :].new(), A[:, j].new()
    assert (row.size, row.to_dict()) == (shape[1], {k: x for (h, k), x in held.items() if h == i})
    assert (column.size, column.to_dict()) == (shape[0], {h: x for (h, k), x in held.items() if k == j})
    A[i, :] << row.apply("plus", right=1)
    A[:, j] << A[:, j].new().apply("plus", right=1)
    assert as_dict(A) == {(h, k): x + (h == i) + (k == j) for (h, k), x in held.items()}


@pytest.mark.parametrize("backend", ENGINES)
@pytest.mark.parametrize("direction", ["push", "pull"])
@given(st.sampled_from(["plus_times", "min_plus", "any_pair", "min_second"]), shapes(), st.data())
def test_products_as_in_python_graphblas(backend, direction, name, shape, data):
    held, left, right = (data.draw(entries(*s)) for s in (shape, shape[:1], shape[1:]))
    kind, mask = data.draw(st.sampled_from(MASKS)), data.draw(entries(shape[1]))
    found = []
    with lagbfs.using(backend=backend, direction=direction):
        for gb in LIBRARIES:
            A, q, p = made(gb, held, shape), vector(gb, left, shape[0]), vector(gb, right, shape[1])
            op, w = getattr(gb.semiring, name), gb.Vector(np.int64, shape[1])
            w(mask=masked(vector(gb, mask, shape[1]), kind), replace=kind is not None) << op(q @ A)
            C = op(A @ A.T).new()
            found.append([plain(w), plain(op(A @ p).new()), plain(C), plain(op(A.T @ A).new())])
    assert found[0] == found[1]


@given(SIZES, st.data())
def test_vectors_as_in_python_graphblas(size, data):
    one, two, mask = (data.draw(entries(size)) for _ in range(3))
    kind, accum = data.draw(st.sampled_from(MASKS)), data.draw(st.sampled_from(ACCUM))
    number = data.draw(st.integers(0, 7))
    found = []
    for gb in LIBRARIES:
        v, w, m = (vector(gb, parts, size) for parts in (one, two, mask))
        op = None if accum is None else getattr(gb.binary, accum)
        union = v.ewise_add(w, gb.binary.minus).new()
        w(mask=masked(m, kind), accum=op, replace=kind is not None) << v
        w(mask=m.S, accum=op) << number
        more = [union, v.select("<", 4).new(), v.ewise_mult(m, gb.binary.max).new(), v.diag(1), w]
        found.append([*map(plain, more), v.reduce(gb.monoid.plus).new().value, v.isequal(m), v.dup().isequal(v)])
    assert found[0] == found[1]


@given(SIZES, st.data())
def test_parts_of_vectors(size, data):
    v, m = (vector(lagbfs, data.draw(entries(size)), size) for _ in range(2))
    index = data.draw(slices(size))
    at, held, allowed = range(size)[index], v.to_dict(), m.to_dict()
    part = v[index].new()
    assert (part.size, part.to_dict()) == (len(at), dict(sorted((at.index(i), x) for i, x in held.items() if i in at)))
    v(m.S)[index] << 9
    held |= {i: 9 for i in allowed if i in at}
    assert v.to_dict() == dict(sorted(held.items()))
    v(accum="plus")[index] << part
    held |= {at[k]: held[at[k]] + x for k, x in part.to_dict().items()}
    assert v.to_dict() == dict(sorted(held.items()))
    v(~m.V, accum="plus", replace=True)[index] << part
    held |= {at[k]: held[at[k]] + x for k, x in part.to_dict().items()}
    assert v.to_dict() == dict(sorted((i, x) for i, x in held.items() if not allowed.get(i)))
    del v[index]
    assert v.to_dict() == dict(sorted((i, x) for i, x in held.items() if not allowed.get(i) and i not in at))


def refused(do, *words):
    with pytest.raises(LagbfsError) as caught:
        do()
    assert isinstance(caught.value, MemoryError)
    assert "does not fit in memory" in str(caught.value)
    assert all(word in str(caught.value) for word in words)


def test_what_would_take_memory_by_size_is_refused_before():
    A, v, w = Matrix.from_edges([1, N - 1], [N - 1, 5], n=N), Vector.from_coo([1], [2], size=N), Vector(int, N)
    number = f"{N:,}"
    for do in (
        lambda: w << 1,
        lambda: w(~v.S) << 1,
        lambda: w[1:] << 1,
        lambda: v.to_dense(0),
        lambda: setattr(v, "format", "bitmap"),
        lambda: Vector.from_scalar(1, N),
        lambda: A.degrees,
        lambda: A.in_degrees,
        lambda: A.to_csr(),
        lambda: A.to_scipy(),
        lambda: A.to_dense(0),
        lambda: lagbfs.bfs(A, 1),
    ):
        refused(do)
    refused(lambda: A << 1, number)
    refused(lambda: A.optimize(backend="native") if "native" in ENGINES else A.degrees, number)
    assert w.nvals == 0
    assert A.nvals == 2


@pytest.mark.parametrize("size", [2**60 + 1, 2**63, 2**70])
def test_there_are_at_most_so_many_positions(size):
    for do in (
        lambda: Vector(int, size),
        lambda: Vector.from_coo([1], size=size),
        lambda: Vector(int, 3).resize(size),
        lambda: Matrix(int, size, 1),
        lambda: Matrix(int, 1, 1).resize(1, size),
        lambda: Matrix.from_edges([0], [1], n=size),
        lambda: Matrix.from_coo([0], [1], ncols=size),
    ):
        with pytest.raises(LagbfsError, match=r"2\^60"):
            do()
    assert Vector.from_coo([2**60 - 1], size=2**60).diag().nvals == 1


def test_a_hypersparse_matrix_is_shown():
    A = Matrix.from_edges([1, N - 1], [N - 1, 5], n=N)
    assert repr(A) == f"Matrix({N} × {N}, 2 entries, bool iso, int64 indices)"
    assert f"{N:,} × {N:,}" in A._repr_html_()
    assert A.degree_stats.max == 1
    assert A.degree_stats.median == 0
    assert repr(Vector(int, N)).startswith(f"Vector(nvals=0, size={N}")


def test_edges_both_ways_and_twice():
    A = Matrix.from_edges([N - 1, 3, 3], [3, N - 1, 3], n=N, directed=False)
    assert A.is_symmetric
    assert list(A) == [(3, 3), (3, N - 1), (N - 1, 3)]
    B = Matrix.from_edges([N - 1, 3, 3], [3, N - 1, 3], weights=[5, 2, 9], drop_loops=True, directed=False)
    assert B.to_coo()[2].tolist() == [2, 2]
    with pytest.raises(ValueError, match="named twice"):
        Matrix.from_coo([N, N], [1, 1], [2, 3])


def test_rows_that_lose_their_entries_are_no_longer_listed():
    A = Matrix.from_coo([1, N - 1], [2, 3], [5, 6], nrows=N, ncols=N)
    A << A.select("==", 6)
    assert A.csr.row_ids.tolist() == [N - 1]
    A.clear()
    assert (A.nvals, A.nrows, A.csr.row_ids.tolist()) == (0, N, [])
    A.resize(4, 4)
    assert A.csr.row_ids is None


def test_a_matrix_that_is_no_longer_hypersparse(monkeypatch):
    monkeypatch.setattr(compressed, "HYPER_FROM", 40)
    A = Matrix.from_coo([1, 40], [2, 3], [5, 6], nrows=48, ncols=48)
    assert isinstance(A.csr, compressed.Hyper)
    assert A.csr.indptr.tolist() == [0, 0] + [1] * 39 + [2] * 8
    B = A.ewise_add(Matrix.from_coo([1, 2, 3], [4, 4, 4], [7, 8, 9], nrows=48, ncols=48)).new()
    assert not isinstance(B.csr, compressed.Hyper)
    assert dict(zip(B, B.to_coo()[2].tolist(), strict=True)) == {(1, 2): 5, (1, 4): 7, (2, 4): 8, (3, 4): 9, (40, 3): 6}
    assert lagbfs.bfs(A, 40).levels[3] == 1
