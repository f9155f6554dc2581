"""A graph that processes share: mpiexec -n 4 python on_ranks.py. Without mpiexec, one process has all of it."""

import lagbfs
from lagbfs import replace, semiring


def level_bfs(A, source):
    # The loop of level_bfs.py, on vectors of which each rank has its own positions.
    levels, frontier = A.vector(int), A.vector(bool)
    frontier[source] = True
    level = 0
    while frontier.nvals:
        # levels⟨frontier⟩ = level
        levels(frontier.S) << level
        # frontier⟨¬levels, replace⟩ = frontier any.pair A
        frontier(~levels.S, replace) << semiring.any_pair(frontier @ A)
        level += 1
    return levels


if __name__ == "__main__":
    A = lagbfs.DistributedMatrix.kronecker(12)
    t = lagbfs.bfs(A, 1)
    t.verify()
    found, levels = t.gather(), level_bfs(A, 1).gather()
    ranks, parts = lagbfs.pagerank(A).gather(), lagbfs.components(A).gather()
    if A.ranks.rank == 0:
        print(t.outcome)
        print("levels of the loop are the same:", (levels.to_dense(fill_value=-1) == found.levels).all())
        print("highest rank:", ranks.to_dense().argmax(), "- components:", len(set(parts.to_dense().tolist())))
