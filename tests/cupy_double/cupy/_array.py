"""Device arrays: NumPy arrays that NumPy does not get at, with the methods of CuPy's that lagbfs uses."""

import operator

import numpy as np

from ._device import DEVICE, Memory, poisoned
from .cuda import Device


class Flags:
    """What `flags` tells of an array."""

    def __init__(self, host):
        self.c_contiguous, self.owndata = host.flags.c_contiguous, host.flags.owndata


class Pointer:
    """Where an array lies: `data.ptr`."""

    def __init__(self, host):
        self.ptr = host.ctypes.data


class ndarray:  # noqa: N801 (CuPy's name)
    """An array on the device. Only the functions of this package, and explicit copies, look inside."""

    __array_ufunc__ = None  # NumPy operators leave it to the methods below, which refuse
    __hash__ = None

    def __init__(self, shape, dtype=float, memptr=None, strides=None, order="C"):
        self._memory = Memory(int(np.prod(shape)) * np.dtype(dtype).itemsize)
        self._host = poisoned(shape, dtype)

    dtype = property(lambda self: self._host.dtype)
    shape = property(lambda self: self._host.shape)
    size = property(lambda self: self._host.size)
    ndim = property(lambda self: self._host.ndim)
    nbytes = property(lambda self: self._host.nbytes)
    itemsize = property(lambda self: self._host.itemsize)
    flags = property(lambda self: Flags(self._host))
    data = property(lambda self: Pointer(self._host))
    device = property(lambda self: Device(self._memory.device))
    __cuda_array_interface__ = property(lambda self: {**self._host.__array_interface__, "version": 3, "stream": 1})

    @property
    def _here(self):
        """The values, to whoever computes on the device in use."""
        self._memory.check()
        return self._host

    def __array__(self, dtype=None, copy=None):
        raise TypeError(
            "Implicit conversion to a NumPy array is not allowed. "
            "Please use `.get()` to construct a NumPy array explicitly."
        )

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        return self._host.__dlpack__()

    def __dlpack_device__(self):
        return (2, self._memory.device)  # kDLCUDA

    def get(self, stream=None, order="C", out=None, blocking=True):
        DEVICE.call("copy", self.nbytes)
        if out is None:
            return self._host.copy()
        out[...] = self._host
        return out

    def set(self, arr, stream=None):
        if not isinstance(arr, np.ndarray):
            raise TypeError("Only numpy.ndarray can be set to cupy.ndarray")
        if arr.dtype != self.dtype:
            raise TypeError(f"{arr.dtype} array cannot be set to {self.dtype} array")
        if arr.shape != self.shape:
            raise ValueError(f"Shape mismatch. Old shape: {self.shape}, new shape: {arr.shape}")
        DEVICE.call("copy", self.nbytes)
        self._here[...] = arr

    def fill(self, value):
        DEVICE.call("launch", "fill")
        self._here.fill(host_of(value))

    def astype(self, dtype, order="K", casting=None, subok=None, copy=True):
        if not copy and self.dtype == dtype:
            return self
        with np.errstate(all="ignore"):
            return wrap(self._here.astype(dtype))

    def view(self, dtype=None, type=None):
        return wrap(self._host.view(dtype), self._memory)

    def item(self):
        DEVICE.call("copy", self.itemsize)
        return self._host.item()

    def tolist(self):
        return self.get().tolist()

    def copy(self, order="C"):
        return wrap(self._here.copy())

    def sum(self, axis=None, dtype=None, out=None, keepdims=False):
        return wrap(np.asarray(self._here.sum(axis, dtype)))

    def prod(self, axis=None, dtype=None, out=None, keepdims=None):
        return wrap(np.asarray(self._here.prod(axis, dtype)))

    def min(self, axis=None, out=None, keepdims=False):
        return wrap(np.asarray(self._here.min(axis)))

    def max(self, axis=None, out=None, keepdims=False):
        return wrap(np.asarray(self._here.max(axis)))

    def any(self, axis=None, out=None, keepdims=False):
        return wrap(np.asarray(self._here.any(axis)))

    def all(self, axis=None, out=None, keepdims=False):
        return wrap(np.asarray(self._here.all(axis)))

    def __len__(self):
        return len(self._host)

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __getitem__(self, at):
        at = _index(at)
        part = self._host[at]
        shares = isinstance(part, np.ndarray) and np.shares_memory(part, self._host)
        return wrap(np.asarray(part), self._memory if shares else None)

    def __setitem__(self, at, value):
        DEVICE.call("launch", "setitem")
        self._here[_index(at)] = host_of(value)

    def __bool__(self):
        return bool(self.get())

    def __int__(self):
        return int(self.get())

    def __float__(self):
        return float(self.get())

    def __repr__(self):
        return f"device {self._host!r}"


def wrap(host, memory=None):
    """Return a device array of these values: in memory of its own, or as a view of what has that already."""
    array = ndarray.__new__(ndarray)
    array._memory = Memory(host.nbytes) if memory is None else memory
    array._host = host
    if memory is None:
        DEVICE.call("launch", "elementwise")
    return array


def host_of(value):
    """Return what a device function may see of an operand; arrays of the host are refused, as by CuPy."""
    if isinstance(value, ndarray):
        return value._here
    if isinstance(value, bool | int | float | np.generic):
        return value
    raise TypeError(f"Unsupported type {type(value)}")


def _index(at):
    """Return an index into the values. CuPy would copy arrays of the host by itself; here that is an error."""
    if at is None or isinstance(at, slice | int | np.integer) or at is Ellipsis:
        return at
    return host_of(at)


def _binary(name, *, reflected=False):
    function = getattr(operator, name)

    def method(self, other):
        x, y = self._here, host_of(other)
        with np.errstate(all="ignore"):
            return wrap(np.asarray(function(y, x) if reflected else function(x, y)))

    return method


for _name in ("add", "sub", "mul", "truediv", "and_", "or_", "xor", "rshift", "lshift"):
    _bare = _name.rstrip("_")
    setattr(ndarray, f"__{_bare}__", _binary(_name))
    setattr(ndarray, f"__r{_bare}__", _binary(_name, reflected=True))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(ndarray, f"__{_name}__", _binary(_name))
ndarray.__invert__ = lambda self: wrap(np.asarray(~self._here))
ndarray.__neg__ = lambda self: wrap(np.asarray(-self._here))
