"""The GPU engine over CuPy itself and simulated devices (cupy_real/): its tests again, each file in its own process."""

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import cupy_real
import gpu
import pytest

pytestmark = [pytest.mark.slow, pytest.mark.skipif(cupy_real.missing() != "", reason=cupy_real.missing())]

HERE = Path(__file__).parent
# How many tests of a file run, at least; the others need the double of CuPy, or a device.
FILES = {
    "test_cupyx.py": 90,
    "test_crossing.py": 35,
    "test_device_faults.py": 5,
    "test_device_graph.py": 5,
    "test_device_interop.py": 10,
    "test_device_matrices.py": 15,
    "test_device_results.py": 5,
    "test_device_vectors.py": 10,
    "test_devices.py": 10,
    "test_doctor_gpu.py": 5,
    "cupy_real/test_asynchrony.py": 30,
    "cupy_real/test_devices.py": 5,
    "cupy_real/test_faults.py": 30,
    "cupy_real/test_matrices.py": 30,
    "cupy_real/test_transfers.py": 4,
}


def environment():
    """Return the variables for a process that finds CuPy itself, not its double."""
    folders = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    found = os.pathsep.join(folder for folder in folders if folder != gpu.DOUBLE)
    return os.environ | {"PYTHONPATH": found, "LAGBFS_CUPY": "simulated", "HYPOTHESIS_PROFILE": "quick"}


@pytest.mark.parametrize("name", FILES)
def test_over_cupy_itself(name, tmp_path):
    report = tmp_path / "report.xml"
    command = [
        sys.executable,
        "-P",
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        f"--junitxml={report}",
        str(HERE / name),
    ]
    run = subprocess.run(command, capture_output=True, text=True, env=environment(), cwd=HERE.parent)
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-4000:]
    [suite] = ElementTree.parse(report).iter("testsuite")
    assert int(suite.get("tests")) - int(suite.get("skipped")) >= FILES[name], run.stdout[-4000:]
