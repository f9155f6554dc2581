"""Counters of energy, from a made-up tree of files and a made-up driver."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from lagbfs import energy


def domain(root, folder, name, energy_uj=0, span=1000):
    """Make a domain as Linux shows it, and return the file of its counter."""
    place = root / folder
    place.mkdir(parents=True)
    (place / "name").write_text(f"{name}\n")
    (place / "max_energy_range_uj").write_text(f"{span}\n")
    (place / "energy_uj").write_text(f"{energy_uj}\n")
    return place / "energy_uj"


@pytest.fixture(autouse=True)
def no_card(monkeypatch):
    monkeypatch.setitem(sys.modules, "pynvml", None)  # importing it fails


def test_packages_are_counted_and_nothing_twice(tmp_path):
    (tmp_path / "intel-rapl").mkdir()  # the control type itself: no counter
    domain(tmp_path, "intel-rapl:0", "package-0", 5)
    domain(tmp_path, "intel-rapl:0:0", "core", 3)
    domain(tmp_path, "intel-rapl:0:1", "dram", 2)
    domain(tmp_path, "intel-rapl:1", "package-1", 6)
    domain(tmp_path, "intel-rapl:2", "psys", 90)
    domain(tmp_path, "intel-rapl-mmio:0", "package-0", 5)
    found, reason = energy.counters(tmp_path)
    assert [(counter.name, counter.read(), counter.span) for counter in sorted(found)] == [
        ("package-0", 5, 1000),
        ("package-1", 6, 1000),
    ]
    assert reason == ""


def test_energy_is_added_up_over_blocks_and_through_wraps(tmp_path):
    first, second = (domain(tmp_path, f"intel-rapl:{i}", f"package-{i}", 900) for i in range(2))
    meter = energy.Meter(energy.counters(tmp_path)[0])
    with meter:
        first.write_text("950")
        second.write_text("100")  # beyond 1000 and round again
    first.write_text("999")  # not measured
    with meter:
        first.write_text("9")
    assert meter.joules == {"package-0": pytest.approx(60e-6), "package-1": pytest.approx(200e-6)}
    assert meter.watts == pytest.approx(260e-6 / meter.seconds)
    assert meter.reason == ""


def test_no_counter_is_said():
    for root in ("/nonexistent", Path(__file__).parent):
        assert energy.counters(root) == ([], "no energy counter")
    meter = energy.Meter([])
    with meter:
        pass
    assert (meter.joules, meter.watts, meter.reason) == ({}, None, "no energy counter")


def test_counters_that_do_not_move_give_no_power(tmp_path):
    domain(tmp_path, "intel-rapl:0", "package-0", 900)
    meter = energy.Meter(energy.counters(tmp_path)[0])
    with meter:
        pass
    assert meter.watts is None
    assert meter.joules == {"package-0": 0}


def test_counters_that_may_not_be_read_are_named(tmp_path, monkeypatch):
    counter = domain(tmp_path, "intel-rapl:0", "package-0")
    read_text = Path.read_text

    def refuse(path, *arguments, **options):  # root may read files of any mode
        if path == counter:
            raise PermissionError(13, "Permission denied", str(path))
        return read_text(path, *arguments, **options)

    monkeypatch.setattr(Path, "read_text", refuse)
    found, reason = energy.counters(tmp_path)
    assert found == []
    assert reason == f"no energy counter that may be read ({counter}: permission denied)"


@pytest.mark.parametrize("damage", [lambda file: file.write_text("soon"), lambda file: file.unlink()])
def test_what_is_no_counter_is_passed_over(tmp_path, damage):
    damage(domain(tmp_path, "intel-rapl:0", "package-0"))
    domain(tmp_path, "intel-rapl:1", "package-1")
    assert [counter.name for counter in energy.counters(tmp_path)[0]] == ["package-1"]


class NVMLError(Exception):
    pass


def driver(cards=2, without_counter=(), broken=False):
    """Return a module like pynvml, and the millijoules that its cards have used, to be changed."""
    used = [1000 * (i + 1) for i in range(cards)]

    def start():
        if broken:
            raise NVMLError("driver not loaded")

    def total(card):
        if card in without_counter:
            raise NVMLError("not supported")
        return used[card]

    module = SimpleNamespace(
        NVMLError=NVMLError,
        nvmlInit=start,
        nvmlDeviceGetCount=lambda: cards,
        nvmlDeviceGetHandleByIndex=lambda i: i,
        nvmlDeviceGetTotalEnergyConsumption=total,
    )
    return module, used


def test_graphics_cards_are_counted(monkeypatch):
    module, used = driver(cards=3, without_counter=[1])
    monkeypatch.setitem(sys.modules, "pynvml", module)
    meter = energy.Meter(energy.counters("/nonexistent")[0])
    with meter:
        used[0] += 2500
    assert meter.joules == {"gpu-0": 2.5, "gpu-2": 0}


def test_a_driver_that_does_not_start_is_no_counter(monkeypatch):
    monkeypatch.setitem(sys.modules, "pynvml", driver(broken=True)[0])
    assert energy.counters("/nonexistent") == ([], "no energy counter")
