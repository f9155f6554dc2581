// Traversal: levels run one after the other for as long as the policy keeps an arm of ours.
//
//   frontier⟨¬visited, replace⟩ = frontier any.secondi A;   visited = visited ∪ frontier
//
// Encodings: parents -1 unreached, a source is its own parent; levels -1 unreached, a source 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "decisions.hpp"
#include "fifo.hpp"
#include "policy.hpp"
#include "pull.hpp"
#include "push.hpp"
#include "state.hpp"
#include "targets.hpp"
#include "trace.hpp"

namespace lagbfs {

enum class Reason { kDone, kDepth, kLevels, kTarget, kPolicy };
constexpr const char* kReasons[] = {"done", "depth", "levels", "target", "policy"};

// What to run. Of the features, those of the level before are read, and the level; all others are the state's.
// `targets` are the user's labels: the search stops once all of them are visited. `in_order`: first in, first out,
// which has rules of its own for arms (fifo.hpp); from the sources on, in the user's labels, with parents.
template <class Index>
struct Request {
  const Policy* policy = nullptr;
  std::int32_t max_depth = std::numeric_limits<std::int32_t>::max();
  std::int64_t max_levels = std::numeric_limits<std::int64_t>::max();
  Features features;
  std::vector<Index> targets;
  bool in_order = false;
};

template <class Index>
struct Outcome {
  Reason reason = Reason::kDone;
  std::int32_t level = 0;
  std::int64_t reached = 0;     // visited vertices
  std::vector<Index> frontier;  // in the user's labels, ascending
  std::vector<TraceRow> trace;
  Features features;  // of the level to come
};

// What a policy may know of the level to come: of the level before it what `f` has, all else from the state.
template <class Index, class Offset>
void look(const State<Index, Offset>& s, Features& f) {
  f.frontier_size = double(s.frontier.size()), f.frontier_edges = double(s.frontier.edges());
  f.unvisited_size = double(s.unvisited.size()), f.unvisited_edges = double(s.unvisited.edges());
  f.level = double(s.level), f.form = s.frontier.form();
}

// The same, with what does not change during a search.
template <class Index, class Offset>
Features features_of(const State<Index, Offset>& s, const Features& before) {
  Features f = before;
  f.n = double(s.view.n), f.m = double(s.view.edges), f.barren = double(s.view.barren_count), f.early_exit = 1;
  look(s, f);
  return f;
}

// What the level of these features, computed by this arm, leaves to the next.
inline void look_back(Features& f, int arm, std::int64_t found) {
  f.novelty = novelty_after(f, double(found));
  f.previous_size = f.frontier_size, f.arm = arm;
}

inline TraceRow row_of(const Features& f, int arm, int threads, double choosing, double seconds) {
  TraceRow row;
  row.level = f.level, row.frontier_size = f.frontier_size, row.frontier_edges = f.frontier_edges;
  row.unvisited_size = f.unvisited_size, row.unvisited_edges = f.unvisited_edges, row.form = f.form;
  row.arm = arm, row.threads = threads, row.choosing = choosing, row.seconds = seconds;
  return row;
}

// The frontier in the user's labels, ascending.
template <class Index, class Offset>
std::vector<Index> export_frontier(State<Index, Offset>& s) {
  const Span<const Index> queue = s.frontier.as_queue();
  std::vector<Index> frontier(queue.begin(), queue.end());
  for (Index& v : frontier) v = s.view.to_user(v);
  std::sort(frontier.begin(), frontier.end());
  return frontier;
}

template <class Index, class Offset>
void run_level(State<Index, Offset>& s, int arm) {
  if (s.level >= kNarrowLevels) s.widen();
  direction_of(arm) == 1 ? pull(s, arm) : push(s, arm);
  s.signals.check();
  ++s.level;
  s.unvisited.count_visited(s.frontier.tally());
}

// What a search in order has found of the level to come.
template <class Index, class Offset>
void look(const State<Index, Offset>& s, const Fifo<Index, Offset>& fifo, Features& f) {
  f.frontier_size = double(fifo.size()), f.frontier_edges = double(fifo.edges());
  f.unvisited_size = double(s.view.n - fifo.reached());
  f.unvisited_edges = double(fifo.unvisited_edges(fifo.edges())), f.level = double(s.level);
}

// First in, first out. The trace has a row for levels in a row by the same arm.
template <class Index, class Offset>
Outcome<Index> run_in_order(State<Index, Offset>& s, const Request<Index>& request) {
  Outcome<Index> out;
  Fifo<Index, Offset> fifo(s);
  Awaited<Index> targets(s, request.targets);
  Features& f = out.features = features_of(s, request.features);
  const auto stop = [&] {
    out.reason = fifo.size() == 0                             ? Reason::kDone
                 : targets.all_visited(s.unvisited.visited()) ? Reason::kTarget
                 : s.level >= request.max_depth               ? Reason::kDepth
                                                              : Reason::kPolicy;
    return out.reason != Reason::kPolicy;
  };
  const bool watched = !request.targets.empty() || request.max_depth < s.view.n;
  for (double before = now(); !stop();) {
    const int arm = fifo.choose();
    const double chosen = now();
    const std::int64_t known = fifo.reached();
    arm == kPullList ? fifo.pull() : fifo.push(stop, watched);
    const double after = now();
    out.trace.push_back(row_of(f, arm, 1, chosen - before, after - chosen));
    look_back(f, arm, fifo.reached() - known), look(s, fifo, f);
    before = after;
  }
  out.level = s.level, out.reached = fifo.reached();
  out.frontier.assign(fifo.frontier().begin(), fifo.frontier().end());
  std::sort(out.frontier.begin(), out.frontier.end());
  return out;
}

template <class Index, class Offset>
Outcome<Index> run_levels(State<Index, Offset>& s, const Request<Index>& request) {
  Outcome<Index> out;
  Awaited<Index> targets(s, request.targets);
  out.trace.reserve(16);
  Features& f = out.features = features_of(s, request.features);
  Decisions decisions(*request.policy, s.lease.wanted());
  double before = now();
  for (std::int64_t run = 0;; ++run) {
    out.reason = Reason::kDone;
    if (s.frontier.size() == 0) break;
    if (targets.all_visited(s.unvisited.visited())) {
      out.reason = Reason::kTarget;
      break;
    }
    if (s.level >= request.max_depth) {
      out.reason = Reason::kDepth;
      break;
    }
    if (run >= request.max_levels) {
      out.reason = Reason::kLevels;
      break;
    }
    const Choice choice = decisions.next(f);
    if (choice.arm == kNotMine) {
      out.reason = Reason::kPolicy;
      break;
    }
    s.lease.use(choice.threads);
    const double chosen = now();
    s.signals.tick(0, chosen);
    run_level(s, choice.arm);
    const double after = now();
    decisions.took(after - chosen, s.lease.size(), s.lease.refused());
    out.trace.push_back(row_of(f, choice.arm, s.lease.size(), chosen - before, after - chosen));
    look_back(f, choice.arm, s.frontier.size()), look(s, f);
    before = after;
  }
  s.lease.use(s.lease.has_team() ? 0 : 1);
  s.claims.settle();
  s.widen();
  if (out.reason == Reason::kDone) decisions.end();
  out.level = s.level, out.reached = s.view.n - s.unvisited.size();
  if (s.frontier.size() > 0) out.frontier = export_frontier(s), f.form = Frontier<Index>::kBoth;
  return out;
}

}  // namespace lagbfs
