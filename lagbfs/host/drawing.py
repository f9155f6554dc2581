"""Random edges, as backends/native/random.hpp defines them, by NumPy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base import random_words

__all__ = ["attach", "rmat_edges"]

Array = NDArray[Any]
_DRAWN = 1 << 16  # edges drawn together: bounds the memory beside the result


def rmat_edges(
    scale: int,
    size: int,
    bounds: Sequence[int],
    *,
    seed: int,
    stream: int,
    names: Array | None,
    threads: int | None,
    scramble: int | None = None,
    first: int = 0,
) -> tuple[Array, Array]:
    """Draw edges, some at a time: see `Routines.rmat_edges`."""
    dtype, width = (np.int32 if scale < 32 else np.int64), (scale + 1) // 2
    src, dst = np.empty(size, dtype), np.empty(size, dtype)
    for begin in range(0, size, _DRAWN):
        end = min(begin + _DRAWN, size)
        words = random_words.words(seed, stream, (first + begin) * width, (end - begin) * width)
        u, v = _ends(words.reshape(end - begin, width), scale, bounds)
        if scramble is not None:
            u, v = (random_words.scrambled(x, seed, scramble, scale) for x in (u, v))
        src[begin:end], dst[begin:end] = (u, v) if names is None else (names[u], names[v])
    return src, dst


def attach(n: int, m: int, seed: int, stream: int) -> Array:
    """Draw from the list of all ends of edges so far: see `Routines.attach`."""
    # For each vertex from m on, the m that it joined, ascending, and itself m times.
    ends = np.empty((n - m, 2, m), np.int64)
    ends[:, 1] = np.arange(m, n)[:, None]
    ends[0, 0] = np.arange(m)
    flat, draws = ends.reshape(-1), _drawn(seed, stream)
    for i in range(1, n - m):
        joined: set[int] = set()
        while len(joined) < m:
            joined.add(int(flat[(next(draws) * 2 * m * i) >> 64]))
        ends[i, 0] = sorted(joined)
    return np.ascontiguousarray(ends[:, 0]).reshape(-1)


def _ends(words: NDArray[np.uint64], scale: int, bounds: Sequence[int]) -> tuple[Array, Array]:
    """Return the ends that rows of words stand for, each level a bit of both."""
    u, v = np.zeros(len(words), np.int64), np.zeros(len(words), np.int64)
    for level in range(scale):
        word = words[:, level // 2]
        bits = word >> np.uint64(32) if level % 2 else word & np.uint64(0xFFFFFFFF)
        first, row, last = (bits >= np.uint64(bound) for bound in bounds)
        u |= row.astype(np.int64) << level
        v |= (first ^ row ^ last).astype(np.int64) << level
    return u, v


def _drawn(seed: int, stream: int, chunk: int = 1 << 14) -> Iterator[int]:
    """Yield the words of a stream."""
    for i in count():
        yield from random_words.words(seed, stream, i * chunk, chunk).tolist()
