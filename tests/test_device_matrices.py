"""Products of two matrices on the device: which way they go, what is sent, and what happens where a way is closed."""

import logging

import gpu
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import Matrix, Vector, backends, binary, graphs, semiring, using
from lagbfs.backends.cupyx import cusparse
from lagbfs.base import checks
from lagbfs.errors import DeviceWarning
from lagbfs.semiring import Semiring
from lagbfs.storage import compressed

ENGINE = {info.name: info for info in backends.available()}["cupyx"]
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not ENGINE.runs, reason=f"cupyx cannot run here: {ENGINE.reason}")]
needs_cusparse = pytest.mark.skipif(gpu.SIMULATED, reason="needs cuSPARSE and a device, or the double of CuPy")
MISSING = "cuSPARSE is missing (libcusparse.so). Try: pip install it"


def matrix(seed, shape=(30, 40), dtype="f8", low=-4, high=5, count=300):
    rng = np.random.default_rng(seed)
    rows, columns = (rng.integers(0, size, count) for size in shape)
    values = rng.integers(low, high, count, np.int64 if low < 0 else np.uint64).astype(dtype)
    return Matrix.from_coo(rows, columns, values, nrows=shape[0], ncols=shape[1], dup_op=binary.second)


def by(backend, A, B, name="plus_times", mask=None, **options):
    ring = getattr(semiring, name) if isinstance(name, str) else name
    with using(backend=backend, **options):
        return ring(A @ B).new(mask=mask)


def same(A, B, name="plus_times", mask=None, **options):
    """Whether the device gives what the reference engine gives."""
    found, expected = by("cupyx", A, B, name, mask, **options), by("reference", A, B, name, mask)
    return found.dtype == expected.dtype and found.isequal(expected)


@pytest.fixture
def launched(device):
    """A function that returns by which way the device has computed since it was last called."""

    def ways():
        named = {"spgemm": "cuSPARSE", "product_dots": "dots"}
        found = {named[what] for kind, what in device.calls if kind == "launch" and what in named}
        device.calls.clear()
        return found

    device.calls.clear()
    return ways


@pytest.fixture
def plain_wheel(monkeypatch):
    """CuPy as its plain wheels are: without cuSPARSE."""
    monkeypatch.setattr(cusparse, "trouble", lambda: MISSING)


A, B, M = matrix(1), matrix(2, (40, 25)), matrix(3, (30, 25))


@needs_cusparse
@pytest.mark.parametrize(
    ("name", "direction", "mask", "way"),
    [
        ("plus_times", "push", None, "cuSPARSE"),
        ("plus_times", "pull", None, "cuSPARSE"),
        ("plus_times", "push", M.V, "cuSPARSE"),
        ("plus_times", "pull", M.V, "dots"),
        ("plus_times", "pull", ~M.V, "cuSPARSE"),
        ("any_pair", "push", None, "cuSPARSE"),
        ("plus_first", "push", ~M.S, "cuSPARSE"),
        ("min_plus", "push", M.S, "dots"),
        ("min_plus", "pull", M.S, "dots"),
        ("min_secondi", "pull", M.V, "dots"),
        ("min_plus", "push", None, None),
        ("min_plus", "pull", ~M.S, None),
        (Semiring("times", "plus"), "pull", M.S, None),
    ],
    ids=str,
)
def test_ways(launched, name, direction, mask, way):
    assert same(A, B, name, mask, direction=direction)
    assert launched() == ({way} if way else set())


def test_what_the_device_has_no_way_for_is_told(caplog):
    with caplog.at_level(logging.INFO, logger="lagbfs"):
        assert same(A, B, "min_plus")
    [said] = [record.getMessage() for record in caplog.records]
    assert said.startswith("the device has no semiring.min_plus of such matrices under such a mask: computed by ")
    assert said.endswith(backends.default())


@needs_cusparse
@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"])
@pytest.mark.parametrize("name", ["plus_times", "plus_pair", "plus_first", "plus_second", "any_pair", "lor_land"])
def test_cusparse_gives_what_the_semiring_does(launched, name, dtype):
    low, high = (0, 2) if dtype == "?" else (0, 200) if dtype[0] == "u" else (-100, 100)
    X, Y = matrix(1, dtype=dtype, low=low, high=high), matrix(2, (40, 25), dtype, low, high)
    assert same(X, Y, name)
    if dtype != "?" and name != "lor_land":
        assert launched() == {"cuSPARSE"}
    X = Matrix.from_coo(*X.to_coo()[:2], X.to_coo()[2][0], nrows=30, ncols=40)
    assert X.csr.iso
    assert same(X, Y, name)
    assert same(Y.T, X.T, name)


@needs_cusparse
def test_integers_go_to_cusparse_where_no_sum_is_rounded(launched):
    for top, way in ((2**26, {"cuSPARSE"}), (2**26 + 1, set()), (2**40, set())):
        X = Matrix.from_coo([0, 0], [0, 1], np.array([2**26, -top]), nrows=2, ncols=2)
        assert same(X, X.T)
        assert launched() == way
    far = Matrix.from_coo([0], [0], np.array([-(2**63)]))
    assert same(far, far, "plus_first")
    assert launched() == set()


@needs_cusparse
def test_sums_that_cancel_are_entries(launched):
    X = Matrix.from_coo([0, 0], [0, 1], [1.0, -1.0], nrows=2, ncols=2)
    product = by("cupyx", X, Matrix.from_coo([0, 1], [1, 1], [3.0, 3.0], nrows=2, ncols=2))
    assert (product.nvals, product[0, 1].value) == (1, 0.0)
    assert launched() == {"cuSPARSE"}


@pytest.mark.parametrize("direction", ["push", "pull"])
@pytest.mark.parametrize("name", ["plus_times", "plus_first", "max_second"])
def test_floats_that_integers_do_not_hold(direction, name):
    x = np.array([300.7, -3.5, np.nan, np.inf, -1e30])
    X, mask = Matrix.from_coo([0] * 5, range(5), x), Matrix.from_coo([0], [0], True)
    ring = getattr(semiring, name)["INT8"]
    assert same(X, X.T, ring, mask.S, direction=direction)
    with using(backend="cupyx", direction=direction):
        found = ring(Vector.from_dense(x) @ X.T).new()
    with using(backend="reference"):
        assert found.isequal(ring(Vector.from_dense(x) @ X.T).new(), check_dtype=True)


@given(st.integers(0, 2**32), st.sampled_from(["any", "lor", "max", "min", "plus", "times"]))
def test_dot_products_of_any_rows(seed, add):
    rng = np.random.default_rng(seed)
    n, inner, m = rng.integers(1, 90, 3)
    X, Y, mask = (
        matrix(seed + i, shape, rng.choice(["?", "i2", "u8", "f8"]), 0, 3, int(rng.integers(0, 400)))
        for i, shape in enumerate(((n, inner), (inner, m), (n, m)))
    )
    multiply = rng.choice(["times", "plus", "first", "second", "pair"]) if add != "any" else "pair"  # any may be any
    assert same(X, Y, Semiring(add, str(multiply)), mask.V, direction="pull")


def test_triangles_of_a_graph_that_is_sent_once(device):
    L = graphs.kronecker(6).select("tril", -1).new()
    for _ in range(2):
        device.calls.clear()
        with using(backend="cupyx", direction="pull"):
            C = semiring.plus_pair(L @ L.T).new(mask=L.S)
        copies = [what for kind, what in device.calls if kind == "copy"]
        results = [L.nvals, 8 * L.nvals]
        assert copies in (results, [8 * (L.nrows + 1), 4 * L.nvals, *results])
    assert copies == results
    dense = L.to_dense(0).astype(int)
    assert C.reduce_scalar("plus").value == int(np.where(dense, dense @ dense.T, 0).sum()) > 0


def test_nothing_is_asked_of_the_device_for_nothing(device):
    empty = Matrix(float, 40, 25)
    device.calls.clear()
    assert by("cupyx", A, empty).shape == (30, 25)
    assert same(A, empty, "plus_pair", M.S)
    assert same(A, B, "min_plus", Matrix(bool, 30, 25).S)
    assert not [call for call in device.calls if call[0] == "launch"]


@pytest.mark.parametrize("direction", ["push", "pull"])
def test_hypersparse_matrices_are_left_to_the_host(device, caplog, direction):
    far = 2**36
    X = Matrix.from_coo([0, far], [0, 1], [2.0, 3.0], nrows=far + 1, ncols=2)
    Y = Matrix.from_coo([0, 1], [5, 7], [2.0, 3.0], nrows=2, ncols=9)
    mask = Matrix.from_coo([0, far], [5, 8], True, nrows=far + 1, ncols=9)
    for left, right, some in ((X, Y, None), (Y.T, X.T, None), (X, Y, mask.S), (X, Y, ~mask.S)):
        device.calls.clear()
        with caplog.at_level(logging.INFO, logger="lagbfs"):
            assert same(left, right, mask=some, direction=direction)
        assert "the device has no semiring.plus_times of such matrices" in caplog.text
        assert not device.calls


def test_a_hypersparse_mask_is_left_to_the_host(device, monkeypatch):
    monkeypatch.setattr(compressed, "HYPER_FROM", 20)
    monkeypatch.setattr(compressed, "HYPER_SHARE", 1)
    few = Matrix.from_coo([3, 7], [4, 0], True, nrows=30, ncols=25)
    assert few.csr.row_ids is not None
    device.calls.clear()
    assert same(A, B, "min_plus", few.S, direction="pull")
    assert not device.calls


@pytest.mark.parametrize("wide", ["left", "right", "mask", "all"])
@pytest.mark.parametrize("name", ["plus_times", "min_plus"])
def test_64_bit_indices_beside_others(monkeypatch, name, wide):
    made = []
    for part, arguments in {"left": (1,), "right": (2, (40, 25)), "mask": (3, (30, 25))}.items():
        with monkeypatch.context() as patch:
            if wide in (part, "all"):
                patch.setattr(checks, "INT32_MAX", -1)
            made.append(matrix(*arguments))
            made[-1].T.csr  # noqa: B018 (made while the width is)
    assert {X.csr.indices.itemsize for X in made} == ({8} if wide == "all" else {4, 8})
    product = by("cupyx", *made[:2], name, made[2].S, direction="pull")
    assert product.isequal(by("reference", A, B, name, M.S))
    if not gpu.SIMULATED:
        assert by("cupyx", *made[:2]).isequal(by("reference", A, B))


def test_matrices_of_two_devices(device):
    import cupy

    device.count = 2
    X, Y = matrix(1), matrix(2, (40, 25))
    engine = backends.get("cupyx")
    with cupy.cuda.Device(1):
        assert same(Y.T, X.T, "min_plus", M.T.S, direction="pull")
    assert Y.T.rows.handle(engine).guard().id == 1
    other = matrix(1)
    assert same(other, X.T, "min_plus", matrix(4, (30, 30)).S, direction="pull")
    assert other.rows.handle(engine).guard().id == 0
    if not gpu.SIMULATED:
        assert same(other, Y)


def test_without_cusparse_a_mask_makes_dot_products_of_it(plain_wheel, launched, caplog):
    with caplog.at_level(logging.INFO, logger="lagbfs"):
        assert same(A, B, "plus_times", M.S, direction="push")
    assert launched() == {"dots"}
    assert MISSING in caplog.text


def test_without_cusparse_the_host_computes_the_rest_and_it_is_told_once(plain_wheel):
    X = matrix(1)
    with pytest.warns(DeviceWarning, match="cuSPARSE is missing.*Try: pip install it.*was computed by"):
        assert same(X, B)
    assert same(X, B, mask=~M.S)


def test_why_cusparse_is_missing(monkeypatch):
    def missing(name):
        raise ImportError(f"Failure finding\n  {name}")

    monkeypatch.setattr(cusparse, "import_module", missing)
    said = cusparse.trouble.__wrapped__()
    assert said.startswith("cuSPARSE is missing (Failure finding cupyx.cusparse). Try: pip install 'cupy-cuda13x[ctk]'")


@needs_cusparse
@pytest.mark.parametrize(
    ("status", "stays"), [("INSUFFICIENT_RESOURCES", True), ("ALLOC_FAILED", True), ("EXECUTION_FAILED", False)]
)
def test_cusparse_fails(monkeypatch, status, stays):
    class CuSparseError(RuntimeError):
        """As CuPy's."""

    def fails(self, other):
        raise CuSparseError(f"CUSPARSE_STATUS_{status}")

    monkeypatch.setattr("cupyx.scipy.sparse.csr_matrix.__matmul__", fails)
    X = matrix(1)
    with pytest.warns(DeviceWarning, match=f"cuSPARSE: CUSPARSE_STATUS_{status}"):
        assert same(X, B)
    assert bool(X.rows.handle(backends.get("cupyx")).nbytes) == stays


def faults():
    """Return what a device fails with, and whether it does so for good."""
    double = pytest.importorskip("cupy._device", reason="needs the errors of the double; cupy_real/ has its own tests")
    return {
        "out of memory": (double.OutOfMemoryError(1 << 20, 1 << 30), False),
        "a kernel's fault": (double.CUDARuntimeError(double.ILLEGAL_ADDRESS), True),
    }


@needs_cusparse
@pytest.mark.parametrize("error", ["out of memory", "a kernel's fault"])
@pytest.mark.parametrize(("name", "masked"), [("plus_times", False), ("min_plus", True)])
def test_a_product_survives_a_fault_at_every_call(device, name, masked, error):
    fault, sticky = faults()[error]
    mask = M.S if masked else None
    expected = by("reference", A, B, name, mask)

    def compute():
        return by("cupyx", matrix(1), matrix(2, (40, 25)), name, mask)

    compute()  # kernels are compiled once
    device.calls.clear()
    compute()
    for at in range(len(device.calls)):
        device.fail(at, fault, sticky=sticky)
        with pytest.warns(DeviceWarning, match="the device failed"):
            product = compute()
        device.recover()
        assert product.isequal(expected)
    assert at > 10


@needs_cusparse
def test_a_way_that_has_no_room_leaves_it_to_the_other(device, launched):
    fault, _ = faults()["out of memory"]
    for direction, other in (("push", "dots"), ("pull", "cuSPARSE")):
        X, Y = matrix(1), matrix(2, (40, 25))
        launched()
        device.fail(8, fault)
        assert same(X, Y, mask=M.S, direction=direction)
        assert other in launched()
