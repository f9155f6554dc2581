"""Products of two matrices on the device: which way, and from compressed rows to arrays of the kernels and back."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np

from ...operators.semiring import AnySemiring
from ...storage import csr as csrs
from ...storage import elementwise
from ...storage.csr import Csr
from ...storage.matrix_masks import MatrixMask
from ...storage.rows import Loader, Rows
from ..protocol import Arm
from . import cusparse, device, launch
from .device import cupy, to_device
from .graph import Compressed, Graph
from .launch import blocks
from .product import ADD, MULTIPLY, READS_MATRIX, READS_VECTOR, knows

log = logging.getLogger("lagbfs")

_WIDEST = 1 << 28  # columns of a matrix that is transposed: its transpose has a row for each
_WARP = 32


def matrix_product(
    engine: Loader, arm: Arm, left: Rows, right: Rows, mask: MatrixMask | None, semiring: AnySemiring
) -> Csr | None:
    """Return C_ij = ⊕_k left_ik ⊗ right_kj at the positions that `mask` allows; None if the device has no way.

    A push is left to cuSPARSE, a pull to dot products; where that does not know the operators, lacks room or is not
    installed, to the other of the two. Neither takes hypersparse matrices: there is an offset for each row.
    """
    if not left.nvals or not right.nvals:
        return csrs.empty(semiring.result_dtype(left.dtype, right.dtype), left.nrows, right.ncols)
    if left.is_hypersparse or right.is_hypersparse or (mask is not None and mask.csr.row_ids is not None):
        return None
    ways = (_by_cusparse, _by_dots) if arm.direction == "push" else (_by_dots, _by_cusparse)
    error: BaseException | None = None
    for way in ways:
        try:
            product = way(engine, left, right, mask, semiring)
        except device.lasting() as lacking:
            log.info("%s (a product of matrices)", lacking)
            error = error or lacking
        else:
            if product is not None:
                return product
    if error is not None:
        raise error
    return None


def _by_cusparse(engine: Loader, left: Rows, right: Rows, mask: MatrixMask | None, semiring: AnySemiring) -> Csr | None:
    """Compute all of the product, then keep what the mask allows."""
    inner = cusparse.inner_dtype(left, right, semiring)
    if inner is None:
        return None
    A, B = _together(left.handle(engine), right.handle(engine))
    with A.guard():
        C = cusparse.product(A, B, semiring, inner)
    return C if mask is None else elementwise.kept(C, mask.allows(C))


def _by_dots(engine: Loader, left: Rows, right: Rows, mask: MatrixMask | None, semiring: AnySemiring) -> Csr | None:
    """Compute what the mask names, from rows of `left` and of the transpose of `right`."""
    if mask is None or mask.complement or right.ncols > _WIDEST or not knows(semiring, left.dtype, right.dtype):
        return None
    inside = mask.inside
    A, BT = _together(left.handle(engine), right.T.handle(engine))
    dtype = semiring.result_dtype(left.dtype, right.dtype)
    with A.guard():
        present, values = _dots(A, BT, inside, semiring, dtype)
    C = csrs.make(inside.indptr, inside.indices, values, inside.ncols, iso=False)
    return elementwise.kept(C, present)


def _together(A: Graph, B: Graph) -> tuple[Graph, Graph]:
    """Return both on the device of the first; what another device has of the second is sent once more, and not kept."""
    with A.guard() as there:
        return A, B if B.guard().id == there.id else Graph(B.host)


def _dots(A: Graph, BT: Graph, inside: Csr, semiring: AnySemiring, dtype: np.dtype[Any]) -> tuple[Any, Any]:
    """Return, for each entry of the mask, whether it has a term, and the sum of its terms, as arrays of the host."""
    add, multiply, entries = semiring.add.name, semiring.multiply.name, inside.nvals
    index = np.result_type(A.index, BT.index, inside.indices)
    device.check_room(entries * (1 + dtype.itemsize), "the product")
    present, values = cupy().empty(entries, bool), cupy().empty(entries, dtype)
    launch.module("product", index, dtype).launch(
        "product_dots",
        blocks(entries * _WARP),
        *(*_indices(_sent(A, inside), index), inside.nrows, entries),
        *(*_indices(A.rows, index), *_values(A, dtype, multiply in READS_VECTOR)),
        *(*_indices(BT.rows, index), *_values(BT, dtype, multiply in READS_MATRIX)),
        *(ADD[add], MULTIPLY[multiply], present, values),
    )
    return present.get(), values.get()


def _sent(A: Graph, inside: Csr) -> Compressed:
    """Return the rows of a mask on the device; where it is the left matrix itself, they are there already."""
    if inside is A.host.csr:
        return A.rows
    device.check_room(8 * len(inside.indptr) + inside.indices.nbytes, "the mask")
    return Compressed(to_device(inside.indptr, np.int64), to_device(inside.indices))


def _indices(rows: Compressed, index: np.dtype[Any]) -> tuple[Any, Any]:
    """Return offsets and indices, these as wide as those of the product's other matrices."""
    if rows.indices.dtype != index:
        device.check_room(len(rows.indices) * index.itemsize, "indices of 64 bits")
    return rows.indptr, rows.indices.astype(index, copy=False)


def _values(graph: Graph, dtype: np.dtype[Any], is_read: bool) -> tuple[Any, int]:
    """Return the values and their stride, 0 where one stands for all; None where they are not read."""
    return (graph.values(dtype, False), int(not graph.host.is_iso)) if is_read else (None, 0)
