"""From a pandas frame with a row for each edge, and back to a frame with a row for each vertex.

Needs pandas (pip install pandas).
"""

import pandas as pd

import lagbfs

edges = pd.DataFrame({"from": ["Ann", "Ann", "Bob", "Cem"], "to": ["Bob", "Cem", "Dia", "Dia"]})

# Names become indices; both columns share one numbering.
codes, names = pd.factorize(pd.concat([edges["from"], edges["to"]]))
src, dst = codes[: len(edges)], codes[len(edges) :]
A = lagbfs.Matrix.from_edges(src, dst, labels=list(names))

t = lagbfs.bfs(A, "Ann", deterministic=True)
print(pd.DataFrame({"person": names, "steps": t.levels, "through": names[t.parents]}))
