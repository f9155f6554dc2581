// Searches: every arm, policy and layout, whole, in steps, for targets, interrupted; and what is known before a level.
#pragma once

#include <cstring>
#include <limits>
#include <string>
#include <thread>

#include "common.hpp"
#include "engine.hpp"

// levels, and for each vertex the smallest parent that a breadth-first search may give it.
template <class Index, class Offset>
void plain_bfs(const Matrix<Index, Offset>& a, const std::vector<Index>& sources, std::vector<std::int32_t>& levels,
               std::vector<Index>& smallest, std::int32_t max_depth) {
  const std::size_t n = a.indptr.size() - 1;
  levels.assign(n, -1), smallest.assign(n, -1);
  std::vector<Index> frontier;
  for (Index s : sources)
    if (levels[s] < 0) levels[s] = 0, smallest[s] = s, frontier.push_back(s);
  for (std::int32_t level = 0; !frontier.empty() && level < max_depth; ++level) {
    std::vector<Index> next;
    for (Index u : frontier)
      for (Offset e = a.indptr[u]; e < a.indptr[u + 1]; ++e) {
        const Index v = a.indices[e];
        if (levels[v] < 0) levels[v] = level + 1, next.push_back(v);
        if (levels[v] == level + 1 && (smallest[v] < 0 || u < smallest[v])) smallest[v] = u;
      }
    frontier = next;
  }
}

template <class Index, class Offset>
void check_result(const Matrix<Index, Offset>& a, const std::vector<std::int32_t>& want,
                  const std::vector<Index>& smallest, const Index* parents, const std::int32_t* levels,
                  bool deterministic) {
  for (std::size_t v = 0; v < want.size(); ++v) {
    if (levels) CHECK(levels[v] == want[v]);
    if (!parents) continue;
    CHECK((parents[v] >= 0) == (want[v] >= 0));
    if (deterministic) CHECK(parents[v] == smallest[v]);
    if (want[v] == 0) CHECK(parents[v] == Index(v));
    if (want[v] > 0) CHECK(want[parents[v]] == want[v] - 1 && a.has(parents[v], v));
  }
}

// Some of our arms, or none, in any order.
static std::vector<int> random_arms(Random& random, int size) {
  std::vector<int> arms(size);
  for (int& arm : arms) arm = int(below(random, kArmCount));
  return arms;
}

static Tree random_tree(Random& random) {
  Tree t;
  for (int i = 0; i < 7; ++i) {
    t.feature.push_back(i < 3 ? int(below(random, Features::kCount)) : -1);
    t.threshold.push_back(double(below(random, 50)));
    t.left.push_back(2 * i + 1), t.right.push_back(2 * i + 2);
  }
  t.arm = random_arms(random, 7);
  return t;
}

static Costs random_costs(Random& random) {
  Costs c;
  c.arms = random_arms(random, kArmCount), c.engine_count = 1 + int(below(random, 3));
  for (int i = 0; i < kArmCount; ++i) c.engines.push_back(int(below(random, c.engine_count)));
  c.cache = 1 + double(below(random, 1000)), c.ahead = int(below(random, 3));
  for (int k = 0; k < kArmCount * Quantities::kCount; ++k) c.coefficients.push_back(double(below(random, 9)) - 4);
  for (double each : c.coefficients) c.alone.push_back(below(random, 3) == 0 ? 0 : 2 * each);
  c.threads = 1 + int(below(random, 4));
  c.moves.assign((c.engine_count + 1) * c.engine_count * Quantities::kCount, double(below(random, 3)));
  return c;
}

// Of every arm of the costs; what it knows beforehand makes it decide on any share of the threads.
static Learning random_learning(Random& random) {
  Learning l;
  std::vector<int> arms, groups;
  std::vector<double> priors;
  for (int row = 0; row < kArmCount * kShares; ++row) {
    groups.push_back(int(below(random, 4))), priors.push_back(double(below(random, 9)) / 2 - 2);
    arms.push_back(row / kShares);
    if (row % kShares == 0) l.rows.push_back(row);
  }
  l.experience = std::make_shared<Experience>(arms, groups, priors, double(below(random, 2000)));
  for (std::int64_t search = below(random, 5); search > 0; --search) l.experience->end_search(below(random, 2) == 0);
  l.experience->spend(double(below(random, 1000)) * 1e9);  // so that ways are tried
  return l;
}

static Policy random_policy(Random& random) {
  Policy p;
  p.kind = Policy::Kind(below(random, 5));
  p.fixed = int(below(random, kArmCount));
  p.beamer = {double(below(random, 30)), double(below(random, 30)), int(below(random, 3)), 3 + int(below(random, 2))};
  p.tree = random_tree(random), p.costs = random_costs(random), p.script = random_arms(random, 4);
  if (p.kind == Policy::kCosts && below(random, 3) > 0) p.learning = random_learning(random);
  p.validate();
  return p;
}

template <class Index>
struct Arrays {
  std::vector<Index> parents;
  std::vector<std::int32_t> levels;
  Target<Index> target;
  Arrays(Random& random, std::int64_t n) : parents(n, 77), levels(n, 77) {
    const std::int64_t which = below(random, 3);
    target.parents = which == 1 ? nullptr : parents.data();
    target.levels = which == 0 ? nullptr : levels.data();
    target.smallest = below(random, 3) == 0;
    target.threads = 1 + int(below(random, 4));
  }
};

// The vertices of each level, their edges, and what is left of both.
template <class Index, class Offset>
void check_trace(const Matrix<Index, Offset>& a, const std::vector<std::int32_t>& levels, const Outcome<Index>& out) {
  std::vector<double> sizes(out.level + 1), edges(out.level + 1);
  for (std::size_t v = 0; v < levels.size(); ++v)
    if (levels[v] >= 0) ++sizes[levels[v]], edges[levels[v]] += double(a.csr().degree(std::int64_t(v)));
  double left = double(levels.size()), edges_left = double(a.csr().edges());
  for (std::size_t i = 0; i < out.trace.size(); ++i) {
    const TraceRow& row = out.trace[i];
    CHECK(row.level == double(i) && row.arm >= 0 && row.arm < kArmCount && row.form >= 0 && row.form <= 2);
    CHECK(row.seconds >= 0 && row.choosing >= 0 && row.threads >= 1);
    CHECK(row.frontier_size == sizes[i] && row.frontier_edges == edges[i]);
    CHECK(row.unvisited_size == (left -= sizes[i]) && row.unvisited_edges == (edges_left -= edges[i]));
  }
  if (!out.frontier.empty()) CHECK(out.features.frontier_edges == edges[out.level]);
}

template <class Index, class Offset>
void search_whole(Random& random, Engine<Index, Offset>& engine, const Matrix<Index, Offset>& a) {
  std::vector<Index> sources(1 + below(random, 3));
  for (Index& s : sources) s = Index(below(random, engine.n()));
  Arrays<Index> arrays(random, engine.n());
  const Policy policy = random_policy(random);
  Request<Index> request;
  request.policy = &policy;
  if (below(random, 4) == 0) request.max_depth = std::int32_t(below(random, 5));
  const auto out = engine.search(sources.data(), std::int64_t(sources.size()), arrays.target, request);
  std::vector<std::int32_t> levels;
  std::vector<Index> smallest;
  plain_bfs(a, sources, levels, smallest, request.max_depth);
  check_result(a, levels, smallest, arrays.target.parents, arrays.target.levels, arrays.target.smallest);
  CHECK(out.reached == std::count_if(levels.begin(), levels.end(), [](auto l) { return l >= 0; }));
  CHECK((out.reason == Reason::kDone) == out.frontier.empty());
  for (Index v : out.frontier) CHECK(levels[v] == out.level);
  std::int64_t counted = std::int64_t(out.frontier.size());
  for (const TraceRow& row : out.trace) counted += std::int64_t(row.frontier_size);
  CHECK(counted == out.reached);
  CHECK(out.features.frontier_size == double(out.frontier.size()) && out.features.level == out.level);
  CHECK(out.features.unvisited_size == double(engine.n() - out.reached));
  check_trace(a, levels, out);
}

// Names, order and values before the first level; fields by number are those by name.
static void test_features() {
  const char* const names[] = {"n",
                               "m",
                               "early_exit",
                               "barren",
                               "frontier_size",
                               "frontier_edges",
                               "unvisited_size",
                               "unvisited_edges",
                               "level",
                               "previous_size",
                               "arm",
                               "form",
                               "novelty"};
  Features f;
  CHECK(Features::kCount == sizeof names / sizeof *names && sizeof kFeatures == sizeof names);
  for (int i = 0; i < Features::kCount; ++i) {
    const std::string name = names[i];
    CHECK(name == kFeatures[i]);
    CHECK(f.at(i) == (name == "early_exit" || name == "novelty" ? 1 : name == "arm" ? -1 : 0));
    f.*kFeatureFields[i] = 100 + i;
    CHECK(f.at(i) == 100 + i);
  }
  CHECK(f.n == 100 && f.early_exit == 102 && f.frontier_size == 104 && f.arm == 110 && f.novelty == 112);
  CHECK(sizeof kTrace / sizeof *kTrace == 10 && std::string(kTrace[5]) == "arm" && std::string(kTrace[9]) == "threads");
  CHECK(sizeof kQuantities / sizeof *kQuantities == Quantities::kCount);
  CHECK(std::string(kQuantities[Quantities::k_frontier]) == "frontier");
  CHECK(direction_of(kNone) == -1 && direction_of(kOtherPush) == 0 && direction_of(kOtherPull) == 1);
  for (int arm = 0; arm < kArmCount; ++arm)
    CHECK(direction_of(arm) == (std::string(kArms[arm]).substr(0, 4) == "pull"));
}

static void check_same(const Features& a, const Features& b) {
  for (int i = 0; i < Features::kCount; ++i) CHECK(a.at(i) == b.at(i));
}

// Level by level, another arm each time, from the arrays and the frontier alone.
template <class Index, class Offset>
void search_in_steps(Random& random, Engine<Index, Offset>& engine, const Matrix<Index, Offset>& a) {
  const std::vector<Index> sources{Index(below(random, engine.n()))};
  Arrays<Index> arrays(random, engine.n());
  Policy policy;
  policy.kind = Policy::kFixed, policy.fixed = int(below(random, kArmCount));
  Request<Index> request;
  request.policy = &policy, request.max_levels = below(random, 2);
  auto out = engine.search(sources.data(), 1, arrays.target, request);
  while (out.reason != Reason::kDone) {
    CHECK(out.reason == Reason::kLevels);
    policy.fixed = int(below(random, kArmCount));
    request.features = out.features, request.max_levels = 1 + below(random, 3);
    arrays.target.threads = 1 + int(below(random, 4));
    const auto frontier = out.frontier;
    const auto size = std::int64_t(frontier.size());
    const Request<Index> none = [&] {
      auto r = request;
      return r.max_levels = 0, r;
    }();
    check_same(engine.advance(frontier.data(), size, arrays.target, none).features, out.features);
    out = engine.advance(frontier.data(), size, arrays.target, request);
    CHECK(out.trace.empty() || int(out.features.arm) == policy.fixed);
  }
  std::vector<std::int32_t> levels;
  std::vector<Index> smallest;
  plain_bfs(a, sources, levels, smallest, 1 << 30);
  check_result(a, levels, smallest, arrays.target.parents, arrays.target.levels, arrays.target.smallest);
}

// From the start, and then from a level in between: until all targets are visited, not sooner, or to the end.
template <class Index, class Offset>
void search_for_targets(Random& random, Engine<Index, Offset>& engine, const Matrix<Index, Offset>& a) {
  const std::vector<Index> sources{Index(below(random, engine.n()))};
  Arrays<Index> arrays(random, engine.n());
  const Policy policy = random_policy(random);
  Request<Index> request;
  request.policy = &policy;
  for (std::int64_t i = below(random, 4); i >= 0; --i) request.targets.push_back(Index(below(random, engine.n())));
  if (below(random, 4) == 0) request.targets.assign(2, sources[0]);
  request.max_levels = below(random, 2) ? below(random, 3) : request.max_levels;
  auto out = engine.search(sources.data(), 1, arrays.target, request);
  std::vector<std::int32_t> levels;
  std::vector<Index> smallest;
  plain_bfs(a, sources, levels, smallest, 1 << 30);
  std::int32_t last = 0;
  bool all = true;
  for (Index t : request.targets) all &= levels[t] >= 0, last = std::max(last, levels[t]);
  if (out.reason == Reason::kLevels) {
    CHECK(!all || out.level < last);
    request.features = out.features, request.max_levels = std::numeric_limits<std::int64_t>::max();
    const auto frontier = out.frontier;
    out = engine.advance(frontier.data(), std::int64_t(frontier.size()), arrays.target, request);
  }
  CHECK(out.reason == (all ? Reason::kTarget : Reason::kDone));
  if (all) CHECK(out.level == last);
}

template <class Index, class Offset>
void test_traversal(Random& random) {
  const std::int64_t n = 1 + below(random, below(random, 10) ? 300 : 20000);
  const bool symmetric = below(random, 2);
  const Edges edges = random_edges(random, n, symmetric);
  const auto a = matrix_of<Index, Offset>(edges, n, n), at = matrix_of<Index, Offset>(flipped(edges), n, n);
  Engine<Index, Offset> engine(a.csr(), symmetric ? a.csr() : at.csr());
  for (int half = 0; half < 2; ++half) {
    for (int i = 0; i < 3; ++i) search_whole(random, engine, a);
    for (int i = 0; i < 2; ++i) search_in_steps(random, engine, a);
    for (int i = 0; i < 4; ++i) search_for_targets(random, engine, a);
    engine.optimize(2, nullptr);
  }
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      Random own(seed + 1000003u * unsigned(t));
      for (int i = 0; i < 3; ++i) search_whole(own, engine, a);
    });
  for (auto& t : threads) t.join();
}

// One engine, not seen before, by several threads at once, each of which asks for the team: searches, some of which
// find a layout in the midst of them, and those who make it.
template <class Index, class Offset>
void test_at_once(Random& random) {
  const std::int64_t n = 3000;
  Edges edges;
  while (std::int64_t(edges.size()) < 12 * n) edges.emplace(below(random, n), below(random, 1 + below(random, n)));
  const auto a = matrix_of<Index, Offset>(edges, n, n), at = matrix_of<Index, Offset>(flipped(edges), n, n);
  Engine<Index, Offset> engine(a.csr(), at.csr());
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      Random own(seed + 1000003u * unsigned(t));
      if (t % 3 == 2) engine.optimize(3, nullptr);
      for (int i = 0; i < 4; ++i) search_whole(own, engine, a), search_in_steps(own, engine, a);
    });
  for (auto& t : threads) t.join();
  CHECK(engine.layout());
}

// All layouts on one graph: the kind is chosen from statistics that small graphs seldom meet.
template <class Index, class Offset>
void test_layouts(Random& random) {
  for (Kind kind : {Kind::kHubs, Kind::kFirst, Kind::kLocality}) {
    const std::int64_t n = 4000;
    Edges edges;
    const auto add = [&](std::int64_t u, std::int64_t v) { edges.emplace(u, v), edges.emplace(v, u); };
    for (std::int64_t v = 1; v < n - 50; ++v) {
      if (kind == Kind::kHubs) add(v, below(random, 1 + below(random, v))), add(v, below(random, 40));
      if (kind == Kind::kFirst) add(v, below(random, n)), add(v, below(random, n));
      if (kind == Kind::kLocality) add(v, v - 1 - below(random, std::min<std::int64_t>(v, 3)));
    }
    const auto a = matrix_of<Index, Offset>(edges, n, n);
    Engine<Index, Offset> engine(a.csr(), a.csr());
    engine.optimize(2, nullptr);
    CHECK(engine.layout()->kind == kind);
    for (int i = 0; i < 4; ++i) search_whole(random, engine, a), search_in_steps(random, engine, a);
  }
}
