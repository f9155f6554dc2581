// Which arm computes a level: flat arrays, evaluated per level in well under a microsecond.
//
// Arms are numbered as in kArms. A policy may answer kNotMine: the level belongs to another engine.
// Features are numbered as in Features::at; directions are -1 none yet, 0 push, 1 pull.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace lagbfs {

enum Arm : int { kPushQueue, kPushScan, kPushEdges, kPullBitmap, kPullList, kArmCount, kNotMine = -1 };

constexpr const char* kArms[kArmCount] = {"push:queue", "push:scan", "push:edges", "pull:bitmap",
                                          "pull:list"};

inline int direction_of(int arm) { return arm < 0 ? -1 : arm >= kPullBitmap; }

struct Features {
  enum : int { kCount = 9 };
  double n, m, frontier, frontier_edges, unvisited, unvisited_edges, level, previous_frontier,
      last_direction;

  double at(int i) const {
    const double all[kCount] = {n,         m,               frontier, frontier_edges,
                                unvisited, unvisited_edges, level,    previous_frontier,
                                last_direction};
    return all[i];
  }
};

constexpr const char* kFeatures[Features::kCount] = {
    "n",         "m",               "frontier", "frontier_edges", "unvisited",
    "unvisited_edges", "level", "previous_frontier", "last_direction"};

struct Policy {
  enum Kind { kFixed, kBeamer, kTree, kLinear, kCost };
  Kind kind = kBeamer;
  int push = kPushQueue, pull = kPullBitmap;  // kFixed answers push; kBeamer and kCost one of the two
  double alpha = 15, beta = 18;

  // kTree: node i goes left if feature[i] <= threshold[i]; a leaf has feature < 0 and answers arm[i].
  // Children come after their parents, so that every walk ends.
  std::vector<int> feature, left, right, arm;
  std::vector<double> threshold;

  // kLinear: predicted cost of arms[i] = row i of coefficients · (1, features); the least wins.
  std::vector<int> arms;
  std::vector<double> coefficients;

  int choose(const Features& f) const {
    switch (kind) {
      case kFixed: return push;
      case kBeamer: return beamer(f);
      case kTree: return walk(f);
      case kCost: return cheaper(f);
      default: return cheapest(f);
    }
  }

  void validate() const;

 private:
  // Beamer's rule: to pull once the growing frontier's edges times alpha exceed the unvisited's; back
  // once the shrinking frontier times beta is below n.
  int beamer(const Features& f) const {
    if (f.last_direction == 1)
      return f.frontier * beta < f.n && f.frontier < f.previous_frontier ? push : pull;
    return f.frontier_edges * alpha > f.unvisited_edges && f.frontier > f.previous_frontier ? pull
                                                                                            : push;
  }

  // kCost: what each direction is expected to cost here, in nanoseconds of one thread. Push pays for each edge.
  // Pull looks at every unvisited vertex that has edges, and probes them until one comes from the frontier:
  // the chance is the frontier's share of the edges that are not yet behind it.
  int cheaper(const Features& f) const {
    const double share = f.frontier_edges / (f.frontier_edges + f.unvisited_edges + 1);
    const double looked = std::min(f.unvisited, f.unvisited_edges);
    const double probes = std::min(f.unvisited_edges, looked / (share + 1e-9));
    const double pull_cost = kWordCost * f.n / 64 + kLookCost * looked + kProbeCost * probes;
    const double push_cost = kEdgeCost * f.frontier_edges + kRowCost * f.frontier;
    return push_cost <= pull_cost ? push : pull;
  }
  static constexpr double kWordCost = 1, kLookCost = 3, kProbeCost = 1, kEdgeCost = 4, kRowCost = 4;

  int walk(const Features& f) const {
    int i = 0;
    while (feature[i] >= 0) i = f.at(feature[i]) <= threshold[i] ? left[i] : right[i];
    return arm[i];
  }

  int cheapest(const Features& f) const {
    int best = kNotMine;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < arms.size(); ++i) {
      const double* c = coefficients.data() + i * (Features::kCount + 1);
      double cost = c[0];
      for (int k = 0; k < Features::kCount; ++k) cost += c[k + 1] * f.at(k);
      if (cost < least) least = cost, best = arms[i];
    }
    return best;
  }
};

inline void Policy::validate() const {
  const auto need = [](bool ok, const char* what) {
    if (!ok) throw std::invalid_argument(what);
  };
  const auto is_arm = [](int a) { return a >= kNotMine && a < kArmCount; };
  need(is_arm(push) && is_arm(pull), "policy: no such arm");
  if (kind == kTree) {
    const std::size_t size = feature.size();
    need(size > 0, "policy: a tree has at least one node");
    need(left.size() == size && right.size() == size && arm.size() == size && threshold.size() == size,
         "policy: the arrays of a tree are equally long");
    for (std::size_t i = 0; i < size; ++i) {
      need(feature[i] < Features::kCount, "policy: no such feature");
      const auto below = [&](int child) { return child > int(i) && child < int(size); };
      if (feature[i] < 0)
        need(is_arm(arm[i]), "policy: no such arm");
      else
        need(below(left[i]) && below(right[i]), "policy: a tree's children come after their parents");
    }
  } else if (kind == kLinear) {
    need(!arms.empty(), "policy: a linear policy has at least one arm");
    need(coefficients.size() == arms.size() * (Features::kCount + 1),
         "policy: a linear policy has 1 + features coefficients per arm");
    for (int a : arms) need(is_arm(a), "policy: no such arm");
  }
}

}  // namespace lagbfs
