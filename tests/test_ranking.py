"""PageRank and its relatives, against NetworkX."""

import networkx as nx
import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import LagbfsError, Matrix, graphs, pagerank
from lagbfs.algorithms import eigenvector, hits, katz
from lagbfs.errors import ConvergenceError


def theirs(A):
    G = nx.DiGraph()
    G.add_nodes_from(range(A.nrows))
    G.add_weighted_edges_from(zip(*(part.tolist() for part in A.to_coo(float)), strict=True))
    return G


def listed(ranks):
    return [ranks[v] for v in sorted(ranks)]


def draw_shares(data, n):
    numbers = data.draw(st.lists(st.integers(0, 5), min_size=n, max_size=n).filter(any))
    return data.draw(st.sampled_from([None, dict(enumerate(numbers))]))


@given(sts.graphs(weights=None), st.data())
def test_pagerank_equals_networkx(backend, graph, data):
    weights = None if graph.weights is None else np.abs(graph.weights.astype(float))
    A = graph.matrix(weights=weights)
    options = {name: draw_shares(data, graph.n) for name in ("personalization", "dangling")}
    start, weighted = draw_shares(data, graph.n), data.draw(st.booleans())
    ranks = pagerank(A, 0.8, start=start, weighted=weighted, backend=backend, max_iter=500, **options)
    weight = "weight" if weighted else None
    expected = nx.pagerank(theirs(A), 0.8, nstart=start, weight=weight, max_iter=500, **options)
    np.testing.assert_allclose(ranks, listed(expected), rtol=1e-9, atol=1e-12)
    assert ranks.dtype == np.float64
    assert ranks.sum() == pytest.approx(1)
    by_products = pagerank(A, 0.8, start=start, weighted=weighted, selector="beamer", max_iter=500, **options)
    np.testing.assert_allclose(by_products, ranks, rtol=1e-9, atol=1e-12)


def test_pagerank_takes_labels_and_arrays():
    A = Matrix.from_edges([0, 1, 2], [1, 2, 0], labels=["a", "b", "c"])
    by_label = pagerank(A, personalization={"b": 2.0})
    np.testing.assert_array_equal(by_label, pagerank(A, personalization=[0, 1, 0]))
    assert by_label.argmax() == 1


CYCLE = Matrix.from_edges(np.arange(50), (np.arange(50) + 1) % 50)


def test_pagerank_of_a_regular_graph_is_the_same_everywhere(backend):
    np.testing.assert_allclose(pagerank(CYCLE, backend=backend), 1 / 50)


TRIANGLE = Matrix.from_edges([0, 1, 2], [1, 2, 0])
BAD = {
    "damping": (lambda: pagerank(TRIANGLE, 1.5), ValueError, "damping"),
    "damping text": (lambda: pagerank(TRIANGLE, "much"), TypeError, "damping"),
    "tol": (lambda: pagerank(TRIANGLE, tol=-1.0), ValueError, "tol"),
    "max_iter": (lambda: pagerank(TRIANGLE, max_iter=0), ValueError, "max_iter"),
    "short": (lambda: pagerank(TRIANGLE, personalization=[1, 2]), ValueError, "personalization.*3 vertices"),
    "nothing": (lambda: pagerank(TRIANGLE, personalization=[0, 0, 0]), ValueError, "personalization.*more than 0"),
    "negative": (lambda: pagerank(TRIANGLE, start={0: -1.0, 1: 2.0}), ValueError, "start.*negative"),
    "unknown": (lambda: pagerank(TRIANGLE, dangling={7: 1.0}), IndexError, "dangling"),
    "infinite": (lambda: pagerank(TRIANGLE, start=[1, np.inf, 0]), ValueError, "start"),
    "text": (lambda: pagerank(TRIANGLE, start={0: "x"}), TypeError, "start"),
    "weight": (lambda: pagerank(Matrix.from_coo([0], [1], [-1.0], nrows=2, ncols=2)), ValueError, "weights"),
    "infinity": (lambda: pagerank(Matrix.from_edges([0], [1], weights=[np.inf])), ValueError, "sum is finite"),
    "overflow": (lambda: pagerank(Matrix.from_edges([0, 0], [1, 0], weights=[1e308, 1e308])), ValueError, "finite"),
    "NaN": (lambda: hits(Matrix.from_coo([0], [1], [np.nan], nrows=2, ncols=2)), ValueError, "NaN"),
    "slow": (lambda: pagerank(graphs.star(9), max_iter=1), ArithmeticError, "max_iter = 1"),
    "no limit": (lambda: katz(graphs.complete(9), 5.0, max_iter=5), ArithmeticError, "katz"),
    "beta": (lambda: katz(TRIANGLE, beta=[1.0]), ValueError, "beta"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name):
    call, kind, words = BAD[name]
    with pytest.raises(LagbfsError, match=words) as caught:
        call()
    assert isinstance(caught.value, kind)


CONNECTED = [graphs.star(6), graphs.path(7), graphs.kronecker(5), graphs.complete(4), TRIANGLE]


@pytest.mark.parametrize("A", CONNECTED)
def test_the_others_equal_networkx(backend, A):
    G = theirs(A)
    np.testing.assert_allclose(eigenvector(A, backend=backend), listed(nx.eigenvector_centrality(G)), atol=1e-9)
    np.testing.assert_allclose(katz(A, 0.05, backend=backend), listed(nx.katz_centrality(G, 0.05)), atol=1e-9)
    hubs, authorities = hits(A, backend=backend)
    for ours, other in zip((hubs, authorities), nx.algorithms.link_analysis.hits_alg._hits_scipy(G), strict=True):
        np.testing.assert_allclose(ours, listed(other), atol=1e-7)
        assert ours.sum() == pytest.approx(1)


@pytest.mark.parametrize("n", [0, 1, 3])
def test_graphs_without_edges(n):
    A = Matrix.from_edges([], [], n=n)
    np.testing.assert_allclose(pagerank(A), np.full(n, 1 / max(n, 1)))
    assert [part.tolist() for part in hits(A)] == [[0.0] * n] * 2
    np.testing.assert_allclose(katz(A, normalized=False), np.ones(n))
    assert len(eigenvector(A)) == n


def test_an_iteration_that_does_not_converge_says_how_far_it_came():
    with pytest.raises(ConvergenceError, match=r"eigenvector .* 2 iterations"):
        eigenvector(graphs.path(40), max_iter=2)
