"""Laws that products, masks and regions keep, whatever the engine: over integers, where they hold exactly."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matrices import entries, made

import lagbfs
from lagbfs import Matrix, Vector, binary, monoid, semiring, unary, using

SEMIRINGS = ("plus_times", "min_plus", "lor_land", "plus_pair", "max_second")
DISTRIBUTIVE = ("plus_times", "min_plus")  # ⊗ over ⊕, and both over all integers
dims = st.integers(1, 5)


@st.composite
def matrices(draw, nrows, ncols):
    """Return a matrix of small integers, positive and negative."""
    rows, columns, values = draw(entries(nrows, ncols, "i8"))
    return made(lagbfs, (rows, columns, values - 3), (nrows, ncols))


@st.composite
def chains(draw, length):
    """Return matrices each of which can be multiplied by the next."""
    sizes = [draw(dims) for _ in range(length + 1)]
    return [draw(matrices(*shape)) for shape in itertools.pairwise(sizes)]


@st.composite
def alike(draw, count):
    """Return matrices of one shape."""
    nrows, ncols = draw(dims), draw(dims)
    return [draw(matrices(nrows, ncols)) for _ in range(count)]


def vector(matrix):
    """Return the first row of a matrix."""
    return matrix[0, :].new()


@pytest.mark.parametrize("name", ["plus_times", "min_plus", "lor_land"])
@settings(max_examples=20)
@given(case=chains(3))
def test_products_are_associative(backend, name, case):
    with using(backend=backend):
        A, B, C = case
        op = getattr(semiring, name)
        left, right = op(op(A @ B).new() @ C).new(), op(A @ op(B @ C).new()).new()
        assert left.isequal(right)
        v = vector(A)
        assert op(op(v @ B).new() @ C).new().isequal(op(v @ op(B @ C).new()).new())


@pytest.mark.parametrize("name", DISTRIBUTIVE)
@settings(max_examples=20)
@given(case=chains(2), data=st.data())
def test_products_distribute_over_unions(backend, name, case, data):
    with using(backend=backend):
        A, B = case
        C = data.draw(matrices(*B.shape))
        op = getattr(semiring, name)
        add = {"plus_times": monoid.plus, "min_plus": monoid.min}[name]
        left = op(A @ add(B | C).new()).new()
        assert left.isequal(add(op(A @ B).new() | op(A @ C).new()).new())
        v = vector(A)
        assert op(v @ add(B | C).new()).new().isequal(add(op(v @ B).new() | op(v @ C).new()).new())


@pytest.mark.parametrize("name", ["plus_times", "min_plus", "lor_land", "plus_pair"])
@settings(max_examples=20)
@given(case=chains(2))
def test_the_transpose_of_a_product_is_the_product_of_transposes(backend, name, case):
    with using(backend=backend):
        A, B = case
        op = getattr(semiring, name)  # its multiplication commutes
        assert op(A @ B).new().T.isequal(op(B.T @ A.T).new())
        v = vector(A)
        assert op(v @ B).new().isequal(op(B.T @ v).new())


@pytest.mark.parametrize("name", SEMIRINGS)
@settings(max_examples=20)
@given(case=chains(2), data=st.data())
def test_a_mask_and_its_complement_share_a_product_between_them(backend, name, case, data):
    with using(backend=backend):
        A, B = case
        M = data.draw(matrices(A.nrows, B.ncols))
        product = getattr(semiring, name)(A @ B)
        whole = product.new()
        for inside, outside in ((M.S, ~M.S), (M.V, ~M.V)):
            one, two = product.new(mask=inside), product.new(mask=outside)
            assert one.nvals + two.nvals == whole.nvals
            assert binary.plus(one | two).new().isequal(whole)  # no position is in both
            C = Matrix(whole.dtype, *whole.shape)
            C(inside) << product
            C(outside) << product
            assert C.isequal(whole)


@pytest.mark.parametrize("name", SEMIRINGS)
@settings(max_examples=20)
@given(case=chains(2), data=st.data())
def test_a_mask_and_its_complement_share_a_vector_between_them(backend, name, case, data):
    with using(backend=backend):
        A, B = case
        m = vector(data.draw(matrices(1, B.ncols)))
        product = getattr(semiring, name)(vector(A) @ B)
        whole = product.new()
        for inside, outside in ((m.S, ~m.S), (m.V, ~m.V)):
            one, two = product.new(mask=inside), product.new(mask=outside)
            assert one.nvals + two.nvals == whole.nvals
            assert binary.plus(one | two).new().isequal(whole)


@settings(max_examples=20)
@given(case=chains(2), other=chains(2))
def test_the_mixed_product_of_kronecker(backend, case, other):
    with using(backend=backend):
        (A, C), (B, D) = case, other
        left = (A.kronecker(B) @ C.kronecker(D)).new()  # (A ⊗ B)(C ⊗ D) = AC ⊗ BD
        assert left.isequal((A @ C).kronecker(B @ D).new())


@given(case=alike(3))
def test_unions_and_intersections_are_associative_and_commute(case):
    A, B, C = case
    for op in (monoid.plus, monoid.times, monoid.min, monoid.max):
        for join in ("__or__", "__and__"):

            def joined(x, y, op=op, join=join):
                return op(getattr(x, join)(y)).new()

            assert joined(A, B).isequal(joined(B, A))
            assert joined(joined(A, B), C).isequal(joined(A, joined(B, C)))
    assert monoid.plus(A & (B + C).new()).new().nvals <= A.nvals


@given(case=alike(2))
def test_a_matrix_is_what_a_mask_keeps_and_leaves(case):
    A, M = case
    for mask in (M.S, M.V):
        assert (A.dup(mask=mask) + A.dup(mask=~mask)).new().isequal(A)
        assert A.dup(mask=mask).isequal(A.select(mask).new())
        assert (mask & ~mask).new().nvals == 0
        assert (mask | ~mask).new().nvals == A.nrows * A.ncols


@given(case=alike(2), data=st.data())
def test_what_is_assigned_is_what_is_extracted(case, data):
    C, D = case
    picked = st.sets
    rows = sorted(data.draw(picked(st.integers(0, C.nrows - 1), min_size=1)))
    columns = data.draw(st.permutations(sorted(data.draw(picked(st.integers(0, C.ncols - 1), min_size=1)))))
    before, part = C.dup(), D[rows, columns].new()
    C[rows, columns] = part
    assert C[rows, columns].new().isequal(part)  # extract ∘ assign
    C[rows, columns] = before[rows, columns]
    assert C.isequal(before)  # assign ∘ extract
    v, w = vector(C), vector(D)
    v[columns] = w[columns]
    assert v[columns].new().isequal(w[columns].new())


@given(case=alike(1))
def test_views_and_identities(case):
    (A,) = case
    assert A.T.T.isequal(A)
    assert A.apply(unary.ainv).new().apply(unary.ainv).new().isequal(A)
    rows, columns = Vector.from_scalar(1, A.nrows).diag(), Vector.from_scalar(1, A.ncols).diag()
    assert (rows @ A).new().isequal(A)
    assert (A @ columns).new().isequal(A)
    assert A.reduce_rowwise().new().reduce().value == A.reduce_columnwise().new().reduce().value
    assert A.reduce_scalar().value == A.reduce_rowwise().reduce().value
    assert Matrix.from_dicts(A.to_dicts(), A.dtype, nrows=A.nrows, ncols=A.ncols).isequal(A)
    assert Matrix.from_coo(*A.to_coo(), nrows=A.nrows, ncols=A.ncols).isequal(A)
