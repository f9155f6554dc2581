// Which arm computes a level: flat arrays, evaluated per level in well under a microsecond.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "arms.hpp"
#include "features.hpp"

namespace lagbfs {

// Beamer's rule: to pull once the growing frontier's edges times alpha exceed the unvisited's; back
// once the shrinking frontier times beta is below n.
struct BeamerRule {
  double alpha = 15, beta = 18;
  int push = kPushQueue, pull = kPullBitmap;

  int choose(const Features& f) const {
    if (direction_of(int(f.arm)) == 1)
      return f.frontier_size * beta < f.n && f.frontier_size < f.previous_size ? push : pull;
    return f.frontier_edges * alpha > f.unvisited_edges && f.frontier_size > f.previous_size ? pull : push;
  }
};

// Node i goes left if feature[i] <= threshold[i]; a leaf has feature < 0 and answers arm[i]. Children come after
// their parents, so that every walk ends.
struct Tree {
  std::vector<int> feature, left, right, arm;
  std::vector<double> threshold;

  int choose(const Features& f) const {
    int i = 0;
    while (feature[i] >= 0) i = f.at(feature[i]) <= threshold[i] ? left[i] : right[i];
    return arm[i];
  }
};

// The arm of least expected cost: its row of coefficients times the quantities, what it costs to bring the state to
// its engine, and what the `ahead` levels to come are expected to cost from there. engines[i] is that of arms[i], 0
// ours; row a * engine_count + b of moves prices the way from engine a to engine b, a being engine_count where the
// search has not begun. A level of at most kTrivial vertices and edges, in a list, after a push is pushed alike: no arm
// saves what choosing takes.
struct Costs {
  enum : int { kMostEngines = 8, kMostAhead = 64, kTrivial = 256 };
  using ByEngine = std::array<double, kMostEngines>;
  std::vector<int> arms, engines;
  std::vector<double> coefficients, moves;
  double cache = 1;
  int ahead = 0, engine_count = 1;

  double cost(std::size_t i, const Quantities& q) const { return dot(coefficients.data() + i * Quantities::kCount, q); }

  double move(int from, int to, const Quantities& q) const {
    return from == to ? 0 : dot(moves.data() + (from * engine_count + to) * Quantities::kCount, q);
  }

  // By engine, what one level and what comes after it take there.
  ByEngine there(const Quantities& q, const ByEngine& later) const {
    ByEngine least;
    least.fill(std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < arms.size(); ++i) least[engines[i]] = std::min(least[engines[i]], cost(i, q));
    for (int e = 0; e < engine_count; ++e) least[e] += later[e];
    return least;
  }

  // By engine, what the levels after this one are expected to take from there, moves between them included.
  ByEngine rest(Features f, Quantities q) const {
    Quantities levels[kMostAhead];
    for (int level = 0; level < ahead; ++level) f = expected_next(f, q), q = levels[level] = quantities_of(f, cache);
    ByEngine rest{};
    for (int level = ahead - 1; level >= 0; --level) {
      const ByEngine least = there(levels[level], rest);
      rest.fill(std::numeric_limits<double>::infinity());
      for (int from = 0; from < engine_count; ++from)
        for (int to = 0; to < engine_count; ++to)
          rest[from] = std::min(rest[from], least[to] + move(from, to, levels[level]));
    }
    return rest;
  }

  bool offers(int arm) const { return arm >= 0 && std::find(arms.begin(), arms.end(), arm) != arms.end(); }

  // Whether no other engine does the level in less than ours, so that moving there can wait. A later move pays for a
  // frontier of at most the unvisited.
  bool can_wait(const Features& f, const ByEngine& now, const Quantities& q) const {
    if (f.arm == kNone) return false;
    for (int e = 1; e < engine_count; ++e)
      if (now[e] < now[0] + moves[e * Quantities::kCount + Quantities::k_frontier] * q.of[Quantities::k_looked])
        return false;
    return true;
  }

  int choose(const Features& f) const {
    const int last = int(f.arm);
    const bool trivial = f.frontier_size + f.frontier_edges <= kTrivial && f.form == 0;
    if (trivial && direction_of(last) == 0 && offers(last)) return last;
    const Quantities q = quantities_of(f, cache);
    ByEngine beside{};
    if (engine_count > 1 && can_wait(f, there(q, beside), q))
      std::fill(beside.begin() + 1, beside.end(), std::numeric_limits<double>::infinity());
    else beside = ways(f, q);
    int best = kNotMine;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < arms.size(); ++i) {
      const double total = cost(i, q) + beside[engines[i]];
      if (total < least) least = total, best = arms[i];
    }
    return best;
  }

  // By engine, the way there and what comes after the level.
  ByEngine ways(const Features& f, const Quantities& q) const {
    ByEngine beside = rest(f, q);
    const int here = f.arm == kNone ? engine_count : 0;
    for (int e = 0; e < engine_count; ++e) beside[e] = move(here, e, q) + beside[e];
    return beside;
  }
};

struct Policy {
  enum Kind { kFixed, kBeamer, kTree, kCosts, kScript };
  Kind kind = kBeamer;
  int fixed = kPushQueue;
  BeamerRule beamer;
  Tree tree;
  Costs costs;
  std::vector<int> script;  // by level; the last goes on

  int choose(const Features& f) const {
    switch (kind) {
      case kFixed:
        return fixed;
      case kBeamer:
        return beamer.choose(f);
      case kTree:
        return tree.choose(f);
      case kCosts:
        return costs.choose(f);
      default:
        return script[std::min(std::size_t(f.level), script.size() - 1)];
    }
  }

  void validate() const;
};

inline void need(bool ok, const char* what) {
  if (!ok) throw std::invalid_argument(what);
}

inline void need_arm(int a) { need(a >= kNotMine && a < kArmCount, "policy: no such arm"); }

inline void validate(const Tree& t) {
  const std::size_t size = t.feature.size();
  need(size > 0, "policy: a tree has at least one node");
  need(t.left.size() == size && t.right.size() == size && t.arm.size() == size && t.threshold.size() == size,
       "policy: the arrays of a tree are equally long");
  for (std::size_t i = 0; i < size; ++i) {
    const auto below = [&](int child) { return child > int(i) && child < int(size); };
    need(t.feature[i] < Features::kCount, "policy: no such feature");
    if (t.feature[i] < 0) need_arm(t.arm[i]);
    else need(below(t.left[i]) && below(t.right[i]), "policy: a tree's children come after their parents");
  }
}

inline void validate(const Costs& c) {
  constexpr std::size_t width = Quantities::kCount;
  need(!c.arms.empty() && c.engines.size() == c.arms.size(), "policy: costs have an engine for each of some arms");
  need(c.coefficients.size() == c.arms.size() * width, "policy: costs have a coefficient per arm and quantity");
  need(c.engine_count >= 1 && c.engine_count <= Costs::kMostEngines, "policy: costs are of at most 8 engines");
  need(c.moves.size() == (c.engine_count + 1) * c.engine_count * width,
       "policy: every pair of engines has a move, and every engine a start");
  need(c.cache >= 1 && std::isfinite(c.cache), "policy: a cache has at least one byte");
  need(c.ahead >= 0 && c.ahead <= Costs::kMostAhead, "policy: costs look at most 64 levels ahead");
  for (int a : c.arms) need_arm(a);
  for (int e : c.engines) need(e >= 0 && e < c.engine_count, "policy: no such engine");
}

inline void Policy::validate() const {
  need_arm(fixed), need_arm(beamer.push), need_arm(beamer.pull);
  if (kind == kTree) lagbfs::validate(tree);
  if (kind == kCosts) lagbfs::validate(costs);
  if (kind == kScript) {
    need(!script.empty(), "policy: a script has at least one arm");
    for (int a : script) need_arm(a);
  }
}

}  // namespace lagbfs
