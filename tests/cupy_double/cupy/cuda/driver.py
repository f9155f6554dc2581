"""Driver errors."""

from .._device import CUDADriverError

__all__ = ["CUDADriverError"]
