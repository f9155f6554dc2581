"""A process that is forked after searches can search too."""

import os
import signal
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

SCRIPT = """
import multiprocessing, sys, warnings
import numpy as np
import lagbfs

warnings.filterwarnings("ignore", ".*fork.*", DeprecationWarning)
backend, threads = sys.argv[1], eval(sys.argv[2])
A = lagbfs.graphs.kronecker(14)
v = lagbfs.Vector.from_dense(np.arange(A.nrows))

def search(source):
    t = lagbfs.bfs(A, source, backend=backend, threads=threads)
    t.verify()
    fresh = lagbfs.graphs.uniform(12)  # whose arrays are not in the engine yet
    with lagbfs.using(backend=backend):
        total = v.vxm(A, "plus_first").new().to_dense(0).sum()
    return t.reached, lagbfs.bfs(fresh, 0, backend=backend, threads=threads).reached, int(total)

def nested(source):
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.map(search, [source])[0]

found = search(1)
with multiprocessing.get_context("fork").Pool(2) as pool:
    assert pool.map(search, [1] * 4) == [found] * 4
process = multiprocessing.get_context("fork").Process(target=nested, args=(1,))
process.start()
process.join()
assert process.exitcode == 0
assert search(1) == found  # and here as before
{check}
"""


def run(*arguments, before="", check=""):
    """Run the script and return what it printed; if it hangs, end it with all that it has forked."""
    command = [sys.executable, "-P", "-c", before + SCRIPT.replace("{check}", check), *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    try:
        out, error = process.communicate(timeout=600)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        pytest.fail("a forked process hangs")
    assert (process.returncode, error) == (0, b"")
    return out.decode().split()


@pytest.mark.parametrize("threads", ["None", "2"])
def test_a_forked_process_searches(backend, threads):
    if backend == "cupyx":
        pytest.skip("needs an engine of the host: no device outlives a fork")
    run(backend, threads)


def test_only_forked_processes_are_held_to_one_thread():
    pytest.importorskip("graphblas")
    check = """
import graphblas
def threads_of_all():
    return graphblas.ss.config["nthreads"]
def after_a_search(_):
    search(1)
    return threads_of_all()
print(threads_of_all() == before)
with multiprocessing.get_context("fork").Pool(1) as pool:
    print(pool.map(after_a_search, [0])[0])
"""
    before = 'import graphblas\ngraphblas.init("suitesparse")\nbefore = graphblas.ss.config["nthreads"]\n'
    assert run("suitesparse", "None", before=before, check=check) == ["True", "1"]
