// Weakly connected components by Afforest (Sutton, Ben-Nun, Barak: "Optimizing Parallel Graph Connectivity Computation
// via Subgraph Sampling", IPDPS 2018).
//
// labels[v] is the parent of v in a forest whose parents are never larger than their children: a root is the smallest
// vertex of its tree, and links hang roots below smaller ones. A few edges of each vertex join most of the graph; what
// remains are the edges of vertices outside the largest tree. That leaves out edges into the largest tree alone, so a
// graph that is not symmetric is looked at as a whole.
// Where a vertex has a good share of all as its neighbours, these hang below the smallest of them from the start, and
// most others have one of them among their first neighbours.
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

// Hangs the neighbours of the one of the hubs that has most below the smallest of them, which is returned; -1 if they
// are too few to help.
template <class Index, class Offset>
Index hang_below_hub(const Csr<Index, Offset>& csr, const std::array<std::int64_t, kMaxThreads>& hubs, Index* labels) {
  std::int64_t hub = hubs[0];
  for (const std::int64_t v : hubs)
    if (csr.degree(v) > csr.degree(hub)) hub = v;
  if (csr.degree(hub) * kHubReach < csr.rows) return -1;
  const Index root = std::min(Index(hub), *csr.begin(hub));
  labels[hub] = root;
  for (const Index *e = csr.begin(hub), *stop = csr.end(hub); e != stop; ++e) labels[*e] = root;
  return root;
}

// Whether one of the first neighbours of v hangs below the root.
template <class Index, class Offset>
bool meets(const Csr<Index, Offset>& csr, const Index* labels, std::int64_t v, Index root) {
  const Index *e = csr.begin(v), *const stop = e + std::min<std::int64_t>(csr.degree(v), kFirstNeighbours);
  while (e != stop && load(labels + *e) != root) ++e;
  return e != stop;
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
  std::array<std::int64_t, kMaxThreads> hubs{};
  lease.chunks(n, kComponentVertices, [&](int id, std::int64_t begin, std::int64_t end) {
    if (signals.tick(id)) return;
    for (std::int64_t v = begin; v < end; ++v) {
      labels[v] = Index(v);
      if (csr.degree(v) > csr.degree(hubs[id])) hubs[id] = v;
    }
  });
  signals.check();
  const Index root = hang_below_hub(csr, hubs, labels);
  // Columns ascend: a vertex's first neighbour is its smallest, and where that hangs it may hang without more ado.
  each([&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      second[v] = Index(v);
      if (root >= 0 && (load(labels + v) == root || (root < v && meets(csr, labels, v, root)))) {
        store(labels + v, root);
        continue;
      }
      const Index* const row = csr.begin(v);
      const std::int64_t degree = csr.degree(v);
      if (degree > 1) second[v] = row[1];
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
