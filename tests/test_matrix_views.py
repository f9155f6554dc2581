"""Matrix: immutability, labels, statistics, how it shows itself."""

import copy
import gc
import pickle
import weakref

import networkx as nx
import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import Matrix, backends, bfs


def test_iso_values_take_no_memory_per_entry():
    A = Matrix.from_edges(np.arange(1000), np.arange(1000)[::-1])
    assert A.csr.values.shape == A.T.csr.values.shape == (1,)
    assert A.csr.all_values().strides == (0,)
    assert A.to_coo()[2].tolist() == [True] * 1000


@pytest.mark.parametrize("make", [lambda A: A, lambda A: A.T], ids=["A", "A.T"])
def test_nothing_of_a_matrix_can_be_written(make):
    A = make(Matrix.from_edges([0, 1], [1, 2], weights=[1, 2], labels="abc"))
    for array in (A.csr.indptr, A.csr.indices, A.csr.values, A.degrees, A.in_degrees):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 9
    for name in ("nrows", "ncols", "nvals", "shape", "dtype", "T", "csr", "degrees", "labels", "is_symmetric"):
        with pytest.raises(AttributeError):
            setattr(A, name, None)
    with pytest.raises(AttributeError):
        A.something_new = 1


def test_what_is_returned_is_not_shared():
    A = Matrix.from_edges([0, 1], [1, 2], weights=[1, 2])
    rows, columns, values = A.to_coo()
    rows[:], columns[:], values[:] = 0, 0, 9
    theirs = A.to_graphblas()
    theirs[0, 1] = 7
    assert [x.tolist() for x in A.to_coo()] == [[0, 1], [1, 2], [1, 2]]


def test_derived_values_are_computed_once():
    A = Matrix.from_edges([0, 1], [1, 2])
    assert A.degrees is A.degrees
    assert A.degrees is A.T.in_degrees
    assert A.degree_stats is A.degree_stats
    assert A.T.csr is A.T.csr


def test_a_symmetric_matrix_is_its_own_transpose():
    A = Matrix.from_edges([0, 1], [1, 2], directed=False)
    assert A.is_symmetric
    assert A.T.csr is A.csr
    listed_both_ways = Matrix.from_edges([0, 1], [1, 0])
    assert listed_both_ways.is_symmetric
    assert listed_both_ways.T.csr is listed_both_ways.csr
    assert not Matrix.from_edges([0, 1], [1, 0], weights=[1, 2]).is_symmetric
    assert not Matrix.from_coo([0], [1], nrows=2, ncols=3).is_symmetric


def test_an_undirected_sum_of_weights_need_not_be_symmetric():
    # 0 → 1 is 5, 1 → 0 is 5 + 7 only if both listings are added up in both directions
    A = Matrix.from_edges([0, 1], [1, 0], weights=[5, 7], directed=False, dup_op="plus")
    assert A.to_scipy().toarray().tolist() == [[0, 12], [12, 0]]
    first = Matrix.from_edges([0, 1], [1, 0], weights=[5, 7], directed=False, dup_op="first")
    assert first.is_symmetric == (first.to_scipy().toarray()[0, 1] == first.to_scipy().toarray()[1, 0])


def test_an_engine_loads_a_matrix_once(backend, monkeypatch):
    engine = backends.get(backend)
    loaded = []
    load = type(engine).load
    monkeypatch.setattr(type(engine), "load", lambda self, matrix: loaded.append(matrix) or load(self, matrix))
    A = Matrix.from_edges([0, 1], [1, 2])
    assert A.handle(engine) is A.handle(engine)
    assert len(loaded) == 1


@given(sts.graphs())
def test_degree_stats(graph):
    stats, degrees = graph.matrix().degree_stats, [len(s) for s in graph.successors()]
    five = np.percentile(degrees, [0, 25, 50, 75, 100])
    np.testing.assert_allclose([stats.min, stats.q1, stats.median, stats.q3, stats.max], five)
    np.testing.assert_allclose([stats.mean, stats.std], [np.mean(degrees), np.std(degrees)])


def test_degree_stats_of_nothing():
    assert tuple(Matrix.from_edges([], []).degree_stats) == (0,) * 7


@given(sts.graphs(), st.sampled_from([nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph]))
def test_from_networkx_keeps_the_nodes_as_labels(graph, kind):
    theirs = kind()
    theirs.add_nodes_from(f"v{i}" for i in range(graph.n))
    theirs.add_edges_from((f"v{u}", f"v{v}") for u, v in graph.edges)
    A = Matrix.from_networkx(theirs)
    assert A.labels == tuple(theirs)
    pairs = {(A.labels[i], A.labels[j]) for i, j, _ in zip(*A.to_coo(), strict=True)}
    both = {(v, u) for u, v in theirs.edges()} if not theirs.is_directed() else set()
    assert pairs == set(theirs.edges()) | both
    assert [A.index_of(label) for label in theirs] == list(range(graph.n))


def test_networkx_weights_with_one_for_those_missing():
    theirs = nx.DiGraph()
    theirs.add_edge("x", "y", length=2.5)
    theirs.add_edge("y", "x")
    A = Matrix.from_networkx(theirs, weight="length")
    assert A.to_scipy().toarray().tolist() == [[0, 2.5], [1, 0]]
    assert Matrix.from_networkx(nx.path_graph(3), weight="weight").nvals == 4


def test_labels_pass_to_the_transpose():
    A = Matrix.from_edges([0], [1], labels=["a", ("b", 2)])
    assert A.T.labels == A.labels == ("a", ("b", 2))
    assert A.index_of(("b", 2)) == A.T.index_of(("b", 2)) == 1
    assert A.is_label("a")
    assert not A.is_label("z")
    assert not A.is_label(["unhashable"])


def test_isequal_compares_shape_pattern_and_values():
    A = Matrix.from_coo([0, 1], [1, 0], [1, 1], nrows=2, ncols=2)
    assert A.isequal(Matrix.from_coo([1, 0], [0, 1], 1))
    assert not A.isequal(Matrix.from_coo([0, 1], [1, 0], [1, 2]))
    assert not A.isequal(Matrix.from_coo([0, 1], [1, 1], [1, 1]))
    assert not A.isequal(Matrix.from_coo([0, 1], [1, 0], [1, 1], nrows=3, ncols=2))
    with pytest.raises(TypeError, match="must be a Matrix"):
        A.isequal("A")


def test_repr_and_html():
    A = Matrix.from_edges([0, 1], [1, 0], directed=False, labels="ab")
    assert repr(A) == "Matrix(2 × 2, 2 entries, bool iso, int32 indices, symmetric, labelled)"
    assert (
        repr(Matrix.from_coo([0], [1], [2.5], nrows=2, ncols=3)) == "Matrix(2 × 3, 1 entries, float64, int32 indices)"
    )
    html = Matrix.from_edges(np.zeros(1200, int), np.arange(1200))._repr_html_()
    for text in ("<table>", "1,200 × 1,200", "1,200", "bool, one for all", "0 to 1200, median 0, mean 1"):
        assert text in html
    assert "</table>" in Matrix.from_edges([], [])._repr_html_()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_matrices_and_searches_can_be_copied_and_sent_elsewhere(copied):
    A = Matrix.from_edges([0, 1, 5], [1, 2, 3], weights=[3, 1, 2], labels="abcdef")
    B = copied(A)
    assert B.isequal(A)
    assert B.labels == A.labels
    assert not B.csr.indices.flags.writeable
    t = copied(bfs(A.optimize(), "a"))
    assert t.path_to("c") == ["a", "b", "c"]
    assert len(t.trace) == 3
    t.verify()


def test_more_vertices_than_there_may_be_are_refused_in_words():
    with pytest.raises(ValueError, match=r"2\^60"):
        Matrix.from_edges([0], [1], n=2**63)


def test_a_matrix_goes_at_once_with_all_that_engines_made_for_it(backend):
    A = Matrix.from_edges([0, 1], [1, 2])
    bfs(A, 0, backend=backend).verify()
    A.optimize(backend=backend)
    gone = weakref.ref(A.handle(backends.get(backend)) if backend != "reference" else A.rows.store)
    gc.disable()
    try:
        del A
        assert gone() is None
    finally:
        gc.enable()
