"""Graph algorithms, each about a screen of algebra; the engine in force may compute one as a whole."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .cohesion import clustering, core_numbers, k_truss, square_clustering, transitivity, triangles
    from .connected import components, is_bipartite, two_coloring
    from .dependencies import betweenness, edge_betweenness
    from .directed import strong_components, topological_levels
    from .efficiencies import global_efficiency, local_efficiency
    from .extremes import center, diameter, eccentricity, periphery, radius
    from .nearness import all_pairs_distances, average_distance, closeness, harmonic
    from .paths import ego, k_hop, shortest_path
    from .ranking import eigenvector, hits, katz, pagerank
    from .searches import bfs_many
    from .similarity import common_neighbors, jaccard
    from .weighted import all_pairs, potentials, sssp

__all__ = [
    "all_pairs",
    "all_pairs_distances",
    "average_distance",
    "betweenness",
    "bfs_many",
    "center",
    "closeness",
    "clustering",
    "common_neighbors",
    "components",
    "core_numbers",
    "diameter",
    "eccentricity",
    "edge_betweenness",
    "ego",
    "eigenvector",
    "global_efficiency",
    "harmonic",
    "hits",
    "is_bipartite",
    "jaccard",
    "k_hop",
    "k_truss",
    "katz",
    "local_efficiency",
    "pagerank",
    "periphery",
    "potentials",
    "radius",
    "shortest_path",
    "square_clustering",
    "sssp",
    "strong_components",
    "topological_levels",
    "transitivity",
    "triangles",
    "two_coloring",
]

# Where each is; no module has the name of a function, or importing it would put it in that one's place.
_HOME = {
    "all_pairs": "weighted",
    "all_pairs_distances": "nearness",
    "average_distance": "nearness",
    "betweenness": "dependencies",
    "bfs_many": "searches",
    "center": "extremes",
    "closeness": "nearness",
    "clustering": "cohesion",
    "common_neighbors": "similarity",
    "components": "connected",
    "core_numbers": "cohesion",
    "diameter": "extremes",
    "eccentricity": "extremes",
    "edge_betweenness": "dependencies",
    "ego": "paths",
    "eigenvector": "ranking",
    "global_efficiency": "efficiencies",
    "harmonic": "nearness",
    "hits": "ranking",
    "is_bipartite": "connected",
    "jaccard": "similarity",
    "k_hop": "paths",
    "k_truss": "cohesion",
    "katz": "ranking",
    "local_efficiency": "efficiencies",
    "pagerank": "ranking",
    "periphery": "extremes",
    "potentials": "weighted",
    "radius": "extremes",
    "shortest_path": "paths",
    "square_clustering": "cohesion",
    "sssp": "weighted",
    "strong_components": "directed",
    "topological_levels": "directed",
    "transitivity": "cohesion",
    "triangles": "cohesion",
    "two_coloring": "connected",
}


def __getattr__(name: str) -> Any:
    """Load an algorithm when it is used."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)


def __dir__() -> list[str]:
    """Return the names of all algorithms."""
    return [*__all__]
