"""Random programs beside python-graphblas: a share of what `python tests/programs.py` runs, and what it tells."""

import random
from types import SimpleNamespace

import numpy as np
import pytest
from programs import ENGINES, Program, main

import lagbfs

COUNT = 120


@pytest.mark.parametrize("engine", ENGINES)
def test_programs_agree_with_python_graphblas(engine):
    with lagbfs.using(backend=engine):
        for seed in range(COUNT):
            program = Program(random.Random(f"{engine} {seed}"), length=5)
            assert not program.difference(), f"{program.shortest()}\n{program.shortest().difference()}"


def test_what_differs_is_told_with_as_few_lines_as_show_it(monkeypatch, capsys):
    def drawn(self, rng, length):
        self.operands = {name: ((2,), "int64", [(0,)], np.array([5])) for name in "vw"}
        self.operands |= {name: ((2, 2), "int64", [], np.array([], int)) for name in "AB"}
        self.lines = ["v[0] = 1", "w << binary.plus(w, 1)", "v[1] = 2"]

    monkeypatch.setattr(Program, "__init__", drawn)
    monkeypatch.setattr("sys.argv", ["programs.py", "--count", "1"])
    assert main() == 0
    monkeypatch.setattr(lagbfs, "binary", SimpleNamespace(plus=lagbfs.binary.minus))
    assert main() == 1
    told = capsys.readouterr().out
    assert "w << binary.plus(w, 1)\n" in told
    assert "v[0] = 1" not in told
    assert "lagbfs:    w = (dtype('int64'), {(0,): 4})" in told
