"""What a level is paid for: quantities with physical meaning, expected from what is known before it.

backends/native/features.hpp computes the same from the same, to the last bit: operations and their order are alike.
All follow from the features of the level in constant time.
"""

from __future__ import annotations

from dataclasses import replace

from .features import Features

__all__ = ["QUANTITIES", "expected_next", "quantities"]

QUANTITIES = {
    "level": "the level itself: 1",
    "words": "words of a bitmap of all vertices",
    "frontier": "vertices of the frontier",
    "pushes": "edges that a push scans, if they are few",
    "crowd": "edges that a push scans, if they are more than one in 32 vertices (if few, 16): it then sweeps",
    "sweep": "words of that sweep",
    "looked": "unvisited vertices that edges lead to: a pull looks at each",
    "probes": "edges that a pull is expected to probe, each vertex until one comes from the frontier",
    "found": "vertices that the level is expected to find",
    "doubt": "probes whose outcome is not foreseen: those that find, but for the share that was to be expected",
    "left": "edges of the unvisited: what a pull probes that cannot stop early",
    "edges": "all edges",
    "far_frontier": "rows of the frontier that no cache is expected to hold",
    "far_pushes": "pushes whose bit of the visited no cache is expected to hold",
    "far_probes": "probes that no cache is expected to serve",
    "far_found": "vertices found whose parent no cache is expected to hold",
    "to_map": "words and vertices of turning the frontier from a list into a bitmap, if it is a list alone",
    "to_list": "words and vertices of turning it from a bitmap into a list, if it is a bitmap alone",
}
"""Names and meanings, in the order of `quantities`."""

_CROWD_SHARE, _FEW_CROWD_SHARE = 32, 16  # a push of more edges than one in so many vertices crowds the graph
_FEW = 1500  # edges, of which the second holds


def _far(size: float, cache: float) -> float:
    """Return the share of random accesses to so many bytes that a cache does not serve."""
    return size / (size + cache)


def quantities(f: Features, cache: float) -> tuple[float, ...]:
    """Return the quantities of a level, given a cache of so many bytes.

    Examples
    --------
    >>> from lagbfs.backends.protocol import Features
    >>> f = Features(n=640, m=6400, frontier_size=10, frontier_edges=100, unvisited_size=630, unvisited_edges=6300)
    >>> dict(zip(QUANTITIES, quantities(f, cache=2**20), strict=True))["words"]
    10.0
    """
    n, m, frontier = float(f.n), float(f.m), float(f.frontier_size)
    pushes, left = float(f.frontier_edges), float(f.unvisited_edges)
    share = f.share() * f.novelty
    looked = f.looked()
    probes = f.probes(share)
    found, words = min(probes * share, looked), n / 64  # a pull that cannot stop early probes more than it finds
    crowds = pushes * (_FEW_CROWD_SHARE if pushes < _FEW else _CROWD_SHARE) > n
    carried = words + frontier
    far_rows, far_bits, far_parents = _far(4 * m, cache), _far(n / 8, cache), _far(4 * n, cache)
    return (
        1.0,
        words,
        frontier,
        0.0 if crowds else pushes,
        pushes if crowds else 0.0,
        words if crowds else 0.0,
        looked,
        probes,
        found,
        found * (1 - share),
        left,
        m,
        frontier * far_rows,
        pushes * far_bits,
        probes * far_rows,
        found * far_parents,
        carried if f.form == "list" else 0.0,
        carried if f.form == "bitmap" else 0.0,
    )


_LOOKED, _FOUND = list(QUANTITIES).index("looked"), list(QUANTITIES).index("found")


def expected_next(f: Features, q: tuple[float, ...]) -> Features:
    """Return the level after one of these quantities, as it is expected to come; its sizes are no integers."""
    found = q[_FOUND]
    edges = f.unvisited_edges * (found / (q[_LOOKED] + 1))
    expected = {
        "frontier_size": found,
        "frontier_edges": edges,
        "unvisited_size": f.unvisited_size - found,
        "unvisited_edges": f.unvisited_edges - edges,
    }
    return replace(f, level=f.level + 1, previous_size=f.frontier_size, form="both", **expected)  # type: ignore[arg-type]
