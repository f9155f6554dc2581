"""From a pandas frame with a row for each edge, and back to a frame with a row for each vertex.

Needs pandas (pip install pandas).
"""

import pandas as pd

import lagbfs

edges = pd.DataFrame({"from": ["Ann", "Ann", "Bob", "Cem"], "to": ["Bob", "Cem", "Dia", "Dia"]})

# Names become labels, in the order in which they first appear.
A = lagbfs.Matrix.from_pandas(edges, "from", "to")

print(lagbfs.bfs(A, "Ann", deterministic=True).to_pandas())
