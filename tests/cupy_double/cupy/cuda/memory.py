"""Allocation errors."""

from .._device import OutOfMemoryError

__all__ = ["OutOfMemoryError"]
