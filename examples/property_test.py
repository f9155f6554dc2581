"""Test code written in the algebra: on graphs of every awkward kind, every engine must give the same.

Under pytest the tests are found by their names; here they are called. Needs pip install 'lagbfs[testing]'.
"""

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from lagbfs import Matrix, Vector, bfs, binary, replace, semiring
from lagbfs.testing import assert_engines_agree, graphs, on_every_engine


def distances(A: Matrix, source: int) -> Vector:
    """Return shortest paths, after Bellman and Ford: d = d min (d min.plus A), until nothing changes."""
    d = Vector(float, A.nrows)
    d[source] = 0
    for _ in range(A.nrows):
        before = d.dup()
        d(binary.min) << semiring.min_plus(d @ A)
        if d.isequal(before):
            break
    return d


def two_hops(A: Matrix, v: Vector) -> Vector:
    """Return the vertices two edges away, without those of v: w⟨¬v, replace⟩ = (v any.pair A) any.pair A."""
    w = semiring.any_pair(v @ A).new()
    w(~v.S, replace) << semiring.any_pair(w @ A)
    return w


# Engines and directions against each other: nobody has to say what is right.
@settings(max_examples=25, deadline=None)
@given(graphs(weights="uint8"), st.data())
def test_engines_agree(A, data):
    source = data.draw(st.integers(0, A.nrows - 1))
    assert_engines_agree(distances, A, source)
    assert_engines_agree(two_hops, A, Vector.from_coo([source], [True], size=A.nrows))
    assert_engines_agree(bfs, A, source)  # levels are the same; parents may differ, and have to be right


# Every engine against another library.
@settings(max_examples=25, deadline=None)
@given(graphs(max_n=8, weights="uint8"))
@on_every_engine
def test_distances(A):
    graph = nx.DiGraph()
    graph.add_weighted_edges_from(zip(*(column.tolist() for column in A.to_coo()), strict=True))
    graph.add_node(0)
    assert distances(A, 0).to_dict() == nx.single_source_dijkstra_path_length(graph, 0)


if __name__ == "__main__":
    test_engines_agree()
    test_distances()
    print("all engines agree, and with NetworkX")
