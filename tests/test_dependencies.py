"""Betweenness of vertices and edges, against NetworkX and by sums of distances."""

import networkx as nx
import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import LagbfsError, Matrix, betweenness, bfs, graphs
from lagbfs.algorithms import dependencies, edge_betweenness


def theirs(graph):
    G = nx.DiGraph() if graph.directed else nx.Graph()
    G.add_nodes_from(range(graph.n))
    G.add_edges_from(graph.edges)
    return G


def as_directed(graph, A):
    """A directed graph may happen to have every edge both ways; ours is undirected then."""
    return graph.directed and not A.is_symmetric


def dependency_sums(graph, sources):
    """Σ_s δ_s(v), by the definition: paths through v over all paths, for each end of paths from s."""
    G, sums = nx.DiGraph(graph.pairs()), np.zeros(graph.n)
    G.add_nodes_from(range(graph.n))
    for s in sources:
        for t in nx.descendants(G, s):
            paths = [path[1:-1] for path in nx.all_shortest_paths(G, s, t)]
            for path in paths:
                sums[path] += 1 / len(paths)
    return sums


@given(sts.graphs(max_n=12, labels=None), st.booleans())
def test_betweenness_equals_networkx(backend, graph, normalized):
    A, G = graph.matrix(), theirs(graph)
    G = G if as_directed(graph, A) else G.to_undirected()
    expected = nx.betweenness_centrality(G, normalized=normalized)
    for asked in ({}, {"selector": "beamer"}):
        found = betweenness(A, normalized=normalized, backend=backend, **asked)
        assert found.dtype == np.float64
        np.testing.assert_allclose(found, [expected[v] for v in range(graph.n)], atol=1e-9)


@given(sts.graphs(max_n=12, labels=None), st.booleans())
def test_edge_betweenness_equals_networkx(backend, graph, normalized):
    A, G = graph.matrix(), theirs(graph)
    G = G if as_directed(graph, A) else G.to_undirected()
    expected = nx.edge_betweenness_centrality(G, normalized=normalized)
    for asked in ({}, {"selector": "beamer"}):
        E = edge_betweenness(A, normalized=normalized, backend=backend, **asked)
        assert (E.dtype, E.shape, E.nvals) == (np.float64, A.shape, A.nvals)
        for (u, v), value in expected.items():
            assert E[u, v].value == pytest.approx(value, abs=1e-9)


@given(sts.graphs(max_n=9), st.data())
def test_some_sources_are_scaled_to_all(graph, data):
    sources = data.draw(st.lists(st.integers(0, graph.n - 1), min_size=1, unique=True))
    A, k, n = graph.matrix(), len(sources), graph.n
    found, sums = betweenness(A, sources), dependency_sums(graph, sources)
    if n <= 2:
        assert not found.any()
        return
    for v in range(n):
        others = k - (v in sources) if k < n else n - 1
        assert found[v] == pytest.approx(sums[v] / (others * (n - 2)), nan_ok=True) if others else np.isnan(found[v])


@given(sts.graphs(max_n=12))
def test_sums_are_those_of_distances(graph):
    """Each path of d edges has d - 1 vertices between its ends, and d edges."""
    A = graph.matrix(directed=True)
    levels = np.array([bfs(A, v).levels for v in range(graph.n)])
    each = 1 if graph.n < 3 or not A.is_symmetric else 2
    if graph.n > 2:
        assert betweenness(A, normalized=False).sum() * each == pytest.approx((levels[levels > 0] - 1).sum())
    if not A.is_symmetric:
        along = edge_betweenness(A, normalized=False).reduce_scalar().value or 0
        assert along == pytest.approx(levels[levels > 0].sum())


def test_batches_add_up(monkeypatch, backend):
    A, told = graphs.kronecker(6), []
    whole, edges = betweenness(A, backend=backend), edge_betweenness(A, backend=backend)
    monkeypatch.setattr(dependencies, "_TOGETHER", 7 * A.nrows)
    monkeypatch.setattr(dependencies, "_AT_ONCE", 10)
    np.testing.assert_allclose(betweenness(A, backend=backend, progress=lambda *now: told.append(now)), whole)
    assert edge_betweenness(A, backend=backend).isclose(edges)
    assert told == [(done, 64) for done in (0, 10, 20, 30, 40, 50, 60, 64)]


def test_labels_are_kept_and_understood():
    A = Matrix.from_edges([0, 1], [1, 2], labels=["a", "b", "c"])
    assert edge_betweenness(A).labels == ("a", "b", "c")
    assert betweenness(A, ["a", "c"], normalized=False)[1] == 1.0
    with pytest.raises(LagbfsError, match="sources"):
        betweenness(A, ["z"])
    with pytest.raises(LagbfsError, match="sources must name at least one"):
        betweenness(A, [])


@pytest.mark.parametrize("n", [0, 1, 2])
def test_few_vertices(n):
    A = Matrix.from_edges([0, 1][:n], [0, 0][:n], n=n)
    assert betweenness(A).tolist() == [0.0] * n
    assert edge_betweenness(A).nvals == n
