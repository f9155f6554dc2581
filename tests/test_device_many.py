"""Many searches on the device: in step, in every width and order of threads, and whatever fails."""

from contextlib import nullcontext

import gpu
import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st
from test_bfs_many import EVERYTHING, check, ordinary, problems
from test_device_faults import ENGINE, errors, graph

from lagbfs import Matrix, bfs_many, closeness, graphs
from lagbfs.backends.cupyx import in_step
from lagbfs.base import checks

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not ENGINE.runs, reason=f"cupyx cannot run here: {ENGINE.reason}")]
TOGETHER = {"backend": "cupyx", "way": "together"}


def launches(device):
    return [what for kind, what in device.calls if kind == "launch" and "_" in what]


@pytest.mark.parametrize("order", ["forward", "random"])
@given(problems(), st.sampled_from([64, 128, 256, 512]), st.booleans())
@sts.examples(1 / 2)
def test_every_width(order, problem, width, wide):
    A, sources, depth = problem
    device = gpu.stand_in_device()
    with pytest.MonkeyPatch.context() as patch:
        if device is not None:
            patch.setattr(device, "order", order)
        if wide:
            patch.setattr(checks, "INT32_MAX", -1)
            A = Matrix.from_coo(*A.to_coo()[:2], nrows=A.nrows, ncols=A.nrows)
        found = bfs_many(A, sources, width=width, max_depth=depth, **TOGETHER, **EVERYTHING)
    levels = ordinary(A, sources, depth)
    assert found.levels.tolist() == levels.tolist()
    check(found, levels)
    found.verify()
    assert f"together, {width} wide" in found.notes[-1] or len(sources) <= width // 2


def test_thin_levels_are_pushed_and_thick_ones_pulled(device):
    A = graphs.path(300)
    bfs_many(A, [7], **TOGETHER)
    assert {"push_lanes", "empty_lanes"} <= {*launches(device)}
    device.calls.clear()
    found = bfs_many(graphs.kronecker(8), range(90), **TOGETHER, **EVERYTHING)
    assert {"pull_lanes"} <= {*launches(device)}
    found.verify()


def test_a_push_after_pulls_begins_with_empty_rows(device, monkeypatch):
    A = Matrix.from_edges([*range(60), *[60] * 200], [*range(1, 61), *range(61, 261)], directed=False)
    monkeypatch.setattr(in_step, "PUSH_SHARE", 3)
    found = bfs_many(A, [0, 30, 200], **TOGETHER, **EVERYTHING)
    assert {"push_lanes", "pull_lanes", "list_lanes"} <= {*launches(device)}
    check(found, ordinary(A, [0, 30, 200]))


def test_a_level_tells_its_counts_by_one_transfer(device):
    A = graphs.grid(9, 9)
    bfs_many(A, [0], **TOGETHER)
    device.calls.clear()
    found = bfs_many(A, range(81), levels=False, width=128, **TOGETHER)
    read = [what for kind, what in device.calls if kind == "copy"]
    assert read.count(8 * (3 + 128)) == found.eccentricities.max() + 1  # the last finds nothing
    assert not {what for what in launches(device) if what.startswith("write_levels")}


def test_both_ways_are_tried_and_the_quicker_one_taken():
    A = graphs.grid(6, 6)
    found = bfs_many(A, [*range(36)] * 20, backend="cupyx", width=64)
    told = " ".join(found.notes)
    assert "single" in told
    assert "together, 64 wide" in told
    assert (found.levels[:36] == found.levels[36:72]).all()


def test_what_is_made_of_them():
    A = graphs.kronecker(6)
    np.testing.assert_allclose(closeness(A, backend="cupyx"), closeness(A, backend="reference"))


@pytest.mark.parametrize("error", ["out of memory", "a kernel's fault", "a launch that failed", "a lost device"])
def test_a_fault_at_every_call(device, error):
    fault, sticky = errors()[error]
    sources = [*range(0, 60, 2)] * 3
    expected = ordinary(graph(), sources)
    bfs_many(graph(), sources, **TOGETHER, **EVERYTHING)  # kernels are compiled once
    device.calls.clear()
    bfs_many(graph(), sources, **TOGETHER, **EVERYTHING)
    calls = list(device.calls)
    assert len(calls) > 30
    for at in range(0, len(calls), 3 if error == "out of memory" else 11):
        device.fail(at, fault, sticky=sticky)
        with nullcontext() if error == "out of memory" else pytest.warns(RuntimeWarning, match="the device failed"):
            found = bfs_many(graph(), sources, **TOGETHER, **EVERYTHING)
        device.recover()
        assert found.levels.tolist() == expected.tolist(), f"after call {at}, {calls[at]}"
        check(found, expected)
        found.verify()
        assert any("the device" in note for note in found.notes)


def test_fewer_go_in_step_where_there_is_no_room_for_more(device):
    A = graphs.path(5000)
    bfs_many(A, [0], max_depth=1, **TOGETHER)
    device.total = device.used + 2_000_000
    found = bfs_many(A, [0] * 500, max_depth=2, **TOGETHER)
    assert found.notes[0] == "the device has no room for 512 searches in step"
    assert any("together" in note for note in found.notes)
    assert found.reached.tolist() == [3] * 500
