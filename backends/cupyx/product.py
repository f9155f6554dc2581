"""Products on the device: from the algebra's vectors and masks to arrays of the kernels, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import forms
from ...forms import Bitmap, Full
from ...vector import Vector
from . import launch
from .device import check_room, cupy, to_device
from .frontier import scan
from .launch import blocks

if TYPE_CHECKING:
    from ...mask import Mask
    from ...semiring import Semiring
    from ..protocol import Arm
    from .graph import Graph

# The kernels' numbers. Over bools, plus is or and times is and.
_ADD = {"any": 0, "min": 1, "max": 2, "plus": 3, "lor": 3}
_MULTIPLY = {"pair": 0, "secondi": 1, "first": 2, "second": 3, "times": 4, "land": 4, "plus": 5}
# Whose values each multiplication reads.
_READS_VECTOR = frozenset(["first", "times", "land", "plus"])
_READS_MATRIX = frozenset(["second", "times", "land", "plus"])

_Values = tuple[Any, int]  # an array and its stride: 0 where one value stands for all


def product(arm: Arm, graph: Graph, vector: Vector, mask: Mask | None, semiring: Semiring) -> Vector:
    """Return w_j = ⊕_k vector_k ⊗ A_kj at the positions that `mask` allows, where the vector is: host or device."""
    dtype = semiring.result_dtype(vector.dtype, graph.matrix.dtype)
    allowed = None if mask is None else to_device(mask.inside())
    tail = (allowed, int(mask is not None and mask.complement), _ADD[semiring.add.name])
    kernels = launch.module("product", graph.index, dtype)
    check_room(graph.matrix.ncols * (1 + 2 * dtype.itemsize), "the product")
    compute = _push if arm.direction == "push" else _pull
    present, values = compute(graph, kernels, vector.to_device(), dtype, semiring.multiply.name, tail)
    result = Vector.from_form(forms.settle(forms.from_present(present, values)))
    return result if vector.is_on_device else result.to_host()


def _push(
    graph: Graph, kernels: launch.Module, vector: Vector, dtype: np.dtype[Any], multiply: str, tail: tuple[Any, ...]
) -> tuple[Any, Any]:
    """Scan the rows of the entries of the vector, one thread for each entry of these rows."""
    n, rows, sparse = graph.matrix.ncols, graph.rows, vector.form.sparse()
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
            *(*tail, _MULTIPLY[multiply], present, sums),
        )
    return present, sums.astype(dtype, copy=False)


def _pull(
    graph: Graph, kernels: launch.Module, vector: Vector, dtype: np.dtype[Any], multiply: str, tail: tuple[Any, ...]
) -> tuple[Any, Any]:
    """Scan the columns that the mask allows, a group of threads for each, as many as it has entries on average."""
    n, form = graph.matrix.ncols, vector.form if isinstance(vector.form, Full) else vector.form.bitmap()
    present, values = cupy().empty(n, bool), cupy().empty(n, dtype)
    width = _width(graph.matrix.nvals, n)
    kernels.launch(
        "product_pull",
        blocks(n * width),
        *(n, width, *graph.columns, *_matrix(graph, dtype, multiply, True)),
        *(form.present if isinstance(form, Bitmap) else None, *_vector(form.values, dtype, multiply)),
        *(*tail, _MULTIPLY[multiply], present, values),
    )
    return present, values


def _matrix(graph: Graph, dtype: np.dtype[Any], multiply: str, transposed: bool) -> _Values:
    if multiply not in _READS_MATRIX:
        return None, 0
    return graph.values(dtype, transposed), int(not graph.matrix.is_iso)


def _vector(values: Any, dtype: np.dtype[Any], multiply: str) -> _Values:
    return (values.astype(dtype, copy=False), 1) if multiply in _READS_VECTOR else (None, 0)


def _width(entries: int, rows: int) -> int:
    """Return how many threads a row is worth: about one for each four of its entries, and a power of two."""
    width = 1
    while width < 32 and entries > 8 * width * rows:
        width *= 2
    return width
