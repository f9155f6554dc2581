// Many searches: in step at every width, and each by a thread, against plain ones.
#pragma once

#include <memory>

#include "apart.hpp"
#include "distances.hpp"
#include "search.hpp"
#include "together.hpp"

template <class Index>
struct ManyExpected {
  std::vector<Index> sources;
  std::vector<std::vector<std::int32_t>> levels;  // by source
};

template <class Index, class Offset>
ManyExpected<Index> expect_many(Random& random, const Matrix<Index, Offset>& a, std::int64_t most, std::int32_t depth) {
  const std::int64_t n = std::int64_t(a.indptr.size()) - 1, k = 1 + below(random, most);
  ManyExpected<Index> want;
  std::vector<Index> smallest;
  for (std::int64_t s = 0; s < k; ++s) {
    want.sources.push_back(Index(below(random, n))), want.levels.emplace_back();
    plain_bfs(a, {want.sources.back()}, want.levels.back(), smallest, depth);
  }
  return want;
}

template <class Index>
void check_per_source(const ManyExpected<Index>& want, const PerSource& found) {
  for (std::size_t s = 0; s < want.sources.size(); ++s) {
    std::vector<std::int64_t> counts;
    std::int64_t sum = 0, reached = 0;
    for (const std::int32_t level : want.levels[s]) {
      if (level < 0) continue;
      if (std::int64_t(counts.size()) <= level) counts.resize(level + 1);
      ++counts[level], ++reached, sum += level;
    }
    CHECK(found.sums[s] == sum && found.reached[s] == reached);
    CHECK(found.depths[s] == std::int32_t(counts.size()) - 1);
    CHECK(found.by_level.empty() || found.by_level[s] == counts);
  }
}

template <class Index>
void check_per_vertex(const ManyExpected<Index>& want, const PerVertex& found) {
  for (std::size_t v = 0; v < want.levels[0].size(); ++v) {
    std::int64_t sum = 0, count = 0;
    std::int32_t depth = 0;
    for (const auto& levels : want.levels)
      if (levels[v] >= 0) sum += levels[v], ++count, depth = std::max(depth, levels[v]);
    CHECK(found.sums[v] == sum && found.counts[v] == count && found.depths[v] == depth);
  }
}

template <class Level, class Index>
void check_levels(const ManyExpected<Index>& want, const std::vector<Level>& levels) {
  const std::size_t n = want.levels[0].size();
  for (std::size_t s = 0; s < want.sources.size(); ++s)
    for (std::size_t v = 0; v < n; ++v) CHECK(levels[s * n + v] == want.levels[s][v]);
}

template <int W, class Level, class Index, class Offset>
void search_in_step(Random& random, const Engine<Index, Offset>& engine, const Matrix<Index, Offset>& a) {
  const auto layout = engine.layout();
  const View<Index, Offset>& view = layout ? layout->view : engine.plain();
  ManyWanted wanted{below(random, 3) ? 1 << 20 : std::int32_t(below(random, 4)), bool(below(random, 2))};
  const auto want = expect_many(random, a, W * kWordBits, wanted.max_depth);
  const std::int64_t k = std::int64_t(want.sources.size());
  Lease lease(1 + int(below(random, 3)));
  Signals signals;
  PerSource found(k, wanted.by_level);
  Together<W, Index, Offset> searches(view, lease, signals, true, true);
  searches.run(want.sources.data(), k, wanted, found);
  check_per_source(want, found);
  VertexSums sums(engine.n());
  searches.add_to(sums.arrays());
  for (const Index s : want.sources)
    if (view.to_label(s) >= view.active) sums.arrays().add(s, 0, 1, 0);
  check_per_vertex(want, sums.arrays());
  if (found.depth() > std::numeric_limits<Level>::max()) return;
  LanePlanes planes = searches.planes();
  std::vector<Level> levels(k * engine.n(), 77);
  Numbers<Level, Index, Offset>(view, planes, k, levels.data()).write(want.sources.data(), lease, signals);
  check_levels(want, levels);
  std::vector<Index> parents(k * engine.n(), 77), none;
  find_parents(engine.plain().in, levels.data(), k, parents.data(), lease, signals);
  for (std::int64_t s = 0; s < k; ++s)
    check_result<Index, Offset>(a, want.levels[s], none, parents.data() + s * engine.n(), nullptr, false);
}

template <class Level, class Index, class Offset>
void search_each(Random& random, const Engine<Index, Offset>& engine, const Matrix<Index, Offset>& a) {
  const auto layout = engine.layout();
  ManyWanted wanted{below(random, 3) ? 1 << 20 : std::int32_t(below(random, 4)), bool(below(random, 2))};
  const auto want = expect_many(random, a, 9, wanted.max_depth);
  const std::int64_t k = std::int64_t(want.sources.size()), n = engine.n();
  Lease lease(1 + int(below(random, 3)));
  Signals signals;
  PerSource found(k, wanted.by_level);
  VertexSums sums(n);
  std::vector<Level> levels(k * n, 77);
  std::vector<Index> parents(k * n, 77), none;
  const auto done = std::make_unique<bool[]>(k);
  const ApartOut<Level, Index> out{levels.data(), parents.data(), sums.arrays(), done.get()};
  search_apart(layout ? layout->view : engine.plain(), want.sources.data(), k, wanted, found, out, lease, signals);
  check_per_source(want, found);
  bool all = true;
  for (std::int64_t s = 0; s < k; ++s) {
    CHECK(done[s] == (found.depths[s] <= std::numeric_limits<Level>::max()));
    all = all && done[s];
    if (done[s]) check_result<Index, Offset>(a, want.levels[s], none, parents.data() + s * n, nullptr, false);
  }
  if (all) check_levels(want, levels), check_per_vertex(want, sums.arrays());
}

template <class Index, class Offset>
void test_many(Random& random) {
  const std::int64_t n = 1 + below(random, 400);
  const bool symmetric = below(random, 2);
  const Edges edges = random_edges(random, n, symmetric);
  const auto a = matrix_of<Index, Offset>(edges, n, n), at = matrix_of<Index, Offset>(flipped(edges), n, n);
  Engine<Index, Offset> engine(a.csr(), symmetric ? a.csr() : at.csr());
  for (int half = 0; half < 2; ++half) {
    search_in_step<1, std::int8_t>(random, engine, a), search_in_step<2, std::int16_t>(random, engine, a);
    search_in_step<4, std::int32_t>(random, engine, a), search_in_step<8, std::int8_t>(random, engine, a);
    search_each<std::int8_t>(random, engine, a), search_each<std::int16_t>(random, engine, a);
    search_each<std::int32_t>(random, engine, a);
    engine.optimize(2, nullptr);
  }
}

// Either way stops when told to.
template <class Index, class Offset>
void test_stopping_many() {
  const std::int64_t n = 500;
  Edges edges;
  for (std::int64_t v = 0; v + 1 < n; ++v) edges.emplace(v, v + 1);
  const auto a = matrix_of<Index, Offset>(edges, n, n), at = matrix_of<Index, Offset>(flipped(edges), n, n);
  const Engine<Index, Offset> engine(a.csr(), at.csr());
  const Index sources[] = {0, 1};
  const ManyWanted wanted{1 << 20, false};
  bool done[2];
  Lease lease(2);
  CHECK(stops([&] {
    Signals signals(impatient);
    PerSource found(2, false);
    Together<1, Index, Offset>(engine.plain(), lease, signals, true, false).run(sources, 2, wanted, found);
  }));
  CHECK(stops([&] {
    Signals signals(impatient);
    PerSource found(2, false);
    search_apart(engine.plain(), sources, 2, wanted, found, ApartOut<std::int32_t, Index>{{}, {}, {}, done}, lease,
                 signals);
  }));
}

// Sums of bits, however many are added.
static void test_lane_counts(Random& random) {
  LaneCounts<2> counts;
  for (const int size : {0, 1, 7, 8, 9, 300}) {
    std::vector<std::int64_t> want(128), got(128);
    for (int i = 0; i < size; ++i) {
      const Word words[2] = {Word(random()) << 32 | random(), Word(random())};
      counts.add(Lanes<2>::at(words));
      for (int lane = 0; lane < 128; ++lane) want[lane] += words[lane >> 6] >> (lane & 63) & 1;
    }
    counts.drain(got.data());
    CHECK(got == want);
  }
}
