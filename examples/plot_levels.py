"""Pictures of a search: time and frontier by level, every arm's time, the tree of a small graph.

Saved into the directory given, or a temporary one. Needs matplotlib (pip install matplotlib).
"""

import sys
import tempfile
from pathlib import Path

import lagbfs

folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())

A = lagbfs.graphs.kronecker(12)
source = int(A.degrees.argmax())
lagbfs.bfs(A, source).plot(folder / "levels.png")

measured = lagbfs.measure.arms_by_level(A, source)
lagbfs.plot.save(lagbfs.plot.arms(measured), folder / "arms.png")

small = lagbfs.graphs.grid(8, 8, drop=0.1)
lagbfs.plot.save(lagbfs.plot.graph(small, lagbfs.bfs(small, 0)), folder / "tree.svg")

print("saved", *sorted(path.name for path in folder.iterdir()), "in", folder)
