// What a policy may know before a level, and the quantities that levels are paid for.
//
// lagbfs/selector/features.py computes the same from the same, to the last bit: operations and their order are alike.
#pragma once

#include <algorithm>

namespace lagbfs {

// Barren are the vertices that no edge leads to. Directions are -1 none yet, 0 push, 1 pull. Forms of the frontier are
// 0 list, 1 bitmap, 2 both. Novelty is the share of the vertices expected from the level before that it did find.
struct Features {
  enum : int { kCount = 13 };
  double n, m, barren, frontier, frontier_edges, unvisited, unvisited_edges, level, previous_frontier, last_direction,
      form, novelty, last_arm;  // last_arm as in kArms, -1 none or another engine's

  double at(int i) const {
    const double all[kCount] = {n, m, barren, frontier, frontier_edges, unvisited, unvisited_edges, level,
                                previous_frontier, last_direction, form, novelty, last_arm};
    return all[i];
  }
};

constexpr const char* kFeatures[Features::kCount] = {
    "n",     "m",     "barren",            "frontier",       "frontier_edges", "unvisited", "unvisited_edges",
    "level", "previous_frontier", "last_direction", "form", "novelty", "last_arm"};

struct Quantities {
  enum : int {
    kLevel, kWords, kFrontier, kPushes, kCrowd, kSweep, kLooked, kProbes, kFound, kDoubt, kLeft, kEdges,
    kFarFrontier, kFarPushes, kFarProbes, kFarFound, kToMap, kToList, kCount
  };
  double of[kCount];
};

constexpr const char* kQuantities[Quantities::kCount] = {
    "level",  "words", "frontier", "pushes",       "crowd",      "sweep",      "looked",    "probes", "found", "doubt",
    "left",   "edges", "far_frontier", "far_pushes", "far_probes", "far_found", "to_map", "to_list"};

// A push of more edges than one in so many vertices crowds the graph; one of few edges, than one in fewer.
constexpr double kCrowdShare = 32, kFewCrowdShare = 16, kFew = 1500;

// Share of the accesses to so many bytes, at random, that a cache of `cache` bytes does not serve.
inline double far(double bytes, double cache) { return bytes / (bytes + cache); }

// The chance that an edge of an unvisited vertex comes from the frontier, if edges lead anywhere alike.
inline double share_of(const Features& f) { return f.frontier_edges / (f.frontier_edges + f.unvisited_edges + 1); }

// Unvisited vertices that a pull looks at.
inline double looked_of(const Features& f) {
  return std::min(std::max(f.unvisited - f.barren, 0.0), f.unvisited_edges);
}

// How many edges a pull probes until `share` of them hit. The vertices left have no more than their share of all edges.
inline double probes_of(const Features& f, double share) {
  const double looked = looked_of(f), edges = std::min(f.unvisited_edges, looked * f.m / std::max(f.n - f.barren, 1.0));
  return looked * edges / (looked + share * edges + 1);
}

constexpr double kLeastNovelty = 0.05;

// The novelty after a level of these features has found so many vertices.
inline double novelty_after(const Features& f, double found) {
  const double share = share_of(f), expected = probes_of(f, share) * share;
  return std::min(std::max((found + 1) / (expected + 1), kLeastNovelty), 1.0);
}

// See lagbfs/selector/features.py for what each of them means.
inline Quantities quantities_of(const Features& f, double cache) {
  const double share = share_of(f) * f.novelty;
  const double looked = looked_of(f);
  const double probes = probes_of(f, share);
  const double found = std::min(probes * share, looked), words = f.n / 64;
  const bool crowds = f.frontier_edges * (f.frontier_edges < kFew ? kFewCrowdShare : kCrowdShare) > f.n;
  const double carried = words + f.frontier;
  const double far_rows = far(4 * f.m, cache), far_bits = far(f.n / 8, cache), far_parents = far(4 * f.n, cache);
  return {{1, words, f.frontier, crowds ? 0 : f.frontier_edges, crowds ? f.frontier_edges : 0, crowds ? words : 0,
           looked, probes, found, found * (1 - share), f.unvisited_edges, f.m, f.frontier * far_rows,
           f.frontier_edges * far_bits, probes * far_rows, found * far_parents, f.form == 0 ? carried : 0,
           f.form == 1 ? carried : 0}};
}

// The level after one of these quantities, as it is expected to come: whom the frontier's edges find, found.
inline Features expected_next(const Features& f, const Quantities& q) {
  const double found = q.of[Quantities::kFound];
  const double edges = f.unvisited_edges * (found / (q.of[Quantities::kLooked] + 1));
  return {f.n, f.m, f.barren, found, edges, f.unvisited - found, f.unvisited_edges - edges, f.level + 1, f.frontier,
          f.last_direction, 2, f.novelty, f.last_arm};
}

}  // namespace lagbfs
