"""Hypothesis strategies: graphs of every awkward kind, vectors in every form, masks, dtypes."""

from dataclasses import dataclass

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from lagbfs import Matrix, Vector

INTEGERS = tuple(np.dtype(t) for t in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"))
FLOATS = tuple(np.dtype(t) for t in ("f4", "f8"))
DTYPES = (np.dtype(bool), *INTEGERS, *FLOATS)
FORMS = ("sparse", "bitmap", "full")
MASK_KINDS = ("S", "V", "~S", "~V")

dtypes = st.sampled_from(DTYPES)


def examples(share):
    """Return settings for so many times the examples of the profile in force."""
    return settings(max_examples=max(1, round(settings().max_examples * share)))


@dataclass(repr=False)
class Graph:
    """A list of edges, as drawn: loops and duplicates included."""

    n: int
    edges: list
    directed: bool

    def __repr__(self):
        edges = self.edges if len(self.edges) < 60 else f"<{len(self.edges)} edges>"
        return f"Graph({self.n}, {edges}, directed={self.directed})"

    def matrix(self, **options):
        src, dst = [u for u, _ in self.edges], [v for _, v in self.edges]
        return Matrix.from_edges(src, dst, n=self.n, directed=self.directed, **options)

    def pairs(self):
        """The entries of the adjacency as a set of pairs."""
        back = set() if self.directed else {(v, u) for u, v in self.edges}
        return set(self.edges) | back

    def successors(self):
        """For each vertex the set of vertices its edges lead to."""
        out = [set() for _ in range(self.n)]
        for u, v in self.pairs():
            out[u].add(v)
        return out


def _path(n):
    return [(i, i + 1) for i in range(n - 1)]


def _star(n):
    return [(0, i) for i in range(1, n)]


def _complete(n):
    return [(i, j) for i in range(n) for j in range(n) if i != j]


def _bipartite(n):
    return [(i, j) for i in range(n // 2) for j in range(n // 2, n)]


def _two_cycles(n):
    half = n // 2
    first = [(i, (i + 1) % half) for i in range(half)]
    return first + [(half + i, half + (i + 1) % (n - half)) for i in range(n - half)]


def _isolated(_n):
    return []


SHAPES = (_path, _star, _complete, _bipartite, _two_cycles, _isolated)


@st.composite
def shaped(draw, max_n):
    """Return a regular shape under a random relabelling, perhaps with loops and duplicates."""
    n = draw(st.integers(1, max_n))
    edges = draw(st.sampled_from(SHAPES))(n)
    names = draw(st.permutations(range(n)))
    edges = [(names[u], names[v]) for u, v in edges]
    edges += [(v, v) for v in draw(st.lists(st.integers(0, n - 1), max_size=3))]
    if edges:
        edges += draw(st.lists(st.sampled_from(edges), max_size=4))
    return Graph(n, edges, draw(st.booleans()))


@st.composite
def random_edges(draw, max_n):
    n = draw(st.integers(1, max_n))
    vertex = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex), max_size=3 * n))
    return Graph(n, edges, draw(st.booleans()))


def graphs(max_n=24):
    """Graphs of at least one vertex: shapes and random edges, directed or not."""
    return st.one_of(shaped(max_n), random_edges(max_n))


@st.composite
def large_graphs(draw, n=400):
    """Random graphs, wide enough for the bitmap form and several words of an engine's bitmap."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    m = draw(st.sampled_from([n // 4, n, 4 * n, 16 * n]))
    edges = [(int(u), int(v)) for u, v in rng.integers(0, n, (m, 2))]
    return Graph(n, edges, draw(st.booleans()))


def values(dtype, *, small=False):
    """Values of a dtype. Small ones make sums and products exact in any float, whatever their order."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return st.booleans()
    if dtype.kind == "f":
        return st.integers(-8, 8).map(lambda x: x / 2)
    low, high = (0, 8) if dtype.kind == "u" else (-8, 8)
    if not small:
        info = np.iinfo(dtype)
        return st.one_of(st.integers(low, high), st.integers(int(info.min), int(info.max)))
    return st.integers(low, high)


@st.composite
def entries(draw, size, dtype, *, small=False):
    """Return a dictionary from position to value: empty, some or all of the positions."""
    some = st.sets(st.integers(0, size - 1)) if size else st.just(set())
    positions = range(size) if draw(st.integers(0, 4)) == 0 else draw(some)
    return {i: draw(values(dtype, small=small)) for i in sorted(positions)}


def vector(found, size, dtype, form=None):
    """Return the Vector of a dictionary, in the given form where that is possible."""
    made = Vector.from_coo(list(found), np.array(list(found.values()), dtype), size=size)
    if form is not None and (form != "full" or made.nvals == size):
        made.format = form
    return made


@st.composite
def vectors(draw, size, dtype=None, *, small=False):
    """Return a vector of a dtype and form of its own."""
    dtype = draw(dtypes) if dtype is None else np.dtype(dtype)
    return vector(draw(entries(size, dtype, small=small)), size, dtype, draw(st.sampled_from(FORMS)))


def as_mask(vector, kind):
    """Return the mask of a kind such as "~S", None for None."""
    if kind is None:
        return None
    mask = vector.S if kind[-1] == "S" else vector.V
    return ~mask if kind[0] == "~" else mask


@st.composite
def masks(draw, size, *, none=True):
    """Return a mask of any kind, or None, over a vector of its own."""
    kind = draw(st.sampled_from((None, *MASK_KINDS) if none else MASK_KINDS))
    return as_mask(draw(vectors(size, small=True)), kind)


@st.composite
def coordinates(draw, nrows, ncols, dtype, *, small=False):
    """Return the entries of a matrix as a dictionary from pairs to values, explicit zeros among them."""
    if not (nrows and ncols):
        return {}
    pair = st.tuples(st.integers(0, nrows - 1), st.integers(0, ncols - 1))
    found = draw(st.sets(pair, max_size=3 * max(nrows, ncols)))
    return {at: draw(values(dtype, small=small)) for at in sorted(found)}


def matrix(found, nrows, ncols, dtype):
    """Return the Matrix of a dictionary from pairs to values."""
    data = np.array(list(found.values()), dtype)
    return Matrix.from_coo([i for i, _ in found], [j for _, j in found], data, nrows=nrows, ncols=ncols)
