"""Strong components against SciPy, topological levels against NetworkX, two colours by the rules."""

import networkx as nx
import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csgraph
from test_connected import smallest_of_each

from lagbfs import LagbfsError, Matrix, components, graphs, strong_components
from lagbfs.algorithms import is_bipartite, topological_levels, two_coloring


@given(st.one_of(sts.graphs(labels=None), sts.large_graphs()))
def test_strong_components_equal_scipy(backend, graph):
    A = graph.matrix()
    found = strong_components(A, backend=backend)
    theirs = csgraph.connected_components(A.to_scipy(), directed=True, connection="strong")[1]
    assert found.tolist() == smallest_of_each(theirs)
    assert found.dtype == A.rows.index_dtype
    assert all(components(A)[found] == components(A))  # each lies within a weak one


MANY = 20_000
AWKWARD = {
    "a path": Matrix.from_edges(np.arange(MANY - 1), np.arange(1, MANY)),
    "a path backwards": Matrix.from_edges(np.arange(1, MANY), np.arange(MANY - 1)),
    "no edges": Matrix.from_edges([], [], n=MANY),
    "loops": Matrix.from_edges(np.arange(MANY), np.arange(MANY)),
    "a cycle": Matrix.from_edges(np.arange(MANY), (np.arange(MANY) + 1) % MANY),
    "pairs": Matrix.from_edges(np.arange(MANY), np.arange(MANY) ^ 1),
    "a chain of pairs": Matrix.from_edges(
        np.r_[np.arange(MANY), np.arange(1, MANY - 2, 2)], np.r_[np.arange(MANY) ^ 1, np.arange(2, MANY - 1, 2)]
    ),
}


@pytest.mark.parametrize("name", AWKWARD)
def test_strong_components_of_many_vertices(name):
    A, told = AWKWARD[name], []
    found = strong_components(A, progress=lambda done, total: told.append((done, total)))
    count = csgraph.connected_components(A.to_scipy(), connection="strong")[0]
    assert len(np.unique(found)) == count
    assert told == sorted(told)
    assert told[-1] == (MANY, MANY)
    assert len(told) < 100


@given(sts.graphs(directed=True))
def test_topological_levels_are_the_generations_of_networkx(backend, graph):
    edges = [(u, v) for u, v in graph.edges if u < v]
    theirs = nx.DiGraph(edges)
    theirs.add_nodes_from(range(graph.n))
    A = Matrix.from_edges([u for u, _ in edges], [v for _, v in edges], n=graph.n)
    levels = topological_levels(A, backend=backend)
    assert levels.dtype == np.int32
    for level, generation in enumerate(nx.topological_generations(theirs)):
        assert set(np.flatnonzero(levels == level).tolist()) == set(generation)


@pytest.mark.parametrize(
    ("edges", "words"),
    [
        ([(0, 0)], "'a' → 'a'"),
        ([(0, 1), (1, 2), (2, 1), (2, 3)], "'[bc]' → '[bc]' → '[bc]'"),
        ([(v, (v + 1) % 8) for v in range(8)], "→ … →"),
    ],
)
def test_a_cycle_has_no_levels(edges, words):
    A = Matrix.from_edges(*np.array(edges).T, n=8, labels=list("abcdefgh"))
    with pytest.raises(LagbfsError, match=words) as caught:
        topological_levels(A)
    assert isinstance(caught.value, ValueError)


@given(sts.graphs(labels=None))
def test_two_colours_tell_neighbours_apart(backend, graph):
    A = graph.matrix()
    theirs = nx.Graph(graph.edges)
    colours = two_coloring(A, backend=backend)
    assert (colours is not None) == is_bipartite(A, backend=backend) == nx.is_bipartite(theirs)
    if colours is not None:
        assert colours.dtype == np.int8
        assert all(colours[u] != colours[v] for u, v in graph.edges)
        assert not colours[components(A)].any()


def test_no_vertices():
    none = Matrix.from_edges([], [])
    assert strong_components(none).tolist() == topological_levels(none).tolist() == two_coloring(none).tolist() == []
    assert is_bipartite(graphs.path(1))
