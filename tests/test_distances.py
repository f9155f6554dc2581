"""Distances and what is made of them, against NetworkX and by their laws."""

from itertools import pairwise
from math import inf, nan

import networkx as nx
import numpy as np
import pytest
import strategies as sts
from hypothesis import assume, given
from hypothesis import strategies as st

from lagbfs import LagbfsError, Matrix, algorithms, bfs_many, graphs, using
from lagbfs.algorithms import extremes, paths

SMALL = sts.graphs(min_n=1)


def in_networkx(A):
    """Return the graph of a matrix."""
    graph = nx.DiGraph()
    graph.add_nodes_from(range(A.nrows))
    rows, columns, _ = A.to_coo()
    graph.add_edges_from(zip(rows.tolist(), columns.tolist(), strict=True))
    return graph


def eccentricities(A):
    """Return them by definition."""
    levels = bfs_many(A, np.arange(A.nrows), backend="reference").levels
    return np.where((levels < 0).any(1), inf, levels.max(1, initial=0))


@given(SMALL)
def test_eccentricities(backend, graph):
    A = graph.matrix()
    want = eccentricities(A)
    with using(backend=backend):
        assert algorithms.eccentricity(A).tolist() == want.tolist()
        assert algorithms.diameter(A) == want.max()
        assert algorithms.radius(A) == want.min()
        assert algorithms.center(A) == np.flatnonzero(want == want.min()).tolist()
        assert algorithms.periphery(A) == np.flatnonzero(want == want.max()).tolist()
        assert algorithms.diameter(A, exact=False) <= want.max()
        some = [*range(0, A.nrows, 2)]
        assert algorithms.eccentricity(A, some).tolist() == want[some].tolist()


@given(st.one_of(SMALL, sts.large_graphs(150)))
def test_the_largest_component(graph):
    A = graph.matrix()
    inside = extremes.largest(A, "largest")
    part = Matrix(A.dtype, len(inside), len(inside))
    part << A[inside, inside]
    want = eccentricities(part)
    assert np.isfinite(want).all()
    found = algorithms.eccentricity(A, component="largest")
    assert found[inside].tolist() == want.tolist()
    assert np.isnan(np.delete(found, inside)).all()
    assert algorithms.diameter(A, component="largest") == want.max()
    assert algorithms.radius(A, component="largest") == want.min()
    assert algorithms.center(A, component="largest") == inside[want == want.min()].tolist()
    assert algorithms.periphery(A, component="largest") == inside[want == want.max()].tolist()


def test_many_searches_are_made_in_step(monkeypatch):
    monkeypatch.setattr(extremes, "_ONE_BY_ONE", 2)
    A = graphs.grid(7, 9)
    assert algorithms.eccentricity(A).tolist() == eccentricities(A).tolist()


def test_few_searches_are_enough():
    A = graphs.grid(30, 40)
    bounds = extremes.Bounds(A, np.ones(A.nrows, bool), np.ones(A.nrows, bool), lambda *_: None)
    bounds.settle(lambda low, high: high > low.max())
    assert bounds.low.max() == 68
    assert bounds.searches < 20


def test_one_vertex_is_its_own_center():
    A = Matrix.from_edges([], [], n=1)
    assert algorithms.diameter(A) == algorithms.radius(A) == 0
    assert algorithms.center(A) == algorithms.periphery(A) == [0]
    assert algorithms.closeness(A).tolist() == [0.0]


@pytest.mark.parametrize("name", ["diameter", "radius", "center", "periphery", "average_distance"])
def test_without_vertices_there_is_none(name):
    with pytest.raises(LagbfsError, match="vertices"):
        getattr(algorithms, name)(Matrix.from_edges([], []))


@given(SMALL, st.booleans())
def test_closeness_and_harmonic_equal_networkx(backend, graph, improved):
    A = graph.matrix()
    theirs = nx.closeness_centrality(in_networkx(A), wf_improved=improved)
    with using(backend=backend):
        np.testing.assert_allclose(algorithms.closeness(A, wf_improved=improved), [*theirs.values()])
        np.testing.assert_allclose(algorithms.closeness(A, [0], wf_improved=improved), [theirs[0]])
        np.testing.assert_allclose(algorithms.harmonic(A), [*nx.harmonic_centrality(in_networkx(A)).values()])


def test_harmonic_by_blocks(monkeypatch):
    from lagbfs.algorithms import nearness

    A = graphs.grid(4, 5)
    whole = algorithms.harmonic(A)
    monkeypatch.setattr(nearness, "_BLOCK", 7)
    told = []
    np.testing.assert_array_equal(algorithms.harmonic(A, progress=lambda *p: told.append(p)), whole)
    assert told[-1] == (20, 20)


@given(sts.graphs(min_n=2))
def test_average_distance(graph):
    A = graph.matrix()
    inside = extremes.largest(A, "largest")
    assume(len(inside) > 1)
    part = in_networkx(A).subgraph(inside.tolist())
    found = algorithms.average_distance(A, component="largest")
    assert found.value == pytest.approx(nx.average_shortest_path_length(part))
    assert found.error == 0
    assert found.searches == len(inside)
    whole = algorithms.average_distance(A).value
    assert whole == (pytest.approx(found.value) if len(inside) == A.nrows else inf)


def test_a_sample_has_an_error_that_tells_how_far_off_it_is():
    A = graphs.barabasi_albert(300, 2, seed=3)
    exact = algorithms.average_distance(A).value
    found = [algorithms.average_distance(A, samples=40, seed=seed) for seed in range(30)]
    off = [abs(f.value - exact) / f.error for f in found]
    assert 10 <= sum(far < 1 for far in off) <= 28  # two in three
    assert max(off) < 5
    assert algorithms.average_distance(A, samples=1000) == pytest.approx((exact, 0, 300))
    assert found[3] == algorithms.average_distance(A, samples=40, seed=3)


@given(SMALL)
def test_all_pairs_in_blocks_hold_the_triangle_inequality(graph):
    A = graph.matrix()
    blocks = [*algorithms.all_pairs_distances(A, block=3)]
    assert [v for sources, _ in blocks for v in sources] == [*range(A.nrows)]
    d = np.vstack([distances for _, distances in blocks]).astype(float)
    d[d < 0] = inf
    assert (d[:, None, :] <= d[:, :, None] + d[None]).all()
    theirs = dict(nx.all_pairs_shortest_path_length(in_networkx(A)))
    assert d.tolist() == [[theirs[u].get(v, inf) for v in range(A.nrows)] for u in range(A.nrows)]


def test_blocks_keep_the_settings():
    A = graphs.path(4)
    blocks = algorithms.all_pairs_distances(A, [3, 1], block=1, backend="reference", max_depth=1)
    assert [(s.tolist(), d.tolist()) for s, d in blocks] == [([3], [[-1, -1, 1, 0]]), ([1], [[1, 0, 1, -1]])]


@given(SMALL, st.data())
def test_shortest_paths(backend, graph, data):
    A = graph.matrix()
    source, target = data.draw(st.tuples(*[st.integers(0, A.nrows - 1)] * 2))
    path = algorithms.shortest_path(A, source, target, backend=backend)
    theirs = in_networkx(A)
    if not nx.has_path(theirs, source, target):
        assert path is None
        return
    assert path[0] == source
    assert path[-1] == target
    assert len(path) == nx.shortest_path_length(theirs, source, target) + 1
    assert all(theirs.has_edge(u, v) for u, v in pairwise(path))


def test_long_paths_are_left_to_one_search(monkeypatch):
    A = graphs.path(200)
    assert algorithms.shortest_path(A, 10, 190) == [*range(10, 191)]
    monkeypatch.setattr(paths, "_MOST_LEVELS", 0)
    assert algorithms.shortest_path(A, 190, 10) == [*range(190, 9, -1)]


@given(SMALL, st.integers(0, 3))
def test_surroundings(graph, k):
    A = graph.matrix()
    want = sorted(nx.single_source_shortest_path_length(in_networkx(A), 0, cutoff=k))
    assert algorithms.k_hop(A, 0, k) == want
    around = algorithms.ego(A, 0, k)
    assert around.vertices == want
    np.testing.assert_array_equal(around.matrix.to_dense(fill_value=0), A.to_dense(fill_value=0)[np.ix_(want, want)])


def test_labels():
    A = Matrix.from_networkx(nx.path_graph(["a", "b", "c", "d"]))
    assert algorithms.shortest_path(A, "a", "d") == ["a", "b", "c", "d"]
    assert algorithms.center(A) == ["b", "c"]
    assert algorithms.periphery(A) == ["a", "d"]
    assert algorithms.k_hop(A, "a", 1) == ["a", "b"]
    assert algorithms.ego(A, "b").vertices == ["a", "b", "c"]
    assert algorithms.eccentricity(A, ["b"]).tolist() == [2.0]
    assert algorithms.closeness(A, ["b"]).tolist() == [0.75]


@pytest.mark.parametrize(
    ("name", "given_", "words"),
    [
        ("eccentricity", ([9],), "vertices"),
        ("eccentricity", (0,), "several"),
        ("closeness", ([9],), "vertices"),
        ("harmonic", ([-1],), "vertices"),
        ("shortest_path", (0, 9), "target"),
        ("shortest_path", (9, 0), "source"),
        ("k_hop", (0, -1), "k must"),
        ("k_hop", (0, 1.5), "k must"),
        ("ego", (9,), "source"),
        ("all_pairs_distances", ([9],), "sources"),
    ],
)
def test_bad_input(name, given_, words):
    with pytest.raises(LagbfsError, match=words):
        getattr(algorithms, name)(graphs.path(3), *given_)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("diameter", {"component": "first"}, "component"),
        ("average_distance", {"samples": 1}, "samples"),
        ("all_pairs_distances", {"block": 0}, "block"),
        ("all_pairs_distances", {"max_depth": nan}, "max_depth"),
    ],
)
def test_bad_options(name, options, words):
    with pytest.raises(LagbfsError, match=words):
        getattr(algorithms, name)(graphs.path(3), **options)
