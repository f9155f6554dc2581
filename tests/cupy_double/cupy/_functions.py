"""The functions of CuPy that lagbfs uses, with CuPy's signatures, over device arrays alone."""

import numpy as np

from ._array import host_of, ndarray, wrap
from ._device import DEVICE, Memory


def _numbers(*values):
    """Return operands as NumPy's functions take them: device arrays and numbers, nothing else."""
    return [host_of(value) for value in values]


def _array(a):
    if not isinstance(a, ndarray):
        raise TypeError(f"Unsupported type {type(a)}")
    return a._here


def asarray(a, dtype=None, order=None, *, copy=None, blocking=False):
    if isinstance(a, ndarray):
        return a if dtype is None else a.astype(dtype, copy=False)
    if hasattr(a, "__cuda_array_interface__"):
        held = a.__cuda_array_interface__
        return wrap(np.asarray(type("Host", (), {"__array_interface__": held})()), Memory(0))
    host = np.array(a, dtype)
    memory = Memory(host.nbytes)
    DEVICE.call("pin", host.nbytes)  # CuPy page-locks a copy of the whole
    DEVICE.call("copy", host.nbytes)
    return wrap(host, memory)


def asnumpy(a, stream=None, order="C", out=None, *, blocking=True):
    return a.get(stream, order, out, blocking) if isinstance(a, ndarray) else np.asarray(a)


def from_dlpack(array, *, device=None, copy=None):
    kind, _ = array.__dlpack_device__()
    if kind != 2:
        raise TypeError("CPU arrays cannot be directly imported to CuPy.")
    return wrap(array._host if isinstance(array, ndarray) else np.from_dlpack(array), Memory(0))


def empty(shape, dtype=float, order="C"):
    return ndarray(shape, dtype)


def zeros(shape, dtype=float, order="C"):
    return wrap(np.zeros(shape, dtype))


def ones(shape, dtype=float, order="C"):
    return wrap(np.ones(shape, dtype))


def full(shape, fill_value, dtype=None, order="C"):
    if isinstance(fill_value, np.ndarray) and fill_value.ndim == 0:
        fill_value = fill_value[()]  # which CuPy takes for a number here
    return wrap(np.full(shape, host_of(fill_value), dtype))


def ones_like(a, dtype=None, order="K", subok=None, shape=None):
    return wrap(np.ones_like(_array(a), dtype))


def arange(start, stop=None, step=1, dtype=None):
    return wrap(np.arange(start, stop, step, dtype) if stop is not None else np.arange(start, dtype=dtype))


def flatnonzero(a):
    return wrap(np.flatnonzero(_array(a)))


def where(condition, x=None, y=None):
    return wrap(np.where(_array(condition), *_numbers(x, y)))


def searchsorted(a, v, side="left", sorter=None):
    return wrap(np.searchsorted(_array(a), _array(v), side))


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True):
    return wrap(np.unique(_array(ar)))


def concatenate(tup, axis=0, out=None, *, dtype=None, casting="same_kind"):
    return wrap(np.concatenate([_array(a) for a in tup]))


def sort(a, axis=-1, kind=None):
    return wrap(np.sort(_array(a)))


def argsort(a, axis=-1, kind=None):
    return wrap(np.argsort(_array(a)))


def cumsum(a, axis=None, dtype=None, out=None):
    found = np.cumsum(_array(a), dtype=dtype)
    if out is None:
        return wrap(found)
    DEVICE.call("launch", "cumsum")
    out._host[...] = found
    return out


def ascontiguousarray(a, dtype=None):
    return a if a.flags.c_contiguous and dtype in (None, a.dtype) else wrap(np.ascontiguousarray(_array(a), dtype))


def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return wrap(np.asarray(np.isclose(*_numbers(a, b), rtol=rtol, atol=atol, equal_nan=equal_nan)))


class ufunc:  # noqa: N801 (CuPy's name)
    """An elementwise function. Of all its reductions CuPy has two."""

    def __init__(self, name):
        self.name, self._function = f"cupy_{name}", getattr(np, name)
        self.nin = self._function.nin

    def __call__(self, *operands):
        with np.errstate(all="ignore"):
            return wrap(np.asarray(self._function(*_numbers(*operands))))

    def reduce(self, array, axis=0, dtype=None, out=None, keepdims=False):
        if self.name == "cupy_add":
            return array.sum(axis, dtype)
        if self.name == "cupy_multiply":
            return array.prod(axis, dtype)
        raise NotImplementedError(f"`{self.name}.reduce` is not supported yet")


add, multiply = ufunc("add"), ufunc("multiply")
minimum, maximum, fmin, fmax = ufunc("minimum"), ufunc("maximum"), ufunc("fmin"), ufunc("fmax")
absolute, sqrt, isnan = ufunc("absolute"), ufunc("sqrt"), ufunc("isnan")
logical_and, logical_or = ufunc("logical_and"), ufunc("logical_or")
abs = absolute
