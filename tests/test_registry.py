"""Engines and selectors from outside: registered, brought by other packages, and searches driven by hand."""

import os
import subprocess
import sys
import textwrap
from itertools import cycle

import numpy as np
import pytest

import lagbfs
from lagbfs import backends, bfs, binary, graphs, monoid, selector
from lagbfs.backends.protocol import Arm, State
from lagbfs.backends.reference import Reference
from lagbfs.errors import BackendUnavailableError
from lagbfs.operators.binary import BinaryOp
from lagbfs.operators.semiring import Semiring
from lagbfs.selector import Beamer, Fixed, Script

GRAPHS = {"kronecker": graphs.kronecker(8), "grid": graphs.grid(9, 7), "path": graphs.path(20)}


class Twin(Reference):
    """The reference engine under another name."""

    name = "twin"
    arms = (Arm("twin", "push"), Arm("twin", "pull"))


@pytest.fixture
def twin():
    """An engine that is registered for the length of a test."""
    backends.register(Twin)
    yield Twin
    if "twin" in backends.names():
        backends.unregister("twin")


def test_a_registered_engine_searches_and_multiplies(twin):
    A = GRAPHS["kronecker"]
    t = bfs(A, 1, backend="twin")
    t.verify()
    assert {step.arm.backend for step in t.trace} == {"twin"}
    with lagbfs.using(backend="twin"):
        found = lagbfs.Vector.from_coo([1], [1.0], size=A.nrows).vxm(A, "plus_times").new()
    assert found.nvals == A.degrees[1]


def test_a_registered_engine_takes_turns_with_others(twin):
    arms = [twin.arms[0], *backends.get("reference").arms]
    t = bfs(GRAPHS["grid"], 0, backend=["reference", "twin"], selector=Script(tuple(map(str, arms))))
    t.verify()
    assert [step.arm for step in t.trace][:3] == arms


def test_registered_engines_are_listed_and_are_not_the_default(twin):
    before = backends.default()
    assert "twin" in backends.names()
    assert {info.name: info.runs for info in backends.available()}["twin"]
    assert backends.default() == before
    backends.unregister("twin")
    assert "twin" not in backends.names()
    with pytest.raises(lagbfs.LagbfsError, match=r"backend must be one of .*'native'.* not 'twin'"):
        backends.get("twin")


def test_an_engine_is_made_once(twin):
    assert backends.get("twin") is backends.get("twin")


def test_replacing_an_engine_has_to_be_said_and_can_be_taken_back(twin):
    class Other(Twin):
        pass

    with pytest.raises(ValueError, match=r"'twin' already: register\(..., replace=True\)"):
        backends.register(Other)
    assert type(backends.get("twin")) is Twin
    backends.register(Other, replace=True)
    assert type(backends.get("twin")) is Other


def test_an_engine_that_replaces_another_does_not_get_its_copies_of_matrices(twin):
    class Other(Twin):
        def load(self, rows):
            return {"rows": rows}

        def product(self, arm, handle, vector, mask, semiring, *, threads=None):
            return super().product(arm, handle["rows"], vector, mask, semiring)

    A = graphs.grid(3, 4)
    bfs(A, 0, backend="twin").verify()
    backends.register(Other, replace=True)
    bfs(A, 0, backend="twin").verify()


def test_a_direction_that_an_engine_has_no_arm_of_is_told(twin):
    class OneWay(Twin):
        arms = Twin.arms[:1]

    backends.register(OneWay, replace=True)
    A = GRAPHS["path"]
    bfs(A, 0, backend="twin").verify()
    bfs(A, 0, backend=["twin", "reference"], direction="pull").verify()
    with pytest.raises(lagbfs.LagbfsError, match="direction 'pull': twin has no arm of it"):
        bfs(A, 0, backend="twin", direction="pull")


def test_an_engine_of_lagbfs_can_be_replaced_and_is_there_again():
    class Other(Reference):
        pass

    backends.register(Other, replace=True)
    try:
        assert type(backends.get("reference")) is Other
        assert backends.names().count("reference") == 1
        bfs(GRAPHS["path"], 0, backend="reference").verify()
    finally:
        backends.unregister("reference")
    assert type(backends.get("reference")) is Reference


@pytest.mark.parametrize("name", ["", "two words", "a,b", "a:b", "a-b", None, 3])
def test_names_that_no_engine_can_have(name):
    engine = type("Nameless", (Reference,), {"name": name})
    with pytest.raises(lagbfs.LagbfsError, match="name of letters, digits and underscores"):
        backends.register(engine)


@pytest.mark.parametrize("engine", [None, "twin", object, Twin()], ids=["None", "name", "class", "instance"])
def test_what_is_no_engine(engine):
    with pytest.raises(TypeError, match=r"subclass of lagbfs\.backends\.Backend"):
        backends.register(engine)


@pytest.mark.parametrize("take_back", [backends.unregister, selector.unregister])
@pytest.mark.parametrize("name", ["native", "beamer", "nonsense"])
def test_only_what_was_registered_can_be_taken_back(take_back, name):
    with pytest.raises(ValueError, match=f"{name}.*has been registered"):
        take_back(name)


def test_an_engine_that_cannot_run_says_why(twin):
    class Broken(Twin):
        @classmethod
        def info(cls):
            return backends.BackendInfo(cls.name, "", False, "its licence has run out", "pip install twin")

    backends.register(Broken, replace=True)
    with pytest.raises(BackendUnavailableError, match=r"licence has run out\. Try: pip install twin"):
        bfs(GRAPHS["path"], 0, backend="twin")
    with pytest.warns(RuntimeWarning, match=r"licence has run out.*going on with reference"):
        bfs(GRAPHS["path"], 0, backend=["twin", "reference"]).verify()


def test_a_registered_selector_picks():
    selector.register("downhill", lambda: Fixed("pull"))
    try:
        t = bfs(GRAPHS["grid"], 0, selector="downhill")
        assert {step.arm.direction for step in t.trace} == {"pull"}
        with pytest.raises(ValueError, match=r"'downhill' already: register\(..., replace=True\)"):
            selector.register("downhill", Beamer)
        selector.register("downhill", Beamer, replace=True)
        assert bfs(GRAPHS["grid"], 0, selector="downhill").trace[0].arm.direction == "push"
    finally:
        selector.unregister("downhill")
    assert "downhill" not in selector.names()


def test_a_selector_of_lagbfs_can_be_replaced_and_is_there_again():
    selector.register("beamer", lambda: Fixed("pull"), replace=True)
    try:
        assert bfs(GRAPHS["grid"], 0, selector="beamer").trace[0].arm.direction == "pull"
    finally:
        selector.unregister("beamer")
    assert bfs(GRAPHS["grid"], 0, selector="beamer").trace[0].arm.direction == "push"


@pytest.mark.parametrize("name", ["", "push", "pull:list", "native push:scan", None, 3])
def test_names_that_no_selector_can_have(name):
    with pytest.raises(ValueError, match="name must be a string that names no arm"):
        selector.register(name, Beamer)


def test_what_makes_no_selector():
    with pytest.raises(TypeError, match="make must be callable"):
        selector.register("downhill", Beamer())


@pytest.fixture
def python(tmp_path):
    """Run a program in a Python that has another package installed, one that brings engines and selectors."""
    (tmp_path / "outside.py").write_text(
        textwrap.dedent("""
            from lagbfs.backends import Arm
            from lagbfs.backends.reference import Reference
            from lagbfs.selector import Fixed


            class Brought(Reference):
                name = "brought"
                arms = (Arm("brought", "push"), Arm("brought", "pull"))


            def uphill():
                return Fixed("pull")


            number = 3
        """)
    )
    installed = tmp_path / "outside-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: outside\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text(
        textwrap.dedent("""
            [lagbfs.backends]
            brought = outside:Brought
            absent = outside_absent:Engine
            misnamed = outside:Brought
            number = outside:number

            [lagbfs.selectors]
            uphill = outside:uphill
            number = outside:number
            absent = outside_absent:choose
        """)
    )

    def run(program):
        path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
        command = [sys.executable, "-P", "-W", "error", "-c", "import lagbfs\n" + textwrap.dedent(program)]
        done = subprocess.run(command, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return run


def test_what_another_package_brings_is_there_by_name(python):
    printed = python("""
        A = lagbfs.graphs.kronecker(8)
        t = lagbfs.bfs(A, 1, backend="brought", selector="uphill")
        t.verify()
        print({str(step.arm) for step in t.trace})
        print(lagbfs.backends.default() == "brought", "brought" in lagbfs.backends.names())
        print("uphill" in lagbfs.selector.names())
    """)
    assert printed == ["{'brought pull'}", "False True", "True"]


def test_nothing_of_another_package_is_loaded_before_it_is_asked_for(python):
    printed = python("""
        import sys
        lagbfs.bfs(lagbfs.graphs.path(5), 0).verify()
        print("outside" in sys.modules)
    """)
    assert printed == ["False"]


def test_what_another_package_fails_to_bring_is_unavailable_and_says_why(python):
    printed = python("""
        for info in lagbfs.backends.available():
            if info.name in ("absent", "misnamed", "number"):
                print(info.name, info.runs, info.reason)
        for name in ("absent", "misnamed", "number"):
            try:
                lagbfs.bfs(lagbfs.graphs.path(5), 0, backend=name)
            except lagbfs.errors.BackendUnavailableError as error:
                print(error)
    """)
    absent, misnamed, number = "No module named 'outside_absent'", "must be a Backend named 'misnamed'", "not 3"
    for lines in (printed[:3], printed[3:]):
        for name, reason, line in zip(("absent", "misnamed", "number"), (absent, misnamed, number), lines, strict=True):
            assert name in line
            assert reason in line
    assert all(" False " in line for line in printed[:3])


def test_a_selector_that_another_package_fails_to_bring_says_why(python):
    printed = python("""
        for name in ("absent", "number"):
            try:
                lagbfs.bfs(lagbfs.graphs.path(5), 0, selector=name)
            except lagbfs.LagbfsError as error:
                print(error)
    """)
    assert len(printed) == 2
    assert "'absent', brought by outside_absent:choose" in printed[0]
    assert "No module named 'outside_absent'" in printed[0]
    assert "'int' object is not callable" in printed[1]


def test_a_registered_engine_goes_before_one_that_is_brought(python):
    printed = python("""
        from lagbfs.backends.reference import Reference

        class Own(Reference):
            name = "brought"

        try:
            lagbfs.backends.register(Own)
        except lagbfs.LagbfsError as error:
            print("already" in str(error))
        lagbfs.backends.register(Own, replace=True)
        print(type(lagbfs.backends.get("brought")).__name__)
        lagbfs.backends.unregister("brought")
        print(type(lagbfs.backends.get("brought")).__name__)
    """)
    assert printed == ["True", "Own", "Brought"]


def test_an_operator_that_no_engine_knows_works_on_every_engine(backend, monkeypatch):
    apart = BinaryOp("apart", lambda xp, x, y: xp.abs(x - y))
    monkeypatch.setattr(binary, "apart", apart, raising=False)  # as if it stood in the module
    apart.is_builtin = True
    A = lagbfs.Matrix.from_edges([0, 1, 1, 2], [1, 0, 2, 2], weights=[5, 1, 2, 9])
    q = lagbfs.Vector.from_coo([0, 1, 2], [1, 7, 3], size=3)
    for direction in ("push", "pull"):
        with lagbfs.using(backend=backend, direction=direction):
            assert q.vxm(A, Semiring(monoid.max, apart)).new().to_dict() == {0: 6, 1: 4, 2: 6}


def begun(A, source, arms, **options):
    """Return a search before its first level, as `bfs` makes it."""
    options = {"wants_parents": True, "deterministic": True} | options
    return State(A.rows, np.array([source]), arms=arms, fallback=Beamer(), **options)


def levels_by_hand(part, state, arms):
    """Compute levels, by one arm after the other, to the end of the search or of the arms."""
    for arm in arms:
        if not state.goes_on:
            return
        part.prepare(arm)
        with state.step(arm):
            part.level(arm)


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize(
    "limits", [{}, {"max_depth": 2}, {"targets": np.array([2, 5])}], ids=["to the end", "depth", "targets"]
)
def test_a_search_by_hand_is_that_of_bfs(backend, graph, limits):
    engine = backends.get(backend)
    state = begun(graph, 1, engine.arms, **limits)
    state.unfold()
    part = engine.begin(state)
    levels_by_hand(part, state, cycle(engine.arms))
    part.finish()
    state.settle()
    asked = {"max_depth": limits.get("max_depth"), "target": limits.get("targets")}
    t = bfs(graph, 1, backend=backend, selector=Script(tuple(map(str, engine.arms)) * 20), deterministic=True, **asked)
    np.testing.assert_array_equal(state.reached, t.parents)
    assert [step[:6] for step in state.trace.steps()] == [step[:6] for step in t.trace]


def test_levels_by_hand_without_parents(backend):
    engine, A = backends.get(backend), GRAPHS["grid"]
    state = begun(A, 3, engine.arms, wants_parents=False)
    state.unfold()
    part = engine.begin(state)
    levels_by_hand(part, state, cycle(engine.arms))
    part.finish()
    state.settle()
    np.testing.assert_array_equal(state.reached, bfs(A, 3, backend="reference").levels)


@pytest.mark.parametrize("wants_parents", [True, False], ids=["parents", "levels"])
def test_an_engine_takes_over_after_any_level_of_another(backend, wants_parents):
    A, engines = GRAPHS["grid"], [backends.get(backend), backends.get("reference")]
    arms = tuple(dict.fromkeys(arm for engine in engines for arm in engine.arms))
    state = begun(A, 3, arms, wants_parents=wants_parents)
    state.unfold()
    turns = [(engine, arm) for engine in engines for arm in engine.arms]
    for engine, arm in cycle(turns):
        if not state.goes_on:
            break
        part = engine.begin(state)
        levels_by_hand(part, state, [arm])
        part.finish()
    state.settle()
    t = bfs(A, 3, backend="reference", deterministic=True)
    np.testing.assert_array_equal(state.reached, t.parents if wants_parents else t.levels)
