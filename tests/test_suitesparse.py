"""What only the engine SuiteSparse has: imports of masks, settings of its OpenMP."""

import os

import numpy as np
import pytest

from lagbfs import Matrix, Vector, backends, using
from lagbfs.backends import suitesparse

INFO = {info.name: info for info in backends.available()}["suitesparse"]
pytestmark = pytest.mark.skipif(not INFO.runs, reason=f"suitesparse cannot run here: {INFO.reason}")


@pytest.mark.parametrize("direction", ["push", "pull"])
@pytest.mark.parametrize("complement", [True, False])
def test_a_sparse_mask_by_value_passes_over_false(direction, complement):
    n = 200
    A = Matrix.from_edges(np.arange(n), (np.arange(n) + 1) % n)
    v = Vector.from_coo([3, 50, 120], [True, False, True], size=n)
    mask = ~v.V if complement else v.V
    with using(backend="suitesparse", direction=direction):
        found = Vector.from_scalar(1, n).vxm(A, "plus_first").new(mask=mask)
    expected = set(range(n)) - {3, 120} if complement else {3, 120}
    assert set(found.to_dict()) == expected


@pytest.mark.parametrize("given", [{}, {"GOMP_SPINCOUNT": "7"}, {"OMP_WAIT_POLICY": "active"}], ids=str)
def test_openmp_waits_briefly_only_while_it_is_loaded(monkeypatch, given):
    for name in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    before = dict(os.environ)
    with suitesparse._short_waits():
        assert os.environ.get("GOMP_SPINCOUNT") == (given.get("GOMP_SPINCOUNT") if given else "100000")
    assert dict(os.environ) == before
    with pytest.raises(ImportError), suitesparse._short_waits():
        raise ImportError
    assert dict(os.environ) == before
