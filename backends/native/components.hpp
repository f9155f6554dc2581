// Weakly connected components by Afforest (Sutton, Ben-Nun, Barak: "Optimizing Parallel Graph Connectivity Computation
// via Subgraph Sampling", IPDPS 2018).
//
// labels[v] is the parent of v in a forest whose parents are never larger than their children: a root is the smallest
// vertex of its tree, and links hang roots below smaller ones. A few edges of each vertex join most of the graph; what
// remains are the edges of vertices outside the largest tree. That leaves out edges into the largest tree alone, so a
// graph that is not symmetric is looked at as a whole.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "graph.hpp"
#include "memory.hpp"
#include "recycle.hpp"
#include "signals.hpp"
#include "team.hpp"
#include "tuning_algorithms.hpp"

namespace lagbfs {

template <class Index>
Index root_of(const Index* labels, Index v) {
  for (Index up = load(labels + v); up != v; up = load(labels + v)) v = up;
  return v;
}

// Joins the trees of u and v: hangs the larger root below the other.
template <class Index>
void link(Index* labels, Index u, Index v) {
  for (;;) {
    u = root_of(labels, u), v = root_of(labels, v);
    if (u == v) return;
    Index high = std::max(u, v);
    const Index low = std::min(u, v);
    if (__atomic_compare_exchange_n(labels + high, &high, low, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
  }
}

// Hangs the vertices of a chunk below their roots.
template <class Index>
void compress(Index* labels, std::int64_t begin, std::int64_t end) {
  for (std::int64_t v = begin; v < end; ++v) {
    const Index up = load(labels + v), root = root_of(labels, up);
    if (root != up) store(labels + v, root);
  }
}

// The most frequent of evenly spaced labels.
template <class Index>
Index frequent_label(const Index* labels, std::int64_t n) {
  std::array<Index, kSampledLabels> sample;
  for (std::size_t i = 0; i < kSampledLabels; ++i) sample[i] = labels[std::int64_t(double(i) / kSampledLabels * n)];
  std::sort(sample.begin(), sample.end());
  Index best = sample[0];
  for (std::size_t i = 0, most = 0, run = 0; i < kSampledLabels; ++i) {
    run = i && sample[i] == sample[i - 1] ? run + 1 : 1;
    if (run > most) most = run, best = sample[i];
  }
  return best;
}

// labels[v]: the smallest vertex of the component of v, edges counting both ways.
template <class Index, class Offset>
void components(const Csr<Index, Offset>& csr, bool symmetric, Index* labels, int threads, bool (*ask)() = nullptr) {
  const std::int64_t n = csr.rows;
  if (n == 0) return;
  Lease lease(n + csr.edges() < kAloneComponents ? 1 : threads);
  Signals signals(ask);
  const auto each = [&](auto&& f) {
    lease.chunks(n, kComponentVertices, [&](int id, std::int64_t begin, std::int64_t end) {
      if (!signals.tick(id)) f(begin, end);
    });
    signals.check();
  };
  Recycled<Index> second(n);  // neighbours, or the vertex itself: rows are read once
  each([&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) labels[v] = Index(v);
  });
  // Columns ascend: a vertex's first neighbour is its smallest, and where that hangs it may hang without more ado.
  each([&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      const Index* const row = csr.begin(v);
      const std::int64_t degree = csr.degree(v);
      second[v] = degree > 1 ? row[1] : Index(v);
      if (degree > 0 && row[0] < v) store(labels + v, load(labels + row[0]));
    }
  });
  each([&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v)
      if (load(labels + v) != load(labels + second[v])) link(labels, Index(v), second[v]);
  });
  each([&](std::int64_t begin, std::int64_t end) { compress(labels, begin, end); });
  const Index largest = frequent_label(labels, n);
  each([&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      if (symmetric && load(labels + v) == largest) continue;
      for (const Index *e = csr.begin(v), *stop = csr.end(v); e != stop; ++e)
        if (load(labels + v) != load(labels + *e)) link(labels, Index(v), *e);
    }
  });
  each([&](std::int64_t begin, std::int64_t end) { compress(labels, begin, end); });
}

}  // namespace lagbfs
