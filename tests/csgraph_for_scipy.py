"""A plugin of pytest: SciPy's own tests of `scipy.sparse.csgraph` find `lagbfs.csgraph` under that name."""

import importlib
import pkgutil
import sys

import scipy.sparse
import scipy.sparse.csgraph

from lagbfs import csgraph
from lagbfs.csgraph import given

given.SMALL = 0  # graphs of tests are, and would be left to SciPy, as would be the first search of each
given.meet = lambda *_, **__: False

for module in pkgutil.iter_modules(scipy.sparse.csgraph.__path__):  # which its tests look into, too
    if module.name != "tests":
        importlib.import_module(f"scipy.sparse.csgraph.{module.name}")
sys.modules["scipy.sparse.csgraph"] = csgraph
scipy.sparse.csgraph = csgraph
