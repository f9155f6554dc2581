"""Products on the device: from forms and masks to arrays of the kernels, and back."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np

from ...base import arrays, casts
from ...base.dtypes import BOOL
from ...errors import InvalidValueError
from ...operators.semiring import AnySemiring
from ...storage import forms
from ...storage.forms import Bitmap, Form, Full
from ...storage.masks import Mask
from ..protocol import Arm
from ..reference import Reference
from . import launch
from .device import check_room, cupy, to_device
from .frontier import scan
from .graph import Graph
from .launch import blocks

log = logging.getLogger("lagbfs")

# The kernels' numbers. Over bools, plus is or and times is and.
ADD = {"any": 0, "min": 1, "max": 2, "plus": 3, "lor": 3}
MULTIPLY = {"pair": 0, "secondi": 1, "first": 2, "second": 3, "times": 4, "land": 4, "plus": 5}
# Whose values each multiplication reads.
READS_VECTOR = frozenset(["first", "times", "land", "plus"])
READS_MATRIX = frozenset(["second", "times", "land", "plus"])

_Values = tuple[Any, int]  # an array and its stride: 0 where one value stands for all


def product(arm: Arm, graph: Graph, vector: Form, mask: Mask | None, semiring: AnySemiring) -> Form:
    """Return w_j = ⊕_k vector_k ⊗ A_kj at the positions that `mask` allows, where the vector is: host or device."""
    place = arrays.place(vector.values)
    with graph.guard() as there:
        if place not in (None, there.id):
            raise InvalidValueError(
                f"the vector is on device {place} and the matrix on device {there.id}: move it by "
                f"v.to_host(), then v.to_device() with cupy.cuda.Device({there.id}) current"
            )
        return _product(arm, graph, vector, mask, semiring)


def _product(arm: Arm, graph: Graph, vector: Form, mask: Mask | None, semiring: AnySemiring) -> Form:
    if not knows(semiring, vector.values.dtype, graph.host.dtype):
        return _on_the_host(arm, graph, vector, mask, semiring)
    dtype = semiring.result_dtype(vector.values.dtype, graph.host.dtype)
    allowed = None if mask is None else to_device(mask.inside())
    tail = (allowed, int(mask is not None and mask.complement), ADD[semiring.add.name])
    kernels = launch.module("product", graph.index, dtype)
    check_room(graph.host.ncols * (1 + 2 * dtype.itemsize), "the product")
    compute = _push if arm.direction == "push" else _pull
    there = forms.moved(vector, arrays.to_device)
    present, values = compute(graph, kernels, there, dtype, semiring.multiply.name, tail)
    result = forms.settle(forms.from_present(present, values))
    return result if arrays.on_device(vector.values) else forms.moved(result, arrays.to_host)


def knows(semiring: AnySemiring, x: np.dtype[Any], a: np.dtype[Any]) -> bool:
    """Whether the kernels have these operators, and give the same computed in the dtype of the result."""
    ring = semiring.at(x, a)
    add, multiply, dtype = ring.add.name, ring.multiply.name, ring.return_type
    if not ring.is_builtin or add not in ADD or multiply not in MULTIPLY:
        return False
    if multiply not in READS_VECTOR | READS_MATRIX:
        return ring.multiply.return_type == dtype
    if x == a == BOOL and add == "plus":  # which counts them
        return multiply != "plus"
    return ring.type == ring.multiply.return_type == dtype and (multiply != "land" or dtype == BOOL)


def _on_the_host(arm: Arm, graph: Graph, vector: Form, mask: Mask | None, semiring: AnySemiring) -> Form:
    """Compute what the kernels have no operators for; the result is where the vector is."""
    log.info("the kernels have no %s of these types: computed by the reference engine", semiring)
    here = None if mask is None else mask.moved(arrays.to_host)
    result = Reference().product(arm, graph.host, forms.moved(vector, arrays.to_host), here, semiring)
    return forms.moved(result, arrays.to_device) if arrays.on_device(vector.values) else result


def _push(
    graph: Graph, kernels: launch.Module, vector: Form, dtype: np.dtype[Any], multiply: str, tail: tuple[Any, ...]
) -> tuple[Any, Any]:
    """Scan the rows of the entries of the vector, one thread for each entry of these rows."""
    n, rows, sparse = graph.host.ncols, graph.rows, vector.sparse()
    present, sums = cupy().empty(n, bool), cupy().empty(n, launch.sum_dtype(dtype))
    kernels.launch("product_fill", blocks(n), n, tail[-1], present, sums)
    if sparse.nvals:
        listed = sparse.indices.astype(graph.index, copy=False)
        offsets, prefix = scan(graph, listed, sparse.nvals, rows.indptr)
        edges = int(prefix[-1])
        terms = (listed, sparse.nvals, offsets, prefix, edges, *rows, *_matrix(graph, dtype, multiply, False))
        kernels.launch(
            "product_push",
            blocks(edges, launch.SPAN),
            *(*terms, *_vector(sparse.values, dtype, multiply)),
            *(*tail, MULTIPLY[multiply], present, sums),
        )
    return present, sums.astype(dtype, copy=False)


def _pull(
    graph: Graph, kernels: launch.Module, vector: Form, dtype: np.dtype[Any], multiply: str, tail: tuple[Any, ...]
) -> tuple[Any, Any]:
    """Scan the columns that the mask allows, a group of threads for each, as many as it has entries on average."""
    n, form = graph.host.ncols, vector if isinstance(vector, Full) else vector.bitmap()
    present, values = cupy().empty(n, bool), cupy().empty(n, dtype)
    width = _width(graph.host.nvals, n)
    kernels.launch(
        "product_pull",
        blocks(n * width),
        *(n, width, *graph.columns, *_matrix(graph, dtype, multiply, True)),
        *(form.present if isinstance(form, Bitmap) else None, *_vector(form.values, dtype, multiply)),
        *(*tail, MULTIPLY[multiply], present, values),
    )
    return present, values


def _matrix(graph: Graph, dtype: np.dtype[Any], multiply: str, transposed: bool) -> _Values:
    if multiply not in READS_MATRIX:
        return None, 0
    return graph.values(dtype, transposed), int(not graph.host.is_iso)


def _vector(values: Any, dtype: np.dtype[Any], multiply: str) -> _Values:
    return (casts.cast(values, dtype), 1) if multiply in READS_VECTOR else (None, 0)


def _width(entries: int, rows: int) -> int:
    """Return how many threads a row is worth: about one for each four of its entries, and a power of two."""
    width = 1
    while width < 32 and entries > 8 * width * rows:
        width *= 2
    return width
