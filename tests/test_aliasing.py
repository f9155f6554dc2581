"""No two vectors share memory after any operation: writing to one never shows in another."""

import numpy as np
import pytest
import strategies as sts

from lagbfs import Matrix, Vector, backends, binary, monoid, unary

SIZE = 8
A = Matrix.from_coo(range(SIZE), range(SIZE), np.ones(SIZE, int))

# Each returns the vectors that were involved in the operation.
OPERATIONS = {
    "dup": lambda u, v: [u.dup()],
    "dup to its own dtype": lambda u, v: [u.dup(u.dtype)],
    "assign": lambda u, v: [_assigned(u)],
    "assign under a mask": lambda u, v: [_assigned(u, v.S)],
    "assign under a complemented mask": lambda u, v: [_assigned(u, ~v.S)],
    "assign with replace": lambda u, v: [_assigned(u, v.V, replace=True)],
    "assign with accumulator": lambda u, v: [_assigned(u, accum="second")],
    "assign a scalar under a mask": lambda u, v: [_scalar(v.S), _scalar(v.V), _scalar(~v.S)],
    "assign to all positions": lambda u, v: [_indexed(u, slice(None)), _indexed(u, list(range(SIZE)))],
    "ewise_add": lambda u, v: [u.ewise_add(v, op).new() for op in ("first", "second", "any", "plus")],
    "ewise_mult": lambda u, v: [u.ewise_mult(v, op).new() for op in ("first", "second", "any", "plus")],
    "apply": lambda u, v: [u.apply(unary.identity).new(), u.apply(unary.abs).new()],
    "apply bound": lambda u, v: [u.apply(binary.first, 1).new(), u.apply(binary.second, left=1).new()],
    "select": lambda u, v: [u.select(">=", -100).new()],
    "extract": lambda u, v: [u[:].new(), u[list(range(SIZE))].new(), u.extract(slice(None))],
    "infix": lambda u, v: [monoid.min(u | v).new(), binary.first(u & v).new()],
    "new under a mask": lambda u, v: [u.apply(unary.identity).new(mask=v.S)],
    "form": lambda u, v: [Vector.from_form(u.dup().form)],
}


def _assigned(u, mask=None, **options):
    w = Vector(u.dtype, SIZE)
    w(mask, **options) << u
    return w


def _scalar(mask):
    w = Vector(int, SIZE)
    w(mask) << 3
    return w


def _indexed(u, index):
    w = Vector(u.dtype, SIZE)
    w[index] = u
    return w


def arrays(vector):
    form = vector.form
    names = [name for name in ("indices", "present", "values") if hasattr(form, name)]
    return [getattr(form, name) for name in names]


def assert_apart(*vectors):
    for i, u in enumerate(vectors):
        for v in vectors[i + 1 :]:
            for x in arrays(u):
                assert not any(np.shares_memory(x, y) for y in arrays(v))


@pytest.mark.parametrize("left", sts.FORMS)
@pytest.mark.parametrize("right", sts.FORMS)
@pytest.mark.parametrize("name", OPERATIONS)
def test_results_share_nothing_with_operands(name, left, right):
    u = sts.vector(dict.fromkeys(range(SIZE), 5), SIZE, "i8", left)
    v = sts.vector(dict.fromkeys(range(SIZE), 6), SIZE, "i8", right)
    results = OPERATIONS[name](u, v)
    assert_apart(u, v, *results)
    for w in results:
        w[0] = 1000
        w(~Vector.from_coo([0], [1], size=w.size).S) << 2000
    assert u.to_dict() == dict.fromkeys(range(SIZE), 5)
    assert v.to_dict() == dict.fromkeys(range(SIZE), 6)


@pytest.mark.parametrize("form", sts.FORMS)
@pytest.mark.parametrize("semiring", ["plus_times", "min_first", "any_secondi", "any_pair"])
def test_products_share_nothing_with_operands(arms, form, semiring):
    u = sts.vector(dict.fromkeys(range(SIZE), 5), SIZE, "i8", form)
    mask = sts.vector(dict.fromkeys(range(SIZE), 1), SIZE, "i8", form)
    for arm in arms:
        results = [u.vxm(A, semiring).by(arm).new(mask=m) for m in (None, mask.S, mask.V)]
        assert_apart(u, mask, *results)
        assert not any(np.shares_memory(x, A.csr.values) for w in results for x in arrays(w))
        for w in results:
            w(accum="plus") << 100
        assert u.to_dict() == dict.fromkeys(range(SIZE), 5)
        assert mask.to_dict() == dict.fromkeys(range(SIZE), 1)


def test_vectors_copy_the_arrays_they_are_made_from():
    given = np.arange(SIZE)
    for v in (Vector.from_dense(given), Vector.from_coo(given, given), Vector.from_dense(given, missing_value=-1)):
        v << 99
        v[0] = 7
        assert given.tolist() == list(range(SIZE))


@pytest.mark.parametrize("form", sts.FORMS)
def test_vectors_return_copies(form):
    v = sts.vector(dict.fromkeys(range(SIZE), 5), SIZE, "i8", form)
    indices, values = v.to_coo()
    dense = v.to_dense()
    indices[:], values[:], dense[:] = 0, 99, 98
    assert v.to_dict() == dict.fromkeys(range(SIZE), 5)


@pytest.mark.parametrize("form", sts.FORMS)
def test_masks_return_copies(form):
    v = sts.vector(dict.fromkeys(range(SIZE), 5), SIZE, "i8", form)
    for mask in (v.S, v.V):
        mask.now().inside()[:] = False
        mask.dense()[:] = False
        (~mask).dense()[:] = True
        assert v.to_dict() == dict.fromkeys(range(SIZE), 5)


def test_a_search_does_not_share_its_result(backend):
    from lagbfs import bfs

    graph = Matrix.from_edges([0, 1, 2], [1, 2, 0])
    first = bfs(graph, 0, backend=backend)
    expected = first.parents.tolist()
    second = bfs(graph, 0, backend=backend)
    first.parents[:] = 99
    assert second.parents.tolist() == expected
    assert bfs(graph, 0, backend=backend).parents.tolist() == expected
    assert backends.get(backend) is backends.get(backend)
