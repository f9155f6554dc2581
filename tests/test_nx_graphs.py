"""Graphs of NetworkX to lagbfs and back, and what NetworkX is told of the backend."""

import inspect
import subprocess
import sys

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from nx_graphs import graphs

import lagbfs
from lagbfs.errors import DimensionError, InvalidTypeError
from lagbfs.nx.functions import FUNCTIONS
from lagbfs.nx.interface import interface


def same(ours, theirs):
    assert type(ours) is type(theirs)
    assert ours.graph == theirs.graph
    assert list(ours.nodes(data=True)) == list(theirs.nodes(data=True))
    assert [(u, list(row.items())) for u, row in ours.adj.items()] == [
        (u, list(row.items())) for u, row in theirs.adj.items()
    ]
    if theirs.is_directed():
        assert [(u, list(row)) for u, row in ours.pred.items()] == [(u, list(row)) for u, row in theirs.pred.items()]


@given(graphs())
def test_graphs_come_back_as_they_were(graph):
    graph.graph["name"] = "a name"
    converted = lagbfs.nx.from_networkx(graph)
    same(lagbfs.nx.to_networkx(converted), graph)
    assert (len(converted), converted.number_of_edges()) == (len(graph), graph.number_of_edges())
    assert converted.is_directed() == graph.is_directed()
    assert list(converted) == list(graph)
    assert all(node in converted for node in graph)
    assert [] not in converted


@given(graphs())
def test_the_matrix_is_that_of_from_networkx(graph):
    ours = lagbfs.nx.from_networkx(graph).matrix
    assert (ours.csr.indices == lagbfs.Matrix.from_networkx(graph).csr.indices).all()
    assert (ours.csr.indptr == lagbfs.Matrix.from_networkx(graph).csr.indptr).all()


def test_both_ends_of_an_edge_share_their_data():
    back = lagbfs.nx.to_networkx(lagbfs.nx.from_networkx(nx.path_graph(3)))
    back[0][1]["weight"] = 5
    assert back[1][0]["weight"] == 5
    arrows = lagbfs.nx.to_networkx(lagbfs.nx.from_networkx(nx.path_graph(3, create_using=nx.DiGraph)))
    arrows.succ[0][1]["weight"] = 5
    assert arrows.pred[1][0]["weight"] == 5


def test_a_converted_graph_does_not_change():
    graph = nx.path_graph(3)
    graph.add_edge(0, 1, weight=2)
    converted = lagbfs.nx.from_networkx(graph)
    graph[0][1]["weight"] = 7
    graph.add_edge(0, 2)
    assert list(lagbfs.nx.to_networkx(converted).edges(data="weight")) == [(0, 1, 2), (1, 2, None)]
    assert lagbfs.nx.from_networkx(converted) is converted


def test_matrices_are_graphs_with_labels_and_weights():
    A = lagbfs.Matrix.from_edges(["b", "a"], ["a", "c"], weights=[2, 3])
    graph = lagbfs.nx.DiGraph(A)
    assert nx.descendants(graph, "b") == {"a", "c"}
    assert list(lagbfs.nx.to_networkx(graph).edges(data="weight")) == [("b", "a", 2), ("a", "c", 3)]
    assert "DiGraph(3 nodes, 2 edges)" in repr(graph)


def test_nodes_that_equal_numbers_stay_what_they_are():
    graph = nx.Graph([(0, True), (True, 2.0)])
    assert [type(node) for node in lagbfs.nx.from_networkx(graph)] == [int, bool, float]


def test_views_are_converted():
    graph = nx.cycle_graph(6).subgraph([0, 1, 2, 5])
    same(lagbfs.nx.to_networkx(lagbfs.nx.from_networkx(graph)), nx.Graph(graph))
    backwards = nx.DiGraph([(0, 1), (2, 1)]).reverse(copy=False)
    assert set(nx.descendants(lagbfs.nx.from_networkx(backwards), 1)) == {0, 2}


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (lambda: lagbfs.nx.Graph([[0]]), InvalidTypeError, "matrix must be a Matrix, not list"),
        (lambda: lagbfs.nx.Graph(lagbfs.Matrix(int, 2, 3)), DimensionError, "square"),
        (lambda: lagbfs.nx.Graph(lagbfs.Matrix.from_edges([0], [1])), InvalidTypeError, "symmetric"),
        (lambda: lagbfs.nx.from_networkx([(0, 1)]), InvalidTypeError, "graph must be a NetworkX graph, not list"),
        (lambda: lagbfs.nx.from_networkx(nx.MultiGraph()), InvalidTypeError, "parallel"),
        (lambda: lagbfs.nx.to_networkx(interface.convert_from_nx(nx.MultiGraph())), InvalidTypeError, "parallel"),
    ],
)
def test_what_is_no_graph_is_refused(make, error, says):
    with pytest.raises(error, match=says):
        make()


def test_networkx_is_told_of_all_functions_and_no_others():
    told = nx.utils.backends.backend_info["lagbfs"]["functions"]
    assert sorted(told) == sorted(FUNCTIONS)
    assert set(FUNCTIONS) <= set(nx.utils.backends._registered_algorithms)
    assert set(FUNCTIONS) <= set(dir(interface))
    with pytest.raises(AttributeError, match="no function 'nothing'"):
        interface.nothing  # noqa: B018


def test_what_networkx_is_told_takes_no_numpy():
    code = (
        "import sys, _lagbfs_networkx as told; told.get_info(); print('numpy' in sys.modules, 'lagbfs' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "False"]


def test_signatures_are_those_of_networkx():
    for name, ours in FUNCTIONS.items():
        theirs = nx.utils.backends._registered_algorithms[name].orig_func
        given = [(p.name, p.default) for p in inspect.signature(ours).parameters.values()]
        assert given == [(p.name, p.default) for p in inspect.signature(theirs).parameters.values()], name


def test_small_graphs_are_left_to_networkx_and_large_ones_for_what_is_worth_it():
    small, large = nx.path_graph(10), nx.empty_graph(nx.config.backends.lagbfs.smallest)
    assert "fewer than" in interface.should_run("is_connected", (small,), {})
    assert "not converted yet" in interface.should_run("is_connected", (), {"G": large})
    assert interface.should_run("all_pairs_shortest_path", (large,), {}) is True
    assert interface.should_run("is_connected", (lagbfs.nx.from_networkx(small),), {}) is True
    nx.is_connected(large, backend="lagbfs")
    assert interface.should_run("is_connected", (large,), {}) is True


def test_refusals_are_told_in_words():
    graph = nx.path_graph(3)
    assert "sorted" in interface.can_run("bfs_edges", (graph, 0), {"sort_neighbors": sorted})
    assert interface.can_run("bfs_edges", (graph, 0), {}) is True
    with pytest.raises(NotImplementedError):
        nx.generic_bfs_edges(graph, 0, graph.neighbors, backend="lagbfs")


def test_large_degrees_and_duplicates_of_order():
    rng = np.random.default_rng(1)
    graph = nx.Graph(rng.integers(0, 50, (200, 2)).tolist())
    converted = lagbfs.nx.from_networkx(graph)
    assert not converted.out.ascends
    assert lagbfs.nx.from_networkx(nx.path_graph(4)).out.ascends
