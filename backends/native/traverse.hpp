// Traversal: levels run one after the other for as long as the policy keeps an arm of ours.
//
//   frontier⟨¬visited, replace⟩ = frontier any.secondi A;   visited = visited ∪ frontier
//
// Encodings: parents -1 unreached, a source is its own parent; levels -1 unreached, a source 0.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

#include "frontier.hpp"
#include "policy.hpp"
#include "pull.hpp"
#include "push.hpp"
#include "targets.hpp"
#include "trace.hpp"

namespace lagbfs {

enum class Reason { kDone, kDepth, kLevels, kTarget, kPolicy };
constexpr const char* kReasons[] = {"done", "depth", "levels", "target", "policy"};

// What to run. Of the features, those of the level before are read, and the level; all others are the state's.
// `targets` are the user's labels: the search stops once all of them are visited.
template <class Index>
struct Request {
  const Policy* policy = nullptr;
  std::int32_t max_depth = std::numeric_limits<std::int32_t>::max();
  std::int64_t max_levels = std::numeric_limits<std::int64_t>::max();
  Features features;
  std::vector<Index> targets;
};

template <class Index>
struct Outcome {
  Reason reason = Reason::kDone;
  std::int32_t level = 0;
  std::int64_t reached = 0;      // visited vertices
  std::vector<Index> frontier;   // in the user's labels, ascending
  std::vector<TraceRow> trace;
  Features features;             // of the level to come
};

// All unvisited but the sources. parents and levels hold nothing yet.
template <class Index>
void start_fresh(State<Index>& s, const Index* sources, std::int64_t count) {
  const auto blank = [&](auto* array) {
    if (!array) return;
    const std::int64_t chunk = std::clamp<std::int64_t>(s.view.n / 8, 1 << 15, 1 << 18);
    s.lease.chunks(s.view.n, chunk, [&](int, std::int64_t begin, std::int64_t end) {
      std::memset(array + begin, 0xff, (end - begin) * sizeof(*array));
    });
  };
  blank(s.parents), blank(s.levels);
  clear_visited(s);
  s.level = -1;
  const Settler<Index> settle = s.settler();
  for (std::int64_t i = 0; i < count; ++i) {
    const Index v = s.view.to_label(sources[i]);
    if (s.reached(sources[i])) continue;
    insert_alone(s.seen(), v);
    settle(v, v);
    s.work.queue[s.tail++] = v;
    s.frontier += Tally{1, s.view.out.degree(v)};
  }
  s.level = 0, s.settled = s.tail;
  s.visited = s.frontier;
}

// The visited vertices of a search that somebody else began.
template <class Index>
void read_visited(State<Index>& s) {
  const auto is_visited = [&](std::int64_t v) { return s.reached(s.view.to_user(Index(v))); };
  Sum sum;
  clear_visited(s);
  s.lease.chunks(s.words(), 1024, [&](int, std::int64_t begin, std::int64_t end) {
    Tally tally;
    for (std::int64_t w = begin; w < end; ++w) {
      const std::int64_t last = std::min<std::int64_t>((w + 1) * kWordBits, s.view.active);
      for (std::int64_t v = w * kWordBits; v < last; ++v) {
        if (!is_visited(v)) continue;
        s.seen()[w] |= bit_of(v);
        tally += Tally{1, s.view.out.degree(v)};
      }
    }
    sum.add(tally);
  });
  s.visited = sum.total();
  for (std::int64_t v = s.view.active; v < s.view.n; ++v) s.visited.vertices += is_visited(v);
}

template <class Index>
void start_from(State<Index>& s, const Index* frontier, std::int64_t count) {
  read_visited(s);
  clear(s.front(), s.words());
  for (std::int64_t i = 0; i < count; ++i) {
    const Index v = s.view.to_label(frontier[i]);
    if (!test(s.seen(), v)) throw std::invalid_argument("a vertex of the frontier is not visited");
    if (!insert_alone(s.front(), v)) continue;
    s.work.queue[s.tail++] = v;
    s.frontier += Tally{1, s.view.out.degree(v)};
  }
  s.settled = s.tail, s.mapped = true;
}

// What a policy may know of the level to come, given what the one before has left.
template <class Index>
Features features_of(const State<Index>& s, const Features& before) {
  Features f = before;
  f.n = double(s.view.n), f.m = double(s.view.edges), f.barren = double(s.view.barren_count);
  f.frontier_size = double(s.frontier.vertices), f.frontier_edges = double(s.frontier.edges);
  f.unvisited_size = double(s.view.n - s.visited.vertices), f.unvisited_edges = double(s.unvisited_edges());
  f.level = double(s.level), f.form = s.queued && s.mapped ? 2 : s.mapped;
  return f;
}

// What the level of these features leaves to the next.
inline Features features_after(const Features& f, int arm, std::int64_t found) {
  Features after = f;
  after.previous_size = f.frontier_size, after.arm = arm, after.novelty = novelty_after(f, double(found));
  return after;
}

inline TraceRow row_of(const Features& f, int arm, double choosing, double seconds) {
  TraceRow row;
  row.level = f.level, row.frontier_size = f.frontier_size, row.frontier_edges = f.frontier_edges;
  row.unvisited_size = f.unvisited_size, row.unvisited_edges = f.unvisited_edges, row.form = f.form;
  row.arm = arm, row.choosing = choosing, row.seconds = seconds;
  return row;
}

// The frontier in the user's labels, ascending.
template <class Index>
std::vector<Index> export_frontier(State<Index>& s) {
  queue_frontier(s);
  const Index* queue = s.work.queue.data();
  std::vector<Index> frontier(queue + s.head, queue + s.tail);
  for (Index& v : frontier) v = s.view.to_user(v);
  std::sort(frontier.begin(), frontier.end());
  return frontier;
}

template <class Index>
void run_level(State<Index>& s, int arm) {
  direction_of(arm) == 1 ? pull(s, arm) : push(s, arm);
  s.signals.check();
  ++s.level;
  s.visited += s.frontier;
}

template <class Index>
Outcome<Index> run_levels(State<Index>& s, const Request<Index>& request) {
  Outcome<Index> out;
  Awaited<Index> targets(s, request.targets);
  out.trace.reserve(16);
  Features f = features_of(s, request.features);
  double before = now();
  for (std::int64_t run = 0;; ++run) {
    out.reason = Reason::kDone;
    if (s.frontier.vertices == 0) break;
    if (targets.all_visited(s.seen())) { out.reason = Reason::kTarget; break; }
    if (s.level >= request.max_depth) { out.reason = Reason::kDepth; break; }
    if (run >= request.max_levels) { out.reason = Reason::kLevels; break; }
    const int arm = request.policy->choose(f);
    if (arm == kNotMine) { out.reason = Reason::kPolicy; break; }
    const double chosen = now();
    s.signals.tick(0, chosen);
    run_level(s, arm);
    const double after = now();
    out.trace.push_back(row_of(f, arm, chosen - before, after - chosen));
    f = features_of(s, features_after(f, arm, s.frontier.vertices)), before = after;
  }
  settle_claims(s);
  out.level = s.level, out.reached = s.visited.vertices, out.features = f;
  if (s.frontier.vertices > 0) out.frontier = export_frontier(s), out.features.form = 2;
  return out;
}

}  // namespace lagbfs
