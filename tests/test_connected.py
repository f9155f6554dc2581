"""Components, against SciPy and by reachability."""

import models
import numpy as np
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csgraph

from lagbfs import Matrix, components, graphs


def smallest_of_each(labels):
    """Name each part by its smallest vertex."""
    first = {}
    return [first.setdefault(label, v) for v, label in enumerate(labels.tolist())]


@given(st.one_of(sts.graphs(labels=None), sts.large_graphs()))
def test_components_equal_scipy(backend, graph):
    A = graph.matrix()
    found = components(A, backend=backend, selector="beamer")
    theirs = csgraph.connected_components(A.to_scipy(), directed=True, connection="weak")[1]
    assert found.tolist() == smallest_of_each(theirs)
    assert found.dtype == A.rows.index_dtype
    np.testing.assert_array_equal(components(A, backend=backend), found)  # by kernels, if there are any


@given(sts.graphs(directed=False))
def test_components_are_what_is_reachable(graph):
    found = components(graph.matrix())
    for v in range(graph.n):
        reached = np.array(models.levels(graph.successors(), [v])) >= 0
        assert (reached == (found == found[v])).all()


def test_long_paths_take_few_rounds(backend):
    A = graphs.path(300)
    assert not components(A, backend=backend).any()


def test_no_vertices():
    assert components(Matrix.from_edges([], [])).tolist() == []
