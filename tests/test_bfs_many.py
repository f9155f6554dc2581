"""Many searches at once, each against an ordinary one, in every way and on every engine."""

import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import LagbfsError, Matrix, VerificationError, backends, bfs, bfs_many, graphs
from lagbfs.algorithms.traversals import Traversals
from lagbfs.backends.protocol import ManyFound, ManyWanted

NATIVE = {info.name: info for info in backends.available()}["native"]
needs_native = pytest.mark.skipif(not NATIVE.runs, reason=f"native cannot run here: {NATIVE.reason}")


def ordinary(A, sources, max_depth=None):
    """Return the levels of a search from each source."""
    found = [bfs(A, int(s), parents=False, levels=True, max_depth=max_depth, backend="reference") for s in sources]
    return np.array([t.levels for t in found]).reshape(len(sources), A.nrows)


def check(found, levels):
    """Check all that was found against levels."""
    reached = levels >= 0
    distances = np.where(reached, levels, 0)
    assert found.distance_sums.tolist() == distances.sum(1).tolist()
    assert found.reached.tolist() == reached.sum(1).tolist()
    assert found.eccentricities.tolist() == distances.max(1, initial=0).tolist()
    assert found.vertex_distance_sums.tolist() == distances.sum(0).tolist()
    assert found.vertex_reached.tolist() == reached.sum(0).tolist()
    assert found.vertex_eccentricities.tolist() == distances.max(0, initial=0).tolist()
    deepest = int(levels.max(initial=-1))
    counts = [[int((row == level).sum()) for level in range(deepest + 1)] for row in levels]
    assert found.level_counts.tolist() == counts


EVERYTHING = {"levels": True, "parents": True, "level_counts": True, "by_vertex": True}


@st.composite
def problems(draw):
    graph = draw(st.one_of(sts.graphs(min_n=1), sts.large_graphs(200)))
    k = draw(st.sampled_from([1, 2, 5, 70]))
    sources = draw(st.lists(st.integers(0, graph.n - 1), min_size=1, max_size=k))
    return graph.matrix(), sources, draw(st.sampled_from([None, None, 0, 2]))


@given(problems(), st.sampled_from([None, "together", "single"]))
def test_every_engine(backend, problem, way):
    A, sources, depth = problem
    sources = sources[:6]
    found = bfs_many(A, sources, max_depth=depth, way=way, backend=backend, **EVERYTHING)
    levels = ordinary(A, sources, depth)
    assert found.levels.tolist() == levels.tolist()
    check(found, levels)
    found.verify()


@needs_native
@given(
    problems(),
    st.sampled_from([("together", 64), ("together", 128), ("together", 256), ("together", 512), ("apart", None)]),
    st.sampled_from([1, 2]),
    st.booleans(),
)
def test_every_way(problem, way, threads, optimized):
    A, sources, depth = problem
    if optimized:
        backends.get("native").optimize(A.rows, threads)
    options = {"max_depth": depth, "way": way[0], "width": way[1], "threads": threads, "backend": "native"}
    found = bfs_many(A, sources, **EVERYTHING, **options)
    levels = ordinary(A, sources, depth)
    assert found.levels.tolist() == levels.tolist()
    check(found, levels)
    found.verify()
    parents = bfs_many(A, sources, levels=False, parents=True, **options)
    parents.verify()
    sums = bfs_many(A, sources, levels=False, **options)
    assert sums.distance_sums.tolist() == found.distance_sums.tolist()


@needs_native
@pytest.mark.parametrize("way", ["together", "apart", "single", None])
@pytest.mark.parametrize(("n", "kind"), [(100, np.int8), (200, np.int16), (40000, np.int32)])
def test_levels_are_as_wide_as_needed(way, n, kind):
    A = graphs.path(n)
    sources = [n // 2, 0] if n < 1000 else [0]
    found = bfs_many(A, sources, way=way, backend="native")
    assert found.levels.dtype == kind
    assert found.levels.tolist() == [abs(np.arange(n) - s).tolist() for s in sources]


@needs_native
@pytest.mark.parametrize("way", ["together", "apart"])
def test_levels_that_become_wide_late_keep_those_before(way):
    """A search of 300 levels after many of few."""
    chain = np.arange(300)
    A = Matrix.from_edges([*chain, *range(301, 400)], [*(chain + 1), *range(302, 401)])
    sources = [*range(350, 350 + 20)] * 4 + [0, 399]
    found = bfs_many(A, sources, way=way, width=64 if way == "together" else None, backend="native", threads=1)
    assert found.levels.dtype == np.int16
    assert found.levels.tolist() == ordinary(A, sources).tolist()


@needs_native
def test_wide_indices():
    A = Matrix.from_coo(np.array([0, 1, 2], np.int64), np.array([1, 2, 0], np.int64), nrows=3, ncols=3)
    csr = A.csr
    wide = Matrix.from_csr(csr.indptr.astype(np.int64), csr.indices.astype(np.int64), ncols=3)
    for way in ("together", "apart"):
        assert bfs_many(wide, [0, 2], way=way, backend="native").levels.tolist() == [[0, 1, 2], [1, 2, 0]]


def test_more_sources_than_go_in_step_are_batched(backend):
    A = graphs.grid(9, 9)
    told = []
    sources = [*range(81)]
    found = bfs_many(A, sources, way="together", width=64, backend=backend, progress=lambda *p: told.append(p))
    assert told == [(64, 81), (81, 81)]
    assert found.levels.tolist() == ordinary(A, sources).tolist()
    assert (found.levels == found.levels.T).all()


def test_a_source_may_be_named_twice_and_may_have_no_edges(backend):
    A = Matrix.from_edges([0], [1], n=4)
    found = bfs_many(A, [3, 0, 3], backend=backend, parents=True, by_vertex=True)
    assert found.levels.tolist() == [[-1, -1, -1, 0], [0, 1, -1, -1], [-1, -1, -1, 0]]
    assert found.parents.tolist() == [[-1, -1, -1, 3], [0, 0, -1, -1], [-1, -1, -1, 3]]
    assert found.vertex_reached.tolist() == [1, 1, 0, 2]


def test_it_is_not_one_search_from_several_sources():
    A = graphs.path(5)
    assert bfs(A, [0, 4]).levels.tolist() == [0, 1, 2, 1, 0]
    assert bfs_many(A, [0, 4]).levels.tolist() == [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0]]
    assert "bfs_many" in bfs.__doc__
    assert "one* search" in bfs_many.__doc__


def test_labels_in_and_out():
    A = labelled()
    found = bfs_many(A, ["c", "a"], parents=True)
    assert found.path("a", "c") == ["a", "b", "c"]
    assert found.path("c", "a") is None
    with pytest.raises(LagbfsError, match="searched from"):
        found.path("b", "c")
    with pytest.raises(LagbfsError, match="sources"):
        bfs_many(A, ["z"])


def labelled():
    networkx = pytest.importorskip("networkx")
    return Matrix.from_networkx(networkx.DiGraph([("a", "b"), ("b", "c")]))


def test_no_sources_and_no_vertices(backend):
    assert bfs_many(graphs.path(3), [], backend=backend).levels.shape == (0, 3)
    assert bfs_many(Matrix.from_edges([], []), [], backend=backend).levels.shape == (0, 0)


@pytest.mark.parametrize(
    ("sources", "options", "words"),
    [
        ([3], {}, "sources"),
        ([-1], {}, "sources"),
        (1, {}, "several"),
        ([0.5], {}, "sources"),
        (np.array([0.5]), {}, "sources"),
        ([0], {"way": "aside"}, "way"),
        ([0], {"width": 100}, "width"),
        ([0], {"width": True}, "width"),
        ([0], {"max_depth": -1}, "max_depth"),
        ([0], {"way": "apart", "backend": "reference"}, "way must be"),
        ([0], {"way": "apart", "selector": "beamer"}, "way must be"),
    ],
)
def test_bad_input(sources, options, words):
    with pytest.raises(LagbfsError, match=words):
        bfs_many(graphs.path(3), sources, **options)


def test_what_was_not_asked_for():
    found = bfs_many(graphs.path(3), [0], levels=False)
    for name in ("levels", "parents", "level_counts", "vertex_reached"):
        with pytest.raises(LagbfsError, match="asked for"):
            getattr(found, name)
    with pytest.raises(LagbfsError, match="verified"):
        found.verify()


def test_what_is_wrong_is_noticed():
    A = graphs.path(3)
    found = bfs_many(A, [0, 2])
    found.levels[1, 0] = 1
    with pytest.raises(VerificationError):
        found.verify()


def test_a_result_says_what_it_is_and_how_it_was_made():
    found = bfs_many(graphs.grid(5, 5), range(25))
    assert isinstance(found, Traversals)
    assert repr(found) == "Traversals(25 sources, 25 vertices, depth 8)"
    assert len(found) == 25
    assert found.explain()


def test_tables_that_do_not_fit_are_refused():
    n = 1 << 20
    rows = Matrix.from_coo([0], [1], nrows=n, ncols=n).rows
    with pytest.raises(MemoryError, match="searches"):
        ManyFound(rows, 1 << 30, ManyWanted())


@needs_native
def test_the_quickest_way_is_taken_and_told():
    A = graphs.kronecker(10, seed=1)
    found = bfs_many(A, np.arange(300), levels=False, backend="native")
    assert "together" in found.explain()
