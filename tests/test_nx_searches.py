"""Searches, unweighted paths and components on the backend equal NetworkX's, orders included."""

from itertools import islice

import networkx as nx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nx_graphs import graphs

import lagbfs
from lagbfs.nx.interface import interface

MULTI = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)
LIMITS = st.sampled_from([None, 0, 1, 2, 1.5, float("inf"), -1])


def outcome(call, *args, **kwargs):
    """What a call returns, generators run out, or the error that it raises."""
    try:
        found = call(*args, **kwargs)
        if isinstance(found, nx.Graph):
            return list(found.nodes(data=True)), list(found.edges(data=True))
        if isinstance(found, dict):
            return list(found.items())
        if hasattr(found, "__next__"):
            return list(found)
        return found
    except (nx.NetworkXException, KeyError, ValueError) as error:
        return type(error), str(error)


def agree(name, graph, *args, **kwargs):
    theirs = nx.utils.backends._registered_algorithms[name].orig_func
    ours = getattr(interface, name)
    given = interface.convert_from_nx(graph)
    assert interface.can_run(name, (graph, *args), kwargs) is True
    assert outcome(ours, given, *args, **kwargs) == outcome(theirs, graph, *args, **kwargs)


@given(graphs(MULTI), LIMITS, st.booleans(), st.data())
def test_searches_find_edges_in_networkxs_order(graph, limit, reverse, data):
    assume(len(graph))
    source = data.draw(st.sampled_from([*graph, "nowhere"]))
    for name in ("bfs_edges", "bfs_tree"):
        agree(name, graph, source, reverse=reverse, depth_limit=limit)
    for name in ("bfs_predecessors", "bfs_successors", "generic_bfs_edges"):
        agree(name, graph, source, depth_limit=limit)


@given(graphs(MULTI), st.data())
def test_layers_and_labelled_edges_from_several(graph, data):
    assume(len(graph))
    sources = data.draw(st.one_of(st.sampled_from(list(graph)), st.lists(st.sampled_from(list(graph)))))
    agree("bfs_layers", graph, sources)
    agree("bfs_labeled_edges", graph, sources)
    for distance in (0, 1, 2, 99, -1, 1.5):
        agree("descendants_at_distance", graph, next(iter(graph)), distance)
    agree("bfs_layers", graph, ["nowhere"])
    agree("descendants_at_distance", graph, "nowhere", 1)


@given(graphs(MULTI), LIMITS, st.data())
def test_unweighted_paths(graph, limit, data):
    assume(len(graph))
    source = data.draw(st.sampled_from([*graph, "nowhere"]))
    for name in (
        "single_source_shortest_path",
        "single_source_shortest_path_length",
        "single_target_shortest_path",
        "single_target_shortest_path_length",
    ):
        agree(name, graph, source, cutoff=limit)
    target = data.draw(st.sampled_from([None, *graph, "nowhere"]))
    agree("predecessor", graph, source, target, limit, data.draw(st.booleans()))
    agree("all_pairs_shortest_path", graph, limit)
    assert dict(interface.all_pairs_shortest_path_length(interface.convert_from_nx(graph), limit)) == dict(
        nx.all_pairs_shortest_path_length(graph, limit)
    )


@given(graphs(MULTI), st.data())
def test_paths_between_two(graph, data):
    assume(len(graph))
    source, target = (data.draw(st.sampled_from([*graph, "nowhere"])) for _ in range(2))
    agree("shortest_path_length", graph, source, target)
    agree("shortest_path_length", graph, source)
    agree("shortest_path_length", graph, None, target)
    agree("shortest_path", graph, source)
    agree("shortest_path", graph, None, target)
    agree("has_path", graph, source, target)
    agree("all_shortest_paths", graph, source, target)
    agree("average_shortest_path_length", graph)
    converted = interface.convert_from_nx(graph)
    for name in ("bidirectional_shortest_path", "shortest_path"):
        try:
            path = getattr(interface, name)(converted, source, target)
        except nx.NetworkXException:
            agree(name, graph, source, target)
        else:
            assert nx.is_path(graph, path)
            assert (path[0], path[-1], len(path) - 1) == (
                source,
                target,
                nx.shortest_path_length(graph, source, target),
            )


@given(graphs(MULTI), st.data())
def test_all_shortest_paths(graph, data):
    assume(len(graph))
    agree("single_source_all_shortest_paths", graph, data.draw(st.sampled_from(list(graph))))
    agree("all_pairs_all_shortest_paths", graph)


@given(graphs(MULTI))
def test_components(graph):
    kind = ["weakly_"] if graph.is_directed() else [""]
    for weak in kind:
        agree(f"{weak}connected_components", graph)
        agree(f"number_{weak}connected_components", graph)
        agree(f"is_{weak}connected", graph)
    if not graph.is_directed():
        for node in graph:
            agree("node_connected_component", graph, node)
        agree("node_connected_component", graph, "nowhere")
        return
    agree("number_strongly_connected_components", graph)
    agree("is_strongly_connected", graph)
    ours = list(map(frozenset, interface.strongly_connected_components(interface.convert_from_nx(graph))))
    assert set(ours) == set(map(frozenset, nx.strongly_connected_components(graph)))
    place = {node: i for i, nodes in enumerate(ours) for node in nodes}
    assert all(place[u] >= place[v] for u, v in graph.edges())  # a reverse topological order


@given(graphs(MULTI))
def test_two_colours(graph):
    agree("is_bipartite", graph)
    ours, theirs = outcome(interface.color, interface.convert_from_nx(graph)), outcome(nx.bipartite.color, graph)
    assert ours == theirs if isinstance(theirs, tuple) else dict(ours) == dict(theirs)


@given(graphs((nx.DiGraph,)), st.data())
def test_without_cycles(graph, data):
    for node in [*graph, "nowhere"]:
        agree("ancestors", graph, node)
        agree("descendants", graph, node)
    agree("is_directed_acyclic_graph", graph)
    rank = {node: i for i, node in enumerate(graph)}
    acyclic = nx.DiGraph()
    acyclic.add_nodes_from(graph)
    acyclic.add_edges_from((u, v) for u, v in data.draw(st.permutations(list(graph.edges))) if rank[u] < rank[v])
    for name in ("topological_generations", "topological_sort", "is_directed_acyclic_graph"):
        agree(name, acyclic)


def test_a_cycle_has_no_topological_order():
    for name in ("topological_generations", "topological_sort"):
        agree(name, nx.cycle_graph(3, create_using=nx.DiGraph))
        agree(name, nx.path_graph(3))


def test_nothing_is_computed_before_it_is_asked_for():
    graph = lagbfs.nx.from_networkx(nx.path_graph(3))
    for name in ("bfs_edges", "bfs_successors", "bfs_predecessors", "generic_bfs_edges"):
        edges = getattr(nx, name)(graph, "nowhere")
        with pytest.raises(nx.NetworkXError, match="nowhere"):
            next(edges)
    assert len(list(islice(nx.connected_components(graph), 1))) == 1


def test_distances_of_more_nodes_than_are_searched_from_at_a_time():
    graph = nx.path_graph(150)
    ours = dict(interface.all_pairs_shortest_path_length(interface.convert_from_nx(graph)))
    assert ours == dict(nx.all_pairs_shortest_path_length(graph))


def test_large_graphs_with_neighbours_in_any_order():
    graph = nx.gnm_random_graph(2000, 9000, seed=3)
    agree("bfs_edges", graph, 5)
    agree("bfs_layers", graph, [5, 7])
    agree("single_source_shortest_path", nx.grid_2d_graph(30, 30), (3, 4))
