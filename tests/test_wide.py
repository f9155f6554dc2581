"""Offsets of 64 bits over indices of 32: as of more than 2³¹ - 1 entries, here of any, on every engine."""

import os
import pickle

import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st
from test_files import GRAPHS, can_be_written
from test_products import SEMIRINGS, operands

import lagbfs
from lagbfs import Matrix, VerificationError, bfs, host, verify
from lagbfs.backends.native import routines
from lagbfs.base import checks
from lagbfs.io import formats
from lagbfs.search.verify_edges import verify_edges
from lagbfs.storage import csr as csrs

any_graph = st.one_of(sts.graphs(), sts.large_graphs())


@pytest.fixture(scope="module", autouse=True)
def wide_offsets():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csrs, "MOST_NARROW", 0)
        yield


def narrow(make):
    """Return what is made with offsets as narrow as they can be."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csrs, "MOST_NARROW", checks.INT32_MAX)
        return make()


def widths(A):
    return A.csr.indptr.dtype.itemsize, A.csr.indices.dtype.itemsize


def same_entries(A, B):
    return A.shape == B.shape and all(map(np.array_equal, A.to_coo(), B.to_coo()))


def test_only_offsets_are_wide():
    edges = [0, 1, 1], [1, 2, 0]
    A, B = Matrix.from_edges(*edges), narrow(lambda: Matrix.from_edges(*edges))
    assert (widths(A), widths(A.T), widths(B)) == ((8, 4), (8, 4), (4, 4))
    assert A.isequal(B)
    assert A.degrees.dtype == A.in_degrees.dtype == A.T.degrees.dtype == np.int32
    assert bfs(A, 0).parents.dtype == np.int32
    assert "int32 indices" in repr(A)
    assert widths(Matrix.from_edges([], [], n=3)) == (4, 4)


def test_wide_indices_have_wide_offsets():
    assert widths(narrow(lambda: Matrix.from_csr([0, 1], [2**31 + 5], ncols=2**31 + 6))) == (8, 8)


def test_arrays_of_both_widths_are_shared():
    arrays = np.array([0, 2, 3]), np.array([0, 1, 1], np.int32)
    indptr, indices = (np.frombuffer(array.tobytes(), array.dtype) for array in arrays)
    A = Matrix.from_csr(indptr, indices, copy=False)
    assert np.shares_memory(A.csr.indptr, indptr)
    assert np.shares_memory(A.csr.indices, indices)


@given(graph=any_graph, data=st.data())
def test_every_arm_searches(arms, graph, data):
    A, B = graph.matrix(), narrow(graph.matrix)
    source = data.draw(st.integers(0, graph.n - 1))
    expected = bfs(B, source, backend="reference", deterministic=True)
    for arm in arms:
        options = {"backend": arm.backend, "selector": str(arm)}
        np.testing.assert_array_equal(bfs(A, source, parents=False, **options).levels, expected.levels)
        found = bfs(A, source, **options)
        found.verify()
        verify(B, source, parents=found.parents, levels=expected.levels)
        least = bfs(A, source, deterministic=True, **options)
        np.testing.assert_array_equal(least.parents, expected.parents)


@given(graph=any_graph, data=st.data())
def test_laid_out_graphs_are_searched(backend, graph, data):
    A, source = graph.matrix().optimize(backend=backend), data.draw(st.integers(0, graph.n - 1))
    expected = bfs(narrow(graph.matrix), source, backend="reference")
    found = bfs(A, source, backend=backend)
    found.verify()
    np.testing.assert_array_equal(found.levels, expected.levels)


@pytest.mark.parametrize("kind", ["kronecker-12", "uniform-11", "grid-120"])  # each has a layout of another kind
def test_layouts_of_every_kind(kind):
    A, B = lagbfs.graphs.named(kind), narrow(lambda: lagbfs.graphs.named(kind))
    assert (widths(A), widths(B)) == ((8, 4), (4, 4))
    for source in (0, 77, 1500):
        expected = bfs(B, source, backend="reference").levels
        np.testing.assert_array_equal(bfs(A, source).levels, expected)
        A.optimize()
        for direction in ("push", "pull"):
            found = bfs(A, source, direction=direction)
            found.verify()
            np.testing.assert_array_equal(found.levels, expected)


@pytest.mark.skipif("LAGBFS_LARGE" not in os.environ, reason="takes 14 GB and some minutes: set LAGBFS_LARGE=1")
def test_more_entries_than_32_bits_count():
    A = narrow(lambda: lagbfs.graphs.named("circulant-70000000"))
    assert A.nvals > 2**31
    assert widths(A) == (8, 4)
    for source in (0, 69_999_999):
        found = bfs(A, source)
        found.verify()
        assert found.levels.min() == 0


@pytest.mark.parametrize("name", SEMIRINGS)
@given(data=st.data())
@sts.examples(1 / 2)
def test_every_arm_multiplies(arms, name, data):
    q, entries, q_dtype, A_dtype, shape = data.draw(operands(name))
    A, B = (make(lambda: sts.matrix(entries, *shape, A_dtype)) for make in (lambda made: made(), narrow))
    vector, mask = sts.vector(q, shape[0], q_dtype), data.draw(sts.masks(shape[1]))
    expected = vector.vxm(B, name).by(lagbfs.backends.get("reference").arms[0]).new(mask=mask)
    for arm in arms:
        found = vector.vxm(A, name).by(arm).new(mask=mask)
        same = set(found) == set(expected) if name == "any_secondi" else found.isequal(expected, check_dtype=True)
        assert same


@given(seed=st.integers(0, 2**32), mix=st.tuples(*[st.booleans()] * 3))
@sts.examples(1 / 2)
def test_matrices_of_different_widths_are_multiplied(backend, direction, seed, mix):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    drawn = [(rng.integers(0, n, 3 * n), rng.integers(0, n, 3 * n), rng.integers(0, 5, 3 * n)) for _ in mix]

    def matrices(wide):
        made = [lambda each=each: Matrix.from_coo(*each, nrows=n, ncols=n, dup_op="second") for each in drawn]
        return [make() if is_wide else narrow(make) for make, is_wide in zip(made, wide, strict=True)]

    (A, B, M), (X, Y, Z) = matrices(mix), matrices([False] * 3)
    for mask, other in ((M.S, Z.S), (~M.S, ~Z.S), (None, None)):
        with lagbfs.using(backend="reference"):
            expected = (X @ Y).new(mask=other)
        with lagbfs.using(backend=backend, direction=direction):
            assert (A @ B).new(mask=mask).isequal(expected)
    assert A.ewise_add(B, "plus").new().isequal(X.ewise_add(Y, "plus").new())
    assert A.ewise_mult(B, "times").new().isequal(X.ewise_mult(Y, "times").new())


@pytest.mark.usefixtures("looks_at_edges")
@given(graph=any_graph, drop_loops=st.booleans(), weighted=st.booleans())
def test_rows_and_columns_are_the_same(graph, drop_loops, weighted):
    weights = np.arange(len(graph.edges)) if weighted else None
    A, B = (make(lambda: graph.matrix(drop_loops=drop_loops, weights=weights)) for make in (lambda f: f(), narrow))
    assert A.isequal(B)
    assert A.T.isequal(B.T)
    assert A.is_symmetric == B.is_symmetric
    assert widths(A) == widths(A.T) == (8 if A.nvals else 4, 4)
    np.testing.assert_array_equal(A.in_degrees, B.in_degrees)
    np.testing.assert_array_equal(A.T.degrees, B.T.degrees)


@given(graph=sts.graphs())
def test_copies_and_other_libraries_objects_are_the_same(graph):
    A = graph.matrix()
    B = pickle.loads(pickle.dumps(A))
    assert A.isequal(B)
    assert widths(B) == widths(A)
    for other in (Matrix.from_scipy(A.to_scipy()), Matrix.from_graphblas(A.to_graphblas())):
        assert same_entries(other, A)
        assert widths(other) == widths(A)


@pytest.mark.parametrize("kind", GRAPHS)
@pytest.mark.parametrize("name", formats())
def test_files_are_the_same(tmp_path, name, kind):
    old = GRAPHS[kind]
    values = old.csr.values[0] if old.is_iso else old.csr.values
    A = Matrix.from_csr(old.csr.indptr, old.csr.indices, values, ncols=old.ncols)
    if not can_be_written(A, name):
        pytest.skip(f"{name} cannot hold this graph")
    ours, theirs = tmp_path / f"wide.{name}", tmp_path / f"narrow.{name}"
    lagbfs.write(ours, A, format=name)
    narrow(lambda: lagbfs.write(theirs, old, format=name))
    keeps_widths = name in ("npz", "lagbfs")
    assert keeps_widths or ours.read_bytes() == theirs.read_bytes()
    read = lagbfs.read(ours, format=name)
    assert widths(read) == (8 if read.nvals else 4, 4)
    assert same_entries(read, narrow(lambda: lagbfs.read(theirs, format=name)))


@pytest.mark.usefixtures("looks_at_edges")
@given(graph=sts.graphs(), data=st.data())
def test_results_are_judged_the_same(graph, data):
    A, B = graph.matrix(), narrow(graph.matrix)
    source, vertex = (data.draw(st.integers(0, graph.n - 1)) for _ in range(2))
    parents = bfs(A, source).parents.copy()
    parents[vertex] = data.draw(st.integers(-1, graph.n - 1))
    assert refusal(A, source, parents) == refusal(B, source, parents)


def refusal(A, source, parents):
    try:
        verify(A, source, parents=parents)
    except VerificationError as error:
        return str(error)
    return ""


@pytest.mark.usefixtures("looks_at_edges")
def test_lists_of_edges_are_looked_up():
    src, dst = np.random.default_rng(0).integers(0, 300, (2, 2000))
    A = Matrix.from_edges(src, dst, n=301, directed=False, drop_loops=True)
    verify_edges(A, src, dst)
    with pytest.raises(VerificationError, match="joins 300 and"):
        verify_edges(A, [*src, 300], [*dst, dst[0]])


def test_two_matrices_of_different_widths_are_united():
    pytest.importorskip("lagbfs.backends.native._kernels", reason="needs the native engine: a C++17 compiler")
    starts, cols = np.array([0, 2, 3], np.int32), np.array([0, 2, 1], np.int32)
    other_starts, other_cols = np.array([0, 1, 3], np.int32), np.array([1, 1, 2], np.int32)
    narrow_ones = routines.Kernels().unite(starts, cols, other_starts, other_cols)
    wide_ones = routines.Kernels().unite(starts.astype(np.int64), cols, other_starts, other_cols.astype(np.int64))
    assert [x.dtype for x in narrow_ones] == [np.int64, np.int32, np.int32, np.int32]
    assert [x.dtype for x in wide_ones] == [np.int64] * 4
    for x, y in zip(narrow_ones, wide_ones, strict=True):
        np.testing.assert_array_equal(x, y)


@pytest.mark.usefixtures("looks_at_edges")
@pytest.mark.parametrize("values", [np.array([1.5, 2.5, 3.5, 4.5]), None])
def test_wide_offsets_can_be_asked_for(values):
    src, dst = (np.array(ends, np.int32) for ends in ([2, 0, 2, 2], [1, 1, 0, 1]))
    ours, theirs = (
        host.routines().build_csr(src, dst, 3, 2, values=values, wide_offsets=wide) for wide in (True, False)
    )
    assert ours[0].dtype == np.int64
    assert theirs[0].dtype == np.int32
    assert all(np.array_equal(x, y) for x, y in zip(ours, theirs, strict=True) if x is not None)
