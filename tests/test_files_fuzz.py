"""Every reader on damaged files: an error of ours or a graph, and the same with and without the native parser.

`LAGBFS_FUZZ=N` reads N files of each format; `LAGBFS_FUZZ_SEED` starts from another seed.
"""

import os
import random

import pytest
from fuzz.outcome import outcome

import lagbfs
from lagbfs import Matrix, graphs, host
from lagbfs.io import formats

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:.* has complex values")]

COUNT = int(os.environ.get("LAGBFS_FUZZ", "400"))
SEED = int(os.environ.get("LAGBFS_FUZZ_SEED", "1"))

WEIGHTED = Matrix.from_edges([0, 1, 1, 3], [1, 0, 2, 0], n=5, weights=[5, 5, 12, 7])
SYMMETRIC = Matrix.from_edges([0, 1], [1, 2], n=4, weights=[5, 7], directed=False)
FLOATS = Matrix.from_edges([0, 1, 2], [1, 0, 0], weights=[0.1, -2.5e-3, 1e22])
LABELLED = Matrix.from_edges([0, 1], [1, 2], labels=["ann", "bob", "e e"])
SAMPLES = [graphs.grid(2, 3), WEIGHTED, SYMMETRIC, FLOATS, LABELLED, Matrix.from_edges([], [], n=2)]
OTHER_TEXTS = {
    "edges": [b"% bip\n% 2 3 2\n1 1\n2 2\n", b"# Nodes: 5 Edges: 2\n0\t1\n1\t2\n", b"a,b,1\nb,c,2\n", b"0,1,.5,9\r\n"],
    "mtx": [
        b"%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n",
        b"%%MatrixMarket matrix coordinate complex hermitian\n% c\n2 2 1\n2 1 5 1\n",
        b"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 5\n",
    ],
    "dimacs": [b"c x\np edge 3 2\ne 1 2\ne 2 3\n"],
    "metis": [b"% c\n3 2 011 2\n9 9 2 5\n9 9 1 5 3 6\n9 9 2 6\n", b"3 2\n2\n1 3\n2\n"],
}
# What files are made of, and what breaks them.
PIECES = [
    b"0",
    b"1",
    b"-1",
    b"9" * 18,
    b"9" * 30,
    b"16777217",
    b"4294967296",
    b".",
    b"e",
    b"1e999",
    b"nan",
    b" ",
    b"\t",
]
PIECES += [
    b",",
    b"\n",
    b"\r",
    b"\0",
    b"%",
    b"#",
    b"//",
    b"a ",
    b"p sp 3 2\n",
    b"n 1 s\n",
    b"D",
    b"x",
    b"\xff",
    b"\xc3\xa9",
    b"2 2 1\n",
]


@pytest.fixture(scope="module")
def seeds(tmp_path_factory):
    """Whole files of each format, to be damaged."""
    folder = tmp_path_factory.mktemp("seeds")
    found = {name: list(OTHER_TEXTS.get(name, [])) for name in formats()}
    for name in formats():
        for A in SAMPLES:
            try:
                lagbfs.write(folder / "a", A, format=name)
            except ValueError:
                continue  # not every graph fits every format
            found[name].append((folder / "a").read_bytes())
        found[name] += [compressed(folder, whole) for whole in found[name][:1]]
    return found


def compressed(folder, whole):
    import gzip

    return gzip.compress(whole, mtime=0)


def damaged(rng, whole):
    """Return a file with a few bytes, pieces, lines or its end changed."""
    data = bytearray(whole)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        at = rng.randrange(len(data) + 1)
        to = min(len(data), at + rng.choice((0, 0, 1, 1, 2, 8, 64)))
        match rng.randrange(6):
            case 0:
                data[at:to] = rng.choice(PIECES)
            case 1:
                data[at:to] = rng.randbytes(to - at)
            case 2:
                data[at : at + 1] = bytes([data[at] ^ (1 << rng.randrange(8))]) if at < len(data) else b""
            case 3:
                del data[at:to]
            case 4:
                data[at:at] = data[rng.randrange(len(data) + 1) :][:32]
            case 5:
                del data[at:]
    return bytes(data)


@pytest.mark.parametrize("name", formats())
def test_damaged_files(tmp_path, seeds, name):
    rng = random.Random(f"{SEED} {name}")
    path = tmp_path / "a"
    read = refused = 0
    for i in range(COUNT):
        content = damaged(rng, rng.choice(seeds[name]))
        path.write_bytes(content)
        given = name if i % 8 else None  # now and then the format has to be told by the content
        try:
            found = outcome(path, format=given)
            if i % 4 == 0:
                with pytest.MonkeyPatch.context() as monkeypatch:
                    monkeypatch.setattr(host, "routines", lambda: host.PLAIN)
                    assert outcome(path, format=given) == found or "nan" in str(found)
        except BaseException:
            print(f"seed {SEED}, file {i}: {content!r}")
            raise
        read, refused = read + isinstance(found, tuple), refused + isinstance(found, str)
    assert read  # the damage is not so great that nothing beyond the first check is reached
    assert refused


@pytest.mark.parametrize("name", formats())
def test_noise(tmp_path, name):
    """Files made of pieces that such files are made of, in any order."""
    rng = random.Random(f"{SEED} noise {name}")
    path = tmp_path / "a"
    for i in range(COUNT // 4):
        content = b"".join(rng.choices(PIECES, k=rng.randrange(1, 30)))
        path.write_bytes(content)
        try:
            outcome(path, format=name)
        except BaseException:
            print(f"seed {SEED}, file {i}: {content!r}")
            raise
