"""Weighted paths on the backend are as long as NetworkX's, and lead where they should."""

import re

import networkx as nx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nx_graphs import graphs

from lagbfs.nx.interface import interface

WHOLE, FLOATS = st.integers(0, 5), st.floats(0, 4)


def both(name, graph, *args, **kwargs):
    ours = getattr(interface, name)(interface.convert_from_nx(graph, {"weight": 1}), *args, **kwargs)
    return ours, nx.utils.backends._registered_algorithms[name].orig_func(graph, *args, **kwargs)


def is_as_long(graph, path, length):
    assert nx.is_path(graph, path)
    assert nx.path_weight(graph, path, "weight") == pytest.approx(length) if graph.edges else True


@pytest.mark.parametrize("weights", [WHOLE, FLOATS], ids=["int", "float"])
@given(data=st.data())
def test_from_a_node(weights, data):
    graph = data.draw(graphs(weights=weights))
    assume(len(graph))
    nx.set_edge_attributes(graph, {edge: 1 for edge in graph.edges if "weight" not in graph.edges[edge]}, "weight")
    source, cutoff = data.draw(st.sampled_from(list(graph))), data.draw(st.sampled_from([None, 0, 2, 3.5]))
    ours, theirs = both("single_source_dijkstra_path_length", graph, source, cutoff)
    assert ours == theirs
    if weights is WHOLE:
        assert [*map(type, ours.values())] == [int] * len(ours)
        assert list(ours.values()) == sorted(ours.values())
    (lengths, paths), _ = both("single_source_dijkstra", graph, source, None, cutoff)
    assert lengths == theirs
    assert paths.keys() == theirs.keys()
    for target, path in paths.items():
        assert (path[0], path[-1]) == (source, target)
        is_as_long(graph, path, theirs[target])
    several = {source, data.draw(st.sampled_from(list(graph)))}
    ours, theirs = both("multi_source_dijkstra_path_length", graph, several, cutoff)
    assert ours == theirs
    ours, theirs = both("all_pairs_dijkstra_path_length", graph, cutoff)
    assert dict(ours) == dict(theirs)


@given(graphs(weights=WHOLE), st.data())
def test_between_two(graph, data):
    assume(len(graph))
    source, target = (data.draw(st.sampled_from([*graph, "nowhere"])) for _ in range(2))
    for name in ("dijkstra_path_length", "bellman_ford_path_length"):
        try:
            ours, theirs = both(name, graph, source, target)
        except (nx.NodeNotFound, nx.NetworkXNoPath) as error:
            with pytest.raises(type(error), match=re.escape(str(error))):
                nx.utils.backends._registered_algorithms[name].orig_func(graph, source, target)
        else:
            assert ours == theirs
            assert type(ours) is type(theirs)
            given = interface.convert_from_nx(graph, {"weight": 1})
            for path in (interface.dijkstra_path, interface.bellman_ford_path):
                found = path(given, source, target)
                assert (found[0], found[-1]) == (source, target)
                assert sum(graph[u][v].get("weight", 1) for u, v in nx.utils.pairwise(found)) == theirs


@given(graphs((nx.DiGraph,), weights=st.integers(-2, 5)), st.data())
def test_negative_weights(graph, data):
    assume(len(graph))
    source = data.draw(st.sampled_from(list(graph)))
    try:
        theirs = nx.single_source_bellman_ford_path_length(graph, source)
    except nx.NetworkXUnbounded:
        with pytest.raises(nx.NetworkXUnbounded):
            both("single_source_bellman_ford_path_length", graph, source)
    else:
        ours, _ = both("single_source_bellman_ford_path_length", graph, source)
        assert ours == theirs


def test_what_is_left_to_networkx():
    for weight in ("far", None, float("nan"), float("inf"), 2**60, 2**70, -1):
        graph = nx.Graph([(0, 1, {"weight": weight}), (1, 2)])
        with pytest.raises(NotImplementedError):
            both("single_source_dijkstra_path_length", graph, 0)
        with pytest.raises(NotImplementedError):
            both("all_pairs_dijkstra_path_length", graph)
    with pytest.raises(NotImplementedError, match="cutoff"):
        both("single_source_dijkstra_path_length", nx.path_graph(2), 0, -1)
    with pytest.raises(ValueError, match="empty"):
        both("multi_source_dijkstra", nx.path_graph(2), [])
    assert "attribute" in interface.can_run("dijkstra_path", (nx.path_graph(2), 0, 1, len), {})
    assert "parallel" in interface.can_run("dijkstra_path", (nx.MultiGraph(), 0, 1), {})


@given(graphs(weights=WHOLE), st.data())
def test_those_before_each_node(graph, data):
    assume(len(graph))
    source, cutoff = data.draw(st.sampled_from(list(graph))), data.draw(st.sampled_from([None, 0, 2, 3.5]))
    for name, given_ in (
        ("dijkstra_predecessor_and_distance", (cutoff,)),
        ("bellman_ford_predecessor_and_distance", ()),
    ):
        (before, lengths), (expected, their_lengths) = both(name, graph, source, *given_)
        assert lengths == their_lengths
        assert {v: sorted(map(str, nodes)) for v, nodes in before.items()} == {
            v: sorted(map(str, nodes)) for v, nodes in expected.items()
        }


@given(graphs(weights=st.integers(0, 3)), st.data())
def test_by_weight(graph, data):
    """`shortest_path` and its kin are what they stand for."""
    assume(len(graph))
    source, target = (data.draw(st.sampled_from(list(graph))) for _ in range(2))
    for method in ("dijkstra", "bellman-ford"):
        options = {"weight": "weight", "method": method}
        for ends in ({"source": source}, {"target": target}):
            ours, theirs = both("shortest_path_length", graph, **ends, **options)
            assert ours == theirs
            paths, _ = both("shortest_path", graph, **ends, **options)
            assert paths.keys() == theirs.keys()
            for name, path in paths.items():
                assert (path[0], path[-1]) == ((source, name) if "source" in ends else (name, target))
                assert _length(graph, path) == theirs[name]
        ours, theirs = both("shortest_path_length", graph, **options)
        assert dict(ours) == dict(theirs)
        ours, theirs = both("single_source_all_shortest_paths", graph, source, **options)
        assert {name: set(map(tuple, paths)) for name, paths in ours} == {
            name: set(map(tuple, paths)) for name, paths in theirs
        }
        try:
            ours, theirs = (
                set(map(tuple, paths)) for paths in both("all_shortest_paths", graph, source, target, **options)
            )
        except nx.NetworkXNoPath:
            assert not nx.has_path(graph, source, target)
        else:
            assert ours == theirs
    with pytest.raises(ValueError, match="method not supported: guess"):
        both("shortest_path", graph, source, method="guess")


@given(graphs((nx.DiGraph,), weights=st.integers(-2, 5)))
def test_negative_weights_from_anywhere(graph):
    ours, theirs = both("is_negatively_weighted", graph)
    assert ours == theirs
    given_ = interface.convert_from_nx(graph, {"weight": 1})
    negative = nx.negative_edge_cycle(graph)
    assert interface.negative_edge_cycle(given_) == negative
    if negative:
        with pytest.raises(nx.NetworkXUnbounded):
            interface.johnson(given_)
        return
    paths, theirs = interface.johnson(given_), nx.johnson(graph)
    assert {v: set(to) for v, to in paths.items()} == {v: set(to) for v, to in theirs.items()}
    for source, to in paths.items():
        for target, path in to.items():
            assert (path[0], path[-1]) == (source, target)
            assert _length(graph, path) == _length(graph, theirs[source][target])


def _length(graph, path):
    return sum(graph[u][v].get("weight", 1) for u, v in nx.utils.pairwise(path))
