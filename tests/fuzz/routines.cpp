// Whole algorithms, many searches, searches in order, and matrices entry by entry: the random tests of tests/native,
// whose numbers the fuzzer draws. Each with one pair of widths, which tests/native runs all of.
#define LAGBFS_DRAWN  // before anything of tests/native
#include "../native/algorithms.hpp"
#include "../native/depths.hpp"
#include "../native/entries.hpp"
#include "../native/in_order.hpp"
#include "../native/many_searches.hpp"
#include "../native/matrix_entries.hpp"

using Index = std::int32_t;
using Offset = std::int64_t;

static void search_many(Random& random) {
  const std::int64_t n = 1 + below(random, 200);
  const bool symmetric = below(random, 2);
  const Edges edges = random_edges(random, n, symmetric);
  const auto a = matrix_of<Index, Offset>(edges, n, n), at = matrix_of<Index, Offset>(flipped(edges), n, n);
  Engine<Index, Offset> engine(a.csr(), symmetric ? a.csr() : at.csr());
  if (below(random, 2)) engine.optimize(2, nullptr);
  search_in_step<1, std::int8_t>(random, engine, a);
  search_each<std::int8_t>(random, engine, a);
  search_in_order(random, engine, a);
}

static void (*const kTests[])(Random&) = {
    test_components<Index, Offset>,
    test_triangles<Index, Offset>,
    test_cores<Index, Offset>,
    test_pagerank<Index, Offset>,
    test_paths<Index, Offset, double>,
    test_paths<Index, Offset, std::int32_t>,
    test_betweenness<Index, Offset>,
    search_many,
    test_lane_counts,
    test_lists,
    test_matrix_entries<Index, Offset>,
    test_matrix_semirings<Index, std::int64_t>,
    test_matrix_semirings<Index, Bool>,
    test_depths<Index>,
};

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Random random(data, size);
  kTests[below(random, std::size(kTests))](random);
  return 0;
}
