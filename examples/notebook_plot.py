# %%
"""A search in a notebook: each cell ends in what the notebook shows. As a script, this runs as it is.

Needs matplotlib (pip install matplotlib).
"""

import lagbfs

A = lagbfs.graphs.kronecker(12)
A

# %% The outcome and a row for each level
t = lagbfs.bfs(A, int(A.degrees.argmax()))
t

# %% Time and frontier by level, with the arm that served it
figure = t.plot()
figure

# %% A small graph: levels as colours, the tree strong
small = lagbfs.graphs.grid(6, 6, drop=0.1)
drawing = lagbfs.plot.graph(small, lagbfs.bfs(small, 0))
drawing

# %% The figures are matplotlib's: change what you like
figure.axes[0].set_title("Kronecker graph, scale 12")
print(t.outcome)
