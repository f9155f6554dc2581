// Which arm computes a level: flat arrays, evaluated per level in well under a microsecond.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

#include "arms.hpp"
#include "experience.hpp"
#include "features.hpp"
#include "shares.hpp"

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
  std::vector<double> alone;  // coefficients on one thread, all 0 for an arm that has all threads
  int threads = 2;            // that the others are for

  double cost(std::size_t i, const Quantities& q) const { return dot(coefficients.data() + i * Quantities::kCount, q); }
  double cost_alone(std::size_t i, const Quantities& q) const { return dot(alone.data() + i * Quantities::kCount, q); }

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

  bool is_trivial(const Features& f) const {
    const int last = int(f.arm);
    return f.frontier_size + f.frontier_edges <= kTrivial && f.form == 0 && direction_of(last) == 0 && offers(last);
  }

  int choose(const Features& f) const {
    if (is_trivial(f)) return int(f.arm);
    const Quantities q = quantities_of(f, cache);
    const ByEngine beside = this->beside(f, q, engine_count > 1 ? there(q, {}) : ByEngine{});
    int best = kNotMine;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < arms.size(); ++i) {
      const double total = cost(i, q) + beside[engines[i]];
      if (total < least) least = total, best = arms[i];
    }
    return best;
  }

  // By engine, the way there and what comes after the level, which takes `now` there.
  ByEngine beside(const Features& f, const Quantities& q, const ByEngine& now) const {
    if (engine_count > 1 && can_wait(f, now, q)) {
      ByEngine stay{};
      std::fill(stay.begin() + 1, stay.end(), std::numeric_limits<double>::infinity());
      return stay;
    }
    ByEngine beside = rest(f, q);
    const int here = f.arm == kNone ? engine_count : 0;
    for (int e = 0; e < engine_count; ++e) beside[e] = move(here, e, q) + beside[e];
    return beside;
  }
};

// What was decided for a level: the arm, and how many threads it is to have, 0 for as many as there are. The rest is
// for learning from it: its row and cell in the experience, none if row < 0, nanoseconds expected of it before
// corrections, and, if it is tried only to learn, what the best way was expected to take.
struct Choice {
  int arm = kNotMine, threads = 0, row = -1, at = 0;
  double expected = 0, best = 0;
  bool tried = false;
};

// Costs, corrected by what levels of this graph have taken: the way of least cost, an arm on a share of the threads.
// Now and then another way is tried, of which little is known, where that can lose no more than the experience allows.
// rows[i] is the first of arms[i]'s kShares rows in the experience. Only arms of ours that are priced for one thread
// have shares: others have all.
struct Learning {
  std::shared_ptr<Experience> experience;
  std::vector<int> rows;

  struct Way {
    Choice choice;
    double corrected;
    int engine;
  };
  enum : int { kMostArms = 64, kMostWays = kMostArms * kShares };

  Choice decide(const Costs& costs, const Features& f, const Shares& shares) const {
    if (costs.is_trivial(f)) return {int(f.arm), 1};
    const Quantities q = quantities_of(f, costs.cache);
    alignas(Way) unsigned char room[kMostWays * sizeof(Way)];  // not initialized: most of it is not needed
    Way* const ways = reinterpret_cast<Way*>(room);
    Costs::ByEngine now;
    const int count = list(costs, f, q, shares, ways, now);
    const Costs::ByEngine beside = costs.beside(f, q, now);
    const Way* best = nullptr;
    double least = std::numeric_limits<double>::infinity();
    for (const Way* way = ways; way != ways + count; ++way) {
      const double total = way->corrected + beside[way->engine];
      if (total < least * (best && way->choice.threads > best->choice.threads ? kMuchFaster : 1))
        least = total, best = way;
    }
    if (!best) return {};
    return best->engine == 0 ? tried(*best, ways, count) : best->choice;
  }

  // The arm and the threads of a row of the experience; no arm if it is none of these.
  Choice choice(const Costs& costs, const Shares& shares, int row, int at) const {
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (const int s = row - rows[i]; s >= 0 && s < kShares) return {costs.arms[i], shares.threads(s), row, at};
    return {};
  }

  void learn(const Choice& choice, double nanoseconds) const {
    if (choice.row < 0) return;
    if (nanoseconds > 0 && choice.expected > 0)
      experience->learn(choice.row, choice.at, std::log(nanoseconds / choice.expected), nanoseconds);
    if (choice.tried) experience->lose(std::max(nanoseconds - choice.best, 0.0));
  }

 private:
  int list(const Costs& costs, const Features& f, const Quantities& q, const Shares& shares, Way* ways,
           Costs::ByEngine& now) const {
    const int at = experience->place(f.frontier_edges, f.unvisited_edges);
    int count = 0;
    now.fill(std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < costs.arms.size(); ++i) {
      const double price = costs.cost(i, q), alone = costs.cost_alone(i, q);
      const int engine = costs.engines[i];
      const bool divides = engine == 0 && alone > 0;
      for (int s = divides ? 0 : kAll; s < kShares; ++s) {
        if (divides && !shares.offers(s)) continue;
        const double expected = divides ? shares.price(alone, price, s) : price;
        const int row = rows[i] + s;
        const double corrected = expected * std::exp(experience->correction(row, at));
        const int threads = engine == 0 ? shares.threads(s) : 0;
        new (ways + count++) Way{{costs.arms[i], threads, row, at, expected}, corrected, engine};
        now[engine] = std::min(now[engine], corrected);
      }
    }
    return count;
  }

  // The best way, or the one of least cost among those worth trying.
  Choice tried(const Way& best, const Way* ways, int count) const {
    const double budget = experience->budget();
    if (budget <= 0) return best.choice;
    const Way* other = nullptr;
    for (const Way* way = ways; way != ways + count; ++way) {
      if (way == &best || way->engine != 0) continue;
      if (experience->seen(way->choice.row, way->choice.at) >= kUnseen) continue;
      const bool known = experience->seen(way->choice.row) >= kUnknown;
      if (way->corrected - best.corrected > budget) continue;
      if (way->corrected > (known ? kNear : kNearUnknown) * best.corrected) continue;
      if (!other || way->corrected < other->corrected) other = way;
    }
    if (!other) return best.choice;
    Choice choice = other->choice;
    choice.best = best.corrected, choice.tried = true;
    return choice;
  }
};

struct Policy {
  enum Kind { kFixed, kBeamer, kTree, kCosts, kScript };
  Kind kind = kBeamer;
  int fixed = kPushQueue;
  BeamerRule beamer;
  Tree tree;
  Costs costs;
  Learning learning;        // of costs; without an experience they stay as they are
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

  Choice decide(const Features& f, const Shares& shares) const {
    return learning.experience ? learning.decide(costs, f, shares) : Choice{choose(f)};
  }

  // Whether a search is likely to have work for several threads.
  bool expects_team() const { return !learning.experience || learning.experience->expects_team(); }

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
  need(c.alone.size() == c.coefficients.size(), "policy: costs on one thread have a coefficient per arm and quantity");
  need(c.threads >= 1, "policy: costs are for at least one thread");
  need(c.cache >= 1 && std::isfinite(c.cache), "policy: a cache has at least one byte");
  need(c.ahead >= 0 && c.ahead <= Costs::kMostAhead, "policy: costs look at most 64 levels ahead");
  for (int a : c.arms) need_arm(a);
  for (int e : c.engines) need(e >= 0 && e < c.engine_count, "policy: no such engine");
}

inline void validate(const Learning& l, const Costs& c) {
  if (!l.experience) return;
  need(c.arms.size() <= Learning::kMostArms, "policy: at most 64 arms learn");
  need(l.rows.size() == c.arms.size(), "policy: rows of an experience for each arm");
  for (int row : l.rows) need(row >= 0 && row + kShares <= l.experience->rows(), "policy: no such row");
}

inline void Policy::validate() const {
  need_arm(fixed), need_arm(beamer.push), need_arm(beamer.pull);
  if (kind == kTree) lagbfs::validate(tree);
  if (kind == kCosts) lagbfs::validate(costs), lagbfs::validate(learning, costs);
  if (kind == kScript) {
    need(!script.empty(), "policy: a script has at least one arm");
    for (int a : script) need_arm(a);
  }
}

}  // namespace lagbfs
