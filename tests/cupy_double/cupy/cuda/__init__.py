"""The part of `cupy.cuda` that lagbfs uses."""

from .._device import DEVICE
from . import compiler, driver, memory, nvrtc, runtime

__all__ = ["Device", "MemoryPool", "compiler", "driver", "is_available", "memory", "nvrtc", "runtime"]


def is_available():
    return DEVICE.driver > 0 and DEVICE.count > 0


class Device:
    """The device in use."""

    def __init__(self, device=None):
        self.id = 0

    @property
    def mem_info(self):
        return runtime.memGetInfo()

    @property
    def compute_capability(self):
        return "80"

    def synchronize(self):
        DEVICE.call("sync", 0)


class MemoryPool:
    """The pool that allocations come from."""

    def free_all_blocks(self, stream=None):
        return None

    def free_bytes(self):
        return 0


_POOL = MemoryPool()


def get_default_memory_pool():
    return _POOL
