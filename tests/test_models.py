"""Which model is in force: named, tuned for this machine, shipped, or shipped and adapted to it."""

import json
import math
from types import SimpleNamespace

import policies as ps
import pytest
from hypothesis import given

from lagbfs import bfs, graphs
from lagbfs.backends.protocol import Arm, Features
from lagbfs.backends.protocol.quantities import QUANTITIES
from lagbfs.base import machine
from lagbfs.base.machine import Machine
from lagbfs.errors import FileFormatError, InvalidValueError
from lagbfs.selector import Learned, models, registry

SMALL, LARGE = 1000, 2**40
CACHED = (models._named, models.in_use, models._tuned, models.adapted)


@pytest.fixture(autouse=True)
def afresh(monkeypatch, tmp_path):
    """No model but the shipped one, as in a process that has just begun."""
    monkeypatch.delenv("LAGBFS_MODEL", raising=False)
    monkeypatch.setattr(models, "tuned_path", lambda: tmp_path / "tuned.json")
    for function in CACHED:
        function.cache_clear()
    yield
    for function in CACHED:
        function.cache_clear()


@pytest.fixture
def tuned(tmp_path):
    """A model that can be told from the others, where a tuned one is looked for."""
    model = Learned({ps.NATIVE[0]: (1.0,) * len(QUANTITIES)}, ahead=2)
    models.dump(model, tmp_path / "tuned.json")
    return model


def same(one, other):
    return (one.arms, one.moves, one.cache, one.ahead) == (other.arms, other.moves, other.cache, other.ahead)


@given(ps.learned(ps.EVERY))
def test_models_come_back_as_they_were(tmp_path_factory, model):
    path = tmp_path_factory.mktemp("models") / "model.json"
    models.dump(model, path)
    assert same(models.load(path), model)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("arms", {"native sideways": [0.0] * len(QUANTITIES)}),
        ("arms", {"native push:queue": [0.0] * (len(QUANTITIES) - 1)}),
        ("arms", {"native push:queue": [-1e-9] * len(QUANTITIES)}),
        ("arms", {"native push:queue": [1e13] * len(QUANTITIES)}),
        ("arms", {"native push:queue": [True] * len(QUANTITIES)}),
        ("arms", [[0.0] * len(QUANTITIES)]),
        ("arms", {f"engine{i} push": [0.0] * len(QUANTITIES) for i in range(1001)}),
        ("moves", {"native": [0.0] * len(QUANTITIES)}),
        ("moves", {"native > native": [1.0] * len(QUANTITIES)}),
        ("moves", {"native > ": [0.0] * len(QUANTITIES)}),
        ("moves", {"a > b > c": [0.0] * len(QUANTITIES)}),
        ("cache", 0),
        ("cache", 2**51),
        ("ahead", 65),
        ("ahead", 1.0),
        ("quantities", list(QUANTITIES)[::-1]),
    ],
)
def test_what_no_model_can_hold_is_refused(tmp_path, key, value):
    models.dump(models.shipped(), tmp_path / "model.json")
    content = json.loads((tmp_path / "model.json").read_text())
    (tmp_path / "model.json").write_text(json.dumps({**content, key: value}))
    with pytest.raises(FileFormatError, match=r"model\.json"):
        models.load(tmp_path / "model.json")


def test_small_matrices_take_the_shipped_model_and_large_ones_a_probe(monkeypatch):
    monkeypatch.setattr(machine, "here", lambda: pytest.fail("measured for a small matrix"))
    assert same(models.current(SMALL), models.shipped())
    assert models.current(SMALL).adapt
    assert registry.DEFAULT.on(graphs.grid(3, 3)) is models.current(SMALL)
    bfs(graphs.grid(3, 3), 0).verify()
    monkeypatch.setattr(machine, "here", lambda: Machine(**models.shipped().provenance["machine"]))
    large = registry.DEFAULT.frozen().on(SimpleNamespace(nvals=LARGE))
    assert large is models.adapted() is models.current(LARGE)
    assert large is not models.shipped()


def test_on_the_machine_of_the_training_nothing_is_adapted(monkeypatch):
    monkeypatch.setattr(machine, "here", lambda: Machine(**models.shipped().provenance["machine"]))
    assert same(models.adapted(), models.shipped())


def test_adapted_prices_follow_memory(monkeypatch):
    then = Machine(**models.shipped().provenance["machine"])
    now = then._replace(reads=then.reads / 2, bandwidth=then.bandwidth * 4, cache=then.cache / 8)
    monkeypatch.setattr(machine, "here", lambda: now)
    adapted, shipped = models.adapted(), models.shipped()
    assert adapted.cache == pytest.approx(shipped.cache / 8)
    assert adapted.moves == shipped.moves
    for arm, row in shipped.arms.items():
        if arm.backend == "cupyx":
            assert adapted.arms[arm] == row, "a device has a memory of its own"
            continue
        for name, old, new in zip(QUANTITIES, row, adapted.arms[arm], strict=True):
            factor = 2 if name.startswith("far_") else 0.25 if name in ("words", "sweep", "edges") else 1
            assert new == pytest.approx(old * factor)


def test_the_probe_of_this_machine():
    found = machine.here()
    assert found is machine.here()
    assert found.threads >= 1
    assert 2**10 <= found.near_cache <= found.cache
    assert all(0 < figure < math.inf for figure in found)
    assert models.adapted().arms.keys() == models.shipped().arms.keys()


def test_a_tuned_model_is_used(tuned):
    for entries in (SMALL, LARGE):
        assert same(models.current(entries), tuned)
    assert same(registry.lookup("selector", "learned").on(graphs.grid(2, 2)), tuned)
    assert registry.lookup("selector", "shipped") is models.shipped()


def test_the_variable_ignores_the_tuned_model(tuned, monkeypatch):
    monkeypatch.setenv("LAGBFS_MODEL", "shipped")
    assert models.current(SMALL) is models.current(LARGE) is models.shipped()


def test_the_variable_names_a_model(tuned, monkeypatch, tmp_path):
    model = Learned({ps.REFERENCE[1]: (2.0,) * len(QUANTITIES)})
    models.dump(model, tmp_path / "mine.json")
    monkeypatch.setenv("LAGBFS_MODEL", str(tmp_path / "mine.json"))
    assert same(models.current(SMALL), model)
    assert {step.arm for step in bfs(graphs.grid(3, 3), 0, backend="reference").trace} == {ps.REFERENCE[1]}
    monkeypatch.setenv("LAGBFS_MODEL", "")
    assert same(models.current(SMALL), tuned)


@pytest.mark.parametrize("value", ["nonsense", "."])
def test_a_variable_that_names_no_file_is_told(monkeypatch, value):
    monkeypatch.setenv("LAGBFS_MODEL", value)
    with pytest.raises(InvalidValueError, match=f"LAGBFS_MODEL.*'{value}'"):
        bfs(graphs.grid(3, 3), 0)


def test_a_variable_that_names_a_damaged_file_is_told(monkeypatch, tmp_path):
    (tmp_path / "mine.json").write_text("{}")
    monkeypatch.setenv("LAGBFS_MODEL", str(tmp_path / "mine.json"))
    with pytest.raises(FileFormatError, match=r"mine\.json"):
        bfs(graphs.grid(3, 3), 0)


@pytest.mark.parametrize("text", [b"", b"{}", b"\xff", b'{"format": "lagbfs decision tree"}'])
def test_a_damaged_tuned_model_is_warned_of_and_not_used(tmp_path, text):
    (tmp_path / "tuned.json").write_bytes(text)
    with pytest.warns(UserWarning, match=r"tuned\.json.*lagbfs tune") as caught:
        bfs(graphs.grid(3, 3), 0).verify()
    assert len(caught) == 1
    assert same(models.current(SMALL), models.shipped())  # warnings are errors here: told once
    with pytest.raises(FileFormatError):
        models.tuned()


def test_a_tuned_model_that_cannot_be_read_is_warned_of(tmp_path):
    (tmp_path / "tuned.json").mkdir()
    with pytest.warns(UserWarning, match="tuned model is not used"):
        assert same(models.current(SMALL), models.shipped())


def test_a_new_tuned_model_replaces_the_old(tuned, tmp_path):
    import os

    assert same(models.tuned(), tuned)
    models.dump(models.shipped(), tmp_path / "tuned.json")
    os.utime(tmp_path / "tuned.json", ns=(1, 1))
    assert same(models.tuned(), models.shipped())


def test_devices_are_known_by_estimates_until_they_are_measured():
    from lagbfs.backends.cupyx import levels

    device = [Arm("cupyx", *name) for name in levels.NAMES]
    model = models.shipped()
    assert set(device) <= set(model.arms)
    arms = [arm for arm in model.arms if arm.backend == "native"] + device
    small = Features(n=1000, m=8000, frontier_size=200, frontier_edges=1600, unvisited_size=700, unvisited_edges=5600)
    assert model.choose(small, arms).backend == "native"
    n, m = 2**24, 2**29
    large = Features(
        n=n,
        m=m,
        frontier_size=n // 16,
        frontier_edges=m // 4,
        unvisited_size=n // 2,
        unvisited_edges=m // 2,
        arm=arms[0],
    )
    assert model.choose(large, arms).backend == "cupyx"
