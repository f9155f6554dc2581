"""Graphs of other libraries, each the real one: in and out; labels, weights, direction, isolated vertices, mistakes."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import LagbfsError, Matrix, algorithms, bfs
from lagbfs.errors import MissingPackageError

WEIGHED = {"networkx": "weight", "igraph": "weight", "graph_tool": "weight", "rustworkx": float}
LIBRARIES = ["networkx", "igraph", "networkit", "graph_tool", "rustworkx"]


@pytest.fixture(scope="module", params=LIBRARIES)
def library(request):
    """The name of a library that is installed."""
    how = "apt install python3-graph-tool" if request.param == "graph_tool" else f"pip install '.[{request.param}]'"
    pytest.importorskip(request.param, reason=f"needs {request.param}: {how}")
    return request.param


def there(A, library, **options):
    return getattr(A, f"to_{library}")(**options)


def back(graph, library, *, weighted):
    weight = {"weight": WEIGHED[library]} if weighted and library in WEIGHED else {}
    labels = {"labels": True} if library == "rustworkx" else {}
    return getattr(Matrix, f"from_{library}")(graph, **weight, **labels)


@st.composite
def graphs(draw):
    """Graphs with loops and isolated vertices; weighted or not, labelled or not, directed or not."""
    n = draw(st.integers(0, 5))
    ends = st.integers(0, n - 1) if n else st.nothing()
    pairs = draw(st.lists(st.tuples(ends, ends), max_size=10, unique=True)) if n else []
    weights = draw(st.none() | st.just([float(k) / 2 for k in range(1, len(pairs) + 1)])) if pairs else None
    labels = [chr(ord("a") + k) for k in reversed(range(n))] if draw(st.booleans()) else None
    src, dst = [u for u, _ in pairs], [v for _, v in pairs]
    both = draw(st.booleans())
    return Matrix.from_edges(np.array(src, int), np.array(dst, int), weights, n=n, labels=labels, directed=both)


@given(A=graphs())
def test_there_and_back(library, A):
    B = back(there(A, library), library, weighted=not (A.is_iso and A.dtype == bool))
    assert B.isequal(A)
    assert B.known_symmetric or not A.is_symmetric
    if library != "networkit" and A.labels is not None:
        assert B.labels == A.labels


@given(A=graphs())
def test_searched_as_it_is(library, A):
    if not A.nrows:
        return
    by_name = A.labels is not None and library not in ("networkit", "rustworkx")
    t = bfs(there(A, library), A.labels[0] if by_name else 0)
    assert t.levels.tolist() == bfs(A, A.labels[0] if A.labels else 0).levels.tolist()


def test_algorithms_take_it(library):
    A = Matrix.from_edges([0, 1, 3], [1, 2, 4], n=6, directed=False)
    assert algorithms.components(there(A, library)).tolist() == [0, 0, 0, 3, 3, 5]


def test_direction_can_be_told(library):
    A = Matrix.from_edges([0, 1], [1, 2], n=3, directed=False)
    arrows = there(A, library, directed=True)
    assert back(arrows, library, weighted=False).known_symmetric is None
    with pytest.raises(LagbfsError, match="directed must be True"):
        there(Matrix.from_edges([0], [1]), library, directed=False)
    with pytest.raises(LagbfsError, match="square to be a graph, not 1 × 2"):
        there(Matrix(int, 1, 2), library)


def test_other_objects_are_refused(library):
    with pytest.raises(LagbfsError, match=r"graph must be an? .*, not dict"):
        getattr(Matrix, f"from_{library}")({})


def test_a_library_that_is_not_installed_is_named_with_what_installs_it(monkeypatch):
    for name in LIBRARIES:
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(MissingPackageError, match=f"{name} is needed.*install"):
            getattr(Matrix, f"to_{name}")(Matrix.from_edges([0], [1]))


def test_a_matrix_of_a_graph_names_its_constructor(library):
    with pytest.raises(TypeError, match=rf"use Matrix\.from_{library}\(…\)"):
        Matrix(there(Matrix.from_edges([0], [1]), library))


def test_parallel_edges_become_one_of_the_least_weight():
    igraph = pytest.importorskip("igraph", reason="needs igraph: pip install igraph")
    graph = igraph.Graph(n=3, edges=[(0, 1), (0, 1), (1, 0)], directed=True, edge_attrs={"km": [3, 2, 5]})
    assert Matrix.from_igraph(graph, weight="km").to_dicts() == {0: {1: 2}, 1: {0: 5}}


def test_attributes_that_are_wrong_in_igraph():
    igraph = pytest.importorskip("igraph", reason="needs igraph: pip install igraph")
    graph = igraph.Graph(n=2, edges=[(0, 1)], edge_attrs={"km": [None], "text": ["far"]})
    for weight, words in {
        "kms": "weight must be an attribute of edges, 'km', 'text', not 'kms': did you mean 'km'",
        "km": "weight must be there for each edge: edge 0 has none",
        "text": "weights must be boolean, integer or float",
    }.items():
        with pytest.raises(LagbfsError, match=words):
            Matrix.from_igraph(graph, weight=weight)
    graph.vs["name"] = ["a", "a"]
    with pytest.raises(LagbfsError, match="labels must all be different: 'a' occurs twice"):
        Matrix.from_igraph(graph)


def test_removed_nodes_leave_the_others_their_numbers():
    nk = pytest.importorskip("networkit", reason="needs networkit: pip install networkit")
    rx = pytest.importorskip("rustworkx", reason="needs rustworkx: pip install rustworkx")
    a, b = nk.Graph(4), rx.PyGraph()
    b.add_nodes_from("wxyz")
    for u, v in ((0, 1), (2, 3)):
        a.addEdge(u, v)
        b.add_edge(u, v, None)
    a.removeNode(1)
    b.remove_node(1)
    for graph in (a, b):
        assert bfs(graph, 2).path_to(3) == [2, 3]
        assert bfs(graph, 2).matrix.labels == (0, 2, 3)
    assert Matrix.from_rustworkx(b, labels=True).labels == ("w", "y", "z")


def test_weights_of_rustworkx_by_name_and_by_function():
    rx = pytest.importorskip("rustworkx", reason="needs rustworkx: pip install rustworkx")
    graph = rx.PyDiGraph()
    graph.add_nodes_from([{}, {}])  # what nodes hold need not be hashable
    graph.add_edge(0, 1, {"km": 4})
    for weight in ("km", lambda data: data["km"]):
        assert Matrix.from_rustworkx(graph, weight=weight).to_dicts() == {0: {1: 4}}
    with pytest.raises(LagbfsError, match="not 'kms': did you mean 'km'"):
        Matrix.from_rustworkx(graph, weight="kms")
    graph.add_edge(1, 0, 3)
    with pytest.raises(LagbfsError, match=r"weight must be a function .*: 3 has no items"):
        Matrix.from_rustworkx(graph, weight="km")
    with pytest.raises(LagbfsError, match="labels must be hashable"):
        Matrix.from_rustworkx(graph, labels=True)


def test_views_of_graph_tool_hide():
    gt = pytest.importorskip("graph_tool", reason="needs graph-tool: apt install python3-graph-tool")
    graph = there(Matrix.from_edges([0, 1, 2], [1, 2, 3], [5, 6, 7]), "graph_tool")
    view = gt.GraphView(graph, vfilt=lambda v: int(v) != 0)
    A = Matrix.from_graph_tool(view, weight="weight")
    assert A.labels == (1, 2, 3)
    assert A.to_coo()[2].tolist() == [6, 7]


def test_scikit_network_computes_the_same():
    sknetwork = pytest.importorskip("sknetwork", reason="needs scikit-network: pip install scikit-network")
    from sknetwork.data import karate_club, painters
    from sknetwork.path import get_distances

    plain = karate_club()
    assert get_distances(plain, source=3).tolist() == bfs(plain, 3).levels.tolist()
    A = Matrix.from_scipy(plain)
    assert get_distances(A.to_sknetwork(), source=3).tolist() == bfs(A, 3).levels.tolist()
    named = painters(metadata=True)
    assert bfs(named, "Pablo Picasso").matrix.labels == tuple(named.names.tolist())
    assert Matrix.from_sknetwork(karate_club(metadata=True)).labels is None
    with pytest.raises(LagbfsError, match="dataset must be one of scikit-network with an adjacency"):
        Matrix.from_sknetwork(sknetwork.data.base.Dataset(biadjacency=plain))


class Tensor:
    """What PyTorch's tensors have of DLPack, and nothing else."""

    def __init__(self, data):
        self._held = np.array(data)

    def __dlpack__(self, **options):
        return self._held.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._held.__dlpack_device__()


class Data:
    """A stand-in of `torch_geometric.data.Data`."""

    def __init__(self, **held):
        vars(self).update(held)


EDGES = [[0, 1, 1], [1, 0, 2]]
INDEXED = {
    "a tensor": Tensor(EDGES),
    "an array": np.array(EDGES),
    "columns": (Tensor(EDGES[0]), Tensor(EDGES[1])),
    "a graph": Data(edge_index=Tensor(EDGES), num_nodes=4, edge_weight=Tensor([5.0, 6.0, 7.0])),
}


@pytest.mark.parametrize("data", INDEXED.values(), ids=INDEXED)
def test_edge_index(data):
    A = Matrix.from_edge_index(data, n=4)
    assert A.to_edge_index()[0].tolist() == EDGES
    assert A.shape == (4, 4)
    if isinstance(data, Data):
        assert A.to_edge_index()[1].tolist() == [5.0, 6.0, 7.0]
    else:
        assert A.to_edge_index()[1] is None
        assert Matrix.from_edge_index(data, Tensor([5, 6, 7])).to_coo()[2].tolist() == [5, 6, 7]
    assert Matrix.from_edge_index(data, directed=False).nvals == 4


def test_what_has_dlpack_is_searched_as_it_is():
    for data in (INDEXED["a graph"], INDEXED["columns"], tuple(map(np.array, EDGES))):
        assert bfs(data, 0).levels[:3].tolist() == [0, 1, 2]
    assert list(Matrix.from_edges(Tensor(EDGES[0]), Tensor(EDGES[1]))) == [(0, 1), (1, 0), (1, 2)]
    assert list(Matrix.from_edges(Tensor(np.transpose(EDGES)))) == [(0, 1), (1, 0), (1, 2)]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (np.zeros((3, 2), int), r"of shape \(2, m\).*\(3, 2\)"),
        (np.zeros(2, int), r"of shape \(2, m\)"),
        ((np.zeros(1, int),), "pair of arrays"),
        (np.zeros((2, 2)), "edge_index must hold integers"),
        (np.array([[0], [-1]]), r"must not be negative"),
        (([0], [1, 2]), "same length"),
        ("edges", r"of shape \(2, m\)"),
    ],
)
def test_wrong_edge_indices(data, words):
    with pytest.raises(LagbfsError, match=words):
        Matrix.from_edge_index(data)
