"""What a fault leaves behind: a clear exception, no files, open or half-written, and a process that works."""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("resource", reason="needs limits of processes")
if not Path("/proc/self/fd").exists():
    pytest.skip("needs /proc, to count open files", allow_module_level=True)

import failures

import lagbfs

PROGRAM = Path(failures.__file__)
SUFFIXES = [format_ + compression for format_ in failures.FORMATS for compression in failures.COMPRESSIONS]
POINTS = 6  # in a file, its first and last bytes among them


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return failures.World(tmp_path_factory.mktemp("failures"), failures.SMALL)


def points(path):
    size = path.stat().st_size
    return sorted({1, size - 1, *(1 + i * (size - 2) // POINTS for i in range(POINTS))})


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_reading_fails_at_any_byte(suffix, world):
    kind = failures.Reads()
    for k in points(world.file(suffix)):
        assert failures.inject(world, kind, lambda world: failures.read(suffix, world), k), k


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_writing_fails_at_any_byte(suffix, world):
    kind = failures.Writes()
    for k in points(world.file(suffix)):
        assert failures.inject(world, kind, lambda world: failures.write(suffix, world), k), k


def test_what_failed_to_be_read_is_told_by_the_system(world):
    for suffix in ("npz", "mtx.gz", "sg"):
        path = world.file(suffix)
        with pytest.raises(OSError, match="Input/output error"), failures.Reads().at(9, lambda: None):
            lagbfs.read(path)


@pytest.mark.parametrize("format_", lagbfs.io.formats())
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_device(format_, world):
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        lagbfs.write("/dev/full", world.W, format=format_)


@pytest.mark.parametrize("suffix", ["mtx", "npz", "sg", "txt.gz", "txt.bz2", "txt.xz", "txt.zst"])
def test_a_full_disk(suffix, world, tmp_path):
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", tmp_path], capture_output=True).returncode:
        pytest.skip("needs the right to mount a tmpfs")
    try:
        (tmp_path / "filler").write_bytes(bytes(4096))
        with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
            lagbfs.write(tmp_path / f"a.{suffix}", world.W)
        assert os.listdir(tmp_path) == ["filler"]
    finally:
        subprocess.run(["umount", tmp_path], check=True)


def run(*arguments):
    ran = subprocess.run([sys.executable, PROGRAM, *arguments], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("g++") is None or sys.platform != "linux", reason="needs g++ and glibc")
@pytest.mark.parametrize("operation", ["construct", "generate", "search", "product", "read", "write sg", "write npz"])
def test_every_allocation_fails(operation):
    told = run("--kind", "allocation", "--every", "--operation", operation)
    assert all(int(line.split()[-2]) >= 5 for line in told.splitlines())  # five arrays of a .lagbfs file


@pytest.mark.slow
def test_interrupts_at_any_time():
    assert eval(run("--kind", "interrupt", "--minutes", "0.2", "--seed", "1"))["interrupt"] > 0
