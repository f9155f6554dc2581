"""Centralities, triangles, cores and counts on the backend equal NetworkX's."""

import networkx as nx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nx_graphs import graphs

from lagbfs.nx.interface import interface

WEIGHTS = st.floats(0.5, 4)


def agree(name, graph, *args, keep=False, **kwargs):
    theirs = nx.utils.backends._registered_algorithms[name].orig_func
    assert interface.can_run(name, (graph, *args), kwargs) is True
    given = interface.convert_from_nx(graph, {"weight": 1}, preserve_edge_attrs=keep)
    try:
        expected = theirs(graph, *args, **kwargs)
    except (nx.NetworkXException, ZeroDivisionError, ValueError) as error:
        with pytest.raises(type(error)):
            getattr(interface, name)(given, *args, **kwargs)
        return
    found = getattr(interface, name)(given, *args, **kwargs)
    if isinstance(expected, nx.Graph):
        assert (found.graph, dict(found.nodes), found.adj) == (expected.graph, dict(expected.nodes), expected.adj)
    elif isinstance(expected, dict):
        assert list(found) == list(expected)
        assert found == pytest.approx(expected, abs=1e-5, nan_ok=True)
        assert all(type(value) in (int, float) for value in found.values())
    elif hasattr(expected, "__next__") or isinstance(expected, list):
        assert list(found) == list(expected)
    else:
        assert found == pytest.approx(expected)


@given(graphs(weights=WEIGHTS))
def test_ranks(graph):
    for weight in (None, "weight"):
        agree("pagerank", graph, weight=weight)
        agree("katz_centrality", graph, 0.01, weight=weight)
    some = dict(zip(graph, range(1, 99), strict=False))
    agree("pagerank", graph, personalization=some, nstart=some, dangling=some)
    agree("pagerank", graph, personalization=dict.fromkeys(graph, 0))
    agree("katz_centrality", graph, 0.01, some, normalized=False)
    agree("katz_centrality", graph, 0.01, {"nowhere": 1})


def test_eigenvectors_and_hubs():
    graph = nx.karate_club_graph()
    agree("eigenvector_centrality", graph)
    agree("eigenvector_centrality", graph, weight="weight", nstart=dict.fromkeys(graph, 2))
    agree("eigenvector_centrality", nx.Graph())
    agree("eigenvector_centrality", graph, 2)
    agree("eigenvector_centrality", graph, nstart=dict.fromkeys(graph, 0))
    arrows = nx.DiGraph([(1, 3), (1, 5), (2, 1), (3, 5), (5, 4), (5, 3), (6, 5)])
    for ours, theirs in zip(interface.hits(interface.convert_from_nx(arrows)), nx.hits(arrows), strict=True):
        assert ours == pytest.approx(theirs, abs=1e-6)
    assert interface.hits(interface.convert_from_nx(nx.Graph())) == ({}, {})


@given(graphs(), st.booleans())
def test_betweenness(graph, normalized):
    agree("betweenness_centrality", graph, normalized=normalized)
    agree("edge_betweenness_centrality", graph, normalized=normalized)
    agree("degree_centrality", graph)
    if graph.is_directed():
        agree("in_degree_centrality", graph)
        agree("out_degree_centrality", graph)


def test_betweenness_of_a_sample():
    import random

    for kind in (nx.Graph, nx.DiGraph):
        graph = nx.gnm_random_graph(30, 80, seed=2, directed=kind is nx.DiGraph)
        given = interface.convert_from_nx(graph)
        for name in ("betweenness_centrality", "edge_betweenness_centrality"):
            ours = getattr(interface, name)(given, 7, seed=random.Random(5))
            assert ours == pytest.approx(getattr(nx, name)(graph, 7, seed=5))


@given(graphs((nx.Graph,)), st.data())
def test_triangles_and_cores(graph, data):
    for name in ("triangles", "clustering", "average_clustering", "transitivity", "core_number"):
        agree(name, graph)
    if len(graph):
        some = data.draw(st.lists(st.sampled_from(list(graph)), min_size=1, unique=True))
        for name in ("triangles", "clustering"):
            agree(name, graph, some)
            agree(name, graph, some[0])
        agree("average_clustering", graph, some)
        agree("average_clustering", graph, count_zeros=False)


@given(graphs((nx.Graph,), weights=WEIGHTS), st.integers(0, 4), st.data())
def test_parts_of_graphs(graph, k, data):
    graph.graph["name"] = "a name"
    nx.set_node_attributes(graph, 3, "colour")
    agree("k_core", graph, k, keep=True)
    agree("k_core", graph, keep=True)
    agree("k_truss", graph, k, keep=True)
    if len(graph):
        name = data.draw(st.sampled_from([*graph, "nowhere"]))
        agree("ego_graph", graph, name, k, data.draw(st.booleans()), keep=True)


@given(graphs((nx.Graph,)), st.data())
def test_similarity(graph, data):
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    assume(len(graph))
    node = st.sampled_from(list(graph))
    agree("jaccard_coefficient", graph, data.draw(st.lists(st.tuples(node, node))))
    agree("jaccard_coefficient", graph, [("nowhere", "here")])


@given(graphs())
def test_counts(graph):
    for name in ("isolates", "number_of_isolates", "number_of_selfloops"):
        agree(name, graph)
    if graph.is_directed():
        agree("reciprocity", graph)
        agree("overall_reciprocity", graph)
