"""Thrust's sorts, done by NumPy: they come with CuPy as kernels for devices and with a runtime of their own."""

import ctypes

import numpy as np


def _array(dtype, address, shape):
    """Return device memory as NumPy sees it, after all work on it is done."""
    import cupy

    cupy.cuda.get_current_stream().synchronize()
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    return np.frombuffer((ctypes.c_char * size).from_address(address), dtype).reshape(shape)


def sort(dtype, data, keys, shape):
    """Sort the last axis in place, as `cupy.cuda.thrust.sort` does."""
    _array(dtype, data, shape).sort()


def argsort(dtype, order, data, keys, shape):
    """Write the order of the last axis, as `cupy.cuda.thrust.argsort` does."""
    _array(np.intp, order, shape)[...] = np.argsort(_array(dtype, data, shape), kind="stable")


def install():
    """Let CuPy sort by these."""
    import cupy

    cupy.cuda.thrust.sort, cupy.cuda.thrust.argsort = sort, argsort
