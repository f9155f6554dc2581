"""``lagbfs bench algebra``: the same operations by several libraries, compared before they are timed."""

import json

import pytest

from lagbfs.errors import InvalidValueError, LagbfsError
from lagbfs.measure import algebra

pytest.importorskip("graphblas", reason="needs python-graphblas: lagbfs[suitesparse]")


@pytest.mark.parametrize("group", algebra.GROUPS)
def test_every_operation_is_timed_by_all_that_have_it(group):
    timed = list(algebra.compare([group], rounds=1, smaller=10))
    assert timed
    for row in timed:
        names = [timing.contender for timing in row]
        assert names in (["lagbfs", "graphblas"], ["lagbfs", "graphblas", "scipy"])
        assert all(timing.group == group and timing.median > 0 for timing in row)
    assert (group in ("small", "loop", "triangles")) == all(len(row) == 2 for row in timed)


def test_what_computes_something_else_is_not_timed(monkeypatch):
    wrong = algebra.Operation("small", "wrong", (), lambda gb: 1 if hasattr(gb, "ss") else 2)
    monkeypatch.setattr(algebra, "operations", lambda *_, **__: iter([wrong]))
    with pytest.raises(LagbfsError, match="wrong: graphblas computes something else"):
        next(algebra.compare(rounds=1))


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"groups": ["smal"]}, "did you mean 'small'"),
        ({"against": ["igraph"]}, "contender must"),
        ({"rounds": 0}, "rounds"),
    ],
)
def test_bad_arguments_are_named(options, word):
    with pytest.raises(InvalidValueError, match=word):
        list(algebra.compare(**options))


def test_the_command_prints_a_table_or_json(capsys):
    from lagbfs.cli import main

    asked = ["bench", "algebra", "elementwise", "--smaller", "10", "--threads", "2"]
    assert main(asked) == 0
    out = capsys.readouterr().out
    assert "select(tril)" in out
    assert "graphblas is" in out
    assert main([*asked, "--against", "scipy", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert {row["contender"] for row in rows} == {"lagbfs", "scipy"}
    assert main([*asked, "--plot", "x.png"]) == 2
    assert "not for `bench algebra`" in capsys.readouterr().err
