"""The device of the double: how much memory it has, what was asked of it, and when it is to fail.

Every allocation, copy and launch is a *call*. A test may let one fail, as a device would: by its number, once or
(sticky, as after a fault in a kernel) for ever.

There may be several devices, with one account of memory for all. One of them is current, for each thread by itself;
memory belongs to the one that was current when it was allocated, and nothing else may look into it.
"""

import threading
from collections import deque

import numpy as np

INSUFFICIENT_DRIVER, NO_DEVICE, INVALID_DEVICE, ILLEGAL_ADDRESS, DEVICES_UNAVAILABLE = 35, 100, 101, 700, 46
_NAMES = {
    INSUFFICIENT_DRIVER: "cudaErrorInsufficientDriver: CUDA driver version is insufficient for CUDA runtime version",
    NO_DEVICE: "cudaErrorNoDevice: no CUDA-capable device is detected",
    INVALID_DEVICE: "cudaErrorInvalidDevice: invalid device ordinal",
    ILLEGAL_ADDRESS: "cudaErrorIllegalAddress: an illegal memory access was encountered",
    DEVICES_UNAVAILABLE: "cudaErrorDevicesUnavailable: CUDA-capable device(s) is/are busy or unavailable",
}


class CUDARuntimeError(RuntimeError):
    """As CuPy's: a status and its text."""

    def __init__(self, status):
        self.status = status
        super().__init__(_NAMES[status])


class CUDADriverError(RuntimeError):
    """As CuPy's."""

    def __init__(self, status):
        self.status = status
        super().__init__(_NAMES[status].replace("cudaError", "CUDA_ERROR_"))


class OutOfMemoryError(MemoryError):
    """As CuPy's."""

    def __init__(self, size, total, limit=0):
        super().__init__(f"Out of memory allocating {size:,} bytes (allocated so far: {total:,} bytes).")


class _Current(threading.local):
    """Which device is current in this thread."""

    number = 0


class Device:
    """What the devices of the double have and do."""

    def __init__(self):
        self.total = 1 << 33
        self.used = 0
        # What was asked of it last: ("malloc" | "copy" | "launch" | "pin" | …, how much or which kernel).
        self.calls = deque(maxlen=1 << 16)
        self.driver, self.count = 13000, 1
        self.current = _Current()
        self.order, self._launches = "forward", 0  # in which the threads of a block take turns
        self.recover()

    def recover(self):
        """Forget all faults that were to come."""
        self._fault, self._countdown, self._sticky = None, 0, False

    def fail(self, after, error, *, sticky=False):
        """Let the call after so many more raise `error`, and all that follow if it is sticky."""
        self._fault, self._countdown, self._sticky = error, after, sticky

    def seed(self):
        """Return another seed for each launch."""
        self._launches += 1
        return self._launches

    def call(self, kind, what):
        """Note a call, or let it fail."""
        if self._fault is not None:
            self._countdown -= 1
            if self._countdown < 0:
                error = self._fault
                if not self._sticky:
                    self._fault = None
                raise error
        self.calls.append((kind, what))


DEVICE = Device()


class Memory:
    """A piece of the device's memory, given back when nothing refers to it."""

    def __init__(self, nbytes):
        self.nbytes, self.device = 0, DEVICE.current.number
        DEVICE.call("malloc", nbytes)
        if DEVICE.used + nbytes > DEVICE.total:
            raise OutOfMemoryError(nbytes, DEVICE.used)
        DEVICE.used += nbytes
        self.nbytes = nbytes

    def __del__(self):
        DEVICE.used -= self.nbytes

    def check(self):
        """Raise unless the memory is that of the device in use; CuPy would go there if it can, and slowly."""
        if self.device != DEVICE.current.number:
            raise ValueError(f"an array of device {self.device} was used on device {DEVICE.current.number}")


def poisoned(shape, dtype):
    """Return memory as an allocator hands it out: not zeros."""
    array = np.empty(shape, dtype)
    array.reshape(-1).view(np.uint8)[...] = 0xA5
    return array if array.dtype != bool else array.view(np.uint8).astype(bool)
