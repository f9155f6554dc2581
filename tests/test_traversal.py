"""Traversal: layers, paths, labels in and out, the summary."""

from itertools import pairwise

import models
import networkx as nx
import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import Matrix, bfs


@given(sts.graphs(), st.data())
def test_layers_are_the_vertices_of_each_level(backend, graph, data):
    source = data.draw(st.integers(0, graph.n - 1))
    depth = data.draw(st.none() | st.integers(0, 3))
    levels = models.levels(graph.successors(), [source], depth)
    expected = [[v for v in range(graph.n) if levels[v] == d] for d in range(max(levels) + 1)]
    for parents in (True, False):
        t = bfs(graph.matrix(), source, backend=backend, max_depth=depth, parents=parents)
        assert [layer.tolist() for layer in t.layers()] == expected


@given(sts.graphs(), st.data())
def test_paths_are_shortest_paths(backend, graph, data):
    sources = data.draw(st.lists(st.integers(0, graph.n - 1), min_size=1, max_size=3))
    out = graph.successors()
    levels = models.levels(out, sources)
    t = bfs(graph.matrix(), sources, backend=backend)
    for v in range(graph.n):
        path = t.path_to(v)
        if levels[v] < 0:
            assert path is None
            continue
        assert path[0] in sources
        assert path[-1] == v
        assert len(path) == levels[v] + 1
        assert all(b in out[a] for a, b in pairwise(path))


@given(sts.graphs(), st.data())
def test_labels_in_and_out(backend, graph, data):
    theirs = nx.DiGraph() if graph.directed else nx.Graph()
    theirs.add_nodes_from((i, "node") for i in range(graph.n))
    theirs.add_edges_from(((u, "node"), (v, "node")) for u, v in graph.edges)
    source = data.draw(st.integers(0, graph.n - 1)), "node"
    A = Matrix.from_networkx(theirs)
    t = bfs(A, source, backend=backend)
    lengths = nx.single_source_shortest_path_length(theirs, source)
    assert {A.labels[i]: int(level) for i, level in enumerate(t.levels) if level >= 0} == lengths
    assert [set(layer) for layer in t.layers()] == [set(layer) for layer in nx.bfs_layers(theirs, source)]
    for node in theirs:
        path = t.path_to(node)
        assert path is None if node not in lengths else len(path) == lengths[node] + 1
        assert path is None or nx.is_path(theirs, path)
    assert bfs(A, [source], backend=backend, target=source).depth == 0


def test_several_sources_and_targets_by_label(backend):
    A = Matrix.from_edges([0, 1, 2, 3], [1, 2, 3, 4], labels="abcde")
    assert bfs(A, ["a", "d"], backend=backend).levels.tolist() == [0, 1, 2, 0, 1]
    assert bfs(A, "a", target="c", backend=backend).depth == 2
    assert bfs(A, "a", target=["b", "d"], backend=backend).depth == 3
    assert bfs(A, "a", backend=backend).path_to("c") == ["a", "b", "c"]
    assert bfs(A.T, "c", backend=backend).layers() == [["c"], ["b"], ["a"]]


def test_integer_labels_are_labels_and_not_indices(backend):
    A = Matrix.from_edges([0, 1], [1, 2], labels=[2, 1, 0])
    assert bfs(A, 2, backend=backend).levels.tolist() == [0, 1, 2]
    assert bfs(A, 2, backend=backend).path_to(0) == [2, 1, 0]


def test_path_to_a_vertex_that_does_not_exist():
    t = bfs(Matrix.from_edges([0], [1]), 0)
    with pytest.raises(IndexError, match="vertex"):
        t.path_to(2)
    labelled = bfs(Matrix.from_edges([0], [1], labels="ab"), "a")
    with pytest.raises(KeyError, match="'z'"):
        labelled.path_to("z")


@pytest.mark.parametrize("n", [1, 2, 300])
def test_summary_names_the_outcome_and_every_iteration(backend, direction, n):
    t = bfs(Matrix.from_edges(range(n - 1), range(1, n), n=n + 1), 0, backend=backend, direction=direction)
    lines = t.summary().splitlines()
    assert f"reached {n} of {n + 1} vertices" in lines[0]
    assert f"{n - 1} level{'' if n == 2 else 's'} deep" in lines[0]
    rows = [line for line in lines if line.split()[:1] and line.split()[0].isdigit()]
    assert all(f"{backend} {direction}" in row for row in rows)
    levels = [step.level for step in t.trace]
    shown = levels if n < 300 else [*levels[:30], *levels[-30:]]  # a million levels would fill a hundred megabytes
    assert [int(row.split()[0]) for row in rows] == shown
    assert ("…" in t.summary()) == (n == 300)


def test_summary_of_a_search_with_nothing_to_do():
    assert "reached 1 of 2 vertices" in bfs(Matrix.from_edges([0], [1]), 0, max_depth=0).summary()


def test_repr_says_when_the_search_was_cut_off(backend):
    A = Matrix.from_edges([0, 1], [1, 2])
    assert repr(bfs(A, 0, backend=backend)) == "Traversal(3 of 3 vertices reached, depth 2)"
    assert repr(bfs(A, 0, backend=backend, max_depth=1)) == "Traversal(2 of 3 vertices reached, depth 1, cut off)"


@given(sts.graphs(), st.data())
def test_edges_counts_those_that_leave_the_vertices_expanded(backend, graph, data):
    source = data.draw(st.integers(0, graph.n - 1))
    A, out = graph.matrix(), graph.successors()
    t = bfs(A, source, backend=backend)
    levels = models.levels(out, [source])
    leaving = sum(len(out[v]) for v in range(graph.n) if 0 <= levels[v] < len(t.trace))
    assert t.edges in (leaving, leaving // 2)
    if not A.is_symmetric:
        assert t.edges == leaving


def test_parents_have_the_type_of_the_indices(backend):
    t = bfs(Matrix.from_edges([0, 1], [1, 2]), 0, backend=backend)
    assert t.parents.dtype == np.int32
    assert t.parents.tolist() == [0, 0, 1]
