"""Code written for python-graphblas runs by changing the import, and gives the same."""

from pathlib import Path

import graphblas
import networkx as nx
import numpy as np
import pytest

import lagbfs

EXAMPLES = Path(__file__).parent.parent / "examples"


def load(name, library):
    """Return the function of an example, its import changed to `library`."""
    source = (EXAMPLES / f"{name}.py").read_text()
    assert source.count("from lagbfs import") == 1
    space = {"__name__": "example"}
    exec(source.replace("from lagbfs import", f"from {library} import"), space)
    return space[name]


@pytest.fixture(params=range(6))
def graph(request):
    """A weighted directed graph in lagbfs, python-graphblas and NetworkX."""
    rng = np.random.default_rng(request.param)
    n = int(rng.integers(2, 60))
    edges = np.unique(rng.integers(0, n, (3 * n, 2)), axis=0)
    rows, cols, values = edges[:, 0], edges[:, 1], rng.integers(1, 9, len(edges)).astype(float)
    G = nx.DiGraph()
    G.add_nodes_from(range(n))
    G.add_weighted_edges_from(zip(rows.tolist(), cols.tolist(), values.tolist(), strict=True))
    size = {"nrows": n, "ncols": n}
    return (
        lagbfs.Matrix.from_coo(rows, cols, values, **size),
        graphblas.Matrix.from_coo(rows, cols, values, **size),
        G,
    )


@pytest.mark.parametrize("name", ["level_bfs", "parent_bfs", "shortest_paths"])
def test_same_entries_as_python_graphblas(name, graph, backend):
    ours, theirs, _ = graph
    with lagbfs.using(backend=backend):
        found = load(name, "lagbfs")(ours, 0).to_dict()
    assert found == load(name, "graphblas")(theirs, 0).to_dict()


SYMMETRIC = {
    "triangle_count": lambda count, A: count(A),
    "k_truss": lambda k_truss, A: k_truss(A, 4).to_coo(),
    "jaccard": lambda jaccard, A: jaccard(A).to_coo(),
}


@pytest.mark.parametrize("name", SYMMETRIC)
def test_same_of_undirected_graphs_as_python_graphblas(name, graph, backend):
    _, _, G = graph
    A = nx.to_scipy_sparse_array(G.to_undirected(), weight=None, format="csr")
    A.setdiag(0)
    A.eliminate_zeros()
    parts = *A.nonzero(), np.ones(A.nnz, np.int64)
    size = dict(zip(("nrows", "ncols"), A.shape, strict=True))
    with lagbfs.using(backend=backend):
        ours = SYMMETRIC[name](load(name, "lagbfs"), lagbfs.Matrix.from_coo(*parts, **size))
    theirs = SYMMETRIC[name](load(name, "graphblas"), graphblas.Matrix.from_coo(*parts, **size))
    np.testing.assert_equal(ours, theirs)


def test_all_pairs_agree_with_python_graphblas_and_networkx(graph, backend):
    ours, theirs, G = graph
    with lagbfs.using(backend=backend):
        distances = load("all_pairs", "lagbfs")(ours)
    expected = load("all_pairs", "graphblas")(theirs)
    np.testing.assert_array_equal(distances.to_dense(np.inf), expected.to_dense(np.inf))
    for source, lengths in nx.all_pairs_dijkstra_path_length(G):
        assert distances[source, :].new().to_dict() == lengths


def test_pagerank_agrees_with_python_graphblas_and_networkx(graph, backend):
    ours, theirs, G = graph
    with lagbfs.using(backend=backend):
        rank = load("pagerank", "lagbfs")(ours).to_dense()
    np.testing.assert_allclose(rank, load("pagerank", "graphblas")(theirs).to_dense(), rtol=1e-6)
    expected = nx.pagerank(G, tol=1e-12, max_iter=1000, weight=None)
    np.testing.assert_allclose(rank, [expected[v] for v in range(len(rank))], rtol=1e-6)


def test_levels_and_distances_agree_with_networkx(graph, backend):
    ours, _, G = graph
    with lagbfs.using(backend=backend):
        levels = load("level_bfs", "lagbfs")(ours, 0).to_dict()
        distances = load("shortest_paths", "lagbfs")(ours, 0).to_dict()
    assert levels == nx.single_source_shortest_path_length(G, 0)
    assert distances == nx.single_source_dijkstra_path_length(G, 0)


def test_a_negative_cycle_is_reported(backend):
    A = lagbfs.Matrix.from_coo([0, 1], [1, 0], [1.0, -2.0])
    with lagbfs.using(backend=backend), pytest.raises(ValueError, match="negative"):
        load("shortest_paths", "lagbfs")(A, 0)
