"""Shortest paths by Bellman and Ford, in the algebra. Runs on python-graphblas too: change the import."""

from lagbfs import Matrix, Vector, binary, semiring


def shortest_paths(A, source):
    distance = Vector(float, A.nrows)
    distance[source] = 0.0
    for _ in range(A.nrows):
        before = distance.dup()
        # distance = distance min (distance min.+ A)
        distance(accum=binary.min) << semiring.min_plus(distance @ A)
        if distance.isequal(before):
            return distance
    raise ValueError("the graph has a cycle of negative length")


if __name__ == "__main__":
    A = Matrix.from_coo([0, 0, 1, 2], [1, 2, 3, 3], [1.0, 4.0, 5.0, 1.0], nrows=4, ncols=4)
    print(shortest_paths(A, 0).to_dict())
