"""Matrix: constructors, conversions there and back, dtypes, sharing, immutability."""

import graphblas as gb
import numpy as np
import pytest
import scipy.sparse as sp
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import LagbfsError, Matrix, binary


@st.composite
def matrices(draw):
    """Return the entries of a matrix as a dictionary, its shape and dtype."""
    shape = draw(st.integers(0, 9)), draw(st.integers(0, 9))
    dtype = draw(sts.dtypes)
    return draw(sts.coordinates(*shape, dtype)), shape, dtype


def entries(A):
    rows, columns, values = A.to_coo()
    return dict(zip(zip(rows.tolist(), columns.tolist(), strict=True), values.tolist(), strict=True))


def check(A, found, shape, dtype):
    """The matrix is these entries, in canonical form."""
    assert (entries(A), A.shape, A.dtype, A.nvals) == (found, shape, dtype, len(found))
    assert (A.nrows, A.ncols) == shape
    assert A.csr.indptr.dtype == A.csr.indices.dtype == np.int32
    for i in range(A.nrows):
        row = A.csr.indices[A.csr.indptr[i] : A.csr.indptr[i + 1]]
        assert (np.diff(row) > 0).all()


@given(matrices(), st.randoms(use_true_random=False))
def test_from_coo_takes_entries_in_any_order(case, random):
    found, shape, dtype = case
    shuffled = list(found.items())
    random.shuffle(shuffled)
    check(sts.matrix(dict(shuffled), *shape, dtype), found, shape, dtype)


@given(matrices(), st.sampled_from(["csr", "csc", "coo", "lil", "dok"]), st.booleans())
def test_scipy_there_and_back(case, format, as_array):
    found, shape, dtype = case
    A = sts.matrix(found, *shape, dtype)
    theirs = A.to_scipy()
    assert (theirs.shape, theirs.dtype, theirs.nnz) == (shape, dtype, len(found))
    np.testing.assert_array_equal(theirs.toarray(), dense(found, shape, dtype))
    other = theirs.asformat(format) if as_array else sp.csr_matrix(theirs).asformat(format)
    back = Matrix.from_scipy(other)
    if format in ("csr", "csc", "coo"):  # the others may lose explicit zeros
        check(back, found, shape, dtype)
    else:
        np.testing.assert_array_equal(back.to_scipy().toarray(), theirs.toarray())


def dense(found, shape, dtype):
    array = np.zeros(shape, dtype)
    for at, value in found.items():
        array[at] = value
    return array


@given(matrices(), st.booleans())
def test_graphblas_there_and_back(case, iso):
    found, shape, dtype = case
    if not all(shape):
        return
    if iso:
        found = dict.fromkeys(found, True if dtype.kind == "b" else 3)
        A = Matrix.from_coo([i for i, _ in found], [j for _, j in found], dtype.type(3), nrows=shape[0], ncols=shape[1])
    else:
        A = sts.matrix(found, *shape, dtype)
    theirs = A.to_graphblas()
    assert (theirs.shape, theirs.dtype.np_type) == (shape, dtype)
    assert {(i, j): theirs[i, j].new().value for i, j in found} == found
    back = Matrix.from_graphblas(theirs)
    check(back, found, shape, dtype)
    assert back.is_iso == (iso and len(found) > 0) or len(set(found.values())) < 2


@given(matrices())
def test_from_csr_there_and_back(case):
    found, shape, dtype = case
    A = sts.matrix(found, *shape, dtype)
    check(Matrix.from_csr(A.csr.indptr, A.csr.indices, A.csr.values, ncols=shape[1]), found, shape, dtype)


@given(matrices())
def test_transposes(case):
    found, shape, dtype = case
    A = sts.matrix(found, *shape, dtype)
    flipped = {(j, i): x for (i, j), x in sorted(found.items(), key=lambda e: e[0][::-1])}
    check(A.T, flipped, shape[::-1], dtype)
    check(A.T.T, found, shape, dtype)
    assert A.T.T.csr is A.csr
    assert A.T.csr is A.T.csr
    assert A.T.isequal(sts.matrix(flipped, *shape[::-1], dtype))
    assert A.is_symmetric == A.T.is_symmetric == (shape[0] == shape[1] and found == flipped)


@given(sts.graphs())
def test_from_edges_is_the_set_of_edges(graph):
    A = graph.matrix()
    check(A, dict.fromkeys(sorted(graph.pairs()), True), (graph.n, graph.n), np.dtype(bool))
    assert A.is_iso
    assert A.csr.values.size == 1
    assert A.is_symmetric == (graph.pairs() == {(v, u) for u, v in graph.pairs()})
    out = [len(s) for s in graph.successors()]
    into = [sum(v in s for s in graph.successors()) for v in range(graph.n)]
    assert (A.degrees.tolist(), A.in_degrees.tolist()) == (out, into)
    assert (A.T.degrees.tolist(), A.T.in_degrees.tolist()) == (into, out)
    loops = {(u, v) for u, v in graph.pairs() if u == v}
    assert entries(graph.matrix(drop_loops=True)).keys() == graph.pairs() - loops


@given(sts.graphs(), st.data())
def test_the_lightest_of_parallel_edges_is_kept(graph, data):
    weights = data.draw(st.lists(st.integers(-9, 9), min_size=len(graph.edges), max_size=len(graph.edges)))
    lightest = {}
    for (u, v), w in zip(graph.edges, weights, strict=True):
        for at in [(u, v)] if graph.directed else [(u, v), (v, u)]:
            lightest[at] = min(w, lightest.get(at, w))
    A = graph.matrix(weights=np.array(weights, "i4"))
    check(A, dict(sorted(lightest.items())), (graph.n, graph.n), np.dtype("i4"))
    assert A.is_symmetric == all(lightest.get((v, u)) == w for (u, v), w in lightest.items())


@pytest.mark.parametrize(
    ("op", "expected"),
    [("plus", 12), ("times", 30), ("min", 1), ("max", 6), ("first", 5), ("second", 1), ("minus", -2)],
)
def test_duplicates_are_combined_from_left_to_right(op, expected):
    A = Matrix.from_coo([0, 1, 0, 0], [1, 0, 1, 1], [5, 9, 6, 1], dup_op=op)
    assert entries(A) == {(0, 1): expected, (1, 0): 9}
    assert entries(Matrix.from_coo([0, 0], [1, 1], [5, 6], dup_op=binary.max)) == {(0, 1): 6}


def test_duplicates_of_one_value_for_all():
    assert entries(Matrix.from_coo([0, 0, 0], [1, 1, 1], 2, dup_op="plus")) == {(0, 1): 6}
    kept = Matrix.from_coo([0, 0, 0], [1, 1, 1], 2, dup_op="min")
    assert entries(kept) == {(0, 1): 2}
    assert kept.is_iso


def test_duplicates_without_an_operator_are_an_error():
    with pytest.raises(ValueError, match=r"\(0, 1\).*dup_op") as caught:
        Matrix.from_coo([0, 0], [1, 1], [5, 6])
    assert isinstance(caught.value, LagbfsError)
    with pytest.raises(ValueError, match="dup_op"):
        Matrix.from_csr([0, 2], [1, 1], [5, 6])
    assert entries(Matrix.from_csr([0, 2], [1, 1], [5, 6], dup_op="plus")) == {(0, 1): 11}


def test_scipy_duplicates_are_added_up_and_the_original_stays():
    theirs = sp.coo_array(([1, 2, 4], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
    assert entries(Matrix.from_scipy(theirs)) == {(0, 1): 3, (1, 0): 4}
    unsorted = sp.csr_array((np.array([1, 2, 4]), np.array([1, 0, 1]), np.array([0, 3, 3])), shape=(2, 2))
    assert entries(Matrix.from_scipy(unsorted)) == {(0, 0): 2, (0, 1): 5}
    assert unsorted.indices.tolist() == [1, 0, 1]


def test_explicit_zeros_are_entries_unless_dropped():
    theirs = sp.csr_array((np.array([0.0, 2.0]), np.array([1, 0]), np.array([0, 1, 2])), shape=(2, 2))
    A = Matrix.from_scipy(theirs)
    assert (A.nvals, A.degrees.tolist()) == (2, [1, 1])
    dropped = Matrix.from_scipy(theirs, drop_zeros=True)
    assert entries(dropped) == {(1, 0): 2.0}
    assert theirs.nnz == 2
    assert Matrix.from_coo([0], [0], [0.0]).nvals == 1


@pytest.mark.parametrize("dtype", sts.DTYPES, ids=str)
def test_every_dtype_is_kept(dtype):
    values = np.array([0, 1], dtype)
    for A in (
        Matrix.from_coo([0, 1], [1, 0], values),
        Matrix.from_coo([0, 1], [1, 0], [0, 1], dtype),
        Matrix.from_csr([0, 1, 2], [1, 0], values),
        Matrix.from_edges([0, 1], [1, 0], weights=values),
        Matrix.from_scipy(sp.csr_array((values, ([0, 1], [1, 0])))),
        Matrix.from_graphblas(gb.Matrix.from_coo([0, 1], [1, 0], values)),
    ):
        assert A.dtype == dtype
        assert A.to_coo()[2].dtype == A.to_scipy().dtype == A.to_graphblas().dtype.np_type == dtype


@pytest.mark.parametrize("dtype", sts.INTEGERS, ids=str)
def test_indices_of_every_integer_type_become_32_bits(dtype):
    i = np.array([0, 1, 2], dtype)
    A = Matrix.from_edges(i, i[::-1])
    assert A.csr.indices.dtype == A.csr.indptr.dtype == np.int32
    assert entries(A).keys() == {(0, 2), (1, 1), (2, 0)}
    assert Matrix.from_csr(np.array([0, 1, 2, 3], dtype), i, ncols=3).csr.indices.dtype == np.int32


def test_indices_that_need_64_bits_get_them():
    A = Matrix.from_csr([0, 2], [5, 2**31 + 5], ncols=2**31 + 6)
    assert A.csr.indices.dtype == A.csr.indptr.dtype == np.int64
    assert A.to_coo()[1].tolist() == [5, 2**31 + 5]
    assert "int64" in repr(A)
    edge = Matrix.from_csr([0, 1], [2**31 - 2], ncols=2**31 - 1)
    assert edge.csr.indices.dtype == np.int32


def test_matrices_of_one_value_are_equal_only_if_it_is_the_same():
    twos, threes = (Matrix.from_coo([0, 1], [1, 0], value, nrows=2, ncols=2) for value in (2, 3))
    assert twos.is_iso
    assert threes.is_iso
    assert not twos.isequal(threes)
    assert twos.isequal(Matrix.from_coo([0, 1], [1, 0], 2.0, nrows=2, ncols=2))
    assert twos.isequal(Matrix.from_coo([0, 1], [1, 0], [2, 2], nrows=2, ncols=2))


def test_an_undirected_loop_counts_once():
    A = Matrix.from_edges([0, 0, 0, 1], [0, 0, 1, 1], weights=[1, 2, 4, 8], dup_op="plus", directed=False)
    assert entries(A) == {(0, 0): 3, (0, 1): 4, (1, 0): 4, (1, 1): 8}
