"""From edges to distances, parents and a path, and what each level was computed by."""

import lagbfs

A = lagbfs.Matrix.from_edges([0, 0, 1, 2, 3, 5], [1, 2, 3, 3, 4, 0])

t = lagbfs.bfs(A, 0, deterministic=True)
print("levels ", t.levels)
print("parents", t.parents)
print("path to 4:", t.path_to(4))
t.verify()

big = lagbfs.graphs.kronecker(14)
print(lagbfs.bfs(big, int(big.degrees.argmax())).summary())
