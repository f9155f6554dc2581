"""Regions of matrices, read and assigned to, entries set one by one, and views: against python-graphblas."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matrices import ACCUM, LIBRARIES, MASKS, entries, made, masked, plain

import lagbfs
from lagbfs import Matrix


@st.composite
def indices(draw, size, *, repeated):
    """Return an index along a dimension: an integer, a slice or a list."""
    kind = draw(st.sampled_from(["one", "all", "slice", "list"]))
    if kind == "one":
        return draw(st.integers(-size, size - 1))
    if kind == "all":
        return slice(None)
    if kind == "slice":
        return slice(draw(st.integers(0, size)), draw(st.integers(0, size)), draw(st.sampled_from([None, 2])))
    return np.array(draw(st.lists(st.integers(0, size - 1), unique=not repeated, max_size=size)), np.int64)


@given(st.tuples(st.integers(1, 5), st.integers(1, 5)), st.data())
def test_regions_read_as_in_python_graphblas(shape, data):
    parts = data.draw(entries(*shape))
    index = tuple(data.draw(indices(size, repeated=True)) for size in shape)
    ours, theirs = (made(gb, parts, shape)[index].new() for gb in LIBRARIES.values())
    if hasattr(theirs, "shape") and theirs.ndim:
        assert plain(ours) == plain(theirs)
    else:
        assert ours.value == theirs.value


@given(st.tuples(st.integers(1, 5), st.integers(1, 5)), st.data())
def test_regions_are_assigned_as_in_python_graphblas(shape, data):
    held = data.draw(entries(*shape))
    index = tuple(data.draw(indices(size, repeated=False)) for size in shape)
    accum, kind = data.draw(st.sampled_from(ACCUM)), data.draw(st.sampled_from(MASKS))
    clear = kind is not None and data.draw(st.booleans())
    mask, number, from_number = data.draw(entries(*shape)), data.draw(st.integers(0, 9)), data.draw(st.booleans())
    found = []
    for gb in LIBRARIES.values():
        C, M = made(gb, held, shape), made(gb, mask, shape)
        value = number if from_number else made(gb, held, shape)[index].new()
        op = None if accum is None else getattr(gb.binary, accum)
        C(mask=masked(M, kind), accum=op, replace=clear)[index] << value
        found.append(plain(C))
    assert found[0] == found[1]


@given(st.tuples(st.integers(1, 5), st.integers(1, 5)), st.data())
def test_regions_under_masks_of_their_own(shape, data):
    held = data.draw(entries(*shape))
    index = tuple(data.draw(indices(size, repeated=False).filter(lambda i: not isinstance(i, int))) for size in shape)
    found = []
    for gb in LIBRARIES.values():
        C = made(gb, held, shape)
        mask = C[index].new()
        C[index](mask.S, accum=gb.binary.plus) << 3
        found.append(plain(C))
    assert found[0] == found[1]


@pytest.mark.parametrize("column", range(5))
def test_an_entry_is_found_at_its_own_column_alone(column):
    A = Matrix.from_coo([0, 0, 1, 1], [1, 3, 0, 4], [5, 6, 7, 8], nrows=2, ncols=5)
    assert A[0, column].value == {1: 5, 3: 6}.get(column)
    assert A[1, column].value == {0: 7, 4: 8}.get(column)


def test_the_transpose_is_a_view():
    A = Matrix.from_coo([0], [1], [5], nrows=2, ncols=3)
    AT = A.T
    A[1, 2] = 7
    assert AT.shape == (3, 2)
    assert AT[2, 1].value == 7
    assert AT.T is A
    with pytest.raises(TypeError, match="transpose cannot be assigned to"):
        AT[0, 0] = 1
    with pytest.raises(TypeError, match="transpose cannot be assigned to"):
        AT << 5
    apart = AT.new()
    apart[0, 0] = 1
    assert A.nvals == 2


def test_entries_set_one_by_one_are_merged_at_the_next_look():
    A, expected = Matrix(int, 50, 50), {}
    rng = np.random.default_rng(1)
    for turn in range(300):
        i, j = map(int, rng.integers(0, 50, 2))
        if turn % 7 == 6 and expected:
            i, j = next(iter(expected))
            del A[i, j], expected[i, j]
        else:
            A[i, j] = turn
            expected[i, j] = turn
    assert plain(A) == ((50, 50), dict(sorted(expected.items())))


def test_a_search_keeps_the_graph_that_it_was_made_on():
    A = lagbfs.graphs.path(5)
    t = lagbfs.bfs(A, 0)
    before, handles = A.dup(), A.rows
    A[0, 4] = True
    assert t.levels.tolist() == [0, 1, 2, 3, 4]
    t.verify()
    assert lagbfs.bfs(A, 0).levels.tolist() == [0, 1, 2, 2, 1]
    assert before.nvals == A.nvals - 1
    assert A.rows is not handles


def test_what_is_extracted_can_be_put_back():
    A = lagbfs.graphs.kronecker(6)
    B, rows, columns = A.dup(), [5, 1, 9], slice(3, 40, 3)
    B[rows, columns] << A[rows, columns].new()
    assert B.isequal(A)
