"""Every program in examples/ runs to its end."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


def test_there_are_examples():
    assert EXAMPLES


# What a program sees where lagbfs is not installed: neither the package nor its entry points.
HIDDEN = """
import importlib.metadata, runpy, sys
sys.modules["lagbfs"] = None
importlib.metadata.entry_points = lambda **given: importlib.metadata.EntryPoints()
runpy.run_path(sys.argv[1], run_name="__main__")
"""


@pytest.mark.parametrize("name", ["networkx_backend", "scipy_csgraph"])
def test_ways_in_show_the_same_without_lagbfs(name):
    path = next(path for path in EXAMPLES if path.stem == name)
    shown = {
        subprocess.run(
            [sys.executable, *how, path],
            env=os.environ | {"NETWORKX_BACKEND_PRIORITY": priority},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for how, priority in (([], ""), ([], "lagbfs"), (["-c", HIDDEN], ""))
    }
    assert len(shown) == 1


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path, tmp_path):
    env = os.environ | {"MPLBACKEND": "Agg"}
    done = subprocess.run([sys.executable, path], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip(), "an example shows something"
