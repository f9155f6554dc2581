"""Writing can be interrupted at any time, in whatever format, and leaves nothing half-written."""

import os
import signal
import zipfile
import zlib

import pytest
import scipy.io
import signalled

import lagbfs
from lagbfs import graphs
from lagbfs.io import market, stream

A = graphs.uniform(12)  # megabytes in every format
FORMATS = sorted(set(lagbfs.io.formats()) - {"labels"})
COMPRESSIONS = ("", ".gz", ".bz2", ".xz", ".zst")


def written(path, format_):
    """Return the bytes that were said to be written, time after time."""
    told = []
    lagbfs.write(path, A, format=format_, progress=lambda done, total: told.append((done, total)))
    assert {total for _, total in told} == {None}
    return [done for done, _ in told]


@pytest.mark.parametrize("format_", FORMATS)
def test_progress_is_told_of_every_piece(tmp_path, format_):
    told = written(tmp_path / "a", format_)
    steps = [after - before for before, after in zip([0, *told], told, strict=False)]
    assert told[-1] == (tmp_path / "a").stat().st_size
    assert min(steps) > 0
    assert max(steps) <= stream.PIECE  # no longer can a compressor keep a signal waiting


class Packing:
    """What compresses, and how much it was given at once."""

    def __init__(self, inner, sizes):
        self.inner, self.sizes = inner, sizes
        self.flush = inner.flush

    def compress(self, data):
        self.sizes.append(len(data))
        return self.inner.compress(data)


def test_archives_are_compressed_in_pieces(tmp_path, monkeypatch):
    sizes, compressor = [], zlib.compressobj
    monkeypatch.setattr(zlib, "compressobj", lambda *options: Packing(compressor(*options), sizes))
    lagbfs.write(tmp_path / "a.npz", A)
    assert sum(sizes) > A.csr.indices.nbytes > stream.PIECE >= max(sizes)


def test_entries_are_told_to_scipy_in_pieces(tmp_path, monkeypatch):
    lagbfs.write(tmp_path / "whole.mtx", A)
    asked, mmwrite = [], scipy.io.mmwrite
    monkeypatch.setattr(
        scipy.io, "mmwrite", lambda *given, **options: asked.append(given[1].nnz) or mmwrite(*given, **options)
    )
    monkeypatch.setattr(market, "_CHUNK", 1000)
    lagbfs.write(tmp_path / "pieces.mtx", A)
    assert max(asked) == 1000
    assert len(asked) > 20
    assert (tmp_path / "pieces.mtx").read_bytes() == (tmp_path / "whole.mtx").read_bytes()


@pytest.mark.parametrize("compression", COMPRESSIONS)
@pytest.mark.parametrize("format_", FORMATS)
def test_an_interrupt_leaves_the_old_file(tmp_path, format_, compression):
    path = tmp_path / f"a{compression}"
    path.write_bytes(b"old")

    def interrupt(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lagbfs.write(path, A, format=format_, progress=interrupt)
    assert os.listdir(tmp_path) == [path.name]
    assert path.read_bytes() == b"old"


def test_endings_of_compression_may_be_in_capitals(tmp_path):
    lagbfs.write(tmp_path / "a.MTX.XZ", A)
    assert (tmp_path / "a.MTX.XZ").read_bytes().startswith(b"\xfd7zXZ")
    assert lagbfs.read(tmp_path / "a.MTX.XZ").isequal(A)


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
@pytest.mark.parametrize("name", ["a.sg.xz", "a.mtx.bz2", "a.el.gz", "a.txt.zst", "a.npz"])
def test_the_command_can_be_interrupted_while_it_writes(tmp_path, name):
    assert signalled.convert(signal.SIGINT, name, tmp_path) == (130, b"lagbfs: interrupted\n", [])


def test_an_interrupt_as_a_member_of_an_archive_is_opened(tmp_path, monkeypatch):
    handles, opens = [], zipfile.ZipFile.open

    def interrupted(*arguments, **options):
        handles.append(opens(*arguments, **options))
        raise KeyboardInterrupt

    monkeypatch.setattr(zipfile.ZipFile, "open", interrupted)
    with pytest.raises(KeyboardInterrupt):
        lagbfs.write(tmp_path / "a.npz", lagbfs.graphs.path(3))
    assert not list(tmp_path.iterdir())
