// The rules of a search that need the edges: see lagbfs/search/verify.py. The NumPy passes of
// lagbfs/host/plain.py say the same.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "graph.hpp"
#include "memory.hpp"
#include "signals.hpp"
#include "team.hpp"
#include "tuning.hpp"

namespace lagbfs {

template <class Index, class Offset>
struct Claim {
  Csr<Index, Offset> csr;
  const std::int32_t* levels;
  const Index* parents;     // null: levels alone
  std::int32_t limit;       // edges from this level on need not lead anywhere reached
  std::uint8_t* confirmed;  // becomes 1 where an edge makes a vertex its parent's child
  // Of the vertices that columns stand for, as parents and confirmed are: maybe not all that rows do.
  const std::int32_t* ends = levels;
  std::int64_t columns = csr.rows;
};

// Whether each edge from a reached vertex below the limit leads to one at most a level further on. Returns the
// first edge of which that is not true, or its number if all are.
template <class Index, class Offset>
std::int64_t first_long_edge(const Claim<Index, Offset>& c, Lease& lease, Signals& signals) {
  std::atomic<std::int64_t> first{c.csr.edges()};
  lease.chunks(c.csr.rows, kVerifyRows, [&](int id, std::int64_t begin, std::int64_t end) {
    if (signals.tick(id)) return;
    for (std::int64_t u = begin; u < end; ++u) {
      const std::int32_t level = c.levels[u];
      if (level < 0 || level >= c.limit) continue;
      // Unsigned, -1 for unreached is beyond every level.
      const std::uint32_t furthest = std::uint32_t(level) + 1;
      bool fails = false;
      for (std::int64_t e = c.csr.indptr[u]; e < c.csr.indptr[u + 1]; ++e) {
        const Index v = c.csr.indices[e];
        fails |= std::uint32_t(c.ends[v]) > furthest;
        if (!c.parents && std::uint32_t(c.ends[v]) == furthest) store(c.confirmed + v, std::uint8_t(1));
      }
      if (!fails) continue;
      std::int64_t e = c.csr.indptr[u], seen = first.load();
      while (std::uint32_t(c.ends[c.csr.indices[e]]) <= furthest) ++e;
      while (e < seen && !first.compare_exchange_weak(seen, e)) {
      }
    }
  });
  signals.check();
  return first.load();
}

// Looks each vertex up in the row of its parent, whose columns ascend.
template <class Index, class Offset>
void confirm_parents(const Claim<Index, Offset>& c, Lease& lease, Signals& signals) {
  lease.chunks(c.columns, kVerifyVertices, [&](int id, std::int64_t begin, std::int64_t end) {
    if (signals.tick(id)) return;
    for (std::int64_t v = begin; v < end; ++v) {
      const Index u = c.parents[v];
      if (u < 0 || c.confirmed[v]) continue;
      c.confirmed[v] =
          std::binary_search(c.csr.indices + c.csr.indptr[u], c.csr.indices + c.csr.indptr[u + 1], Index(v));
    }
  });
  signals.check();
}

template <class Index, class Offset>
std::int64_t check_edges(const Claim<Index, Offset>& c, int threads, bool (*ask)() = nullptr) {
  Lease lease(threads);
  Signals signals(ask);
  const std::int64_t first = first_long_edge(c, lease, signals);
  if (first == c.csr.edges() && c.parents) confirm_parents(c, lease, signals);
  return first;
}

// Whether a symmetric matrix has each edge of a list, loops aside: the first of the list that it has not, or the
// list's size. seen[e] becomes 1 for each entry e that an edge of the list stands for. Edges are looked for in the
// shorter of their two rows, of equal ones that of the smaller vertex, and noted there; entries that are only the way
// back of these count as seen.
template <class Index, class Offset>
std::int64_t check_list(const Csr<Index, Offset>& csr, const Index* src, const Index* dst, std::int64_t size,
                        std::uint8_t* seen, int threads, bool (*ask)() = nullptr) {
  const auto degree = [&](Index u) { return csr.indptr[u + 1] - csr.indptr[u]; };
  const auto forward = [&](Index u, Index v) { return degree(u) != degree(v) ? degree(u) < degree(v) : u <= v; };
  const auto see = [&](Index u, Index v) {
    const Index* const end = csr.indices + csr.indptr[u + 1];
    const Index* const at = std::lower_bound(csr.indices + csr.indptr[u], end, v);
    if (at == end || *at != v) return false;
    store(seen + (at - csr.indices), std::uint8_t(1));
    return true;
  };
  Lease lease(threads);
  Signals signals(ask);
  std::atomic<std::int64_t> first{size};
  lease.chunks(size, kVerifyEdges, [&](int id, std::int64_t begin, std::int64_t end) {
    if (signals.tick(id)) return;
    for (std::int64_t k = begin; k < end; ++k) {
      const Index u = src[k], v = dst[k];
      if (u == v || (forward(u, v) ? see(u, v) : see(v, u))) continue;
      std::int64_t found = first.load();
      while (k < found && !first.compare_exchange_weak(found, k)) {
      }
      return;
    }
  });
  signals.check();
  lease.chunks(csr.rows, kVerifyRows, [&](int id, std::int64_t begin, std::int64_t end) {
    if (signals.tick(id)) return;
    for (std::int64_t u = begin; u < end; ++u)
      for (std::int64_t e = csr.indptr[u]; e < csr.indptr[u + 1]; ++e)
        if (!forward(Index(u), csr.indices[e])) seen[e] = 1;
  });
  signals.check();
  return first.load();
}

}  // namespace lagbfs
