"""What holds of small matrices holds of them where every one lists the rows that have entries."""

import pytest
from test_matrix_algebra import *  # noqa: F403
from test_matrix_products import *  # noqa: F403
from test_matrix_regions import *  # noqa: F403

from lagbfs.storage import compressed


@pytest.fixture(autouse=True, scope="module")
def hypersparse():
    """Let every matrix be hypersparse, however small and full it is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compressed, "HYPER_FROM", -1)
        patch.setattr(compressed, "HYPER_SHARE", 0)
        yield
