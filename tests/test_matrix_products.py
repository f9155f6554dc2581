"""Products of two matrices: every engine and direction gives the same, in every semiring, under every mask."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import lagbfs
from lagbfs import Matrix, backends, binary, semiring, using
from lagbfs.backends.protocol import MatrixFeatures
from lagbfs.semiring import Semiring
from lagbfs.testing import operands

DTYPES = ("?", "i1", "i4", "i8", "u2", "f4", "f8")
ENGINES = [info.name for info in backends.available() if info.runs]
MONOIDS = [op.name for op in operands.MONOIDS]
BINARY = [op.name for op in operands.BINARY]


def random_matrix(rng, shape, dtype, density):
    count = int(rng.integers(0, max(int(shape[0] * shape[1] * density), 1) + 1)) if min(shape) else 0
    rows, columns = (rng.integers(0, max(size, 1), count) for size in shape)
    values = np.array(3) if rng.random() < 0.2 else rng.integers(-4, 5, count)
    return Matrix.from_coo(rows, columns, values.astype(dtype), nrows=shape[0], ncols=shape[1], dup_op=binary.second)


@given(st.integers(0, 2**32), st.sampled_from(MONOIDS), st.sampled_from(BINARY))
def test_engines_and_directions_agree(seed, add, multiply):
    rng = np.random.default_rng(seed)
    n, inner, m = rng.integers(0, 12, 3) if rng.random() < 0.9 else rng.integers(50, 200, 3)
    A, B, M = (
        random_matrix(rng, shape, rng.choice(DTYPES), density)
        for shape, density in (((n, inner), 0.3), ((inner, m), 0.3), ((n, m), 0.4))
    )
    ring = Semiring("max" if add == "any" and multiply != "pair" else add, multiply)  # any may be any
    mask = [None, M.S, M.V, ~M.S, ~M.V][rng.integers(5)]
    with using(backend="reference"):
        expected = ring(A @ B).new(mask=mask)
    assert expected.dtype == ring.result_dtype(A.dtype, B.dtype)
    for engine in ENGINES:
        for direction in ("push", "pull"):
            with using(backend=engine, direction=direction, threads=int(rng.integers(1, 3))):
                product = ring(A @ B).new(mask=mask)
            assert (product.dtype, product.shape) == (expected.dtype, expected.shape)
            same = product.isequal(expected)
            assert same, f"{engine} {direction}: {product.to_coo()} instead of {expected.to_coo()}"


@pytest.fixture(scope="module")
def large():
    """A matrix whose products are computed by blocks of rows, and by the team."""
    return lagbfs.graphs.kronecker(10)


@pytest.mark.parametrize("threads", [1, 2])
def test_blocks_of_rows(large, backend, threads):
    A = Matrix.from_coo(*large.to_coo()[:2], np.arange(large.nvals) % 7 + 1)
    with using(backend=backend, threads=threads):
        product = (A @ A).new()
    expected = (A.to_scipy() @ A.to_scipy()).sorted_indices()
    assert (product.to_scipy() != expected).nnz == 0


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("direction", ["push", "pull"])
@pytest.mark.parametrize("complement", [False, True])
def test_blocks_of_rows_under_a_mask(large, backend, direction, threads, complement):
    mask = ~large.S if complement else large.S
    with using(backend=backend, direction=direction, threads=threads):
        product = semiring.plus_pair(large @ large).new(mask=mask)
    pattern = sp.csr_array((np.ones(large.nvals, np.int64), *large.to_csr()[1::-1]), shape=large.shape)
    whole = (pattern @ pattern).toarray()
    inside = pattern.toarray().astype(bool)
    allowed = ~inside if complement else inside
    assert (product.to_dense(0) == np.where(allowed, whole, 0)).all()
    assert product.nvals == np.count_nonzero(whole[allowed])


@pytest.mark.parametrize("kind", ["none", "structure", "value", "not structure", "not value"])
@pytest.mark.parametrize("name", ["plus_times", "plus_pair", "min_plus", "lor_land", "min_secondi", "max_second"])
def test_every_kind_of_mask(backend, direction, name, kind):
    rng = np.random.default_rng(3)
    A, B, M = (random_matrix(rng, shape, "f4", 0.5) for shape in ((40, 70), (70, 33), (40, 33)))
    mask = {"none": None, "structure": M.S, "value": M.V, "not structure": ~M.S, "not value": ~M.V}[kind]
    with using(backend="reference"):
        expected = getattr(semiring, name)(A @ B).new(mask=mask)
    inside = {(i, j) for i, j, x in zip(*M.to_coo(), strict=True) if x or "structure" in kind}
    assert expected.nvals > 100
    assert mask is None or all(((i, j) in inside) != kind.startswith("not") for i, j in expected)
    with using(backend=backend, direction=direction):
        product = getattr(semiring, name)(A @ B).new(mask=mask)
    assert product.dtype == expected.dtype
    assert product.isequal(expected)


def test_sums_are_of_one_order(backend, direction):
    rng = np.random.default_rng(4)
    A = Matrix.from_dense(rng.random((40, 300)))
    B = Matrix.from_dense(rng.random((300, 30)))
    M = Matrix.from_dense(rng.random((40, 30)) < 0.5, missing_value=False)
    with using(backend=backend, direction=direction):
        product = (A @ B).new(mask=M.S).to_dense(0)
    np.testing.assert_allclose(product, np.where(M.to_dense(False), A.to_dense() @ B.to_dense(), 0), rtol=1e-12)


def test_very_wide_matrices(backend):
    A = Matrix.from_coo([0, 1], [0, 1], [2, 3])
    B = Matrix.from_coo([0, 1, 1], [5, 2**36, 7], [10, 20, 30])
    with using(backend=backend):
        product = (A @ B).new()
    assert product.shape == (2, 2**36 + 1)
    assert dict(zip(product, product.to_coo()[2].tolist(), strict=True)) == {(0, 5): 20, (1, 7): 90, (1, 2**36): 60}


def test_the_selector_pulls_where_that_looks_at_less():
    A = lagbfs.graphs.star(2000)
    few = Matrix.from_coo([1], [2], True, nrows=2001, ncols=2001)
    arms = backends.get("reference").arms
    policy = lagbfs.selector.Beamer()
    for mask, direction in ((few.S, "pull"), (None, "push"), (~few.S, "push")):
        now = None if mask is None else mask.now()
        features = MatrixFeatures.of(A.rows, A.rows, now, early_exit=False)
        assert policy.choose_for_matrices(features, arms).direction == direction


def test_an_arm_can_be_named():
    A = lagbfs.graphs.path(4)
    features = MatrixFeatures.of(A.rows, A.rows, A.S.now(), early_exit=False)
    for name in ("push", "pull"):
        chosen = lagbfs.selector.Fixed(name).choose_for_matrices(features, backends.get("reference").arms)
        assert chosen.direction == name
    for arm in backends.get("reference").arms:
        assert semiring.plus_pair(A @ A).by(arm).new()[0, 2].value == 1
