// Whole algorithms, as kernels.cpp has the kernels of searches and products: arguments and flags are the same.
#define LAGBFS_SMALL  // before anything of the kernels: see tuning.hpp
#include "algorithms.hpp"

#include "common.hpp"

static bool impatient() { return true; }

// Each stops when told to.
static void test_stopping() {
  Edges edges;
  for (std::int64_t k = 0; k < 500; ++k)
    for (const std::int64_t v : {k / 2, (k * 7 + 1) % 500}) edges.emplace(k, v), edges.emplace(v, k);
  const auto m = matrix_of<std::int32_t>(edges, 500, 500);
  const auto csr = m.csr();
  std::vector<std::int32_t> numbers(500);
  std::vector<std::int64_t> corners(500);
  std::vector<double> values(500), weights(edges.size(), 1.0);
  const auto stops = [](auto&& run) {
    try {
      run();
    } catch (const Interrupted&) {
      return true;
    }
    return false;
  };
  const std::int32_t source = 3;
  Engine<std::int32_t, std::int32_t>* const no_engine = nullptr;
  RankProblem<std::int32_t, std::int32_t> ranks;
  ranks.in = csr, ranks.out_indptr = csr.indptr, ranks.tol = 0, ranks.most = 1 << 30;
  PathProblem<std::int32_t, std::int32_t, double> paths;
  paths.out = csr, paths.weights = weights.data(), paths.sources = &source, paths.source_count = 1, paths.largest = 1;
  Engine<std::int32_t, std::int32_t> engine(csr, csr);
  CHECK(stops([&] { components(csr, &engine, numbers.data(), 1, impatient); }));
  CHECK(stops([&] { components(csr, no_engine, numbers.data(), 1, impatient); }));
  CHECK(stops([&] { triangles(csr, corners.data(), 1, impatient); }));
  CHECK(stops([&] { pagerank(ranks, values.data(), 1, impatient); }));
  CHECK(stops([&] { shortest_paths(paths, values.data(), numbers.data(), 1, impatient); }));
  CHECK(stops([&] { betweenness(csr, csr, &source, 1, false, values.data(), 1, impatient); }));
  CHECK(stops([&] { core_numbers(csr, numbers.data(), impatient); }));
}

template <class Index, class Offset>
void test_all(Random& random) {
  test_components<Index, Offset>(random);
  test_triangles<Index, Offset>(random);
  test_cores<Index, Offset>(random);
  test_pagerank<Index, Offset>(random);
  test_paths<Index, Offset, double>(random);
  test_betweenness<Index, Offset>(random);
}

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 40;
  const unsigned first = argc > 2 ? unsigned(std::atoi(argv[2])) : 1;
  test_stopping();
  for (seed = first; seed < first + unsigned(rounds); ++seed) {
    Random random(seed);
    for (int k = 0; k < 5; ++k) {
      test_all<std::int32_t, std::int32_t>(random), test_all<std::int32_t, std::int64_t>(random);
      test_all<std::int64_t, std::int64_t>(random);
      test_paths<std::int32_t, std::int32_t, std::int32_t>(random);
      test_paths<std::int32_t, std::int64_t, std::int32_t>(random);
    }
  }
  std::printf("%d rounds\n", rounds);
  return 0;
}
