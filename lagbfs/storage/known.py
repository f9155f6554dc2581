"""Which operators host routines know: those that keep a dtype, by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..host import combining
from ..operators.binary import Binary

__all__ = ["known"]


def known(op: Binary | None, dtype: np.dtype[Any]) -> str:
    """Return the name by which routines know a binary operator over a dtype, empty if they do not.

    Examples
    --------
    >>> import numpy as np
    >>> from lagbfs import binary
    >>> from lagbfs.storage.known import known
    >>> known(binary.plus, np.dtype(float)), known(binary.eq, np.dtype(float))
    ('plus', '')
    """
    if op is None or not op.is_builtin or not combining.knows(op.name, dtype):
        return ""
    typed = op.at(dtype, dtype)
    return typed.parent.name if typed.type == typed.return_type == dtype else ""
