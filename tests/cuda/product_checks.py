"""The kernels of products over every dtype and operator, against sums in plain NumPy."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
from machine import Graph, Machine, graph_of
from search_checks import scanned

ADD = {"any": None, "min": np.fmin, "max": np.fmax, "plus": np.add}
MULTIPLY = {"pair": None, "secondi": None, "vector": None, "matrix": None, "times": np.multiply, "plus": np.add}
SUMS = {"bool": "int32", "int8": "int32", "int16": "int32", "uint8": "uint32", "uint16": "uint32"}


def matrices(machine: Machine) -> Iterator[Graph]:
    yield graph_of(1, [(0, 0)], machine.index)
    yield graph_of(33, machine.rng.integers(0, 33, (90, 2)), machine.index)
    hub = [(0, v) for v in range(70)] + [(v, 1) for v in range(70)]
    yield graph_of(70, hub, machine.index)


def values_of(machine: Machine, dtype: np.dtype[Any], size: int) -> np.ndarray:
    """Return integers of either sign that wrap when added or multiplied, floats that may be NaN or infinite."""
    if dtype.kind == "f":
        return machine.rng.choice([np.nan, np.inf, -2.5, 0.0, 1.0, 3.0, 1e3], size).astype(dtype)
    bits = machine.rng.integers(0, 2**64, size, np.uint64)
    return (bits % 2).astype(bool) if dtype.kind == "b" else bits.astype(dtype)


def terms(name: str, k: int, x: Any, a: Any, dtype: np.dtype[Any]) -> Any:
    simple = {"pair": 1, "secondi": k, "vector": x, "matrix": a}
    return dtype.type(simple[name]) if name in simple else MULTIPLY[name](a, x, dtype=dtype)


def expected(graph: Graph, x: dict[int, Any], values: Any, add: str, multiply: str, dtype: Any) -> dict[int, list[Any]]:
    """Return the terms of each result, in the order of k."""
    found: dict[int, list[Any]] = {}
    for k in sorted(x):
        for entry in range(graph.indptr[k], graph.indptr[k + 1]):
            term = terms(multiply, k, x[k], values[entry], dtype)
            found.setdefault(int(graph.indices[entry]), []).append(term)
    return found


def check_result(wanted: dict[int, list[Any]], allowed: Any, add: str, present: Any, values: Any) -> None:
    found = np.flatnonzero(present)
    assert found.tolist() == sorted(j for j in wanted if allowed[j]), "the pattern"
    if add == "any":
        assert all(np.isin(values[j], wanted[j]) or np.isnan(values[j]) for j in found), "one of the terms"
        return
    folded = np.array([ADD[add].reduce(np.array(wanted[j]), dtype=values.dtype) for j in found], values.dtype)
    if values.dtype.kind == "f":
        np.testing.assert_allclose(values[found], folded, rtol=1e-5)
    else:
        np.testing.assert_array_equal(values[found], folded)


def operators(dtype: np.dtype[Any]) -> Iterator[tuple[str, str]]:
    """Yield what semirings can be made of: pair and secondi only count, in int64."""
    counting = ("pair", "secondi") if dtype == np.int64 else ()
    yield from itertools.product(
        ADD, [name for name in MULTIPLY if name not in ("pair", "secondi") or name in counting]
    )


def check_products(machine: Machine) -> None:
    with np.errstate(all="ignore"):
        for dtype in machine.dtypes:
            for graph, (add, multiply) in itertools.product(matrices(machine), operators(dtype)):
                check_product(machine, graph, dtype, add, multiply)
            n = 2 * machine.tile
            wide = graph_of(n, machine.rng.integers(0, n, (n // 4, 2)), machine.index)  # a vector of several tiles
            check_product(machine, wide, dtype, "plus", "times")


def check_product(machine: Machine, graph: Graph, dtype: np.dtype[Any], add: str, multiply: str) -> None:
    """A product with a random vector, under a random mask; matrix and vector may be iso."""
    rng = machine.rng
    iso_matrix, iso_vector, masked, complement = (rng.random(4) < 0.5).tolist()
    stored = values_of(machine, dtype, 1 if iso_matrix else len(graph.indices))
    values = np.broadcast_to(stored, len(graph.indices)) if iso_matrix else stored
    indices = np.flatnonzero(rng.random(graph.n) < 0.7).astype(machine.index)
    x_stored = values_of(machine, dtype, 1 if iso_vector else len(indices))
    x = np.broadcast_to(x_stored, len(indices)) if iso_vector else x_stored
    mask = rng.random(graph.n) < 0.5 if masked else None
    allowed = np.ones(graph.n, bool) if mask is None else mask != complement
    wanted = expected(graph, dict(zip(indices.tolist(), x, strict=True)), values, add, multiply, dtype)
    codes = (mask, complement, [*ADD].index(add), [*MULTIPLY].index(multiply))
    operands = (stored, not iso_matrix, x_stored, not iso_vector)
    pushed = push(machine, graph, dtype, indices, operands, codes)
    check_result(wanted, allowed, add, *pushed)
    dense = np.zeros(graph.n, dtype)
    dense[indices] = x
    present = np.zeros(graph.n, bool)
    present[indices] = True
    by_column = values[np.lexsort((np.repeat(np.arange(graph.n), np.diff(graph.indptr)), graph.indices))]
    for width in (1, 4, 32):
        check_result(wanted, allowed, add, *pull(machine, graph, dtype, width, (by_column, present, dense), codes))


def push(machine: Machine, graph: Graph, dtype: Any, indices: Any, operands: Any, codes: Any) -> tuple[Any, Any]:
    run = machine.products(dtype)
    present, sums = np.ones(graph.n, bool), np.full(graph.n, 77, SUMS.get(dtype.name, dtype))
    run("product_fill", graph.n, graph.n, codes[2], present, sums)
    offsets, prefix = scanned(machine, indices, graph)
    edges = int(prefix[-1])
    rows = (indices, len(indices), offsets, prefix, edges, graph.indptr, graph.indices)
    run("product_push", edges, *rows, *operands, *codes, present, sums, per_block=machine.tile)
    return present, sums.astype(dtype)


def pull(machine: Machine, graph: Graph, dtype: Any, width: int, operands: Any, codes: Any) -> tuple[Any, Any]:
    present, values = np.ones(graph.n, bool), np.full(graph.n, 77, dtype)
    matrix, x_present, x = operands
    rows = (graph.n, width, graph.in_indptr, graph.in_indices)
    given = (matrix, 1, x_present, x, 1, *codes)
    machine.products(dtype)("product_pull", graph.n * width, *rows, *given, present, values)
    assert not values[~present].any(), "what is not present is 0"
    return present, values
