"""What ``import lagbfs`` loads, and what it does not."""

import subprocess
import sys

import pytest

HEAVY = ("sklearn", "matplotlib", "networkx", "cupy", "pandas", "scipy.sparse", "graphblas", "numba", "hypothesis")


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    """The modules that a fresh process has loaded after ``import lagbfs``."""
    code = "import sys, lagbfs; print(*sys.modules)"
    away = tmp_path_factory.mktemp("away")  # not the checkout, where backends/ is a directory
    done = subprocess.run([sys.executable, "-P", "-c", code], cwd=away, capture_output=True, text=True, check=True)
    assert not done.stderr
    return set(done.stdout.split())


@pytest.mark.parametrize("name", HEAVY)
def test_import_stays_light(loaded, name):
    assert "lagbfs" in loaded
    assert name not in loaded


def test_the_engines_are_part_of_the_package(loaded):
    assert "lagbfs.backends" in loaded
    assert "backends" not in loaded


def test_the_checkout_does_not_shadow_the_engines():
    assert "backends" not in sys.modules


def test_a_search_with_the_default_engine_needs_no_optional_package(tmp_path):
    code = (
        "import sys, lagbfs; lagbfs.bfs(lagbfs.Matrix.from_edges([0], [1]), 0).verify();"
        "print(*{'sklearn', 'matplotlib', 'networkx', 'cupy', 'backends'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_everything_public_exists():
    import lagbfs

    assert all(hasattr(lagbfs, name) for name in lagbfs.__all__)
    assert sorted(lagbfs.__all__) == list(lagbfs.__all__)
    assert lagbfs.__version__.count(".") >= 1
