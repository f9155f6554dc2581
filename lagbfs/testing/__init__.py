"""Property tests of code written in the algebra: Hypothesis strategies, and whether all engines agree.

Needs Hypothesis: ``pip install 'lagbfs[testing]'``.
"""

from ..base.optional import require

require("hypothesis", "testing")  # before anything that imports it: its absence is told with what to install

from .agreement import arms, assert_engines_agree, on_every_engine  # noqa: E402
from .edges import EdgeList, edge_lists, graphs  # noqa: E402
from .operands import DTYPES, dtypes, masks, matrices, semirings, values, vectors  # noqa: E402
from .programs import Program, programs  # noqa: E402

__all__ = [
    "DTYPES",
    "EdgeList",
    "Program",
    "arms",
    "assert_engines_agree",
    "dtypes",
    "edge_lists",
    "graphs",
    "masks",
    "matrices",
    "on_every_engine",
    "programs",
    "semirings",
    "values",
    "vectors",
]
