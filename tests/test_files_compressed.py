"""Compressed files: all four formats are read whole or refused, alike."""

import bz2
import gzip
import lzma

import pytest

import lagbfs
from lagbfs.io import compression

DIRECTED = lagbfs.Matrix.from_edges([0, 1, 1, 4, 3], [1, 0, 2, 0, 3], n=5)
EDGES = [(i, i * 7919 % 1000) for i in range(5000)]
TEXT = b"".join(b"%d %d\n" % edge for edge in EDGES)


def zstd(data):
    zstandard = pytest.importorskip("zstandard", reason="zst files need zstandard: pip install 'lagbfs[zstd]'")
    return zstandard.ZstdCompressor().compress(data)


COMPRESS = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": zstd}
every_compression = pytest.mark.parametrize("compress", COMPRESS.values(), ids=COMPRESS)


def refused(path, content, match):
    path.write_bytes(content)
    with pytest.raises(lagbfs.FileFormatError, match=match) as caught:
        lagbfs.read(path)
    assert str(path) in str(caught.value)


@every_compression
def test_a_file_cut_short_is_refused_wherever_it_is_cut(tmp_path, compress):
    whole = compress(TEXT)
    for size in {8, 100, len(whole) // 2, len(whole) * 3 // 4, len(whole) - 20, len(whole) - 4, len(whole) - 1}:
        refused(tmp_path / "a.txt", whole[:size], "damaged or cut short|compressed data is damaged")


@every_compression
def test_a_second_stream_cut_short_is_refused(tmp_path, compress):
    refused(tmp_path / "a.txt", compress(TEXT) + compress(TEXT)[:-3], "cut short")


@every_compression
@pytest.mark.parametrize("junk", [b"junk", b"x", b"\0" * 70_000 + b"x", b"0 1\n" * 50_000])
def test_what_follows_the_compressed_data_is_refused(tmp_path, compress, junk):
    refused(tmp_path / "a.txt", compress(TEXT) + junk, "compressed data is damaged .*none of it")


@every_compression
@pytest.mark.parametrize("padding", [b"", b"\0", b"\0" * 512, b"\0" * 200_000])
def test_several_streams_and_zeros_after_them_are_one_text(tmp_path, compress, padding):
    parts = [TEXT[: 1 << 12], TEXT[1 << 12 :], b""]
    (tmp_path / "a.txt").write_bytes(padding.join(map(compress, parts)) + padding)
    A = lagbfs.read(tmp_path / "a.txt")
    assert A.isequal(lagbfs.Matrix.from_edges(*zip(*EDGES, strict=True), n=A.nrows))


@every_compression
@pytest.mark.parametrize("chunk", [1, 7, 1 << 16])
def test_where_compressed_bytes_are_cut_does_not_matter(tmp_path, monkeypatch, compress, chunk):
    monkeypatch.setattr(compression, "CHUNK", chunk)
    path = tmp_path / "a.txt"
    path.write_bytes(compress(TEXT[:300]) + compress(TEXT[300:3000]))
    with path.open("rb") as raw:
        text = compression.decompressed(raw)
        assert b"".join(iter(lambda: text.read(11), b"")) == TEXT[:3000]


def test_frames_that_hold_no_text_are_passed_over(tmp_path):
    skippable = b"\x53\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"about"
    (tmp_path / "a.txt").write_bytes(skippable + zstd(b"0 1\n") + skippable + zstd(b"1 2\n"))
    assert lagbfs.read(tmp_path / "a.txt").nvals == 2


@pytest.mark.parametrize("ending", COMPRESS)
@pytest.mark.parametrize("name", ["a.mtx", "a.txt", "a.gr", "a.sg", "a.npz", "a.wel"])
def test_compressed_round_trip(tmp_path, name, ending):
    if ending == ".zst":
        pytest.importorskip("zstandard", reason="zst files need zstandard: pip install 'lagbfs[zstd]'")
    lagbfs.write(tmp_path / (name + ending), DIRECTED)
    assert lagbfs.read(tmp_path / (name + ending)).isequal(DIRECTED)
    (tmp_path / (name + ending)).rename(tmp_path / name)  # told by content, whatever the name
    assert lagbfs.read(tmp_path / name).isequal(DIRECTED)
