"""Whose memory an array is: what is kept and trusted must be such that nobody can write to it any more.

That an array is read-only does not say so. A view taken before stays writable, whoever has the array lifts the flag,
and what is mapped from a file changes with the file. Only the memory of a `bytes` object is nobody's to write to.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidValueError

__all__ = ["is_immutable", "kept", "sealed"]


def is_immutable(array: NDArray[Any]) -> bool:
    """Whether nobody can write to the memory of an array: it is that of a bytes object."""
    memory: Any = array
    while type(memory) in (np.ndarray, memoryview):  # no subclasses: they may say anything of their base
        memory = memory.obj if type(memory) is memoryview else memory.base
    return type(memory) is bytes


def kept(name: str, values: Any, copy: bool | None) -> NDArray[Any]:
    """Return `values` as an array to keep: a copy, or themselves if nobody can write to them and `copy` is not True."""
    array = np.asarray(values)
    if copy is not True and is_immutable(array) and array.flags.c_contiguous and array.flags.aligned:
        return array
    if copy is False:
        raise InvalidValueError(
            f"{name} cannot be shared (copy=False): somebody might still write to it. Only memory of bytes can, as in "
            "np.frombuffer(data, np.int32), contiguous and aligned; leave copy out to have the others copied"
        )
    return np.array(array)


def sealed(array: NDArray[Any]) -> NDArray[Any]:
    """Return a read-only view of an array that nobody else has; it cannot be made writable again."""
    memory: Any = array
    while isinstance(memory, np.ndarray):
        memory.flags.writeable = False
        memory = memory.base
    return np.asarray(array.data.toreadonly())
