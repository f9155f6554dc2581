"""Whole algorithms by the kernels of the native engine, against NetworkX: every width of indices, threads 1 and 2."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import Matrix, backends
from lagbfs.base import checks
from lagbfs.storage import csr as csrs

INFO = {info.name: info for info in backends.available()}["native"]
pytestmark = pytest.mark.skipif(not INFO.runs, reason=f"native cannot run here: {INFO.reason}")
NONE = {"delta": None, "cutoff": None, "targets": None}
RANKS = {"damping": 0.85, "max_iter": 1000, "personalization": None, "start": None, "dangling": None}


@pytest.fixture(scope="module")
def whole():
    return backends.get("native").fused()


@pytest.fixture(params=["narrow", "wide offsets", "wide"], autouse=True)
def widths(request):
    """Make matrices of each pair of types that the kernels know."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "wide offsets":
            patch.setattr(csrs, "MOST_NARROW", -1)
        if request.param == "wide":
            patch.setattr(checks, "INT32_MAX", -1)
        yield


@st.composite
def weighted_graphs(draw):
    n = draw(st.integers(1, 30))
    ends = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(ends, ends, st.integers(0, 5)), max_size=90))
    return n, edges, draw(st.booleans()), draw(st.sampled_from([1, 2]))


def matrix(n, edges, directed, dtype=np.int32):
    src, dst, values = (np.array([edge[k] for edge in edges], np.int64) for k in range(3))
    return Matrix.from_edges(src, dst, weights=values.astype(dtype), n=n, directed=directed)


def networkx_of(A, kind=nx.DiGraph):
    graph = kind()
    graph.add_nodes_from(range(A.nrows))
    graph.add_weighted_edges_from(zip(*(array.tolist() for array in A.to_coo()), strict=True))
    return graph


def listed(by_vertex, n, missing=None):
    return [by_vertex.get(v, missing) for v in range(n)]


@given(weighted_graphs())
def test_components(whole, drawn):
    n, edges, directed, threads = drawn
    A = matrix(n, edges, directed)
    smallest = {v: min(part) for part in nx.weakly_connected_components(networkx_of(A)) for v in part}
    labels = whole.components(A.rows, threads=threads)
    assert labels.dtype == A.rows.index_dtype
    assert labels.tolist() == listed(smallest, n)


@given(weighted_graphs())
def test_triangles_and_cores(whole, drawn):
    n, edges, _, threads = drawn
    A = matrix(n, edges, directed=False)
    graph = networkx_of(A, nx.Graph)
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    found = whole.triangles(A.rows, threads=threads)
    assert found.dtype == np.int64
    assert found.tolist() == listed(nx.triangles(graph), n)
    assert whole.triangle_count(A.rows, threads=threads) * 3 == found.sum()
    cores = whole.core_numbers(A.rows, threads=threads)
    assert cores.dtype == np.int32
    assert cores.tolist() == listed(nx.core_number(graph), n)


@given(weighted_graphs(), st.booleans(), st.booleans())
def test_pagerank(whole, drawn, weighted, in_place):
    n, edges, directed, threads = drawn
    A = matrix(n, edges, directed)
    ranks, iterations, error = whole.pagerank(
        A.rows, tol=1e-12, weighted=weighted, in_place=in_place, threads=threads, **RANKS
    )
    want = nx.pagerank(networkx_of(A), tol=1e-12 / n, max_iter=1000, weight="weight" if weighted else None)
    np.testing.assert_allclose(ranks, listed(want, n), atol=1e-10)
    assert iterations > 0
    assert error < 1e-12


@pytest.mark.parametrize("in_place", [False, True])
def test_pagerank_of_given_vectors(whole, in_place):
    A = Matrix.from_edges([0, 1, 2, 3], [1, 2, 0, 0], n=6)
    own = np.array([0.5, 0.1, 0.1, 0.1, 0.2, 0.0])
    lost = np.array([0, 0, 0, 0, 0, 1.0])
    options = {**RANKS, "personalization": own, "start": lost, "dangling": lost}
    ranks, _, _ = whole.pagerank(A.rows, tol=1e-13, weighted=False, in_place=in_place, **options)
    vectors = {"personalization": dict(enumerate(own)), "dangling": dict(enumerate(lost))}
    want = nx.pagerank(networkx_of(A), tol=1e-14, max_iter=1000, **vectors)
    np.testing.assert_allclose(ranks, listed(want, 6), atol=1e-10)
    np.testing.assert_allclose(ranks.sum(), 1)


def large(n, m):
    """Return a graph with hubs."""
    src, dst = (np.random.default_rng(1).random((2, m)) ** 3 * n).astype(np.int64)
    return Matrix.from_edges(src, dst, n=n, directed=False)


def test_float32_shares_are_within_the_tolerance(whole):
    A = large(1 << 17, 1 << 18)  # vertices enough for them
    loose, _, _ = whole.pagerank(A.rows, tol=1e-4, weighted=False, in_place=True, threads=2, **RANKS)
    tight, _, _ = whole.pagerank(A.rows, tol=1e-12, weighted=False, threads=2, **RANKS)
    assert np.abs(loose - tight).sum() < 1e-4 / 0.15


@given(weighted_graphs(), st.sampled_from([np.int32, np.int8, np.uint64, np.float32, np.float64]), st.data())
def test_sssp(whole, drawn, dtype, data):
    n, edges, directed, threads = drawn
    A = matrix(n, edges, directed, dtype)
    sources = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=3))
    delta = data.draw(st.sampled_from([None, 0.3, 2.0, 100.0]))
    cutoff = data.draw(st.none() | st.integers(0, 12))
    options = {**NONE, "delta": delta, "cutoff": cutoff, "threads": threads}
    distances, parents = whole.sssp(A.rows, np.array(sources), **options)
    want = nx.multi_source_dijkstra_path_length(networkx_of(A), set(sources), cutoff=cutoff)
    assert distances.tolist() == listed(want, n, np.inf)
    assert parents.dtype == A.rows.index_dtype
    check_tree(A, sources, distances, parents)


def check_tree(A, sources, distances, parents):
    rows, cols, values = A.to_coo()
    weight = {(u, v): w for u, v, w in zip(rows.tolist(), cols.tolist(), values.tolist(), strict=True)}
    for v, parent in enumerate(parents.tolist()):
        steps, u = 0, v
        while parents[u] not in (-1, u):
            steps, u = steps + 1, parents[u]
            assert steps < A.nrows
        assert (parent == -1) == np.isinf(distances[v])
        assert parent == -1 or u in sources
        assert parent in (-1, v) or distances[parent] + weight[parent, v] == distances[v]


def test_sssp_takes_infinite_weights_for_no_way(whole):
    A = Matrix.from_edges([0, 1, 0], [1, 2, 3], weights=[1.5, np.inf, 2.0])
    distances, parents = whole.sssp(A.rows, np.array([0]), **NONE)
    assert distances.tolist() == [0, 1.5, np.inf, 2]
    assert parents.tolist() == [0, 0, -1, 0]


@pytest.mark.parametrize("weight", [0.0, 5e-324, 1e308, 2**40, 2**62])
def test_sssp_of_one_weight_for_all(whole, weight):
    A = Matrix.from_edges([0, 1, 2], [1, 2, 3], weights=np.full(3, weight))
    found = whole.sssp(A.rows, np.array([0]), **NONE)
    if found is not None:
        assert found[0].tolist() == [0.0, weight, weight * 2, weight * 3]


def test_sssp_may_end_at_the_targets(whole):
    A = Matrix.from_edges(np.arange(99), np.arange(1, 100), weights=np.ones(99))
    distances, _ = whole.sssp(A.rows, np.array([0]), delta=1.0, cutoff=None, targets=np.array([5]))
    assert distances[:6].tolist() == [0, 1, 2, 3, 4, 5]
    assert np.isinf(distances[50])


@given(weighted_graphs(), st.data())
def test_betweenness(whole, drawn, data):
    n, edges, directed, threads = drawn
    A = matrix(n, edges, directed)
    sources = data.draw(st.lists(st.integers(0, n - 1), unique=True, max_size=6))
    graph = networkx_of(A)
    found = whole.betweenness(A.rows, np.array(sources, np.int64), edges=False, threads=threads)
    every = {"sources": sources, "targets": list(range(n)), "normalized": False}
    np.testing.assert_allclose(found, listed(nx.betweenness_centrality_subset(graph, **every), n), atol=1e-9)
    by_entry = whole.betweenness(A.rows, np.array(sources, np.int64), edges=True, threads=threads)
    want = nx.edge_betweenness_centrality_subset(graph, **every)
    rows, cols, _ = A.to_coo()
    expected = [want[u, v] for u, v in zip(rows.tolist(), cols.tolist(), strict=True)]
    np.testing.assert_allclose(by_entry, expected, atol=1e-9)


def test_nothing_of_a_graph_without_vertices_or_edges(whole):
    for A in (Matrix(bool, 0, 0), Matrix(bool, 3, 3)):
        n = A.nrows
        assert whole.components(A.rows).tolist() == list(range(n))
        assert whole.triangles(A.rows).tolist() == whole.core_numbers(A.rows).tolist() == [0] * n
        assert whole.betweenness(A.rows, np.arange(n), edges=False).tolist() == [0] * n
        assert whole.betweenness(A.rows, np.arange(n), edges=True).tolist() == []
        ranks, _, _ = whole.pagerank(A.rows, tol=1e-9, weighted=False, **RANKS)
        assert ranks.tolist() == pytest.approx([1 / max(n, 1)] * n)


def test_one_thread_or_two_of_graphs_for_a_team(whole):
    A = large(4000, 40000)
    for compute in (whole.components, whole.triangles, whole.triangle_count):
        np.testing.assert_array_equal(compute(A.rows, threads=1), compute(A.rows, threads=2))
    W = Matrix.from_coo(*A.to_coo()[:2], A.to_coo()[0] % 7 + 1.0, nrows=A.nrows, ncols=A.ncols)
    one, two = (whole.sssp(W.rows, np.array([1]), **NONE, threads=threads) for threads in (1, 2))
    np.testing.assert_array_equal(one[0], two[0])
    sums = [whole.betweenness(A.rows, np.arange(4), edges=False, threads=threads) for threads in (1, 2)]
    np.testing.assert_allclose(*sums)
