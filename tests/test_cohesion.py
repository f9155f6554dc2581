"""Triangles, clustering, trusses, cores and similarity, against NetworkX."""

import networkx as nx
import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import LagbfsError, Matrix, core_numbers, graphs, triangles
from lagbfs.algorithms import clustering, jaccard, k_truss, transitivity


def theirs(graph):
    """The graph as NetworkX would have it: undirected, without loops."""
    G = nx.Graph()
    G.add_nodes_from(range(graph.n))
    G.add_edges_from((u, v) for u, v in graph.edges if u != v)
    return G


def listed(found):
    return [found[v] for v in sorted(found)]


@given(st.one_of(sts.graphs(weights=None, labels=None), sts.large_graphs()))
def test_triangles_and_cores_equal_networkx(backend, graph):
    A, G = graph.matrix(), theirs(graph)
    for asked in ({}, {"selector": "beamer"}):
        found = triangles(A, backend=backend, **asked)
        assert (found.dtype, found.tolist()) == (np.int64, listed(nx.triangles(G)))
        found = core_numbers(A, backend=backend, **asked)
        assert (found.dtype, found.tolist()) == (np.int32, listed(nx.core_number(G)))


@given(sts.graphs(labels=None))
def test_clustering_equals_networkx(backend, graph):
    A, G = graph.matrix(), theirs(graph)
    found = clustering(A, backend=backend)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, listed(nx.clustering(G)))
    assert transitivity(A, backend=backend) == pytest.approx(nx.transitivity(G))


@given(sts.graphs(max_n=14, labels=None), st.integers(2, 5))
def test_trusses_equal_networkx(backend, graph, k):
    A, G = graph.matrix(), theirs(graph)
    T = k_truss(A, k, backend=backend)
    assert (T.dtype, T.shape, T.labels) == (np.int64, A.shape, A.labels)
    assert T.is_symmetric
    truss = nx.k_truss(G, k)
    assert {frozenset(edge) for edge in T} == {frozenset(edge) for edge in truss.edges}
    for u, v in truss.edges:
        assert T[u, v].value == len(set(truss[u]) & set(truss[v]))


def alike(out, u, v):
    either = out[u] | out[v]
    return len(out[u] & out[v]) / len(either) if either else 0.0


@given(sts.graphs(labels=None), st.data())
def test_jaccard_is_what_is_common_by_all(backend, graph, data):
    A, out = graph.matrix(), graph.successors()
    J = jaccard(A, backend=backend)
    assert (J.dtype, J.labels, J.is_symmetric) == (np.float64, A.labels, True)
    expected = {(u, v): alike(out, u, v) for u in range(graph.n) for v in range(graph.n) if u != v and out[u] & out[v]}
    i, j, found = J.to_coo()
    assert dict(zip(zip(i.tolist(), j.tolist(), strict=True), found.tolist(), strict=True)) == expected
    vertex = st.integers(0, graph.n - 1)
    pairs = data.draw(st.lists(st.tuples(vertex, vertex)))
    named = pairs if graph.labels is None else [(graph.labels[u], graph.labels[v]) for u, v in pairs]
    assert jaccard(A, named, backend=backend).tolist() == [alike(out, u, v) for u, v in pairs]


def test_what_is_known_of_some_graphs(backend):
    K = graphs.complete(7)
    assert triangles(K, backend=backend).tolist() == [15] * 7
    assert core_numbers(K, backend=backend).tolist() == [6] * 7
    assert k_truss(K, 7, backend=backend).nvals == 42
    assert k_truss(K, 8, backend=backend).nvals == 0
    assert transitivity(K, backend=backend) == 1.0
    assert not triangles(graphs.grid(4, 4), backend=backend).any()


def test_no_vertices():
    none = Matrix.from_edges([], [])
    for algorithm in (triangles, clustering, core_numbers):
        assert algorithm(none).tolist() == []
    assert transitivity(none) == 0.0
    assert k_truss(none, 3).shape == jaccard(none).shape == (0, 0)
    assert jaccard(none, []).tolist() == []


A = Matrix.from_edges([0, 1], [1, 2])
BAD = {
    "k": (lambda: k_truss(A, 1), ValueError, "k must be at least 2"),
    "k of no integer": (lambda: k_truss(A, 2.5), TypeError, "k must be an integer"),
    "pairs": (lambda: jaccard(A, [(0, 1, 2)]), ValueError, "pairs"),
    "pairs of no vertex": (lambda: jaccard(A, [(0, 9)]), IndexError, "pairs"),
    "pairs of numbers": (lambda: jaccard(A, [1, 2]), TypeError, "pairs"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name):
    call, kind, words = BAD[name]
    with pytest.raises(LagbfsError, match=words) as caught:
        call()
    assert isinstance(caught.value, kind)
