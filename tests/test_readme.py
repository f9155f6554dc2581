"""The README's code runs, and its first example shows what it says."""

import re
from pathlib import Path

import numpy as np

README = (Path(__file__).parent.parent / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.S)


def test_every_block_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # they write files
    space = {}
    for block in BLOCKS:
        exec(block, space)
    assert len(BLOCKS) >= 3


def test_the_first_example_shows_its_output():
    space = {"array": np.array, "int32": np.int32}
    exec(BLOCKS[0], space)
    shown = re.findall(r"^(t\.\w+(?:\(\d\))?) +# (array.*|\[.*)$", BLOCKS[0], re.M)
    assert len(shown) == 3
    for expression, value in shown:
        np.testing.assert_array_equal(eval(expression, space), eval(value, space))
