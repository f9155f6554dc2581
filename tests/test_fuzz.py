"""The fuzzers' drivers run, pass on their seeds, and tell what they find."""

import sys

import pytest
from fuzz import run

DRIVERS = {target.driver: name for name, target in reversed(run.TARGETS.items())}


@pytest.mark.slow
@pytest.mark.parametrize("driver", DRIVERS)
def test_seeds_pass(driver, tmp_path):
    name = DRIVERS[driver]
    target = run.TARGETS[name]
    if lacking := target.needs():
        pytest.skip(lacking)
    seeds = sorted(target.seeds.iterdir())
    result = run.replay(name, seeds, tmp_path)
    assert not result.failed, result.output
    assert all(f"Executed {seed}" in result.output for seed in seeds)


def script(text, code):
    """A command that prints what a fuzzer would, and ends as it would."""
    return [sys.executable, "-c", f"import sys; sys.stderr.write({text!r}); sys.exit({code})"]


def test_what_a_fuzzer_tells_is_understood(tmp_path):
    text = "#2\tINITED cov: 15 ft: 16 corp: 3/4b\n#900\tNEW    cov: 20 ft: 31 corp: 5/9b lim: 4\n"
    assert run.ran(script(text, 0), tmp_path)[:4] == (900, 20, 5, False)
    ended = text + "stat::number_of_executed_units: 1024\n"
    assert run.ran(script(ended, 0), tmp_path)[:4] == (1024, 20, 5, False)
    assert not run.ran(script("==7== libFuzzer: run interrupted; exiting\n", 72), tmp_path).failed
    assert run.ran(script("==7== ERROR: libFuzzer: deadly signal\n", 77), tmp_path).failed


def test_findings_are_told_and_make_the_command_fail(tmp_path, monkeypatch, capsys):
    target = run.Target("found.py")
    monkeypatch.setattr(run, "TARGETS", {"found": target})
    monkeypatch.setattr(run.Target, "needs", lambda _: "")
    for code in (0, 77):
        monkeypatch.setattr(run.Target, "program", lambda _, code=code: script("told by the fuzzer", code))
        assert run.main(["--executions", "1", "--folder", str(tmp_path)]) == (code != 0)
        assert ("told by the fuzzer" in capsys.readouterr().out) == (code != 0)


def test_an_unknown_target_is_refused(capsys):
    with pytest.raises(SystemExit):
        run.main(["parses"])
    assert "parse, build" in capsys.readouterr().err
