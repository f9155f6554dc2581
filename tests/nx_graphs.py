"""Graphs of NetworkX whose neighbours stand in any order, for Hypothesis."""

import networkx as nx
from hypothesis import strategies as st

KINDS = (nx.Graph, nx.DiGraph)


@st.composite
def graphs(draw, kinds=KINDS, weights=None, most=12):
    """Nodes of some type in some order, edges, loops among them, in any order, maybe with weights."""
    kind, n = draw(st.sampled_from(kinds)), draw(st.integers(0, most))
    names = draw(
        st.sampled_from([range(n), [f"v{i}" for i in range(n)], [*reversed(range(n))], [(i, "x") for i in range(n)]])
    )
    graph = kind()
    graph.add_nodes_from(names)
    if n:
        node = st.sampled_from(list(names))
        for u, v in draw(st.lists(st.tuples(node, node), max_size=3 * n)):
            graph.add_edge(u, v, **({} if weights is None or draw(st.booleans()) else {"weight": draw(weights)}))
    return graph
