"""Products: every engine, direction and semiring against loops over all entries, and against python-graphblas."""

import graphblas as gb
import models
import numpy as np
import pytest
import strategies as sts
from hypothesis import assume, given
from hypothesis import strategies as st

from lagbfs import Matrix, Vector, semiring, using

SEMIRINGS = semiring.COMMON


@st.composite
def operands(draw, name, *, square=False):
    """Return q, A as dictionaries, their dtypes and shape; where the result is a float, values are small."""
    q_dtype, A_dtype = draw(sts.dtypes), draw(sts.dtypes)
    small = models.product_dtypes(name, q_dtype, A_dtype)[1].kind == "f"
    nrows = draw(st.integers(1, 12))
    ncols = nrows if square else draw(st.integers(1, 12))
    q = draw(sts.entries(nrows, q_dtype, small=small))
    A = draw(sts.coordinates(nrows, ncols, A_dtype, small=small))
    return q, A, q_dtype, A_dtype, (nrows, ncols)


def assert_among(result, expected):
    """Each entry of the result is one of the values that it may have."""
    found = result.to_dict()
    assert found.keys() == expected.keys()
    for j, value in found.items():
        assert value in expected[j], f"entry {j} is {value}, not one of {expected[j]}"


@pytest.mark.parametrize("name", SEMIRINGS)
@given(data=st.data())
@sts.examples(1 / 2)
def test_vxm_is_the_sum_over_all_entries(arms, name, data):
    q, A, q_dtype, A_dtype, shape = data.draw(operands(name))
    mask = data.draw(sts.masks(shape[1]))
    form = data.draw(st.sampled_from(sts.FORMS))
    allow = models.allowed(mask, shape[1])
    expected = {j: x for j, x in models.product(name, q, A, q_dtype, A_dtype).items() if j in allow}
    matrix = sts.matrix(A, *shape, A_dtype)
    product = sts.vector(q, shape[0], q_dtype, form).vxm(matrix, name)
    assert product.dtype == models.product_dtypes(name, q_dtype, A_dtype)[1]
    for arm in arms:
        result = product.by(arm).new(mask=mask)
        assert result.dtype == product.dtype
        assert_among(result, expected)


@pytest.mark.parametrize("name", SEMIRINGS)
@given(data=st.data())
@sts.examples(1 / 4)
def test_mxv_takes_the_matrix_as_first_operand(arms, name, data):
    q, A, q_dtype, A_dtype, shape = data.draw(operands(name))
    expected = models.product(name, q, A, q_dtype, A_dtype, flipped=True)
    transposed = sts.matrix({(j, k): a for (k, j), a in A.items()}, shape[1], shape[0], A_dtype)
    product = transposed.mxv(sts.vector(q, shape[0], q_dtype), name)
    for arm in arms:
        assert_among(product.by(arm).new(), expected)


@pytest.mark.parametrize("name", SEMIRINGS)
@given(data=st.data())
@sts.examples(1 / 4)
def test_python_graphblas_agrees(arms, name, data):
    q, A, q_dtype, A_dtype, shape = data.draw(operands(name))
    assume("plus" not in name or q_dtype.kind != "b" or A_dtype.kind != "b")  # python-graphblas has no sum of bools
    vector, matrix = sts.vector(q, shape[0], q_dtype), sts.matrix(A, *shape, A_dtype)
    theirs = gb.Vector.from_coo(*vector.to_coo(), size=shape[0])
    space = gb.semiring.ss if name.endswith("secondi") else gb.semiring
    for flipped in (False, True):
        ours = matrix.T.mxv(vector, name) if flipped else vector.vxm(matrix, name)
        op = getattr(space, name)
        expected = op(matrix.T.to_graphblas() @ theirs if flipped else theirs @ matrix.to_graphblas()).new()
        if expected.dtype.np_type != ours.dtype:
            continue  # bools are added differently there
        for arm in arms:
            result = ours.by(arm).new()
            if name == "any_secondi":
                assert set(result) == set(expected)
            else:
                assert result.to_dict() == dict(expected.to_dict())


@pytest.mark.parametrize("name", sorted(set(SEMIRINGS) - {"any_secondi"}))
@given(graph=sts.large_graphs(), data=st.data())
@sts.examples(1 / 8)
def test_push_equals_pull_on_larger_graphs(backend, name, graph, data):
    seed = data.draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    dtype = data.draw(st.sampled_from(["?", "i4", "f8"]))
    weights = rng.integers(0, 5, len(graph.edges)).astype(dtype)
    A = graph.matrix(weights=weights)
    size = data.draw(st.sampled_from([1, 20, graph.n // 2, graph.n]))
    q = Vector.from_coo(rng.permutation(graph.n)[:size], rng.integers(0, 5, size).astype(dtype), size=graph.n)
    visited = Vector.from_coo(rng.permutation(graph.n)[: graph.n // 3], 1, size=graph.n)
    results = []
    for direction in ("push", "pull"):
        with using(backend=backend, direction=direction):
            results.append(q.vxm(A, name).new(mask=~visited.S))
    push, pull = results
    assert push.isequal(pull, check_dtype=True)


@given(data=st.data())
def test_a_product_is_its_own_transpose(arms, data):
    # (q A)ᵀ = Aᵀ qᵀ, the operands of ⊗ exchanged
    mirror = {"plus_first": "plus_second", "plus_second": "plus_first", "min_first": "min_second"}
    mirror |= {"min_second": "min_first"}
    name = data.draw(st.sampled_from(sorted(set(SEMIRINGS) - {"any_secondi", "max_second"})))
    q, A, q_dtype, A_dtype, shape = data.draw(operands(name))
    vector, matrix = sts.vector(q, shape[0], q_dtype), sts.matrix(A, *shape, A_dtype)
    for arm in arms:
        left = vector.vxm(matrix, name).by(arm).new()
        right = matrix.T.mxv(vector, mirror.get(name, name)).by(arm).new()
        assert left.isequal(right, check_dtype=True)


@pytest.mark.parametrize("name", ["min_plus", "min_first", "min_second", "max_second"])
def test_min_and_max_ignore_nan(arms, name):
    A = Matrix.from_coo([0, 1, 0, 1], [0, 0, 1, 1], [np.nan, 2.0, 4.0, np.nan])
    q = Vector.from_coo([0, 1], [1.0, np.nan] if name == "min_first" else [1.0, 1.0])
    expected = {
        "min_plus": [3.0, 5.0],
        "min_first": [1.0, 1.0],
        "min_second": [2.0, 4.0],
        "max_second": [2.0, 4.0],
    }
    for arm in arms:
        assert q.vxm(A, name).by(arm).new().to_dense().tolist() == expected[name]


@pytest.mark.parametrize("name", ["min_plus", "min_second", "max_second"])
def test_a_sum_of_nan_alone_is_nan(arms, name):
    A = Matrix.from_coo([0, 1, 0, 1, 0], [0, 0, 1, 1, 2], [np.nan, 2.0, 4.0, np.nan, np.nan])
    q = Vector.from_coo([0, 1], [1.0, 1.0])
    for arm in arms:
        assert np.isnan(q.vxm(A, name).by(arm).new()[2].value)


def test_infinities_in_shortest_paths(arms):
    A = Matrix.from_coo([0, 1], [1, 1], [np.inf, 1.0], nrows=2, ncols=2)
    q = Vector.from_coo([0, 1], [0.0, np.inf])
    for arm in arms:
        assert q.vxm(A, "min_plus").by(arm).new().to_dict() == {1: np.inf}


@given(data=st.data())
@sts.examples(1 / 3)
def test_the_form_of_the_vector_does_not_matter(arms, data):
    q, A, q_dtype, A_dtype, shape = data.draw(operands("plus_times"))
    matrix = sts.matrix(A, *shape, A_dtype)
    for arm in arms:
        sparse, bitmap, full = (sts.vector(q, shape[0], q_dtype, form).vxm(matrix).by(arm).new() for form in sts.FORMS)
        assert sparse.isequal(bitmap, check_dtype=True)
        assert sparse.isequal(full, check_dtype=True)


def test_notations_of_one_product(arms):
    A = Matrix.from_coo([0, 0, 1], [1, 2, 2], [2, 3, 4], nrows=3, ncols=3)
    q = Vector.from_coo([0, 1], [10, 20], size=3)
    for arm in arms:
        with using(backend=arm.backend, direction=arm.direction):
            assert (q @ A).new().to_dict() == {1: 20, 2: 110}
            assert q.vxm(A).new().to_dict() == {1: 20, 2: 110}
            assert semiring.min_plus(q @ A).new().to_dict() == {1: 12, 2: 13}
            assert q.vxm(A, semiring.min_plus).new().to_dict() == {1: 12, 2: 13}
            assert semiring.plus_first(A @ q).new().to_dict() == {0: 2}
            assert semiring.plus_second(A @ q).new().to_dict() == {0: 20}
            assert A.mxv(q, "plus_second").new().to_dict() == {0: 20}
            assert (A.T @ q).new().to_dict() == {1: 20, 2: 110}


def test_operands_are_left_alone(arms):
    A = Matrix.from_coo([0, 1], [1, 0], [2.0, 3.0])
    for form in sts.FORMS:
        q, mask = sts.vector({0: 1.0, 1: 5.0}, 2, "f8", form), sts.vector({0: 0, 1: 1}, 2, "i8", form)
        for arm in arms:
            for allow in (mask.S, mask.V, ~mask.S, ~mask.V):
                q.vxm(A).by(arm).new(mask=allow)
                assert (q.to_dict(), q.format) == ({0: 1.0, 1: 5.0}, form)
                assert (mask.to_dict(), mask.format) == ({0: 0, 1: 1}, form)
        assert A.to_coo()[2].tolist() == [2.0, 3.0]


def test_results_can_be_written_to(arms):
    A = Matrix.from_edges([0, 1, 2], [1, 2, 0], weights=[1, 2, 3])
    q = Vector.from_scalar(1, 3)
    for arm in arms:
        first = q.vxm(A).by(arm).new()
        first[0] = 100
        assert first.to_dict() == {0: 100, 1: 1, 2: 2}
        assert q.vxm(A).by(arm).new().to_dict() == {0: 3, 1: 1, 2: 2}


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0), (1, 1)])
def test_products_without_any_entry(arms, shape):
    A = Matrix.from_coo([], [], nrows=shape[0], ncols=shape[1])
    for arm in arms:
        result = Vector(float, shape[0]).vxm(A).by(arm).new()
        assert (result.size, result.nvals) == (shape[1], 0)


def test_a_transpose_is_a_view(arms):
    A = Matrix.from_coo([0, 1], [1, 2], [1, 2], nrows=2, ncols=3)
    assert A.T.T.csr is A.csr
    q = Vector.from_coo([1, 2], [5, 6], size=3)
    for arm in arms:
        assert (q @ A.T).by(arm).new().to_dict() == {0: 5, 1: 12}
        assert (A @ q).by(arm).new().to_dict() == {0: 5, 1: 12}
    assert A.T.csr is A.T.csr


def test_iso_values_are_used_as_values(arms):
    A = Matrix.from_coo([0, 1, 0], [1, 2, 2], 2.5, nrows=3, ncols=3)
    assert A.is_iso
    q = Vector.from_coo([0, 1], [1.0, 2.0], size=3)
    for arm in arms:
        assert q.vxm(A).by(arm).new().to_dict() == {1: 2.5, 2: 7.5}
        assert q.vxm(A, "min_plus").by(arm).new().to_dict() == {1: 3.5, 2: 3.5}
