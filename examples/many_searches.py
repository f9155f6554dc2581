"""Many searches at once: how far apart people are in a small world, and who is near to all."""

import numpy as np

import lagbfs
from lagbfs import algorithms

A = lagbfs.graphs.watts_strogatz(2000, 6, 0.05, seed=1)

if __name__ == "__main__":
    found = lagbfs.bfs_many(A, np.arange(A.nrows), levels=False, level_counts=True)
    print("pairs by distance", found.level_counts.sum(axis=0).tolist())
    print("diameter", lagbfs.diameter(A), "radius", algorithms.radius(A), "center", algorithms.center(A)[:5])
    print("nearest to all", lagbfs.closeness(A).argsort()[-3:][::-1].tolist())
    average = algorithms.average_distance(A, samples=100, seed=1)
    print(f"average distance {average.value:.2f} ± {average.error:.2f}")
    print("a path", lagbfs.shortest_path(A, 0, 1000))
