"""What only the engine SuiteSparse has: imports of masks."""

import numpy as np
import pytest

from lagbfs import Matrix, Vector, backends, using

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
