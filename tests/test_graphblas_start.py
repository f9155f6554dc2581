"""python-graphblas is taken from one place, where threads that come first together find it started."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import lagbfs
from lagbfs import backends
from lagbfs.base import graphblas

INFO = {info.name: info for info in backends.available()}["suitesparse"]
needs_suitesparse = pytest.mark.skipif(not INFO.runs, reason=f"suitesparse cannot run here: {INFO.reason}")

LIBRARIES = {"graphblas", "suitesparse_graphblas"}
# Made when they are asked for.
OPERATORS = {"agg", "binary", "core", "indexunary", "monoid", "op", "select", "semiring", "unary"}


def sources():
    """Return all modules of lagbfs but the one that may import python-graphblas."""
    rooms = {Path(module.__file__).parent for module in (lagbfs, backends)}
    found = {path.resolve() for room in rooms for path in room.rglob("*.py")}
    return sorted(found - {Path(graphblas.__file__).resolve()})


def taken(tree):
    """Yield the lines in which python-graphblas is imported, or one of its operators looked up."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names) if LIBRARIES & {name.name.split(".")[0] for name in names}:
                yield node.lineno
            case ast.ImportFrom(module=str(module), level=0) if module.split(".")[0] in LIBRARIES:
                yield node.lineno
            case ast.Call(func=ast.Attribute(attr="import_module") | ast.Name(id="require"), args=[first, *_]):
                if isinstance(first, ast.Constant) and str(first.value).split(".")[0] in LIBRARIES:
                    yield node.lineno
            case ast.Attribute(value=ast.Call(func=ast.Attribute(attr="start")), attr=attr) if attr in OPERATORS:
                yield node.lineno


def test_nothing_else_imports_python_graphblas():
    assert len(sources()) > 100
    assert {f"{path}:{line}" for path in sources() for line in taken(ast.parse(path.read_text()))} == set()


@pytest.mark.parametrize(
    "line",
    [
        "import graphblas",
        "import graphblas.semiring as s",
        "from graphblas import Matrix",
        "from graphblas.core.operator import Semiring",
        "import suitesparse_graphblas",
        "importlib.import_module('graphblas')",
        "require('graphblas', 'all')",
        "graphblas.start().semiring.any_pair",
    ],
)
def test_such_lines_are_found(line):
    assert list(taken(ast.parse(line))) == [1]


def test_the_place_itself_is_none_of_them():
    line = "from ..base import graphblas\ngraphblas.start().Vector\ngraphblas.semiring('any', 'pair', 'int64')"
    assert list(taken(ast.parse(line))) == []


@needs_suitesparse
@pytest.mark.parametrize(
    ("parts", "found"),
    [
        (("plus", "times", "int64"), "semiring.plus_times[INT64]"),
        (("any", "secondi", "int64"), "semiring.any_secondi[INT64]"),
        (("times", "hypot", "float64"), "semiring.times_hypot[FP64]"),  # which it has no name for
        (("plus", "times", "bool"), "None"),
        (("max", "bxor", "float64"), "None"),
        (("plus", "no_such", "int64"), "None"),
        (("no_such", "plus", "int64"), "None"),
    ],
)
def test_semirings_by_their_operators(parts, found):
    assert str(graphblas.semiring(*parts)) == found


@pytest.mark.parametrize("given", [{}, {"GOMP_SPINCOUNT": "7"}, {"OMP_WAIT_POLICY": "active"}], ids=str)
def test_openmp_waits_briefly_only_while_it_is_loaded(monkeypatch, given):
    for name in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    before = dict(os.environ)
    with graphblas._short_waits():
        assert os.environ.get("GOMP_SPINCOUNT") == (given.get("GOMP_SPINCOUNT") if given else "100000")
    assert dict(os.environ) == before
    with pytest.raises(ImportError), graphblas._short_waits():
        raise ImportError
    assert dict(os.environ) == before


FIRST_TOGETHER = """
import sys, threading
sys.setswitchinterval(1e-6)
import numpy as np
import lagbfs

together = threading.Barrier(16)
A = lagbfs.graphs.grid(20, 20)
v = lagbfs.Vector.from_dense(np.arange(A.nrows))
failures = []


def search():
    lagbfs.bfs(A, 0, backend="suitesparse").verify()


def levels():
    assert lagbfs.bfs(A, 0, backend="suitesparse", parents=False, direction="pull").depth == 38


def multiply():
    with lagbfs.using(backend="suitesparse"):
        assert v.vxm(A, "plus_times").new().nvals == 400
        assert A.mxv(v, "min_plus").new(mask=~v.V).nvals == 1


def square():
    with lagbfs.using(backend="suitesparse"):
        assert A.mxm(A, "plus_pair").new().nvals == 3284  # two steps apart, or none


def convert():
    assert lagbfs.Matrix.from_graphblas(A.to_graphblas()).isequal(A)


def first(job):
    together.wait()
    try:
        job()
    except BaseException as error:
        failures.append(f"{job.__name__}: {error!r}")


jobs = (search, levels, multiply, square, convert)
threads = [threading.Thread(target=first, args=(jobs[i % len(jobs)],)) for i in range(16)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert "graphblas" in sys.modules
sys.exit("; ".join(failures) or None)
"""


@pytest.mark.slow
@needs_suitesparse
@pytest.mark.parametrize("attempt", range(5))
def test_threads_come_first_together(attempt):
    done = subprocess.run([sys.executable, "-P", "-c", FIRST_TOGETHER], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
