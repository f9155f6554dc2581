"""The native engine: C++ kernels that run whole searches without returning to Python."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from ...selector.learned import START
from ...selector.policies import Fixed, nearest
from .. import BackendInfo
from ..protocol import Arm, Selector, State, Step

if TYPE_CHECKING:
    from ...csr import Csr
    from ...mask import Mask
    from ...matrix import Matrix
    from ...semiring import Semiring
    from ...vector import Vector
    from . import _kernels

NAME = "native"
_FORMS = ("list", "bitmap", "both")
_MOST_THREADS = 256  # as many as a team has
_MOST_ENGINES = 8  # that costs compare
INSTALL = (
    "install a C++17 compiler (Debian: apt install g++; conda: cxx-compiler), then pip install --force-reinstall lagbfs"
)


def info() -> BackendInfo:
    """Say whether the extension was built."""
    from ... import __version__

    try:
        _module()
    except ImportError as error:
        reason = f"its extension was not built, for want of a C++ compiler, or cannot be loaded ({error})"
        return BackendInfo(NAME, "", False, reason, INSTALL)
    return BackendInfo(NAME, __version__, True)


@cache
def _module() -> Any:
    """Return the kernels, built for this processor's instructions if they were."""
    from . import _kernels

    if _kernels.has_avx2():
        with suppress(ImportError):  # the compiler that built the package knew no such processor
            return import_module(f"{_kernels.__name__}_avx2")
    return _kernels


def create() -> Native:
    """Return the engine."""
    return Native()


class Handle:
    """A matrix as the kernels see it: its own arrays, not a copy, and for searches a layout once that pays."""

    # Seconds that making a layout takes, by entry and by row: measured on two cores. Used only to decide when
    # searches without one have cost as much as it would.
    PER_ENTRY, PER_ROW = 12e-9, 60e-9

    def __init__(self, matrix: Matrix) -> None:
        self.matrix = matrix
        self._graph: _kernels.Graph | None = None
        self._due = matrix.nvals * self.PER_ENTRY + matrix.nrows * self.PER_ROW

    @property
    def graph(self) -> _kernels.Graph:
        """The graph to search; of a directed one, with its transpose."""
        if self._graph is None:
            rows, columns = self.matrix.csr, self.matrix.T.csr
            transpose = () if columns is rows else (columns.indptr, columns.indices)
            self._graph = _module().Graph(rows.indptr, rows.indices, *transpose)
        return self._graph

    def optimize(self, threads: int | None) -> None:
        """Make the layout unless it is made."""
        self.graph.optimize(threads or 0)
        self._due = float("inf")

    def earn(self, seconds: float, state: State) -> None:
        """Count time spent without a layout, and make one when it would have cost no more; with one, do nothing."""
        self._due -= seconds
        if self._due < 0:
            self.optimize(state.threads)
            state.trace.notes.append(f"after this search: {self.layout}")

    @property
    def work_bytes(self) -> int:
        """Memory of the work buffers of searches."""
        return self.graph.work_bytes

    @property
    def layout_bytes(self) -> int:
        """Memory of the layout, 0 if there is none."""
        layout = self.graph.layout
        return 0 if layout is None else layout["bytes"]

    @property
    def layout(self) -> str:
        """What was laid out, how long that took and how much memory it holds; empty if nothing was."""
        layout = None if self._graph is None else self._graph.layout
        if layout is None:
            return ""
        return f"layout {layout['kind']} ({layout['seconds'] * 1e3:.1f} ms, {layout['bytes'] / 1e6:.1f} MB)"


class Native:
    """Searches and products by the kernels."""

    name = NAME

    def __init__(self) -> None:
        self._kernels = _module()
        self.arms = tuple(Arm(NAME, *name.split(":")) for name in self._kernels.ARMS)

    def load(self, matrix: Matrix) -> Handle:
        """Return the matrix as the kernels see it."""
        return Handle(matrix)

    def optimize(self, matrix: Matrix, threads: int | None) -> None:
        """Make the layout for searches of a matrix."""
        matrix.handle(self).optimize(threads)

    def product(self, arm: Arm, handle: Handle, vector: Vector, mask: Mask | None, semiring: Semiring) -> Vector:
        """Return w_j = ⊕_k vector_k ⊗ A_kj at the positions that `mask` allows."""
        from .product import product

        return product(self._kernels, arm, handle.matrix, vector, mask, semiring)

    def advance(self, state: State, selector: Selector) -> State:
        """Run levels for as long as the selector keeps to this engine."""
        if state.targets is not None:
            state.unfold()
        policy, began = _policy(selector, tuple(state.arms)), state.level
        while state.goes_on:
            if policy is not None and self._run(state, policy, -1) != "policy":
                continue
            # The kernels see what they have made of the state, and may judge anew: what they were called for is run.
            if policy is not None and state.level > began:
                break
            arm = state.choose(selector)
            if arm.backend != NAME:
                break
            self._run(state, self._kernels.Policy.fixed(self.arms.index(arm)), 1)
        return state

    def _run(self, state: State, policy: Any, max_levels: int) -> str:
        """Run levels in the kernels and take over what they found; return why they stopped."""
        handle: Handle = state.matrix.handle(self)
        graph = handle.graph
        depth = -1 if state.max_depth is None else min(state.max_depth, state.n)  # no search goes deeper
        limits: dict[str, Any] = {
            "deterministic": state.deterministic,
            "threads": min(state.threads or 0, _MOST_THREADS),
            "max_levels": max_levels,
        }
        began = perf_counter()
        if state.fresh:
            sources = int(state.frontier[0]) if len(state.frontier) == 1 else state.frontier
            wants = state.wants_parents
            search = graph.search(sources, policy, wants, not wants, depth, **limits)
            state.fresh = False
        else:
            search = self._resume(graph, state, policy, depth, limits)
        spent = perf_counter() - began
        self._take(state, search)
        handle.earn(spent, state)
        reason: str = search.reason
        return reason

    def _resume(self, graph: Any, state: State, policy: Any, depth: int, limits: dict[str, Any]) -> Any:
        index = state.matrix.csr.indices.dtype
        parents, levels = (state.reached, None) if state.wants_parents else (None, state.reached)
        return graph.advance(
            state.frontier.astype(index, copy=False),
            parents,
            levels,
            state.level,
            policy,
            -1 if state.arm is None else int(state.arm.direction == "pull"),
            state.previous_size,
            state.novelty,
            -1 if state.arm is None else _index(state.arm),
            depth,
            None if state.targets is None else state.targets.astype(index, copy=False),
            **limits,
        )

    def _take(self, state: State, search: Any) -> None:
        """Bring the state up to what the kernels have done."""
        state.trace.add(lambda: self._steps(search))
        state.reached = search.parents if state.wants_parents else search.levels
        state.level = search.level
        state.unvisited_size = state.n - search.reached
        if search.reason == "done":
            state.frontier_size = 0
            return
        state.frontier, state.form = search.frontier, "both"  # the kernels make both when they go on from here
        state.frontier_size, state.barren = len(state.frontier), state.matrix.barren
        if state.targets is not None:
            state.targets = state.targets[state.reached[state.targets] < 0]
        state.frontier_edges = int(state.matrix.degrees[state.frontier].sum(dtype=np.int64))
        state.previous_size, state.novelty = int(search.previous_frontier), search.novelty
        steps = self._steps(search)
        if steps:
            state.took(steps[-1].arm)
            state.unvisited_edges = steps[-1].unvisited_edges - state.frontier_edges
        elif not state.level:
            state.unvisited_edges = state.m - state.frontier_edges

    def _steps(self, search: Any) -> list[Step]:
        rows = search.trace.tolist()
        return [
            Step._make([*map(int, row[:5]), self.arms[int(row[5])], row[6], _FORMS[int(row[8])], row[7]])
            for row in rows
        ]

    def build_csr(self, src: Any, dst: Any, nrows: int, ncols: int, **options: Any) -> tuple[Any, Any, Any]:
        """Return indptr, indices and, if asked for, positions of the entries of an edge list."""
        try:
            result: tuple[Any, Any, Any] = self._kernels.build_csr(src, dst, nrows, ncols, **options)
        except MemoryError:
            raise MemoryError(f"{nrows} rows with {len(src)} entries do not fit in memory") from None
        return result

    def rmat_edges(self, scale: int, size: int, bounds: Sequence[int], **options: Any) -> tuple[Any, Any]:
        """Return the ends of R-MAT edges; `bounds` are A, A+B and A+B+C times 2^32."""
        result: tuple[Any, Any] = self._kernels.rmat_edges(scale, size, *bounds, **options)
        return result

    def attach(self, n: int, m: int, seed: int, stream: int) -> Any:
        """Return the vertices that each vertex from `m` on joins by preferential attachment."""
        return self._kernels.attach(n, m, seed, stream)

    def check_edges(self, csr: Csr, levels: Any, parents: Any, limit: int, confirmed: Any) -> int:
        """Return the first edge that spans too much, the number of edges if none; note tree edges in `confirmed`."""
        first: int = self._kernels.check_edges(csr.indptr, csr.indices, levels, parents, limit, confirmed)
        return first

    def check_list(self, csr: Csr, src: Any, dst: Any, seen: Any) -> int:
        """Return the first edge of a list that is not in a symmetric matrix; note in `seen` the entries that are."""
        first: int = self._kernels.check_list(csr.indptr, csr.indices, src, dst, seen)
        return first

    def transpose(self, indptr: Any, indices: Any, ncols: int, *, positions: bool) -> tuple[Any, Any, Any]:
        """Return indptr, indices and, if asked for, positions of the entries of the transpose."""
        result: tuple[Any, Any, Any] = self._kernels.transpose(indptr, indices, ncols, positions)
        return result

    def parse_edges(
        self, text: bytes, lead: bytes, weighted: bool, whole: bool, more: bool, base: int, limit: int
    ) -> tuple[Any, Any, Any, int]:
        """Return sources, targets and weights of the edges in a text, and where it was not ordinary."""
        result: tuple[Any, Any, Any, int] = self._kernels.parse_edges(text, lead, weighted, whole, more, base, limit)
        return result

    def parse_rows(self, text: bytes) -> tuple[Any, Any, int]:
        """Return the integers of a text, how many there are in each line, and where it was not ordinary."""
        result: tuple[Any, Any, int] = self._kernels.parse_rows(text)
        return result


def _index(arm: Arm) -> int:
    """Return the kernels' number of an arm, -1 for one of another engine."""
    names: tuple[str, ...] = _module().ARMS
    return names.index(f"{arm.direction}:{arm.variant}") if arm.backend == NAME else -1


def _by_direction(arms: Sequence[Arm]) -> dict[str, int]:
    """Return what a rule by direction means: the first arm of each, or the first of all if there is none."""
    ways = ("push", "pull")
    return {way: _index(next((arm for arm in arms if arm.direction == way), arms[0])) for way in ways}


def _flat_beamer(arms: Sequence[Arm], alpha: float, beta: float) -> Any:
    return _module().Policy.beamer(alpha, beta, **_by_direction(arms))


def _flat_fixed(arms: Sequence[Arm], arm: str) -> Any:
    return _module().Policy.fixed(_index(Fixed(arm).choose(None, arms)))


def _flat_script(arms: Sequence[Arm], names: Sequence[str]) -> Any:
    return _module().Policy.script([_index(Fixed(name).choose(None, arms)) for name in names])


_Nodes = Sequence[tuple[str, float, int, int, str]]


def _flat_tree(arms: Sequence[Arm], nodes: _Nodes, inside: Mapping[str, _Nodes]) -> Any:
    """Return a tree; a node is a feature, its threshold and two nodes, or without a feature the name of an arm."""
    features = _module().FEATURES
    if NAME in inside:
        nodes = _once(nodes, inside[NAME])
    feature, threshold, left, right, names = zip(*nodes, strict=True)
    numbers = [features.index(name) if name else -1 for name in feature]
    answers = [_index(nearest(name, arms)) if name else -1 for name in names]
    return _module().Policy.tree(numbers, threshold, left, right, answers)


def _once(nodes: _Nodes, after: _Nodes) -> _Nodes:
    """Return a tree that is one for the first level of a search and another for those after it."""
    split = 1 + len(nodes)
    root = ("last_direction", -0.5, 1, split, "")
    return [root, *_shifted(nodes, 1), *_shifted(after, split)]


def _shifted(nodes: _Nodes, by: int) -> _Nodes:
    return [(feature, limit, left + by, right + by, name) for feature, limit, left, right, name in nodes]


def _flat_costs(arms: Sequence[Arm], **model: Any) -> Any:
    """Return costs; `model` has the coefficients of arms and of moves by name."""
    rows, moves = model["rows"], model["moves"]
    known = [arm for arm in arms if arm in rows]
    engines = [NAME, *dict.fromkeys(arm.backend for arm in known if arm.backend != NAME)]
    if not known or len(engines) > _MOST_ENGINES:
        return None
    nothing = [0.0] * len(_module().QUANTITIES)
    return _module().Policy.costs(
        [_index(arm) for arm in known],
        [engines.index(arm.backend) for arm in known],
        [c for arm in known for c in rows[arm]],
        [c for here in (*engines, START) for there in engines for c in moves.get((here, there), nothing)],
        model["cache"],
        model["ahead"] if len({arm.backend for arm in known}) > 1 else 0,
    )


_FLAT: dict[str, Callable[..., Any]] = {
    "beamer": _flat_beamer,
    "costs": _flat_costs,
    "fixed": _flat_fixed,
    "script": _flat_script,
    "tree": _flat_tree,
}


@lru_cache(maxsize=64)
def _flat_policy(selector: Any, arms: Sequence[Arm]) -> Any:
    """Return a selector for the kernels, None where they do not know its kind."""
    kind, parameters = selector.flat()
    return _FLAT[kind](arms, **parameters) if kind in _FLAT else None


def _policy(selector: Selector, arms: tuple[Arm, ...]) -> Any:
    """Return the selector as the kernels can evaluate it, None if it has to be asked in Python."""
    known: Any = selector
    return _flat_policy(known, arms) if hasattr(known, "flat") and isinstance(known, Hashable) else None
