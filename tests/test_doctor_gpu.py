"""lagbfs doctor --gpu: what it checks, and that it notices what is wrong."""

import json
import warnings
from importlib import import_module

import numpy as np
import pytest

from lagbfs import backends, cli, graphs
from lagbfs.backends.cupyx import cusparse, levels
from lagbfs.backends.reference import Reference
from lagbfs.measure import device as selfcheck

pytestmark = pytest.mark.slow

ENGINE = {info.name: info for info in backends.available()}["cupyx"]
needs_engine = pytest.mark.skipif(not ENGINE.runs, reason=f"cupyx cannot run here: {ENGINE.reason}")


@pytest.fixture
def small(monkeypatch):
    """Let the doctor look at graphs that an emulator can search."""
    monkeypatch.setattr(selfcheck, "_GRAPHS", [lambda: graphs.kronecker(5), lambda: graphs.path(4)])
    monkeypatch.setattr(selfcheck, "_directed", lambda: graphs.kronecker(4).T)
    monkeypatch.setattr(selfcheck, "_DTYPES", [np.dtype(bool), np.dtype(np.uint8), np.dtype(np.float64)])
    far_offsets, timings = selfcheck.far_offsets, selfcheck.timings
    monkeypatch.setattr(selfcheck, "far_offsets", lambda: far_offsets(5000))
    monkeypatch.setattr(selfcheck, "timings", lambda scale: timings(6))


@needs_engine
def test_everything_is_checked(small, capsys):
    assert cli.main(["doctor", "--gpu", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    names = [check["name"] for check in told["checks"]]
    for direction, variant in levels.NAMES:
        assert sum(f"{direction}:{variant}" in name for name in names) == 3  # both widths, and a timing
    assert sum("plus_times" in name for name in names) == 2
    assert [name for name in names if "dot products" in name or "two matrices" in name or "triangles" in name] == [
        "dot products under a mask, 32 bits",
        "dot products under a mask, 64 bits",
        "products of two matrices by cuSPARSE",
        "Kronecker graph of scale 6, triangles",
    ]
    assert "a frontier of more than 2³¹ edges" in names
    assert all(check["passed"] for check in told["checks"])
    assert told["device"]["memory"].endswith("free")
    assert [line.split()[2] for line in told["sanitize"]] == ["memcheck", "racecheck", "synccheck", "initcheck"]


@needs_engine
def test_quickly(small, capsys):
    assert cli.main(["doctor", "--gpu", "--quick"]) == 0
    out = capsys.readouterr().out
    assert "compute-sanitizer --tool memcheck" in out
    assert "MTEPS" not in out
    assert out.splitlines()[-1].startswith("cupyx: 54 of 54 checks passed on ")


@needs_engine
def test_a_warning_of_another_library_is_no_failure(small, capsys, monkeypatch):
    search = selfcheck.bfs

    def warning(*arguments, **options):
        warnings.warn("of CuPy's own", FutureWarning, stacklevel=1)
        return search(*arguments, **options)

    monkeypatch.setattr(selfcheck, "bfs", warning)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        assert cli.main(["doctor", "--gpu", "--quick"]) == 0
    assert "of CuPy's own" in capsys.readouterr().err


@needs_engine
@pytest.mark.parametrize("wide", [False, True])
def test_directed_graphs_of_both_widths_are_checked(wide):
    checked = selfcheck._graphs(wide)
    assert {A.csr.indices.dtype.itemsize for A in checked} == {8 if wide else 4}
    sent = [A.handle(backends.get("cupyx")).columns for A in checked]
    assert {columns.indices.dtype.itemsize for columns in sent} == {8 if wide else 4}
    assert {A.rows.is_symmetric for A in checked} == {True, False}


@needs_engine
def test_a_kernel_that_finds_nothing_is_noticed(small, capsys, monkeypatch):
    monkeypatch.setitem(levels._PULL, "vertex", lambda *_: None)
    assert cli.main(["doctor", "--gpu", "--quick"]) == 1
    told = capsys.readouterr()
    assert "WRONG" in told.out
    assert "least parents from 0 in Matrix(32" in told.out
    assert "51 of 54" in told.out
    assert "pull:vertex, 32 bits; pull:vertex, 64 bits" in told.err


@needs_engine
def test_a_device_that_fails_is_noticed_although_the_host_steps_in(small, capsys, device):
    double = pytest.importorskip("cupy._device", reason="needs the errors of the double of CuPy")
    device.fail(5000, double.CUDARuntimeError(double.ILLEGAL_ADDRESS), sticky=True)
    assert cli.main(["doctor", "--gpu", "--quick"]) == 1
    assert "cudaErrorIllegalAddress" in capsys.readouterr().out


@needs_engine
def test_a_product_that_is_wrong_is_noticed(small, capsys, monkeypatch):
    monkeypatch.setitem(__import__("lagbfs.backends.cupyx.product", fromlist=["ADD"]).ADD, "max", 1)
    assert cli.main(["doctor", "--gpu", "--quick"]) == 1
    assert "max_second" in capsys.readouterr().err


@needs_engine
def test_a_product_of_matrices_that_is_wrong_is_noticed(small, capsys, monkeypatch):
    kernels = import_module("lagbfs.backends.cupyx.matrix_product")
    monkeypatch.setattr(kernels, "ADD", {**kernels.ADD, "max": 1})
    assert cli.main(["doctor", "--gpu", "--quick"]) == 1
    told = capsys.readouterr()
    assert "semiring.max_" in told.out
    assert told.err.endswith("dot products under a mask, 32 bits; dot products under a mask, 64 bits\n")


@needs_engine
def test_without_cusparse_the_doctor_says_what_to_do(small, monkeypatch):
    monkeypatch.setattr(cusparse, "trouble", lambda: "cuSPARSE is missing. Try: pip install it")
    assert selfcheck._cusparse() == "left to the host: cuSPARSE is missing. Try: pip install it"


def test_without_a_device_the_doctor_says_what_to_do(capsys):
    reason = ("there is no NVIDIA driver", "install NVIDIA's driver")

    class Missing(Reference):
        name = "cupyx"

        @classmethod
        def info(cls):
            return backends.BackendInfo("cupyx", "", False, *reason)

    backends.register(Missing, replace=True)
    try:
        assert cli.main(["doctor", "--gpu"]) == 2
    finally:
        backends.unregister("cupyx")
    assert capsys.readouterr().err == (
        "lagbfs: backend 'cupyx' cannot run here: there is no NVIDIA driver. Try: install NVIDIA's driver\n"
    )


@pytest.mark.gpu
def test_this_device():
    assert cli.main(["doctor", "--gpu"]) == 0
