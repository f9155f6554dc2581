"""Faults of whole algorithms and of many searches, as kernels.py has those of single ones; "algorithms" names the
program of tests/native that has to catch them, where it is not "kernels"."""

from __future__ import annotations

from kernel_fault import Fault


def _algorithm(file: str, old: str, new: str, sanitizer: str = "") -> Fault:
    return Fault(file, old, new, sanitizer, "algorithms")


FAULTS = {
    # Components
    "a vertex moved and left": _algorithm("components.hpp", "if (above_u == u) return;", "return;"),
    "a link that is given up": _algorithm(
        "components.hpp",
        "if (hang<Alone>(labels, u, above_u, above_v)) {",
        "if (hang<Alone>(labels, u, above_u, above_v) || above_u == u) {",
        "thread",
    ),
    "edges into the largest tree alone": _algorithm(
        "components.hpp", "if (symmetric_ && load(labels_ + v) == largest)", "if (load(labels_ + v) == largest)"
    ),
    "any vertex reached is the smallest": _algorithm(
        "components.hpp", "while (labels_[root_] < 0) ++root_;", "root_ = hub;"
    ),
    "edges that leave a range": _algorithm(
        "components.hpp", "range = 1; range < count; ++range", "range = 2; range < count; ++range"
    ),
    "vertices beyond the last level": _algorithm(
        "components.hpp", "count += !reached & (csr_.degree(v) > 0);", "count += !reached & (csr_.degree(v) > 1);"
    ),
    "roots that are not passed on": _algorithm(
        "components.hpp", "if (root != up) store(labels + v, root);", "if (root != up) store(labels + v, up);"
    ),
    # Triangles
    "the diagonal is a neighbour": _algorithm(
        "triangles.hpp",
        "std::lower_bound(csr.begin(v), csr.end(v), Index(v))",
        "std::upper_bound(csr.begin(v), csr.end(v), Index(v))",
    ),
    "larger neighbours, too": _algorithm("triangles.hpp", "v != stop && *v < u; ++v", "v != stop; ++v"),
    "the last of a long row": _algorithm(
        "triangles.hpp", "std::binary_search(b, b_end, *a)", "std::binary_search(b, b_end - 1, *a)"
    ),
    "names by ascending degree": _algorithm(
        "triangles.hpp", "++at[largest - csr.degree(v) + 1];", "++at[csr.degree(v) + 1];", "address"
    ),
    "renamed rows unsorted": _algorithm("triangles.hpp", "    std::sort(row, at);\n", ""),
    "the words of a core": _algorithm("triangles.hpp", "rest * (full + 1);", "rest * full;"),
    "marks left behind": _algorithm(
        "triangles.hpp", "    for (const Index* e = row; e != stop; ++e) marks_[*e >> 6] = 0;\n", ""
    ),
    "the first corner goes without": _algorithm(
        "triangles.hpp", "if (corners_) corners_[u] += found;\n    total += found;\n    for", "total += found;\n    for"
    ),
    "a core beyond the last": _algorithm("triangles.hpp", "v >= cores_.count()", "v > cores_.count()", "address"),
    "corners of a row in a core": _algorithm("triangles.hpp", "if (Corners && found)\n", "if (Corners && found > 1)\n"),
    "corners in names of their own": _algorithm(
        "triangles.hpp", "corners[user ? user[v] : v] = sum;", "corners[v] = sum;"
    ),
    # Cores
    "a loop that counts": _algorithm("cores.hpp", "csr.degree(v) - loop", "csr.degree(v)"),
    "a neighbour of the same core": _algorithm("cores.hpp", "cores[u] <= cores[v]", "cores[u] < cores[v]"),
    "places of those that are done": _algorithm("cores.hpp", "      begin = std::max(begin, i + 1);\n", ""),
    "one of two places": _algorithm("cores.hpp", ", std::swap(place[u], place[other]);", ";"),
    # PageRank
    "terms behind a row": _algorithm("pagerank.hpp", "kCounts[stop - e]", "kCounts[4]"),
    "terms beyond the last row": _algorithm(
        "pagerank.hpp", "if (stop - e <= 4 && e + 4 <= most)", "if (stop - e <= 4)", "address"
    ),
    "what is lost goes nowhere": _algorithm("pagerank.hpp", "lost += out > 0 ? 0 : double(share), all +=", "all +="),
    "dangling as personalised": _algorithm("pagerank.hpp", "p_.dangling ? p_.dangling : p;", "p;"),
    "an error of shares": _algorithm(
        "pagerank.hpp",
        "std::abs(double(share) - double(before)) * weight;",
        "std::abs(double(share) - double(before));",
    ),
    "ranks that are balanced twice": _algorithm("pagerank.hpp", "scale_ *= factor,", "scale_ *= factor * factor,"),
    "what flows in along with what is lost": _algorithm(
        "pagerank.hpp", "p_.normalised ? sum : sum - lost_", "p_.normalised ? sum - lost_ : sum"
    ),
    "too far beyond what was computed": _algorithm("pagerank.hpp", "Share(1 - relaxed_)", "Share(1 - 2 * relaxed_)"),
    "ranks that do not start where told": _algorithm(
        "pagerank.hpp", "p_.start ? p_.start[v] : even", "even + 0 * (p_.start ? p_.start[v] : even)"
    ),
    # Shortest paths
    "a bucket too few": _algorithm("sssp.hpp", "p.largest * inverse_) + 3", "p.largest * inverse_)"),
    "the cutoff itself": _algorithm("sssp.hpp", "double(further) <= p_.cutoff", "double(further) < p_.cutoff"),
    "targets in the current bucket": _algorithm("sssp.hpp", "bucket_of(d) >= bucket_", "bucket_of(d) > bucket_"),
    "a vertex relaxed once": _algorithm(
        "sssp.hpp", "if (bucket_of(d) < bucket_) return;", "if (bucket_of(d) <= bucket_ - (bucket_ > 0)) return;"
    ),
    "a parent of another distance": _algorithm(
        "sssp.hpp",
        "        store(parents_.data() + v, parent);\n",
        "        if (parents_[v] < 0) store(parents_.data() + v, parent);\n",
    ),
    "the weight of the first": _algorithm("sssp.hpp", "Distance(d + weights[e * each])", "Distance(d + weights[0])"),
    "fused vertices twice": _algorithm("sssp.hpp", "own.current.swap(more), more.clear();", "own.current.swap(more);"),
    "a lock that is not awaited": _algorithm("sssp.hpp", "if (seen & kLock) {", "if (false) {", "thread"),
    # Betweenness
    "paths of the same level": _algorithm("betweenness.hpp", "level_[*e] == d + 1) sigma_", "level_[*e] == d) sigma_"),
    "spreads left behind": _algorithm("betweenness.hpp", "    blank(d + 1);\n", ""),
    "spreads of a pull": _algorithm("betweenness.hpp", "    blank(d);\n", ""),
    "three of four sums": _algorithm("betweenness.hpp", "(a + b) + (c + d)", "(a + b) + c"),
    "the source's own": _algorithm("betweenness.hpp", "d >= (edges_ ? 0 : 1)", "d >= 0"),
    "edges at the source": _algorithm("betweenness.hpp", "d >= (edges_ ? 0 : 1)", "d >= 1"),
    # Many searches
    "searches of the level before": Fault("together.hpp", "tally.alive = tally.alive | news;", ""),
    "a plane of the level before": Fault("together.hpp", "    written_.clear();\n", ""),
    "stale rows": Fault(
        "together.hpp", "for_bits(stale & ~found, w * kWordBits", "for_bits(stale & found, w * kWordBits"
    ),
    "vertices closed too soon": Fault("together.hpp", "if (news.covers(unseen)) open", "if (news.any()) open"),
    "a push without atomic": Fault(
        "together.hpp", "else add_shared(row, news);", "else (Set::at(row) | news).to(row);", "thread"
    ),
    "a vertex listed twice": Fault(
        "together.hpp",
        "insert_alone(next_.set.data(), v) : insert_shared",
        "(insert_alone(next_.set.data(), v), true) : insert_shared",
        "address",
    ),
    "rows of the frontier before": Fault("together.hpp", "    empty_next();\n", ""),
    "sums of the last level": Fault("together.hpp", "depths_[v] = level_;", "depths_[v] = level_ - 1;"),
    "sources that nobody has marked": Fault("together.hpp", "seen_[v * W + (s >> 6)] |= bit_of(s), front_", "front_"),
    "carries that end": Fault("lanes.hpp", "for (int p = 3; carry.any(); ++p)", "for (int p = 3; p < 4; ++p)"),
    "sets that wait": Fault("lanes.hpp", "while (size_ > 0) add(", "while (false) add("),
    "bits of a transposed block": Fault(
        "distances.hpp", "half; half >>= 1, mask ^= mask << half", "half > 1; half >>= 1, mask ^= mask << half"
    ),
    "distances beyond the last vertex": Fault("distances.hpp", "size == kWordBits ? out : values", "out", "address"),
    "a parent on the same level": Fault("distances.hpp", "level[*e] != level[v] - 1", "level[*e] != level[v]"),
    "visited by the search before": Fault(
        "apart.hpp", "queue_[i] < view_.active) visited_", "queue_[i] < view_.active && i % 2) visited_"
    ),
    "a level too many": Fault(
        "apart.hpp", "std::int64_t(ends_.size()) <= max_depth", "std::int64_t(ends_.size()) <= max_depth + 1"
    ),
    "depths that do not fit": Fault("apart.hpp", "search.depth() <= std::numeric_limits<Level>::max();", "true;"),
    # Depths of forests, lists
    "a circle that is not seen": Fault("depth.hpp", "|| ++steps > n", "|| ++steps > 2 * n + 500"),
    "any vertex that is astray": Fault("depth.hpp", "while (v < first && !astray", "while (v != first && !astray"),
    "ties of two lists": Fault("lists.hpp", "a += i <= j, b += j <= i;", "a += i <= j, b += j < i;"),
    "a place too near": Fault("lists.hpp", "return std::lower_bound(from, end, wanted);", "return from;"),
    "old entries that stay": Fault("lists.hpp", "} else if (!replace && old >= 0) {", "} else if (old >= 0) {"),
}
