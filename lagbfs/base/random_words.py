"""Random numbers by counter: word i of a stream is a function of (seed, stream, i) alone.

The stream is SplitMix64 started at a key that seed and stream are mixed into. The native engine draws the same words
(backends/native/random.hpp). Only integer arithmetic makes edges out of them, so that a seed gives one graph with
every engine, processor and version of NumPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidValueError
from . import checks

__all__ = ["below", "chance", "happens", "permutation", "scrambled", "seed64", "words"]

_GAMMA, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_MASK = (1 << 64) - 1
_ROUNDS = 6


def words(seed: int, stream: int, begin: int, count: int) -> NDArray[np.uint64]:
    """Return words `begin` … ``begin + count - 1`` of a stream: 64 random bits each.

    Examples
    --------
    >>> from lagbfs.base import random_words
    >>> (random_words.words(1, 0, 0, 5)[3:] == random_words.words(1, 0, 3, 2)).all()
    np.True_
    """
    start = (_mix_int((_mix_int(seed) + stream * _GAMMA) & _MASK) + (begin + 1) * _GAMMA) & _MASK
    z = np.arange(count, dtype=np.uint64)
    z *= np.uint64(_GAMMA)
    z += np.uint64(start)
    return _mixed(z)


def _mixed(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return words mixed, in their place."""
    for shift, factor in ((30, _FIRST), (27, _SECOND)):
        z ^= z >> np.uint64(shift)
        z *= np.uint64(factor)
    z ^= z >> np.uint64(31)
    return z


def _mix_int(z: int) -> int:
    z = ((z ^ (z >> 30)) * _FIRST) & _MASK
    z = ((z ^ (z >> 27)) * _SECOND) & _MASK
    return z ^ (z >> 31)


def below(word: NDArray[np.uint64], n: int) -> NDArray[np.int64]:
    """Return floor(word · n / 2^64), numbers below `n`, which must be below 2^32.

    With the word in two halves: each product, and the sum, stays below 2^64.
    """
    if not 0 < n < 1 << 32:
        raise InvalidValueError(f"n must lie in [1, 2^32), not {n}")
    half, size = np.uint64(32), np.uint64(n)
    low = ((word & np.uint64(0xFFFFFFFF)) * size) >> half
    return (((word >> half) * size + low) >> half).astype(np.int64)


def chance(name: str, share: Any) -> int:
    """Return the bound below which the upper 32 bits of a word fall with probability `share`."""
    try:
        if not 0 <= share <= 1:
            raise InvalidValueError(f"{name} must lie in [0, 1], not {share}")
    except TypeError:
        raise InvalidValueError(f"{name} must be a number in [0, 1], not {share!r}") from None
    return round(float(share) * 2**32)


def happens(word: NDArray[np.uint64], bound: int) -> NDArray[np.bool_]:
    """Return where the upper 32 bits of the words lie below a bound of `chance`."""
    return (word >> np.uint64(32)) < np.uint64(bound)


def permutation(seed: int, stream: int, n: int) -> NDArray[Any]:
    """Return 0 … n - 1 in random order, as the narrowest index type: the order of n words."""
    order = np.argsort(words(seed, stream, 0, n), kind="stable")
    return order.astype(np.int32 if n <= checks.INT32_MAX + 1 else np.int64)


def scrambled(numbers: NDArray[Any], seed: int, stream: int, bits: int) -> NDArray[np.int64]:
    """Return where a permutation of 0 … 2^bits - 1 takes some of them; it is computed for each, without a table.

    A Feistel network of six rounds: the halves of a number take turns in changing the other.

    Examples
    --------
    >>> import numpy as np
    >>> sorted(scrambled(np.arange(8), 1, 0, 3).tolist())
    [0, 1, 2, 3, 4, 5, 6, 7]
    """
    low_bits, keys = bits // 2, words(seed, stream, 0, _ROUNDS)
    halves = [
        numbers.astype(np.uint64) & np.uint64((1 << low_bits) - 1),
        numbers.astype(np.uint64) >> np.uint64(low_bits),
    ]
    for number, key in enumerate(keys):
        changed, width = (1, bits - low_bits) if number % 2 == 0 else (0, low_bits)
        if width:
            halves[changed] ^= _mixed(halves[1 - changed] + key) >> np.uint64(64 - width)
    return (halves[1] << np.uint64(low_bits) | halves[0]).astype(np.int64)


def seed64(seed: Any) -> int:
    """Return a seed after checking it: an integer of 64 bits."""
    value = checks.integer("seed", seed, low=0)
    if value > _MASK:
        raise InvalidValueError(f"seed must be less than 2^64, not {value}")
    return value
