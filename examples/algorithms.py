"""Algorithms: components, ranks, shortest paths and betweenness of a small network, by name."""

import lagbfs
from lagbfs import algorithms

ROADS = [
    ("Aachen", "Bonn", 91),
    ("Bonn", "Cologne", 28),
    ("Aachen", "Cologne", 71),
    ("Cologne", "Dortmund", 95),
    ("Dortmund", "Essen", 37),
    ("Cologne", "Essen", 73),
    ("Norderney", "Juist", 12),
]

A = lagbfs.Matrix.from_edges(ROADS, directed=False)


def named(values):
    return dict(zip(A.labels, values, strict=True))


if __name__ == "__main__":
    print("components", sorted({A.labels[v] for v in lagbfs.components(A)}))
    print("pagerank", {town: round(float(rank), 3) for town, rank in named(lagbfs.pagerank(A)).items()})
    print("betweenness", {town: float(b) for town, b in named(lagbfs.betweenness(A, normalized=False)).items() if b})
    trip = lagbfs.sssp(A, "Aachen")
    print("Aachen to Dortmund", trip.distance_to("Dortmund"), "km:", " - ".join(trip.path_to("Dortmund")))
    print("triangles", int(lagbfs.triangles(A).sum()) // 3, "cores", lagbfs.core_numbers(A).tolist())
    print("bipartite", algorithms.is_bipartite(A), "transitivity", round(algorithms.transitivity(A), 2))
