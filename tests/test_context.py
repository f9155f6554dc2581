"""using, LAGBFS_BACKEND, arguments: the nearest wins, and only where it was said."""

import asyncio
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from lagbfs import LagbfsError, Matrix, Vector, backends, bfs, selector, semiring, using
from lagbfs.backends.reference import Reference
from lagbfs.selector import models
from lagbfs.selector.context import choose_arm, current

RUNNING = [info.name for info in backends.available() if info.runs]
A = Matrix.from_edges(range(99), range(1, 100))  # so long that the default is push


def engine_used(**options):
    """Return the engine and direction that a search really takes."""
    arm = bfs(A, 0, max_depth=1, **options).trace[0].arm
    return arm.backend, arm.direction


@pytest.fixture(autouse=True)
def no_variable(monkeypatch):
    monkeypatch.delenv("LAGBFS_BACKEND", raising=False)


def test_nothing_said_takes_the_first_engine_that_runs():
    assert current().backend is None
    assert engine_used()[0] == backends.default() == RUNNING[0]


def test_using_holds_inside_the_block_alone(backend, direction):
    before = current()
    with using(backend=backend, direction=direction) as settings:
        assert settings == current()
        assert engine_used() == (backend, direction)
    assert current() == before


def test_blocks_nest_and_each_says_only_what_it_says():
    first, last = RUNNING[0], RUNNING[-1]
    with using(backend=first, threads=2):
        with using(direction="pull"):
            assert engine_used() == (first, "pull")
            assert current().threads == 2
            with using(backend=last, direction="push", threads=1):
                assert engine_used() == (last, "push")
                assert current().threads == 1
            assert engine_used() == (first, "pull")
        assert current().direction == "auto"
    assert current().threads is None


def test_one_block_may_be_entered_again():
    block = using(direction="pull")
    with block:
        with block:
            assert current().direction == "pull"
        assert current().direction == "pull"
    with block:
        assert current().direction == "pull"
    assert current().direction == "auto"


def test_an_exception_leaves_the_block_as_any_other_end_does():
    before = current()
    with pytest.raises(RuntimeError, match="inside"), using(direction="pull"):
        raise RuntimeError("inside")
    assert current() == before


def test_a_bad_setting_changes_nothing():
    before = current()
    for bad in ({"direction": "sideways"}, {"backend": "no such"}, {"threads": 0}, {"selector": 3}):
        with pytest.raises(LagbfsError):
            using(**bad)
    assert current() == before


def test_arguments_win_over_blocks_and_blocks_over_the_variable(monkeypatch):
    for argument in RUNNING:
        for block in RUNNING:
            for variable in RUNNING:
                monkeypatch.setenv("LAGBFS_BACKEND", variable)
                assert engine_used()[0] == variable
                with using(backend=block):
                    assert engine_used()[0] == block
                    assert engine_used(backend=argument)[0] == argument
                    assert engine_used()[0] == block


def test_the_variable_names_the_engine(backend, monkeypatch):
    monkeypatch.setenv("LAGBFS_BACKEND", backend)
    assert engine_used()[0] == backend
    monkeypatch.setenv("LAGBFS_BACKEND", "no such")
    with pytest.raises(ValueError, match="'no such'") as caught:
        bfs(A, 0)
    assert isinstance(caught.value, LagbfsError)
    monkeypatch.setenv("LAGBFS_BACKEND", "")
    assert engine_used()[0] == backends.default()


def test_the_variable_is_read_by_a_new_process(backend):
    code = "import lagbfs; print(lagbfs.bfs(lagbfs.Matrix.from_edges([0], [1]), 0).trace[0].arm.backend)"
    env = os.environ | {"LAGBFS_BACKEND": backend}
    done = subprocess.run([sys.executable, "-P", "-c", code], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == backend


def test_direction_auto_undoes_a_direction():
    with using(direction="pull"):
        assert engine_used(direction="auto")[1] == "push"
        with using(direction="auto"):
            assert engine_used()[1] == "push"


def test_products_follow_the_context(backend, direction, monkeypatch):
    engine, seen = backends.get(backend), []
    product = type(engine).product
    monkeypatch.setattr(type(engine), "product", lambda s, arm, *a, **k: seen.append(arm) or product(s, arm, *a, **k))
    with using(backend=backend, direction=direction):
        (Vector.from_coo([0], [1.0], size=100) @ A).new()
    assert [(arm.backend, arm.direction) for arm in seen] == [(backend, direction)]


def test_selectors_from_the_context_and_by_argument():
    class Last:
        def choose(self, features, arms):
            return arms[-1]

    for name in RUNNING:
        last = backends.get(name).arms[-1]
        with using(backend=name, selector=Last()):
            assert {step.arm for step in bfs(A, 0).trace} == {last}
            assert bfs(A, 0, selector=selector.Beamer()).trace[0].arm.direction == "push"
            assert bfs(A, 0, selector="beamer").trace[0].arm.direction == "push"


def test_a_selector_that_picks_what_it_was_not_offered(backend):
    class Astray:
        def choose(self, features, arms):
            return backends.Arm("nowhere", "push")

    with pytest.raises(ValueError, match="nowhere") as caught:
        bfs(A, 0, backend=backend, selector=Astray())
    assert isinstance(caught.value, LagbfsError)


def test_threads_do_not_see_each_others_settings():
    jobs = [(name, direction) for name in RUNNING for direction in ("push", "pull")]
    barrier = Barrier(len(jobs), timeout=600)

    def job(name, direction):
        assert current().backend is None  # nor those of the thread that started it
        with using(backend=name, direction=direction):
            barrier.wait()
            seen = [engine_used() for _ in range(5)]
            barrier.wait()
        return seen

    with using(backend=RUNNING[-1]), ThreadPoolExecutor(len(jobs)) as pool:
        results = list(pool.map(job, *zip(*jobs, strict=True)))
    assert results == [[expected] * 5 for expected in jobs]


def test_tasks_do_not_see_each_others_settings():
    async def job(name, direction):
        with using(backend=name, direction=direction):
            for _ in range(3):
                await asyncio.sleep(0)
                assert engine_used() == (name, direction)

    async def main():
        await asyncio.gather(*(job(name, d) for name in RUNNING for d in ("push", "pull")))
        return current()

    before = current()
    assert asyncio.run(main()) == before


def test_available_describes_every_engine():
    infos = backends.available()
    assert [info.name for info in infos] == list(backends.names())
    assert len(RUNNING) >= 2
    for info in infos:
        assert info.runs in (True, False)
        assert info.version if info.runs else (info.reason and info.install)
        if info.runs:
            engine = backends.get(info.name)
            assert engine is backends.get(info.name)
            assert engine.name == info.name
            assert {arm.direction for arm in engine.arms} == {"push", "pull"}
            assert {arm.backend for arm in engine.arms} == {info.name}
            assert len(set(engine.arms)) == len(engine.arms)


@pytest.fixture
def ghost():
    """An engine that is known but cannot run."""

    class Ghost(Reference):
        name = "ghost"

        @classmethod
        def info(cls):
            return backends.BackendInfo(cls.name, "", False, "no ghosts here", "pip install 'lagbfs[ghost]'")

    backends.register(Ghost)
    yield Ghost.name
    backends.unregister(Ghost.name)


def test_an_engine_that_cannot_run_says_what_would_install_it(ghost, monkeypatch):
    assert next(i for i in backends.available() if i.name == ghost).runs is False
    monkeypatch.setenv("LAGBFS_BACKEND", ghost)
    for ask in (
        lambda: backends.get(ghost),
        lambda: using(backend=ghost),
        lambda: bfs(A, 0, backend=ghost),
        lambda: bfs(A, 0),
    ):
        with pytest.raises(ImportError, match=r"'ghost'.*no ghosts here.*pip install 'lagbfs\[ghost\]'") as caught:
            ask()
        assert isinstance(caught.value, LagbfsError)


WITHOUT_LIBRARIES = """
import sys


class Missing:
    def find_spec(self, name, path=None, target=None):
        parts = name.split(".")
        extension = parts[:2] == ["lagbfs", "backends"] and parts[-1].startswith("_")
        if extension or parts[0] in ("graphblas", "suitesparse_graphblas", "cupy"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Missing())
import lagbfs
infos = lagbfs.backends.available()
assert any(info.runs for info in infos) and not all(info.runs for info in infos), infos
t = lagbfs.bfs(lagbfs.Matrix.from_edges([0, 1], [1, 2]), 0)
assert t.levels.tolist() == [0, 1, 2]
for info in infos:
    if not info.runs:
        assert info.reason and "pip install" in info.install, info
        try:
            lagbfs.using(backend=info.name)
        except lagbfs.LagbfsError as error:
            assert isinstance(error, ImportError) and info.install in str(error), error
        else:
            raise AssertionError(info)
"""


def test_without_the_libraries_behind_the_engines_searches_still_run():
    env = {name: value for name, value in os.environ.items() if name != "LAGBFS_BACKEND"}
    done = subprocess.run([sys.executable, "-P", "-c", WITHOUT_LIBRARIES], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_selector_that_changes_its_mind_is_asked_once_a_level():
    asked = []

    class Fickle:
        def choose(self, features, arms):
            asked.append(features.level)
            return arms[len(asked) % len(arms)]

    A = Matrix.from_edges(range(20), range(1, 21))
    bfs(A, 0, selector=Fickle()).verify()
    assert asked == list(range(21))


def test_the_environment_variable_is_named_when_it_is_wrong(monkeypatch):
    monkeypatch.setenv("LAGBFS_BACKEND", "nonsense")
    with pytest.raises(ValueError, match=r"LAGBFS_BACKEND.*'nonsense'"):
        bfs(Matrix.from_edges([0], [1]), 0)


def arm_of(vector, rows):
    """Return the arm that a product by itself takes."""
    return choose_arm(vector.form, rows, None, semiring.min_plus)


def test_a_product_of_few_entries_is_pushed_without_asking_the_model(monkeypatch):
    rows, q = A.rows, Vector.from_coo([3], [1], size=100)
    monkeypatch.setattr(models, "current", lambda entries: pytest.fail("the model was asked"))
    assert arm_of(q, rows).direction == "push"
    full = Vector.from_scalar(1, 300)
    with pytest.raises(pytest.fail.Exception, match="asked"):
        arm_of(full, Matrix.from_edges(range(299), range(1, 300)).rows)


def test_a_product_of_few_entries_goes_where_it_is_told_to():
    rows, q = A.rows, Vector.from_coo([3], [1], size=100)
    with using(direction="pull"):
        assert arm_of(q, rows).direction == "pull"
    asked = []

    class Last:
        def choose(self, features, arms):
            asked.append((features.frontier_size, features.frontier_edges))
            return arms[-1]

    with using(selector=Last(), backend=RUNNING[0]):
        assert arm_of(q, rows) == backends.get(RUNNING[0]).arms[-1]
    assert asked == [(1, 1)]
