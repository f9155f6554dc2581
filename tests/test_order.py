"""The order of a first-in-first-out search: that of SciPy and NetworkX, on every engine, and what verification says."""

from collections import deque

import networkx as nx
import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csgraph

from lagbfs import Matrix, VerificationError, backends, bfs, graphs, verify
from lagbfs.host.plain import Plain


def by_one_queue(A, sources, depth=None, target=None):
    """Order, parents and levels, by Python."""
    parents, levels = {s: s for s in sources}, dict.fromkeys(sources, 0)
    order, queue = [*parents], deque(parents)
    while queue:
        u = queue.popleft()
        if levels[u] == depth or (target in levels and levels[u] >= levels[target]):
            break
        for v in A.csr.indices[A.csr.indptr[u] : A.csr.indptr[u + 1]].tolist():
            if v not in parents:
                parents[v], levels[v] = u, levels[u] + 1
                order.append(v)
                queue.append(v)
    return order, [parents.get(v, -1) for v in range(A.nrows)], [levels.get(v, -1) for v in range(A.nrows)]


@given(st.one_of(sts.graphs(), sts.large_graphs()), st.data())
def test_order_and_parents_are_scipys_and_networkxs(backend, graph, data):
    A, source = graph.matrix(), data.draw(st.integers(0, graph.n - 1))
    t = bfs(A, source, backend=backend, order=True, levels=data.draw(st.sampled_from([None, True])))
    order, parents = csgraph.breadth_first_order(A.to_scipy(), source)
    parents[parents < 0] = -1
    parents[source] = source
    np.testing.assert_array_equal(t.order, order)
    np.testing.assert_array_equal(t.parents, parents)

    theirs = nx.DiGraph()
    theirs.add_nodes_from(range(graph.n))
    theirs.add_edges_from(sorted(graph.pairs()))
    edges = [(int(t.parents[v]), v) for v in t.order[1:].tolist()]
    assert edges == [*nx.bfs_edges(theirs, source)]
    t.verify()


@given(st.one_of(sts.graphs(), sts.large_graphs()), st.data())
def test_several_sources_depths_and_targets(backend, graph, data):
    A, vertices = graph.matrix(), st.integers(0, graph.n - 1)
    sources = data.draw(st.lists(vertices, min_size=1, max_size=4))
    depth, target = data.draw(st.none() | st.integers(0, 3)), data.draw(st.none() | vertices)
    t = bfs(A, sources, backend=backend, order=True, max_depth=depth, target=target)
    order, parents, levels = by_one_queue(A, sources, depth, target)
    assert t.order.tolist() == order
    assert t.parents.tolist() == parents
    assert t.levels.tolist() == levels
    assert t.sources.tolist() == sorted({*sources})
    assert (t.reached, t.depth) == (len(order), max(levels))
    t.verify()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["kronecker-11", "uniform-11", "grid-60", "path-500", "star-300", "tree-9"])
def test_large_frontiers(backend, name, threads):
    A = graphs.named(name)
    A.optimize(backend=backend)  # of no use here, and no harm
    source = int(A.degrees.argmax())
    t = bfs(A, source, backend=backend, order=True, threads=threads, levels=True)
    order, parents, levels = by_one_queue(A, [source])
    assert (t.order.tolist(), t.parents.tolist(), t.levels.tolist()) == (order, parents, levels)
    t.verify()


def test_the_trace_has_every_level(backend):
    A = graphs.named("kronecker-11")
    source = int(A.degrees.argmin() if A.degrees.min() else np.flatnonzero(A.degrees == 1)[0])
    t, plain = bfs(A, source, backend=backend, order=True), bfs(A, source, backend=backend)
    assert [step[:5] for step in t.trace] == [step[:5] for step in plain.trace]
    assert all(step.seconds >= 0 and step.arm in backends.get(backend).arms for step in t.trace)
    assert (t.depth, t.reached) == (plain.depth, plain.reached)
    assert len(t.explain()) == len(t.trace)
    assert str(t.explain())
    assert t.summary()


def test_both_directions_are_taken_by_the_kernels():
    if "native" not in backends.names():
        pytest.skip("needs the native engine")
    A = graphs.named("kronecker-12")
    t = bfs(A, int(np.flatnonzero(A.degrees == A.degrees[A.degrees > 0].min())[0]), backend="native", order=True)
    assert {step.arm.direction for step in t.trace} == {"push", "pull"}
    assert "first in, first out" in t.explain()[0].why


@given(st.one_of(sts.graphs(), sts.large_graphs()), st.data())
def test_the_routine_of_each_engine_is_that_of_numpy(graph, data):
    A = graph.matrix()
    sources = np.array(data.draw(st.lists(st.integers(0, graph.n - 1), min_size=1, max_size=3, unique=True)))
    depth = data.draw(st.integers(0, 5))
    arrays = A.csr.indptr, A.csr.indices, A.T.csr.indptr, A.T.csr.indices
    expected = by_one_queue(A, sources.tolist(), depth)[:2]
    for routines in [Plain(), *(backends.get(info.name).routines() for info in backends.available() if info.runs)]:
        if routines is not None:
            assert tuple(found.tolist() for found in routines.in_order(*arrays, sources, depth)) == expected


def test_labels_and_what_does_not_go_with_an_order(backend):
    A = Matrix.from_edges([0, 0, 1, 2], [2, 1, 3, 3], labels=["d", "b", "c", "a"])
    t = bfs(A, "d", backend=backend, order=True)
    assert [A.labels[v] for v in t.order.tolist()] == ["d", "b", "c", "a"]
    assert bfs(A, ["c", "b"], backend=backend, order=True).order.tolist() == [2, 1, 3]
    with pytest.raises(ValueError, match="order=True goes with parents"):
        bfs(A, "d", backend=backend, order=True, parents=False)
    with pytest.raises(AttributeError, match="order=True"):
        _ = bfs(A, "d", backend=backend).order


@pytest.mark.parametrize(
    ("order", "says"),
    [
        ([0, 2, 1, 3, 4], "comes too late"),
        ([0, 1, 2, 4, 3], "comes too late"),
        ([0, 1, 2, 3, 3], "twice"),
        ([1, 0, 2, 3, 4], "where no source may"),
        ([0, 1, 2, 3, 5], "was not reached"),
    ],
)
def test_a_wrong_order_is_told(order, says):
    A = Matrix.from_edges([0, 0, 1, 2, 2], [1, 2, 3, 3, 4], n=6)
    verify(A, 0, parents=[0, 0, 0, 1, 2, -1], order=[0, 1, 2, 3, 4])
    with pytest.raises(VerificationError, match=says):
        verify(A, 0, parents=[0, 0, 0, 1, 2, -1], order=order)


def test_parents_that_are_not_first_in_order_are_told():
    A = Matrix.from_edges([0, 0, 1, 2], [1, 2, 3, 3])
    verify(A, 0, parents=[0, 0, 0, 2])
    with pytest.raises(VerificationError, match="an edge leads to 3 from a vertex before its parent"):
        verify(A, 0, parents=[0, 0, 0, 2], order=[0, 1, 2, 3])
    with pytest.raises(ValueError, match="parents are needed"):
        verify(A, 0, levels=[0, 1, 1, 2], order=[0, 1, 2, 3])
    with pytest.raises(ValueError, match="one entry for each of the 4"):
        verify(A, 0, parents=[0, 0, 0, 1], order=[0, 1, 2])
