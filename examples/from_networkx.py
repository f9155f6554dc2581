"""From a NetworkX graph: its nodes are the labels, in and out. Needs networkx (pip install networkx)."""

import networkx as nx

import lagbfs

G = nx.les_miserables_graph()
A = lagbfs.Matrix.from_networkx(G)

t = lagbfs.bfs(A, "Valjean")
print(t)
print([len(layer) for layer in t.layers()])
print(len(t.path_to("Napoleon")) - 1 == nx.shortest_path_length(G, "Valjean", "Napoleon"))
