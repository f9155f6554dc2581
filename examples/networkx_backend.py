"""Code for NetworkX: with lagbfs installed and NETWORKX_BACKEND_PRIORITY=lagbfs it runs on lagbfs, without as ever."""

import networkx as nx

G = nx.karate_club_graph()

layers = [len(layer) for layer in nx.bfs_layers(G, 0)]
print("members by their distance from the instructor:", layers)
ranks = nx.pagerank(G)
print("the three that stand out:", sorted(ranks, key=ranks.get)[-3:])
print("triangles:", sum(nx.triangles(G).values()) // 3, "in", nx.number_connected_components(G), "component")

if "lagbfs" in nx.config.backends:  # by a keyword: the same answers
    assert nx.triangles(G, backend="lagbfs") == nx.triangles(G)
assert sum(layers) == len(G)
