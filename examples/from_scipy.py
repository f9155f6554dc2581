"""From a SciPy sparse array and back. Explicit zeros are edges, unless they are dropped."""

import numpy as np
from scipy.sparse import csr_array

import lagbfs

S = csr_array((np.array([1.0, 0.0, 2.0]), ([0, 1, 0], [1, 2, 3])), shape=(4, 4))

print("zeros are edges:", lagbfs.bfs(lagbfs.Matrix.from_scipy(S), 0).levels)
print("zeros dropped:  ", lagbfs.bfs(lagbfs.Matrix.from_scipy(S, drop_zeros=True), 0).levels)
print(lagbfs.Matrix.from_scipy(S).to_scipy().toarray())
