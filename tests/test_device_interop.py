"""Arrays and matrices that are on the device, in and out: cupyx, DLPack, the CUDA array interface."""

import sys

import gpu
import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import LagbfsError, Matrix, Vector, backends, bfs

ENGINE = {info.name: info for info in backends.available()}["cupyx"]
needs_cusparse = pytest.mark.skipif(gpu.SIMULATED, reason="needs cuSPARSE and a device, or the double of CuPy")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not ENGINE.runs, reason=f"cupyx cannot run here: {ENGINE.reason}")]


@needs_cusparse
@given(data=st.data(), dtype=sts.dtypes)
def test_matrices_go_to_cupyx_and_come_back(data, dtype):
    found = data.draw(sts.coordinates(6, 9, dtype, small=True))
    A = sts.matrix(found, 6, 9, dtype)
    there = A.to_cupyx()
    assert there.shape == (6, 9)
    assert there.dtype == (dtype if dtype.kind in "bf" else np.float64)
    back = Matrix.from_cupyx(there)
    np.testing.assert_array_equal(back.csr.indptr, A.csr.indptr)
    np.testing.assert_array_equal(back.csr.indices, A.csr.indices)
    np.testing.assert_array_equal(back.csr.values, A.csr.all_values().astype(there.dtype))
    assert Matrix.from_cupyx(there, drop_zeros=True).nvals == sum(bool(x) for x in found.values())


@needs_cusparse
def test_a_matrix_of_cupyx_is_searched():
    A = Matrix.from_edges([0, 1, 2], [1, 2, 0], n=4)
    assert bfs(Matrix.from_cupyx(A.to_cupyx()), 0, backend="cupyx").levels.tolist() == [0, 1, 2, -1]


@pytest.mark.parametrize("wrong", [np.eye(3), None, "A", Matrix.from_edges([0], [1])])
def test_what_is_no_matrix_of_cupyx(wrong):
    with pytest.raises(LagbfsError, match="matrix must be a sparse matrix of cupyx"):
        Matrix.from_cupyx(wrong)


def test_without_the_toolkit_the_extra_is_named(monkeypatch):
    def missing(*_):
        raise ImportError("Failure finding\n libcusparse.so")

    monkeypatch.setattr("cupyx.scipy.sparse.csr_matrix", missing)
    with pytest.raises(ImportError, match=r"libcusparse\.so.*pip install 'cupy-cuda13x\[ctk\]>=14'") as caught:
        Matrix.from_edges([0], [1]).to_cupyx()
    assert isinstance(caught.value, LagbfsError)


def test_without_cupy_the_extra_is_named(monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] in ("cupy", "cupyx")]:
        monkeypatch.setitem(sys.modules, name, None)
    for ask in (Vector.from_coo([0], [1]).to_device, Matrix.from_edges([0], [1]).to_cupyx):
        with pytest.raises(ImportError, match=r"pip install 'cupy-cuda13x\[ctk\]>=14' \(lagbfs\[cuda13\]\)"):
            ask()


class Exported:
    """An array of another library, on the device: it has the CUDA array interface alone."""

    def __init__(self, array):
        self.array = array
        self.__cuda_array_interface__ = array.__cuda_array_interface__


@given(v=sts.vectors(20))
def test_vectors_from_arrays_of_other_libraries(v):
    import cupy

    host = v.to_dense(0).astype(v.dtype)
    there = cupy.asarray(host)
    for array in (there, Exported(there), host):
        made = Vector.from_dlpack(array)
        assert made.is_on_device == (array is not host)
        assert (made.format, made.dtype) == ("full", v.dtype)
        np.testing.assert_array_equal(made.to_host().to_dense(), host)
        some = Vector.from_dlpack(array, missing_value=0)
        assert some.to_dict() == Vector.from_dense(host, missing_value=0).to_dict()
    made[0] = 1
    assert host[0] == v.to_dense(0)[0]  # a copy


def test_nan_may_stand_for_no_entry():
    import cupy

    there = cupy.asarray(np.array([1.0, np.nan, 3.0]))
    assert Vector.from_dlpack(there, missing_value=np.nan).to_dict() == {0: 1.0, 2: 3.0}


def test_vectors_are_taken_by_other_libraries_without_a_copy():
    import cupy

    v = Vector.from_dense([1.5, 2.5])
    assert np.shares_memory(np.from_dlpack(v), v.form.values)
    assert not hasattr(v, "__cuda_array_interface__")
    there = v.to_device()
    assert there.__dlpack_device__() == (2, 0)
    assert there.__cuda_array_interface__["data"][0] == there.form.values.data.ptr
    assert cupy.asarray(there).get().tolist() == [1.5, 2.5]
    if gpu.DEVICE:
        assert cupy.from_dlpack(there).data.ptr == there.form.values.data.ptr


def test_a_vector_with_gaps_is_no_array():
    v = Vector.from_coo([1], [5], size=3)
    for ask in (lambda: np.from_dlpack(v), lambda: v.to_device().__cuda_array_interface__):
        with pytest.raises(LagbfsError, match=r"2 of 3 positions have no entry.*to_dense"):
            ask()


@pytest.mark.parametrize("wrong", [[1, 2], 3, None, "x"])
def test_what_is_no_array(wrong):
    with pytest.raises(LagbfsError, match="array must have __dlpack__"):
        Vector.from_dlpack(wrong)


def test_arrays_of_another_shape_or_dtype():
    import cupy

    for where in (np.asarray, cupy.asarray):
        with pytest.raises(LagbfsError, match="one-dimensional"):
            Vector.from_dlpack(where(np.zeros((2, 2))))
        with pytest.raises(LagbfsError, match="array must be boolean, integer or float"):
            Vector.from_dlpack(where(np.zeros(2, complex)))
