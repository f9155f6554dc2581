"""Whether compressed rows that come from outside can be trusted, and their fingerprint, by NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["inspect_rows"]

Array = NDArray[Any]
_FACTOR = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)


def inspect_rows(
    indptr: Array, indices: Array, ncols: int, values: Array | None, keys: tuple[int, int, int]
) -> tuple[int, int, int]:
    """Return the first row that is not right, and the fingerprints: see `Routines.inspect_rows`."""
    n = len(indptr) - 1
    begins, ends = indptr[:-1], indptr[1:]
    outside = (begins < 0) | (ends < begins) | (ends > len(indices))
    stop = int(np.argmax(outside)) if outside.any() else n
    rows = np.repeat(np.arange(stop), np.diff(indptr[: stop + 1]))
    first = int(indptr[0]) if stop else 0
    cols = indices[first : first + len(rows)]
    wrong = (cols < 0) | (cols >= ncols)
    wrong[1:] |= (rows[1:] == rows[:-1]) & (cols[1:] <= cols[:-1])
    if wrong.any():
        return int(rows[np.argmax(wrong)]), 0, 0
    if stop < n:
        return stop, 0, 0
    u, v = rows.astype(np.uint64), cols.astype(np.uint64)
    held: Any = np.uint64(0)
    if values is not None:
        held = values[first : first + len(rows)].astype(np.uint64) * np.uint64(keys[2])
    return n, _print(u, v, held, keys), _print(v, u, held, keys)


def _print(u: Array, v: Array, held: Any, keys: tuple[int, int, int]) -> int:
    z = u * np.uint64(keys[0]) + v * np.uint64(keys[1]) + held
    for _ in range(2):
        z = (z ^ (z >> _HALF)) * _FACTOR
    return int(np.add.reduce(z ^ (z >> _HALF), dtype=np.uint64))
