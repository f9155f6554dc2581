"""What each generator promises: sizes, degrees, edges, seeds; the same with and without an engine."""

import hashlib
import inspect

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import Matrix, bfs, graphs, host

RANDOM = {
    "rmat": lambda seed: graphs.rmat(6, seed=seed),
    "rmat directed": lambda seed: graphs.rmat(6, a=0.2, b=0.5, c=0.1, d=0.2, directed=True, permute=True, seed=seed),
    "grid3d": lambda seed: graphs.grid(4, 5, 3, drop=0.3, seed=seed),
    "road_like": lambda seed: graphs.road_like(300, seed=seed),
    "watts_strogatz": lambda seed: graphs.watts_strogatz(80, 6, 0.3, seed=seed),
    "random_regular": lambda seed: graphs.random_regular(4, 50, seed=seed),
    "bipartite": lambda seed: graphs.bipartite(20, 30, 100, seed=seed),
    "barabasi_albert": lambda seed: graphs.barabasi_albert(60, 3, seed=seed),
    "uniform": lambda seed: graphs.uniform(6, seed=seed),
}


@pytest.mark.parametrize("name", RANDOM)
def test_random_graphs_have_no_loops_and_follow_their_seed(name, monkeypatch):
    make = RANDOM[name]
    A = make(1)
    assert A.is_symmetric == (name != "rmat directed")
    assert not (A.csr.rows() == A.csr.indices).any()
    assert not A.isequal(make(2))
    assert not A.isequal(make(2**64 - 1))
    monkeypatch.setattr(host, "routines", lambda: host.PLAIN)
    assert A.isequal(make(1))


def test_they_are_the_same_everywhere():
    digest = hashlib.sha256()
    for make in RANDOM.values():
        A = make(3)
        digest.update(A.csr.indptr.astype("<i8").tobytes() + A.csr.indices.astype("<i8").tobytes())
    assert digest.hexdigest() == "a26e0faf04013cbf378d3de33d49d88ff924e5964c3cc68813292d67a9e4712e"


def edges(A):
    """Return the undirected edges as a set of pairs."""
    rows, cols, _ = A.to_coo()
    return {(u, v) for u, v in zip(rows.tolist(), cols.tolist(), strict=True) if u < v}


def test_kronecker_edges_keep_loops_and_duplicates_and_make_the_graph():
    src, dst = graphs.kronecker_edges(8, 8, seed=4)
    assert src.dtype == dst.dtype == np.int32
    assert len(src) == len(dst) == 8 << 8
    assert (src == dst).any()
    assert len(set(zip(src.tolist(), dst.tolist(), strict=True))) < len(src)
    A = Matrix.from_edges(src, dst, n=256, directed=False, drop_loops=True)
    assert A.isequal(graphs.kronecker(8, 8, seed=4))


def test_rmat_numbers_hubs_first_unless_permuted():
    plain, mixed = (graphs.rmat(10, seed=2, permute=permute) for permute in (False, True))
    assert plain.degrees.argmax() == 0
    assert sorted(plain.degrees) == sorted(mixed.degrees)
    assert plain.degrees[:512].sum() > 2 * plain.degrees[512:].sum()
    assert mixed.degrees[:512].sum() < 2 * mixed.degrees[512:].sum()


def test_all_edges_in_one_corner():
    assert graphs.rmat(5, a=1, b=0, c=0, d=0).nvals == 0  # loops at vertex 0
    assert edges(graphs.rmat(5, a=0, b=1, c=0, d=0)) == {(0, 31)}


@given(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4))
def test_grid_in_three_dimensions(rows, columns, layers):
    A = graphs.grid(rows, columns, layers)
    places = [(i, j, k) for i in range(rows) for j in range(columns) for k in range(layers)]
    near = {
        (u, v)
        for u, a in enumerate(places)
        for v, b in enumerate(places)
        if u < v and np.abs(np.subtract(a, b)).sum() == 1
    }
    assert A.nrows == len(places)
    assert edges(A) == near


def test_dropping_edges():
    full, some = graphs.grid(40, 40), graphs.grid(40, 40, drop=0.25)
    assert edges(some) < edges(full)
    assert abs(some.nvals / full.nvals - 0.75) < 0.05
    assert graphs.grid(5, 5, drop=1).nvals == 0


@pytest.mark.parametrize("n", [0, 1, 2, 10, 1000, 30_000])
def test_roads(n):
    A = graphs.road_like(n)
    assert A.nrows == n
    assert n == 0 or A.degrees.max() <= 4
    if n >= 1000:
        assert abs(A.degree_stats.mean - 2.5) < 0.1
        t = bfs(A, n // 2)
        assert t.reached > 0.95 * n
        assert t.depth > n**0.5 / 2
        assert np.median(np.abs(np.subtract(*A.to_coo()[:2]))) < 3  # neighbours have near numbers


@given(st.integers(1, 30), st.data())
def test_small_worlds_keep_their_number_of_edges(n, data):
    k, p = data.draw(st.integers(0, n - 1)), data.draw(st.sampled_from([0, 0.1, 0.5, 1]))
    A = graphs.watts_strogatz(n, k, p, seed=data.draw(st.integers(0, 99)))
    assert A.nvals == n * (k // 2) * 2
    if p == 0:
        assert edges(A) == {tuple(sorted((i, (i + j) % n))) for i in range(n) for j in range(1, k // 2 + 1)}


def test_small_worlds_rewire_as_many_as_asked_and_get_small():
    ring, world = graphs.watts_strogatz(2000, 6, 0), graphs.watts_strogatz(2000, 6, 0.2)
    moved = len(edges(ring) - edges(world)) / len(edges(ring))
    assert abs(moved - 0.2) < 0.03
    assert bfs(world, 0).depth < bfs(ring, 0).depth / 10


@given(st.integers(0, 24), st.data())
def test_regular_graphs_are_regular(n, data):
    d = data.draw(st.integers(0, max(n - 1, 0)).filter(lambda d: d * n % 2 == 0))
    A = graphs.random_regular(d, n, seed=data.draw(st.integers(0, 99)))
    assert A.nrows == n
    assert set(A.degrees.tolist()) <= {d}


def test_large_regular_graphs_are_regular():
    assert set(graphs.random_regular(30, 3000).degrees.tolist()) == {30}


@given(st.integers(0, 8), st.integers(0, 8), st.data())
def test_bipartite(n1, n2, data):
    k = data.draw(st.none() | st.integers(0, n1 * n2))
    A = graphs.bipartite(n1, n2, k, seed=data.draw(st.integers(0, 99)))
    assert A.nrows == n1 + n2
    assert A.nvals == 2 * (n1 * n2 if k is None else k)
    assert all(u < n1 <= v for u, v in edges(A))


def test_bipartite_edges_are_spread_evenly():
    degrees = graphs.bipartite(100, 50, 2500).degrees
    assert 10 < degrees[:100].min() < degrees[:100].max() < 40
    assert 30 < degrees[100:].min() < degrees[100:].max() < 70


@pytest.mark.parametrize(
    ("ours", "theirs", "arguments"),
    [
        (graphs.path, "path_graph", (7,)),
        (graphs.path, "path_graph", (0,)),
        (graphs.star, "star_graph", (5,)),
        (graphs.star, "star_graph", (0,)),
        (graphs.tree, "balanced_tree", (3, 3)),
        (graphs.tree, "balanced_tree", (1, 4)),
        (graphs.tree, "balanced_tree", (2, 0)),
        (graphs.complete, "complete_graph", (6,)),
        (graphs.complete, "complete_graph", (1,)),
        (graphs.bipartite, "complete_bipartite_graph", (3, 4)),
        (graphs.circulant, "circulant_graph", (10, [1, 4])),
        (graphs.circulant, "circulant_graph", (8, [4, 2, 6, 13])),
        (graphs.circulant, "circulant_graph", (7, [])),
        (graphs.circulant, "circulant_graph", (0, [1])),
        (graphs.circulant, "circulant_graph", (1, [])),
    ],
)
def test_as_in_networkx(ours, theirs, arguments):
    nx = pytest.importorskip("networkx", reason="networkx is not installed: pip install networkx")
    graph = getattr(nx, theirs)(*arguments)
    A = ours(*arguments)
    assert A.nrows == len(graph)
    assert edges(A) == {tuple(sorted(edge)) for edge in graph.edges}


def test_arguments_are_called_as_in_networkx():
    nx = pytest.importorskip("networkx", reason="networkx is not installed: pip install networkx")
    for theirs, ours in {
        "barabasi_albert_graph": graphs.barabasi_albert,
        "watts_strogatz_graph": graphs.watts_strogatz,
        "random_regular_graph": graphs.random_regular,
        "balanced_tree": graphs.tree,
        "path_graph": graphs.path,
        "star_graph": graphs.star,
        "complete_graph": graphs.complete,
        "circulant_graph": graphs.circulant,
    }.items():
        called, original = (list(inspect.signature(call).parameters) for call in (ours, getattr(nx, theirs)))
        own = called.index("seed") if "seed" in called else len(called)
        assert called[:own] == original[:own]


@pytest.mark.parametrize("n", [5, 1000, 70_000, 1 << 17])
def test_rows_made_without_a_list_are_those_of_one(n):
    offsets = np.array([0, 1, 3, n // 2, n - 2])
    v = np.repeat(np.arange(n), len(offsets))
    A, listed = graphs.circulant(n, offsets), Matrix.from_edges(v, (v + np.tile(offsets, n)) % n, directed=False)
    assert A.isequal(listed)
    assert A.known_symmetric
    assert (A.csr.indices.dtype, A.csr.indptr.dtype) == (listed.csr.indices.dtype, listed.csr.indptr.dtype)


@pytest.mark.parametrize("maker", graphs.NAMES)
def test_graphs_by_name(maker):
    assert graphs.is_named(f"{maker}-10")
    A = graphs.named(f"{maker}-10")
    assert A.nrows == A.ncols >= 10
    assert A.nvals
    assert A.isequal(graphs.named(f"{maker}-10"))


@pytest.mark.parametrize(
    "name", ["", "kronecker", "kronecker-", "kronecker-x", "nonsense-3", "path-3.mtx", "path--3", "sg-1"]
)
def test_other_names_are_refused(name):
    assert not graphs.is_named(name)
    with pytest.raises(ValueError, match=r"name must be one of kronecker-N, .*, bipartite-N, not"):
        graphs.named(name)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: graphs.rmat(3, a=0.5, b=0.5, c=0.5, d=0.5), "a, b, c and d must add up to 1"),
        (lambda: graphs.rmat(3, a=-0.1, b=0.5, c=0.3, d=0.3), "a must lie"),
        (lambda: graphs.rmat(3, a=float("nan")), "a must lie"),
        (lambda: graphs.rmat(3, a="x"), "a must be a number"),
        (lambda: graphs.uniform(3, seed=2**64), "seed must be less"),
        (lambda: graphs.grid(3, 3, -1), "layers"),
        (lambda: graphs.road_like(-1), "n must"),
        (lambda: graphs.watts_strogatz(5, 5, 0.1), "k must be less"),
        (lambda: graphs.watts_strogatz(5, 2, 2), "p must lie"),
        (lambda: graphs.random_regular(3, 5), "d · n even"),
        (lambda: graphs.random_regular(5, 5), "d must be less"),
        (lambda: graphs.bipartite(2, 2, 5), "k must be at most"),
        (lambda: graphs.tree(2, 60), "h must be"),
        (lambda: graphs.circulant(5, [[1]]), "offsets must be one-dimensional"),
        (lambda: graphs.circulant(-5, [1]), "n must"),
        (lambda: graphs.tree(0, 2), "r must"),
    ],
)
def test_bad_parameters_are_named(call, said):
    with pytest.raises(ValueError, match=said):
        call()
