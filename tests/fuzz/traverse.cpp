// Searches by every arm, layout, policy and number of threads, whole or in parts, against a serial search.
#include "../native/search.hpp"
#include "input.hpp"

static std::vector<int> arms_of(Input& input, std::int64_t size) {
  std::vector<int> arms(size);
  for (int& arm : arms) arm = int(input.below(kArmCount));
  return arms;
}

static Policy policy_of(Input& input) {
  Policy p;
  const std::int64_t kind = input.below(3);
  p.kind = kind == 0 ? Policy::kScript : kind == 1 ? Policy::kFixed : Policy::kBeamer;
  p.script = arms_of(input, 4), p.fixed = p.script[0];
  p.beamer = {double(input.below(30)), double(input.below(30)), int(input.below(3)), 3 + int(input.below(2))};
  p.validate();
  return p;
}

// How one search is to be done.
template <class Index>
struct Task {
  Task(Input& input, std::int64_t n)
      : policy(policy_of(input)), parents(n, 77), levels(n, 77), sources(1 + input.below(3)), targets(input.below(3)) {
    for (auto* vertices : {&sources, &targets})
      for (Index& v : *vertices) v = Index(input.below(n));
    const std::int64_t wanted = input.below(3);
    target = {wanted == 1 ? nullptr : parents.data(), wanted == 0 ? nullptr : levels.data(), input.flag(),
              threads_of(input)};
    request.policy = &policy, request.targets = targets;
    if (input.flag()) request.max_depth = std::int32_t(input.below(8));
    step = input.flag() ? 1 + input.below(4) : std::numeric_limits<std::int64_t>::max();
  }

  Policy policy;
  std::vector<Index> parents;
  std::vector<std::int32_t> levels;
  std::vector<Index> sources, targets;
  Target<Index> target;
  Request<Index> request;
  std::int64_t step;
};

// A few levels at a time, each time from the arrays and the frontier alone.
template <class Index, class Offset>
Outcome<Index> run(Engine<Index, Offset>& engine, Task<Index>& task) {
  task.request.max_levels = task.step;
  auto out = engine.search(task.sources.data(), std::int64_t(task.sources.size()), task.target, task.request);
  while (out.reason == Reason::kLevels) {
    const std::vector<Index> frontier = out.frontier;
    task.request.features = out.features;
    out = engine.advance(frontier.data(), std::int64_t(frontier.size()), task.target, task.request);
  }
  return out;
}

// The level at which the search ends: that of the last target if all are within reach.
template <class Index>
std::int32_t depth_of(const Task<Index>& task, const std::vector<std::int32_t>& levels) {
  std::int32_t last = 0;
  for (Index t : task.targets)
    last = levels[t] < 0 ? std::numeric_limits<std::int32_t>::max() : std::max(last, levels[t]);
  const bool all = !task.targets.empty() && last < std::numeric_limits<std::int32_t>::max();
  return all ? std::min(last, task.request.max_depth) : task.request.max_depth;
}

template <class Index, class Offset>
void check(Input& input) {
  const std::int64_t n = 1 + input.below(600);
  const bool symmetric = input.flag(), optimized = input.flag();
  Task<Index> first(input, n), second(input, n);
  const Edges edges = edges_of(input, n, n, symmetric);
  const auto a = matrix_of<Index, Offset>(edges, n, n), at = matrix_of<Index, Offset>(flipped(edges), n, n);
  Engine<Index, Offset> engine(a.csr(), symmetric ? a.csr() : at.csr());
  if (optimized) engine.optimize(first.target.threads, nullptr);
  for (Task<Index>* task : {&first, &second}) {
    const auto out = run(engine, *task);
    std::vector<std::int32_t> levels;
    std::vector<Index> smallest;
    plain_bfs(a, task->sources, levels, smallest, std::numeric_limits<std::int32_t>::max());
    const std::int32_t depth = depth_of(*task, levels);
    plain_bfs(a, task->sources, levels, smallest, depth);
    check_result(a, levels, smallest, task->target.parents, task->target.levels, task->target.smallest);
    CHECK(out.reached == std::count_if(levels.begin(), levels.end(), [](auto l) { return l >= 0; }));
    std::vector<Index> frontier;
    for (std::int64_t v = 0; v < n; ++v)
      if (levels[v] == out.level) frontier.push_back(Index(v));
    CHECK(out.frontier == frontier && (out.reason == Reason::kDone) == frontier.empty());
    CHECK(out.features.unvisited_size == double(n - out.reached));
  }
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  switch (input.below(3)) {
    case 0:
      return check<std::int32_t, std::int32_t>(input), 0;
    case 1:
      return check<std::int32_t, std::int64_t>(input), 0;
    default:
      return check<std::int64_t, std::int64_t>(input), 0;
  }
}
