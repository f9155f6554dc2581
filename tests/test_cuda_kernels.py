"""The CUDA kernels run on the CPU (tests/cuda/): right results, no faults, no races; and seeded bugs are caught."""

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

import checks
import emulator
import pytest
from bugs import BUGS
from machine import Machine

pytestmark = [pytest.mark.slow, pytest.mark.skipif(emulator.NEEDS != "", reason=emulator.NEEDS)]
PROGRAM = Path(checks.__file__)
RUNTIMES = {"address": "libasan.so", "thread": "libtsan.so"}
WATCHED = {"block": 64, "order": "random", "dtypes": ["i1", "f8"]}  # small blocks: more of them, in less time


@pytest.mark.parametrize("order", emulator.ORDERS)
@pytest.mark.parametrize("index", ["int32", "int64"])
def test_kernels(index, order):
    checks.run(Machine(index=index, order=order))


@pytest.mark.parametrize("dtype", ["i2", "i4", "u1", "u2", "u4", "u8", "f4"])
def test_products_over_the_other_dtypes(dtype):
    checks.run(Machine(dtypes=[dtype], order="random"), ["products"])


@functools.cache
def runtime(sanitizer):
    """Return the library that a program not built with the sanitizer has to load first."""
    asked = ["g++", f"-print-file-name={RUNTIMES[sanitizer]}"]
    path = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    if not Path(path).is_absolute():
        pytest.skip(f"needs {RUNTIMES[sanitizer]}, which comes with g++")
    return path


def run_watched(options):
    """Run the checks in a process of their own, watched by a sanitizer if the options name one."""
    tests = os.pathsep.join(filter(None, [str(PROGRAM.parent.parent), os.environ.get("PYTHONPATH", "")]))
    told = {
        "PYTHONPATH": tests,
        "ASAN_OPTIONS": "detect_leaks=0",
        "TSAN_OPTIONS": "halt_on_error=1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    preload = {"LD_PRELOAD": runtime(options["sanitizer"])} if options.get("sanitizer") else {}
    command = [sys.executable, str(PROGRAM), json.dumps(WATCHED | options)]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | told | preload, timeout=1800)


@pytest.mark.parametrize("sanitizer", RUNTIMES)
def test_kernels_under_sanitizers(sanitizer):
    run = run_watched({"sanitizer": sanitizer})
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("name", BUGS)
def test_seeded_bugs_are_caught(name):
    bug = BUGS[name]
    assert any(bug.old in emulator.source(module) for module in emulator.MODULES), "the text to be changed is gone"
    run = run_watched({"sanitizer": bug.sanitizer, "bug": [bug.old, bug.new], "checks": [bug.checks]})
    reasons = {"": ["AssertionError", "KernelFault"], "address": ["AddressSanitizer:"], "thread": ["ThreadSanitizer:"]}
    crashed = run.returncode < 0 and not bug.sanitizer  # by a wild address: a wrong offset may point to no memory
    assert crashed or any(reason in run.stderr for reason in reasons[bug.sanitizer]), (run.returncode, run.stderr)
