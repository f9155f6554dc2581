"""Every call of the CUDA runtime and driver fails, once or for good: results are right, nothing leaks."""

import gc
import warnings

import cupy
import models
import numpy as np
import pytest

from lagbfs import Matrix, Vector, bfs, semiring, using

from .device import DEVICES_UNAVAILABLE, ILLEGAL_ADDRESS, LAUNCH_FAILURE, OUT_OF_MEMORY

# A path into a random graph and a path out of it; some vertices that no edge leads to.
MIDDLE = np.random.default_rng(2).integers(1, 20, (2, 40))
EDGES = np.concatenate([[[0], [1]], MIDDLE, [[19, 20, 21], [20, 21, 22]]], axis=1)
FAULTS = {
    "no more memory": {"error": OUT_OF_MEMORY, "sticky": True, "kind": "malloc"},
    "a call out of memory": {"error": OUT_OF_MEMORY},
    "a launch that failed": {"error": LAUNCH_FAILURE, "kind": "launch"},
    "a kernel's fault": {"error": ILLEGAL_ADDRESS, "sticky": True},
    "a lost device": {"error": DEVICES_UNAVAILABLE, "sticky": True},
}
TOLD = ("the device failed", "the device has no room")
SEARCHES = {
    "push": {"backend": "cupyx", "selector": "push:edges"},
    "pull": {"backend": "cupyx", "selector": "pull:hubs"},
    "levels": {"backend": "cupyx", "parents": False, "selector": "push:reversed"},
    "crossing": {"backend": ("cupyx", "reference"), "selector": "cross"},
}


def graph():
    """The same graph again, of which the device has nothing yet."""
    return Matrix.from_edges(*EDGES, n=30)


SUCCESSORS = [set(map(int, row)) for row in np.split(graph().csr.indices, graph().csr.indptr[1:-1])]
LEVELS = models.levels(SUCCESSORS, [0])


def give_back():
    """Give all memory that CuPy keeps back, so that every allocation reaches the device."""
    gc.collect()
    cupy.get_default_memory_pool().free_all_blocks()
    cupy.get_default_pinned_memory_pool().free_all_blocks()


def check_with_faults(device, fault, compute, check):
    """Compute with a fault at each call of its kind, and check the results; return how often, and how often told."""
    compute()  # kernels are compiled once
    give_back()
    device.calls.clear()
    compute()
    counted = [call for call in device.calls if call[0] == fault.get("kind", call[0])]
    told = 0
    for at, call in enumerate(counted):
        give_back()
        before = device.blocks
        device.fail(at, **fault)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = compute()
        device.recover()
        assert all(str(warning.message).startswith(TOLD) for warning in caught)
        check(result, bool(caught))
        told += bool(caught)
        del result
        give_back()
        assert device.blocks == before, f"blocks are left after call {at}, {call}"
    return len(counted), told


@pytest.fixture(autouse=True, scope="module")
def little_to_collect():
    """Spare the collector what was there before."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    """CuPy frees memory in destructors, whose errors Python cannot raise: on a lost device, one for every block."""
    monkeypatch.setattr("sys.unraisablehook", lambda unraisable: None)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_survives_a_fault_at_every_call(device, name, fault):
    def check(t, was_told):
        assert t.levels.tolist() == LEVELS
        t.verify()
        assert was_told == any(note.startswith(TOLD) for note in t.notes)

    calls, told = check_with_faults(device, FAULTS[fault], lambda: bfs(graph(), 0, **SEARCHES[name]), check)
    assert calls > 2
    assert told > calls / 2


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("direction", ["push", "pull"])
def test_a_product_survives_a_fault_at_every_call(device, direction, fault):
    q, mask = Vector.from_coo([0, 1, 5], [2.0, 3.0, 4.0], size=30), Vector.from_coo([3, 4], [True, True], size=30)
    with using(backend="reference"):
        expected = q.vxm(graph(), "plus_pair").new(mask=~mask.S)

    def compute():
        with using(backend="cupyx", direction=direction):
            return q.vxm(graph(), "plus_pair").new(mask=~mask.S)

    def check(result, was_told):
        assert result.isequal(expected, check_dtype=True)

    calls, told = check_with_faults(device, FAULTS[fault], compute, check)
    assert calls > 1
    assert told


@pytest.mark.parametrize("fault", FAULTS)
def test_a_product_of_matrices_survives_a_fault_at_every_call(device, fault):
    mask = graph().S
    with using(backend="reference"):
        expected = semiring.min_secondi(graph() @ graph()).new(mask=mask)

    def compute():
        with using(backend="cupyx", direction="pull"):
            return semiring.min_secondi(graph() @ graph()).new(mask=mask)

    def check(result, was_told):
        assert result.isequal(expected)

    calls, told = check_with_faults(device, FAULTS[fault], compute, check)
    assert calls
    assert told
