"""NetworkX's own tests pass on the backend, and enough of their calls really run on it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

MODULES = [
    "algorithms.bipartite.tests.test_basic",
    "algorithms.centrality.tests.test_betweenness_centrality",
    "algorithms.centrality.tests.test_degree_centrality",
    "algorithms.centrality.tests.test_eigenvector_centrality",
    "algorithms.centrality.tests.test_katz_centrality",
    "algorithms.components",
    "algorithms.link_analysis",
    "algorithms.shortest_paths",
    "algorithms.tests.test_cluster",
    "algorithms.tests.test_core",
    "algorithms.tests.test_dag",
    "algorithms.tests.test_link_prediction",
    "algorithms.tests.test_reciprocity",
    "algorithms.traversal",
    "generators.tests.test_ego",
]
CHANGED = "not test_topological_sort6"  # a graph that changes while it is iterated over: what is converted does not


@pytest.mark.slow
def test_networkxs_own_tests_pass_on_the_backend(tmp_path):
    settings = {"NETWORKX_TEST_BACKEND": "lagbfs", "NETWORKX_FALLBACK_TO_NX": "1"}
    options = ["-q", "-p", "nx_counting", "-p", "no:cacheprovider", "-k", CHANGED, "--pyargs"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *(f"networkx.{module}" for module in MODULES)],
        env=os.environ | settings | {"PYTHONPATH": str(Path(__file__).parent)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    told = run.stdout[-4000:]
    assert run.returncode == 0, told
    assert int(re.search(r"(\d+) passed", told)[1]) > 650
    calls, functions = map(int, re.search(r"on lagbfs: (\d+) calls of (\d+) functions", run.stdout).groups())
    assert calls > 900
    assert functions > 75
