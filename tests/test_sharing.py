"""What a Matrix keeps nobody can write to, whoever has the arrays it was made from; and those stay as they were."""

import copy
import mmap
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal

from lagbfs import Matrix, Vector, bfs
from lagbfs.errors import VerificationError

N = 1 << 12
DEPTH = 12
BEYOND = 2_000_000_000  # a vertex that is none: kernels that met it would end the process


def tree(dtype=np.int32):
    """Return indptr, indices and values of the edges from each v to 2v + 1 and 2v + 2, modulo N."""
    ends = np.sort((2 * np.arange(N)[:, None] + [1, 2]) % N).ravel()
    return 2 * np.arange(N + 1, dtype=dtype), ends.astype(dtype), np.arange(2 * N, dtype=np.float64)


def over_bytes(array):
    return np.frombuffer(array.tobytes(), array.dtype)


def over_a_map(array):
    memory = mmap.mmap(-1, array.nbytes)
    memory[:] = array.tobytes()
    return np.frombuffer(memory, array.dtype)


class Liar(np.ndarray):
    """An array that says of itself that its memory is that of bytes."""

    base = property(lambda self: b"")
    flags = property(lambda self: np.frombuffer(b"12345678", np.int32).flags)


def read_only(array):
    array.flags.writeable = False
    return array


# How an array comes to have memory that somebody else can write to: the array to pass, and where to write.
WRITABLE = {
    "itself": lambda a: (a, a),
    "a view taken before": lambda a: (a, a[:]),
    "the array that it is a view of": lambda a: (a[:], a),
    "a read-only view": lambda a: (read_only(a[:]), a),
    "read-only, by a view taken before": lambda a: (lambda view: (read_only(a), view))(a[:]),
    "a part of another": lambda a: (lambda whole: (whole[: len(a)], whole))(np.concatenate([a, a])),
    "a bytearray": lambda a: (lambda memory: (np.frombuffer(memory, a.dtype),) * 2)(bytearray(a.tobytes())),
    "a read-only memoryview": lambda a: (np.frombuffer(memoryview(a).toreadonly(), a.dtype), a),
    "a map": lambda a: (over_a_map(a),) * 2,
    "a liar": lambda a: (a.view(Liar), a),
    "an object with __array__": lambda a: (type("Lent", (), {"__array__": lambda self, *_, **__: a})(), a),
}
MAKERS = {
    "from_csr": lambda p, i, v: Matrix.from_csr(p, i, v, ncols=N),
    "from_scipy": lambda p, i, v: Matrix.from_scipy(assembled(sp.csr_array, p, i, v)),
    "from_scipy, transposed": lambda p, i, v: Matrix.from_scipy(assembled(sp.csc_array, p, i, v)).T,
}


def assembled(kind, indptr, indices, values):
    """Return a compressed matrix that has these very arrays, which SciPy's own constructor would turn into others."""
    S = kind((N, N))
    S.indptr, S.indices, S.data = (np.asarray(array) for array in (indptr, indices, values))
    return S


@pytest.mark.parametrize("made", MAKERS)
@pytest.mark.parametrize("how", WRITABLE)
def test_nobody_can_write_to_a_matrix(how, made):
    passed, written = zip(*(WRITABLE[how](array) for array in tree()), strict=True)
    A = MAKERS[made](*passed)
    for array in written:
        array[:] = BEYOND if array.dtype == np.int32 else np.nan
    indptr, indices, values = tree()
    assert bfs(A, 0).depth == DEPTH
    assert_array_equal(A.mxv(Vector.from_scalar(1, N), "plus_first").new().to_dense(), values.reshape(N, 2).sum(axis=1))
    assert_array_equal(A.csr.indices, indices)
    assert_array_equal(A.csr.indptr, indptr)


def test_a_mapped_file_can_be_written(tmp_path):
    indptr, indices, values = tree()
    np.save(tmp_path / "indices.npy", indices)
    A = Matrix.from_csr(indptr, np.load(tmp_path / "indices.npy", mmap_mode="r"), values)
    np.load(tmp_path / "indices.npy", mmap_mode="r+")[:] = BEYOND
    assert bfs(A, 0).depth == DEPTH
    with pytest.raises(ValueError, match="indices cannot be shared"):
        Matrix.from_csr(over_bytes(indptr), np.load(tmp_path / "indices.npy", mmap_mode="r"), 1, copy=False)


def test_a_matrix_unpickled_over_a_buffer_has_its_own_memory():
    buffers = []
    data = pickle.dumps(Matrix.from_csr(*tree()), protocol=5, buffer_callback=buffers.append)
    memories = [bytearray(buffer.raw()) for buffer in buffers]
    A = pickle.loads(data, buffers=memories)
    assert sum(map(len, memories)) > 4 * N
    for memory in memories:
        memory[:] = b"\x7f" * len(memory)
    assert bfs(A, 0).depth == DEPTH


def test_a_copied_matrix_has_its_own_memory():
    A, kept = Matrix.from_csr(*tree()), {}
    B = copy.deepcopy(A, kept)
    for array in [array for array in kept.values() if isinstance(array, np.ndarray)]:
        if array.flags.writeable:
            array[:] = 1
    assert B.isequal(A)


@pytest.mark.parametrize("copied", [None, True])
def test_the_arrays_given_stay_writable(copied):
    given = tree()
    A = Matrix.from_csr(*given, copy=copied)
    for array, kept in zip(given, (A.csr.indptr, A.csr.indices, A.csr.values), strict=True):
        assert not np.shares_memory(array, kept)
        array[0] = 7


def test_a_scipy_matrix_given_can_be_changed():
    S = sp.csr_array(([1.0, 2.0, 0.0], [0, 1, 1], [0, 2, 3]), shape=(2, 2))
    A = Matrix.from_scipy(S)
    S.data[:] = [4, 5, 0]
    S *= 2
    S[0, 0] = 5
    S.eliminate_zeros()
    S.indices[:] = 0
    assert A.to_scipy().toarray().tolist() == [[1, 2], [0, 0]]
    assert A.nvals == 3


def test_one_value_for_all_is_copied():
    one, two = np.array(1.5), np.array(2.5)
    A, B = Matrix.from_coo([0], [1], one), Matrix.from_csr([0, 1], [0], two)
    weighted = Matrix.from_edges([0], [1], weights=np.array(3.5))
    one[...], two[...] = 7, 8
    assert (A.csr.values, B.csr.values, weighted.csr.values) == (1.5, 2.5, 3.5)


@pytest.mark.parametrize("made", ["from_edges", "from_coo"])
def test_coordinates_are_copied(made):
    src, dst, values = np.repeat(np.arange(N), 2), tree(np.int64)[1], np.arange(2 * N)
    A = getattr(Matrix, made)(src, dst, **{"weights" if made == "from_edges" else "values": values})
    src[:], dst[:], values[:] = BEYOND, BEYOND, 0
    assert bfs(A, 0).depth == DEPTH
    assert_array_equal(A.csr.values, np.arange(2 * N))


def test_memory_that_nobody_can_write_to_is_shared():
    indptr, indices, values = map(over_bytes, tree())
    for copied in (None, False):
        A = Matrix.from_csr(indptr, indices, values, copy=copied)
        S = Matrix.from_scipy(assembled(sp.csr_array, indptr, indices, values), copy=copied)
        for csr in (A.csr, S.csr):
            assert np.shares_memory(csr.indptr, indptr)
            assert np.shares_memory(csr.indices, indices)
            assert np.shares_memory(csr.values, values)
    assert not np.shares_memory(Matrix.from_csr(indptr, indices, values, copy=True).csr.indices, indices)
    over_a_part = np.frombuffer(memoryview(indices.tobytes())[8:], np.int32)
    assert Matrix.from_csr(indptr[:-1], over_a_part, 1, copy=False).nvals == 2 * N - 2


@pytest.mark.parametrize("name", ["indptr", "indices", "values"])
@pytest.mark.parametrize("how", WRITABLE)
def test_what_somebody_can_write_to_is_not_shared(how, name):
    given = dict(zip(("indptr", "indices", "values"), map(over_bytes, tree()), strict=True))
    passed, _ = WRITABLE[how](given[name].copy())
    with pytest.raises(ValueError, match=rf"{name} cannot be shared \(copy=False\): somebody might still write to it"):
        Matrix.from_csr(*(given | {name: passed}).values(), copy=False)


@pytest.mark.parametrize(
    ("indptr", "indices", "message"),
    [
        (np.array([0, 2], np.int64), np.array([0, 1], np.int32), "indptr cannot be shared .* must be int32"),
        (np.array([0, 2], np.int32), np.array([0, 1], np.int64), "indices cannot be shared .* must be int32"),
        (np.array([0, 2], np.int32), np.array([1, 0], np.int32), "indptr cannot be shared .* columns ascend"),
    ],
)
def test_what_has_to_be_converted_is_not_shared(indptr, indices, message):
    with pytest.raises(ValueError, match=message):
        Matrix.from_csr(over_bytes(indptr), over_bytes(indices), copy=False)


def test_other_formats_are_not_shared():
    S = assembled(sp.csr_array, *map(over_bytes, tree()))
    with pytest.raises(ValueError, match="must be a CSR to be shared"):
        Matrix.from_scipy(S.tocoo(), copy=False)
    with pytest.raises(ValueError, match="keep its zeros"):
        Matrix.from_scipy(S, drop_zeros=True, copy=False)


def test_bytes_that_are_not_aligned_are_copied():
    indptr, indices, values = tree()
    shifted = np.frombuffer(b"." + indices.tobytes(), np.int32, offset=1)
    assert not shifted.flags.aligned
    assert Matrix.from_csr(indptr, shifted, values).csr.indices.flags.aligned


@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
@pytest.mark.parametrize("bad", [BEYOND, -1])
def test_a_damaged_scipy_matrix_is_refused(kind, bad):
    S = sp.random_array((50, 50), density=0.1, format=kind, rng=3)
    for array in ("row", "col") if kind == "coo" else ("indices", "indptr"):
        damaged = S.copy()
        getattr(damaged, array)[-1] = bad
        with pytest.raises((ValueError, IndexError)):
            Matrix.from_scipy(damaged)
    if kind != "coo":
        S.indptr = S.indptr[:-1]
        with pytest.raises(ValueError, match="indptr"):
            Matrix.from_scipy(S)


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i8", "f4", "f8"])
@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr", "dia", "dok", "lil"])
@pytest.mark.parametrize("drop_zeros", [False, True])
def test_scipy_formats_mean_what_scipy_says(kind, dtype, drop_zeros):
    rng = np.random.default_rng(5)
    i, j = rng.integers(0, 9, (2, 60))
    S = sp.coo_array((rng.integers(0, 3, 60).astype(dtype), (i, j)), shape=(9, 11))
    S = S if kind == "coo" else S.asformat(kind)
    theirs = S.tocsr()
    theirs.sum_duplicates()
    if drop_zeros:
        theirs.eliminate_zeros()
    A = Matrix.from_scipy(S, drop_zeros=drop_zeros)
    assert A.dtype == S.dtype
    assert_array_equal(A.csr.indptr, theirs.indptr)
    assert_array_equal(A.csr.indices, theirs.indices)
    assert_array_equal(A.to_coo()[2], theirs.data)


@pytest.mark.parametrize("kind", [sp.csr_array, sp.csc_array])
def test_rows_of_scipy_may_be_unsorted_with_duplicates_and_room_to_spare(kind):
    S = kind(([2.0, 1.0, 4.0], [1, 0, 1], [0, 3, 3]), shape=(2, 2))
    S.indices, S.data = np.append(S.indices, [9, 9]), np.append(S.data, [9, 9])
    expected = [[1, 6], [0, 0]] if kind is sp.csr_array else [[1, 0], [6, 0]]
    assert Matrix.from_scipy(S).to_scipy().toarray().tolist() == expected


def test_a_scipy_matrix_returned_can_be_changed():
    A = Matrix.from_csr(*tree())
    S = A.to_scipy()
    S *= 2
    S.data[:], S.indices[:], S.indptr[:] = 1, 0, 0
    assert_array_equal(A.csr.values, tree()[2])
    assert bfs(A, 0).depth == DEPTH


@pytest.mark.parametrize("weights", [None, [1, 2]])
def test_what_is_shared_with_others_cannot_be_made_writable(weights):
    A = Matrix.from_edges([0, 1], [1, 2], weights=weights)
    S = A.to_scipy(copy=False)
    assert np.shares_memory(S.indices, A.csr.indices)
    csrs = (array for csr in (A.csr, A.T.csr) for array in (csr.indptr, csr.indices, csr.values))
    for array in (S.indices, S.indptr, *csrs, A.degrees, A.in_degrees):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0
        with pytest.raises(ValueError, match="cannot set WRITEABLE flag"):
            array.flags.writeable = True
        with pytest.raises(ValueError, match="cannot set WRITEABLE flag"):
            array[:].flags.writeable = True


@pytest.mark.parametrize("junk", [BEYOND, -5, 3])
def test_results_are_yours_to_change(junk, backend):
    A = Matrix.from_csr(*tree())
    t = bfs(A, 0, backend=backend)
    t.parents[:] = junk
    with pytest.raises(VerificationError):
        t.verify()
    assert bfs(A, 0, backend=backend).depth == DEPTH


def test_vectors_made_of_buffers_have_their_own_memory():
    memory = bytearray(np.arange(8).tobytes())
    given = np.frombuffer(memory, np.int64)
    vectors = [Vector.from_coo(given, given), Vector.from_dense(given), Vector.from_dlpack(given)]
    memory[:] = b"\x7f" * len(memory)
    for v in vectors:
        assert v.to_dict() == {i: i for i in range(8)}
        v[0] = 5
