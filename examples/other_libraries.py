"""Graphs of other libraries: searched as they are, converted once, and results in their own forms.

Needs pip install 'lagbfs[igraph,arrow,pandas,networkx]'.
"""

import tempfile
from pathlib import Path

import igraph
import pyarrow as pa

import lagbfs

# An igraph graph, by the names of its vertices.
g = igraph.Graph.TupleList([("Ghent", "Bruges", 46), ("Ghent", "Aalst", 31), ("Aalst", "Brussels", 28)], weights="km")
t = lagbfs.bfs(g, "Bruges")  # converted for this call
print(t.to_pandas())
print(list(t.to_networkx().edges))

A = lagbfs.Matrix.from_igraph(g, weight="km")  # converted once, for many
print(lagbfs.sssp(A, "Bruges").distances)

# An Arrow table, of Polars, pandas, DuckDB or any other that streams it.
table = pa.table({"who": ["ann", "bob"], "knows": ["bob", "eve"]})
print(lagbfs.Matrix.from_arrow(table, "who", "knows").labels)

# A file that opens at once, whatever its size.
path = Path(tempfile.mkdtemp()) / "roads.lagbfs"
lagbfs.write(path, A)
print(lagbfs.bfs(lagbfs.read(path), "Ghent").layers())
