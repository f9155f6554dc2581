"""What programs of the algebra compute with: dtypes, values, vectors in every form, masks, matrices, semirings."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from ..algebra.matrix import Matrix
from ..algebra.vector import Vector
from ..algebra.vector_mask import VectorMask
from ..operators import binary, monoid, semiring
from ..operators.semiring import Semiring
from .showing import told

__all__ = [
    "DTYPES",
    "FLOATS",
    "FORMS",
    "INTEGERS",
    "MASK_KINDS",
    "as_mask",
    "coordinates",
    "dtypes",
    "entries",
    "masks",
    "matrices",
    "matrix",
    "semirings",
    "values",
    "vector",
    "vectors",
]

INTEGERS = tuple(np.dtype(t) for t in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"))
FLOATS = tuple(np.dtype(t) for t in ("f4", "f8"))
DTYPES: tuple[np.dtype[Any], ...] = (np.dtype(bool), *INTEGERS, *FLOATS)
FORMS = ("sparse", "bitmap", "full")
MASK_KINDS = ("S", "V", "~S", "~V")

dtypes: st.SearchStrategy[np.dtype[Any]] = st.sampled_from(DTYPES)

_NAMED = [getattr(semiring, name) for name in semiring.COMMON]
# What is defined over every dtype, and computed to the last bit.
MONOIDS = [getattr(monoid, name) for name in ("any", "min", "max", "plus", "times", "lor", "land", "lxor", "lxnor")]
BINARY = [
    *(
        binary.plus,
        binary.minus,
        binary.rminus,
        binary.times,
        binary.truediv,
        binary.rtruediv,
        binary.cdiv,
        binary.rdiv,
    ),
    *(binary.min, binary.max, binary.any, binary.first, binary.second, binary.pair, binary.absfirst),
    *(binary.eq, binary.ne, binary.lt, binary.le, binary.gt, binary.ge, binary.iseq, binary.islt),
    *(binary.land, binary.lor, binary.lxor, binary.lxnor),
    *(binary.firsti, binary.firstj, binary.secondi, binary.secondi1, binary.secondj),
]


def values(dtype: Any, *, small: bool = False) -> st.SearchStrategy[Any]:
    """Values of a dtype, as Python numbers.

    Parameters
    ----------
    dtype : dtype
        Floats are multiples of ½ between -4 and 4, so that sums and products of some are exact in any order.
    small : bool
        Whether integers are at most 8, too, and not of the whole range.

    Examples
    --------
    >>> from hypothesis import given
    >>> from lagbfs.testing import values
    >>> @given(values("uint8"))
    ... def test_bounds(x):
    ...     assert 0 <= x < 256
    >>> test_bounds()
    """
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return st.booleans()
    if dtype.kind == "f":
        return st.integers(-8, 8).map(lambda x: x / 2)
    low, high = (0, 8) if dtype.kind == "u" else (-8, 8)
    if small:
        return st.integers(low, high)
    info = np.iinfo(dtype)
    return st.one_of(st.integers(low, high), st.integers(int(info.min), int(info.max)))


@st.composite
def entries(draw: st.DrawFn, size: int, dtype: Any, *, small: bool = False) -> dict[int, Any]:
    """Return a dictionary from position to value: empty, some or all of the positions."""
    some = st.sets(st.integers(0, size - 1)) if size else st.just(set())
    positions = range(size) if draw(st.integers(0, 4)) == 0 else draw(some)
    return {i: draw(values(dtype, small=small)) for i in sorted(positions)}


def vector(found: dict[int, Any], size: int, dtype: Any, form: str | None = None) -> Vector:
    """Return the Vector of a dictionary, in the given form where that is possible."""
    made = Vector.from_coo(list(found), np.array(list(found.values()), dtype), size=size)
    if form is not None and (form != "full" or made.nvals == size):
        made.format = form
    return made


@st.composite
def vectors(draw: st.DrawFn, size: int, dtype: Any = None, *, small: bool = False) -> Vector:
    """Vectors of a size: empty, with some entries or all, sparse, as a bitmap or full.

    Parameters
    ----------
    size : int
        Number of positions.
    dtype : dtype, optional
        Default: any.
    small : bool
        See `values`.

    Examples
    --------
    >>> from hypothesis import given
    >>> from lagbfs.testing import vectors
    >>> @given(vectors(5, "int8"))
    ... def test_a_vector_equals_its_copy(v):
    ...     assert v.isequal(v.dup(), check_dtype=True)
    >>> test_a_vector_equals_its_copy()
    """
    dtype = draw(dtypes) if dtype is None else np.dtype(dtype)
    return vector(draw(entries(size, dtype, small=small)), size, dtype, draw(st.sampled_from(FORMS)))


def as_mask(vector: Vector, kind: str | None) -> VectorMask | None:
    """Return the mask of a kind such as "~S", None for None."""
    if kind is None:
        return None
    mask = vector.S if kind[-1] == "S" else vector.V
    return ~mask if kind[0] == "~" else mask


@st.composite
def masks(draw: st.DrawFn, size: int, *, none: bool = True) -> VectorMask | None:
    """Masks of a size, by structure or value, complemented or not, over vectors of their own.

    Parameters
    ----------
    size : int
        Number of positions.
    none : bool
        Whether there may be none, None.

    Examples
    --------
    >>> from hypothesis import given
    >>> from lagbfs import Vector
    >>> from lagbfs.testing import masks
    >>> @given(masks(4, none=False))
    ... def test_a_mask_and_its_complement_make_a_whole(mask):
    ...     v = Vector.from_scalar(1, 4)
    ...     w = Vector(int, 4)
    ...     w(mask) << v
    ...     w(~mask) << v
    ...     assert w.isequal(v)
    >>> test_a_mask_and_its_complement_make_a_whole()
    """
    kind = draw(st.sampled_from((None, *MASK_KINDS) if none else MASK_KINDS))
    return as_mask(draw(vectors(size, small=True)), kind)


@st.composite
def coordinates(
    draw: st.DrawFn, nrows: int, ncols: int, dtype: Any, *, small: bool = False
) -> dict[tuple[int, int], Any]:
    """Return the entries of a matrix as a dictionary from pairs to values, explicit zeros among them."""
    if not (nrows and ncols):
        return {}
    pair = st.tuples(st.integers(0, nrows - 1), st.integers(0, ncols - 1))
    found = draw(st.sets(pair, max_size=3 * max(nrows, ncols)))
    return {at: draw(values(dtype, small=small)) for at in sorted(found)}


def matrix(found: dict[tuple[int, int], Any], nrows: int, ncols: int, dtype: Any) -> Matrix:
    """Return the Matrix of a dictionary from pairs to values."""
    data = np.array(list(found.values()), dtype)
    return Matrix.from_coo([i for i, _ in found], [j for _, j in found], data, nrows=nrows, ncols=ncols)


@st.composite
def matrices(
    draw: st.DrawFn, nrows: int | None = None, ncols: int | None = None, dtype: Any = None, *, small: bool = False
) -> Matrix:
    """Matrices of any shape, explicit zeros among their entries.

    Parameters
    ----------
    nrows, ncols : int, optional
        The shape. Default: up to 12 each.
    dtype : dtype, optional
        Default: any.
    small : bool
        See `values`.

    Examples
    --------
    >>> from hypothesis import given
    >>> from lagbfs.testing import matrices
    >>> @given(matrices())
    ... def test_transposed_twice(A):
    ...     assert A.T.T.isequal(A)
    >>> test_transposed_twice()
    """
    rows, cols = (draw(st.integers(0, 12)) if n is None else n for n in (nrows, ncols))
    dtype = draw(dtypes) if dtype is None else np.dtype(dtype)
    return told(matrix(draw(coordinates(rows, cols, dtype, small=small)), rows, cols, dtype))


def semirings(*, named: bool = False, deterministic: bool = True) -> st.SearchStrategy[Semiring]:
    """Semirings: those that are common, and any monoid with any operator that is defined over every dtype.

    Parameters
    ----------
    named : bool
        Whether only common ones are meant.
    deterministic : bool
        Whether those are left out that may give any of several values, such as ``any_secondi``: engines need not
        agree on these.

    Examples
    --------
    >>> from hypothesis import given
    >>> from lagbfs.testing import semirings
    >>> @given(semirings())
    ... def test_names(s):
    ...     assert s.name == f"{s.add.name}_{s.multiply.name}"
    >>> test_names()
    """
    pairs = st.builds(Semiring, st.sampled_from(MONOIDS), st.sampled_from(BINARY))
    drawn = st.sampled_from(_NAMED) if named else st.sampled_from(_NAMED) | pairs
    return drawn.filter(lambda s: s.add is not monoid.any or s.multiply is binary.pair) if deterministic else drawn
