"""`scipy.sparse.csgraph`, faster: the same functions, signatures, dtypes and sentinels.

Change ``from scipy.sparse import csgraph`` to ``from lagbfs import csgraph``. What lagbfs does not compute is SciPy's.
Each function also takes a `lagbfs.Matrix`. Small graphs are left to SciPy's own linear functions, which are as quick.
"""

from scipy.sparse.csgraph import (
    NegativeCycleError,
    construct_dist_matrix,
    csgraph_from_dense,
    csgraph_from_masked,
    csgraph_masked_from_dense,
    csgraph_to_dense,
    csgraph_to_masked,
    depth_first_order,
    depth_first_tree,
    floyd_warshall,
    laplacian,
    maximum_bipartite_matching,
    maximum_flow,
    min_weight_full_bipartite_matching,
    minimum_spanning_tree,
    reconstruct_path,
    reverse_cuthill_mckee,
    structural_rank,
    yen,
)

from .connected import connected_components
from .paths import bellman_ford, dijkstra, johnson, shortest_path
from .traversal import breadth_first_order, breadth_first_tree

__all__ = [
    "NegativeCycleError",
    "bellman_ford",
    "breadth_first_order",
    "breadth_first_tree",
    "connected_components",
    "construct_dist_matrix",
    "csgraph_from_dense",
    "csgraph_from_masked",
    "csgraph_masked_from_dense",
    "csgraph_to_dense",
    "csgraph_to_masked",
    "depth_first_order",
    "depth_first_tree",
    "dijkstra",
    "floyd_warshall",
    "johnson",
    "laplacian",
    "maximum_bipartite_matching",
    "maximum_flow",
    "min_weight_full_bipartite_matching",
    "minimum_spanning_tree",
    "reconstruct_path",
    "reverse_cuthill_mckee",
    "shortest_path",
    "structural_rank",
    "yen",
]
