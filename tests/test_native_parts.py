"""Parts by the kernels: any share of a graph, any arm, either form, and what they are not to be given."""

from itertools import pairwise

import models
import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import backends, graphs
from lagbfs.backends.partitioned.blocks import cut
from lagbfs.backends.partitioned.split import POLICIES, split
from lagbfs.base import checks

INFO = {info.name: info for info in backends.available()}["native"]
pytestmark = pytest.mark.skipif(not INFO.runs, reason=f"native cannot run here: {INFO.reason}")
NATIVE = backends.get("native") if INFO.runs else None


class Parts:
    """A graph in parts of one process, and what they have reached, by the user's vertices."""

    def __init__(self, A, shares, policy="dealt", *, wants_parents=True, threads=1, named=False):
        self.split = split(A.degrees.astype(np.int64) + A.rows.in_degrees, shares, policy)
        blocks = [cut(A.rows, self.split, part) for part in range(len(shares))]
        self.parts = [NATIVE.part(block, wants_parents=wants_parents, threads=threads) for block in blocks]
        self.n, self.wants_parents, self.results = A.nrows, wants_parents, None
        if named:
            self.results = np.full(A.nrows, -1, self.split.user.dtype if wants_parents else np.int32)
            assert all(part.write_to(self.results, self.split.user) for part in self.parts)

    def begin(self, vertices, level=0, *, again=False):
        """Return the vertices and edges that the parts have found; `again` from what they have reached."""
        labels, found = self.split.label[np.asarray(vertices, int)], []
        for part in self.parts:
            own = labels[(labels >= part.block.first) & (labels < part.block.first + part.block.size)]
            found.append(part.begin(own - part.block.first, part.reached() if again else None, level))
        return np.sum(found, axis=0).tolist()

    def step(self, form, choose):
        whole = self.whole(form)
        return np.sum([part.step(whole, form, choose()) for part in self.parts], axis=0).tolist()

    def whole(self, form):
        return np.concatenate([part.frontier(form) for part in self.parts])

    def missing(self, vertices):
        return sum(part.missing(self.split.places(vertices, number)) for number, part in enumerate(self.parts))

    def reached(self):
        if self.results is not None:
            assert all(part.reached() is self.results for part in self.parts)
            return self.results
        user, reached = np.append(self.split.user, -1), np.full(self.n, -1)
        for number, part in enumerate(self.parts):
            found = part.reached()
            reached[self.split.own(number)] = user[found] if self.wants_parents else found
        return reached


@given(st.one_of(sts.graphs(), sts.large_graphs()), st.sampled_from([*POLICIES]), st.data())
def test_parts_find_what_a_search_finds(graph, policy, data):
    A, out = graph.matrix(), graph.successors()
    weights = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=4).filter(any))
    wants_parents = data.draw(st.booleans())
    options = {"wants_parents": wants_parents, "threads": data.draw(st.sampled_from([1, 2, None]))}
    options["named"] = data.draw(st.booleans())
    parts = Parts(A, np.array(weights) / sum(weights), policy, **options)
    connected = np.flatnonzero(parts.split.label >= 0).tolist()
    if not connected:
        return
    sources = data.draw(st.lists(st.sampled_from(connected), min_size=1, max_size=3))
    full, found = np.array(models.levels(out, sources)), parts.begin(sources)
    for level in range(graph.n):
        here = np.flatnonzero(full == level)
        assert found == [len(here), int(A.degrees[here].sum())]
        assert parts.missing(np.array(connected)) == np.count_nonzero((full[connected] < 0) | (full[connected] > level))
        listed, words = parts.whole("list"), parts.whole("bitmap")
        assert sorted(parts.split.user[listed]) == here.tolist()
        assert np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little")).tolist() == sorted(listed)
        if not len(here):
            break
        if data.draw(st.integers(0, 5)) == 0:
            assert parts.begin(here, level, again=True) == found
        form = data.draw(st.sampled_from(["list", "bitmap"]))
        found = parts.step(form, lambda: data.draw(st.sampled_from(NATIVE.arms)))
    reached = parts.reached()
    if wants_parents:
        assert models.valid_parents(out, sources, reached.tolist())
    else:
        assert reached.tolist() == full.tolist()


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("arm", range(5))
def test_every_arm_in_large_levels(monkeypatch, arm, wide):
    A = graphs.kronecker(12)
    if wide:
        monkeypatch.setattr(checks, "INT32_MAX", -1)
    starts = A.csr.indptr.tolist()
    expected = models.levels([A.csr.indices[a:b].tolist() for a, b in pairwise(starts)], [1])
    for shares in ([1.0], [0.5, 0.3, 0.2]):
        parts = Parts(A, shares, wants_parents=False, threads=2)
        assert parts.split.label.dtype == (np.int64 if wide else np.int32)
        size, _ = parts.begin([1])
        while size:
            size, _ = parts.step("bitmap", lambda: NATIVE.arms[arm])
        assert parts.reached().tolist() == expected


WRONG = {
    "a label too large": lambda part, labels, words: part.step(labels + 64 * len(words), "list", NATIVE.arms[0]),
    "a label too small": lambda part, labels, words: part.step(labels - 1, "list", NATIVE.arms[0]),
    "labels of another dtype": lambda part, labels, words: part.step(labels.astype(float), "list", NATIVE.arms[0]),
    "labels as words": lambda part, labels, words: part.step(labels, "bitmap", NATIVE.arms[0]),
    "words as labels": lambda part, labels, words: part.step(words, "list", NATIVE.arms[0]),
    "too few words": lambda part, labels, words: part.step(words[1:], "bitmap", NATIVE.arms[0]),
    "too many words": lambda part, labels, words: part.step(np.append(words, words), "bitmap", NATIVE.arms[0]),
    "words in two dimensions": lambda part, labels, words: part.step(words[None], "bitmap", NATIVE.arms[0]),
    "a vertex of another part": lambda part, labels, words: part.begin([part.block.size]),
    "a negative level": lambda part, labels, words: part.begin([0], part.reached(), -1),
    "too few reached": lambda part, labels, words: part.begin([0], part.reached()[1:]),
    "a frontier not reached": lambda part, labels, words: part.begin([1], np.full(part.block.size, -1)),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_parts_cannot_take_is_refused(name):
    parts = Parts(graphs.kronecker(6), [0.5, 0.5])
    part = parts.parts[1]
    part.begin([0])
    labels, words = np.zeros(1, parts.split.label.dtype), np.zeros(parts.split.offsets[-1] // 64, np.uint64)
    with pytest.raises((ValueError, TypeError)):
        WRONG[name](part, labels, words)


@pytest.mark.parametrize(
    "ask",
    [
        lambda part: part.step(np.zeros(0, np.int32), "list", NATIVE.arms[0]),
        lambda part: part.frontier("list"),
        lambda part: part.reached(),
    ],
    ids=["step", "frontier", "reached"],
)
def test_a_part_has_to_begin(ask):
    with pytest.raises(ValueError, match="has not begun"):
        ask(Parts(graphs.kronecker(6), [1.0]).parts[0])


def test_results_of_another_dtype_are_not_written_to():
    part = Parts(graphs.kronecker(6), [1.0]).parts[0]
    narrow, wide = np.full(64, -1, np.int32), np.full(64, -1, np.int64)
    assert not part.write_to(wide, narrow)
    assert not part.write_to(narrow, wide)
    assert part.begin([0])[0] == 1
    assert len(part.reached()) == part.block.size


def test_bits_of_no_vertex_are_nobodys():
    A = graphs.path(3)
    for arm in NATIVE.arms:
        parts = Parts(A, [1.0], wants_parents=False)
        parts.begin([])
        everyone = ~np.zeros(1, np.uint64)
        assert parts.parts[0].step(everyone, "bitmap", arm) == (3, 4)


def test_the_results_outlive_the_part_and_the_next_search():
    parts = Parts(graphs.kronecker(6), [1.0], wants_parents=False)
    parts.begin([1])
    first = parts.parts[0].reached()
    kept = first.copy()
    parts.begin([2])
    del parts
    assert (first == kept).all()
