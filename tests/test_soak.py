"""The soak itself: it runs, and finds what is wrong."""

import subprocess
import sys

import numpy as np
import pytest
import soak


@pytest.mark.slow
def test_many_threads_for_some_seconds():
    arguments = ["--minutes", "0.1", "--threads", "16", "--seed", "1"]
    ran = subprocess.run([sys.executable, soak.__file__, *arguments], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "jobs by 16 threads" in ran.stdout


@pytest.mark.slow
@pytest.mark.parametrize("wrong", ["levels", "products"])
def test_a_wrong_result_is_found(wrong):
    running = soak.Soak(seed=1, threads=4)
    for graph in running.graphs:
        graph.levels = {s: levels + (wrong == "levels") for s, levels in graph.levels.items()}
        graph.products |= {"plus_pair": graph.v} if wrong == "products" else {}
    running.run(60)
    assert any("wrong" in failure for failure in running.failures)


def test_growth_is_told_from_warming_up():
    assert soak.grown([100, 900, *[1000] * 98]) == 0
    assert soak.grown(list(np.arange(100) * 1000)) > 40_000
