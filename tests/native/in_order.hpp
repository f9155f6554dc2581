// Searches in order, against one queue.
#pragma once

#include "paths.hpp"
#include "search.hpp"

// The order, the parents that go with it, and levels up to `depth`.
template <class Index>
struct Queued {
  std::vector<Index> order, parents;
  std::vector<std::int32_t> levels;
};

template <class Index, class Offset>
Queued<Index> plain_queue(const Matrix<Index, Offset>& a, const std::vector<Index>& sources, std::int32_t depth) {
  Queued<Index> q;
  q.parents.assign(a.indptr.size() - 1, -1), q.levels.assign(a.indptr.size() - 1, -1);
  const auto find = [&](Index v, Index parent, std::int32_t level) {
    if (q.parents[v] >= 0) return;
    q.parents[v] = parent, q.levels[v] = level, q.order.push_back(v);
  };
  for (Index s : sources) find(s, s, 0);
  for (std::size_t i = 0; i < q.order.size(); ++i) {
    const Index u = q.order[i];
    if (q.levels[u] >= depth) break;
    for (Offset e = a.indptr[u]; e < a.indptr[u + 1]; ++e) find(a.indices[e], u, q.levels[u] + 1);
  }
  return q;
}

template <class Index, class Offset>
void search_in_order(Random& random, Engine<Index, Offset>& engine, const Matrix<Index, Offset>& a) {
  const std::int64_t n = engine.n();
  std::vector<Index> sources(1 + below(random, 3)), parents(n, 77);
  std::vector<std::int32_t> levels(n, 77);
  for (Index& s : sources) s = Index(below(random, n));
  Request<Index> request;
  request.in_order = true;
  if (below(random, 3) == 0) request.max_depth = std::int32_t(below(random, 4));
  if (below(random, 3) == 0) request.targets.push_back(Index(below(random, n)));
  Recycled<Index> order(n + 1);
  const bool with_levels = below(random, 2);
  const Target<Index> to{
      parents.data(), with_levels ? levels.data() : nullptr, false, 1 + int(below(random, 4)), nullptr, &order};
  const auto out = engine.search(sources.data(), std::int64_t(sources.size()), to, request);
  Queued<Index> want = plain_queue(a, sources, request.max_depth);
  if (!request.targets.empty() && want.levels[request.targets[0]] >= 0) {
    const std::int32_t at = want.levels[request.targets[0]];
    want = plain_queue(a, sources, at);
    CHECK(out.level == at && out.reason == Reason::kTarget);
  }
  CHECK(out.reached == std::int64_t(want.order.size()) && parents == want.parents);
  CHECK(std::equal(want.order.begin(), want.order.end(), order.data()));
  if (with_levels) CHECK(levels == want.levels);
  CHECK(out.reason == Reason::kDone || out.level == *std::max_element(want.levels.begin(), want.levels.end()));
  std::vector<Index> last;
  for (std::int64_t v = 0; v < n; ++v)
    if (want.levels[v] == out.level) last.push_back(Index(v));
  CHECK(out.frontier == last && out.features.frontier_size == double(last.size()));
  CHECK(out.features.unvisited_size == double(n - out.reached) && out.features.level == out.level);
  double left = double(a.csr().edges());
  for (Index v : want.order) left -= double(a.csr().degree(v));
  CHECK(out.features.unvisited_edges == left);
  std::int64_t level = 0;
  for (const TraceRow& row : out.trace) {
    CHECK(row.level >= double(level) && row.seconds >= 0 && (row.arm == kPushQueue || row.arm == kPullList));
    level = std::int64_t(row.level) + 1;
  }
}

// The workspace is that of other searches, whose notes have to be blank; some come between.
template <class Index, class Offset>
void test_in_order(Random& random) {
  const std::int64_t n = 1 + below(random, below(random, 10) ? 300 : 5000);
  const bool symmetric = below(random, 2);
  const Edges edges = random_edges(random, n, symmetric);
  const auto a = matrix_of<Index, Offset>(edges, n, n), at = matrix_of<Index, Offset>(flipped(edges), n, n);
  Engine<Index, Offset> engine(a.csr(), symmetric ? a.csr() : at.csr());
  for (int half = 0; half < 2; ++half) {
    for (int i = 0; i < 4; ++i) search_in_order(random, engine, a), search_whole(random, engine, a);
    engine.optimize(2, nullptr);
  }
}

// A chain, whose levels are pushed in a row, stops when told to, and the next search is as any other.
template <class Index, class Offset>
void test_stopping_in_order(Random& random) {
  const std::int64_t n = 500;
  Edges edges;
  for (std::int64_t v = 0; v + 1 < n; ++v) edges.emplace(v, v + 1);
  const auto a = matrix_of<Index, Offset>(edges, n, n), at = matrix_of<Index, Offset>(flipped(edges), n, n);
  Engine<Index, Offset> engine(a.csr(), at.csr());
  std::vector<Index> parents(n);
  const Index source = 0;
  Request<Index> request;
  request.in_order = true;
  const Target<Index> to{parents.data(), nullptr, false, 1, impatient};
  CHECK(stops([&] { engine.search(&source, 1, to, request); }));
  search_in_order(random, engine, a);
}
