"""Tracing: every product is noted, with its arm, its time and why."""

import threading

import pytest

import lagbfs
from lagbfs import Matrix, Vector, graphs, semiring, sssp, tracing, triangles, using

A = graphs.kronecker(8)


def test_products_are_noted_in_order(backend):
    v = Vector.from_coo([3], [1.0], size=A.nrows)
    with tracing() as trace, using(backend=backend):
        semiring.min_plus(v @ A).new()
        semiring.plus_pair(A @ A).new(mask=A.S)
    first, second = trace.products
    assert (first.semiring, second.semiring) == ("min_plus", "plus_pair")
    assert first.edges == A.degrees[3]
    assert second.edges == sum(int(d) ** 2 for d in A.degrees)
    assert {first.arm.backend, second.arm.backend} == {backend}
    assert trace.seconds == first.seconds + second.seconds > 0
    assert len(str(trace).splitlines()) == 2


def test_it_says_why():
    with tracing() as trace, using(selector="beamer"):
        semiring.any_pair(Vector.from_scalar(True, A.nrows) @ A).new()
        semiring.plus_pair(A @ A).new(mask=A.S)
        semiring.plus_pair(A @ A).new()
    many, masked, whole = trace.products
    assert many.why
    assert "to push" in masked.why
    assert "to pull" in masked.why
    assert "no mask to pull by" in whole.why
    with tracing() as trace, using(direction="push", backend="reference"):
        semiring.any_pair(Vector.from_scalar(True, A.nrows) @ A).new()
    assert trace.products[0].why == "no other arm was allowed"


def test_the_learned_selector_says_what_it_expects():
    with tracing() as trace, using(selector="learned"):
        semiring.any_pair(Vector.from_scalar(True, A.nrows) @ A).new()
        semiring.plus_pair(A @ A).new()
    assert all(seconds > 0 for seconds in trace.products[0].predicted.values())
    assert trace.products[1].predicted == {}


def test_blocks_nest_and_end():
    with tracing() as outer:
        with tracing() as inner:
            triangles(A, selector="beamer")
        triangles(A, selector="beamer")
    triangles(A, selector="beamer")
    assert len(outer.products) == 2 * len(inner.products) > 0
    assert outer.notes == inner.notes == ["triangles: by products"]  # said once


def test_other_threads_are_not_noted():
    with tracing() as trace:
        other = threading.Thread(target=triangles, args=(A,), kwargs={"selector": "beamer"})
        other.start()
        other.join()
    assert not trace.products
    assert not trace.notes


def test_an_error_ends_the_block():
    with pytest.raises(ZeroDivisionError), tracing():
        raise ZeroDivisionError
    assert lagbfs.selector.tracing.watching() is None


def test_long_traces_are_shortened():
    found = sssp(graphs.path(300), 0, selector="push", delta=0.5)
    assert len(found.trace.products) >= 299
    assert "…" in found.explain()
    assert len(found.explain().splitlines()) < 100
    assert sssp(Matrix.from_edges([0], [1], weights=[-1]), 0).trace.notes[0].startswith("sssp: by products, as Bellman")
