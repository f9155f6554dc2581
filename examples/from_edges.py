"""From your own arrays of edges, with names for the vertices."""

import numpy as np

import lagbfs

src = np.array([0, 0, 1, 2, 3])
dst = np.array([1, 2, 3, 3, 4])
A = lagbfs.Matrix.from_edges(src, dst, labels=["home", "park", "shop", "school", "lake"], directed=False)

t = lagbfs.bfs(A, "home")
print(t.path_to("lake"))
print(t.layers())
