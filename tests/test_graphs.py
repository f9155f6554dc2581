"""Generators and the .sg format."""

import hashlib

import numpy as np
import pytest

from lagbfs import FileFormatError, Matrix, graphs, host


@pytest.mark.parametrize(
    "make",
    [
        lambda seed: graphs.kronecker(6, seed=seed),
        lambda seed: graphs.uniform(6, seed=seed),
        lambda seed: graphs.grid(9, 7, drop=0.2, seed=seed),
        lambda seed: graphs.barabasi_albert(60, 3, seed=seed),
    ],
)
def test_random_graphs_are_undirected_without_loops_and_follow_their_seed(make):
    A = make(1)
    assert A.is_symmetric
    assert not (A.csr.rows() == A.csr.indices).any()
    assert A.isequal(make(1))
    assert not A.isequal(make(2))


def test_kronecker_is_the_same_everywhere():
    digest = hashlib.sha256(graphs.kronecker(8).csr.indices.astype("<i8").tobytes()).hexdigest()
    assert digest == "2674097c6d9897faf518ad787b91517fb0941fb32756c81b6a9cc5e05a995282"


def test_a_graph_is_the_same_without_the_engine_that_builds_it(monkeypatch):
    built = graphs.kronecker(7)
    weighted = Matrix.from_edges([3, 1, 1], [1, 3, 2], weights=[5, 4, 2], directed=False)
    monkeypatch.setattr(host, "routines", lambda: host.PLAIN)
    assert built.isequal(graphs.kronecker(7))
    assert weighted.isequal(Matrix.from_edges([3, 1, 1], [1, 3, 2], weights=[5, 4, 2], directed=False))
    directed = Matrix.from_edges([3, 1, 1], [1, 3, 2], weights=[5, 4, 2])
    assert directed.T.to_scipy().toarray().tolist() == directed.to_scipy().toarray().T.tolist()


def test_kronecker_has_hubs_and_uniform_has_none():
    assert graphs.kronecker(10).degree_stats.max > 8 * graphs.kronecker(10).degree_stats.mean
    assert graphs.uniform(10).degree_stats.max < 3 * graphs.uniform(10).degree_stats.mean


def test_grid_edges():
    A = graphs.grid(3, 4)
    rows, cols, _ = A.to_coo()
    across, down = np.abs(rows % 4 - cols % 4), np.abs(rows // 4 - cols // 4)
    assert (across + down == 1).all()
    assert A.nvals == 2 * (3 * 3 + 2 * 4)


def test_barabasi_albert_joins_m_earlier_vertices():
    A = graphs.barabasi_albert(50, 4)
    earlier = [(A.csr.indices[A.csr.indptr[v] : A.csr.indptr[v + 1]] < v).sum() for v in range(4, 50)]
    assert set(earlier) == {4}


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: graphs.kronecker(-1), "scale"),
        (lambda: graphs.kronecker(41), "scale"),
        (lambda: graphs.uniform(3, 0), "edge_factor"),
        (lambda: graphs.grid(3, 3, drop=1.5), "drop"),
        (lambda: graphs.barabasi_albert(3, 3), "m must"),
        (lambda: graphs.kronecker(3, seed=-1), "seed"),
    ],
)
def test_bad_parameters_are_named(call, named):
    with pytest.raises(ValueError, match=named):
        call()


@pytest.mark.parametrize("directed", [True, False])
def test_sg_round_trip(tmp_path, directed):
    rng = np.random.default_rng(0)
    A = Matrix.from_edges(*rng.integers(0, 40, (2, 90)), n=45, directed=directed)
    graphs.write(tmp_path / "a.sg", A)
    assert graphs.read(tmp_path / "a.sg").isequal(A)


def test_the_in_edges_of_a_directed_graph_are_written(tmp_path):
    """GAP's programs pull along them; our reader passes over them."""
    graphs.write(tmp_path / "a.sg", Matrix.from_edges([0, 0, 1, 3], [2, 1, 2, 0], n=4))
    stored = (tmp_path / "a.sg").read_bytes()
    out_edges, in_edges = 17, 17 + 8 * 5 + 4 * 4
    assert np.frombuffer(stored, "<i8", 5, out_edges).tolist() == [0, 2, 3, 3, 4]
    assert np.frombuffer(stored, "<i4", 4, out_edges + 40).tolist() == [1, 2, 2, 0]
    assert np.frombuffer(stored, "<i8", 5, in_edges).tolist() == [0, 1, 2, 4, 4]
    assert np.frombuffer(stored, "<i4", 4, in_edges + 40).tolist() == [3, 0, 0, 1]
    assert len(stored) == in_edges + 40 + 16


@pytest.mark.parametrize(
    ("damage", "match"),
    [
        (lambda b: b[:5], "cut short: 12 more bytes"),
        (lambda b: b[:-4], "cut short: 4 more bytes"),
        (lambda b: b"\x07" + b[1:], "no file of 9 vertices and 24 edges"),
        (lambda b: b + b"x", "longer than it says"),
    ],
    ids=["a header cut short", "rows cut short", "neither directed nor undirected", "bytes too many"],
)
def test_damaged_sg_files_are_refused(tmp_path, damage, match):
    graphs.write(tmp_path / "a.sg", graphs.grid(3, 3))
    (tmp_path / "a.sg").write_bytes(damage((tmp_path / "a.sg").read_bytes()))
    with pytest.raises(FileFormatError, match=match):
        graphs.read(tmp_path / "a.sg")


def test_only_square_matrices_are_written(tmp_path):
    with pytest.raises(ValueError, match="square"):
        graphs.write(tmp_path / "a.sg", Matrix.from_coo([0], [1]))
