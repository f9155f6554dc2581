"""The kernel of products of two matrices by dot products, against sums in plain NumPy."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from machine import Machine, compress
from product_checks import ADD, MULTIPLY, operators, terms, values_of


class Matrix(NamedTuple):
    """Compressed rows; values are one for each entry, or a single one."""

    indptr: np.ndarray
    indices: np.ndarray
    stored: np.ndarray

    def row(self, i: int) -> dict[int, Any]:
        """Return the values of a row by column."""
        entries = range(self.indptr[i], self.indptr[i + 1])
        return {int(self.indices[e]): self.stored[e % len(self.stored)] for e in entries}


def matrix_of(machine: Machine, pairs: Any, rows: int, dtype: Any, *, iso: bool) -> Matrix:
    found = np.unique(np.array(pairs, np.int64).reshape(-1, 2), axis=0)
    indptr, indices = compress(found[:, 0], found[:, 1], rows, machine.index)
    return Matrix(indptr, indices, values_of(machine, dtype, 1 if iso else len(indices)))


def patterns(machine: Machine) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the pairs of a left matrix, of the transpose of a right one, and of a mask; each of 12 rows.

    Rows are empty, have one entry, and as many as a warp has lanes, one less and one more; of those that meet, now one
    and now the other is the shorter. Among the mask's rows are empty ones, at its beginning and its end too.
    """
    sizes = [0, 1, 2, 31, 32, 33, 64, 70, 5, 0, 3, 96]
    rows = [[(i, k) for k in machine.rng.permutation(100)[:size]] for i, size in enumerate(sizes)]
    left, right = (list(itertools.chain(*rows)) for _ in range(2))
    right = [(len(sizes) - 1 - i, (k * 7) % 100) for i, k in right]
    yield left, right, [(i, j) for i in (1, 3, 4, 5, 7, 8, 10) for j in machine.rng.permutation(12)[:5]]
    yield [(0, 0)], [(0, 0)], [(0, 0)]
    yield [(3, k) for k in range(40)], [(2, k) for k in range(39, 80)], [(3, 2), (3, 3), (11, 2)]  # the last one counts


def expected(left: Matrix, right: Matrix, i: int, j: int, multiply: str, dtype: Any) -> list[Any]:
    """Return the terms of one result, in the order of k."""
    x, a = left.row(i), right.row(j)
    return [terms(multiply, k, x[k], a[k], dtype) for k in sorted(x.keys() & a.keys())]


def check_dots(machine: Machine) -> None:
    with np.errstate(all="ignore"):
        for dtype in machine.dtypes:
            for pairs, (add, multiply) in itertools.product(patterns(machine), operators(dtype)):
                check_dot(machine, pairs, dtype, add, multiply)


def check_dot(machine: Machine, pairs: Any, dtype: Any, add: str, multiply: str) -> None:
    left, right = (matrix_of(machine, p, 12, dtype, iso=bool(machine.rng.random() < 0.3)) for p in pairs[:2])
    mask = matrix_of(machine, pairs[2], 12, dtype, iso=True)
    entries = len(mask.indices)
    present, values = np.ones(entries, bool), np.full(entries, 77, dtype)
    operands = [(m.indptr, m.indices, m.stored, len(m.stored) > 1) for m in (left, right)]
    codes = ([*ADD].index(add), [*MULTIPLY].index(multiply))
    run = machine.products(dtype)
    run("product_dots", 32 * entries, *mask[:2], 12, entries, *operands[0], *operands[1], *codes, present, values)
    rows = np.repeat(np.arange(12), np.diff(mask.indptr))
    for e, (i, j) in enumerate(zip(rows.tolist(), mask.indices.tolist(), strict=True)):
        check_one(expected(left, right, i, j, multiply, dtype), add, present[e], values[e])


def check_one(wanted: list[Any], add: str, present: Any, value: Any) -> None:
    assert present == bool(wanted), "the pattern"
    if not wanted:
        assert value == 0, "what is not present is 0"
    elif add == "any":
        assert np.isin(value, wanted) or np.isnan(value), "one of the terms"
    else:
        folded = ADD[add].reduce(np.array(wanted), dtype=value.dtype)
        if value.dtype.kind == "f":
            np.testing.assert_allclose(value, folded, rtol=1e-5)
        else:
            assert value == folded, "the sum"
