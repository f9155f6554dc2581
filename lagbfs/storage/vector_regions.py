"""Regions of vectors, some positions of one: taken out, and put back, at the cost of what is touched."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.arrays import namespace, on_device
from . import forms
from .axis import Axis
from .forms import Bitmap, Form, Full, Sparse

__all__ = ["extract", "replaced"]


def extract(form: Form, axis: Axis) -> Form:
    """Return the form whose entry k is that of the axis's k-th position, with arrays of its own."""
    axis = _there(axis, form)
    if isinstance(form, Sparse):
        return forms.settle(_of_range(form, axis) if axis.is_range else _found(form, axis))
    taken = axis.selector(form.values)
    if isinstance(form, Full):
        return Full(axis.length, form.values[taken].copy())
    return forms.settle(forms.from_present(form.present[taken].copy(), form.values[taken].copy()))


def _there(axis: Axis, form: Form) -> Axis:
    """Return the axis as it is used where a form lies: on a device, ranges are listed."""
    return Axis(axis.size, axis.positions) if axis.is_range and on_device(form.values) else axis


def _of_range(form: Sparse, axis: Axis) -> Sparse:
    begin, end = _bounds(form, axis)
    which, k = axis.where(form.indices[begin:end])
    values = form.values[begin:end][which]
    backwards = slice(None, None, -1 if _descends(axis) else 1)
    return Sparse(axis.length, k[backwards].copy(), values[backwards].copy())


def _found(form: Sparse, axis: Axis) -> Sparse:
    present, values = form.find(axis.selector(form.values))
    at = namespace(values).flatnonzero(present)
    return Sparse(axis.length, at, values[at])


def _descends(axis: Axis) -> bool:
    return isinstance(axis.places, range) and axis.places.step < 0


def _bounds(form: Sparse, axis: Axis) -> tuple[int, int]:
    """Return from where to where the entries between the ends of a range lie."""
    places: Any = axis.places
    if not len(places):
        return 0, 0
    low, high = sorted((places[0], places[-1]))
    begin, end = np.searchsorted(form.indices, [low, high + 1]).tolist()
    return begin, end


def replaced(form: Form, axis: Axis, part: Form) -> Form:
    """Return `form` with what `part`, of its dtype, holds at the axis's positions, each named once; maybe in place."""
    axis = _there(axis, form)
    if not isinstance(form, Sparse):
        return _replaced_dense(form, axis, part)
    new = part.sparse()
    if axis.is_range and not (axis.length > 1 and abs(axis.places.step) > 1):  # type: ignore[union-attr]
        return _spliced(form, axis, new)
    keep = ~axis.has(form.indices)
    xp = namespace(form.values)
    indices = xp.concatenate([form.indices[keep], axis.at(new.indices)])
    order = xp.argsort(indices)
    return Sparse(form.size, indices[order], xp.concatenate([form.values[keep], new.values])[order])


def _spliced(form: Sparse, axis: Axis, new: Sparse) -> Sparse:
    """Put entries between those before and behind a range without gaps."""
    begin, end = _bounds(form, axis)
    backwards = slice(None, None, -1 if _descends(axis) else 1)
    between, values = axis.at(new.indices)[backwards], new.values[backwards]
    if not axis.length:
        return form
    return Sparse(
        form.size,
        np.concatenate([form.indices[:begin], between, form.indices[end:]]),
        np.concatenate([form.values[:begin], values, form.values[end:]]),
    )


def _replaced_dense(form: Bitmap | Full, axis: Axis, part: Form) -> Form:
    taken = axis.selector(form.values)
    if isinstance(form, Full) and part.nvals == axis.length:
        form.values[taken] = part.bitmap().values
        return form
    bitmap, new = form.bitmap(), part.bitmap()
    bitmap.nvals += new.nvals - int(bitmap.present[taken].sum())
    bitmap.values[taken] = new.values
    bitmap.present[taken] = new.present
    return bitmap
