"""Shortest paths of `lagbfs.csgraph`: the lengths are SciPy's, and predecessors lie on paths of that length."""

import re

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csgraph as theirs
from test_csgraph import weighted

from lagbfs import LagbfsError, Matrix, csgraph


def lengths_of(S, directed, unweighted):
    """Return a dense array of the lengths of edges, inf where there is none."""
    dense = np.full(S.shape, np.inf)
    for i, j, length in zip(*S.coords, S.data, strict=True):
        for at in [(i, j)] if directed else [(i, j), (j, i)]:
            dense[at] = min(dense[at], 1 if unweighted else length)
    return dense


def check_predecessors(lengths, before, edges):
    """Check that each vertex that has a predecessor is as far as it by the edge between them."""
    for i in np.flatnonzero(before != -9999):
        assert lengths[before[i]] + edges[before[i], i] == lengths[i]


@st.composite
def questions(draw):
    S = draw(weighted())
    S.sum_duplicates()
    some = st.integers(-S.shape[0], S.shape[0] - 1)
    indices = draw(st.one_of(st.none(), some, st.lists(some, min_size=1, max_size=4)))
    options = {"directed": draw(st.booleans()), "unweighted": draw(st.booleans()), "indices": indices}
    return S, options


@given(questions(), st.sampled_from([np.inf, 0, 1, 2.5, 6]))
def test_dijkstra(question, limit):
    S, options = question
    lengths, before = csgraph.dijkstra(S, **options, limit=limit, return_predecessors=True)
    expected = theirs.dijkstra(S, **options, limit=limit)
    assert lengths.shape == before.shape == expected.shape
    assert (lengths.dtype, before.dtype) == (np.float64, np.int32)
    assert (lengths == expected).all()
    assert (csgraph.dijkstra(Matrix.from_scipy(S), **options, limit=limit) == expected).all()
    edges = lengths_of(S.tocoo(), options["directed"], options["unweighted"])
    for row, found in zip(np.atleast_2d(lengths), np.atleast_2d(before), strict=True):
        check_predecessors(row, found, edges)
        assert (found == -9999).sum() == (row == np.inf).sum() + 1  # the source


@pytest.mark.parametrize("unweighted", [False, True])
def test_from_the_nearest_of_none(unweighted):
    asked = {"indices": [], "min_only": True, "unweighted": unweighted, "return_predecessors": True}
    S = sp.csr_array(np.eye(3, k=1))
    for ours, expected in zip(csgraph.dijkstra(S, **asked), theirs.dijkstra(S, **asked), strict=True):
        assert ours.dtype == expected.dtype
        assert (ours == expected).all()


@given(questions(), st.sampled_from([np.inf, 3]))
def test_from_the_nearest(question, limit):
    S, options = question
    lengths, before, sources = csgraph.dijkstra(S, **options, limit=limit, min_only=True, return_predecessors=True)
    assert (lengths == theirs.dijkstra(S, **options, limit=limit, min_only=True)).all()
    check_predecessors(lengths, before, lengths_of(S.tocoo(), options["directed"], options["unweighted"]))
    apart = theirs.dijkstra(S, directed=options["directed"], unweighted=options["unweighted"])
    for i, source in enumerate(sources):
        assert apart[source, i] == lengths[i] if lengths[i] < np.inf else source == -9999


@given(questions(), st.sampled_from(["auto", "D", "BF", "J", "FW"]))
def test_by_every_method(question, method):
    S, options = question
    if method == "FW":
        options["indices"] = None
    assert (csgraph.shortest_path(S, method, **options) == theirs.shortest_path(S, method, **options)).all()


@given(weighted(), st.sampled_from(["auto", "BF", "J"]))
def test_negative_lengths_are_scipys(S, method):
    S.sum_duplicates()
    S.data -= 1
    try:
        expected = theirs.shortest_path(S, method)
    except theirs.NegativeCycleError:
        with pytest.raises(csgraph.NegativeCycleError):
            csgraph.shortest_path(S, method)
    else:
        assert (csgraph.shortest_path(S, method) == expected).all()


def test_dijkstra_warns_of_negative_lengths_as_scipy_does():
    with pytest.warns(UserWarning, match="negative weights"):
        csgraph.dijkstra(sp.csr_array(-np.eye(3, k=1)))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: csgraph.dijkstra(np.eye(3), limit=-1), "limit must be at least 0, not -1"),
        (lambda: csgraph.dijkstra(np.eye(3), limit=np.nan), "limit must be at least 0, not nan"),
        (lambda: csgraph.dijkstra(np.eye(3), indices=[0, 3]), "indices"),
        (lambda: csgraph.dijkstra(np.eye(3), indices=0.5), "indices must hold integers"),
        (lambda: csgraph.dijkstra(np.ones((2, 3))), "csgraph must be square"),
        (lambda: csgraph.shortest_path(np.eye(3), "A*"), "method must be 'auto', 'FW', 'D', 'BF' or 'J'"),
    ],
)
def test_bad_input(call, said):
    with pytest.raises(LagbfsError, match=re.escape(said)):
        call()
