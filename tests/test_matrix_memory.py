"""Products of matrices that do not fit in memory are refused before anything is allocated for them."""

import numpy as np
import pytest

import lagbfs
from lagbfs import Matrix, binary, semiring
from lagbfs.base import memory


@pytest.fixture(autouse=True)
def _native():
    pytest.importorskip("lagbfs.backends.native._kernels", reason="needs the native engine: a C++17 compiler")
    with lagbfs.using(backend="native"):
        yield


def outer(n):
    """Return a column and a row of n entries each: their product has n²."""
    column = Matrix.from_coo(np.arange(n), np.zeros(n, int), np.ones(n), nrows=n, ncols=1)
    return column, column.T.new()


def test_a_product_that_does_not_fit_is_refused_with_its_size(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 100_000_000)
    column, row = outer(10_000)
    with pytest.raises(MemoryError, match=r"10,000 rows and 10,000 columns.*1,200,000,000 bytes"):
        semiring.plus_times(column @ row).new()


def test_a_product_that_fits_although_its_terms_would_not(monkeypatch):
    n = 3000
    src = np.repeat(np.arange(n), 30)
    dst = np.tile(np.arange(30), n)
    A = Matrix.from_coo(src, dst, np.ones(len(src)), nrows=n, ncols=n)
    B = Matrix.from_coo(dst, src % 40, np.ones(len(src)), nrows=n, ncols=n, dup_op=binary.plus)
    expected = semiring.plus_times(A @ B).new()
    monkeypatch.setattr(memory, "room", lambda: 12 * expected.nvals)
    assert semiring.plus_times(A @ B).new().isequal(expected)
    monkeypatch.setattr(memory, "room", lambda: 12 * expected.nvals - 1)
    with pytest.raises(MemoryError, match=f"{12 * expected.nvals:,} bytes"):
        semiring.plus_times(A @ B).new()


def test_under_a_mask_nothing_is_refused(monkeypatch):
    monkeypatch.setattr(memory, "room", lambda: 1000)
    column, row = outer(2000)
    mask = Matrix.from_coo([3, 5], [4, 6], 1, nrows=2000, ncols=2000)
    C = semiring.plus_times(column @ row).new(mask=mask.S)
    assert C.nvals == 2


@pytest.mark.parametrize("op", [binary.first, binary.second, binary.plus])
def test_edges_without_direction_have_one_value_both_ways(op):
    A = Matrix.from_edges([0, 1, 2, 0], [1, 0, 2, 1], weights=[5, 7, 1, 9], directed=False, dup_op=op)
    assert A.isequal(A.T.new())
    assert A[0, 1].value == {"first": 5, "second": 9, "plus": 21}[op.name]
    assert A[2, 2].value == 1
