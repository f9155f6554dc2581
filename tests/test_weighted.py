"""Shortest paths along weighted edges, against SciPy and by the rules."""

import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csgraph

from lagbfs import LagbfsError, Matrix, bfs, graphs, sssp
from lagbfs.algorithms import all_pairs


def distances(n, edges, sources):
    """Distances by Bellman and Ford, plainly; edges are by their ends."""
    found = [0.0 if v in sources else np.inf for v in range(n)]
    for _ in range(n):
        for (u, v), w in edges.items():
            found[v] = min(found[v], found[u] + w)
    return found


def edges_of(A):
    i, j, w = A.to_coo()
    return dict(zip(zip(i.tolist(), j.tolist(), strict=True), w.astype(float).tolist(), strict=True))


def check_paths(found, edges):
    """Every parent is one edge and its length before; paths end at a source."""
    for v, parent in enumerate(found.parents.tolist()):
        assert (parent >= 0) == np.isfinite(found.distances[v])
        if parent == v:
            assert v in found.sources
        elif parent >= 0:
            assert found.distances[parent] + edges[parent, v] == found.distances[v]
            assert found.path_to(found.matrix.labels[v] if found.matrix.labels else v)


@given(sts.graphs(weights=True, labels=None), st.data())
def test_distances_and_parents(backend, graph, data):
    weights = np.abs(graph.weights) if graph.weights.dtype.kind == "f" else np.maximum(graph.weights, 0)
    A = graph.matrix(weights=weights)
    sources = data.draw(st.lists(st.integers(0, graph.n - 1), min_size=1, max_size=3, unique=True))
    named = sources if graph.labels is None else [graph.labels[v] for v in sources]
    delta = data.draw(st.sampled_from([None, 0.5, 3.0, 1e9]))
    edges = edges_of(A)
    expected = distances(graph.n, edges, sources)
    for asked in ({}, {"selector": "beamer"}):
        found = sssp(A, named, delta=delta, backend=backend, **asked)
        assert found.distances.tolist() == expected
        assert found.distances.dtype == np.float64
        assert found.parents.dtype == A.rows.index_dtype
        assert found.sources.tolist() == sorted(sources)
        check_paths(found, edges)


@given(sts.graphs(directed=True), st.data())
def test_negative_weights(backend, graph, data):
    heights = data.draw(st.lists(st.integers(-9, 9), min_size=graph.n, max_size=graph.n))
    lengths = data.draw(st.lists(st.integers(0, 3), min_size=len(graph.edges), max_size=len(graph.edges)))
    downhill = [w + heights[v] - heights[u] for (u, v), w in zip(graph.edges, lengths, strict=True)]
    A = graph.matrix(weights=np.array(downhill, np.int64))
    found = sssp(A, 0, backend=backend)
    assert found.distances.tolist() == distances(graph.n, edges_of(A), [0])
    check_paths(found, edges_of(A))


@given(sts.graphs(directed=True, weights="i1"))
def test_a_cycle_of_negative_length_is_found(backend, graph):
    A = graph.matrix()
    edges = edges_of(A)
    found = distances(graph.n, edges, [0])
    endless = any(found[u] + w < found[v] for (u, v), w in edges.items())
    if not endless:
        assert sssp(A, 0, backend=backend).distances.tolist() == found
        return
    with pytest.raises(ValueError, match=r"negative length: it has .* → "):
        sssp(A, 0, backend=backend)


def test_a_loop_of_negative_length_is_a_cycle(backend):
    A = Matrix.from_edges([0, 1, 1, 3], [1, 1, 2, 3], weights=[1, -2, 1, -1])
    with pytest.raises(LagbfsError, match=r"it has 1 → 1$"):
        sssp(A, 0, backend=backend)
    assert sssp(A, 2, backend=backend).reached == 1


def test_a_cycle_of_negative_length_is_named_and_found_soon():
    n = 50_000
    src, dst = np.r_[np.arange(n), 4], np.r_[np.arange(1, n + 1), 2]
    A = Matrix.from_edges(src, dst, weights=np.r_[np.ones(n), -3.0])
    with pytest.raises(LagbfsError, match=r"[234] → [234] → [234] → [234]$"):
        sssp(A, 0)
    assert sssp(A, 5).reached == n - 4


@given(sts.graphs(weights="u1"), st.data())
def test_cutoff_and_target_leave_out_what_is_further(backend, graph, data):
    A = graph.matrix()
    everything = sssp(A, 0).distances
    cutoff = data.draw(st.integers(0, 300))
    found = sssp(A, 0, cutoff=cutoff, backend=backend)
    np.testing.assert_array_equal(found.distances, np.where(everything <= cutoff, everything, np.inf))
    check_paths(found, edges_of(A))
    np.testing.assert_array_equal(sssp(A, 0, cutoff=np.inf, backend=backend).distances, everything)
    target = data.draw(st.integers(0, graph.n - 1))
    found = sssp(A, 0, target=target, delta=1.0, backend=backend, selector="beamer")
    np.testing.assert_array_equal(found.distances, np.where(everything <= everything[target], everything, np.inf))


@given(sts.graphs(weights="u2"))
def test_all_pairs_obey_the_triangle_inequality_and_equal_scipy(backend, graph):
    A = graph.matrix()
    D = all_pairs(A, backend=backend)
    expected = np.array([distances(graph.n, edges_of(A), [v]) for v in range(graph.n)])
    np.testing.assert_array_equal(D, expected)
    assert not np.diag(D).any()
    assert ((D[:, :, None] + D[None, :, :]).min(axis=1) >= D).all()


def test_all_pairs_of_some_in_the_order_given():
    told = []
    A = Matrix.from_edges([0, 1], [1, 2], labels=list("abc"), weights=[2, -1])
    D = all_pairs(A, ["c", "a"], progress=lambda done, total: told.append((done, total)))
    assert D.tolist() == [[np.inf, np.inf, 0], [0, 2, 1]]
    assert told == [(0, 2), (1, 2), (2, 2)]


def test_each_bucket_is_taken_by_itself():
    A = Matrix.from_edges([0, 0, 1, 2], [1, 2, 2, 3], weights=[2, 9, 1, 1])
    assert [p.edges for p in sssp(A, 0, delta=2, selector="push").trace.products] == [2, 1, 1, 0]
    assert [p.edges for p in sssp(A, 0, delta=20, selector="push").trace.products] == [2, 2, 1, 0]


def test_edges_of_length_0_are_not_negative():
    found = sssp(Matrix.from_edges([0, 1], [1, 2], weights=[0, 3]), 0, selector="push")
    assert found.distances.tolist() == [0, 0, 3]
    assert "buckets" in found.explain()


def test_edges_without_weights_are_of_length_1(backend):
    A = graphs.kronecker(7)
    levels = bfs(A, 3).levels
    np.testing.assert_array_equal(sssp(A, 3, backend=backend).distances, np.where(levels < 0, np.inf, levels))


def test_larger_graphs_equal_scipy(backend):
    A = graphs.kronecker(9)
    weights = np.random.default_rng(5).random(A.nvals)
    W = Matrix.from_csr(A.csr.indptr, A.csr.indices, weights, ncols=A.ncols)
    source = int(A.degrees.argmax())
    expected = csgraph.dijkstra(W.to_scipy(), indices=source)
    found = sssp(W, source, backend=backend)
    np.testing.assert_allclose(found.distances, expected, rtol=1e-12)
    check_paths(found, edges_of(W)) if backend == "reference" else None


def test_the_result_tells_of_itself():
    found = sssp(Matrix.from_edges([0], [1], weights=[2.5], labels=["x", "y"]), "x")
    assert repr(found) == "ShortestPaths(2 of 2 vertices reached, the furthest at 2.5)"
    assert found.distance_to("y") == 2.5
    assert found.path_to("y") == ["x", "y"]
    assert "sssp: by " in found.explain()
    assert sssp(Matrix.from_edges([0], [1]), 1).path_to(0) is None


W = Matrix.from_edges([0], [1], weights=[1.5])
BAD = {
    "source": (lambda: sssp(W, 5), IndexError, "source"),
    "target": (lambda: sssp(W, 0, target=5), IndexError, "target"),
    "cutoff": (lambda: sssp(W, 0, cutoff=-1), ValueError, "cutoff"),
    "delta": (lambda: sssp(W, 0, delta=0), ValueError, "delta"),
    "NaN": (lambda: sssp(Matrix.from_edges([0], [1], weights=[np.nan]), 0), ValueError, "NaN"),
    "endless cutoff": (lambda: sssp(W, 0, cutoff=-np.inf), ValueError, "cutoff"),
    "minus infinity": (lambda: sssp(Matrix.from_edges([0], [1], weights=[-np.inf]), 0), ValueError, "-inf"),
    "sources": (lambda: all_pairs(W, [9]), IndexError, "sources"),
    "memory": (lambda: all_pairs(Matrix.from_edges([], [], n=10**7)), MemoryError, "10,000,000"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name):
    call, kind, words = BAD[name]
    with pytest.raises(LagbfsError, match=words) as caught:
        call()
    assert isinstance(caught.value, kind)
