"""Matrices for lagbfs and python-graphblas at once: what is drawn, how it is made, and what of a result is compared."""

import graphblas
import numpy as np
from hypothesis import strategies as st

import lagbfs

LIBRARIES = {"lagbfs": lagbfs, "graphblas": graphblas}
DTYPES = ("i4", "i8", "u1", "f8")
ACCUM = (None, "plus", "min", "second", "first")
MASKS = (None, "S", "V", "~S", "~V")


@st.composite
def entries(draw, nrows, ncols, dtype=None):
    """Return rows, columns and values of a matrix of that shape, each position once."""
    places = [(i, j) for i in range(nrows) for j in range(ncols)]
    chosen = sorted(draw(st.sets(st.sampled_from(places), max_size=12))) if places else []
    dtype = np.dtype(dtype or draw(st.sampled_from(DTYPES)))
    values = draw(st.lists(st.integers(0, 7), min_size=len(chosen), max_size=len(chosen)))
    return [i for i, _ in chosen], [j for _, j in chosen], np.array(values, dtype)


def made(library, parts, shape):
    rows, columns, values = parts
    return library.Matrix.from_coo(rows, columns, values, values.dtype, nrows=shape[0], ncols=shape[1])


def masked(matrix, kind):
    """Return the mask of that kind."""
    if kind is None:
        return None
    mask = getattr(matrix, kind[-1])
    return ~mask if kind[0] == "~" else mask


def plain(result):
    """Return what a result holds, the same for both libraries."""
    if hasattr(result, "ncols"):
        rows, columns, values = result.to_coo()
        return result.shape, dict(zip(zip(rows.tolist(), columns.tolist(), strict=True), values.tolist(), strict=True))
    return result.size, result.to_dict()
