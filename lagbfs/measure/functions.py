"""Functions of NetworkX and of SciPy's csgraph, by lagbfs and as they are; igraph's beside them where it has the like.

Each is called as users call it: NetworkX's with ``backend="lagbfs"`` on a graph of NetworkX, which is converted anew,
and on one that was converted before; csgraph's with a sparse array of SciPy, the second time the same one. Results are
compared before anything is timed; contenders then take turns, and medians are reported. What a library computes vertex
by vertex in the same time for each is timed for some of them, and told as what all would take.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from ..algebra.matrix import Matrix
from ..base import checks
from ..base.optional import require
from ..errors import InvalidValueError, VerificationError
from .gap import weighted

__all__ = ["AGAINST", "Timing", "against_networkx", "against_scipy"]

AGAINST = ("networkx", "scipy", "igraph")
SAMPLE = 64  # sources of betweenness
_SOME = 2  # vertices that stand for all, where one takes long
_LONG = 0.5  # seconds: what takes longer is called once

Run = Callable[[], Any]


class Timing(NamedTuple):
    """One function on one graph: seconds by contender. `dictionary`: of making a dictionary like the result."""

    graph: str
    function: str
    seconds: dict[str, float]
    dictionary: float | None = None
    note: str = ""

    def ratio(self, own: str, other: str) -> float | None:
        """How many times as long another contender takes as one of lagbfs; None if either has no such function."""
        if own not in self.seconds or other not in self.seconds:
            return None
        return self.seconds[other] / self.seconds[own]


class _Case(NamedTuple):
    """A function: what calls it, and what makes results comparable; `share`: of the whole work, what theirs does."""

    name: str
    ours: Callable[..., Any]
    theirs: Callable[..., Any] | None = None
    share: float = 1.0
    igraph: Callable[..., Any] | None = None
    same: Callable[[Any, Any], bool] | None = None


def _timed(run: Run, rounds: int) -> float:
    """Return the median of some calls, of one if it takes long."""
    times: list[float] = []
    while len(times) < rounds:
        began = perf_counter()
        found = run()
        times.append(perf_counter() - began)
        del found
        if times[0] > _LONG and len(times) >= (1 if times[0] > 4 * _LONG else 2):
            break
    return float(np.median(times))


def _take_turns(runs: dict[str, Run], rounds: int) -> dict[str, float]:
    """Return medians: quick ones take turns, what takes long is called once or twice, at the end."""
    first = {name: _timed(run, 1) for name, run in runs.items()}
    quick = [name for name in runs if first[name] <= _LONG]
    times: dict[str, list[float]] = {name: [first[name]] if name not in quick else [] for name in runs}
    for _ in range(rounds):
        for name in quick:
            times[name].append(_timed(runs[name], 1))
    return {name: float(np.median(seconds)) for name, seconds in times.items()}


def _demand(function: str, holds: bool) -> None:
    if not holds:
        raise VerificationError(function, -1, "the two results differ")


def against_networkx(
    name: str,
    A: Matrix,
    *,
    igraph: bool = False,
    rounds: int = 5,
    progress: Callable[[float, float | None], None] = lambda done, total: None,
) -> list[Timing]:
    """Time functions of NetworkX on a graph: by NetworkX, and by lagbfs with and without the conversion.

    Examples
    --------
    >>> from lagbfs import graphs
    >>> from lagbfs.measure import functions
    >>> [timing.function for timing in functions.against_networkx("grid", graphs.grid(5, 5), rounds=1)][:2]
    ['conversion', 'bfs_tree']
    """
    require("networkx", "networkx")
    import networkx

    checks.integer("rounds", rounds, low=1)
    graph = _networkx_graph(networkx, name, A)
    converted = import_module("lagbfs.nx").from_networkx(graph)
    other = _igraph(A) if igraph else None
    timings = []
    cases = _networkx_cases(networkx, A)
    with networkx.config(cache_converted_graphs=False, fallback_to_nx=False, backend_priority=[]):
        timings.append(_conversion(networkx, name, graph, other))
        for done, case in enumerate(cases):
            timings.append(_one_of_networkx(name, case, graph, converted, other, rounds))
            progress(done + 1, len(cases))
    return timings


def _networkx_graph(networkx: Any, name: str, A: Matrix) -> Any:
    if not A.is_symmetric:
        raise InvalidValueError(f"graph {name} must have its edges both ways (--undirected)")
    rows, columns, _ = A.to_coo()
    if not len(rows):
        raise InvalidValueError(f"graph {name} has no edges")
    once = rows < columns
    graph = networkx.Graph()
    graph.add_nodes_from(range(A.nrows))
    order = np.random.default_rng(1).permutation(int(once.sum()))  # files and programs do not sort neighbours
    graph.add_edges_from(zip(rows[once][order].tolist(), columns[once][order].tolist(), strict=True))
    return graph


def _networkx_cases(nx: Any, A: Matrix) -> list[_Case]:
    n, hub = A.nrows, int(A.degrees.argmax())
    some = np.random.default_rng(1).choice(np.flatnonzero(A.degrees), _SOME).tolist()
    k = min(SAMPLE, n)

    def by(function: Any, **given: Any) -> Callable[..., Any]:
        return lambda G, **how: function(G, **given, **how)

    def listed(function: Any) -> Callable[..., Any]:
        return lambda G, **how: list(function(G, **how))

    def near(G: Any, **how: Any) -> dict[Any, float]:
        return {v: nx.closeness_centrality(G, v, **how) for v in some}

    def alike(ours: Any, theirs: Any) -> bool:
        return all(np.isclose(ours[v], theirs[v]) for v in theirs)

    return [
        _Case("bfs_tree", by(nx.bfs_tree, source=hub), igraph=lambda g: g.bfs(hub), same=_same_trees),
        _Case(
            "single_source_shortest_path_length",
            by(nx.single_source_shortest_path_length, source=hub),
            igraph=lambda g: g.distances(hub),
        ),
        _Case("connected_components", listed(nx.connected_components), igraph=lambda g: g.connected_components()),
        _Case("closeness_centrality", by(nx.closeness_centrality), near, _SOME / n, same=alike),
        _Case(
            f"betweenness_centrality, k = {k}",
            by(nx.betweenness_centrality, k=k, seed=1),
            by(nx.betweenness_centrality, k=min(_SOME, n), seed=1),
            min(_SOME, n) / k,
            same=lambda ours, theirs: len(ours) == len(theirs),
        ),
        _Case("pagerank", by(nx.pagerank), igraph=lambda g: g.pagerank(), same=_near),
        _Case("triangles", by(nx.triangles)),
    ]


def _same_trees(ours: Any, theirs: Any) -> bool:
    return list(ours.edges) == list(theirs.edges)


def _near(ours: dict[Any, float], theirs: dict[Any, float]) -> bool:
    return sum(abs(ours[v] - theirs[v]) for v in theirs) < 1e-4


def _conversion(networkx: Any, name: str, graph: Any, other: Any) -> Timing:
    """Time the conversion, with weights, against NetworkX's own to a sparse array of SciPy."""
    interface = networkx.utils.backends._load_backend("lagbfs")
    runs: dict[str, Run] = {
        "fresh": lambda: interface.convert_from_nx(graph, {"weight": 1}).matrix_of("weight"),
        "networkx": lambda: networkx.to_scipy_sparse_array(graph),
    }
    if other is not None:
        runs["igraph"] = lambda: type(other).from_networkx(graph)
    return Timing(name, "conversion", _take_turns(runs, 3), note="NetworkX: to_scipy_sparse_array")


def _one_of_networkx(name: str, case: _Case, graph: Any, converted: Any, other: Any, rounds: int) -> Timing:
    theirs = case.theirs or case.ours
    expected, found = theirs(graph, backend="networkx"), case.ours(converted)
    _demand(case.name, (case.same or (lambda a, b: bool(a == b)))(found, expected))
    if case.name.startswith("betweenness"):  # of fewer sources than ours: of these, too
        _demand(case.name, _near(theirs(converted), expected))
    runs: dict[str, Run] = {
        "converted": lambda: case.ours(converted),
        "fresh": lambda: case.ours(graph, backend="lagbfs"),
        "networkx": lambda: theirs(graph, backend="networkx"),
    }
    beside = case.igraph
    if other is not None and beside is not None:
        runs["igraph"] = lambda: beside(other)
    seconds = _take_turns(runs, rounds)
    seconds["networkx"] /= case.share
    note = f"NetworkX: {case.share:.2g} of it, the rest by rule of three" if case.share < 1 else ""
    return Timing(name, case.name, seconds, _dictionary(found), note)


def _dictionary(found: Any) -> float | None:
    """Return what it takes to make a dictionary of so many numbers from arrays; None if the result is none."""
    if not isinstance(found, dict):
        return None
    values, nodes = np.array(list(found.values())), range(len(found))
    return _timed(lambda: dict(zip(nodes, values.tolist(), strict=True)), 5)


def _igraph(A: Matrix) -> Any:
    require("igraph", "bench")
    igraph: Any = import_module("igraph")
    rows, columns, _ = A.to_coo()
    once = rows <= columns
    return igraph.Graph(n=A.nrows, edges=np.column_stack([rows[once], columns[once]]))


def against_scipy(
    name: str,
    A: Matrix,
    *,
    rounds: int = 5,
    progress: Callable[[float, float | None], None] = lambda done, total: None,
) -> list[Timing]:
    """Time functions of SciPy's csgraph on a graph, with weights of 1 … 255: by SciPy, and by lagbfs.

    Examples
    --------
    >>> from lagbfs import graphs
    >>> from lagbfs.measure import functions
    >>> [timing.function for timing in functions.against_scipy("grid", graphs.grid(5, 5), rounds=1)][:2]
    ['breadth_first_order', 'breadth_first_tree']
    """
    from scipy.sparse import csgraph as theirs

    checks.integer("rounds", rounds, low=1)
    if not A.nvals:
        raise InvalidValueError(f"graph {name} has no edges")
    ours: Any = import_module("lagbfs.csgraph")
    array = weighted(A).to_scipy().astype(np.float64)
    timings, cases = [], _scipy_cases(A)
    for done, case in enumerate(cases):
        timings.append(_one_of_scipy(name, case, array, ours, theirs, rounds))
        progress(done + 1, len(cases))
    return timings


_SMALL = 2000  # vertices up to which SciPy's Bellman and Ford comes to an end in time


def _scipy_cases(A: Matrix) -> list[_Case]:
    hub = int(A.degrees.argmax())
    several = np.random.default_rng(1).choice(np.flatnonzero(A.degrees), 4)

    def by(function: str, **given: Any) -> Callable[..., Any]:
        return lambda module, array: getattr(module, function)(array, **given)

    cases = [
        _Case("breadth_first_order", by("breadth_first_order", i_start=hub)),
        _Case("breadth_first_tree", by("breadth_first_tree", i_start=hub)),
        _Case("connected_components, weak", by("connected_components")),
        _Case("connected_components, strong", by("connected_components", connection="strong")),
        _Case("dijkstra, of edges", by("dijkstra", indices=hub, unweighted=True)),
        _Case("dijkstra", by("dijkstra", indices=hub)),
        _Case("dijkstra, min_only", by("dijkstra", indices=several, min_only=True)),
        _Case("shortest_path", by("shortest_path", indices=hub, return_predecessors=True)),
        _Case("laplacian", by("laplacian")),
    ]
    if A.nrows <= _SMALL:
        cases += [
            _Case("bellman_ford", by("bellman_ford", indices=hub)),
            _Case("johnson", by("johnson", indices=hub)),
        ]
    return cases


def _one_of_scipy(name: str, case: _Case, array: Any, ours: Any, theirs: Any, rounds: int) -> Timing:
    from scipy.sparse import csr_array

    call: Any = case.ours
    _demand(case.name, _equal(call(ours, array), call(theirs, array)))
    parts = array.data, array.indices, array.indptr
    anew = [csr_array(parts, shape=array.shape) for _ in range(rounds + 1)]  # of the same arrays, and never given
    runs: dict[str, Run] = {
        "again": lambda: call(ours, array),
        "fresh": lambda: call(ours, anew.pop()),
        "scipy": lambda: call(theirs, array),
    }
    return Timing(name, case.name, _take_turns(runs, rounds))


def _equal(ours: Any, theirs: Any) -> bool:
    """Whether results of csgraph are the same; of a pair, predecessors may differ."""
    if isinstance(ours, tuple):
        ours, theirs = ours[0], theirs[0]
    if hasattr(ours, "nnz"):
        return bool(ours.nnz == theirs.nnz)
    return bool(np.allclose(ours, theirs))


def speedups(timings: Sequence[Timing], own: str, other: str) -> list[float]:
    """Return how many times as fast lagbfs is, of all functions that both have."""
    return [ratio for timing in timings if (ratio := timing.ratio(own, other)) is not None]
