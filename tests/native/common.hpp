// What the tests of the kernels share: checks that end the program, random graphs, a plain matrix.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "graph.hpp"
#include "tuning.hpp"

using namespace lagbfs;

static_assert(kSmallLevel < kUsualSmallLevel, "LAGBFS_SMALL is to be defined before anything of the kernels");

static unsigned seed;

#define CHECK(condition)                                                         \
  do {                                                                           \
    if (!(condition)) {                                                          \
      std::printf("%s:%d, seed %u: %s\n", __FILE__, __LINE__, seed, #condition); \
      std::exit(1);                                                              \
    }                                                                            \
  } while (false)

#ifdef LAGBFS_DRAWN  // by a fuzzer
#include "../fuzz/drawn.hpp"
#else
using Random = std::mt19937;

static std::int64_t below(Random& random, std::int64_t n) {
  return std::uniform_int_distribution<std::int64_t>(0, n - 1)(random);
}
#endif

template <class Index, class Offset>
struct Matrix {
  std::vector<Offset> indptr;
  std::vector<Index> indices;
  std::int64_t cols;
  Csr<Index, Offset> csr() const { return {indptr.data(), indices.data(), std::int64_t(indptr.size()) - 1}; }
  bool has(std::int64_t u, std::int64_t v) const {
    return std::binary_search(indices.begin() + indptr[u], indices.begin() + indptr[u + 1], Index(v));
  }
};

using Edges = std::set<std::pair<std::int64_t, std::int64_t>>;

template <class Index, class Offset = Index>
Matrix<Index, Offset> matrix_of(const Edges& edges, std::int64_t rows, std::int64_t cols) {
  Matrix<Index, Offset> m;
  m.indptr.assign(rows + 1, 0), m.cols = cols;
  for (const auto& [u, v] : edges) ++m.indptr[u + 1], m.indices.push_back(Index(v));
  for (std::int64_t r = 0; r < rows; ++r) m.indptr[r + 1] += m.indptr[r];
  return m;
}

static Edges flipped(const Edges& edges) {
  Edges out;
  for (const auto& [u, v] : edges) out.emplace(v, u);
  return out;
}

// Hubs, chains, loops, isolated vertices: the shape depends on the seed. Chains are short: arms that look at
// all vertices at every level would take minutes over a long one.
static Edges random_edges(Random& random, std::int64_t n, bool symmetric) {
  Edges edges;
  const std::int64_t shapes = n > 1000 ? 2 : 4;
  const std::int64_t shape = below(random, shapes), count = below(random, 1 + n * (1 + below(random, 6)));
  for (std::int64_t k = 0; k < count; ++k) {
    std::int64_t u = below(random, n), v = below(random, n);
    if (shape == 1) v = v * v % n * v % n / 8;
    if (shape == 2) u = k % n, v = (u + 1 + (below(random, 20) == 0)) % n;
    if (shape == 3) u /= 2, v /= 2;
    edges.emplace(u, v);
    if (symmetric) edges.emplace(v, u);
  }
  return edges;
}
