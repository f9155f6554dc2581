"""Programs on ranks: the launcher that goes with mpi4py here."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

RANKS = Path(__file__).parent / "ranks"


def launcher():
    """Return the mpiexec to use; without one, or mpi4py, the test is skipped."""
    beside = Path(sys.executable).parent / "mpiexec"
    found = str(beside) if beside.exists() else shutil.which("mpiexec")
    if found is None or importlib.util.find_spec("mpi4py") is None:
        pytest.skip("needs mpi4py and an MPI: pip install 'lagbfs[mpi-local]'")
    return found


def mpiexec(count, *command, timeout=120, **environment):
    """Run Python with these arguments on so many ranks; return its end, with what it printed and complained of."""
    # More ranks than cores: who waits gives way to the others.
    settings = {"MPIR_CVAR_POLLS_BEFORE_YIELD": "1", "OMP_NUM_THREADS": "1", "LAGBFS_DEADLINE": "60", **environment}
    return subprocess.run(
        [launcher(), "-n", str(count), sys.executable, *map(str, command)],
        env={**os.environ, **settings},
        cwd=RANKS,  # not the checkout, whose lagbfs is not complete
        capture_output=True,
        text=True,
        timeout=timeout,
    )
