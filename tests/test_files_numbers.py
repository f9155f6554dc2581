"""What numbers and entries of text formats may be: 64 bits, Fortran's exponents, complex values, both triangles."""

import warnings

import numpy as np
import pytest
import scipy.io

import lagbfs
from lagbfs import host

MARKET = "%%MatrixMarket matrix "
LEAST, MOST = np.iinfo(np.int64).min, np.iinfo(np.int64).max


@pytest.fixture(params=["native", "plain"], autouse=True)
def routines(request, monkeypatch):
    if request.param == "plain":
        monkeypatch.setattr(host, "routines", lambda: host.PLAIN)
    elif host.routines() is host.PLAIN:
        pytest.skip("needs the native engine")


def read_text(tmp_path, text, name="a.mtx", **options):
    (tmp_path / name).write_text(text)
    return lagbfs.read(tmp_path / name, **options)


def entries(A):
    rows, cols, values = A.to_coo()
    return list(zip(rows.tolist(), cols.tolist(), values.tolist(), strict=True))


def refused(tmp_path, text, match, name="a.mtx"):
    with pytest.raises(lagbfs.FileFormatError, match=match) as caught:
        read_text(tmp_path, text, name)
    return caught.value.line


@pytest.mark.parametrize("value", [MOST, LEAST, LEAST + 1, 10**18, -(10**18), 1234567890123456789])
def test_integers_of_64_bits(tmp_path, value):
    A = read_text(tmp_path, f"{MARKET}coordinate integer general\n2 2 1\n1 2 {value}\n")
    assert entries(A) == [(0, 1, value)]
    assert A.dtype == np.int64
    assert scipy.io.mmread(tmp_path / "a.mtx").data.tolist() == [value]
    assert entries(read_text(tmp_path, f"{MARKET}array integer general\n1 1\n{value}\n")) == [(0, 0, value)]
    assert entries(read_text(tmp_path, f"0 1 {value}\n1 2 3\n", "a.txt")) == [(0, 1, value), (1, 2, 3)]
    lagbfs.write(tmp_path / "b.mtx", A)
    assert lagbfs.read(tmp_path / "b.mtx").isequal(A)


@pytest.mark.parametrize("value", [MOST + 1, LEAST - 1, 10**19, 10**25])
def test_integers_beyond_64_bits(tmp_path, value):
    integers = f"{MARKET}coordinate integer general\n2 2 1\n1 2 {value}\n"
    assert refused(tmp_path, integers, f"64 bits, not '{value}'") == 3
    assert refused(tmp_path, f"{MARKET}array integer general\n1 1\n{value}\n", f"64 bits, not '{value}'") == 3
    A = read_text(tmp_path, integers.replace("integer", "real"))
    assert entries(A) == [(0, 1, float(value))]
    assert entries(read_text(tmp_path, f"0 1 {value}\n", "a.txt")) == [(0, 1, float(value))]


@pytest.mark.parametrize(
    ("text", "value"), [("1.5D+01", 15.0), ("1d0", 1.0), ("-2.5d-3", -0.0025), ("1.D+2", 100.0), (".5D0", 0.5)]
)
def test_exponents_of_fortran(tmp_path, text, value):
    assert entries(read_text(tmp_path, f"{MARKET}coordinate real general\n2 2 1\n1 2 {text}\n")) == [(0, 1, value)]
    assert entries(read_text(tmp_path, f"{MARKET}array real general\n1 1\n{text}\n")) == [(0, 0, value)]
    assert entries(read_text(tmp_path, f"0 1 {text}\n", "a.wel")) == [(0, 1, value)]


@pytest.mark.parametrize("text", ["1.5D", "D5", "1.5DD3", "1D+", "1e5D3", "1D999"])
def test_what_is_no_exponent_of_fortran(tmp_path, text):
    assert refused(tmp_path, f"{MARKET}coordinate real general\n2 2 1\n1 2 {text}\n", "weight") == 3


def test_exponents_of_fortran_are_read_by_the_fast_parser(request):
    if "plain" in request.node.name:
        pytest.skip("of the native parser")
    src, _, weights, stopped = host.routines().parse_edges(b"0 1 1.5D+01\n1 2 7d0\n", b"", True, False, False, 0, 9)
    assert (stopped, src.tolist(), weights.tolist()) == (-1, [0, 1], [15.0, 7.0])


@pytest.mark.parametrize(
    ("head", "lines", "pattern"),
    [
        ("coordinate complex general\n2 2 1\n", "1 2 3 4\n", [(0, 1)]),
        ("coordinate complex hermitian\n2 2 1\n", "2 1 5 1\n", [(0, 1), (1, 0)]),
        ("array complex general\n1 1\n", "0 1\n", [(0, 0)]),
    ],
)
def test_complex_values_are_left_out_with_a_warning(tmp_path, head, lines, pattern):
    with pytest.warns(UserWarning, match=r"a\.mtx.*complex") as caught:
        A = read_text(tmp_path, MARKET + head + lines)
    assert [edge[:2] for edge in entries(A)] == pattern
    assert A.is_iso
    assert caught[0].filename == __file__  # it is the caller who is told


def test_other_values_are_read_without_a_warning(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_text(tmp_path, f"{MARKET}coordinate real general\n2 2 1\n1 2 3\n")


@pytest.mark.parametrize(
    ("kind", "lines", "expected"),
    [
        ("integer symmetric", "2 1 5\n1 2 5\n", [(0, 1, 5), (1, 0, 5)]),
        (
            "real symmetric",
            "2 1 .5\n3 3 1\n1 2 .5\n3 2 4\n",
            [(0, 1, 0.5), (1, 0, 0.5), (1, 2, 4), (2, 1, 4), (2, 2, 1)],
        ),
        ("pattern symmetric", "2 1\n1 2\n", [(0, 1, True), (1, 0, True)]),
        ("real skew-symmetric", "2 1 5\n1 2 -5\n", [(0, 1, -5), (1, 0, 5)]),
        ("integer symmetric", "1 2 5\n", [(0, 1, 5), (1, 0, 5)]),
    ],
)
def test_both_triangles_that_agree(tmp_path, kind, lines, expected):
    head = f"{MARKET}coordinate {kind}\n3 3 {lines.count(chr(10))}\n"
    assert entries(read_text(tmp_path, head + lines)) == expected


@pytest.mark.parametrize(
    ("kind", "lines"),
    [
        ("integer symmetric", "2 1 5\n1 2 6\n"),
        ("real symmetric", "3 3 1\n2 1 .5\n1 2 .25\n"),
        ("real skew-symmetric", "2 1 5\n1 2 5\n"),
    ],
)
def test_both_triangles_that_do_not_agree(tmp_path, kind, lines):
    text = f"{MARKET}coordinate {kind}\n3 3 {lines.count(chr(10))}\n{lines}"
    refused(tmp_path, text, r"entries \(1, 2\) and \(2, 1\)")
    assert read_text(tmp_path, text, directed=True).nvals == lines.count("\n")


def test_nodes_of_dimacs_are_read_over(tmp_path):
    A = read_text(tmp_path, "c x\np edge 3 2\nn 1 4\nn\t2 7\ne 1 2\n n 3 1\ne 2 3\n", "a.col")
    assert [edge[:2] for edge in entries(A)] == [(0, 1), (1, 0), (1, 2), (2, 1)]
    flow = "c a flow\np max 3 2\nn 1 s\nn 3 t\na 1 2 5\na 2 3 6\n"
    assert entries(read_text(tmp_path, flow, "a.gr")) == [(0, 1, 5), (1, 2, 6)]
    assert entries(read_text(tmp_path, flow, "no-ending")) == [(0, 1, 5), (1, 2, 6)]
    assert refused(tmp_path, "p edge 3 1\nnode 1\ne 1 2\n", "must start with 'e'", "a.col") == 2
