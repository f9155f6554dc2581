// Paths that random graphs seldom take: rows for the whole team, arms in turns on relabelled graphs, stopping anywhere.
#pragma once

#include <atomic>

#include "search.hpp"

static Policy script_of(std::vector<int> arms) {
  Policy policy;
  policy.kind = Policy::kScript, policy.script = std::move(arms);
  policy.validate();
  return policy;
}

// These arms again and again, for as many levels as a test has.
static Policy in_turns(const std::vector<int>& arms) {
  std::vector<int> script;
  for (int k = 0; k < 100; ++k) script.insert(script.end(), arms.begin(), arms.end());
  return script_of(std::move(script));
}

// One search by a policy; parents and levels both, against plain code.
template <class Index, class Offset>
Outcome<Index> search_by(Engine<Index, Offset>& engine, const Matrix<Index, Offset>& a, Index source,
                         const Policy& policy, bool smallest, int threads, std::int32_t depth = 1 << 30) {
  std::vector<Index> parents(engine.n(), 77), best;
  std::vector<std::int32_t> levels(engine.n(), 77), want;
  Request<Index> request;
  request.policy = &policy, request.max_depth = depth;
  const auto out = engine.search(&source, 1, {parents.data(), levels.data(), smallest, threads}, request);
  plain_bfs(a, {source}, want, best, depth);
  check_result(a, want, best, parents.data(), levels.data(), smallest);
  check_trace(a, want, out);
  std::vector<Index> last;
  for (std::int64_t v = 0; v < engine.n() && out.reason != Reason::kDone; ++v)
    if (want[v] == out.level) last.push_back(Index(v));
  CHECK(out.frontier == last);
  return out;
}

// A thin level of rows that are the whole team's: fewer and more than it takes at once.
template <class Index, class Offset>
void test_heavy_rows(Random& random) {
  const std::int64_t n = 1 << 14, sink = n / 2;
  for (const std::int64_t count : {1, 3, 4, 5, 9}) {
    Edges edges;
    for (std::int64_t u = 1; u <= count; ++u) {
      edges.emplace(0, u);
      const std::int64_t degree = kHeavyRow + 1 + below(random, 20);
      for (std::int64_t k = 0; k < degree; ++k) edges.emplace(u, 20 + below(random, 300));
    }
    for (std::int64_t k = 0; k <= kTeamEdges; ++k) edges.emplace(sink + k, sink + k + 1);  // the team is awake
    const auto a = matrix_of<Index, Offset>(edges, n, n), at = matrix_of<Index, Offset>(flipped(edges), n, n);
    Engine<Index, Offset> engine(a.csr(), at.csr());
    for (const bool smallest : {false, true}) search_by<Index>(engine, a, 0, script_of({kPushQueue}), smallest, 3);
  }
}

// A hub of more edges than a byte counts, behind a layout and without: the edges of its level are known.
template <class Index, class Offset>
void test_long_rows() {
  const std::int64_t n = 2000;
  Edges edges;
  for (std::int64_t v = 1; v < n; ++v) edges.emplace(0, v), edges.emplace(v, 0);
  const auto a = matrix_of<Index, Offset>(edges, n, n);
  for (int arm = 0; arm < kArmCount; ++arm) {
    Engine<Index, Offset> engine(a.csr(), a.csr());
    search_by<Index>(engine, a, Index(n - 1), script_of({arm}), false, 2);
    engine.optimize(2, nullptr);
    search_by<Index>(engine, a, Index(n - 1), script_of({arm}), false, 2);
  }
}

// A grid in patches: levels are claimed, and the claims settled before a list of the unvisited takes their place.
template <class Index, class Offset>
void test_turns(Random& random) {
  const std::int64_t side = 60, n = side * side;
  Edges edges;
  for (std::int64_t v = 0; v < n; ++v) {
    if (v % side + 1 < side) edges.emplace(v, v + 1), edges.emplace(v + 1, v);
    if (v + side < n) edges.emplace(v, v + side), edges.emplace(v + side, v);
  }
  const auto a = matrix_of<Index, Offset>(edges, n, n);
  Engine<Index, Offset> engine(a.csr(), a.csr());
  for (int half = 0; half < 2; ++half) {
    for (const int pull : {kPullBitmap, kPullList})
      for (const int push : {kPushQueue, kPushScan})
        for (const bool smallest : {false, true})
          for (const int depth : {1 << 30, 3, 6, 30})  // and where pulls end it, which leave a bitmap
            search_by<Index>(engine, a, Index(below(random, n)), in_turns({push, push, pull}), smallest, 3, depth);
    engine.optimize(2, nullptr);
    CHECK(engine.layout()->kind == Kind::kLocality);
  }
}

// Notes in two sets, made by hand: which thread makes which is chance, and one of them may make all.
template <bool Smallest, class Index>
void sweep_two_sets(Random& random) {
  const std::int64_t n = 1 + below(random, 400);
  const auto a = matrix_of<Index>({}, n, n);
  const auto view = plain_view(a.csr(), a.csr());
  Workspace<Index> work(n);
  Lease lease(1);
  Signals signals;
  std::vector<Index> parents(n, -1);
  State<Index, Index> s(view, work, lease, signals, parents.data(), nullptr, Smallest);
  s.unvisited.reset();
  const Notes<Index> notes(s, true);
  std::vector<std::vector<Index>> noted(n);
  for (std::int64_t k = below(random, n); k > 0; --k) {
    const Index v = Index(below(random, n)), u = Index(below(random, n));
    const Noter<Smallest, Index> note{notes.of_thread(int(below(random, 4)))};
    note(u, &v, &v + 1), noted[v].push_back(u);
  }
  sweep_all<Smallest>(s, notes);
  for (std::int64_t v = 0; v < n; ++v) {
    const auto& from = noted[v];
    CHECK(test(s.frontier.as_bitmap(), v) == !from.empty());
    CHECK(from.empty() ? parents[v] < 0 : std::count(from.begin(), from.end(), parents[v]) > 0);
    if (Smallest && !from.empty()) CHECK(parents[v] == *std::min_element(from.begin(), from.end()));
    CHECK(notes.of_thread(0)[v] < 0 && notes.of_thread(1)[v] < 0);
  }
}

static std::atomic<int> patience;
static bool impatient() { return patience.fetch_sub(1) <= 0; }

// Whether a level, or what else it is, stops when told to at the second look.
template <class F>
bool stops(F&& run) {
  patience = 1;
  try {
    run();
  } catch (const Interrupted&) {
    return true;
  }
  return false;
}

// The first look is before the level, the second in it: every kernel has one. Of a team, whoever comes first may do it
// all, so that one time in some is enough. What was stopped leaves nothing behind.
template <class Index, class Offset>
void test_stopping(Random& random) {
  const std::int64_t n = below(random, 2) ? 600 : 20000, width = 100;
  Edges edges;
  for (std::int64_t v = 1; v <= width; ++v) {
    edges.emplace(0, v);
    for (int k = 0; k < 5; ++k) edges.emplace(v, width + 1 + below(random, 300));
  }
  for (std::int64_t k = 0; k < 500; ++k) edges.emplace(below(random, n), below(random, n));
  const auto a = matrix_of<Index, Offset>(edges, n, n), at = matrix_of<Index, Offset>(flipped(edges), n, n);
  Engine<Index, Offset> engine(a.csr(), at.csr());
  std::vector<Index> frontier, parents;
  std::vector<std::int32_t> levels;
  for (int arm = 0; arm < kArmCount; ++arm)
    for (const int threads : {1, 3})
      for (const bool smallest : {false, true}) {
        const Policy policy = script_of({arm});
        bool stopped = false;
        for (int tries = 0; tries < 50 && !stopped; ++tries) {
          parents.assign(n, -1), levels.assign(n, -1), frontier.clear();
          for (std::int64_t v = 1; v <= width; ++v) parents[v] = 0, levels[v] = 1, frontier.push_back(Index(v));
          Request<Index> request;
          request.policy = &policy, request.max_levels = 1, request.features.level = 1;
          const Target<Index> to{parents.data(), levels.data(), smallest, threads, impatient};
          stopped = stops([&] { engine.advance(frontier.data(), width, to, request); });
          if (threads == 1) break;
        }
        CHECK(stopped);
        search_by<Index>(engine, a, 0, policy, smallest, threads);
      }
}
