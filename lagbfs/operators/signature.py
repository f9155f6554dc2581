"""Signatures: over which dtypes an operator is defined, what it is computed in, and what that gives.

An operator of several operands is looked up by the dtype that unifies theirs. Below, T is that dtype.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ..base.dtypes import ALL, BOOL, FLOATS, FP32, FP64, INT8, INT32, INT64, INTEGERS, UINT16, UINT32, UINT64

__all__ = ["Signature", "Typing"]

DType = np.dtype[Any]


class Typing(NamedTuple):
    """What operands are cast to, and what the operator makes of them."""

    inner: DType
    result: DType


Signature = Mapping[DType, Typing]


def _same(dtypes: Iterable[DType]) -> Signature:
    return {dtype: Typing(dtype, dtype) for dtype in dtypes}


def _real(dtype: DType) -> DType:
    """Return the float to compute functions of real numbers in: of 32 bits for what has at most 16."""
    return dtype if dtype.kind == "f" else FP32 if dtype.itemsize <= 2 else FP64


def _index(dtype: DType) -> DType:
    return INT32 if dtype == INT32 else INT64


SAME = _same(ALL)
"""All dtypes; T."""

INTEGER = _same(INTEGERS)
"""Integers; T."""

FLOAT = _same(FLOATS)
"""Floats; T."""

UNSIGNED = _same(dtype for dtype in INTEGERS if dtype.kind == "u")
"""Unsigned integers; T."""

SUM: Signature = {**SAME, BOOL: Typing(INT64, INT64)}
"""All dtypes; T, and integers of 64 bits for bools."""

TRUTH = _same([BOOL])
"""Bool."""

COMPARISON: Signature = {dtype: Typing(dtype, BOOL) for dtype in ALL}
"""All dtypes; bool."""

LOGIC: Signature = {dtype: Typing(BOOL, BOOL) for dtype in ALL}
"""All dtypes, cast to bool; bool."""

TEST: Signature = {dtype: Typing(dtype, BOOL) for dtype in FLOATS}
"""Floats; bool."""

REAL: Signature = {dtype: Typing(_real(dtype), _real(dtype)) for dtype in ALL}
"""All dtypes, cast to a float."""

SCALED: Signature = {dtype: typing for dtype, typing in REAL.items() if dtype.kind != "f"}
"""Integers and bools, cast to a float."""

QUOTIENT: Signature = {dtype: Typing(*[dtype if dtype == FP32 else FP64] * 2) for dtype in ALL}
"""All dtypes, cast to a float of 64 bits unless it is one of 32."""

WHOLE: Signature = {**SAME, BOOL: Typing(INT8, INT8)}
"""All dtypes; T, and integers of 8 bits for bools."""

COUNT: Signature = {dtype: Typing(INT64, INT64) for dtype in INTEGERS}
"""Integers, cast to 64 bits."""

POSITION: Signature = {dtype: Typing(_index(dtype), _index(dtype)) for dtype in ALL}
"""All dtypes, none of which is read; an integer of 32 bits over such, of 64 otherwise."""

WIDER = {INT8: UINT16, np.dtype(np.int16): UINT32, INT32: UINT64, INT64: UINT64}
"""What signed integers are cast to where only unsigned ones will do."""
