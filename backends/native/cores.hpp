// Core numbers by peeling (Batagelj and Zaversnik, "An O(m) Algorithm for Cores Decomposition of Networks", 2003): the
// vertex of least degree goes next, and its degree is its core number; those of its neighbours that are left become
// less by one. Vertices are kept in the order of their degrees: one that loses a neighbour changes places with the
// first of its degree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "graph.hpp"
#include "memory.hpp"
#include "signals.hpp"
#include "tuning_algorithms.hpp"

namespace lagbfs {

// Of a symmetric graph; loops do not count.
template <class Index, class Offset>
void core_numbers(const Csr<Index, Offset>& csr, std::int32_t* cores, bool (*ask)() = nullptr) {
  const std::int64_t n = csr.rows;
  Signals signals(ask);
  Buffer<Index> order(n), place(n);
  std::int32_t largest = 0;
  for (std::int64_t v = 0; v < n; ++v) {
    const bool loop = std::binary_search(csr.begin(v), csr.end(v), Index(v));
    cores[v] = std::int32_t(csr.degree(v) - loop);
    largest = std::max(largest, cores[v]);
  }
  std::vector<std::int64_t> first(largest + 2);  // first[d]: where vertices of degree d begin in the order
  for (std::int64_t v = 0; v < n; ++v) ++first[cores[v] + 1];
  for (std::int32_t d = 0; d <= largest; ++d) first[d + 1] += first[d];
  std::vector<std::int64_t> at(first);
  for (std::int64_t v = 0; v < n; ++v) place[v] = Index(at[cores[v]]++), order[place[v]] = Index(v);
  for (std::int64_t i = 0; i < n; ++i) {
    if (i % kAskRows == 0) signals.tick(0), signals.check();
    const Index v = order[i];
    for (const Index *e = csr.begin(v), *stop = csr.end(v); e != stop; ++e) {
      const Index u = *e;
      if (cores[u] <= cores[v]) continue;
      std::int64_t& begin = first[cores[u]];
      begin = std::max(begin, i + 1);
      const Index other = order[begin];
      std::swap(order[begin], order[place[u]]), std::swap(place[u], place[other]);
      ++begin, --cores[u];
    }
  }
}

}  // namespace lagbfs
