"""From a python-graphblas Matrix and back."""

import graphblas as gb

import lagbfs

G = gb.Matrix.from_coo([0, 0, 1, 2], [1, 2, 3, 3], 1.0, nrows=5, ncols=5)
A = lagbfs.Matrix.from_graphblas(G)

print(lagbfs.bfs(A, 0).levels)
print(A.to_graphblas().isequal(G))
