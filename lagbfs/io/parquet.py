"""Parquet files of edges, by pyarrow: a row for each, with columns called as `Matrix.from_edges` knows them.

What is written says beside its rows, under ``lagbfs``, how many vertices there are, whether edges lead both ways, and
the names of the vertices, so that those without edges are kept, and the order of all.
"""

from __future__ import annotations

import io
import json
from typing import IO, Any

import numpy as np

from ..algebra.edge_lists import Edges, edges_of, listed, numbered
from ..algebra.labels import Labels
from ..algebra.matrix import Matrix
from ..algebra.matrix_constructors import extent
from ..base.optional import require
from ..errors import FileFormatError, LagbfsError
from ..storage import tables
from .edges import is_pattern
from .npz import as_array
from .stream import RATIO, SLACK, Source

__all__ = ["read", "write"]

_KEY = b"lagbfs"


def read(source: Source, directed: bool | None) -> Matrix:
    """Return the graph in a Parquet file."""
    pyarrow = require("pyarrow", "arrow")
    try:
        return _matrix(source, _table(source, source.read()), directed)
    except FileFormatError:
        raise
    except (LagbfsError, pyarrow.ArrowException, ValueError, OSError, KeyError, TypeError, MemoryError) as error:
        source.fail(f"this is no Parquet file of edges, or a damaged one: {error}")


def _table(source: Source, data: bytes) -> Any:
    file = require("pyarrow.parquet", "arrow").ParquetFile(io.BytesIO(data))
    if 16 * file.metadata.num_rows > SLACK + RATIO * len(data):
        source.fail(f"{len(data)} bytes become {file.metadata.num_rows} rows: a bomb?")
    return file.read()


def _matrix(source: Source, table: Any, directed: bool | None) -> Matrix:
    said = json.loads((table.schema.metadata or {}).get(_KEY, b"{}"))
    if not isinstance(said, dict):
        source.fail(f"what is said under {_KEY.decode()} is no JSON object")
    edges = _edges(table, said.get("labels"))
    n = said.get("nodes", max(extent(edges.src), extent(edges.dst)) if edges.labels is None else len(edges.labels))
    source.check_vertices(n)
    once = directed is False or (directed is None and said.get("directed") is False)
    names = None if edges.labels is None else edges.labels.names
    return Matrix.from_edges(edges.src, edges.dst, edges.weights, n=n, directed=not once, labels=names)


def _edges(table: Any, labels: list[Any] | None) -> Edges:
    """Return the edges; where labels are said, the columns hold these, though they may be integers."""
    if labels is None:
        return edges_of(table, None, None, None)
    weights = tables.numbers("weight", table["weight"]) if "weight" in table.column_names else None
    return numbered(listed(table["source"]), listed(table["target"]), weights, Labels(labels))


def write(file: IO[bytes], A: Matrix) -> None:
    """Write a graph, an undirected one each of its edges once."""
    once, csr = A.is_symmetric, A.csr
    rows, cols = csr.rows(), csr.indices
    keep = rows <= cols if once else slice(None)
    columns = {"source": rows[keep], "target": cols[keep]}
    if not is_pattern(A):
        columns["weight"] = np.array(csr.all_values()[keep])
    said: dict[str, Any] = {"nodes": A.nrows, "directed": not once}
    names = None if A.labels is None else as_array(A.labels)
    if names is not None:
        said["labels"] = names.tolist()
        columns |= {end: names[columns[end]] for end in ("source", "target")}
    table = tables.made(columns, {}).replace_schema_metadata({_KEY: json.dumps(said).encode()})
    made = io.BytesIO()
    require("pyarrow.parquet", "arrow").write_table(table, made)
    file.write(made.getbuffer())
