"""Neighbours that are read from dictionaries, and searches of rows in any order: kernels and Python agree."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nx_graphs import graphs

from lagbfs import host

NUMBERS = st.one_of(st.integers(-5, 5), st.booleans(), st.floats(allow_nan=False), st.integers(-(2**62), 2**62))
ODD = st.one_of(NUMBERS, st.sampled_from(["far", None, 2**80, np.float64(1), np.int64(1)]))


def numbered(graph):
    return {node: i for i, node in enumerate(graph)}


def plainly(graph, name, missing):
    """Return what is expected: neighbours by number and what their data has."""
    number = numbered(graph)
    starts = np.cumsum([0, *map(len, graph.adj.values())])
    ends = [number[node] for row in graph.adj.values() for node in row]
    return starts.tolist(), ends, [data.get(name, missing) for row in graph.adj.values() for data in row.values()]


@given(graphs(weights=NUMBERS), st.sampled_from([1, 2.5, True]))
def test_neighbours_and_values(graph, missing):
    starts, ends, values = plainly(graph, "weight", missing)
    for routines in {host.routines(), host.PLAIN}:
        found = routines.neighbors(graph._adj, numbered(graph), None, None)
        assert (found[0].tolist(), found[1].tolist(), found[2]) == (starts, ends, None)
        assert (found[0].dtype, found[1].dtype) == (np.int64, np.int32)
        weighted = routines.neighbors(graph._adj, numbered(graph), "weight", missing)
        if weighted is None:
            assert routines is host.PLAIN
            continue
        assert (weighted[0].tolist(), weighted[1].tolist()) == (starts, ends)
        kinds = set(map(type, values))
        assert weighted[2].dtype == (float if float in kinds else int)
        assert weighted[2].tolist() == [float(x) if float in kinds else int(x) for x in values]


@given(graphs(weights=ODD))
def test_what_is_no_plain_number_is_left_to_others(graph):
    _, _, values = plainly(graph, "weight", 1)
    found = host.routines().neighbors(graph._adj, numbered(graph), "weight", 1)
    plain = set(map(type, values)) <= {int, float, bool} and all(abs(x) < 2**63 for x in values if type(x) is int)
    assert found is None if host.routines() is host.PLAIN or not plain else found is not None


def test_nodes_that_are_their_own_numbers():
    graph = nx.Graph([(0, True), (1, 2), (2, 2)])
    for routines in {host.routines(), host.PLAIN}:
        assert routines.neighbors(graph._adj, None, None, None)[1].tolist() == [1, 0, 2, 1, 2]
    graph = nx.Graph([(0, 1.0)])  # equal, and no int
    assert host.routines().neighbors(graph._adj, None, None, None)[1].tolist() == [1, 0]


def test_nodes_whose_comparison_fails():
    class Odd:
        def __hash__(self):
            return 1

        def __eq__(self, other):
            raise ZeroDivisionError

    for adjacency, numbers in (({Odd(): {Odd(): {}}}, {Odd(): 0}), ({0: {Odd(): {}}}, {1: 0})):
        with pytest.raises(ZeroDivisionError):
            host.routines().neighbors(adjacency, numbers, None, None)


def test_dictionaries_that_change_meanwhile():
    """No more is written than there is room for, whatever nodes do when they are compared."""

    class Growing:
        def __hash__(self):
            return 1

        def __eq__(self, other):
            row.update({i: {} for i in range(2, 99)})
            return True

    row = {Growing(): {}}
    numbers = {Growing(): 0} | dict.fromkeys(range(2, 99), 0)
    starts, ends, _ = host.routines().neighbors({0: row}, numbers, None, None)
    assert (starts.tolist(), len(row)) == ([0, len(ends)], 98)
    assert not ends.any()


def test_neighbours_that_are_no_nodes():
    for routines in {host.routines(), host.PLAIN}:
        with pytest.raises(KeyError):
            routines.neighbors({"a": {"b": {}}}, {"a": 0}, None, None)


@given(graphs(), st.sampled_from([0, 1, 2, 10**6]), st.data())
def test_searches_of_rows_in_any_order(graph, depth, data):
    starts, ends, _ = host.PLAIN.neighbors(graph._adj, numbered(graph), None, None)
    sources = np.array(data.draw(st.lists(st.sampled_from(range(len(graph))), unique=True)) if len(graph) else [], int)
    order, parents = host.routines().search_as_given(starts, ends, sources, depth)
    expected_order, expected_parents = host.PLAIN.search_as_given(starts, ends, sources, depth)
    assert order.tolist() == expected_order.tolist()
    assert parents.tolist() == expected_parents.tolist()
