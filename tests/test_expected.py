"""Engines that are expected to run: a run without one of them fails, where its tests would be skipped."""

import pytest
from conftest import expect_engines

from lagbfs import backends
from lagbfs.backends import BackendInfo


def test_engines_that_run_are_as_expected():
    expect_engines("")
    expect_engines("reference")
    expect_engines(",".join(info.name for info in backends.available() if info.runs))


def test_one_that_does_not_run_fails_the_run(monkeypatch):
    broken = BackendInfo("native", "", False, "no compiler was found", "…")
    monkeypatch.setattr(backends, "available", lambda: [broken])
    with pytest.raises(pytest.UsageError, match="native cannot run here: no compiler was found"):
        expect_engines("native")
    with pytest.raises(pytest.UsageError, match="nonsense cannot run here: there is no such engine"):
        expect_engines("nonsense,native")
