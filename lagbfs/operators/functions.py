"""The functions behind operators, where NumPy has no such function or means another one: those of C and GraphBLAS.

Each takes arrays of one namespace (NumPy or CuPy), all of the dtype to compute in.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from ..base import casts
from ..base.arrays import to_device, to_host
from ..errors import InvalidTypeError

Function = Callable[..., Any]


def on_host(function: Function) -> Function:
    """Compute what is on a device on the host: for what CuPy has no functions for."""

    @wraps(function)
    def anywhere(xp: Any, *operands: Any) -> Any:
        with np.errstate(all="ignore"):
            if xp is np:
                return function(*operands)
            return to_device(function(*map(to_host, operands)))

    return anywhere


def quietly(function: Function, inner: np.dtype[Any], *operands: Any) -> Any:
    """Return what a function makes of operands of dtype `inner`; integers give no cause for warnings, and take less."""
    if inner.kind != "f":
        return function(*operands)
    with np.errstate(all="ignore"):
        return function(*operands)


def by_name(name: str) -> Function:
    """Return a function of NumPy, which CuPy has under the same name or the host computes."""
    here = on_host(getattr(np, name))

    def function(xp: Any, *operands: Any) -> Any:
        return getattr(xp, name)(*operands) if hasattr(xp, name) else here(xp, *operands)

    return function


def without_values(_xp: Any, *_operands: Any) -> Any:
    """Refuse: the operator gives a position, which no value tells."""
    raise InvalidTypeError("an operator that gives positions cannot be an accumulator, nor combine duplicates")


@on_host
def quotient(x: Any, y: Any) -> Any:
    """Return x / y, of integers cut towards zero; of a bool x. By 0: the largest number of the sign of x, 0 of 0."""
    if x.dtype.kind == "b":
        return x
    if x.dtype.kind == "f":
        return x / y
    by_zero = y == 0
    safe = np.where(by_zero, np.ones_like(y), y)
    result = x // safe
    result += ((result * safe != x) & ((x < 0) != (y < 0))).astype(x.dtype)
    bounds = np.iinfo(x.dtype)
    extremes = np.where(x < 0, np.array(bounds.min, x.dtype), np.array(bounds.max, x.dtype))
    return np.where(by_zero, np.where(x == 0, x, extremes), result)


@on_host
def floor_quotient(x: Any, y: Any) -> Any:
    """Return x / y cut towards minus infinity; integers by 0 are 0."""
    return np.floor_divide(x, y)


@on_host
def power(x: Any, y: Any) -> Any:
    """Return x to the power of y. Integers are computed in floats of 64 bits, and end at their bounds."""
    if x.dtype.kind == "b":
        return x | ~y
    if x.dtype.kind != "f":
        return casts.cast(np.power(x.astype(np.float64), y.astype(np.float64)), x.dtype)
    return np.where(np.isnan(x) | np.isnan(y), np.array(np.nan, x.dtype), np.power(x, y))


@on_host
def inverse(x: Any) -> Any:
    """Return 1 / x, as `quotient` does; of a bool true."""
    return np.ones_like(x) if x.dtype.kind == "b" else quotient(np, np.ones_like(x), x)


def difference(_xp: Any, x: Any, y: Any) -> Any:
    """Return x - y; of bools whether they differ."""
    return x ^ y if x.dtype.kind == "b" else x - y


def negative(_xp: Any, x: Any) -> Any:
    """Return -x; a bool as it is."""
    return x if x.dtype.kind == "b" else -x


@on_host
def remainder(x: Any, y: Any) -> Any:
    """Return x - n · y, where n is the integer nearest to x / y, even if two are."""
    divisor, size = np.abs(y), np.abs(x)
    rest = np.where((divisor > np.finfo(y.dtype).max / 2) & np.isfinite(x), size, np.fmod(size, divisor + divisor))
    above = rest > divisor - rest  # more than half of the divisor, exactly
    rest = np.where(above, rest - divisor, rest)
    rest = np.where(above & (rest >= divisor - rest), rest - divisor, rest)
    return np.where(np.signbit(x), -rest, rest)


@on_host
def rounded(x: Any) -> Any:
    """Return the nearest integer; of two, the one further from 0."""
    whole = np.trunc(x)
    return np.copysign(whole + np.copysign((np.abs(x - whole) >= 0.5).astype(x.dtype), x), x)


@on_host
def sign(x: Any) -> Any:
    """Return -1, 0 or 1; of NaN, NaN."""
    return np.sign(x)


@on_host
def scaled(x: Any, y: Any) -> Any:
    """Return x times 2 to the power of y."""
    return np.ldexp(x, casts.cast(y, np.dtype(np.int32)))


@on_host
def mantissa(x: Any) -> Any:
    """Return the part of x in [1/2, 1)."""
    return np.frexp(x)[0]


@on_host
def exponent(x: Any) -> Any:
    """Return the power of two that `mantissa` is multiplied by, as a float."""
    return np.frexp(x)[1].astype(x.dtype)


def special(name: str) -> Function:
    """Return a function of SciPy, imported when it is first used."""

    @on_host
    def function(x: Any) -> Any:
        import scipy.special

        return getattr(scipy.special, name)(x)

    return function


@on_host
def log_gamma(x: Any) -> Any:
    """Return the logarithm of the absolute value of the gamma function; infinite at minus infinity."""
    import scipy.special

    return np.where(np.isinf(x), np.abs(x), scipy.special.gammaln(x))


@on_host
def gamma(x: Any) -> Any:
    """Return the gamma function: NaN at negative integers, infinite at 0 with its sign."""
    import scipy.special

    result = scipy.special.gamma(x)
    result = np.where((x < 0) & (x == np.floor(x)), np.array(np.nan, x.dtype), result)
    return np.where(x == 0, np.copysign(np.array(np.inf, x.dtype), x), result)


@on_host
def binomial(n: Any, k: Any) -> Any:
    """Return n over k; 0 outside of 0 ≤ k ≤ n, and where it overflows on the way."""
    largest = np.iinfo(np.int64).max
    inside = (k >= 0) & (k <= n)
    steps = np.where(inside, np.minimum(k, n - k), 0)
    result = inside.astype(np.int64)
    for i in range(int(steps.max(initial=0))):
        going = (steps > i) & (result > 0)
        if not going.any():
            break
        factor = np.where(going, n - i, 1)
        fits = result <= largest // factor
        result = np.where(going, np.where(fits, result * factor // (i + 1), 0), result)
    return result


def close(rel_tol: float, abs_tol: float) -> Function:
    """Return the function that says whether two numbers are nearly equal; infinity is to itself alone."""

    @on_host
    def function(x: Any, y: Any) -> Any:
        if x.dtype.kind != "f":
            x, y = x.astype(np.float64), y.astype(np.float64)
        bound = np.maximum(rel_tol * np.maximum(np.abs(x), np.abs(y)), abs_tol)
        return (x == y) | ((np.abs(x - y) <= bound) & np.isfinite(x) & np.isfinite(y))

    return function


def equal_truth(_xp: Any, x: Any, y: Any) -> Any:
    """Return whether two bools are equal."""
    return ~(x ^ y)


def truth(combine: Function) -> Function:
    """Return the function of whether operands are not 0, as numbers of their dtype."""

    def function(_xp: Any, *operands: Any) -> Any:
        dtype = operands[0].dtype
        return combine(*(x.astype(bool, copy=False) for x in operands)).astype(dtype, copy=False)

    return function


def compared(compare: Callable[[Any, Any], Any]) -> Function:
    """Return a comparison, as numbers of the operands' dtype."""
    return lambda xp, x, y: compare(x, y).astype(x.dtype, copy=False)


def _bit(x: Any, k: Any) -> tuple[Any, Any]:
    """Return the k-th bit of x's dtype, counted from 1, and whether there is one; both as arrays."""
    there = (k >= 1) & (k <= 8 * x.dtype.itemsize)
    return np.left_shift(np.ones_like(x), np.where(there, k - 1, 0).astype(x.dtype)), there


@on_host
def bit_get(x: Any, k: Any) -> Any:
    """Return the k-th bit of x, 0 if it has none."""
    bit, there = _bit(x, k)
    return (((x & bit) != 0) & there).astype(x.dtype)


@on_host
def bit_set(x: Any, k: Any) -> Any:
    """Return x with its k-th bit set, x if it has none."""
    bit, there = _bit(x, k)
    return np.where(there, x | bit, x)


@on_host
def bit_clear(x: Any, k: Any) -> Any:
    """Return x with its k-th bit cleared, x if it has none."""
    bit, there = _bit(x, k)
    return np.where(there, x & ~bit, x)


@on_host
def shifted(x: Any, k: Any) -> Any:
    """Return x shifted to the left by k bits, to the right by -k; k is taken as an integer of 8 bits."""
    by, width = k.astype(np.int8).astype(np.int64), 8 * x.dtype.itemsize
    left = np.left_shift(x, np.clip(by, 0, width - 1).astype(x.dtype))
    right = np.right_shift(x, np.clip(-by, 0, width - 1).astype(x.dtype))
    gone = np.where((by < 0) & (x < 0), ~np.zeros_like(x), np.zeros_like(x))
    return np.where(np.abs(by) >= width, gone, np.where(by > 0, left, right))
