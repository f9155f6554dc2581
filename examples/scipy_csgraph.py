"""Code for SciPy's csgraph: on lagbfs where that is installed, without it as ever, but for the import unchanged."""

import numpy as np
from scipy.sparse import csr_array

try:
    from lagbfs import csgraph
except ImportError:
    from scipy.sparse import csgraph

# Roads between six towns, with their lengths; two of the towns lie on an island.
towns = [0, 0, 0, 1, 2, 4], [1, 2, 3, 2, 3, 5]
roads = csr_array(([7.0, 9.0, 14.0, 15.0, 10.0, 4.0], towns), shape=(6, 6))

order, before = csgraph.breadth_first_order(roads, 0, directed=False)
print("from town 0, nearest first:", order)
lengths, before = csgraph.dijkstra(roads, directed=False, indices=1, return_predecessors=True)
print("distances of town 1:", lengths)
count, island = csgraph.connected_components(roads)
print(count, "islands:", island)
assert (before[[1, 4]] == -9999).all()
assert np.isinf(lengths[4:]).all()
