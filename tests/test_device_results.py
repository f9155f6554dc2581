"""Results that stay on the device: had there without a copy, and on the host when something is looked at."""

import pickle

import numpy as np
import pytest

from lagbfs import backends, bfs, graphs

ENGINE = {info.name: info for info in backends.available()}["cupyx"]
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not ENGINE.runs, reason=f"cupyx cannot run here: {ENGINE.reason}")]
A = graphs.kronecker(7)


class Alternating:
    """A level by each engine in turn."""

    def choose(self, features, arms):
        engine = ("cupyx", "reference")[features.level % 2]
        return next(arm for arm in arms if arm.backend == engine)


def copied(device, kind="copy"):
    return [what for each, what in device.calls if each == kind and what >= 4 * A.nrows]


@pytest.mark.parametrize("parents", [True, False])
def test_nothing_is_copied_until_it_is_looked_at(device, parents):
    bfs(A, 1, backend="cupyx", selector="push")
    device.calls.clear()
    t = bfs(A, [1, 5], backend="cupyx", selector="push", parents=parents, on_device=True)
    there = t.to_device()
    assert (t.depth, t.reached) == (bfs(A, [1, 5]).depth, bfs(A, [1, 5]).reached)
    assert copied(device) == []
    expected = t.parents if parents else t.levels
    assert copied(device) == [4 * A.nrows]
    np.testing.assert_array_equal(there.get(), expected)
    t.verify()
    np.testing.assert_array_equal(t.levels, bfs(A, [1, 5]).levels)


def test_without_asking_it_comes_home_as_before(device):
    t = bfs(A, 1, backend="cupyx")
    device.calls.clear()
    t.verify()
    assert copied(device) == []
    np.testing.assert_array_equal(t.to_device().get(), t.parents)  # sent there again


@pytest.mark.parametrize("engines", [("cupyx", "reference"), ("reference",)])
def test_a_search_that_other_engines_had_a_part_in(engines):
    selector = Alternating() if len(engines) > 1 else None
    t = bfs(A, 1, backend=engines, selector=selector, on_device=True)
    there = t.to_device().get()
    np.testing.assert_array_equal(there, t.parents)
    t.verify()


def test_a_pickle_has_what_was_on_the_device():
    t = pickle.loads(pickle.dumps(bfs(A, 1, backend="cupyx", on_device=True)))
    t.verify()


def test_a_device_that_is_lost_meanwhile(device):
    double = pytest.importorskip("cupy._device", reason="needs the errors of the double of CuPy")
    t = bfs(A, 1, backend="cupyx", on_device=True)
    device.fail(0, double.CUDARuntimeError(double.DEVICES_UNAVAILABLE), sticky=True)
    with pytest.warns(RuntimeWarning, match="the device failed"):
        t.verify()
