"""Files are written whole or not at all, by however many at once, and keep their permissions."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

import lagbfs
from lagbfs import graphs
from lagbfs.base.atomic import atomic_write, descriptor

WRITERS = 4


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def umask():
    before = os.umask(0o027)
    yield 0o027
    os.umask(before)


def test_writers_of_one_file_do_not_disturb_each_other(tmp_path):
    path, together = tmp_path / "a", Barrier(WRITERS)

    def job(number):
        with atomic_write(path) as file:
            together.wait(10)
            file.write(b"%d" % number * 1000)
            together.wait(10)
        return path.read_bytes()

    for _ in range(20):
        with ThreadPoolExecutor(WRITERS) as pool:
            found = list(pool.map(job, range(WRITERS)))
        assert {*found} <= {b"%d" % number * 1000 for number in range(WRITERS)}
    assert os.listdir(tmp_path) == ["a"]


def test_a_failing_writer_takes_nothing_from_another(tmp_path):
    with atomic_write(tmp_path / "a") as file:
        with pytest.raises(OSError, match="made up"), atomic_write(tmp_path / "a"):
            raise OSError("made up")
        file.write(b"all of it")
    assert (tmp_path / "a").read_bytes() == b"all of it"


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")
@pytest.mark.parametrize("mode", [0o600, 0o444, 0o640, 0o666])
def test_a_rewritten_file_keeps_its_mode(tmp_path, umask, mode):
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    path.chmod(mode)
    with atomic_write(path) as file:
        (partial,) = set(tmp_path.iterdir()) - {path}
        assert mode_of(partial) == mode
        file.write(b"new")
    assert (mode_of(path), path.read_bytes()) == (mode, b"new")


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")
def test_a_new_file_has_the_mode_of_the_umask(tmp_path, umask):
    lagbfs.write(tmp_path / "a.txt", graphs.path(3))
    assert mode_of(tmp_path / "a.txt") == 0o666 & ~umask


def test_names_may_be_as_long_as_names_may_be(tmp_path):
    path = tmp_path / ("a" * 251 + ".txt")
    lagbfs.write(path, graphs.path(3))
    assert lagbfs.read(path).nrows == 3


def test_descriptors_are_told_from_files(tmp_path):
    link = tmp_path / "link"
    link.symlink_to("/dev/stdout")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert (descriptor(link), descriptor("/dev/fd/12"), descriptor("/proc/self/fd/3")) == (1, 12, 3)
    assert descriptor(loop) is descriptor(tmp_path) is descriptor("stdout") is None


@pytest.mark.parametrize("flags", [os.O_WRONLY, os.O_WRONLY | os.O_APPEND], ids=["from where it stands", "append"])
@pytest.mark.parametrize("name", ["edges", "npz"])
def test_what_is_open_is_written_to_from_where_it_stands(tmp_path, name, flags):
    path, A = tmp_path / "a", graphs.path(5)
    path.write_bytes(b"# kept\n")
    number = os.open(path, flags)
    os.lseek(number, 0, os.SEEK_END)
    lagbfs.write(f"/dev/fd/{number}", A, format=name)
    os.write(number, b"# after\n")
    os.close(number)
    text = path.read_bytes()
    assert text.startswith(b"# kept\n")
    assert text.endswith(b"# after\n")
    path.write_bytes(text[len(b"# kept\n") : -len(b"# after\n")])
    np.testing.assert_array_equal(lagbfs.read(path, format=name).csr.indices, A.csr.indices)
