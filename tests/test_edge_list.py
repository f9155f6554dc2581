"""verify_edges: it accepts the graph of a list and refuses every other, whoever looks the edges up."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import LagbfsError, Matrix, VerificationError
from lagbfs.search.verify_edges import verify_edges

pairs = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12)


pytestmark = pytest.mark.usefixtures("looks_at_edges")


def ends(edges, dtype=np.int64):
    return np.array([u for u, _ in edges], dtype), np.array([v for _, v in edges], dtype)


def matrix(edges, *, directed=False):
    return Matrix.from_edges(*ends(edges), n=6, directed=directed, drop_loops=True)


@given(pairs, st.sampled_from([np.int32, np.int64]))
def test_the_graph_of_a_list_is_accepted(edges, dtype):
    verify_edges(matrix(edges), *ends(edges, dtype))


@given(pairs, pairs)
def test_any_other_graph_is_refused(edges, others):
    real, listed = ({frozenset(edge) for edge in each if edge[0] != edge[1]} for each in (edges, others))
    if real == listed:
        verify_edges(matrix(edges), *ends(others))
    else:
        with pytest.raises(VerificationError, match="edge list: "):
            verify_edges(matrix(edges), *ends(others))


def test_edges_one_way_are_refused():
    with pytest.raises(VerificationError, match="the matrix has an edge from 3 to 4 and none back"):
        verify_edges(matrix([(0, 1), (1, 0), (3, 4)], directed=True), [0, 3], [1, 4])


def test_of_edges_that_are_not_listed_the_first_is_named_whoever_looks():
    A = matrix([(0, 1), (1, 2), (1, 3), (1, 4), (4, 5)])
    with pytest.raises(VerificationError, match="an edge from 1 to 3, the list has not") as caught:
        verify_edges(A, [0, 2], [1, 1])
    assert caught.value.vertex == 1


def test_loops_in_the_matrix_are_refused():
    with pytest.raises(VerificationError, match="from 2 to 2, the list has not"):
        verify_edges(Matrix.from_edges([2], [2]), [2], [2])


def test_one_fault_in_a_long_list_is_found():
    rng = np.random.default_rng(3)
    src, dst = rng.integers(0, 5000, (2, 60_000))
    A = Matrix.from_edges(src, dst, n=5001, directed=False, drop_loops=True)
    verify_edges(A, src, dst)
    for k in (59_999, 30_000, 7):
        dst[k], src[k] = 5000, 1
        with pytest.raises(VerificationError, match=f"edge {k} of the list joins 1 and 5000"):
            verify_edges(A, src, dst)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((matrix([]), [0], [6]), "dst"),
        ((matrix([]), [0, 1], [1]), "same length"),
        ((Matrix.from_coo([0], [1]), [0], [0]), "square"),
    ],
)
def test_bad_arguments_are_named(arguments, said):
    with pytest.raises((ValueError, TypeError, IndexError), match=said) as caught:
        verify_edges(*arguments)
    assert isinstance(caught.value, LagbfsError)
    assert not isinstance(caught.value, VerificationError)
