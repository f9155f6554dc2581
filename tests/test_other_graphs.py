"""Graphs of other libraries where a Matrix is expected: searched, or refused with the name of what takes them."""

import graphblas
import networkx as nx
import numpy as np
import pytest
from scipy import sparse

from lagbfs import LagbfsError, Matrix, Vector, bfs

PATH = np.eye(4, k=1)
GRAPHS = {
    "csr": sparse.csr_array(PATH),
    "coo matrix": sparse.coo_matrix(PATH),
    "an array": PATH,
    "bools": PATH.astype(bool),
    "graphblas": graphblas.Matrix.from_coo([0, 1, 2], [1, 2, 3], nrows=4, ncols=4),
    "networkx": nx.path_graph(4, create_using=nx.DiGraph),
}


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_a_search_converts(graph):
    t = bfs(graph, 0)
    assert t.levels.tolist() == [0, 1, 2, 3]
    t.verify()


def test_names_are_kept_and_changes_seen():
    graph = nx.path_graph("abc")
    assert bfs(graph, "a").path_to("c") == ["a", "b", "c"]
    graph.add_edge("a", "c")
    assert bfs(graph, "a").path_to("c") == ["a", "c"]


class Roads(nx.Graph):
    """A class of the user's own."""


def test_a_class_that_extends_another_librarys():
    assert bfs(Roads([(0, 1), (1, 2)]), 0).levels.tolist() == [0, 1, 2]


NAMED = {
    "from_scipy": sparse.csr_array(PATH),
    "from_networkx": nx.path_graph(3),
    "from_graphblas": graphblas.Matrix(int, 2, 2),
    "from_dense": PATH,
    "dup": Matrix(int, 2, 2),
}


@pytest.mark.parametrize(("name", "data"), NAMED.items(), ids=NAMED)
def test_a_matrix_of_one_names_its_constructor(name, data):
    with pytest.raises(TypeError, match=rf"makes a matrix without entries: use .*{name}\(.* for {type(data).__name__}"):
        Matrix(data)


def test_a_matrix_of_a_frame_names_its_constructor():
    pd = pytest.importorskip("pandas", reason="needs pandas: pip install pandas")
    with pytest.raises(TypeError, match=r"Matrix\.from_pandas\(…, source, target\)"):
        Matrix(pd.DataFrame({"source": [0], "target": [1]}))
    assert bfs(pd.DataFrame({"source": [0], "target": [1]}), 0).reached == 2
    with pytest.raises(ValueError, match=r"no source, .*Matrix\.from_pandas\(table, source, target\)"):
        bfs(pd.DataFrame({"a": [0], "b": [1]}), 0)


def test_dtypes_are_no_data():
    for dtype in (float, "float64", np.float64, np.dtype("f8")):
        assert Matrix(dtype, 2, 2).dtype == np.float64


@pytest.mark.parametrize("wrong", [[[0, 1], [1, 0]], 5, None, "graph", Vector(int, 3), np.arange(3), {0: [1]}])
def test_other_things_are_refused(wrong):
    with pytest.raises(LagbfsError, match=r"A must be a lagbfs\.Matrix, not"):
        bfs(wrong, 0)


def test_a_matrix_that_is_not_square():
    with pytest.raises(ValueError, match="A must be square to be a graph, not 1 × 2"):
        bfs(np.ones((1, 2)), 0)
