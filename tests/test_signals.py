"""Signals wait while python-graphblas runs, which an exception from their handlers would damage."""

import os
import signal
import sys
import threading

import numpy as np
import pytest

import lagbfs
from lagbfs.base import graphblas, signals

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
A = lagbfs.graphs.grid(6, 6)
v = lagbfs.Vector.from_dense(np.arange(36))


@pytest.fixture(autouse=True)
def as_usual():
    """Handlers as a program has them that sets none, and whatever was in force again afterwards."""
    before = {number: signal.getsignal(number) for number in signals._NUMBERS}
    for number in before:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("times", [1, 3])
def test_a_signal_waits_for_the_end(times):
    reached = []
    with pytest.raises(KeyboardInterrupt), signals.waiting():  # noqa: PT012
        for _ in range(times):
            signal.raise_signal(signal.SIGINT)
        reached.append("the end")
    assert reached == ["the end"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_one_within_another_waits_for_the_outer_end():
    reached = []
    with pytest.raises(KeyboardInterrupt), signals.waiting():  # noqa: PT012
        with signals.waiting():
            signal.raise_signal(signal.SIGINT)
        reached.append("between")
    assert reached == ["between"]


def test_any_handler_is_called_and_in_force_again():
    seen = []
    handlers = {signal.SIGTERM: lambda *_: seen.append("term"), signal.SIGALRM: lambda *_: seen.append("alarm")}
    for number, handler in handlers.items():
        signal.signal(number, handler)
    with signals.waiting():
        for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGALRM):
            signal.raise_signal(number)
        assert seen == []
    assert sorted(seen) == ["alarm", "term"]
    assert {number: signal.getsignal(number) for number in handlers} == handlers


def test_handlers_are_all_given_back_though_one_raises():
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with pytest.raises(KeyboardInterrupt), signals.waiting():  # noqa: PT012
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGTERM) is signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_what_failed_is_told_beside_the_signal():
    with pytest.raises(KeyboardInterrupt) as caught, signals.waiting():  # noqa: PT012
        signal.raise_signal(signal.SIGINT)
        raise ValueError
    assert isinstance(caught.value.__context__, ValueError)


def test_signals_that_nobody_handles_stay_as_they_are():
    with signals.waiting():
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_other_threads_leave_signals_alone():
    seen = []

    def look():
        with signals.waiting():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]


def search():
    return lagbfs.bfs(A, 0, backend="suitesparse").verify()


def multiply():
    with lagbfs.using(backend="suitesparse"):
        return v.vxm(A, "plus_times").new(mask=~v.V), A.mxm(A, "plus_pair").new(mask=A.S)


def convert():
    return lagbfs.Matrix.from_graphblas(A.to_graphblas())


@pytest.mark.parametrize("job", [search, multiply, convert])
def test_signals_wait_at_every_call_of_python_graphblas(job):
    """Whatever function of python-graphblas is entered, the handler in force is the one that waits."""
    library = graphblas.start()
    job()  # what is done once is done
    folder, entered, alone = os.path.dirname(library.__file__), set(), set()

    def watch(frame, event, _):
        name = frame.f_code.co_name
        if event == "call" and frame.f_code.co_filename.startswith(folder) and name != "__del__":
            entered.add(name)
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler and not within_del(frame):
                alone.add(f"{name} ({frame.f_code.co_filename}:{frame.f_lineno})")

    def within_del(frame):
        while frame is not None and frame.f_code.co_name != "__del__":
            frame = frame.f_back
        return frame is not None

    sys.setprofile(watch)
    try:
        job()
    finally:
        sys.setprofile(None)
    assert len(entered) > 5
    assert alone == set()
