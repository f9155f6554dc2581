"""Distance measures, efficiencies, nearness and trees on the backend equal NetworkX's."""

import random

import networkx as nx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nx_graphs import graphs
from test_nx_measures import agree

from lagbfs.nx.interface import interface

MULTI = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)
WEIGHTS = st.one_of(st.integers(0, 5), st.sampled_from([0.5, 1.25, 3.0]))
MEASURES = ("diameter", "radius", "center", "periphery")


def joined(graph):
    """Return the graph with a closed walk through all nodes added."""
    nodes = list(graph)
    graph.add_edges_from(zip(nodes, nodes[1:] + nodes[:1], strict=True))
    return graph


@given(graphs(MULTI), st.booleans(), st.data())
def test_distance_measures(graph, connect, data):
    assume(len(graph))
    graph = joined(graph) if connect else graph
    for name in MEASURES:
        agree(name, graph)
        agree(name, graph, usebounds=True)
    some = data.draw(st.lists(st.sampled_from(list(graph))))
    agree("eccentricity", graph)
    agree("eccentricity", graph, some)
    agree("eccentricity", graph, next(iter(graph)))
    if connect:
        assert sorted(map(str, interface.barycenter(interface.convert_from_nx(graph)))) == sorted(
            map(str, nx.barycenter(graph))
        )
    agree("wiener_index", graph)
    agree("average_shortest_path_length", graph)


@given(graphs(weights=WEIGHTS), st.booleans())
def test_distance_measures_with_weights(graph, connect):
    assume(len(graph))
    graph = joined(graph) if connect else graph
    for name in (*MEASURES, "eccentricity", "wiener_index", "average_shortest_path_length"):
        agree(name, graph, weight="weight")
    agree("closeness_centrality", graph, distance="weight")


@given(graphs(MULTI), st.booleans(), st.data())
def test_nearness(graph, improved, data):
    agree("closeness_centrality", graph, wf_improved=improved)
    assume(len(graph))
    node = st.sampled_from(list(graph))
    agree("closeness_centrality", graph, data.draw(node))
    for given_ in ({}, {"nbunch": data.draw(st.lists(node))}, {"nbunch": data.draw(node)}):
        for sources in (None, data.draw(st.lists(node))):
            ours = interface.harmonic_centrality(interface.convert_from_nx(graph), **given_, sources=sources)
            assert ours == pytest.approx(nx.harmonic_centrality(graph, **given_, sources=sources))
    with pytest.raises(nx.NodeNotFound):
        interface.closeness_centrality(interface.convert_from_nx(graph), "nowhere")


@given(graphs((nx.Graph,)), st.data())
def test_efficiencies(graph, data):
    agree("global_efficiency", graph)
    agree("local_efficiency", graph)
    assume(len(graph))
    node = st.sampled_from(list(graph))
    agree("efficiency", graph, data.draw(node), data.draw(node))


def test_efficiencies_of_neighbourhoods_that_are_searched_in_parts():
    graph = nx.gnp_random_graph(300, 0.08, seed=1)
    agree("local_efficiency", graph)
    agree("square_clustering", graph)
    agree("wiener_index", graph)


def test_squares_that_are_counted_in_parts(monkeypatch):
    from lagbfs.algorithms import cohesion

    monkeypatch.setattr(cohesion, "_TOGETHER", 50)
    agree("square_clustering", nx.gnp_random_graph(40, 0.2, seed=2))


@given(graphs((nx.Graph,)), st.data())
def test_squares_and_pairs(graph, data):
    agree("square_clustering", graph)
    converted = interface.convert_from_nx(graph)
    assert interface.generalized_degree(converted) == nx.generalized_degree(graph)
    assume(len(graph))
    node = st.sampled_from(list(graph))
    some = data.draw(st.lists(node))
    agree("square_clustering", graph, some)
    agree("square_clustering", graph, data.draw(node))
    assert interface.generalized_degree(converted, some) == nx.generalized_degree(graph, some)
    pairs = data.draw(st.lists(st.tuples(node, node).filter(lambda pair: pair[0] != pair[1])))
    for alpha in (0.8, 1):
        ours = list(interface.common_neighbor_centrality(converted, pairs, alpha))
        theirs = list(nx.common_neighbor_centrality(graph, pairs, alpha))
        assert [pair[:2] for pair in ours] == [pair[:2] for pair in theirs]
        assert [pair[2] for pair in ours] == pytest.approx([pair[2] for pair in theirs])
    with pytest.raises(nx.NetworkXAlgorithmError):
        list(interface.common_neighbor_centrality(converted, [(data.draw(node),) * 2]))
    with pytest.raises(nx.NodeNotFound):
        interface.common_neighbor_centrality(converted, [("nowhere", "here")])


@given(graphs(), st.integers(0, 3))
def test_trees(graph, more):
    rng = random.Random(len(graph))
    tree = nx.DiGraph() if graph.is_directed() else nx.Graph()
    tree.add_nodes_from(graph)
    for i, node in enumerate(list(graph)[1:], 1):
        if not more or rng.random() < 0.7:
            tree.add_edge(list(graph)[rng.randrange(i)], node)
    for each in (graph, tree):
        agree("is_tree", each)
        agree("is_forest", each)
        if graph.is_directed():
            agree("is_arborescence", each)
            agree("is_branching", each)


@given(graphs((nx.DiGraph,)), st.data())
def test_lowest_common_ancestors(graph, data):
    rank = {node: i for i, node in enumerate(graph)}
    acyclic = nx.DiGraph([(u, v) for u, v in graph.edges if rank[u] < rank[v]])
    assume(len(acyclic))
    one, other = (data.draw(st.sampled_from(list(acyclic))) for _ in range(2))
    found = interface.lowest_common_ancestor(interface.convert_from_nx(acyclic), one, other)
    both = ({*nx.ancestors(acyclic, one), one}) & ({*nx.ancestors(acyclic, other), other})
    if both:
        assert found in both
        assert not nx.descendants(acyclic, found) & both
    else:
        assert found is None
    agree("lowest_common_ancestor", acyclic, one, "nowhere")
    agree("lowest_common_ancestor", nx.cycle_graph(3, nx.DiGraph), 0, 1)


@given(graphs((nx.DiGraph, nx.MultiDiGraph)))
def test_condensation(graph):
    ours = interface.condensation(interface.convert_from_nx(graph))
    theirs = nx.condensation(graph)
    members = {node: frozenset(part) for node, part in ours.nodes(data="members")}
    assert set(members.values()) == {frozenset(part) for _, part in theirs.nodes(data="members")}
    assert all(node in ours.nodes[ours.graph["mapping"][node]]["members"] for node in graph)
    assert {(members[u], members[v]) for u, v in ours.edges} == {
        (frozenset(theirs.nodes[u]["members"]), frozenset(theirs.nodes[v]["members"])) for u, v in theirs.edges
    }
    parts = [{node} for node in graph]
    again = interface.condensation(interface.convert_from_nx(graph), parts)
    expected = nx.condensation(graph, parts)
    assert (list(again.edges), again.graph) == (list(expected.edges), expected.graph)
    assert dict(again.nodes(data=True)) == dict(expected.nodes(data=True))


@given(graphs(MULTI), st.data())
def test_looked_up(graph, data):
    for node in [*graph, "nowhere"]:
        agree("is_isolate", graph, node)
    names = data.draw(st.lists(st.sampled_from([*graph, "nowhere"])))
    agree("is_simple_path", graph, names)
