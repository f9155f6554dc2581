"""Random numbers by counter: the same from NumPy and from the native engine, and random enough."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import graphs, host
from lagbfs.base import random_words
from lagbfs.graphs import random_edges

seeds = st.integers(0, 2**64 - 1)
shares = st.tuples(*[st.integers(0, 20)] * 4).filter(any).map(lambda parts: [part / sum(parts) for part in parts])


@pytest.fixture(scope="module")
def engine():
    routines = host.routines()
    if routines is host.PLAIN:
        pytest.skip("no engine that draws edges can run here: install a C++17 compiler and lagbfs again")
    return routines


def splitmix64(state):
    """Yield the outputs of SplitMix64 as published, in Python's integers."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        yield z ^ (z >> 31)


def test_splitmix64_is_the_published_one():
    first = splitmix64(1234567)
    assert [next(first) for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@given(seeds, st.integers(0, 5), st.integers(0, 300), st.integers(0, 40))
def test_a_stream_is_splitmix64_from_anywhere(seed, stream, begin, count):
    mixed = next(splitmix64((seed - 0x9E3779B97F4A7C15) % 2**64))
    key = next(splitmix64((mixed + (stream - 1) * 0x9E3779B97F4A7C15) % 2**64))
    outputs = splitmix64(key)
    expected = [next(outputs) for _ in range(begin + count)][begin:]
    assert random_words.words(seed, stream, begin, count).tolist() == expected


@given(st.lists(seeds), st.integers(1, 2**32 - 1))
def test_below_is_exact(words, n):
    assert random_words.below(np.array(words, np.uint64), n).tolist() == [(word * n) >> 64 for word in words]


@given(seeds, st.integers(0, 40))
def test_a_permutation_has_every_number_once(seed, n):
    assert sorted(random_words.permutation(seed, 0, n).tolist()) == list(range(n))


def test_words_are_spread_evenly():
    words = random_words.words(7, 3, 0, 1 << 16)
    ones = [int(((words >> np.uint64(bit)) & np.uint64(1)).sum()) for bit in range(64)]
    assert max(abs(count - (1 << 15)) for count in ones) < 5 * 128  # five standard deviations
    assert abs(np.corrcoef(words[:-1].astype(float), words[1:].astype(float))[0, 1]) < 0.02


@given(st.integers(0, 40), st.integers(0, 70), shares, seeds)
def test_numpy_and_the_engine_draw_the_same_edges(engine, scale, size, quadrants, seed):
    bounds = random_edges._bounds(quadrants)
    options = {"seed": seed, "stream": 0, "names": None, "threads": None}
    expected = host.PLAIN.rmat_edges(scale, size, bounds, **options)
    drawn = engine.rmat_edges(scale, size, bounds, **options)
    for ours, theirs in zip(expected, drawn, strict=True):
        np.testing.assert_array_equal(ours, theirs, strict=True)


@given(seeds, st.integers(0, 12))
def test_a_computed_permutation_has_every_number_once(seed, bits):
    numbers = random_words.scrambled(np.arange(1 << bits), seed, 1, bits)
    assert sorted(numbers.tolist()) == list(range(1 << bits))


@given(seeds, st.integers(0, 62), st.lists(st.integers(0, 2**62 - 1), max_size=20))
def test_a_computed_permutation_can_be_computed_for_some(seed, bits, numbers):
    some = np.array(sorted({number % (1 << bits) for number in numbers}), np.int64)
    renamed = random_words.scrambled(some, seed, 1, bits)
    assert len(np.unique(renamed)) == len(some)
    assert not len(some) or 0 <= renamed.min() <= renamed.max() < 1 << bits
    assert (renamed[::2] == random_words.scrambled(some[::2], seed, 1, bits)).all()


@given(st.integers(0, 40), st.integers(0, 70), st.integers(0, 2**40), seeds)
def test_numpy_and_the_engine_draw_a_span_of_the_same_edges(engine, scale, size, first, seed):
    options = {"seed": seed, "stream": 0, "names": None, "threads": None, "scramble": 1, "first": first}
    bounds = random_edges._bounds(random_edges.GRAPH500)
    expected = host.PLAIN.rmat_edges(scale, size, bounds, **options)
    for ours, theirs in zip(expected, engine.rmat_edges(scale, size, bounds, **options), strict=True):
        np.testing.assert_array_equal(ours, theirs, strict=True)


@pytest.mark.parametrize("permutation", random_edges.PERMUTATIONS)
def test_spans_are_the_list(permutation):
    whole = graphs.kronecker_edges(7, 3, seed=4, permutation=permutation)
    spans = [
        graphs.kronecker_edges(7, 3, seed=4, permutation=permutation, span=span) for span in ((0, 100), (100, 384))
    ]
    for end, pieces in zip(whole, zip(*spans, strict=True), strict=True):
        np.testing.assert_array_equal(end, np.concatenate(pieces))


def test_generators_take_both_permutations():
    drawn, computed = (graphs.kronecker(6, permutation=name) for name in random_edges.PERMUTATIONS)
    assert not drawn.isequal(computed)
    assert sorted(drawn.degrees) == sorted(computed.degrees)
    options = {"a": 0.57, "b": 0.19, "c": 0.19, "d": 0.05, "seed": 1}
    assert graphs.rmat(6, 16, permute=True, permutation="computed", **options).isequal(computed)
    for maker in (graphs.kronecker, graphs.rmat):
        with pytest.raises(ValueError, match="permutation must be"):
            maker(3, permutation="random")


@given(st.integers(1, 6), st.integers(1, 60), seeds)
def test_numpy_and_the_engine_attach_the_same(engine, m, more, seed):
    assert host.PLAIN.attach(m + more, m, seed, 0).tolist() == engine.attach(m + more, m, seed, 0).tolist()


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_large_lists_are_the_same_by_any_number_of_threads(engine, monkeypatch, threads):
    drawn = graphs.kronecker_edges(13, seed=5, threads=threads)  # several chunks of each
    monkeypatch.setattr(host, "routines", lambda: host.PLAIN)
    for ours, theirs in zip(graphs.kronecker_edges(13, seed=5), drawn, strict=True):
        np.testing.assert_array_equal(ours, theirs, strict=True)


def test_edges_fall_into_the_quadrants_as_often_as_they_should():
    src, dst = random_edges._edges(3, 1 << 14, (0.5, 0.25, 0.15, 0.1), 3, None)
    size = len(src)
    for bit in range(3):
        quadrant = 2 * (src >> bit & 1) + (dst >> bit & 1)
        shares = np.bincount(quadrant, minlength=4) / size
        np.testing.assert_allclose(shares, [0.5, 0.25, 0.15, 0.1], atol=5 * 0.5 / size**0.5)


@pytest.mark.parametrize("names", [np.arange(7, dtype=np.int32), np.arange(8)])
def test_the_engine_refuses_names_that_do_not_fit(engine, names):
    with pytest.raises(ValueError, match="names"):
        engine.rmat_edges(3, 4, (1, 2, 3), seed=1, stream=0, names=names, threads=None)
