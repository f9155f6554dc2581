"""Lists of entries, their indices int64 and ascending: what two have between them, over NumPy or CuPy arrays.

`Routines` says what each of these returns.
"""

from __future__ import annotations

from typing import Any

from ..base.arrays import namespace

__all__ = ["find", "meet_lists", "pick", "unite_lists", "write_list"]


def find(list_: Any, wanted: Any) -> tuple[Any, Any]:
    """Return which of `wanted` a list has, and where (anywhere if it has not)."""
    xp = namespace(list_)
    if not len(list_):
        return xp.zeros(len(wanted), bool), xp.zeros(len(wanted), list_.dtype)
    at = xp.minimum(xp.searchsorted(list_, wanted), len(list_) - 1)
    return list_[at] == wanted, at


def unite_lists(u: Any, x: Any, v: Any, y: Any) -> tuple[Any, Any, Any, Any, Any]:
    """Look all indices up in both lists."""
    xp = namespace(x)
    indices = xp.unique(xp.concatenate([u, v]))
    (in_u, at_u), (in_v, at_v) = find(u, indices), find(v, indices)
    values = xp.empty(len(indices), x.dtype)
    values[in_u], values[in_v] = x, y
    both = xp.flatnonzero(in_u & in_v)
    return indices, values, both, at_u[both], at_v[both]


def meet_lists(u: Any, v: Any) -> tuple[Any, Any, Any]:
    """Look the shorter list up in the longer one."""
    if len(v) < len(u):
        indices, at_v, at_u = meet_lists(v, u)
        return indices, at_u, at_v
    there, at = find(v, u)
    mine = namespace(u).flatnonzero(there)
    return u[mine], mine, at[mine]


def pick(flags: Any, x: Any, y: Any) -> Any:
    """Look at each flag."""
    return namespace(x).where(flags, x, y)


def write_list(w: Any, x: Any, z: Any, y: Any, mask: Any, *, complement: bool, replace: bool) -> tuple[Any, Any]:
    """Keep what is kept of both lists, and sort it."""
    xp = namespace(x)
    new = _inside(mask, z) != complement
    if replace:
        return z[new], y[new]
    old = _inside(mask, w) == complement
    indices = xp.concatenate([w[old], z[new]])
    order = xp.argsort(indices)
    return indices[order], xp.concatenate([x[old], y[new]])[order]


def _inside(mask: Any, indices: Any) -> Any:
    """Return which of some positions a mask names: a list, or a flag for each position."""
    return mask[indices] if mask.dtype == bool else find(mask, indices)[0]
