// What a policy may know before a level, and the quantities that levels are paid for.
//
// backends/protocol/features.py and quantities.py compute the same from the same, to the last bit: operations and their
// order are alike.
#pragma once

#include <algorithm>

#include "arms.hpp"
#include "tuning.hpp"

namespace lagbfs {

// Each feature, and its value before the first level. Barren are the vertices that no edge leads to; early_exit is 1 in
// searches, where a pull stops at the first edge that hits, and 0 where it reads all. The arm is the one that computed
// the level before: >= 0 as in kArms, else as in Before. Forms of the frontier are 0 list, 1 bitmap, 2 both. Novelty is
// the share of the vertices expected from the level before that it did find.
// clang-format off
#define LAGBFS_FEATURES(X) \
  X(n, 0)                  \
  X(m, 0)                  \
  X(early_exit, 1)         \
  X(barren, 0)             \
  X(frontier_size, 0)      \
  X(frontier_edges, 0)     \
  X(unvisited_size, 0)     \
  X(unvisited_edges, 0)    \
  X(level, 0)              \
  X(previous_size, 0)      \
  X(arm, kNone)            \
  X(form, 0)               \
  X(novelty, 1)
// clang-format on

struct Features {
#define X(name, initial) double name = initial;
  LAGBFS_FEATURES(X)
#undef X
#define X(name, initial) +1
  enum : int { kCount = 0 LAGBFS_FEATURES(X) };
#undef X
  double at(int i) const;
};

#define X(name, initial) #name,
constexpr const char* kFeatures[] = {LAGBFS_FEATURES(X)};
#undef X

#define X(name, initial) &Features::name,
constexpr double Features::* kFeatureFields[] = {LAGBFS_FEATURES(X)};
#undef X

// The feature that kFeatures[i] names.
inline double Features::at(int i) const { return this->*kFeatureFields[i]; }

// See backends/protocol/quantities.py for what each of them means.
// clang-format off
#define LAGBFS_QUANTITIES(X) \
  X(level)                   \
  X(words)                   \
  X(frontier)                \
  X(pushes)                  \
  X(crowd)                   \
  X(sweep)                   \
  X(looked)                  \
  X(probes)                  \
  X(found)                   \
  X(doubt)                   \
  X(left)                    \
  X(edges)                   \
  X(far_frontier)            \
  X(far_pushes)              \
  X(far_probes)              \
  X(far_found)               \
  X(to_map)                  \
  X(to_list)
// clang-format on

struct Quantities {
#define X(name) k_##name,
  enum : int { LAGBFS_QUANTITIES(X) kCount };
#undef X
  double of[kCount];
};

#define X(name) #name,
constexpr const char* kQuantities[] = {LAGBFS_QUANTITIES(X)};
#undef X

// The sum of the quantities, each times its price; prices are in the order of kQuantities.
inline double dot(const double* prices, const Quantities& q) {
  double sum = 0;
  for (int k = 0; k < Quantities::kCount; ++k) sum += prices[k] * q.of[k];
  return sum;
}

// A push crowds the graph where a team would mark it: from more edges than one in so many vertices on. One of so few
// that it is one thread's is priced so from one in 16 on; the thread itself marks from kSweepShareAlone on. Python has
// these numbers, too: they do not follow where tests make levels smaller.
constexpr double kCrowdShare = kSweepShare, kFewCrowdShare = 16, kFew = kUsualSmallLevel;

// Share of the accesses to so many bytes, at random, that a cache of `cache` bytes does not serve.
inline double far(double bytes, double cache) { return bytes / (bytes + cache); }

// The chance that an edge of an unvisited vertex comes from the frontier, if edges lead anywhere alike.
inline double share_of(const Features& f) { return f.frontier_edges / (f.frontier_edges + f.unvisited_edges + 1); }

// Unvisited vertices that a pull looks at.
inline double looked_of(const Features& f) {
  return std::min(std::max(f.unvisited_size - f.barren, 0.0), f.unvisited_edges);
}

// How many edges a pull probes until `share` of them hit. The vertices left have no more than their share of all edges.
inline double probes_of(const Features& f, double share) {
  if (!f.early_exit) return f.unvisited_edges;
  const double looked = looked_of(f), edges = std::min(f.unvisited_edges, looked * f.m / std::max(f.n - f.barren, 1.0));
  return looked * edges / (looked + share * edges + 1);
}

constexpr double kLeastNovelty = 0.05;

// The novelty after a level of these features has found so many vertices.
inline double novelty_after(const Features& f, double found) {
  const double share = share_of(f), expected = probes_of(f, share) * share;
  return std::min(std::max((found + 1) / (expected + 1), kLeastNovelty), 1.0);
}

inline Quantities quantities_of(const Features& f, double cache) {
  const double share = share_of(f) * f.novelty;
  const double far_rows = far(4 * f.m, cache), far_bits = far(f.n / 8, cache), far_parents = far(4 * f.n, cache);
  const bool crowds = f.frontier_edges * (f.frontier_edges < kFew ? kFewCrowdShare : kCrowdShare) > f.n;
  const double level = 1, words = f.n / 64, frontier = f.frontier_size, left = f.unvisited_edges, edges = f.m;
  const double pushes = crowds ? 0 : f.frontier_edges, crowd = crowds ? f.frontier_edges : 0;
  const double sweep = crowds ? words : 0;
  const double looked = looked_of(f), probes = probes_of(f, share);
  const double found = std::min(probes * share, looked), doubt = found * (1 - share);
  const double far_frontier = frontier * far_rows, far_pushes = f.frontier_edges * far_bits;
  const double far_probes = probes * far_rows, far_found = found * far_parents;
  const double carried = words + frontier;
  const double to_map = f.form == 0 ? carried : 0, to_list = f.form == 1 ? carried : 0;
#define X(name) name,
  return {{LAGBFS_QUANTITIES(X)}};
#undef X
}

// The level after one of these quantities, as it is expected to come: whom the frontier's edges find, found.
inline Features expected_next(const Features& f, const Quantities& q) {
  const double found = q.of[Quantities::k_found];
  const double edges = f.unvisited_edges * (found / (q.of[Quantities::k_looked] + 1));
  Features next = f;
  next.level = f.level + 1, next.previous_size = f.frontier_size, next.form = 2;
  next.frontier_size = found, next.frontier_edges = edges;
  next.unvisited_size = f.unvisited_size - found, next.unvisited_edges = f.unvisited_edges - edges;
  return next;
}

}  // namespace lagbfs
