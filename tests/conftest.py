"""Fixtures over every engine and direction, Hypothesis profiles, the seed in the header.

`HYPOTHESIS_PROFILE=ci` draws more examples from a new seed each run; the default profile starts from a fixed one, and
so does `quick`, of fewer examples, which ``-m "not slow"`` takes. `--hypothesis-seed=N` replays a run.

Where there is no GPU, the engine cupyx runs over the double of CuPy in cupy_double/, with `LAGBFS_CUPY=simulated` over
CuPy itself and the simulated devices of cupy_real/. `LAGBFS_BACKEND=cupyx` makes it the engine of all tests that name
none.

`LAGBFS_EXPECT=native,suitesparse` says which engines have to run: without one of them nothing is tested, where its
tests would be skipped.
"""

import os
import random

import gpu
import pytest
from hypothesis import HealthCheck, settings

from lagbfs import backends, cli, host
from lagbfs.backends import BackendInfo
from lagbfs.backends.protocol import DIRECTIONS
from lagbfs.selector import learned

gpu.stand_in()
collect_ignore = [] if gpu.SIMULATED else ["cupy_real"]

DEFAULT_SEED = 1
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile("default", max_examples=60, deadline=None, print_blob=True, suppress_health_check=SLOW)
settings.register_profile("quick", settings.get_profile("default"), max_examples=10)
settings.register_profile("ci", settings.get_profile("default"), max_examples=300)

# What levels took would make choices differ from run to run: graphs are learnt from in test_learning.py, and in the
# processes that tests start.
learned.LEAST_EDGES = 1 << 62


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    profile = os.environ.get("HYPOTHESIS_PROFILE", "quick" if config.option.markexpr == "not slow" else "default")
    settings.load_profile(profile)
    if config.getoption("hypothesis_seed", None) is None:
        fixed = profile in ("default", "quick")
        config.option.hypothesis_seed = str(DEFAULT_SEED if fixed else random.SystemRandom().randrange(2**32))
    expect_engines(os.environ.get("LAGBFS_EXPECT", ""))


def expect_engines(names):
    """Raise an error unless all of these engines, separated by commas, run here."""
    reasons = {info.name: "" if info.runs else info.reason for info in backends.available()}
    for name in filter(None, names.split(",")):
        if reason := reasons.get(name, "there is no such engine"):
            raise pytest.UsageError(f"LAGBFS_EXPECT: {name} cannot run here: {reason}")


def pytest_report_header(config):
    runs = [f"{info.name} {info.version}" for info in backends.available() if info.runs]
    return [f"hypothesis seed: {config.getoption('hypothesis_seed')}", f"engines: {', '.join(runs)}"]


def pytest_terminal_summary(terminalreporter):
    if gpu.SIMULATED:
        from cupy_real import tally

        terminalreporter.write_line(tally.told())


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.get_closest_marker("long") is None)  # else one process waits for it at the end
    if gpu.DEVICE:
        return
    for item in items:
        if item.get_closest_marker("gpu"):
            item.add_marker(pytest.mark.skip(reason="needs a CUDA device and CuPy: pip install 'lagbfs[cuda13]'"))
        parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
        if "cupyx" in [getattr(value, "name", value) for value in parameters if isinstance(value, str | BackendInfo)]:
            item.add_marker(pytest.mark.slow)  # the double runs each CUDA thread as a fiber


@pytest.fixture(scope="session", params=backends.available(), ids=lambda info: info.name)
def backend(request):
    """The name of an engine; one that cannot run here skips the test and says why."""
    info = request.param
    if not info.runs:
        pytest.skip(f"{info.name} cannot run here: {info.reason}. Try: {info.install}")
    return info.name


@pytest.fixture
def run(capsys, monkeypatch):
    """Run the command, with room for wide tables; return its exit code, what it printed and what it complained of."""
    monkeypatch.delenv("COLUMNS", raising=False)

    def call(*arguments):
        code = cli.main([str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    return call


@pytest.fixture(scope="session", params=DIRECTIONS)
def direction(request):
    return request.param


@pytest.fixture(scope="session")
def arms(backend, direction):
    """Every arm that the engine has in this direction."""
    return [arm for arm in backends.get(backend).arms if arm.direction == direction]


@pytest.fixture
def device():
    """The device of the double of CuPy, or a simulated one, which fails when told to; as good as new afterwards."""
    device = gpu.stand_in_device()
    if device is None:
        pytest.skip("needs a device that fails when told to: the double of CuPy, which takes g++ and no GPU")
    if gpu.SIMULATED:
        device.reset()
        yield device
        device.reset()
        return
    before = dict(vars(device))
    device.calls.clear()
    yield device
    for name in ("total", "driver", "count", "order"):
        setattr(device, name, before[name])
    device.recover()


@pytest.fixture(scope="module", params=["engine", "numpy"])
def looks_at_edges(request):
    """What looks at edges: the kernel of an engine, or NumPy where there is none."""
    if request.param == "engine" and host.routines() is host.PLAIN:
        pytest.skip("no engine that looks at edges can run here: install a C++17 compiler and lagbfs again")
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "numpy":
            patch.setattr(host, "routines", lambda: host.PLAIN)
        yield request.param
