"""What becomes of entries that name the same position: an error, or one value made of theirs."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InvalidValueError
from ..operators import binary, monoid


def without_duplicates(keys: tuple[Any, ...], values: Any, dup_op: Any) -> tuple[tuple[Any, ...], Any]:
    """Return the positions (sorted, as one or two parallel arrays) and values with each position once."""
    count = len(keys[0])
    if count < 2:
        return keys, values
    first = np.ones(count, bool)
    first[1:] = np.logical_or.reduce([key[1:] != key[:-1] for key in keys])
    if first.all():
        return keys, values
    if dup_op is None:
        at = int(np.argmin(first))
        place = ", ".join(str(int(key[at])) for key in keys)
        raise InvalidValueError(
            f"position ({place}) is named twice: pass dup_op=binary.plus, for example, to combine duplicates"
        )
    combined = fold_groups(values, np.flatnonzero(first), binary.lookup("dup_op", dup_op))
    return tuple(key[first] for key in keys), combined


def fold_groups(values: Any, starts: Any, op: binary.Binary) -> Any:
    """Fold each group of consecutive values that begins at `starts`, from left to right."""
    ends = np.r_[starts[1:], len(values)]
    if op is binary.first:
        return values[starts]
    if op is binary.second:
        return values[ends - 1]
    if (folding := monoid.of(op, values.dtype)) is not None:
        return folding.fold_groups(values, starts)
    result = values[starts]
    for step in range(1, int((ends - starts).max())):
        more = starts + step < ends
        result[more] = op.accumulate(result[more], values[starts[more] + step])
    return result
