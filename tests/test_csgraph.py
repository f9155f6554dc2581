"""`lagbfs.csgraph`: what `scipy.sparse.csgraph` gives for the same graphs, and SciPy's own tests of it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csgraph as theirs

from lagbfs import LagbfsError, Matrix, csgraph
from lagbfs.csgraph import given as graphs_given

SIZES = st.integers(1, 12)


@pytest.fixture(autouse=True, scope="module")
def _all_are_computed():
    """Compute small graphs, too, and search arrays given for the first time, which is left to SciPy otherwise."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graphs_given, "SMALL", 0)
        patch.setattr(graphs_given, "meet", lambda *_, **__: False)
        yield


@st.composite
def weighted(draw):
    """Return a square CSR with explicit zeros, loops and, now and then, entries out of order or twice."""
    n = draw(SIZES)
    edges = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), st.integers(0, 4)), max_size=3 * n))
    edges = edges if draw(st.booleans()) else list({edge[:2]: edge for edge in edges}.values())
    rows, cols, values = np.array(edges, int).reshape(-1, 3).T
    order = np.argsort(rows, kind="stable")
    indptr = np.searchsorted(rows[order], np.arange(n + 1))
    return sp.csr_array((values[order].astype(float), cols[order], indptr), shape=(n, n))


def forms(S):
    """Return the same graph in every form that is taken, as far as it can be: dense ones have no explicit zeros."""
    positive = S.copy()
    positive.data += 1
    dense = positive.toarray()
    masked = np.ma.masked_equal(dense, 0)
    kinds = (sp.csr_matrix, sp.csc_array, sp.coo_array, sp.lil_array, sp.dok_array)
    return [positive, *(kind(positive) for kind in kinds), dense, masked, dense.tolist(), Matrix.from_scipy(positive)]


@given(weighted(), st.data(), st.booleans())
def test_order_is_breadth_first(S, data, directed):
    start = data.draw(st.integers(0, S.shape[0] - 1))
    order, found = csgraph.breadth_first_order(S, start, directed=directed)
    expected, _ = theirs.breadth_first_order(S, start, directed=directed)
    hops = theirs.dijkstra(S, directed=directed, indices=start, unweighted=True)
    assert order.dtype == found.dtype == np.int32
    assert order[0] == start
    assert sorted(order) == sorted(expected)
    assert (np.diff(hops[order]) >= 0).all()
    away = order[1:]
    assert (hops[found[away]] + 1 == hops[away]).all()
    assert (np.delete(found, away) == -9999).all()
    assert (csgraph.breadth_first_order(S, start, directed=directed, return_predecessors=False) == order).all()


@given(weighted(), st.data())
def test_order_is_scipys_where_columns_ascend(S, data):
    start = data.draw(st.integers(0, S.shape[0] - 1))
    S.sum_duplicates()
    for ours, expected in zip(csgraph.breadth_first_order(S, start), theirs.breadth_first_order(S, start), strict=True):
        assert (ours == expected).all()


@given(weighted(), st.data(), st.booleans())
def test_tree_has_the_weights_of_the_graph(S, data, directed):
    S.sum_duplicates()
    start = data.draw(st.integers(0, S.shape[0] - 1))
    tree = csgraph.breadth_first_tree(S, start, directed=directed)
    _, found = csgraph.breadth_first_order(S, start, directed=directed)
    children = np.flatnonzero(found >= 0)
    assert tree.nnz == len(children)
    assert tree.dtype == np.float64
    edges = dict(zip(zip(*S.tocoo().coords, strict=True), S.tocoo().data, strict=True))
    for child in children:
        i, j = found[child], child
        there = [edges[at] for at in ([(i, j)] if directed else [(i, j), (j, i)]) if at in edges]
        assert tree[i, j] == min(there)


@given(weighted(), st.booleans(), st.sampled_from(["weak", "strong", "STRONG"]))
def test_components_are_scipys(S, directed, connection):
    count, labels = csgraph.connected_components(S, directed=directed, connection=connection)
    S.sum_duplicates()  # SciPy's function may not come to an end with them
    expected, theirs_ = theirs.connected_components(S, directed=directed, connection=connection)
    assert count == expected == csgraph.connected_components(S, directed, connection, return_labels=False)
    assert labels.dtype == np.int32
    assert (labels == theirs_).all()


@given(weighted())
def test_every_form_of_a_graph(S):
    S.sum_duplicates()
    start = S.shape[0] - 1
    each = [
        (
            csgraph.breadth_first_order(G, start),
            csgraph.breadth_first_tree(G, start).nnz,
            csgraph.connected_components(G),
        )
        for G in forms(S)
    ]
    for (order, found), entries, (count, labels) in each:
        (expected_order, expected_found), expected_entries, (expected_count, expected_labels) = each[0]
        assert (order == expected_order).all()
        assert (found == expected_found).all()
        assert (labels == expected_labels).all()
        assert (entries, count) == (expected_entries, expected_count)


def test_zeros_infinities_and_nan_of_dense_graphs_are_no_edges():
    dense = [[0, np.inf, 1], [0, 0, np.nan], [0, 0, 0]]
    assert csgraph.breadth_first_order(dense, 0)[0].tolist() == [0, 2]
    assert csgraph.breadth_first_order(sp.csr_array(([0.0], [1], [0, 1, 1])), 0)[0].tolist() == [0, 1]


def test_labels_of_a_matrix_do_not_count():
    A = Matrix.from_edges(["a", "b"], ["b", "c"])
    assert csgraph.breadth_first_order(A, 1)[0].tolist() == [1, 2]


def test_trees_are_matrices_of_matrices():
    S = sp.csr_array(np.eye(3, k=1))
    assert isinstance(csgraph.breadth_first_tree(S, 0), sp.csr_array)
    assert isinstance(csgraph.breadth_first_tree(sp.csr_matrix(S), 0), sp.csr_matrix)


def test_no_vertices():
    assert csgraph.connected_components(sp.csr_array((0, 0)))[0] == 0


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: csgraph.breadth_first_order(np.ones((2, 3)), 0), "csgraph must be square, not 2 × 3"),
        (lambda: csgraph.breadth_first_order(sp.csr_array((2, 3)), 0), "csgraph must be square, not 2 × 3"),
        (lambda: csgraph.breadth_first_order([1, 2], 0), "csgraph must have two dimensions, not 1"),
        (lambda: csgraph.breadth_first_order(np.eye(3), 3), "i_start must lie in [0, 3), not 3"),
        (lambda: csgraph.breadth_first_tree(np.eye(3), "a"), "i_start must be an integer"),
        (lambda: csgraph.connected_components(np.eye(3), connection="firm"), "connection must be 'weak' or 'strong'"),
    ],
)
def test_bad_input(call, said):
    with pytest.raises(LagbfsError, match=re.escape(said)):
        call()


def test_everything_of_scipys_is_there():
    assert set(csgraph.__all__) == set(theirs.__all__)


@pytest.mark.slow
def test_scipys_own_tests(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "csgraph_for_scipy", "-p", "no:cacheprovider"]
    where = ["-c", str(tmp_path / "pytest.ini"), "--rootdir", str(tmp_path), "--import-mode=importlib"]
    tests = [str(Path(theirs.__file__).parent / "tests")]
    here = os.environ | {"PYTHONPATH": str(Path(__file__).parent)}
    done = subprocess.run([*command, *where, *tests], capture_output=True, text=True, env=here, cwd=tmp_path)
    counts = {word: int(count) for count, word in re.findall(r"(\d+) (passed|failed|error)", done.stdout)}
    assert set(counts) == {"passed"}, done.stdout[-3000:]
    assert counts["passed"] > 500


def test_what_is_given_again_is_not_converted_again(monkeypatch):
    from lagbfs.csgraph import given as conversion

    calls = []
    convert = conversion._converted
    monkeypatch.setattr(conversion, "_converted", lambda *a, **k: calls.append(1) or convert(*a, **k))
    S = sp.random_array((300, 300), density=0.1, format="csr", rng=np.random.default_rng(1))
    for directed in (True, False):
        first = csgraph.dijkstra(S, directed, indices=0)
        before = len(calls)
        assert (csgraph.dijkstra(S, directed, indices=0) == first).all()
        assert len(calls) == before
    S.data[:] *= 2  # nobody tells
    assert csgraph.dijkstra(S, indices=0) == pytest.approx(theirs.dijkstra(S, indices=0))
    S.indices[: S.indptr[1]] = np.arange(S.indptr[1])
    assert (csgraph.breadth_first_order(S, 0)[0] == theirs.breadth_first_order(S, 0)[0]).all()
    assert len(calls) > before


def test_matrices_are_kept_for_as_long_as_arrays_live():
    import gc

    from lagbfs.csgraph.kept import _kept

    S = sp.random_array((300, 300), density=0.1, format="csr", rng=np.random.default_rng(1))
    csgraph.breadth_first_order(S, 0)
    assert id(S) in {key[0] for key in _kept}
    name = id(S)
    del S
    gc.collect()
    assert name not in {key[0] for key in _kept}
    several = [sp.random_array((300, 300), density=0.1, format="csr", rng=np.random.default_rng(i)) for i in range(9)]
    for array in several:
        csgraph.breadth_first_order(array, 0)
    assert len(_kept) <= 4


@given(weighted(), st.data(), st.booleans())
def test_what_is_small_is_left_to_scipy(S, data, directed):
    start = data.draw(st.integers(0, S.shape[0] - 1))
    large = (csgraph.breadth_first_order(S, start, directed)[0], csgraph.connected_components(S, directed))
    graphs_given.SMALL = 1 << 15
    try:
        small = (csgraph.breadth_first_order(S, start, directed)[0], csgraph.connected_components(S, directed))
        tree = csgraph.breadth_first_tree(S, start, directed)
        with pytest.raises(LagbfsError, match="i_start"):
            csgraph.breadth_first_order(S, S.shape[0])
    finally:
        graphs_given.SMALL = 0
    assert sorted(small[0]) == sorted(large[0])
    assert small[1][0] == large[1][0]
    assert (small[1][1] == large[1][1]).all()
    assert tree.nnz == len(small[0]) - 1


@given(weighted(), st.data(), st.booleans())
def test_the_first_search_of_an_array_is_scipys_and_like_the_second(S, data, directed):
    from lagbfs.csgraph import kept

    start = data.draw(st.integers(0, S.shape[0] - 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graphs_given, "meet", kept.meet)
        orders = [csgraph.breadth_first_order(S, start, directed)[0] for _ in range(2)]
        T = S.copy()
        trees = [csgraph.breadth_first_tree(T, start, directed) for _ in range(2)]
    assert (orders[0] == orders[1]).all()
    assert (trees[0] != trees[1]).nnz == 0
    assert kept.meet(S.copy(), weights=False)
    assert kept.meet(T, weights=True) is not (directed and S.has_canonical_format)


def test_an_array_of_which_a_matrix_is_kept_is_searched_by_it():
    from lagbfs.csgraph import kept

    S = sp.random_array((300, 300), density=0.1, format="csr", rng=np.random.default_rng(1))
    csgraph.connected_components(S)
    assert not kept.meet(S, weights=False)
    assert kept.meet(S, weights=True)
