"""What only the GPU engine has: checked launches, parts sent once when needed, small read-backs, thread orders."""

import emulator
import gpu
import models
import numpy as np
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import LagbfsError, Matrix, Vector, backends, bfs, graphs, semiring, using
from lagbfs.backends.cupyx import launch, levels
from lagbfs.backends.protocol import Features
from lagbfs.base import checks
from lagbfs.selector.models import shipped
from lagbfs.storage.csr import Csr
from lagbfs.storage.rows import Rows
from lagbfs.storage.store import Store

ENGINE = {info.name: info for info in backends.available()}["cupyx"]
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not ENGINE.runs, reason=f"cupyx cannot run here: {ENGINE.reason}")]
ARMS = [f"{arm.direction}:{arm.variant}" for arm in backends.get("cupyx").arms] if ENGINE.runs else []
INDEX = np.dtype(np.int32)


def test_the_arms_by_name():
    assert [
        *("push:edges", "push:vertex", "push:warp4", "push:warp8", "push:warp16", "push:warp32"),
        *("push:list", "push:reversed", "push:block", "pull:vertex", "pull:hubs", "pull:unvisited"),
    ] == ARMS


@pytest.fixture
def wide(monkeypatch):
    """Make every new Matrix use 64-bit indices, as one of more than 2³¹ vertices does."""
    monkeypatch.setattr(checks, "INT32_MAX", -1)


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("directed", [True, False])
def test_64_bit_indices(wide, arm, directed):
    rng = np.random.default_rng(0)
    A = Matrix.from_edges(*rng.integers(0, 300, (2, 900)), n=320, directed=directed)
    assert A.csr.indices.dtype == np.int64
    for source in range(0, 300, 100):
        t = bfs(A, source, backend="cupyx", selector=arm)
        assert t.parents.dtype == np.int64
        t.verify()
        expected = bfs(A, source, backend="reference", deterministic=True)
        np.testing.assert_array_equal(t.levels, expected.levels)
        least = bfs(A, source, backend="cupyx", selector=arm, deterministic=True)
        np.testing.assert_array_equal(least.parents, expected.parents)


def far(A):
    """Return the same graph with 64-bit offsets and 32-bit vertices, as one of more than 2³¹ edges has."""
    rows, columns = (
        Csr(csr.indptr.astype(np.int64), csr.indices, csr.values, csr.ncols, csr.iso) for csr in (A.csr, A.T.csr)
    )
    store = Store(rows, symmetric=A.rows.is_symmetric)
    store._csr[True] = rows if A.rows.is_symmetric else columns
    return Matrix.from_rows(Rows(store))


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("directed", [True, False])
def test_64_bit_offsets_of_32_bit_vertices(arm, directed):
    edges = np.random.default_rng(0).integers(0, 300, (2, 900))
    A = Matrix.from_edges(*edges, n=320, directed=directed)
    for B, plain in ((far(A), A), (far(A).T, A.T)):
        least = bfs(B, 1, backend="cupyx", selector=arm, deterministic=True)
        assert least.parents.dtype == np.int32
        expected = bfs(plain, 1, backend="reference", deterministic=True)
        np.testing.assert_array_equal(least.parents, expected.parents)
        assert {step.arm.backend for step in least.trace} == {"cupyx"}
    assert {part.dtype for part in B.handle(backends.get("cupyx")).columns} == {np.dtype("i8"), np.dtype("i4")}


@pytest.mark.parametrize("name", semiring.COMMON)
@pytest.mark.parametrize("direction", ["push", "pull"])
def test_64_bit_products(wide, name, direction):
    rng = np.random.default_rng(0)
    A = Matrix.from_edges(*rng.integers(0, 50, (2, 200)), weights=rng.integers(0, 9, 200), n=50)
    q = Vector.from_coo([3, 7, 20], [1, 2, 3], size=50)
    with using(backend="cupyx", direction=direction):
        found = q.vxm(A, name).new()
    with using(backend="reference"):
        expected = q.vxm(A, name).new()
    assert set(found) == set(expected)
    assert name == "any_secondi" or found.isequal(expected, check_dtype=True)


@pytest.mark.parametrize("order", ["reverse", "random"])
@given(graph=st.one_of(sts.graphs(), sts.large_graphs()), data=st.data())
@sts.examples(1 / 3)
def test_the_order_of_threads_does_not_matter(order, graph, data):
    device = gpu.stand_in_device()
    if device is None:
        pytest.skip("the order of a GPU's threads is its own")
    source, arm = data.draw(st.integers(0, graph.n - 1)), data.draw(st.sampled_from(ARMS))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(device, "order", order)
        t = bfs(graph.matrix(), source, backend="cupyx", selector=arm)
        least = bfs(graph.matrix(), source, backend="cupyx", selector=arm, deterministic=True)
    assert t.levels.tolist() == models.levels(graph.successors(), [source])
    assert models.valid_parents(graph.successors(), [source], t.parents.tolist())
    assert least.parents.tolist() == models.smallest_parents(graph.successors(), [source])


def sent(device):
    return [what for kind, what in device.calls if kind == "copy"]


def test_a_level_reads_back_its_counts_and_nothing_else(device):
    A = graphs.kronecker(9)
    for arm in ARMS:
        bfs(A, 1, backend="cupyx", selector=arm)
        device.calls.clear()
        t = bfs(A, 1, backend="cupyx", selector=arm)
        source, *read, parents = sent(device)
        assert (source, parents) == (4, 4 * A.nrows)
        if arm == "push:block":
            assert {*read} == {32, 8 * 129}  # of a level, and of a run of levels
        else:
            assert read == [32] * len(t.trace)


def test_one_block_computes_levels_in_a_row(device):
    A = graphs.path(200)
    bfs(A, 0, backend="cupyx", selector="push:block")
    device.calls.clear()
    t = bfs(A, 0, backend="cupyx", selector="push:block")
    launches = [what for kind, what in device.calls if kind == "launch" and what.startswith("push")]
    assert launches == ["push_levels"] * 4  # of 64 levels each
    assert t.levels.tolist() == [*range(200)]
    assert [step.level for step in t.trace] == [*range(200)]
    assert [(step.frontier_size, step.frontier_edges) for step in t.trace] == [(1, 1), *[(1, 2)] * 198, (1, 1)]
    assert all(step.seconds > 0 for step in t.trace)
    assert bfs(A, 0, backend="cupyx", selector="push:block", max_depth=70).depth == 70
    assert bfs(A, 0, backend="cupyx", selector="push:block", target=[9, 40]).depth == 40


def test_a_frontier_that_outgrows_one_block_is_left_to_many(device, monkeypatch):
    monkeypatch.setattr(levels, "BLOCK_EDGES", 64)
    A = graphs.kronecker(8)
    t = bfs(A, 1, backend="cupyx", selector="push:block")
    np.testing.assert_array_equal(t.levels, bfs(A, 1, backend="reference").levels)
    launches = {what for kind, what in device.calls if kind == "launch" and what.startswith("push")}
    assert launches == {"push_levels", "push_few"}


def test_the_unvisited_are_listed_once_and_dwindle(device):
    A = graphs.grid(12, 12)
    t = bfs(A, 0, backend="cupyx", selector="pull:unvisited")
    np.testing.assert_array_equal(t.levels, bfs(A, 0, backend="reference").levels)
    launches = [what for kind, what in device.calls if kind == "launch"]
    assert launches.count("list_unvisited") == 1
    assert launches.count("pull_unvisited") == len(t.trace) - 1  # none are left for the last level


@pytest.mark.parametrize("degree", [2_000, 70_000, 1_000_000])
def test_a_hub_is_not_given_to_a_few_threads(degree):
    n = 4 * degree
    features = Features(
        n=n, m=8 * n, frontier_size=1, frontier_edges=degree, unvisited_size=n - 1, unvisited_edges=8 * n - degree
    )
    push = [arm for arm in backends.get("cupyx").arms if arm.direction == "push"]
    predicted = shipped().predict(features, push)
    best = min(predicted, key=predicted.get)
    assert best.variant in ("edges", "block")


def test_parts_are_sent_when_an_arm_needs_them_and_once(device):
    A = Matrix.from_edges([0, 1, 2, 0], [1, 2, 3, 3], n=500)
    n, m = A.nrows, A.nvals
    own = [4, 4 * n]  # the source, the parents
    graph = A.handle(backends.get("cupyx"))
    assert graph.layout == ""

    def parts(arm):
        device.calls.clear()
        levels = len(bfs(A, 0, backend="cupyx", selector=arm).trace)
        copies = sent(device)
        for each in (*own, *[32] * levels):
            copies.remove(each)
        return copies

    rows = [8 * (n + 1), 4 * m]
    assert bfs(A, 0, backend="cupyx", max_depth=0).notes == []
    assert parts("push:edges") == rows
    assert parts("push:warp8") == []
    assert parts("push:list") == []  # made there
    assert parts("pull:vertex") == rows  # of the transpose
    assert parts("pull:hubs") == [4 * n, 4 * n]  # numbers of the hubs, and the hubs
    assert parts("push:reversed") == parts("pull:hubs") == parts("push:edges") == []
    assert "on the device" in repr(A)
    assert bfs(A, 0, backend="cupyx").notes == []
    assert graph.nbytes == 2 * (8 * (n + 1) + 4 * m) + 3 * 4 * m + 4 * n


def test_pull_needs_no_more_of_the_rows_than_their_degrees(device):
    A = Matrix.from_edges(range(400), range(1, 401), n=500)
    t = bfs(A, 399, backend="cupyx", selector="pull")
    graph = A.handle(backends.get("cupyx"))
    assert graph.nbytes == 2 * 8 * (A.nrows + 1) + 4 * A.nvals
    assert t.notes[0].startswith("0.0 MB sent to the device, ")
    assert len(t.notes) == 1


def test_an_undirected_graph_is_sent_once(device):
    A = graphs.grid(20, 20)
    bfs(A, 0, backend="cupyx", selector="push")
    device.calls.clear()
    bfs(A, 0, backend="cupyx", selector="pull")
    assert max(sent(device)) <= 4 * A.nrows


def test_what_a_matrix_has_on_the_device_goes_with_it(device):
    before = device.used
    A = graphs.grid(20, 20)
    bfs(A, 0, backend="cupyx")
    assert device.used > before
    del A
    assert device.used == before


MODULES = [("traversal", None), ("many", None), *(("product", dtype) for dtype in sts.DTYPES)]


@pytest.mark.parametrize(("name", "dtype"), MODULES, ids=str)
def test_signatures_are_read_as_the_compiler_reads_them(name, dtype):
    if gpu.DEVICE:
        pytest.skip("g++ tells what it deduced; NVRTC does not")
    for index in (np.dtype(np.int32), np.dtype(np.int64)):
        module = launch.module(name, index, dtype)
        compiled = emulator.compile(launch.source(name), module._options)
        ours = {
            kernel: [f"{p.dtype.name}{'*' if p.is_pointer else ''}" for p in parameters]
            for kernel, parameters in module.signatures.items()
        }
        theirs = {kernel: [p.removeprefix("const ") for p in found] for kernel, found in compiled.signatures.items()}
        assert ours == theirs
        assert ours


def test_launches_are_checked():
    import cupy

    kernels = launch.module("traversal", INDEX)
    listed, bitmap = cupy.zeros(3, np.int32), cupy.zeros(1, np.uint32)
    kernels.launch("list_to_bitmap", 1, listed, 3, bitmap)
    assert bitmap.get().tolist() == [1]
    for arguments, said in (
        ((listed, 3), "takes 3 arguments, not 2"),
        ((listed, 3, bitmap, 1), "takes 3 arguments, not 4"),
        ((np.zeros(3, np.int32), 3, bitmap), "list must be an array on the device"),
        ((np.zeros(1, np.int32), 3, bitmap), "list must be an array on the device"),
        ((None, 3, bitmap), "list must be an array on the device"),
        ((listed.astype(np.int64), 3, bitmap), "list must hold int32, not int64"),
        ((cupy.zeros(6, np.int32)[::2], 3, bitmap), "list must be contiguous"),
        ((listed, 3.0, bitmap), "size must be an integer, not 3.0"),
        ((listed, 1 << 63, bitmap), "size must fit into int64"),
        ((listed, listed[0], bitmap), "size must be an integer"),
    ):
        with pytest.raises(LagbfsError, match=said):
            kernels.launch("list_to_bitmap", 1, *arguments)
        with pytest.raises(LagbfsError, match=said):
            kernels.launch("list_to_bitmap", 0, *arguments)  # nothing to do, but wrong all the same


def test_a_signature_that_cannot_be_read_is_an_error():
    assert [*launch.signatures("KERNEL void f(const INDEX* x, int64 n) {", INDEX)] == ["f"]
    with pytest.raises(LagbfsError, match=r"cannot read the parameter 'int64\*\* x'"):
        launch.signatures("KERNEL void f(int64** x) {", INDEX)


def test_a_launch_without_work_does_not_happen(device):
    import cupy

    listed, bitmap = cupy.zeros(0, np.int32), cupy.zeros(1, np.uint32)
    device.calls.clear()
    launch.module("traversal", INDEX).launch("list_to_bitmap", 0, listed, 0, bitmap)
    assert not device.calls


def test_a_source_without_edges_and_a_graph_without_any():
    for A in (Matrix.from_edges([1], [2], n=40), Matrix.from_edges([], [], n=33), Matrix.from_edges([], [], n=1)):
        for arm in ARMS:
            t = bfs(A, 0, backend="cupyx", selector=arm)
            assert t.levels.tolist() == [0] + [-1] * (A.nrows - 1)


@pytest.mark.parametrize("n", [31, 32, 33, 255, 256, 257, 1025])
def test_sizes_around_words_warps_and_blocks(n):
    for A in (graphs.path(n), graphs.star(n)):
        expected = bfs(A, 0, backend="reference").levels
        for arm in ARMS if A.nrows < 300 else ("push:edges", "pull:vertex", "pull:hubs"):
            t = bfs(A, 0, backend="cupyx", selector=arm, max_depth=40)
            np.testing.assert_array_equal(t.levels, np.where(expected <= 40, expected, -1))


@pytest.mark.gpu
def test_a_large_graph_on_a_device():
    A = graphs.kronecker(18)
    source = int(A.degrees.argmax())
    expected = bfs(A, source, deterministic=True)
    for arm in ARMS:
        t = bfs(A, source, backend="cupyx", selector=arm, deterministic=True)
        np.testing.assert_array_equal(t.parents, expected.parents)
        bfs(A, source, backend="cupyx", selector=arm).verify()
