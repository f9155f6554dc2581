"""What holds for every algorithm: its name, its arguments, who computes it, and what it refuses."""

import importlib
import inspect
import logging

import numpy as np
import pytest
import scipy.sparse as sp

import lagbfs
from lagbfs import LagbfsError, Matrix, algorithms, backends, using
from lagbfs.algorithms import common
from lagbfs.backends.protocol import Arm, Fused

SUITABLE = {"topological_levels": Matrix.from_edges([0, 1], [1, 2])}  # graphs for those that want them in particular
TRIANGLE = Matrix.from_edges([0, 1, 2], [1, 2, 0], directed=False)
ALL = sorted(algorithms.__all__)


def test_every_algorithm_is_listed_once_and_found():
    assert list(algorithms.__all__) == ALL
    assert dir(algorithms) == ALL
    assert all(callable(getattr(algorithms, name)) for name in ALL)
    with pytest.raises(AttributeError, match="'kruskal'"):
        _ = algorithms.kruskal


@pytest.mark.parametrize("name", sorted(lagbfs._ALGORITHMS))
def test_common_ones_are_at_hand(name):
    assert getattr(lagbfs, name) is getattr(algorithms, name)


@pytest.mark.parametrize("name", ALL)
def test_no_module_has_the_name_of_an_algorithm(name):
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(f"lagbfs.algorithms.{name}")


@pytest.mark.parametrize("name", ALL)
def test_every_algorithm_takes_the_settings(name):
    function = getattr(algorithms, name)
    first, *others = inspect.signature(function).parameters.values()
    assert first.name == "A"
    assert {"backend", "direction", "selector", "threads"} <= {p.name for p in others if p.kind is p.KEYWORD_ONLY}
    assert "Examples\n" in inspect.getdoc(function)


def call(name, A, **settings):
    """Call an algorithm with whatever it needs beside the graph."""
    needed = [
        parameter
        for parameter in list(inspect.signature(getattr(algorithms, name)).parameters.values())[1:]
        if parameter.default is parameter.empty
    ]
    return getattr(algorithms, name)(A, *[NEEDED[p.name] for p in needed], **settings)


NEEDED = {"source": 0, "target": 1, "sources": [0], "k": 3, "pairs": [(0, 1)]}


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    ("A", "settings", "kind", "words"),
    [
        (Matrix.from_coo([0], [2], nrows=2, ncols=3), {}, ValueError, "square"),
        (5, {}, TypeError, "A must be"),
        (TRIANGLE, {"backend": "abacus"}, ValueError, "abacus"),
        (TRIANGLE, {"direction": "up"}, ValueError, "direction"),
        (TRIANGLE, {"selector": "dice"}, ValueError, "selector"),
        (TRIANGLE, {"threads": 0}, ValueError, "threads"),
        (TRIANGLE, {"thread": 1}, TypeError, "did you mean 'threads'"),
    ],
)
def test_bad_input(name, A, settings, kind, words):
    with pytest.raises(LagbfsError, match=words) as caught:
        call(name, A, **settings)
    assert isinstance(caught.value, kind)


@pytest.mark.parametrize("name", ALL)
def test_the_settings_are_in_force_inside_and_gone_after(name):
    before = common.context.current()
    call(name, SUITABLE.get(name, TRIANGLE), backend="reference", direction="push", selector="beamer", threads=1)
    assert common.context.current() is before


class Stop(BaseException):
    """What interrupts: no error, as KeyboardInterrupt is none."""


def stop(done, total):
    raise Stop


@pytest.mark.parametrize("name", [n for n in ALL if "progress" in inspect.signature(getattr(algorithms, n)).parameters])
def test_what_tells_of_its_progress_can_be_interrupted(name):
    A, before = SUITABLE.get(name, TRIANGLE), common.context.current()
    call(name, A, progress=None)
    with pytest.raises(Stop):
        call(name, A, progress=stop, threads=1)
    assert common.context.current() is before


@pytest.mark.parametrize("name", ALL)
def test_graphs_of_other_libraries_are_converted(name):
    call(name, sp.csr_array(SUITABLE.get(name, TRIANGLE).to_dense(fill_value=0)))


def test_the_graph_may_be_named():
    assert algorithms.components(A=sp.csr_array(TRIANGLE.to_dense(fill_value=0))).tolist() == [0, 0, 0]
    with pytest.raises(TypeError, match="'A'"):
        algorithms.components()


class Knowing(Fused):
    def components(self, rows, *, threads=None):
        return np.full(rows.nrows, threads)


class Engine(type(backends.get("reference"))):
    name = "knowing"
    arms = (Arm("knowing", "push"), Arm("knowing", "pull"))

    def fused(self):
        return Knowing()


@pytest.fixture
def knowing():
    backends.register(Engine)
    yield "knowing"
    backends.unregister("knowing")


def test_an_engine_that_knows_the_algorithm_computes_it(knowing, caplog):
    with caplog.at_level(logging.DEBUG, "lagbfs"):
        assert algorithms.components(TRIANGLE, backend=knowing, threads=3).tolist() == [3, 3, 3]
    assert "components: by the kernels of knowing" in caplog.text


@pytest.mark.parametrize("asked", [{"direction": "push"}, {"selector": "beamer"}])
def test_products_compute_it_where_something_is_asked_of_them(knowing, caplog, asked):
    with caplog.at_level(logging.DEBUG, "lagbfs"), using(backend=knowing):
        assert algorithms.components(TRIANGLE, **asked).tolist() == [0, 0, 0]
    assert "components: by products" in caplog.text


def test_no_engine_has_to_know_any(backend):
    engine = Fused()
    assert engine.components(TRIANGLE.rows) is None
    assert engine.triangles(TRIANGLE.rows) is None
    assert engine.core_numbers(TRIANGLE.rows) is None
    assert isinstance(backends.get(backend).fused(), Fused)


def test_a_graph_too_large_for_a_number_for_each_vertex_is_refused():
    with pytest.raises(MemoryError, match="vertices"):
        algorithms.components(Matrix.from_coo([0], [1], nrows=2**58, ncols=2**58))
