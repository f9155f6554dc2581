"""The part of `cupy.cuda` that lagbfs uses."""

from .._device import DEVICE, INVALID_DEVICE
from . import compiler, driver, memory, nvrtc, runtime

__all__ = ["Device", "MemoryPool", "compiler", "driver", "is_available", "memory", "nvrtc", "runtime"]


def is_available():
    return DEVICE.driver > 0 and DEVICE.count > 0


class Device:
    """One of the devices, the current one if none is named; in a ``with`` block it is the current one."""

    def __init__(self, device=None):
        self.id = DEVICE.current.number if device is None else int(device)
        self._before = []

    def __enter__(self):
        if not self.id < DEVICE.count:
            raise runtime.CUDARuntimeError(INVALID_DEVICE)
        DEVICE.call("use", self.id)
        self._before.append(DEVICE.current.number)
        DEVICE.current.number = self.id
        return self

    def __exit__(self, *error):
        DEVICE.current.number = self._before.pop()

    @property
    def mem_info(self):
        return runtime.memGetInfo()

    @property
    def compute_capability(self):
        return "80"

    def synchronize(self):
        DEVICE.call("sync", self.id)


class MemoryPool:
    """The pool that allocations come from."""

    def free_all_blocks(self, stream=None):
        return None

    def free_bytes(self):
        return 0


_POOL = MemoryPool()


def get_default_memory_pool():
    return _POOL
