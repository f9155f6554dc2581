"""Products of two matrices through the sparse matrices of CuPy itself; cuSPARSE's own part is done by NumPy."""

import sys
from types import ModuleType

import cupy
import cupyx
import numpy as np
import pytest
import scipy.sparse
from cupyx.scipy import sparse

from lagbfs import Matrix, graphs, semiring, using
from lagbfs.backends.cupyx import cusparse
from lagbfs.base import checks

GRAPH = graphs.kronecker(6)


class MatDescriptor:
    """What every matrix of cupyx has one of."""

    create = classmethod(lambda cls: cls())


def spgemm(a, b, alpha=1):
    """Return the product of what `cupyx.cusparse.spgemm` takes."""
    assert type(a) is type(b) is sparse.csr_matrix
    assert a.has_canonical_format
    assert b.has_canonical_format
    assert a.dtype == b.dtype
    assert a.dtype.kind == "f"
    assert a.indices.dtype == a.indptr.dtype == b.indices.dtype == b.indptr.dtype
    x, y = a.get(), b.get()
    product = scipy.sparse.csr_matrix(x @ y)
    product.sort_indices()
    assert product.nnz == (abs(x) @ abs(y)).nnz, "SciPy leaves out what cancels, cuSPARSE does not"
    data, indices, indptr = (cupy.array(part) for part in (product.data, product.indices, product.indptr))
    index = a.indices.dtype
    made = (data, indices.astype(index), indptr.astype(index))
    return sparse.csr_matrix._from_parts(*made, product.shape, has_canonical_format=True)


@pytest.fixture
def multiplied(monkeypatch):
    """The list of dtypes and widths in which products were computed as cuSPARSE would have to."""
    found, library = [], ModuleType("cupyx.cusparse")

    def noted(a, b, alpha=1):
        found.append((a.dtype.name, a.indices.dtype.name))
        return spgemm(a, b, alpha)

    library.MatDescriptor, library.check_availability, library.spgemm = MatDescriptor, lambda name: True, noted
    monkeypatch.setitem(sys.modules, "cupyx.cusparse", library)
    monkeypatch.setitem(vars(cupyx), "cusparse", library)
    cusparse.trouble.cache_clear()
    yield found
    cusparse.trouble.cache_clear()


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "uint64"])
@pytest.mark.parametrize("name", ["plus_times", "plus_pair", "plus_second", "any_pair"])
def test_products(device, multiplied, name, dtype, late):
    device.deferred = late
    values = (np.arange(GRAPH.nvals) % 9 + 1).astype(dtype)
    A = Matrix.from_coo(*GRAPH.to_coo()[:2], values, nrows=GRAPH.nrows, ncols=GRAPH.ncols)
    ring = getattr(semiring, name)
    for mask in (None, ~GRAPH.S):
        with using(backend="cupyx", direction="push"):
            found = ring(A @ A.T).new(mask=mask)
        with using(backend="reference"):
            expected = ring(A @ A.T).new(mask=mask)
        assert found.dtype == expected.dtype
        assert found.isequal(expected)
    inner = dtype if expected.dtype.kind == "f" and name != "any_pair" else "float64"
    assert multiplied == [(inner, "int32")] * 2


def test_64_bit_indices(device, multiplied, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(checks, "INT32_MAX", -1)
        A = Matrix.from_csr(GRAPH.csr.indptr, GRAPH.csr.indices)
    assert A.csr.indices.dtype == np.int64
    with using(backend="cupyx", direction="push"):
        found = semiring.plus_pair(A @ GRAPH).new()
    with using(backend="reference"):
        assert found.isequal(semiring.plus_pair(GRAPH @ GRAPH).new())
    assert len(multiplied) == 1
